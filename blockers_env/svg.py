"""A position as SVG, for notebooks and pages: built from strings, no library."""

from __future__ import annotations

from html import escape

import numpy as np

from blockers_env.drawing import HIDDEN, Hand, group_labels, hands, palette, player_name, status
from blockers_env.public import Public
from blockers_env.tiles import ROW_NAMES, SIZE, SYMBOL, TILE_NAMES, WILD
from blokus_env.drawing import EMPTY, GREY, GRID, INK, PAPER, Color, contrast
from blokus_env.svg import CELL, FONT, darker, outline, square_paths, web

SCALE = 1.5  # of the board's squares, which are CELL wide before
SQUARE = int(CELL * SCALE)
TILE = 20  # a tile in the panel
LEFT, TOP, PANEL, GAP = 30, 38, 330, 22


def svg(state: Public, player: int | None = None) -> str:
    """The board with coordinates, and beside it each color's rack, pile and groups, and each player's captures.

    Racks are shown as `player` knows them; for None all that are known in `state`.
    """
    side = SIZE * SQUARE
    panel, panel_bottom = svg_panel(state, player, LEFT + side + GAP)
    bottom, right = max(TOP + side + 26, panel_bottom + 8), LEFT + side + GAP + PANEL
    title = escape(f"{state.title}, ply {state.ply}: {status(state)}")
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {right} {bottom}' width='{right}' height='{bottom}' "
        f"role='img' {FONT} fill='{web(INK)}'><title>{title}</title>",
        f"<rect width='{right}' height='{bottom}' rx='6' fill='{web(PAPER)}'/>",
        f"<text x='{LEFT}' y='24' font-size='15' font-weight='600'>{title}</text>",
        *svg_board(state),
        *svg_coordinates(),
        *panel,
        "</svg>",
    ]
    return "\n".join(parts)


def svg_board(state: Public) -> list[str]:
    """Squares, blocks, groups with their outlines, faces, and a ring in the newest tile."""
    board, faces, colors, last = state.board(), state.faces(), palette(state), state.last_square()
    labels, side = group_labels(board), SIZE * CELL
    every = np.ones(board.shape, np.bool_)
    blocks = "".join(f"M{CELL * i} 0v{side}M0 {CELL * i}h{side}" for i in (3, 6))
    parts = [
        f"<g transform='translate({LEFT} {TOP}) scale({SCALE})'>",
        f"<path d='{square_paths(every)}' fill='{web(EMPTY)}' stroke='{web(GRID)}'/>",
        f"<path d='{blocks}' stroke='{web(GREY)}'/>",
    ]
    for index, color in enumerate(colors):
        cells = board == index
        if cells.any():
            parts.append(f"<path d='{square_paths(cells)}' fill='{web(color)}' stroke='{web(darker(color, 0.84))}'/>")
            stroke = f"stroke='{web(darker(color, 0.45))}' stroke-width='1.8' stroke-linecap='round'"
            parts.append(f"<path d='{outline(labels, cells)}' fill='none' {stroke}/>")
    for row, column in np.argwhere(board >= 0):
        parts += svg_face(int(faces[row, column]), column * CELL, row * CELL, CELL, colors[board[row, column]])
    if last is not None:
        ring = f"x='{last[1] * CELL + 2.5}' y='{last[0] * CELL + 2.5}' width='{CELL - 5}' height='{CELL - 5}'"
        parts.append(f"<rect {ring} rx='3' fill='none' stroke='{web(contrast(colors[board[last]]))}'/>")
    frame = web(GREY if state.is_over else colors[state.player])
    outside = f"x='-2' y='-2' width='{side + 4}' height='{side + 4}' rx='3'"
    return [*parts, f"<rect {outside} fill='none' stroke='{frame}' stroke-width='3'/></g>"]


def svg_face(tile: int, x: int, y: int, size: int, color: Color) -> list[str]:
    """A tile's face: a character, or for symbols the board's nine blocks with one filled."""
    ink = web(contrast(color))
    if tile == HIDDEN:
        return []
    if SYMBOL <= tile < WILD:
        step, block = size / 6, tile - SYMBOL
        dots = [(x + size / 2 + step * (i % 3 - 1), y + size / 2 + step * (i // 3 - 1)) for i in range(9)]
        small = "".join(f"M{dot[0]:g} {dot[1]:g}h0" for dot in dots)
        large = f"M{dots[block][0]:g} {dots[block][1]:g}h0"
        cap = f"stroke='{ink}' stroke-linecap='round'"
        name = f"<title>{TILE_NAMES[tile]}</title>"
        return [
            f"<g>{name}<path d='{small}' stroke-width='{size / 14:.2g}' {cap}/>"
            f"<path d='{large}' stroke-width='{size / 5:.2g}' {cap}/></g>"
        ]
    at = f"x='{x + size / 2:g}' y='{y + size * 0.7:g}' font-size='{size * 0.55:g}'"
    text = "★" if tile == WILD else TILE_NAMES[tile]
    return [f"<text {at} text-anchor='middle' font-weight='600' fill='{ink}'>{text}</text>"]


def svg_coordinates() -> list[str]:
    """Column numbers below the board and row letters to its left, as in the text of actions."""
    parts = [f"<g font-size='11' fill='{web(GREY)}' text-anchor='middle'>"]
    for index, row in enumerate(ROW_NAMES):
        middle = (index + 0.5) * SQUARE
        parts.append(f"<text x='{LEFT + middle:g}' y='{TOP + SIZE * SQUARE + 17}'>{index + 1}</text>")
        parts.append(f"<text x='{LEFT - 15}' y='{TOP + middle + 4:g}'>{row}</text>")
    return [*parts, "</g>"]


def svg_panel(state: Public, player: int | None, left: int) -> tuple[list[str], int]:
    """Every color and the points of every player; and where the last line ends."""
    parts, y = [], TOP
    for hand in hands(state, player):
        block, y = svg_hand(state, hand, left, y)
        parts += block
    for seat, number in enumerate(state.points().tolist()):
        skipped = f", {state.skips[seat]} skipped" if state.skips[seat] else ""
        text = f"{player_name(state, seat)}: {number} point{'s' * (number != 1)}{skipped}"
        parts.append(f"<text x='{left}' y='{y + 12}' font-size='13'>{escape(text)}</text>")
        y += 18
    return parts, y


def svg_hand(state: Public, hand: Hand, left: int, y: int) -> tuple[list[str], int]:
    """A color's name, groups, pile and rack, and its player's captures; and where they end."""
    colors = palette(state)
    weight = "700" if hand.to_move else "400"
    about = f"{hand.groups} group{'s' * (hand.groups != 1)} · pile {hand.pile}"
    parts = [
        f"<rect x='{left}' y='{y}' width='14' height='14' rx='3' fill='{web(colors[hand.color])}'/>",
        f"<text x='{left + 22}' y='{y + 12}' font-size='14' font-weight='{weight}'>{escape(hand.name)}</text>",
        f"<text x='{left + PANEL - 14}' y='{y + 12}' font-size='12' text-anchor='end'>{about}</text>",
    ]
    if hand.to_move:
        parts.append(f"<path d='M{left - 12} {y + 2}l8 5l-8 5z'/>")
    parts += svg_tiles([(tile, hand.color) for tile in hand.rack], colors, left, y + 20, TILE)
    y += 24 + TILE
    taken = [(tile, color) for color, tiles in enumerate(hand.captured) for tile in tiles]
    if taken:
        parts.append(f"<text x='{left}' y='{y + 11}' font-size='11'>took</text>")
        parts += svg_tiles(taken, colors, left + 30, y, min(14, (PANEL - 44) // len(taken)))
        y += 18
    return parts, y + 8


def svg_tiles(tiles: list[tuple[int, int]], colors: list[Color], x: int, y: int, size: int) -> list[str]:
    """A row of tiles (tile, color); hidden ones show their backs."""
    parts = []
    for tile, color in tiles:
        square = f"width='{size - 1}' height='{size - 1}' rx='2'"
        parts.append(f"<rect x='{x}' y='{y}' {square} fill='{web(colors[color])}'/>")
        parts += svg_face(tile, x, y, size - 1, colors[color])
        x += size
    return parts
