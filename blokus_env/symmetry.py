"""Symmetries of a board as maps of cells and of action ids."""

import functools

import numpy as np
from numpy.typing import NDArray

from blokus_env.geometry import Symmetry
from blokus_env.tables import Tables


@functools.cache
def action_permutation(tables: Tables, symmetry: Symmetry) -> NDArray[np.int32]:
    """Where a symmetry of the board takes each action, int32 [actions].

    Raises ValueError for a map that does not take the board onto itself.
    """
    board = tables.variant.board
    if symmetry not in board.symmetries:
        raise ValueError(
            f"{symmetry} is no symmetry of the board of {tables.variant.name!r}: choose one of {board.symmetries}"
        )
    image = np.empty(tables.num_actions, np.int32)
    for action in range(tables.num_actions):
        moved = tuple(sorted(symmetry(cell, board.height, board.width) for cell in tables.cells(action)))
        image[action] = tables.action_by_cells[moved]
    return image
