"""A position as SVG, for notebooks and pages: built from strings, no library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blokus_env.drawing import (
    EMPTY,
    GREY,
    GRID,
    INK,
    PAPER,
    Color,
    borders_of,
    column_name,
    contrast,
    last_placement,
    number,
    on_board,
    open_starts,
    palette,
    placement_map,
    row_name,
    status,
)
from blokus_env.geometry import Board
from blokus_env.pieces import Cell

if TYPE_CHECKING:
    from blokus_env.state import State

CELL, MINI = 24, 7  # pixels of a cell on the board and of a square in the hands beside it
LEFT, TOP, PANEL, GAP = 30, 38, 232, 22
FONT = "font-family='system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'"


def svg(state: State) -> str:
    """The board with coordinates, and beside it each color's score and the pieces it has left."""
    height, width = state.board().shape
    panel, panel_bottom = svg_hands(state, LEFT + width * CELL + GAP)
    bottom = max(TOP + height * CELL + 26, panel_bottom)
    right = LEFT + width * CELL + GAP + PANEL
    title = escape(f"{state.variant.title}, ply {state.ply}: {status(state)}")
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {right} {bottom}' width='{right}' height='{bottom}' "
        f"role='img' {FONT} fill='{web(INK)}'><title>{title}</title>",
        f"<rect width='{right}' height='{bottom}' rx='6' fill='{web(PAPER)}'/>",
        f"<text x='{LEFT}' y='24' font-size='15' font-weight='600'>{title}</text>",
        *svg_board(state),
        *svg_coordinates(state.variant.board),
        *panel,
        "</svg>",
    ]
    return "\n".join(parts)


def svg_board(state: State) -> list[str]:
    """Cells, grid, start cells and placements."""
    board, labels, last = state.board(), placement_map(state), last_placement(state)
    height, width = board.shape
    colors = palette(state)
    parts = [
        f"<g transform='translate({LEFT} {TOP})'>",
        f"<path d='{square_paths(on_board(state))}' fill='{web(EMPTY)}' stroke='{web(GRID)}'/>",
    ]
    for (row, column), owners in open_starts(state).items():
        center = f"cx='{(column + 0.5) * CELL:g}' cy='{(row + 0.5) * CELL:g}'"
        fill = web(colors[owners[0]] if len(owners) == 1 else GREY)
        parts.append(f"<circle {center} r='{CELL * 0.22:g}' fill='{fill}'/>")
    for color in range(len(colors)):
        parts += svg_placements(board == color, labels, colors[color])
    if last.any():
        dots = " ".join(f"M{(column + 0.5) * CELL:g} {(row + 0.5) * CELL:g}h0" for row, column in np.argwhere(last))
        mark = web(contrast(colors[board[last][0]]))
        parts.append(f"<path d='{dots}' stroke='{mark}' stroke-width='{CELL / 5:g}' stroke-linecap='round'/>")
    frame = web(GREY if state.is_over else colors[state.color])
    outside = f"x='-2' y='-2' width='{width * CELL + 4}' height='{height * CELL + 4}' rx='3'"
    parts.append(f"<rect {outside} fill='none' stroke='{frame}' stroke-width='3'/></g>")
    return parts


def svg_placements(cells: NDArray[np.bool_], labels: NDArray[np.int64], color: Color) -> list[str]:
    """The cells of one color, filled, with faint lines inside a placement and a dark outline round it."""
    if not cells.any():
        return []
    faint, dark = web(darker(color, 0.84)), web(darker(color, 0.45))
    return [
        f"<path d='{square_paths(cells)}' fill='{web(color)}' stroke='{faint}'/>",
        f"<path d='{outline(labels, cells)}' fill='none' stroke='{dark}' stroke-width='1.8' stroke-linecap='round'/>",
    ]


def outline(labels: NDArray[np.int64], cells: NDArray[np.bool_]) -> str:
    """Path data: a stroke on each side of a cell where another placement, another color or nothing lies beyond."""
    parts = []
    for edge, border in borders_of(labels).items():
        for row, column in np.argwhere(border & cells):
            y, x = (row + (edge == "bottom")) * CELL, (column + (edge == "right")) * CELL
            parts.append(f"M{x} {y}{'h' if edge in ('top', 'bottom') else 'v'}{CELL}")
    return "".join(parts)


def square_paths(cells: NDArray[np.bool_]) -> str:
    """Path data: one square for each cell."""
    return "".join(f"M{column * CELL} {row * CELL}h{CELL}v{CELL}h-{CELL}z" for row, column in np.argwhere(cells))


def svg_coordinates(board: Board) -> list[str]:
    """Column letters below the board and row numbers to its left, as in the text of actions."""
    below = TOP + board.height * CELL + 17
    parts = [f"<g font-size='11' fill='{web(GREY)}' text-anchor='middle'>"]
    for column in range(board.width):
        parts.append(f"<text x='{LEFT + (column + 0.5) * CELL:g}' y='{below}'>{column_name(board, column)}</text>")
    for row in range(board.height):
        parts.append(f"<text x='{LEFT - 15}' y='{TOP + (row + 0.5) * CELL + 4:g}'>{row_name(board, row)}</text>")
    return [*parts, "</g>"]


def svg_hands(state: State, left: int) -> tuple[list[str], int]:
    """For each color its name, score and the pieces it has left; and where the last line ends."""
    shapes = {piece.name: lying(piece.cells) for piece in state.variant.pieces}
    scores, colors = state.scores(), palette(state)
    parts, y = [], TOP
    for index, name in enumerate(state.color_names):
        to_move = not state.is_over and index == state.color
        weight = "700" if to_move else "400"
        parts += [
            f"<rect x='{left}' y='{y}' width='14' height='14' rx='3' fill='{web(colors[index])}'/>",
            f"<text x='{left + 22}' y='{y + 12}' font-size='14' font-weight='{weight}'>{escape(name)}</text>",
            f"<text x='{left + PANEL - 14}' y='{y + 12}' font-size='14' font-weight='{weight}' text-anchor='end'>"
            f"{number(scores[index])}</text>",
        ]
        if to_move:
            parts.append(f"<path d='M{left - 12} {y + 2}l8 5l-8 5z'/>")
        pieces, y = svg_pieces([shapes[piece] for piece in state.left(index)], left, y + 24, colors[index])
        parts += [*pieces] if pieces else [f"<text x='{left + 22}' y='{y + 9}' font-size='12'>all placed</text>"]
        y += 16 if pieces else 30
    return parts, y


def svg_pieces(shapes: Sequence[Sequence[Cell]], left: int, y: int, color: Color) -> tuple[list[str], int]:
    """Small pictures of pieces in lines; and where the last line ends."""
    parts = []
    x, tallest = left, 0
    for cells in shapes:
        width = MINI * (1 + max(column for _, column in cells))
        if x + width > left + PANEL - 14:
            x, y, tallest = left, y + tallest + MINI, 0
        path = "".join(f"M{x + column * MINI} {y + row * MINI}h{MINI}v{MINI}h-{MINI}z" for row, column in cells)
        parts.append(f"<path d='{path}' fill='{web(color)}' stroke='{web(PAPER)}'/>")
        x += width + MINI
        tallest = max(tallest, MINI * (1 + max(row for row, _ in cells)))
    return parts, y + tallest


def lying(cells: Sequence[Cell]) -> Sequence[Cell]:
    """A drawn piece turned so that it is at least as wide as high."""
    if max(row for row, _ in cells) <= max(column for _, column in cells):
        return cells
    return [(column, row) for row, column in cells]


def darker(color: Color, factor: float) -> Color:
    """The same color with less light."""
    red, green, blue = (int(channel * factor) for channel in color)
    return red, green, blue


def web(color: Color) -> str:
    """A color as `#rrggbb`."""
    return "#{:02x}{:02x}{:02x}".format(*color)
