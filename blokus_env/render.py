"""Pictures of a position: `ansi` for terminals, `rgb_array` for videos, `svg` for notebooks and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blokus_env.drawing import (
    EMPTY,
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
    status,
)
from blokus_env.svg import svg

if TYPE_CHECKING:
    from blokus_env.state import State

__all__ = ["ansi", "rgb_array", "svg"]

Pixels = NDArray[np.uint8]


# --- text --------------------------------------------------------------------------------------------------------


def ansi(state: State, color: bool = False) -> str:
    """The board, the pieces left and the scores as text.

    A letter is a cell of a color, small in the newest placement; `+` is an empty start cell. With `color=True` cells
    are painted by ANSI escape codes. Without, the text is plain and good for diffs.
    """
    board, last, starts = state.board(), last_placement(state), open_starts(state)
    letters, present = color_letters(state.color_names), on_board(state)
    height, width = board.shape
    header = "   " + "".join(f"{column_name(state.variant.board, column):>2}" for column in range(width))
    lines = [f"{state.variant.title}, ply {state.ply}: {status(state)}", header]
    for row in range(height):
        cells = []
        for column in range(width):
            owner = int(board[row, column])
            if owner < 0:
                text = "+" if (row, column) in starts else "." if present[row, column] else " "
                cells.append(paint(f" {text}", GREY, None) if color else f" {text}")
            else:
                text = letters[owner].lower() if last[row, column] else letters[owner]
                cells.append(painted_cell(text, palette(state)[owner]) if color else f" {text}")
        name = row_name(state.variant.board, row)
        lines.append(f"{name:>3}{''.join(cells)} {name}")
    lines.append(header)
    return "\n".join([*lines, "", *hands(state, letters, color)])


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

    Both sides are even, as video encoders want them.
    """
    if cell_pixels < 4:
        raise ValueError(f"cell_pixels must be at least 4, got {cell_pixels}")
    colors = palette(state)
    board = state.board()
    height, width = board.shape
    frame, paper = max(2, cell_pixels // 6), max(2, cell_pixels // 4)
    margin = frame + paper
    canvas = np.empty((height * cell_pixels + 2 * margin, width * cell_pixels + 2 * margin, 3), np.uint8)
    canvas[:] = GREY if state.is_over else colors[state.color]
    canvas[frame:-frame, frame:-frame] = PAPER
    inner = canvas[margin:-margin, margin:-margin]
    squares = inner.reshape(height, cell_pixels, width, cell_pixels, 3).swapaxes(1, 2)  # a view: [row, column, y, x, 3]
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
