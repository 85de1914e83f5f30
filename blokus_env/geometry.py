"""Lattices and boards: cells, neighbors, symmetries.

Every lattice lives on integer (row, column) positions and repeats periodically: positions of the same `kind` look the
same. What touches what follows from vertices alone: cells that share two vertices share an edge, cells that share one
touch at a corner.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from blokus_env.pieces import Cell

Vertex = tuple[int, int]
# A rotation or reflection of the whole lattice, told by what it does to vertices.
Transform = Callable[[Vertex], Vertex]
Offsets = tuple[Cell, ...]


@dataclass(frozen=True, order=True)
class Orientation:
    """A piece in one rotation or reflection: cells relative to the origin, the upper left corner of their bounding box.

    `kind` is the kind of the origin's position: only origins of that kind carry this orientation. `joints` are
    positions besides its cells that the piece covers (`Lattice.joints`).
    """

    kind: int
    cells: Offsets
    joints: Offsets = ()

    @property
    def height(self) -> int:
        """Rows of the bounding box."""
        return 1 + max(row for row, _ in self.cells)

    @property
    def width(self) -> int:
        """Columns of the bounding box."""
        return 1 + max(column for _, column in self.cells)


class Lattice(Protocol):
    """A periodic tiling of the plane. Translations that keep the kind of one position keep all."""

    @property
    def num_kinds(self) -> int:
        """How many kinds of positions there are."""

    @property
    def plane_names(self) -> tuple[str, ...]:
        """A suffix for each plane of the embedding: in a plane all cells have the same kind."""

    @property
    def transforms(self) -> tuple[Transform, ...]:
        """All rotations and reflections that take the lattice onto itself; the first is the identity."""

    def kind(self, row: int, column: int) -> int:
        """Translation class of a position, 0 … num_kinds − 1."""

    def representative(self, kind: int) -> Cell:
        """Some position of a kind."""

    def vertices(self, row: int, column: int) -> tuple[Vertex, ...]:
        """Corner points of a cell."""

    def cell(self, vertices: Iterable[Vertex]) -> Cell:
        """The cell with these corner points."""

    def joints(self, cells: Iterable[Cell]) -> Offsets:
        """Positions that are no cells, and that a piece with these cells covers all the same, sorted."""

    def embed(self, row: int, column: int) -> tuple[int, int, int]:
        """Plane, row and column of a cell in an image on which translations of the lattice are translations."""


def _turned(vertex: Vertex, turns: int) -> Vertex:
    """Clockwise quarter turns about (0, 0)."""
    row, column = vertex
    for _ in range(turns):
        row, column = column, -row
    return row, column


def _square_symmetries() -> tuple[Transform, ...]:
    """Transform t < 4 is t clockwise quarter turns; t ≥ 4 is a reflection in the main diagonal, then t − 4 of them."""
    turns = [lambda vertex, t=turns: _turned(vertex, t) for turns in range(4)]
    return (*turns, *(lambda vertex, turn=turn: turn(vertex[::-1]) for turn in turns))


@dataclass(frozen=True)
class SquareLattice:
    """The grid of unit squares."""

    num_kinds: int = 1
    plane_names: tuple[str, ...] = ("",)

    @property
    def transforms(self) -> tuple[Transform, ...]:
        """Four quarter turns, and four after a reflection."""
        return _square_symmetries()

    def kind(self, row: int, column: int) -> int:
        """Every position looks the same."""
        return 0

    def representative(self, kind: int) -> Cell:
        """Any position."""
        return 0, 0

    def vertices(self, row: int, column: int) -> tuple[Vertex, ...]:
        """The four corner points."""
        return ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))

    def cell(self, vertices: Iterable[Vertex]) -> Cell:
        """The square with these corner points."""
        return min(vertices)

    def joints(self, cells: Iterable[Cell]) -> Offsets:
        """None."""
        return ()

    def embed(self, row: int, column: int) -> tuple[int, int, int]:
        """One plane, as it is."""
        return 0, row, column


@dataclass(frozen=True)
class TriangleLattice:
    """Rows of unit triangles that point up and down in turn: up where row + column is even (kind 0).

    Vertices are (row line, half columns), row + column even. The embedding has a plane for the triangles that point up
    and one for those that point down, sheared so that a step along the lattice is a step in the image.
    """

    num_kinds: int = 2
    plane_names: tuple[str, ...] = ("_up", "_down")

    @property
    def transforms(self) -> tuple[Transform, ...]:
        """Six rotations by 60 degrees, and six after a reflection in a vertical line."""

        def turned(vertex: Vertex, turns: int) -> Vertex:
            row, column = vertex
            along, down = (column - row) // 2, row  # in the basis (0, 2), (1, 1)
            for _ in range(turns):
                along, down = -down, along + down
            return down, 2 * along + down

        turns = [lambda vertex, t=turns: turned(vertex, t) for turns in range(6)]
        return (*turns, *(lambda vertex, turn=turn: turn((vertex[0], -vertex[1])) for turn in turns))

    def kind(self, row: int, column: int) -> int:
        """0 if the triangle points up."""
        return (row + column) % 2

    def representative(self, kind: int) -> Cell:
        """A position in row 0."""
        return 0, kind

    def vertices(self, row: int, column: int) -> tuple[Vertex, ...]:
        """Apex and base, from the top."""
        if self.kind(row, column) == 0:
            return ((row, column), (row + 1, column - 1), (row + 1, column + 1))
        return ((row, column - 1), (row, column + 1), (row + 1, column))

    def cell(self, vertices: Iterable[Vertex]) -> Cell:
        """The triangle with these corner points: its column is that of the point alone in its row."""
        points = list(vertices)
        rows = Counter(row for row, _ in points)
        return min(rows), next(column for row, column in points if rows[row] == 1)

    def joints(self, cells: Iterable[Cell]) -> Offsets:
        """None."""
        return ()

    def embed(self, row: int, column: int) -> tuple[int, int, int]:
        """Column c of row r stands in the plane of its kind k at (r, (c − k − r) / 2), which may be negative."""
        kind = self.kind(row, column)
        return kind, row, (column - kind - row) // 2


@dataclass(frozen=True)
class SegmentLattice:
    """Segments between the intersections of a square grid: intersections at even rows and even columns, horizontal
    segments in odd columns of even rows, vertical ones in even columns of odd rows; odd and odd is a hole.

    Two segments that meet at an intersection share one vertex. A piece also covers the intersections that it runs
    straight through (N3).
    """

    num_kinds: int = 4
    plane_names: tuple[str, ...] = ("_horizontal", "_vertical", "_joint")

    @property
    def transforms(self) -> tuple[Transform, ...]:
        """Four quarter turns, and four after a reflection."""
        return _square_symmetries()

    def kind(self, row: int, column: int) -> int:
        """0 an intersection, 1 a horizontal segment, 2 a vertical one, 3 a hole."""
        return 2 * (row % 2) + column % 2

    def representative(self, kind: int) -> Cell:
        """A position next to (0, 0)."""
        return kind // 2, kind % 2

    def vertices(self, row: int, column: int) -> tuple[Vertex, ...]:
        """The two ends of a segment; other positions have none."""
        ends = {1: ((row, column - 1), (row, column + 1)), 2: ((row - 1, column), (row + 1, column))}
        return ends.get(self.kind(row, column), ())

    def cell(self, vertices: Iterable[Vertex]) -> Cell:
        """The segment with these ends."""
        (row, column), (other_row, other_column) = vertices
        return (row + other_row) // 2, (column + other_column) // 2

    def joints(self, cells: Iterable[Cell]) -> Offsets:
        """Intersections at which two of the segments continue each other."""
        own = set(cells)
        along = {(row, column + 1) for row, column in own if row % 2 == 0 and (row, column + 2) in own}
        down = {(row + 1, column) for row, column in own if row % 2 == 1 and (row + 2, column) in own}
        return tuple(sorted(along | down))

    def embed(self, row: int, column: int) -> tuple[int, int, int]:
        """A plane each for horizontal and vertical segments and for intersections, at half the row and column."""
        return {1: 0, 2: 1, 0: 2}[self.kind(row, column)], row // 2, column // 2


@dataclass(frozen=True)
class QuarterLattice:
    """Squares on their corners, each cut into four triangles by its diagonals.

    Vertices are (row line, column line) of a grid of unit boxes; those with an even sum are the middles of squares, the
    others their corners. Each box holds two triangles, the left one in an even column and the right one in the odd
    column after it. Turned by an eighth, so that the squares stand straight, the triangles of a square are its right,
    left, top and bottom quarter (kinds 0 to 3).
    """

    num_kinds: int = 4
    plane_names: tuple[str, ...] = ("_right", "_left", "_top", "_bottom")

    @property
    def transforms(self) -> tuple[Transform, ...]:
        """Four quarter turns, and four after a reflection."""
        return _square_symmetries()

    def kind(self, row: int, column: int) -> int:
        """Which quarter of its square a triangle is."""
        return 2 * ((row + column // 2) % 2) + column % 2

    def representative(self, kind: int) -> Cell:
        """A position in row 0."""
        return 0, kind

    def vertices(self, row: int, column: int) -> tuple[Vertex, ...]:
        """The middle of the square, and two corners of it."""
        (y, x), kind = self._middle(row, column), self.kind(row, column)
        right, left, top, bottom = (y, x + 1), (y, x - 1), (y - 1, x), (y + 1, x)
        corners = ((right, bottom), (left, top), (top, right), (bottom, left))[kind]
        return ((y, x), *corners)

    def _middle(self, row: int, column: int) -> Vertex:
        """The middle of the square that a triangle belongs to."""
        return row + (self.kind(row, column) in (1, 2)), (column + 1) // 2

    def cell(self, vertices: Iterable[Vertex]) -> Cell:
        """The triangle with these corner points: in the left half of its box if two of them are on the left."""
        rows, columns = zip(*vertices, strict=True)
        left = min(columns)
        return min(rows), 2 * left + (columns.count(left) == 1)

    def joints(self, cells: Iterable[Cell]) -> Offsets:
        """None."""
        return ()

    def embed(self, row: int, column: int) -> tuple[int, int, int]:
        """A plane for each quarter, at the row and column of its square among the squares standing straight."""
        y, x = self._middle(row, column)
        return self.kind(row, column), (y - x) // 2, (y + x) // 2


def orientations(lattice: Lattice, cells: Offsets) -> tuple[Orientation, ...]:
    """All distinct rotations and reflections of a piece, sorted."""
    return tuple(sorted({_oriented(lattice, transformed(lattice, t, cells)) for t in lattice.transforms}))


def transformed(lattice: Lattice, transform: Transform, cells: Iterable[Cell]) -> list[Cell]:
    """Where a rotation or reflection takes cells."""
    return [lattice.cell(map(transform, lattice.vertices(*cell))) for cell in cells]


def _oriented(lattice: Lattice, cells: list[Cell]) -> Orientation:
    """Cells relative to the corner of their bounding box, and the kind of that corner."""
    top, left = _corner(cells)

    def relative(cells: Iterable[Cell]) -> Offsets:
        return tuple(sorted((row - top, column - left) for row, column in cells))

    return Orientation(lattice.kind(top, left), relative(cells), relative(lattice.joints(cells)))


def _corner(cells: Iterable[Cell]) -> Cell:
    """Upper left corner of the bounding box."""
    rows, columns = zip(*cells, strict=True)
    return min(rows), min(columns)


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
class Board:
    """A finite part of a lattice inside a height × width rectangle of positions."""

    height: int
    width: int
    lattice: Lattice = field(default_factory=SquareLattice)
    cells: frozenset[Cell] | None = None  # None: the whole rectangle
    first_column: int = 0  # the column that is called "a"

    @cached_property
    def cell_set(self) -> frozenset[Cell]:
        """All cells of the board."""
        if self.cells is not None:
            return self.cells
        return frozenset((row, column) for row in range(self.height) for column in range(self.width))

    @cached_property
    def positions(self) -> tuple[Cell, ...]:
        """Everything that pieces may cover: the cells, and where pieces may have joints; sorted."""
        return tuple(sorted(self.cell_set.union(self.lattice.joints(self.cell_set))))

    def placements(self, orientation: Orientation) -> list[Cell]:
        """Origins at which an orientation lies wholly on the board, by row and column."""
        return [
            (row, column)
            for row in range(self.height - orientation.height + 1)
            for column in range(self.width - orientation.width + 1)
            if self.lattice.kind(row, column) == orientation.kind
            and all((row + dr, column + dc) in self.cell_set for dr, dc in orientation.cells)
        ]

    @cached_property
    def symmetries(self) -> dict[int, dict[Cell, Cell]]:
        """The lattice's transforms that take the board onto itself, by their index: where each cell goes."""
        found = {}
        cells = sorted(self.cell_set)
        top, left = _corner(cells)
        for index, transform in enumerate(self.lattice.transforms):
            images = transformed(self.lattice, transform, cells)
            image_top, image_left = _corner(images)
            moved = [(row - image_top + top, column - image_left + left) for row, column in images]
            same_kind = self.lattice.kind(*moved[0]) == self.lattice.kind(*images[0])
            if same_kind and self.cell_set.issuperset(moved):
                found[index] = dict(zip(cells, moved, strict=True))
        return found

    @cached_property
    def image(self) -> "BoardImage":
        """The embedding of the cells in planes for convolutions."""
        places = {cell: self.lattice.embed(*cell) for cell in self.positions}
        top, left = _corner((row, column) for _, row, column in places.values())
        moved = {cell: (plane, row - top, column - left) for cell, (plane, row, column) in places.items()}
        height = 1 + max(row for _, row, _ in moved.values())
        width = 1 + max(column for _, _, column in moved.values())
        return BoardImage(len(self.lattice.plane_names), height, width, (top, left), moved)

    def cell_text(self, cell: Cell) -> str:
        """Column letters from the left and the row number from the bottom: `a1` is the lower left corner."""
        row, column = cell[0], cell[1] - self.first_column
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
        return self.height - int(match[2]), column - 1 + self.first_column


@dataclass(frozen=True)
class BoardImage:
    """What pieces may cover as pixels: each position has a (plane, row, column), and no two share one."""

    planes: int
    height: int
    width: int
    corner: Cell  # what was subtracted from the lattice's embedding
    places: dict[Cell, tuple[int, int, int]]

    @property
    def is_full(self) -> bool:
        """Whether every pixel is a cell, row after row, as on a rectangle of squares."""
        return self.planes == 1 and len(self.places) == self.height * self.width


def square_board(size: int) -> Board:
    """A size × size board of squares."""
    return Board(size, size)


def hexagon_board(edge: int) -> Board:
    """A hexagon of triangles with edges of a length. The top row begins with a triangle that points up."""
    height, shift = 2 * edge, (edge + 1) % 2  # a column more on the left where that makes row + column even
    cells: set[Cell] = set()
    for row in range(height):
        inset = edge - 1 - min(row, height - 1 - row)
        cells.update((row, column + shift) for column in range(inset, 4 * edge - 1 - inset))
    return Board(height, 4 * edge - 1 + shift, TriangleLattice(), frozenset(cells), shift)


def octagon(size: int, top: int) -> frozenset[Cell]:
    """The cells of a size × size square without its corners; `top` cells are left of its first row."""
    cut = (size - top) // 2
    return frozenset(
        (row, column)
        for row in range(size)
        for column in range(size)
        if min(row, size - 1 - row) + min(column, size - 1 - column) >= cut
    )


def octagon_board(size: int, top: int) -> Board:
    """An octagon of squares, with `top` cells in its first row."""
    return Board(size, size, cells=octagon(size, top))


def segment_board(intersections: int) -> Board:
    """The segments between intersections × intersections points."""
    size, lattice = 2 * intersections - 1, SegmentLattice()
    segments = ((row, column) for row in range(size) for column in range(size) if lattice.vertices(row, column))
    return Board(size, size, lattice, frozenset(segments))


def quarter_board(height: int, width: int, inset: int) -> Board:
    """Quarter squares in a height × width rectangle of positions; the first and last row lack `inset` of them at both
    ends, each further row two less.
    """
    cells: set[Cell] = set()
    for row in range(height):
        missing = max(0, inset - 2 * min(row, height - 1 - row))
        cells.update((row, column) for column in range(missing, width - missing))
    return Board(height, width, QuarterLattice(), frozenset(cells))
