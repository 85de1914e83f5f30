"""Pictures of a position: `ansi` for terminals, `rgb_array` for videos, `svg` for notebooks and pages.

Racks are drawn as `player` knows them; for None all racks that are known in the object that is drawn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blockers_env.drawing import (
    Hand,
    group_labels,
    hands,
    number_bitmap,
    palette,
    status,
    tile_bitmap,
    tile_name,
)
from blockers_env.public import Public
from blockers_env.svg import svg
from blockers_env.tiles import ROW_NAMES, SIZE
from blokus_env.drawing import EMPTY, GREY, GRID, INK, PAPER, Color, borders_of, contrast
from blokus_env.render import color_letters, paint, painted_cell, shade, strip

__all__ = ["ansi", "rgb_array", "svg"]

Pixels = NDArray[np.uint8]
PANEL = 14  # width of the panel beside the board, in squares


# --- text --------------------------------------------------------------------------------------------------------


def ansi(state: Public, player: int | None = None, color: bool = False) -> str:
    """The board with faces, racks, piles, groups, captures and points as text.

    A square shows color and tile: "B7", "R#3"; the newest tile's color is a small letter. With `color=True` squares are
    painted by ANSI escape codes. Without, the text is plain and good for diffs.
    """
    letters, last = color_letters(state.color_names), state.last_square()
    board, faces, colors = state.board(), state.faces(), palette(state)
    header = "  " + "".join(f"{column + 1:>4}" for column in range(SIZE))
    lines = [f"{state.title}, ply {state.ply}: {status(state)}", header]
    for row in range(SIZE):
        cells = []
        for column in range(SIZE):
            owner = int(board[row, column])
            if owner < 0:
                cells.append(paint("   .", GREY, None) if color else "   .")
                continue
            letter = letters[owner].lower() if (row, column) == last else letters[owner]
            text = f"{letter}{tile_name(int(faces[row, column]))}"
            cells.append(" " * (3 - len(text)) + painted_cell(text, colors[owner]) if color else f"{text:>4}")
        lines.append(f"{ROW_NAMES[row]:>2}{''.join(cells)} {ROW_NAMES[row]}")
    lines += [header, ""]
    return "\n".join([*lines, *(hand_line(state, hand, letters, color) for hand in hands(state, player)), *points(state)])


def hand_line(state: Public, hand: Hand, letters: list[str], color: bool) -> str:
    """Letter, name, groups, rack, pile and captures of a color."""
    width = max(len(name) for name in state.color_names)
    letter = letters[hand.color]
    swatch = painted_cell(letter, palette(state)[hand.color]) if color else f" {letter}"
    rack = " ".join(tile_name(tile) for tile in hand.rack) or "none"
    line = f"{'>' if hand.to_move else ' '}{swatch} {hand.name:<{width}}  groups {hand.groups:>2}  "
    line += f"rack {rack}  pile {hand.pile}"
    taken = [f"{letters[index]} {' '.join(map(tile_name, tiles))}" for index, tiles in enumerate(hand.captured) if tiles]
    return f"{line}  captured {', '.join(taken)}" if taken else line


def points(state: Public) -> list[str]:
    """A line with the points of every player, and the skipped turns if there are any."""
    line = " ".join(map(str, state.points().tolist()))
    skips = " ".join(map(str, state.skips))
    return [f"points {line}", *([f"skipped turns {skips}"] if any(state.skips) else [])]


# --- pixels ------------------------------------------------------------------------------------------------------


def rgb_array(state: Public, player: int | None = None, cell_pixels: int = 32) -> Pixels:
    """The board and a panel with each color's rack, pile, groups and captures as pixels, `uint8[height, width, 3]`.

    The board is framed in the color to move (grey when the game is over); groups have a dark outline. Both sides are
    even, as video encoders want them. Raises ValueError for `cell_pixels` below 12.
    """
    if cell_pixels < 12:
        raise ValueError(f"cell_pixels must be at least 12, got {cell_pixels}")
    colors, frame, paper = palette(state), max(2, cell_pixels // 6), max(2, cell_pixels // 4)
    margin = frame + paper
    side = SIZE * cell_pixels + 2 * margin
    width = side + PANEL * cell_pixels // 2 + (PANEL * cell_pixels // 2) % 2
    canvas = np.empty((side, width, 3), np.uint8)
    canvas[:] = PAPER
    canvas[:, :side] = GREY if state.is_over else colors[state.player]
    canvas[frame : side - frame, frame : side - frame] = PAPER
    inner = canvas[margin : side - margin, margin : side - margin]
    squares = inner.reshape(SIZE, cell_pixels, SIZE, cell_pixels, 3).swapaxes(1, 2)  # a view: [row, column, y, x, 3]
    paint_squares(squares, state, colors)
    paint_panel(canvas[:, side:], state, player, colors)
    return canvas


def paint_squares(squares: Pixels, state: Public, colors: list[Color]) -> None:
    """Fill the squares, draw faces, blocks' borders and an outline round each group; the newest tile gets a ring."""
    board, faces, last = state.board(), state.faces(), state.last_square()
    fill = np.array([*colors, EMPTY], np.uint8)[board]  # an empty square's −1 takes the last entry
    size = squares.shape[2]
    thin, thick = max(1, size // 24), max(1, size // 10)
    squares[:] = fill[:, :, None, None]
    rows, columns = np.indices(board.shape)
    for edge in ("top", "left"):
        strip(squares, edge, 0, thin)[:] = GRID
    for edge, border in borders_of(rows // 3 * 3 + columns // 3).items():
        strip(squares, edge, 0, thin)[border] = GREY
    taken, dark = board >= 0, shade(fill, 0.45)
    for edge, border in borders_of(group_labels(board)).items():
        outline = border & taken
        strip(squares, edge, 0, thick)[outline] = dark[outline][:, None, None]
    for row, column in np.argwhere(taken):
        ink = contrast(colors[board[row, column]])
        if (row, column) == last:
            ring = squares[row, column, thick : size - thick, thick : size - thick]
            ring[:thin], ring[-thin:], ring[:, :thin], ring[:, -thin:] = ink, ink, ink, ink
        stamp(squares[row, column], tile_bitmap(int(faces[row, column])), ink)


def paint_panel(panel: Pixels, state: Public, player: int | None, colors: list[Color]) -> None:
    """For each color a line of its rack and one of captures: tiles, then pile and groups as numbers."""
    all_hands = hands(state, player)
    height = panel.shape[0] // (2 * len(all_hands))
    size = min(height - 2, panel.shape[1] // (PANEL + 1), 24)
    for hand in all_hands:
        y = 2 * height * hand.color + 1
        if hand.to_move:
            panel[y : y + size, 1:4] = INK
        x = 6
        for tile in hand.rack:
            small_tile(panel[y : y + size, x : x + size], tile, colors[hand.color])
            x += size + 1
        stamp(panel[y : y + size, x : x + 2 * size], number_bitmap(hand.pile), GREY)
        stamp(panel[y : y + size, x + 2 * size : x + 4 * size], number_bitmap(hand.groups), INK)
        y, x = y + height, 6
        for other, tiles in enumerate(hand.captured):
            if tiles:
                small_tile(panel[y : y + size, x : x + size], None, colors[other])
                stamp(panel[y : y + size, x + size : x + 2 * size + 4], number_bitmap(len(tiles)), INK)
                x += 2 * size + 6


def small_tile(area: Pixels, tile: int | None, color: Color) -> None:
    """A tile in the panel."""
    area[:] = color
    if tile is not None:
        stamp(area, tile_bitmap(tile), contrast(color))


def stamp(area: Pixels, bitmap: NDArray[np.bool_], color: Color) -> None:
    """Draw a bitmap in the middle of an area `[y, x, 3]`, as large as fits well; nothing where there is no room."""
    if not area.size:
        return
    scale = max(1, int(0.62 * min(area.shape[0] / bitmap.shape[0], area.shape[1] / bitmap.shape[1])))
    large = np.kron(bitmap, np.ones((scale, scale), np.bool_)).astype(np.bool_)[: area.shape[0], : area.shape[1]]
    y, x = (area.shape[0] - large.shape[0]) // 2, (area.shape[1] - large.shape[1]) // 2
    area[y : y + large.shape[0], x : x + large.shape[1]][large] = color
