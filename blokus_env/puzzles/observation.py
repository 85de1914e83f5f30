"""What is seen of a puzzle without turns, as arrays with names. Colors are absolute: there is none to move."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from blokus_env.observation import LAYOUTS
from blokus_env.puzzles.variants import Puzzle


def board_plane_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Names of the board planes: `occupied_c` and `forbidden_c` for each color c.

    Forbidden are the cells that the color cannot use: all occupied ones, and with P4 those beside its own.
    """
    colors = range(puzzle.variant.num_colors)
    return tuple(f"{what}_{c}" for c in colors for what in ("occupied", "forbidden"))


def vector_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Names of the numbers besides the board: `left_c_PIECE`, how many of a piece color c has in hand."""
    return tuple(f"left_{c}_{piece}" for c in range(puzzle.variant.num_colors) for piece in puzzle.variant.piece_names)


def plane_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Names of all planes of the layout "planes": the board planes, then the numbers as constant planes."""
    return board_plane_names(puzzle) + vector_names(puzzle)


def observation_space(puzzle: Puzzle, layout: str) -> spaces.Box | spaces.Dict:
    """The space of one observation.

    "planes": uint8 Box [C, H, W]. "compact": Dict of "board", uint8 [board planes, H, W], and "pieces", uint8 [V].
    Raises ValueError for another layout.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"observation={layout!r} is unknown: choose one of {', '.join(map(repr, LAYOUTS))}")
    most, size = max(puzzle.variant.piece_counts), (puzzle.variant.height, puzzle.variant.width)
    if layout == "planes":
        return spaces.Box(0, most, (len(plane_names(puzzle)), *size), np.uint8)
    board = spaces.Box(0, 1, (len(board_plane_names(puzzle)), *size), np.uint8)
    return spaces.Dict({"board": board, "pieces": spaces.Box(0, most, (len(vector_names(puzzle)),), np.uint8)})
