"""Pictures of a position: `ansi` for terminals, `rgb_array` for videos, `svg` for notebooks and pages.

Racks are drawn as `player` knows them; for None all racks that are known in the object that is drawn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blockers_env.drawing import (
    GROUPS_ICON,
    PILE_ICON,
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
from blockers_env.tiles import ROW_NAMES, SIZE, block_of
from blokus_env.drawing import EMPTY, GREY, GRID, INK, PAPER, Color, borders_of, contrast
from blokus_env.render import color_letters, paint, painted_cell, shade, strip

__all__ = ["ansi", "rgb_array", "svg"]

Pixels = NDArray[np.uint8]
PANEL = 7  # width of the panel beside the board, in its tiles, without the rack
LEAST_PIXELS = 16  # of a square: with fewer nobody can read the faces


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
    lines += [hand_line(state, hand, letters, color) for hand in hands(state, player)]
    return "\n".join([*lines, *points(state)])


def hand_line(state: Public, hand: Hand, letters: list[str], color: bool) -> str:
    """Letter, name, groups, rack, pile and captures of a color."""
    width = max(len(name) for name in state.color_names)
    letter = letters[hand.color]
    swatch = painted_cell(letter, palette(state)[hand.color]) if color else f" {letter}"
    rack = " ".join(tile_name(tile) for tile in hand.rack) or "none"
    line = f"{'>' if hand.to_move else ' '}{swatch} {hand.name:<{width}}  groups {hand.groups:>2}  "
    line += f"rack {rack}  pile {hand.pile}"
    each = zip(letters, hand.captured, strict=True)
    taken = [f"{letter} {' '.join(map(tile_name, tiles))}" for letter, tiles in each if tiles]
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
    even, as video encoders want them. Raises ValueError for `cell_pixels` below 16.
    """
    if cell_pixels < LEAST_PIXELS:
        raise ValueError(f"cell_pixels must be at least {LEAST_PIXELS}, got {cell_pixels}")
    colors, frame, paper = palette(state), max(2, cell_pixels // 6), max(2, cell_pixels // 4)
    margin = frame + paper
    inner_side = SIZE * cell_pixels
    side = inner_side + 2 * margin
    side += side % 2
    tile = min(cell_pixels * 3 // 4, (inner_side // state.options.num_colors - 3) // 2)  # in the panel
    width = side + tile * (state.options.rack_size + PANEL)
    width += width % 2
    canvas = np.empty((side, width, 3), np.uint8)
    canvas[:] = PAPER
    canvas[:, :side] = GREY if state.is_over else colors[state.player]
    canvas[frame : side - frame, frame : side - frame] = PAPER
    inner = canvas[margin : margin + inner_side, margin : margin + inner_side]
    squares = inner.reshape(SIZE, cell_pixels, SIZE, cell_pixels, 3).swapaxes(1, 2)  # a view: [row, column, y, x, 3]
    paint_squares(squares, state, colors)
    paint_panel(canvas[margin : margin + inner_side, side:], state, player, colors, tile)
    return canvas


def paint_squares(squares: Pixels, state: Public, colors: list[Color]) -> None:
    """Fill the squares, draw faces, blocks' borders and an outline round each group; the newest tile gets a ring."""
    board, faces, last = state.board(), state.faces(), state.last_square()
    fill = np.array([*colors, EMPTY], np.uint8)[board]  # an empty square's −1 takes the last entry
    size = squares.shape[2]
    thin, thick = max(1, size // 24), max(1, size // 10)
    squares[:] = fill[:, :, None, None]
    blocks = np.array([block_of(square) for square in range(SIZE * SIZE)]).reshape(SIZE, SIZE)
    for edge in ("top", "left"):
        strip(squares, edge, 0, thin)[:] = GRID
    for edge, border in borders_of(blocks).items():
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


def paint_panel(panel: Pixels, state: Public, player: int | None, colors: list[Color], size: int) -> None:
    """A block for each color, its tiles `size` pixels wide; a bar marks the colors to move.

    Above the rack, then a stack with the number of tiles in the pile and two shapes with the number of groups. Below,
    with the first color of a player, how many tiles it has captured of each color, and its points in a dark box.
    """
    all_hands, points = hands(state, player), state.points().tolist()
    height = panel.shape[0] // len(all_hands)
    width = panel.shape[1] // size * size
    for hand in all_hands:
        block = panel[hand.color * height : (hand.color + 1) * height, :width]
        if hand.to_move:
            block[: 2 * size + 1, : size // 6] = INK
        upper, lower = block[:size, size // 2 :], block[size + 1 : 2 * size + 1, size // 2 :]
        paint_rack(upper, hand, colors[hand.color], size)
        if hand.color < state.options.num_players:
            paint_captures(lower, hand, colors, size)
            box = lower[:, -2 * size :][:, : 2 * size - size // 2]
            box[:] = INK
            stamp(box, number_bitmap(points[hand.color]), PAPER)


def paint_rack(line: Pixels, hand: Hand, color: Color, size: int) -> None:
    """Tiles on a rack, tiles in the pile, groups."""
    for index, tile in enumerate(hand.rack):
        small_tile(line[:, index * size : (index + 1) * size - 1], color, tile_bitmap(tile))
    for place, icon, number in ((6, PILE_ICON, hand.pile), (3, GROUPS_ICON, hand.groups)):
        x = line.shape[1] - place * size + size // 2
        stamp(line[:, x : x + size], icon, GREY)
        stamp(line[:, x + size : x + 2 * size], number_bitmap(number), INK)


def paint_captures(line: Pixels, hand: Hand, colors: list[Color], size: int) -> None:
    """A tile for each color of which something was captured, with the number."""
    taken = [(other, len(tiles)) for other, tiles in enumerate(hand.captured) if tiles]
    for index, (other, number) in enumerate(taken):
        small_tile(line[:, index * size : (index + 1) * size - 1], colors[other], number_bitmap(number))


def small_tile(area: Pixels, color: Color, bitmap: NDArray[np.bool_]) -> None:
    """A tile in the panel."""
    area[:] = color
    stamp(area, bitmap, contrast(color))


def stamp(area: Pixels, bitmap: NDArray[np.bool_], color: Color) -> None:
    """Draw a bitmap in the middle of an area `[y, x, 3]`, as large as fits well; nothing where there is no room."""
    if not area.size:
        return
    scale = max(1, int(0.62 * min(area.shape[0] / bitmap.shape[0], area.shape[1] / bitmap.shape[1])))
    large = np.kron(bitmap, np.ones((scale, scale), np.bool_)).astype(np.bool_)[: area.shape[0], : area.shape[1]]
    y, x = (area.shape[0] - large.shape[0]) // 2, (area.shape[1] - large.shape[1]) // 2
    area[y : y + large.shape[0], x : x + large.shape[1]][large] = color
