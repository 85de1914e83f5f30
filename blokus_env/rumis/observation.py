"""What a player sees, as arrays with names, and the image of the actions.

The building is never turned. Colors are counted from the one that the observer plays next: relative color 0 is that
one, 1 the next in turn, …. With two colors each, relative color 2 is the observer's other one.
"""

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from blokus_env.rumis.buildings import MOST_LEVELS
from blokus_env.rumis.pieces import STONES
from blokus_env.rumis.tables import Tables
from blokus_env.rumis.variants import Options

LAYOUTS = ("planes", "compact")


def board_plane_names(options: Options) -> tuple[str, ...]:
    """Names of the board planes, in order.

    `on_plan`: squares of the ground plan; `height`: cubes on each square; `room`: how many more may be built there;
    `top_j`: squares on which relative color j is seen from above; `contact_j`: squares on whose top a single cube would
    touch what j must touch (its own stones; for its first stone any stone, and the base; the whole plan if nothing is
    placed yet) and has room; `cube_j_z`: squares with a cube of j on level z, 0 the lowest.
    """
    colors, levels = range(options.num_colors), range(options.levels)
    return (
        *("on_plan", "height", "room"),
        *(f"top_{j}" for j in colors),
        *(f"contact_{j}" for j in colors),
        *(f"cube_{j}_{z}" for j in colors for z in levels),
    )


def vector_names(options: Options) -> tuple[str, ...]:
    """Names of the numbers besides the board, in order; all are 0 or 1.

    `left_j_STONE`: relative color j has the stone in hand; `out_j`: it is out for good (with `out_after_pass`);
    `to_move_j`: it is to move; `color_i`: relative color 0 is color i.
    """
    colors = range(options.num_colors)
    return (
        *(f"left_{j}_{stone.name}" for j in colors for stone in STONES),
        *(f"out_{j}" for j in colors),
        *(f"to_move_{j}" for j in colors),
        *(f"color_{i}" for i in colors),
    )


def plane_names(options: Options) -> tuple[str, ...]:
    """Names of all planes of the layout "planes": the board planes, then the vector as constant planes."""
    return board_plane_names(options) + vector_names(options)


def observation_space(options: Options, layout: str) -> spaces.Box | spaces.Dict:
    """The space of one observation; H × W is the rectangle of the plan.

    "planes": uint8 Box [C, H, W]. "compact": Dict of "board", uint8 [board planes, H, W], and "pieces", uint8 [V].
    Raises ValueError for another layout.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"observation={layout!r} is unknown: choose one of {', '.join(map(repr, LAYOUTS))}")
    size = (options.plan.rows, options.plan.columns)
    if layout == "planes":
        return spaces.Box(0, MOST_LEVELS, (len(plane_names(options)), *size), np.uint8)
    board = spaces.Box(0, MOST_LEVELS, (len(board_plane_names(options)), *size), np.uint8)
    return spaces.Dict({"board": board, "pieces": spaces.Box(0, 1, (len(vector_names(options)),), np.uint8)})


def action_images(tables: Tables) -> NDArray[np.int64]:
    """Where each action stands in the image [104, H, W] of a policy head: int64 [actions, 3], orientation, row and
    column of the origin.
    """
    return np.stack([tables.orientation, tables.row, tables.column], axis=1)
