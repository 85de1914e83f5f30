"""Pixels of boards whose cells are not squares: every pixel knows its cell and how far it is from each of its sides."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
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
    contrast,
    last_placement,
    open_starts,
    placement_map,
)
from blokus_env.geometry import Board
from blokus_env.shapes import Shapes, shapes

if TYPE_CHECKING:
    from blokus_env.state import State

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]
NOWHERE = -1  # the cell of a pixel off the board


@dataclass(frozen=True)
class Raster:
    """The pixels of a board, counted row after row, and where they lie in their cells.

    The last three arrays hold a pair for each side that a pixel is close to.
    """

    shapes: Shapes
    height: int
    width: int
    cell: NDArray[np.int64]  # [pixels], `NOWHERE` off the board
    middle: Floats  # [pixels] distance from the middle of the cell
    pixel: NDArray[np.int64]  # [pairs]
    side: NDArray[np.int64]  # [pairs]
    distance: Floats  # [pairs] of the pixel from the side


@functools.lru_cache(maxsize=8)
def raster(board: Board, cell_pixels: int) -> Raster:
    """The raster of a board; height and width are even."""
    found = shapes(board)
    height, width = (2 * math.ceil(length * cell_pixels / 2) for length in (found.height, found.width))
    cell = np.full((height, width), NOWHERE, np.int64)
    side = np.zeros((height, width, found.corners.shape[1]))
    middle = np.zeros((height, width))
    for number, corners in enumerate(found.corners * cell_pixels):
        top, left = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
        bottom, right = np.ceil(corners.max(axis=0)).astype(int)
        window = np.s_[top:bottom, left:right]
        y, x = np.mgrid[window] + 0.5
        distance = side_distances(corners, y, x)
        inside = (distance.min(axis=-1) >= 0) & (cell[window] == NOWHERE)
        cell[window][inside] = number
        side[window][inside] = distance[inside]
        center = corners.mean(axis=0)
        middle[window][inside] = np.hypot(y - center[0], x - center[1])[inside]
    near = side.reshape(height * width, -1)
    pixel, number_of_side = np.nonzero((near < cell_pixels / 6 + 3) & (cell.reshape(-1, 1) != NOWHERE))
    distances = near[pixel, number_of_side]
    return Raster(found, height, width, cell.ravel(), middle.ravel(), pixel, number_of_side, distances)


def side_distances(corners: Floats, y: Floats, x: Floats) -> Floats:
    """How far points lie inside each side of a polygon that is walked clockwise, [..., k]; negative outside."""
    following = np.roll(corners, -1, axis=0)
    along_y, along_x = (following - corners).T / np.hypot(*(following - corners).T)
    distance: Floats = (y[..., None] - corners[:, 0]) * along_x - (x[..., None] - corners[:, 1]) * along_y
    return distance


def polygon_pixels(state: State, colors: Sequence[Color], cell_pixels: int) -> Pixels:
    """The board, uint8 [height, width, 3]: cells, start cells, placements with borders, the newest one marked."""
    grid = raster(state.variant.board, cell_pixels)
    found = grid.shapes
    owner = found.values(state.board())
    last = found.values(last_placement(state))
    fill = np.array([*colors, EMPTY], np.float64)[owner]  # [cells, 3]; an empty cell's −1 takes the last entry
    mark = np.array(contrast(colors[owner[last][0]]) if last.any() else WHITE, np.float64)
    canvas = np.vstack([fill, PAPER])[grid.cell]  # [pixels, 3]
    thin, thick = max(1.0, cell_pixels / 16), max(1.0, cell_pixels / 12)
    border = found.borders(found.values(placement_map(state)))
    taken = (owner >= 0)[:, None]
    inside = np.where(taken, fill * 0.88, np.array(GRID))
    line(canvas, grid, np.ones_like(border), inside, 0, thin)
    line(canvas, grid, border & last[:, None], np.broadcast_to(mark, fill.shape), thick, 2 * thick)
    line(canvas, grid, border & taken, fill * 0.5, 0, thick)
    disc(canvas, grid, last, np.broadcast_to(mark, fill.shape), cell_pixels / 9)
    starts, start_fill = open_start_cells(state, found, colors)
    disc(canvas, grid, starts, start_fill, cell_pixels * 0.22)
    pixels: Pixels = np.rint(canvas).astype(np.uint8).reshape(grid.height, grid.width, 3)
    return pixels


def open_start_cells(state: State, found: Shapes, colors: Sequence[Color]) -> tuple[NDArray[np.bool_], Floats]:
    """Which cells are empty start cells, and the color of each: grey where several colors may start."""
    starts, fill = np.zeros(len(found.cells), np.bool_), np.full((len(found.cells), 3), GREY, np.float64)
    for cell, owners in open_starts(state).items():
        starts[found.index[cell]] = True
        if len(owners) == 1:
            fill[found.index[cell]] = colors[owners[0]]
    return starts, fill


def line(canvas: Floats, grid: Raster, sides: NDArray[np.bool_], color: Floats, start: float, stop: float) -> None:
    """Draw along sides, bool [cells, k], in the color of each cell, from `start` to `stop` pixels inside."""
    wanted = sides[grid.cell[grid.pixel], grid.side]
    distance, pixel = grid.distance[wanted], grid.pixel[wanted]
    cover = np.zeros(len(grid.cell))
    np.maximum.at(cover, pixel, np.clip(distance - start + 0.5, 0, 1) * np.clip(stop - distance + 0.5, 0, 1))
    blend(canvas, grid, color, cover)


def disc(canvas: Floats, grid: Raster, cells: NDArray[np.bool_], color: Floats, radius: float) -> None:
    """Draw a disc in the middle of cells, bool [cells]."""
    wanted = np.append(cells, False)[grid.cell]
    blend(canvas, grid, color, np.where(wanted, np.clip(radius - grid.middle + 0.5, 0, 1), 0))


def blend(canvas: Floats, grid: Raster, color: Floats, cover: Floats) -> None:
    """Mix the color of each cell into its pixels, `cover` [pixels] telling how much."""
    changed = np.flatnonzero(cover)
    canvas[changed] += (color[grid.cell[changed]] - canvas[changed]) * cover[changed, None]
