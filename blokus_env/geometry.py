"""Lattices and boards: cells, neighbors, symmetries.

Every lattice lives on integer (row, column) positions and repeats periodically: positions of the same `kind` look the
same. What touches
what follows from vertices alone: cells that share two vertices share an edge, cells that share one touch at a corner.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from blokus_env.pieces import Cell

Vertex = tuple[int, int]
Offsets = tuple[Cell, ...]


@dataclass(frozen=True, order=True)
class Orientation:
    """A piece in one rotation or reflection: cells relative to the origin, the upper left corner of their bounding box.

    `kind` is the kind of the origin's position: only origins of that kind carry this orientation.
    """

    kind: int
    cells: Offsets

    @property
    def height(self) -> int:
        """Rows of the bounding box."""
        return 1 + max(row for row, _ in self.cells)

    @property
    def width(self) -> int:
        """Columns of the bounding box."""
        return 1 + max(column for _, column in self.cells)


class Lattice(Protocol):
    """A periodic tiling of the plane."""

    @property
    def num_kinds(self) -> int:
        """How many kinds of positions there are."""

    def kind(self, row: int, column: int) -> int:
        """Translation class of a position, 0 … num_kinds − 1."""

    def vertices(self, row: int, column: int) -> tuple[Vertex, ...]:
        """Corner points of a cell."""

    def orientations(self, cells: Offsets) -> tuple[Orientation, ...]:
        """All distinct rotations and reflections of a drawn piece, sorted."""


@dataclass(frozen=True)
class SquareLattice:
    """The grid of unit squares."""

    num_kinds: int = 1

    def kind(self, row: int, column: int) -> int:
        """Every position looks the same."""
        return 0

    def vertices(self, row: int, column: int) -> tuple[Vertex, ...]:
        """The four corner points."""
        return ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))

    def orientations(self, cells: Offsets) -> tuple[Orientation, ...]:
        """At most eight: four quarter turns of the piece and of its mirror image."""
        found = set()
        for mirrored in (cells, tuple((row, -column) for row, column in cells)):
            turned = mirrored
            for _ in range(4):
                turned = tuple((column, -row) for row, column in turned)
                found.add(Orientation(0, _at_origin(turned)))
        return tuple(sorted(found))


def _at_origin(cells: Iterable[Cell]) -> Offsets:
    """Move cells so that their bounding box starts at (0, 0); sorted."""
    cells = list(cells)
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def neighbors(lattice: Lattice, row: int, column: int) -> tuple[Offsets, Offsets]:
    """Offsets of the cells that share an edge with a cell, and of those that share just a corner point."""
    reach = range(-4, 5)
    own = set(lattice.vertices(row, column))
    shared: Counter[Cell] = Counter()
    for dr in reach:
        for dc in reach:
            if (dr, dc) != (0, 0):
                shared[dr, dc] = len(own.intersection(lattice.vertices(row + dr, column + dc)))
    edge = tuple(offset for offset, count in shared.items() if count >= 2)
    corner = tuple(offset for offset, count in shared.items() if count == 1)
    return edge, corner


@dataclass(frozen=True)
class Symmetry:
    """A map of the square plane: `turns` clockwise quarter turns, after a reflection in the main diagonal if
    `transpose`.
    """

    turns: int
    transpose: bool = False

    def __call__(self, cell: Cell, height: int, width: int) -> Cell:
        """Where a cell of a height × width board goes."""
        row, column = cell
        if self.transpose:
            row, column, height, width = column, row, width, height
        for _ in range(self.turns % 4):
            row, column, height, width = column, height - 1 - row, width, height
        return row, column


SQUARE_SYMMETRIES = tuple(Symmetry(turns, transpose) for transpose in (False, True) for turns in range(4))


@dataclass(frozen=True)
class Board:
    """A finite part of a lattice inside a height × width rectangle."""

    height: int
    width: int
    lattice: Lattice = field(default_factory=SquareLattice)
    cells: frozenset[Cell] | None = None  # None: the whole rectangle
    symmetries: tuple[Symmetry, ...] = ()  # that map the board onto itself

    @cached_property
    def cell_set(self) -> frozenset[Cell]:
        """All cells of the board."""
        if self.cells is not None:
            return self.cells
        return frozenset((row, column) for row in range(self.height) for column in range(self.width))

    def placements(self, orientation: Orientation) -> list[Cell]:
        """Origins at which an orientation lies wholly on the board, by row and column."""
        return [
            (row, column)
            for row in range(self.height - orientation.height + 1)
            for column in range(self.width - orientation.width + 1)
            if self.lattice.kind(row, column) == orientation.kind
            and all((row + dr, column + dc) in self.cell_set for dr, dc in orientation.cells)
        ]

    def cell_text(self, cell: Cell) -> str:
        """Column letters from the left and the row number from the bottom: `a1` is the lower left corner."""
        row, column = cell
        letters = chr(ord("a") + column % 26)
        if column >= 26:
            letters = chr(ord("a") + column // 26 - 1) + letters
        return f"{letters}{self.height - row}"

    def parse_cell(self, text: str) -> Cell:
        """Inverse of `cell_text`; the cell may lie off the board. Raises ValueError for anything else."""
        match = re.fullmatch(r"([a-z]{1,2})([1-9]\d*)", text.strip().lower())
        if match is None:
            raise ValueError(f"{text!r} is not a cell: expected column letters and a row number such as 'e10'")
        column = 0
        for letter in match[1]:
            column = column * 26 + ord(letter) - ord("a") + 1
        return self.height - int(match[2]), column - 1


def square_board(size: int) -> Board:
    """A size × size board of squares with all its eight symmetries."""
    return Board(size, size, SquareLattice(), None, SQUARE_SYMMETRIES)
