"""A position as SVG, for notebooks and pages: built from strings, no library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
    shared_note,
    sides,
    status,
)
from blokus_env.geometry import Board, Lattice, transformed
from blokus_env.pieces import Cell
from blokus_env.shapes import column_centers, is_squares, polygon, row_centers, shapes

if TYPE_CHECKING:
    from blokus_env.state import State

CELL, MINI = 24, 7  # pixels of a cell on the board and of a square in the hands beside it
LEFT, TOP, PANEL, GAP = 30, 38, 232, 22
FONT = "font-family='system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'"


def svg(state: State, shades: Mapping[Cell, float] | None = None, title: str | None = None) -> str:
    """The board with coordinates, and beside it each color's score and the pieces it has left.

    `shades` darkens empty cells, each by a number from 0 to 1. `title` stands above the board; None: who is to move.
    """
    found = shapes(state.variant.board)
    height, width = math.ceil(found.height * CELL), math.ceil(found.width * CELL)
    panel, panel_bottom = svg_hands(state, LEFT + width + GAP)
    bottom = max(TOP + height + 26, panel_bottom)
    right = LEFT + width + GAP + PANEL
    title = escape(title or f"{state.variant.title}, ply {state.ply}: {status(state)}")
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {right} {bottom}' width='{right}' height='{bottom}' "
        f"role='img' {FONT} fill='{web(INK)}'><title>{title}</title>",
        f"<rect width='{right}' height='{bottom}' rx='6' fill='{web(PAPER)}'/>",
        f"<text x='{LEFT}' y='24' font-size='15' font-weight='600'>{title}</text>",
        *svg_board(state, shades or {}),
        *svg_coordinates(state.variant.board),
        *panel,
        "</svg>",
    ]
    return "\n".join(parts)


def svg_board(state: State, shades: Mapping[Cell, float]) -> list[str]:
    """Cells, grid, start cells and placements."""
    board, last = state.board(), last_placement(state)
    found, colors = shapes(state.variant.board), palette(state)
    parts = [
        f"<g transform='translate({LEFT} {TOP})'>",
        f"<path d='{cell_paths(state, on_board(state))}' fill='{web(EMPTY)}' stroke='{web(GRID)}'/>",
    ]
    for cell, strength in shades.items():
        path = polygon_path(found.corners[found.index[cell]] * CELL)
        parts.append(f"<path d='{path}' fill='{web(INK)}' fill-opacity='{0.06 + 0.3 * strength:.2f}'/>")
    for start, owners in open_starts(state).items():
        y, x = found.centers[found.index[start]] * CELL
        fill = web(colors[owners[0]] if len(owners) == 1 else GREY)
        parts.append(f"<circle cx='{short(x)}' cy='{short(y)}' r='{CELL * 0.22:g}' fill='{fill}'/>")
    for color in range(len(colors)):
        parts += svg_placements(state, board == color, colors[color])
    if last.any():
        dots = " ".join(f"M{short(x)} {short(y)}h0" for y, x in found.centers[found.values(last)] * CELL)
        mark = web(contrast(colors[board[last][0]]))
        parts.append(f"<path d='{dots}' stroke='{mark}' stroke-width='{CELL / 5:g}' stroke-linecap='round'/>")
    frame = web(GREY if state.color < 0 else colors[state.color])
    height, width = found.height * CELL + 4, found.width * CELL + 4
    outside = f"x='-2' y='-2' width='{short(width)}' height='{short(height)}' rx='3'"
    parts.append(f"<rect {outside} fill='none' stroke='{frame}' stroke-width='3'/></g>")
    return parts


def svg_placements(state: State, cells: NDArray[np.bool_], color: Color) -> list[str]:
    """The cells of one color, filled, with faint lines inside a placement and a dark outline round it."""
    if not cells.any():
        return []
    faint, dark = web(darker(color, 0.84)), web(darker(color, 0.45))
    border = border_paths(state, cells)
    return [
        f"<path d='{cell_paths(state, cells)}' fill='{web(color)}' stroke='{faint}'/>",
        f"<path d='{border}' fill='none' stroke='{dark}' stroke-width='1.8' stroke-linecap='round'/>",
    ]


def cell_paths(state: State, cells: NDArray[np.bool_]) -> str:
    """Path data: the cells, bool `[height, width]`, one after the other."""
    if is_squares(state.variant.board):
        return square_paths(cells)
    found = shapes(state.variant.board)
    return "".join(polygon_path(corners) for corners in found.corners[found.values(cells)] * CELL)


def border_paths(state: State, cells: NDArray[np.bool_]) -> str:
    """Path data: a stroke on each side of a cell where its placement ends."""
    labels = placement_map(state)
    if is_squares(state.variant.board):
        return outline(labels, cells)
    found = shapes(state.variant.board)
    border = found.borders(found.values(labels)) & found.values(cells)[:, None]
    starts, ends = found.corners * CELL, np.roll(found.corners, -1, axis=1) * CELL
    strokes = zip(starts[border], ends[border], strict=True)
    return "".join(f"M{short(x)} {short(y)}L{short(to_x)} {short(to_y)}" for (y, x), (to_y, to_x) in strokes)


def polygon_path(corners: NDArray[np.float64]) -> str:
    """Path data of a polygon, [corners, 2] of (y, x)."""
    return f"M{'L'.join(f'{short(x)} {short(y)}' for y, x in corners)}z"


def short(value: float) -> str:
    """A coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


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
    below = TOP + math.ceil(shapes(board).height * CELL) + 17
    size = 11 if is_squares(board) else 10
    parts = [f"<g font-size='{size}' fill='{web(GREY)}' text-anchor='middle'>"]
    for column, x in sorted(column_centers(board).items()):
        parts.append(f"<text x='{short(LEFT + x * CELL)}' y='{below}'>{column_name(board, column)}</text>")
    for row, y in row_centers(board).items():
        parts.append(f"<text x='{LEFT - 15}' y='{short(TOP + y * CELL + 4)}'>{row_name(board, row)}</text>")
    return [*parts, "</g>"]


def svg_hands(state: State, left: int) -> tuple[list[str], int]:
    """For each color its name, score and the pieces it has left; and where the last line ends."""
    lattice = state.variant.board.lattice
    drawn = {piece.name: lying(lattice, piece.cells) for piece in state.variant.pieces}
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
        pieces, y = svg_pieces([drawn[piece] for piece in state.left(index)], left, y + 24, colors[index])
        parts += [*pieces] if pieces else [f"<text x='{left + 22}' y='{y + 9}' font-size='12'>all placed</text>"]
        y += 16 if pieces else 30
    return svg_sides(state, parts, left, y)


def svg_sides(state: State, parts: list[str], left: int, y: int) -> tuple[list[str], int]:
    """A line for each player or team, where they differ from the colors, after the other parts of the panel."""
    for side in sides(state):
        text, score = escape(f"{side.players}: {side.colors}"), number(side.score)
        y += 18
        parts.append(f"<text x='{left}' y='{y}' font-size='12'>{text}</text>")
        parts.append(f"<text x='{left + PANEL - 14}' y='{y}' font-size='14' text-anchor='end'>{score}</text>")
    if note := shared_note(state):
        y += 18
        parts.append(f"<text x='{left}' y='{y}' font-size='12' fill='{web(GREY)}'>{escape(note)}</text>")
    return parts, y + 16


def svg_pieces(pieces: Sequence[NDArray[np.float64]], left: int, y: int, color: Color) -> tuple[list[str], int]:
    """Small pictures of pieces, each [cells, corners, 2] of (y, x), in lines; and where the last line ends."""
    parts = []
    x, tallest = left, 0
    for corners in pieces:
        height, width = (math.ceil(length) for length in corners.max(axis=(0, 1)))
        if x + width > left + PANEL - 14:
            x, y, tallest = left, y + tallest + MINI, 0
        path = "".join(polygon_path(cell) for cell in corners + np.array([y, x]))
        stroke = f"stroke='{web(PAPER)}'" + " stroke-width='0.6'" * (corners.shape[1] != 4)
        parts.append(f"<path d='{path}' fill='{web(color)}' {stroke}/>")
        x += width + MINI
        tallest = max(tallest, height)
    return parts, y + tallest


def lying(lattice: Lattice, cells: Sequence[Cell]) -> NDArray[np.float64]:
    """A piece at least as wide as high, as drawn if it is so: the polygons of its cells, [cells, corners, 2]."""
    shown = [list(cells), *(transformed(lattice, transform, cells) for transform in lattice.transforms)]
    pictures = (np.array([polygon(lattice, cell) for cell in cells]) for cells in shown)
    scale = MINI if lattice.num_kinds == 1 else 1.25 * MINI
    wide = ((corners - corners.min(axis=(0, 1))) * scale for corners in pictures)
    return next(corners for corners in wide if corners[..., 0].max() <= corners[..., 1].max() + 1e-9)


def darker(color: Color, factor: float) -> Color:
    """The same color with less light."""
    red, green, blue = (int(channel * factor) for channel in color)
    return red, green, blue


def web(color: Color) -> str:
    """A color as `#rrggbb`."""
    return "#{:02x}{:02x}{:02x}".format(*color)
