"""Callisto, Nexos and GembloQ as the rules tell them: sets of cells, nothing clever, nothing shared with the engine.

Placements are the oracle's lists. A cell is its name, "f9"; what touches what follows from the points of cells: squares
and quarter squares have corner points, segments have ends.
"""

from dataclasses import dataclass, field
from functools import cache

from tests import oracle

Cells = frozenset[str]
Point = tuple[int, int]

BOARDS = {"callisto_2_4": "callisto", "nexos_2": "nexos", "gembloq_2_4": "gembloq"}  # the others have their own
STARTS = {
    "nexos": ["e22 d21 f21 e20", "u22 t21 v21 u20", "u6 t5 v5 u4", "e6 d5 f5 e4"],
    "gembloq": ["b27 c27 b28 c28", "bb27 bc27 bb28 bc28", "bb1 bc1 bb2 bc2", "b1 c1 b2 c2"],
    "gembloq_2": ["n21 o21 n22 o22", "ad1 ae1 ad2 ae2"],
    "gembloq_3": ["z1 aa1 z2 aa2", "b19 c19 b20 c20", "ax19 ay19 ax20 ay20"],
}


@cache
def place(cell: str) -> Point:
    """Row from the bottom and column from the left, from 1."""
    letters = cell.rstrip("0123456789")
    column = sum(26**power * (ord(letter) - 96) for power, letter in enumerate(reversed(letters)))
    return int(cell[len(letters) :]), column


@cache
def points(game: str, cell: str) -> frozenset[Point]:
    """The corner points of a cell, or the ends of a segment."""
    row, column = place(cell)
    if game == "callisto":
        return frozenset((row + a, column + b) for a in (0, 1) for b in (0, 1))
    if game == "nexos":
        return frozenset({(row, column - 1), (row, column + 1)} if row % 2 else {(row - 1, column), (row + 1, column)})
    return quarter_points(row, column)


def quarter_points(row: int, column: int) -> frozenset[Point]:
    """Two triangles fill a box of one row and two columns; its diagonal runs up in every second box."""
    box, left = (column - 1) // 2, column % 2 == 1
    low_left, low_right, high_left, high_right = ((row + a, box + b) for a in (0, 1) for b in (0, 1))
    if (row + box) % 2:  # from upper left to lower right
        return frozenset({high_left, low_right, low_left if left else high_right})
    return frozenset({low_left, high_right, high_left if left else low_right})


@cache
def piece_of(board: str) -> dict[Cells, str]:
    """Every placement with its piece."""
    return {frozenset(move.split(",")): name for name, moves in oracle.placements(board).items() for move in moves}


def center(board: str) -> set[Cells]:
    """C2: the octagon in the middle, six wide and two at its ends, where no single square may go."""
    low = 6 if board == "callisto_2" else 8
    rows, inner = range(low, low + 6), (low + 2, low + 3)
    near = {(r, c) for r in rows for c in rows}
    distance = {(r, c): min(abs(r - i) for i in inner) + min(abs(c - i) for i in inner) for r, c in near}
    return {cells for cells in piece_of(board) if len(cells) == 1 and distance.get(place(min(cells)), 9) <= 2}


@dataclass
class Game:
    variant: str
    color: int | None = 0
    own: list[set[str]] = field(init=False)
    played: list[list[Cells]] = field(init=False)

    def __post_init__(self) -> None:
        self.board = BOARDS.get(self.variant, self.variant)
        self.game = self.variant.split("_")[0]
        self.colors = len(oracle.COLORS[self.variant])
        self.own = [set() for _ in range(self.colors)]
        self.played = [[] for _ in range(self.colors)]

    def left(self, color: int, name: str) -> int:
        copies = 1
        if self.game == "callisto":
            copies = 3 if name == "1" else 1 if name in ("T5", "U", "W", "X") else 2
        return copies - [piece_of(self.board)[cells] for cells in self.played[color]].count(name)

    def shared(self, cells: Cells, own: set[str], number: int) -> bool:
        """Whether a cell has so many points in common with one of its own color."""
        return any(len(points(self.game, a) & points(self.game, b)) >= number for a in cells for b in own)

    def through(self, cells: Cells) -> set[Point]:
        """N3: the intersections that a piece of segments runs straight through."""
        found = set()
        for point in set().union(*(points(self.game, cell) for cell in cells)):
            around = [place(cell) for cell in cells if point in points(self.game, cell)]
            if any((2 * point[0] - row, 2 * point[1] - column) in around for row, column in around):
                found.add(point)
        return found

    def is_legal(self, color: int, cells: Cells, name: str) -> bool:
        own, first = self.own[color], not self.played[color]
        if not self.left(color, name) or any(cells & other for other in self.own):  # B2, B3
            return False
        if self.game == "callisto":
            if name == "1":
                return cells not in center(self.board)  # C2
            return len(self.played[color]) >= 2 and self.shared(cells, own, 2)  # C1, C3
        if self.game == "nexos":
            crossed = set().union(*(self.through(other) for played in self.played for other in played))
            if self.through(cells) & crossed:  # N3
                return False
            start = set(STARTS["nexos"][color].split())
            return bool(cells & start) if first else self.shared(cells, own, 1)  # N1, N2
        if first:
            return cells >= set(STARTS[self.board][color].split())  # G2
        return self.shared(cells, own, 1) and not self.shared(cells, own, 2)  # B5

    def legal(self, color: int) -> set[Cells]:
        return {cells for cells, name in piece_of(self.board).items() if self.is_legal(color, cells, name)}

    def push(self, cells: Cells) -> None:
        assert self.color is not None
        self.own[self.color] |= cells
        self.played[self.color].append(cells)

    def points(self, color: int) -> float:
        """S5."""
        if self.game == "callisto":
            return sum(len(cells) for cells in self.played[color] if len(cells) > 1)
        if self.game == "gembloq":
            return sum(map(len, self.played[color])) / 4
        return sum(map(len, self.played[color])) + 10 * (len(self.played[color]) == 24)
