"""The cells of a board as polygons, for pictures. Lengths are in sides of a square, `(y, x)` from the upper left."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from blokus_env.geometry import Board, Lattice, QuarterLattice, SegmentLattice, SquareLattice, TriangleLattice
from blokus_env.pieces import Cell

Value = TypeVar("Value", bound=np.generic)
Polygon = NDArray[np.float64]  # [corners, 2] of (y, x)

TRIANGLE = 1.28  # side of a triangle: its area is then not much less than a square's
STEPS = {  # how far apart two neighboring vertex rows and columns are
    SquareLattice: (1.0, 1.0),
    TriangleLattice: (TRIANGLE * math.sqrt(3) / 2, TRIANGLE / 2),
    SegmentLattice: (0.8, 0.8),
    QuarterLattice: (0.75, 0.75),
}
THICKNESS = 0.34  # of a segment, half of it, in steps of its lattice


def is_squares(board: Board) -> bool:
    """Whether the cells are squares, whose pictures are drawn as arrays instead."""
    return isinstance(board.lattice, SquareLattice)


def polygon(lattice: Lattice, cell: Cell) -> Polygon:
    """The corners of a cell in the order of a walk round it."""
    corners = np.array(lattice.vertices(*cell), np.float64)
    if isinstance(lattice, SegmentLattice):
        corners = _bar(corners)
    points = corners * STEPS[type(lattice)]
    y, x = (points - points.mean(axis=0)).T
    return points[np.argsort(np.arctan2(y, x), kind="stable")]


def _bar(ends: Polygon) -> Polygon:
    """A bar from one end of a segment to the other, mitered so that four of them fit together at an intersection."""
    along = (ends[1] - ends[0]) / np.abs(ends[1] - ends[0]).sum()
    across = along[::-1]
    inner = [
        end + THICKNESS * (way * along + side * across)
        for end, way in zip(ends, (1, -1), strict=True)
        for side in (1, -1)
    ]
    return np.array([*ends, *inner])


@dataclass(frozen=True)
class Shapes:
    """The polygons of all cells of a board; its bounding box begins at (0, 0)."""

    cells: tuple[Cell, ...]
    corners: NDArray[np.float64]  # [cells, k, 2] of (y, x)
    beyond: NDArray[np.int64]  # [cells, k] the cell beyond the side from corner i to corner i + 1, −1 if none
    height: float
    width: float

    @property
    def centers(self) -> NDArray[np.float64]:
        """The middle of each cell, [cells, 2] of (y, x)."""
        centers: NDArray[np.float64] = self.corners.mean(axis=1)
        return centers

    @functools.cached_property
    def index(self) -> dict[Cell, int]:
        """The number of each cell."""
        return {cell: number for number, cell in enumerate(self.cells)}

    def values(self, array: NDArray[Value]) -> NDArray[Value]:
        """The entries of an array `[height, width]` at the cells, `[cells]`."""
        rows, columns = np.array(self.cells).T
        values: NDArray[Value] = array[rows, columns]
        return values

    def borders(self, labels: NDArray[np.int64]) -> NDArray[np.bool_]:
        """For each side of a cell, bool [cells, k]: does another of the labels [cells], or the rim, lie beyond it?"""
        borders: NDArray[np.bool_] = (self.beyond < 0) | (labels[self.beyond] != labels[:, None])
        return borders


@functools.cache
def shapes(board: Board) -> Shapes:
    """The polygons of a board."""
    cells = tuple(sorted(board.cell_set))
    corners = np.array([polygon(board.lattice, cell) for cell in cells])
    corners -= corners.min(axis=(0, 1))
    height, width = corners.max(axis=(0, 1))
    return Shapes(cells, corners, _beyond(corners), float(height), float(width))


def _beyond(corners: NDArray[np.float64]) -> NDArray[np.int64]:
    """Which cell has the same side, walked in the other direction."""
    points: list[list[tuple[int, int]]] = np.rint(corners * 1000).astype(int).tolist()
    sides = {side: number for number, polygon in enumerate(points) for side in _sides(polygon)}
    return np.array([[sides.get((end, start), -1) for start, end in _sides(polygon)] for polygon in points])


def _sides(points: Iterable[Iterable[int]]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    walk = [tuple(point) for point in points]
    return list(zip(walk, [*walk[1:], walk[0]], strict=True))


def column_centers(board: Board) -> dict[int, float]:
    """The x in the middle of each column of cells."""
    found = shapes(board)
    return {column: float(center) for (_, column), (_, center) in zip(found.cells, found.centers, strict=True)}


def row_centers(board: Board) -> dict[int, float]:
    """The y in the middle of each row of cells."""
    found = shapes(board)
    middles = (found.corners.min(axis=1) + found.corners.max(axis=1))[:, 0] / 2
    return {row: float(middle) for (row, _), middle in zip(found.cells, middles, strict=True)}
