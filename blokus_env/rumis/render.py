"""Pictures of a position: `ansi` for terminals, `rgb_array` for videos, `svg` for notebooks and pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blokus_env.drawing import GREY, PAPER, Color, contrast
from blokus_env.render import color_letters, paint, painted_cell
from blokus_env.rumis import raster
from blokus_env.rumis.drawing import newest_cubes, palette, title
from blokus_env.rumis.scene import Dot, Line, Number, Scene, Shape, from_above, isometric
from blokus_env.rumis.svg import svg

if TYPE_CHECKING:
    from blokus_env.rumis.state import State

__all__ = ["ansi", "rgb_array", "svg"]

Pixels = NDArray[np.uint8]
FINE = 2  # each pixel is the mean of FINE × FINE

# Digits as dots, three wide and five high.
DIGITS = """
### .#. ### ### #.# ### ### ### ### ###
#.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
#.# .#. ### .## ### ### ### ..# ### ###
#.# .#. #.. ..# ..# ..# #.# ..# #.# ..#
### ### ### ### ..# ### ### ..# ### ###
"""


# --- text --------------------------------------------------------------------------------------------------------


def ansi(state: State, color: bool = False) -> str:
    """The plan from above, the stones left and the scores as text.

    A letter is the color that is seen on a square, small on the newest stone, the digit after it the height; `·4` is an
    empty square that may be built four high. With `color=True` squares are painted by ANSI escape codes. Without, the
    text is plain and good for diffs.
    """
    letters = color_letters(state.color_names)
    return "\n".join([title(state), *plan_rows(state, letters, color), "", *hands(state, letters, color)])


def plan_rows(state: State, letters: Sequence[str], color: bool) -> list[str]:
    """The plan with coordinates, three characters a square."""
    plan, top, heights, limits = state.options.plan, state.top(), state.heights(), state.limits()
    newest = newest_cubes(state)
    names = [plan.board.cell_text((0, column)).rstrip("0123456789") for column in range(plan.columns)]
    header = ("   " + "".join(f" {name:<2}" for name in names)).rstrip()
    lines = [header]
    for row in range(plan.rows):
        cells = []
        for column in range(plan.columns):
            height, owner = int(heights[row, column]), int(top[row, column])
            letter = letters[owner].lower() if (row, column, height - 1) in newest else letters[owner]
            text = f" {letter}{height}" if height else f" ·{limits[row, column]}" if limits[row, column] else "   "
            cells.append(painted(text, owner, palette(state)) if color and limits[row, column] else text)
        name = plan.board.cell_text((row, 0)).lstrip("abcdefghijklmnopqrstuvwxyz")
        lines.append(f"{name:>3}{''.join(cells)}  {name}")
    return [*lines, header]


def painted(text: str, owner: int, colors: Sequence[Color]) -> str:
    """Text in the color that is seen, grey where none is."""
    return paint(text, GREY, None) if owner < 0 else paint(text, contrast(colors[owner]), colors[owner])


def hands(state: State, letters: Sequence[str], color: bool) -> list[str]:
    """One line for each color: letter, name, score, stones left."""
    names, scores = state.color_names, state.scores()
    width, digits = max(map(len, names)), max(len(f"{score:g}") for score in scores)
    lines = []
    for index, name in enumerate(names):
        marker = ">" if index == state.color else " "
        swatch = painted_cell(letters[index], palette(state)[index]) if color else f" {letters[index]}"
        left = " ".join(state.left(index)) or "all placed"
        note = " (out)" if state.is_out(index) else ""
        lines.append(f"{marker}{swatch} {name:<{width}} {scores[index]:>{digits}g}  {left}{note}")
    return lines


# --- pixels ------------------------------------------------------------------------------------------------------


def rgb_array(state: State, cube_pixels: int = 30) -> Pixels:
    """The building, isometric and from above, as pixels `uint8[height, width, 3]`, framed in the color to move (grey
    when the game is over).

    `cube_pixels` is the edge of a cube. Both sides of the picture are even, as video encoders want them.
    """
    if cube_pixels < 8:
        raise ValueError(f"cube_pixels must be at least 8, got {cube_pixels}")
    frame, paper = max(2, cube_pixels // 6), cube_pixels // 2
    views = [isometric(state, cube_pixels), from_above(state, 1.2 * cube_pixels)]
    height = round(max(view.height for view in views)) + 2 * (frame + paper)
    width = round(sum(view.width for view in views)) + 2 * frame + 3 * paper
    canvas = np.empty(((height + height % 2) * FINE, (width + width % 2) * FINE, 3), np.uint8)
    canvas[:] = GREY if state.is_over else palette(state)[state.color]
    canvas[frame * FINE : -frame * FINE, frame * FINE : -frame * FINE] = PAPER
    x = float(frame + paper)
    for view in views:
        draw(canvas, view, x, frame + paper + (height - 2 * (frame + paper) - view.height) / 2)
        x += view.width + paper
    picture = np.empty((canvas.shape[0] // FINE, canvas.shape[1] // FINE, 3), np.uint8)
    raster.shrink(canvas, FINE, picture)
    return picture


def draw(canvas: Pixels, scene: Scene, x: float, y: float) -> None:
    """Fill the shapes of a scene into a finer canvas, its corner at (x, y) pixels."""
    shift = np.array([x, y])
    for shape in scene.shapes:
        fill_shape(canvas, shape, shift)


def fill_shape(canvas: Pixels, shape: Shape, shift: NDArray[np.float64]) -> None:
    """Fill one shape."""
    if isinstance(shape, Number):
        fill_number(canvas, shape, shift)
    elif isinstance(shape, Dot):
        x, y = (np.array(shape.center) + shift) * FINE
        raster.fill_disc(canvas, x, y, shape.radius * FINE, np.array(shape.color, np.uint8))
    elif isinstance(shape, Line):
        raster.fill_polygon(canvas, (line_corners(shape) + shift) * FINE, np.array(shape.color, np.uint8))
    else:
        raster.fill_polygon(canvas, (np.array(shape.points) + shift) * FINE, np.array(shape.fill, np.uint8))


def line_corners(line: Line) -> NDArray[np.float64]:
    """A line as a thin rectangle, a little longer so that lines meet."""
    (x, y), (end_x, end_y) = line.start, line.end
    scale = line.width / 2 / math.hypot(end_x - x, end_y - y)
    dx, dy = (end_x - x) * scale, (end_y - y) * scale
    corners = [(x - dx + dy, y - dy - dx), (end_x + dx + dy, end_y + dy - dx)]
    corners += [(end_x + dx - dy, end_y + dy + dx), (x - dx - dy, y - dy + dx)]
    return np.array(corners)


def fill_number(canvas: Pixels, number: Number, shift: NDArray[np.float64]) -> None:
    """Fill a digit, dot by dot."""
    rows = [row.split()[number.value] for row in DIGITS.strip().split("\n")]
    step = number.size * FINE / len(rows)
    left, top = (np.array(number.center) + shift) * FINE - np.array([len(rows[0]), len(rows)]) * step / 2
    for i, row in enumerate(rows):
        for j, sign in enumerate(row):
            if sign == "#":
                y, x = top + i * step, left + j * step
                canvas[round(y) : round(y + step), round(x) : round(x + step)] = number.color
