"""Symmetries of a board as maps of action ids."""

import functools

import numpy as np
from numpy.typing import NDArray

from blokus_env.tables import Tables


@functools.cache
def action_permutation(tables: Tables, symmetry: int) -> NDArray[np.int32]:
    """Where a symmetry of the board, a key of `Board.symmetries`, takes each action: int32 [actions].

    Raises ValueError for a map that does not take the board onto itself.
    """
    board = tables.variant.board
    if symmetry not in board.symmetries:
        raise ValueError(
            f"{symmetry!r} is no symmetry of {tables.variant.name!r}: choose one of {list(board.symmetries)}"
        )
    image_of = board.symmetries[symmetry]
    actions = range(tables.num_actions)
    images = [tuple(sorted(image_of[cell] for cell in tables.cells(action))) for action in actions]
    return np.array([tables.action_by_cells[cells] for cells in images], np.int32)
