"""What a player sees, as arrays with names, and the image of the actions.

The board is never rotated: channels are relative to a color (0 = the color to move, 1 = the next one in the cycle, …).
"""

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from blokus_env.tables import Tables
from blokus_env.variants import Variant

LAYOUTS = ("planes", "compact")


def board_plane_names(variant: Variant) -> tuple[str, ...]:
    """Names of the board planes: `occupied_j`, `forbidden_j` and `attach_j` for each relative color j."""
    return tuple(f"{what}_{j}" for j in range(variant.num_colors) for what in ("occupied", "forbidden", "attach"))


def vector_names(variant: Variant) -> tuple[str, ...]:
    """Names of the numbers besides the board, in order.

    `left_j_PIECE`: how many of a piece relative color j has in hand; `blocked_j`: it can never move again;
    `finished_single_j`: it has placed everything, the single square last; `color_i`: 1 if relative color 0 is color i.
    """
    colors = range(variant.num_colors)
    return (
        *(f"left_{j}_{piece}" for j in colors for piece in variant.piece_names),
        *(f"blocked_{j}" for j in colors),
        *(f"finished_single_{j}" for j in colors),
        *(f"color_{i}" for i in colors),
    )


def plane_names(variant: Variant) -> tuple[str, ...]:
    """Names of all planes of the layout "planes": the board planes, then the vector as constant planes."""
    return board_plane_names(variant) + vector_names(variant)


def observation_space(variant: Variant, layout: str) -> spaces.Box | spaces.Dict:
    """The space of one observation.

    "planes": uint8 Box [C, H, W]. "compact": Dict of "board", uint8 [3 · colors, H, W], and "pieces", uint8 [V]. Raises
    ValueError for another layout.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"observation={layout!r} is unknown: choose one of {', '.join(map(repr, LAYOUTS))}")
    most = max(variant.piece_counts)
    size = (variant.height, variant.width)
    if layout == "planes":
        return spaces.Box(0, most, (len(plane_names(variant)), *size), np.uint8)
    board = spaces.Box(0, 1, (len(board_plane_names(variant)), *size), np.uint8)
    return spaces.Dict({"board": board, "pieces": spaces.Box(0, most, (len(vector_names(variant)),), np.uint8)})


def action_images(tables: Tables) -> NDArray[np.int64]:
    """Where each action stands in the image [orientations, H, W] of a policy head: int64 [actions, 3], (orientation,
    row, column).
    """
    return np.stack([tables.orientation, tables.row, tables.column], axis=1)
