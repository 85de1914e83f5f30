"""What a player sees, as arrays with names: exactly what that player may know, and the image of the actions.

The board is never turned. Colors and players are counted from the one who looks: relative player 0 is the observer, 1
the next one in turn, …; relative colors are the first colors of relative players 0, 1, …, then their second ones.
"""

from functools import cache

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from blockers_env import kernels
from blockers_env.tables import Tables
from blockers_env.tiles import NUM_TILES, SIZE, TILE_KINDS, TILE_NAMES
from blockers_env.variants import Options
from blokus_env.adapters.protocol import Observation

LAYOUTS = ("planes", "compact")
MOST = 56  # the largest number in an observation: the turns of a player with two colors and racks of one


@cache
def board_plane_names(options: Options) -> tuple[str, ...]:
    """Names of the board planes, in order.

    `tiles_j`: squares of relative color j; `digit`, `letter`, `symbol`, `wild`: the kind of the tile, which together
    with its square tells its face; `takeable`: squares whose tile could be captured without splitting its group;
    `rack_k`: how many playable tiles of the own k-th rack match a square; `unseen_j`: how many tiles of relative color
    j that nobody has seen match it.
    """
    colors = range(options.num_colors)
    return (
        *(f"tiles_{j}" for j in colors),
        *TILE_KINDS,
        "takeable",
        *(f"rack_{k}" for k in range(options.colors_each)),
        *(f"unseen_{j}" for j in colors),
    )


@cache
def vector_names(options: Options) -> tuple[str, ...]:
    """Names of the numbers besides the board, in order.

    `rack_k_TILE`: 1 if the own k-th rack holds a tile; `unseen_j_TILE`: 1 if nobody has seen it, so that it lies on the
    rack or in the pile; `in_pile_j_TILE` (others' colors): 1 if it is known to be in the pile, because the color's
    latest turn was skipped though it could have been played; `rack_size_j`, `pile_size_j`: numbers of tiles;
    `groups_j`: groups on the board. Then for each relative player i: `captured_i_j`: tiles captured of relative color
    j, `skips_i`: skipped turns, `turns_left_i`: turns to come, `to_move_i`: 1 if it is i's turn, `seat_i`: 1 if the
    observer sits in seat i.
    """
    colors = range(options.num_colors)
    tiles = TILE_NAMES[: options.num_tiles]
    others = [j for j in colors if j % options.num_players]
    players = (
        (*(f"captured_{i}_{j}" for j in colors), f"skips_{i}", f"turns_left_{i}", f"to_move_{i}", f"seat_{i}")
        for i in range(options.num_players)
    )
    return (
        *(f"rack_{k}_{tile}" for k in range(options.colors_each) for tile in tiles),
        *(f"unseen_{j}_{tile}" for j in colors for tile in tiles),
        *(f"in_pile_{j}_{tile}" for j in others for tile in tiles),
        *(f"{what}_{j}" for what in ("rack_size", "pile_size", "groups") for j in colors),
        *(name for names in players for name in names),
    )


def plane_names(options: Options) -> tuple[str, ...]:
    """Names of all planes of the layout "planes": the board planes, then the vector as constant planes."""
    return board_plane_names(options) + vector_names(options)


def observation_space(options: Options, layout: str) -> spaces.Box | spaces.Dict:
    """The space of one observation.

    "planes": uint8 Box [C, 9, 9]. "compact": Dict of "board", uint8 [C, 9, 9], and "pieces", uint8 [V]. Raises
    ValueError for another layout.
    """
    check_layout(layout)
    if layout == "planes":
        return spaces.Box(0, MOST, (len(plane_names(options)), SIZE, SIZE), np.uint8)
    board = spaces.Box(0, 4, (len(board_plane_names(options)), SIZE, SIZE), np.uint8)
    return spaces.Dict({"board": board, "pieces": spaces.Box(0, MOST, (len(vector_names(options)),), np.uint8)})


def check_layout(layout: str) -> None:
    """Raise ValueError for an unknown layout."""
    if layout not in LAYOUTS:
        raise ValueError(f"observation={layout!r} is unknown: choose one of {', '.join(map(repr, LAYOUTS))}")


def action_images(tables: Tables) -> NDArray[np.int64]:
    """Where each action stands in the image [28 · own colors, 9, 9] of a policy head: int64 [actions, 3], (plane, row,
    column); plane 28 k + t is tile t of the own k-th color.
    """
    return np.stack([tables.which * NUM_TILES + tables.tile, tables.square // SIZE, tables.square % SIZE], axis=1)


def observe(tables: Tables, records: NDArray[np.void], player: int, layout: str) -> Observation:
    """What a player sees of a state array of length 1, fresh arrays in the space of the layout."""
    planes, numbers = len(board_plane_names(tables.options)), len(vector_names(tables.options))
    rows = planes + (numbers if layout == "planes" else 0)
    board, vector = np.empty((rows, SIZE * SIZE), np.uint8), np.empty(numbers, np.uint8)
    kernels.observe_one(tables.record, records, tables.workspace.scratch, player, board, vector)
    squares = board.reshape(-1, SIZE, SIZE)
    return squares if layout == "planes" else {"board": squares, "pieces": vector}
