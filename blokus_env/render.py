"""Pictures of a position: `ansi` for terminals, `rgb_array` for videos, `svg` for notebooks and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blokus_env.drawing import (
    EMPTY,
    EMPTY_CELL,
    GREY,
    GRID,
    PAPER,
    WHITE,
    Color,
    borders_of,
    column_name,
    contrast,
    last_placement,
    on_board,
    open_starts,
    palette,
    placement_map,
    row_name,
    shared_note,
    sides,
    status,
)
from blokus_env.geometry import TriangleLattice
from blokus_env.pieces import Cell
from blokus_env.polygons import polygon_pixels
from blokus_env.shapes import is_squares
from blokus_env.svg import svg

if TYPE_CHECKING:
    from blokus_env.state import State

__all__ = ["ansi", "rgb_array", "svg"]

Pixels = NDArray[np.uint8]


# --- text --------------------------------------------------------------------------------------------------------


def ansi(state: State, color: bool = False) -> str:
    """The board, the pieces left and the scores as text.

    A letter is a cell of a color, small in the newest placement; `+` is an empty start cell. Triangles stand between
    slashes, which are left out inside a placement. With `color=True` cells are painted by ANSI escape codes. Without,
    the text is plain and good for diffs.
    """
    letters = color_letters(state.color_names)
    rows = triangle_rows if isinstance(state.variant.board.lattice, TriangleLattice) else square_rows
    title = f"{state.variant.title}, ply {state.ply}: {status(state)}"
    lines = [title, *rows(state, letters, color), "", *hands(state, letters, color), *side_lines(state)]
    return "\n".join(lines)


def square_rows(state: State, letters: Sequence[str], color: bool) -> list[str]:
    """The board with coordinates, two characters a cell."""
    board, marks = state.variant.board, cell_marks(state, letters)
    header = "   " + "".join(f"{column_name(board, column):>2}" for column in range(board.width))
    lines = [header]
    for row in range(board.height):
        cells = [" " + marks.get((row, column), " ") for column in range(board.width)]
        if color:
            cells = [painted(state, (row, column), text) for column, text in enumerate(cells)]
        name = row_name(board, row)
        lines.append(f"{name:>3}{''.join(cells)} {name}")
    return [*lines, header]


def triangle_rows(state: State, letters: Sequence[str], color: bool) -> list[str]:
    """The board with coordinates, a slash before and after each cell."""
    board, marks, labels = state.variant.board, cell_marks(state, letters), placement_map(state)
    columns = range(board.first_column, board.width)
    names = [column_name(board, column) for column in columns]
    header = ["    " + "".join(f" {letter}" for letter in line).rstrip() for line in header_letters(names)]
    lines = header.copy()
    for row in range(board.height):
        cells = []
        for column in [*columns, board.width]:
            here, before = (row, column), (row, column - 1)
            slash = "/\\"[board.lattice.kind(*here)] if here in marks or before in marks else " "
            if here in marks and before in marks and labels[here] == labels[before] != EMPTY_CELL:
                cells.append(painted(state, here, " ") if color else " ")
            else:
                cells.append(paint(slash, GREY, None) if color else slash)
            text = marks.get(here, " ")
            cells.append(painted(state, here, text) if color else text)
        name = row_name(board, row)
        lines.append(f"{name:>3} {''.join(cells)}{name}")
    return lines + header


def header_letters(names: Sequence[str]) -> list[str]:
    """Names of one or two letters, written downwards."""
    height = max(map(len, names))
    return ["".join(letters) for letters in zip(*(name.rjust(height) for name in names), strict=True)]


def cell_marks(state: State, letters: Sequence[str]) -> dict[Cell, str]:
    """The character of each cell of the board."""
    board, last, starts = state.board(), last_placement(state), open_starts(state)
    marks = {}
    for cell in state.variant.board.positions:
        if board[cell] < 0 and cell not in state.variant.board.cell_set:
            continue  # an intersection that no piece runs through
        letter = letters[board[cell]] if board[cell] >= 0 else "+" if cell in starts else "."
        marks[cell] = letter.lower() if last[cell] else letter
    return marks


def painted(state: State, cell: Cell, text: str) -> str:
    """Text in the color of a cell, grey where it is empty."""
    board = state.variant.board
    owner = int(state.board()[cell]) if cell in board.cell_set else -1
    background = palette(state)[owner] if owner >= 0 else None
    return paint(text, GREY if background is None else contrast(background), background)


def side_lines(state: State) -> list[str]:
    """A line for each player or team, where they differ from the colors."""
    found, note = sides(state), shared_note(state)
    if not found:
        return []
    widths = [max(len(text) for text in texts) for texts in zip(*((s.players, s.colors) for s in found), strict=True)]
    digits = max(len(f"{side.score:g}") for side in found)
    lines = [f"  {s.players:<{widths[0]}}  {s.colors:<{widths[1]}} {s.score:>{digits}g}" for s in found]
    return ["", *lines, *([f"  {note}"] if note else [])]


def hands(state: State, letters: Sequence[str], color: bool) -> list[str]:
    """One line for each color: letter, name, score, pieces left."""
    names = state.color_names
    scores = state.scores()
    width = max(len(name) for name in names)
    digits = max(len(f"{score:g}") for score in scores)
    lines = []
    for index, name in enumerate(names):
        marker = ">" if not state.is_over and index == state.color else " "
        swatch = painted_cell(letters[index], palette(state)[index]) if color else f" {letters[index]}"
        pieces = " ".join(state.left(index)) or "all placed"
        lines.append(f"{marker}{swatch} {name:<{width}} {scores[index]:>{digits}g}  {pieces}")
    return lines


def color_letters(names: Sequence[str]) -> list[str]:
    """One capital letter for each color, the first letter of its name where that is free."""
    letters: list[str] = []
    for name in names:
        candidates = [letter for letter in name.upper() + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter not in letters]
        letters.append(candidates[0])
    return letters


def painted_cell(letter: str, background: Color) -> str:
    """A cell two characters wide in a color, the letter dark or light as the background asks for."""
    return paint(f" {letter}", contrast(background), background)


def paint(text: str, foreground: Color, background: Color | None) -> str:
    """Text between ANSI escape codes for true color."""
    codes = "38;2;{};{};{}".format(*foreground)
    if background is not None:
        codes += ";48;2;{};{};{}".format(*background)
    return f"\x1b[{codes}m{text}\x1b[0m"


# --- pixels ------------------------------------------------------------------------------------------------------


def rgb_array(state: State, cell_pixels: int = 24) -> Pixels:
    """The board as pixels, `uint8[height, width, 3]`, framed in the color to move (grey when the game is over).

    `cell_pixels` is the side of a square; triangles are about as large. Both sides of the picture are even, as video
    encoders want them.
    """
    if cell_pixels < 4:
        raise ValueError(f"cell_pixels must be at least 4, got {cell_pixels}")
    colors = palette(state)
    draw = square_pixels if is_squares(state.variant.board) else polygon_pixels
    inner = draw(state, colors, cell_pixels)
    frame, paper = max(2, cell_pixels // 6), max(2, cell_pixels // 4)
    margin = frame + paper
    canvas = np.empty((inner.shape[0] + 2 * margin, inner.shape[1] + 2 * margin, 3), np.uint8)
    canvas[:] = GREY if state.color < 0 else colors[state.color]
    canvas[frame:-frame, frame:-frame] = PAPER
    canvas[margin:-margin, margin:-margin] = inner
    return canvas


def square_pixels(state: State, colors: Sequence[Color], cell_pixels: int) -> Pixels:
    """A board of squares without its frame."""
    height, width = state.variant.height, state.variant.width
    canvas = np.empty((height * cell_pixels, width * cell_pixels, 3), np.uint8)
    squares = canvas.reshape(height, cell_pixels, width, cell_pixels, 3).swapaxes(
        1, 2
    )  # a view: [row, column, y, x, 3]
    paint_cells(squares, state, colors)
    paint_starts(squares, state, colors)
    return canvas


def paint_cells(squares: Pixels, state: State, colors: Sequence[Color]) -> None:
    """Fill the cells and draw the borders inside and round the placements; the newest one gets a ring and dots."""
    board, last = state.board(), last_placement(state)
    fill = np.array([*colors, EMPTY], np.uint8)[board]  # [row, column, 3]; an empty cell's -1 takes the last entry
    mark = contrast(colors[board[last][0]]) if last.any() else WHITE
    taken = board >= 0
    size = squares.shape[2]
    thin, thick = max(1, size // 16), max(1, size // 12)
    inside, around = np.where(taken[:, :, None], shade(fill, 0.88), np.array(GRID, np.uint8)), shade(fill, 0.5)
    squares[:] = fill[:, :, None, None]
    borders = borders_of(placement_map(state))
    for edge in borders:
        strip(squares, edge, 0, thin)[:] = inside[:, :, None, None]
    for edge, border in borders.items():
        ring = border & last
        strip(squares, edge, thick, 2 * thick)[ring] = mark
    for edge, border in borders.items():
        outline = border & taken
        strip(squares, edge, 0, thick)[outline] = around[outline][:, None, None]
    dot = max(2, size // 5)
    low = (size - dot) // 2
    squares[last, low : low + dot, low : low + dot] = mark
    squares[~on_board(state)] = PAPER


def strip(squares: Pixels, edge: str, start: int, stop: int) -> Pixels:
    """The pixels of every cell that are `start` to `stop` away from an edge, as a view `[row, column, y, x, 3]`."""
    size = squares.shape[2]
    if edge == "top":
        return squares[:, :, start:stop]
    if edge == "bottom":
        return squares[:, :, size - stop : size - start]
    if edge == "left":
        return squares[:, :, :, start:stop]
    return squares[:, :, :, size - stop : size - start]


def paint_starts(squares: Pixels, state: State, colors: Sequence[Color]) -> None:
    """A disc on each empty start cell: in the color that may start there, grey where several may."""
    size = squares.shape[2]
    axis = np.arange(size) - (size - 1) / 2
    distance = np.hypot(axis[:, None], axis[None, :])
    for (row, column), owners in open_starts(state).items():
        color = colors[owners[0]] if len(owners) == 1 else GREY
        cover = np.clip(size * 0.22 - distance + 0.5, 0, 1)[:, :, None]  # smooth rim
        square = squares[row, column]
        square[:] = (square * (1 - cover) + np.array(color) * cover).astype(np.uint8)


def shade(colors: Pixels, factor: float) -> Pixels:
    """Darker colors."""
    return (colors * factor).astype(np.uint8)
