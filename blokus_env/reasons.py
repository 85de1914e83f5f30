"""Why an action is illegal, in words that name the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blokus_env.geometry import neighbors
from blokus_env.pieces import Cell
from blokus_env.variants import EDGE_CONTACT, JUNCTION_CONTACT

if TYPE_CHECKING:
    from blokus_env.state import State


def why_illegal(state: State, action: int) -> str:
    """The rule that an action of the color to move breaks."""
    if state.is_over:
        return f"the game is over: action {action} cannot be played (B7)"
    if not 0 <= action < state.tables.num_actions:
        return no_such_action(state, action)
    color, what = state.color, f"action {action} ({state.text(action)}) of {state.color_names[state.color]}"
    piece = int(state.tables.piece[action])
    if not state.records["left"][0, color, piece]:
        return f"{what}: piece already placed, no {state.piece_names[piece]} is left (B2)"
    cells, board, name = state.tables.cells(action), state.board(), state.variant.board.cell_text
    taken = [cell for cell in cells if board[cell] >= 0]
    if taken:
        return f"{what}: overlap, {name(taken[0])} is occupied (B3)"
    crossed = [cell for cell in state.tables.joints(action) if board[cell] >= 0]
    if crossed:
        return f"{what}: another piece runs straight through {name(crossed[0])} (N3)"
    return f"{what}: {why_not_there(state, piece, cells)}"


def why_not_there(state: State, piece: int, cells: tuple[Cell, ...]) -> str:
    """Why a piece in hand may not lie on empty cells: start and contact."""
    variant, color, board, name = state.variant, state.color, state.board(), state.variant.board.cell_text
    plays = int(state.records["plays"][0, color])
    if plays < variant.opening_plays and state.piece_names[piece] != variant.free_piece:
        return f"the first {variant.opening_plays} pieces of a color must be {variant.free_piece} (C1)"
    if state.piece_names[piece] == variant.free_piece:
        return f"{name(cells[0])} is in the center, where no {variant.free_piece} may go (C2)"
    if not plays:
        if variant.covers_all_starts:
            return f"the first piece must cover {', '.join(map(name, state.start_cells(color)))} (G2)"
        free = [name(cell) for cell in state.start_cells(color) if board[cell] < 0]
        wanted = f"the first piece must cover {' or '.join(free)}" if free else "none is free"
        return f"start square not covered, {wanted} (B4)"
    if variant.contact == EDGE_CONTACT:
        return "no edge contact with its own color (C3)"
    if variant.contact == JUNCTION_CONTACT:
        return "no intersection shared with its own color (N2)"
    if touches_at_edge(state, board == color, cells):
        return "edge contact with its own color (B5)"
    return "no corner contact with its own color (B5)"


def touches_at_edge(state: State, own: NDArray[np.bool_], cells: tuple[Cell, ...]) -> bool:
    """Whether one of the cells shares an edge with one of `own`, bool [H, W]."""
    lattice, on_board = state.variant.board.lattice, state.variant.board.cell_set
    for row, column in cells:
        edge, _ = neighbors(lattice, row, column)
        if any(own[row + dr, column + dc] for dr, dc in edge if (row + dr, column + dc) in on_board):
            return True
    return False


def no_such_action(state: State, action: int) -> str:
    """That an id does not exist, and which do."""
    return f"action {action} does not exist: expected 0 … {state.tables.num_actions - 1}"
