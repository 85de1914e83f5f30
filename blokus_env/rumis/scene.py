"""A picture as a list of flat shapes, back to front, which `svg` writes and `render` fills with pixels.

The building is drawn twice: isometric, seen from the lower right of the plan, and straight from above with the height
of each square. Lengths are pixels; `unit` is the edge of a cube.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from blokus_env.drawing import EMPTY, GREY, GRID, Color, contrast
from blokus_env.rumis.drawing import CubeMap, newest_cubes, palette, placement_map
from blokus_env.rumis.pieces import Cube
from blokus_env.svg import darker

if TYPE_CHECKING:
    from blokus_env.rumis.state import State

Point = tuple[float, float]  # x to the right, y down
COS30 = math.sqrt(3) / 2
SHADES = (1.0, 0.8, 0.62)  # of the faces that look up, to the lower left, to the lower right
FAINT, DARK = 0.86, 0.42  # lines inside of a stone and round it, times the face's color


@dataclass(frozen=True)
class Polygon:
    """A convex polygon, filled."""

    points: tuple[Point, ...]
    fill: Color


@dataclass(frozen=True)
class Line:
    """A straight line."""

    start: Point
    end: Point
    color: Color
    width: float


@dataclass(frozen=True)
class Dot:
    """A disc."""

    center: Point
    radius: float
    color: Color


@dataclass(frozen=True)
class Number:
    """A number, centered."""

    center: Point
    value: int
    size: float
    color: Color


Shape: TypeAlias = Polygon | Line | Dot | Number


@dataclass(frozen=True)
class Scene:
    """Shapes inside of a rectangle that begins at (0, 0)."""

    width: float
    height: float
    shapes: list[Shape]


# --- isometric ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Projection:
    """From corners of cubes to the picture: rows run to the lower left, columns to the lower right, levels up."""

    unit: float
    origin: Point = (0.0, 0.0)

    def __call__(self, row: float, column: float, level: float) -> Point:
        """Where a point lies in the picture."""
        x = self.origin[0] + (column - row) * COS30 * self.unit
        return x, self.origin[1] + ((column + row) / 2 - level) * self.unit


# Of each face that can be seen: its corners, and across each edge (in the same order) the cube that goes on from it.
FACES: tuple[tuple[Cube, tuple[Cube, ...], tuple[Cube, ...]], ...] = (
    ((0, 0, 1), ((0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 0, 1)), ((-1, 0, 0), (0, 1, 0), (1, 0, 0), (0, -1, 0))),
    ((1, 0, 0), ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)), ((0, 0, -1), (0, 1, 0), (0, 0, 1), (0, -1, 0))),
    ((0, 1, 0), ((0, 1, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1)), ((0, 0, -1), (1, 0, 0), (0, 0, 1), (-1, 0, 0))),
)


def added(one: Cube, other: Cube) -> Cube:
    """The sum of two triples."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def isometric(state: State, unit: float) -> Scene:
    """The building from the lower right, on its plan, before the back of the space that it may fill."""
    project, width, height = fitted(unit, space(state))
    owners, labels, newest = cubes_by_color(state), placement_map(state), newest_cubes(state)
    colors = palette(state)
    shapes = [*ground(state, project), *back_walls(state, project)]
    for cube in sorted(owners, key=lambda cube: (sum(cube), cube)):
        shapes += faces(cube, labels, colors[owners[cube]], project, unit, cube in newest)
    return Scene(width, height, shapes)


def space(state: State) -> Iterator[Cube]:
    """The corners of all that may ever be built."""
    for (row, column), limit in np.ndenumerate(state.limits()):
        for corner in itertools.product((row, row + 1), (column, column + 1), (0, int(limit))):
            if limit:
                yield corner


def fitted(unit: float, corners: Iterable[Cube]) -> tuple[Projection, float, float]:
    """The projection that puts the upper left of some corners at (0, 0), and the size of their picture."""
    plain = Projection(unit)
    xs, ys = zip(*(plain(*corner) for corner in corners), strict=True)
    return Projection(unit, (-min(xs), -min(ys))), max(xs) - min(xs), max(ys) - min(ys)


def cubes_by_color(state: State) -> dict[Cube, int]:
    """The color of every cube (row, column, level)."""
    board = state.board()
    return {(int(r), int(c), int(z)): int(board[z, r, c]) for z, r, c in np.argwhere(board >= 0)}


def ground(state: State, project: Projection) -> Iterator[Shape]:
    """The squares of the plan."""
    for row, column in sorted(state.options.plan.board.cell_set):
        corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
        points = tuple(project(r, c, 0) for r, c in corners)
        yield Polygon(points, EMPTY)
        yield from outline(points, GRID, project.unit / 20)


def back_walls(state: State, project: Projection) -> Iterator[Shape]:
    """Behind squares that may be built higher than those at their back: lines up to the limit."""
    limits = state.limits().astype(int)
    padded = np.pad(limits, 1)
    for row, column in sorted(state.options.plan.board.cell_set):
        for behind, other in (
            (padded[row, column + 1], (row, column + 1)),
            (padded[row + 1, column], (row + 1, column)),
        ):
            for level in range(int(behind), limits[row, column]):
                ends = ((row, column), other)
                points = tuple(
                    project(*end, z)
                    for end, z in zip((*ends, *ends[::-1]), (level, level, level + 1, level + 1), strict=True)
                )
                yield from outline(points, GRID, project.unit / 28)


def outline(points: tuple[Point, ...], color: Color, width: float) -> Iterator[Line]:
    """The edges of a polygon."""
    for start, end in zip(points, (*points[1:], points[0]), strict=True):
        yield Line(start, end, color, width)


def faces(
    cube: Cube, labels: Mapping[Cube, int], color: Color, project: Projection, unit: float, is_new: bool
) -> Iterator[Shape]:
    """What can be seen of a cube: faint lines inside its stone, dark ones round it; dots on the newest stone."""
    for (normal, corners, beyond), shade in zip(FACES, SHADES, strict=True):
        if added(cube, normal) in labels:
            continue
        fill = darker(color, shade)
        points = tuple(project(*added(cube, corner)) for corner in corners)
        yield Polygon(points, fill)
        for start, end, across in zip(points, (*points[1:], points[0]), beyond, strict=True):
            inside = labels.get(added(cube, across)) == labels[cube]
            yield Line(start, end, darker(fill, FAINT if inside else DARK), unit / (24 if inside else 16))
        if is_new:
            x, y = (sum(axis) / 4 for axis in zip(*points, strict=True))
            yield Dot((x, y), unit / 9, contrast(color))


# --- from above ---------------------------------------------------------------------------------------------------


def from_above(state: State, unit: float) -> Scene:
    """The plan with the colors that are seen and the height of each square; a ring marks squares that are full."""
    plan, labels, newest = state.options.plan, placement_map(state), newest_cubes(state)
    heights, limits, top, colors = state.heights().astype(int), state.limits().astype(int), state.top(), palette(state)
    seen = {(r, c): (r, c, int(heights[r, c]) - 1) for r, c in plan.board.cell_set if heights[r, c]}
    shapes: list[Shape] = []
    for row, column in sorted(plan.board.cell_set):
        fill = colors[top[row, column]] if heights[row, column] else EMPTY
        points = square(row, column, unit)
        shapes += [
            Polygon(points, fill),
            *outline(points, darker(fill, FAINT) if heights[row, column] else GRID, unit / 24),
        ]
        middle = ((column + 0.5) * unit, (row + 0.5) * unit)
        if not heights[row, column]:
            shapes.append(Number(middle, limits[row, column], unit * 0.3, GREY))
            continue
        ink = contrast(fill)
        if heights[row, column] == limits[row, column]:
            shapes += outline(square(row, column, unit, unit * 0.13), ink, unit / 16)
        if seen[row, column] in newest:
            shapes.append(Dot((middle[0] + unit * 0.27, middle[1] - unit * 0.27), unit / 11, ink))
        shapes.append(Number(middle, heights[row, column], unit * 0.5, ink))
    for cell, cube in seen.items():  # last, so that no square covers the lines round its neighbors
        shapes += stone_borders(cell, cube, seen, labels, darker(colors[top[cell]], DARK), unit)
    return Scene(plan.columns * unit, plan.rows * unit, shapes)


def square(row: int, column: int, unit: float, inset: float = 0.0) -> tuple[Point, ...]:
    """The corners of a square of the plan, as seen from above."""
    left, right, top, bottom = column * unit, (column + 1) * unit, row * unit, (row + 1) * unit
    left, right, top, bottom = left + inset, right - inset, top + inset, bottom - inset
    return (left, top), (right, top), (right, bottom), (left, bottom)


def stone_borders(
    cell: tuple[int, int],
    cube: Cube,
    seen: Mapping[tuple[int, int], Cube],
    labels: CubeMap,
    color: Color,
    unit: float,
) -> Iterator[Line]:
    """Lines where the next square shows another stone, or the same one at another level."""
    points = square(*cell, unit)
    for start, end, (dr, dc) in zip(points, (*points[1:], points[0]), ((-1, 0), (0, 1), (1, 0), (0, -1)), strict=True):
        other = seen.get((cell[0] + dr, cell[1] + dc))
        if other is None or other[2] != cube[2] or labels[other] != labels[cube]:
            yield Line(start, end, color, unit / 12)
