"""Options → arrays: all that the kernels know of the rules, and the layout of their records.

Positions are places on a grid with a rim round the board (11 × 11): square (row, column) is position
(row + 1) · 11 + column + 1, so that a step never wraps round (G2). One record type serves all options, so that the
kernels compile once.
"""

import functools
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blockers_env.tiles import NUM_SQUARES, NUM_TILES, SIZE, squares_of
from blockers_env.variants import SCORINGS, Options

GRID = SIZE + 2
POSITIONS = 128  # room for the 121 positions
MOST_COLORS = 5
MOST_PLAYERS = 5
MOST_ACTIONS = 324  # of a color
NO_ACTION = -1
POSITION = np.array([(square // SIZE + 1) * GRID + square % SIZE + 1 for square in range(NUM_SQUARES)])
"""The position of each square, int64 [81]."""

TABLE_DTYPE = np.dtype(
    [
        ("colors", np.int64),
        ("players", np.int64),
        ("tiles", np.int64),  # of a color
        ("rack", np.int64),  # tiles on a rack
        ("turns", np.int64),  # of a whole game
        ("actions", np.int64),  # of one color
        ("scoring", np.int64),  # index into SCORINGS
        ("own_other", np.int64),  # 1: a player may capture the own other color
        ("square", np.uint8, (NUM_TILES, NUM_SQUARES)),  # positions that a tile matches
        ("num_square", np.int64, (NUM_TILES,)),
        ("first", np.int64, (NUM_TILES,)),  # a tile's first action
        ("action", np.int16, (NUM_TILES, POSITIONS)),  # of a tile on a position, NO_ACTION if it does not match
        ("tile_of", np.uint8, (MOST_ACTIONS,)),
        ("position_of", np.uint8, (MOST_ACTIONS,)),
        ("position", np.uint8, (NUM_SQUARES,)),  # of a square
        ("matching", np.uint32, (NUM_SQUARES,)),  # tiles that match a square, as bits
    ],
    align=True,
)

# The order of the fields leaves no gaps, so that equal states have equal bytes.
STATE_DTYPE = np.dtype(
    [
        ("rack", np.uint32, (MOST_COLORS,)),  # tiles on the rack, as bits
        ("played", np.uint32, (MOST_COLORS,)),  # tiles that were played, as bits; the others nobody has seen
        ("captured", np.uint32, (MOST_PLAYERS, MOST_COLORS)),  # tiles that a player has captured of a color, as bits
        ("turn", np.int16),  # the player to move, kernels.GAME_OVER at the end
        ("ply", np.int16),  # actions played
        ("turns", np.int16),  # turns gone, skipped ones included
        ("color", np.int8, (POSITIONS,)),  # the color on each position, kernels.EMPTY or kernels.RIM
        ("face", np.int8, (POSITIONS,)),  # the tile on it, −1 where none is
        ("deal", np.int8, (MOST_COLORS, NUM_TILES)),  # the order in which tiles are drawn; −1: unknown (in views)
        ("order", np.int8, (MOST_COLORS, NUM_TILES)),  # the order in which they were played, then −1
        ("drawn", np.uint8, (MOST_COLORS,)),  # tiles drawn so far
        ("release", np.uint8, (MOST_COLORS, NUM_TILES)),  # a skipped turn proved a tile to lie here in `deal` or behind
        ("skips", np.uint8, (MOST_PLAYERS,)),  # turns that were skipped
    ],
    align=True,
)

SCRATCH_DTYPE = np.dtype(
    [
        ("memo", np.uint8, (POSITIONS,)),  # whether a tile may be taken: 0 not yet known, 1 yes, 2 no
        ("seen", np.uint8, (POSITIONS,)),
        ("group", np.uint8, (POSITIONS,)),  # labels of groups
        ("stack", np.uint8, (POSITIONS,)),
        ("pool", np.int8, (NUM_TILES,)),  # tiles to be dealt
        ("hand", np.int8, (NUM_TILES,)),  # places of the deal that are on the rack
        ("ids", np.int32, (2 * MOST_ACTIONS,)),
    ],
    align=True,
)


@dataclass(frozen=True, eq=False)
class Tables:
    """Everything derived from options.

    `record` is a structured array of length 1 for the kernels. The other arrays are indexed by action id. Ids go by
    color of the player (its first, its second), tile, and square, all ascending: within a color, tile t < 27 and the
    i-th of its nine squares is action 9 t + i, the wild tile on square s is action 243 + s.
    """

    options: Options
    record: NDArray[np.void]
    which: NDArray[np.int64]  # [actions] 0: the first color of the player, 1: its second
    tile: NDArray[np.int64]  # [actions]
    square: NDArray[np.int64]  # [actions]

    def __reduce__(self) -> tuple[Any, ...]:
        return tables, (self.options,)  # pickles and deep copies hold the options, not the arrays

    @property
    def num_actions(self) -> int:
        """Number of actions of a player."""
        return len(self.tile)

    @property
    def most_legal(self) -> int:
        """A bound on the legal actions in a position: full racks on an open board."""
        options = self.options
        return options.colors_each * (9 * options.rack_size + (72 if options.wild else 0))

    @functools.cached_property
    def action_of(self) -> dict[tuple[int, int, int], int]:
        """The action of (which color, tile, square)."""
        keys = zip(self.which.tolist(), self.tile.tolist(), self.square.tolist(), strict=True)
        return {key: action for action, key in enumerate(keys)}

    def new_states(self, count: int) -> NDArray[np.void]:
        """Zeroed state records; `kernels.init` fills them."""
        return np.zeros(count, STATE_DTYPE)

    def new_scratch(self) -> NDArray[np.void]:
        """Working memory for the kernels of one thread."""
        return np.zeros(1, SCRATCH_DTYPE)

    @property
    def workspace(self) -> "Workspace":
        """The calling thread's working memory for single games."""
        try:
            return self._local.workspace  # type: ignore[no-any-return]
        except AttributeError:
            self._local.workspace = Workspace(self.new_scratch(), np.zeros(self.num_actions, np.int32))
            return self._local.workspace  # type: ignore[no-any-return]

    @functools.cached_property
    def _local(self) -> threading.local:
        return threading.local()


@dataclass(frozen=True)
class Workspace:
    """Memory that kernels write to and that is read at once."""

    scratch: NDArray[np.void]
    ids: NDArray[np.int32]  # [actions]


@functools.cache
def tables(options: Options) -> Tables:
    """The tables of options."""
    record = np.zeros(1, TABLE_DTYPE)
    row = record[0]
    row["colors"], row["players"], row["tiles"] = options.num_colors, options.num_players, options.num_tiles
    row["rack"], row["turns"], row["actions"] = options.rack_size, options.num_turns, options.actions_per_color
    row["scoring"], row["own_other"] = SCORINGS.index(options.scoring), options.capture_own_other_color
    row["position"] = POSITION
    row["action"] = NO_ACTION
    pairs = [(tile, square) for tile in range(options.num_tiles) for square in squares_of(tile)]
    for action, (tile, square) in enumerate(pairs):
        row["action"][tile, POSITION[square]] = action
        row["tile_of"][action], row["position_of"][action] = tile, POSITION[square]
        row["matching"][square] |= 1 << tile
    for tile in range(options.num_tiles):
        squares = squares_of(tile)
        row["num_square"][tile] = len(squares)
        row["first"][tile] = tile * SIZE
        row["square"][tile, : len(squares)] = POSITION[list(squares)]
    tile_of, square_of = np.array(pairs * options.colors_each).T
    which = np.repeat(np.arange(options.colors_each), len(pairs))
    return Tables(options, record, which, tile_of, square_of)
