"""A position as SVG, for notebooks and pages: built from strings, no library."""

from __future__ import annotations

import itertools
from html import escape
from typing import TYPE_CHECKING

from blokus_env.drawing import GREY, INK, PAPER, Color, number
from blokus_env.rumis.drawing import palette, title
from blokus_env.rumis.pieces import STONES
from blokus_env.rumis.scene import Dot, Line, Polygon, Scene, Shape, added, faces, fitted, from_above, isometric
from blokus_env.svg import FONT, short, web

if TYPE_CHECKING:
    from blokus_env.rumis.state import State

UNIT, SQUARE, MINI = 30, 36, 9  # pixels of a cube, of a square seen from above, of a cube in the hands
LEFT, TOP, GAP, PANEL = 24, 46, 34, 270


def svg(state: State) -> str:
    """The building, isometric and from above with heights, and beside it each color's score and the stones left.

    In the view from above a number is the height of a square (small and grey: how high it may be built), a ring says
    that nothing fits on it any more. Dots mark the newest stone.
    """
    views = [isometric(state, UNIT), from_above(state, SQUARE)]
    middle = LEFT + views[0].width + GAP
    panel_left = middle + views[1].width + GAP + 10
    panel, panel_bottom = svg_hands(state, panel_left)
    bottom = max(TOP + max(view.height for view in views) + 34, panel_bottom)
    right, heading = panel_left + PANEL, escape(title(state))
    inner = max(view.height for view in views)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {short(right)} {short(bottom)}' width='{short(right)}' "
        f"height='{short(bottom)}' role='img' {FONT} fill='{web(INK)}'><title>{heading}</title>",
        f"<rect width='{short(right)}' height='{short(bottom)}' rx='6' fill='{web(PAPER)}'/>",
        f"<text x='{LEFT}' y='28' font-size='15' font-weight='600'>{heading}</text>",
        *svg_scene(views[0], LEFT, TOP + inner - views[0].height),
        *svg_scene(views[1], middle, TOP + (inner - views[1].height) / 2),
        *svg_frame(state, views[1], middle, TOP + (inner - views[1].height) / 2),
        *panel,
        "</svg>",
    ]
    return "\n".join(parts)


def svg_scene(scene: Scene, x: float, y: float) -> list[str]:
    """The shapes of a scene, its corner at (x, y)."""
    return [
        f"<g transform='translate({short(x)} {short(y)})' stroke-linecap='round'>",
        *map(svg_shape, scene.shapes),
        "</g>",
    ]


def svg_shape(shape: Shape) -> str:
    """One shape."""
    if isinstance(shape, Polygon):
        points = "L".join(f"{short(x)} {short(y)}" for x, y in shape.points)
        return f"<path d='M{points}z' fill='{web(shape.fill)}'/>"
    if isinstance(shape, Line):
        start, end = (f"{short(x)} {short(y)}" for x, y in (shape.start, shape.end))
        return f"<path d='M{start}L{end}' stroke='{web(shape.color)}' stroke-width='{short(shape.width)}'/>"
    if isinstance(shape, Dot):
        x, y = shape.center
        return f"<circle cx='{short(x)}' cy='{short(y)}' r='{short(shape.radius)}' fill='{web(shape.color)}'/>"
    x, y = shape.center
    place = f"x='{short(x)}' y='{short(y + 0.36 * shape.size)}' font-size='{short(shape.size)}' font-weight='600'"
    return f"<text {place} text-anchor='middle' fill='{web(shape.color)}'>{shape.value}</text>"


def svg_frame(state: State, view: Scene, x: float, y: float) -> list[str]:
    """Round the view from above: the color to move, column letters, row numbers."""
    plan = state.options.plan
    color = web(GREY if state.is_over else palette(state)[state.color])
    outside = f"x='{short(x - 4)}' y='{short(y - 4)}' width='{short(view.width + 8)}' height='{short(view.height + 8)}'"
    parts = [
        f"<rect {outside} rx='4' fill='none' stroke='{color}' stroke-width='3'/>",
        f"<g font-size='11' fill='{web(GREY)}' text-anchor='middle'>",
    ]
    for column in range(plan.columns):
        name = plan.board.cell_text((0, column)).rstrip("0123456789")
        parts.append(f"<text x='{short(x + (column + 0.5) * SQUARE)}' y='{short(y + view.height + 19)}'>{name}</text>")
    for row in range(plan.rows):
        name = plan.board.cell_text((row, 0))[1:]
        parts.append(f"<text x='{short(x - 14)}' y='{short(y + (row + 0.5) * SQUARE + 4)}'>{name}</text>")
    return [*parts, "</g>"]


def svg_hands(state: State, left: float) -> tuple[list[str], float]:
    """For each color its name, score and the stones it has left; and where the last line ends."""
    parts: list[str] = []
    scores, colors, y = state.scores(), palette(state), float(TOP)
    for index, name in enumerate(state.color_names):
        to_move = index == state.color
        weight = "700" if to_move else "400"
        note = " (out)" if state.is_out(index) else ""
        parts += [
            f"<rect x='{short(left)}' y='{short(y)}' width='14' height='14' rx='3' fill='{web(colors[index])}'/>",
            f"<text x='{short(left + 22)}' y='{short(y + 12)}' font-size='14' font-weight='{weight}'>"
            f"{escape(name)}{note}</text>",
            f"<text x='{short(left + PANEL - 24)}' y='{short(y + 12)}' font-size='14' font-weight='{weight}' "
            f"text-anchor='end'>{number(scores[index])}</text>",
        ]
        if to_move:
            parts.append(f"<path d='M{short(left - 12)} {short(y + 2)}l8 5l-8 5z'/>")
        stones, y = svg_stones(state.left(index), left, y + 24, colors[index])
        parts += stones or [f"<text x='{short(left + 22)}' y='{short(y + 9)}' font-size='12'>all placed</text>"]
        y += 16 if stones else 30
    return parts, y + 4


def svg_stones(names: list[str], left: float, y: float, color: Color) -> tuple[list[str], float]:
    """Small isometric pictures of stones, in lines; and where the last line ends."""
    parts: list[str] = []
    x, tallest = left, 0.0
    for stone in STONES:
        if stone.name in names:
            scene = stone_scene(stone.name, color)
            if x + scene.width > left + PANEL - 20:
                x, y, tallest = left, y + tallest + MINI, 0.0
            parts += svg_scene(scene, x, y)
            x, tallest = x + scene.width + MINI, max(tallest, scene.height)
    return parts, y + tallest


def stone_scene(name: str, color: Color) -> Scene:
    """A stone as it is drawn in `pieces`."""
    cubes = next(stone.cubes for stone in STONES if stone.name == name)
    labels = dict.fromkeys(cubes, 0)
    corners = (added(cube, (r, c, z)) for cube in cubes for r, c, z in itertools.product((0, 1), repeat=3))
    project, width, height = fitted(MINI, corners)
    shapes: list[Shape] = []
    for cube in sorted(cubes, key=lambda cube: (sum(cube), cube)):
        shapes += faces(cube, labels, color, project, MINI, False)
    return Scene(width, height, shapes)
