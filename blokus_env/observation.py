"""What a player sees, as arrays with names, and the image of the actions.

The board is never rotated: channels are relative to a color (0 = the color to move, 1 = the next one in the cycle, …).
On lattices with several kinds of cells each channel has a plane for each kind (`Lattice.embed`).
"""

import functools

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from blokus_env.seats import seats
from blokus_env.tables import Tables
from blokus_env.variants import Variant

LAYOUTS = ("planes", "compact")


def board_plane_names(variant: Variant) -> tuple[str, ...]:
    """Names of the board planes: `occupied_j`, `forbidden_j` and `attach_j` for each relative color j.

    Boards of triangles have each as `…_up` and `…_down`; boards that do not fill their image end with `on_board`.
    """
    colors = range(variant.num_colors)
    channels = [f"{what}_{j}" for j in colors for what in ("occupied", "forbidden", "attach")]
    if not variant.board.image.is_full:
        channels.append("on_board")
    return tuple(channel + suffix for channel in channels for suffix in variant.board.lattice.plane_names)


def color_vector_names(variant: Variant) -> tuple[str, ...]:
    """The numbers that are about colors alone, as the kernel writes them."""
    colors = range(variant.num_colors)
    return (
        *(f"left_{j}_{piece}" for j in colors for piece in variant.piece_names),
        *(f"blocked_{j}" for j in colors),
        *(f"finished_single_{j}" for j in colors),
        *(f"color_{i}" for i in colors),
    )


def seat_vector_names(variant: Variant) -> tuple[str, ...]:
    """The numbers that are about seats, where not everybody just has one color; player 0 is the one who sees them."""
    if variant.is_one_color_each:
        return ()
    pairs = [(j, p) for j in range(variant.num_colors) for p in range(variant.num_players)]
    return (*(f"plays_{j}_{p}" for j, p in pairs), *(f"counts_{j}_{p}" for j, p in pairs))


def vector_names(variant: Variant) -> tuple[str, ...]:
    """Names of the numbers besides the board, in order.

    `left_j_PIECE`: how many of a piece relative color j has in hand; `blocked_j`: it can never move again;
    `finished_single_j`: it has placed everything, the single square last; `color_i`: 1 if relative color 0 is color i.
    Where players have several colors, share one, or play in teams: `plays_j_p`: relative player p (0 is who sees this,
    1 the next seat, …) places the next piece of relative color j; `counts_j_p`: its points count for relative player p.
    """
    return color_vector_names(variant) + seat_vector_names(variant)


def plane_names(variant: Variant) -> tuple[str, ...]:
    """Names of all planes of the layout "planes": the board planes, then the vector as constant planes."""
    return board_plane_names(variant) + vector_names(variant)


def observation_space(variant: Variant, layout: str) -> spaces.Box | spaces.Dict:
    """The space of one observation; H × W is the size of the board's image, on squares that of the board.

    "planes": uint8 Box [C, H, W]. "compact": Dict of "board", uint8 [board planes, H, W], and "pieces", uint8 [V].
    Raises ValueError for another layout.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"observation={layout!r} is unknown: choose one of {', '.join(map(repr, LAYOUTS))}")
    most = max(variant.piece_counts)
    size = (variant.board.image.height, variant.board.image.width)
    if layout == "planes":
        return spaces.Box(0, most, (len(plane_names(variant)), *size), np.uint8)
    board = spaces.Box(0, 1, (len(board_plane_names(variant)), *size), np.uint8)
    return spaces.Dict({"board": board, "pieces": spaces.Box(0, most, (len(vector_names(variant)),), np.uint8)})


def action_images(tables: Tables) -> NDArray[np.int64]:
    """Where each action stands in the image [orientations, H, W] of a policy head: int64 [actions, 3].

    The row and column are those of the placement's first cell (by row and column) in the board's image; where the image
    is the board itself, those of the corner of its bounding box.
    """
    image = tables.variant.board.image
    if image.is_full:
        return np.stack([tables.orientation, tables.row, tables.column], axis=1)
    places = np.array([image.places[tables.cells(action)[0]] for action in range(tables.num_actions)])
    return np.column_stack([tables.orientation, places[:, 1:]])


class ObservationLayout:
    """Sizes of a variant's observation, and the numbers in it that are about seats."""

    def __init__(self, variant: Variant) -> None:
        self.planes = len(board_plane_names(variant))
        self.numbers = len(vector_names(variant))
        self.height, self.width = variant.board.image.height, variant.board.image.width
        self.pixels = self.height * self.width
        self.first_seat_number = len(color_vector_names(variant))
        self.has_seat_numbers = self.first_seat_number < self.numbers
        self._seats = seats(variant)
        self._rows: dict[tuple[int, ...], NDArray[np.uint8]] = {}

    def seat_numbers(self, player: int, first: int, plays: list[int]) -> NDArray[np.uint8]:
        """The numbers about seats as one player sees them, uint8 [k]; see `write_seat_numbers`."""
        owners = self._seats.owners_of(plays)
        row = self._rows.get((player, first, *owners))
        if row is None:  # few exist: they depend on owners alone
            out = np.empty((1, self.numbers), np.uint8)
            self.write_seat_numbers(np.array([player]), np.array([first]), np.array([plays], np.uint8), out)
            row = self._rows[player, first, *owners] = out[0, self.first_seat_number :]
        return row

    def write_seat_numbers(
        self, player: NDArray[np.int64], first: NDArray[np.int64], plays: NDArray[np.uint8], out: NDArray[np.uint8]
    ) -> None:
        """Write the numbers about seats, as `player` int64 [k] sees them, into the end of `out` uint8 [k, V].

        `first` int64 [k] is relative color 0, `plays` uint8 [k, colors] counts the pieces placed.
        """
        if not self.has_seat_numbers:
            return
        colors, players = self._seats.weight.shape
        color = (first[:, None] + np.arange(colors)) % colors  # of relative color j
        seat = (player[:, None] + np.arange(players)) % players  # of relative player p
        owner = self._seats.owner[color, np.take_along_axis(plays, color, 1)]
        places = owner[:, :, None] == seat[:, None, :]
        counts = self._seats.weight[color[:, :, None], seat[:, None, :]]
        out[:, self.first_seat_number :] = np.concatenate([places, counts], 1).reshape(len(player), -1)


@functools.cache
def observation_layout(variant: Variant) -> ObservationLayout:
    """The layout of a variant's observation."""
    return ObservationLayout(variant)
