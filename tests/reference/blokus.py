"""The family on flat boards as the rules tell it: sets of cells, nothing clever, nothing shared with the engine.

Rules are cited by the numbers of blokus_env/RULES.md. A cell is (row, column), row 0 the top row and column 0 "a".
What touches what follows from corner points, (y, x): two cells with two common points share an edge, with one they
touch at a corner. Triangles have their points at half columns.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import cache

Cell = tuple[int, int]
Cells = frozenset[Cell]
Point = tuple[int, int]
Polygon = frozenset[Point]  # the corner points of a cell

SQUARES = """
1  2   I3   V3  I4    L4   Z4   T4   O   I5     L5    N     P    U    V5   T5   W    Z5   X    F    Y
#  ##  ###  ##  ####  #..  ##.  ###  ##  #####  #...  ##..  ##.  ###  #..  ###  #..  ##.  .#.  .##  .#..
            #.        ###  .##  .#.  ##         ####  .###  ###  #.#  #..  .#.  ##.  .#.  ###  ##.  ####
                                                                      ###  .#.  .##  .##  .#.  .#.
"""

TRIANGLES = """
1  2   I3   A4   C4   I4    C5   I5     L5    P5   A6    F     G     I6      L6     O    P6     S      V      W      X    Y
V  VA  VAV  .A.  AVA  VAVA  AVA  AVAVA  VAVA  VA.  .VA.  A.A.  AV..  VAVAVA  A....  AVA  VAVAV  ..AVA  VA...  ..A..  VAV  ..AV
            AVA  ..V        .AV         ...V  AVA  VAVA  VAVA  VAVA          VAVAV  VAV  .V...  VAV..  .VAVA  VAVAV  AVA  VAVA
"""  # noqa: E501


def square(row: int, column: int) -> Polygon:
    return frozenset({(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)})


def triangle(row: int, column: int) -> Polygon:
    """It points up where row + column is even."""
    if (row + column) % 2 == 0:
        return frozenset({(row, column), (row + 1, column - 1), (row + 1, column + 1)})
    return frozenset({(row, column - 1), (row, column + 1), (row + 1, column)})


def read_drawings(drawings: str) -> dict[str, frozenset[Polygon]]:
    """Each piece's cells, read off the columns under its name: `#` a square, `A` and `V` triangles."""
    names, *rows = drawings.strip("\n").splitlines()
    pieces = {}
    for name in names.split():
        left = f" {names} ".index(f" {name} ")
        width = len(rows[0][left:].split()[0])
        marks = {(r, c): row[left + c] for r, row in enumerate(rows) for c in range(width) if left + c < len(row)}
        marks = {cell: mark for cell, mark in marks.items() if mark in "#AV"}
        make = square if "#" in marks.values() else triangle
        odd = any((r + c) % 2 != "AV".index(mark) for (r, c), mark in marks.items() if mark != "#")
        pieces[name] = frozenset(make(r, c + odd) for r, c in marks)
    return pieces


SQUARE_PIECES, TRIANGLE_PIECES = read_drawings(SQUARES), read_drawings(TRIANGLES)
JUNIOR_PIECES = {name: SQUARE_PIECES[name] for name in "1 2 I3 V3 I4 L4 O T4 Z4 I5 L5 P".split()}


def moved(shape: frozenset[Polygon], dy: int, dx: int) -> frozenset[Polygon]:
    return frozenset(frozenset((y + dy, x + dx) for y, x in polygon) for polygon in shape)


def to_corner(shape: frozenset[Polygon]) -> frozenset[Polygon]:
    """The same shape, with its first point at (0, 0)."""
    y, x = min(point for polygon in shape for point in polygon)
    return moved(shape, -y, -x)


def turned(polygon: Polygon) -> Polygon:
    """Clockwise by 60 degrees for triangles (a point's x counts half sides, its y rows), else by 90."""
    if len(polygon) == 3:
        return frozenset(((x + y) // 2, (x - 3 * y) // 2) for y, x in polygon)
    return frozenset((x, -y) for y, x in polygon)


def mirrored(polygon: Polygon) -> Polygon:
    return frozenset((y, -x) for y, x in polygon)


def orientations(shape: frozenset[Polygon]) -> set[frozenset[Polygon]]:
    """B2: all rotations and reflections."""
    found = set()
    for _ in range(6):
        shape = frozenset(map(turned, shape))
        found |= {to_corner(shape), to_corner(frozenset(map(mirrored, shape)))}
    return found


def square_cells(size: int) -> dict[Cell, Polygon]:
    return {(r, c): square(r, c) for r in range(size) for c in range(size)}


def hexagon_cells(edge: int) -> dict[Cell, Polygon]:
    """Rows of triangles, longest in the middle; in the upper half a row begins with one that points up."""
    cells = {}
    for row in range(2 * edge):
        depth = min(row, 2 * edge - 1 - row)
        for column in range(edge - 1 - depth, 3 * edge + depth):
            cells[row, column] = triangle(row, column + (edge - 1) % 2)
    return cells


@dataclass(frozen=True, eq=False)
class Board:
    """Cells with their polygons, and the pieces that lie on them."""

    height: int
    cells: dict[Cell, Polygon]
    pieces: dict[str, frozenset[Polygon]]
    placements: dict[Cells, str] = field(init=False)  # every placement on the empty board (B3), with its piece
    covering: dict[Cell, list[Cells]] = field(init=False)  # the placements on each cell
    edge: dict[Cell, set[Cell]] = field(init=False)  # what shares an edge with a cell
    corner: dict[Cell, set[Cell]] = field(init=False)  # what touches it at a corner

    def __post_init__(self) -> None:
        at_point: dict[Point, set[Cell]] = {}
        for cell, polygon in self.cells.items():
            for point in polygon:
                at_point.setdefault(point, set()).add(cell)
        common = {cell: Counter(n for p in polygon for n in at_point[p]) for cell, polygon in self.cells.items()}
        edge = {cell: {n for n, count in counts.items() if count == 2} for cell, counts in common.items()}
        corner = {cell: {n for n, count in counts.items() if count == 1} for cell, counts in common.items()}
        placements = self._all_placements()
        covering: dict[Cell, list[Cells]] = {cell: [] for cell in self.cells}
        for cells in placements:
            for cell in cells:
                covering[cell].append(cells)
        for name, value in (("placements", placements), ("covering", covering), ("edge", edge), ("corner", corner)):
            object.__setattr__(self, name, value)

    def _all_placements(self) -> dict[Cells, str]:
        cell_of = {polygon: cell for cell, polygon in self.cells.items()}
        found = {}
        for name, shape in self.pieces.items():
            for oriented in orientations(shape):
                y, x = min(min(oriented, key=sorted))
                for polygon in cell_of:  # where the shape's first cell may go
                    to_y, to_x = min(polygon)
                    covered = [cell_of.get(part) for part in moved(oriented, to_y - y, to_x - x)]
                    if None not in covered:
                        found[frozenset(cell for cell in covered if cell)] = name
        return found


@cache
def board(kind: str) -> Board:
    if kind == "hexagon 9":
        return Board(18, hexagon_cells(9), TRIANGLE_PIECES)
    if kind == "hexagon 8":
        return Board(16, hexagon_cells(8), TRIANGLE_PIECES)
    if kind == "junior":
        return Board(14, square_cells(14), JUNIOR_PIECES)
    size = int(kind)
    return Board(size, square_cells(size), SQUARE_PIECES)


def symmetries(kind: Board) -> set[frozenset[tuple[Cell, Cell]]]:
    """All rotations and reflections that take a board onto itself, each as pairs of a cell and where it goes."""
    cell_of = {polygon: cell for cell, polygon in kind.cells.items()}
    top, left = min(point for polygon in cell_of for point in polygon)
    found = set()
    images = dict(kind.cells)
    for turn in range(12):
        if turn == 6:
            images = {cell: mirrored(polygon) for cell, polygon in images.items()}
        images = {cell: turned(polygon) for cell, polygon in images.items()}
        y, x = min(point for polygon in images.values() for point in polygon)
        placed = {cell: frozenset((b + top - y, a + left - x) for b, a in polygon) for cell, polygon in images.items()}
        if set(placed.values()) == set(cell_of):
            found.add(frozenset((cell, cell_of[polygon]) for cell, polygon in placed.items()))
    return found


BOARDS = {
    **dict.fromkeys(("duo", "to_go"), "14"),
    "junior": "junior",
    **dict.fromkeys(("classic", "classic_2", "classic_3", "classic_teams"), "20"),
    **dict.fromkeys(("trigon", "trigon_2"), "hexagon 9"),
    "trigon_3": "hexagon 8",
}
DUO_STARTS, CORNERS = ["e10", "j5"], ["a20", "t20", "t1", "a1"]
TRIGON_STARTS = ["r15", "r4", "j12", "j7", "z12", "z7"]
STARTS = {  # with the start rule "fixed" color i has the i-th, else it takes any that is free
    **dict.fromkeys(("duo", "to_go", "junior"), DUO_STARTS),
    **dict.fromkeys(("classic", "classic_2", "classic_3", "classic_teams"), CORNERS),
    **dict.fromkeys(("trigon", "trigon_2"), TRIGON_STARTS),
    "trigon_3": ["p14", "p3", "h11", "h6", "x11", "x6"],
}


@dataclass
class Game:
    variant: str = "duo"
    start: str = "fixed"
    scoring: str = "advanced"  # or "basic"
    shared: int = 3  # the color that is shared in classic_3
    color: int | None = 0  # to move, None when the game is over
    own: list[set[Cell]] = field(init=False)  # the cells of each color
    played: list[list[str]] = field(init=False)  # the pieces that each color has placed, in order

    def __post_init__(self) -> None:
        self.board = board(BOARDS[self.variant])
        self.num_colors = {"duo": 2, "to_go": 2, "junior": 2, "trigon_3": 3}.get(self.variant, 4)
        self.copies = 2 if self.variant == "junior" else 1
        self.own = [set() for _ in range(self.num_colors)]
        self.played = [[] for _ in range(self.num_colors)]

    # Rules of colors

    def start_cells(self, color: int) -> set[Cell]:
        """B4: its own start cell, or any that is still free."""
        starts = [parse(name, self.board.height) for name in STARTS[self.variant]]
        if self.start == "fixed":
            return set(starts[color])
        return set().union(*starts) - set().union(*self.own)

    def legal(self, color: int) -> set[Cells]:
        """The legal placements of a color, as if it were its turn."""
        occupied, own = set().union(*self.own), self.own[color]
        beside = set().union(*(self.board.edge[cell] for cell in own))
        at_corners = set().union(*(self.board.corner[cell] for cell in own))
        must_cover = at_corners if own else self.start_cells(color)
        left = self.left(color)
        return {
            cells
            for cell in must_cover - occupied - beside  # B4, B5: a corner touches
            for cells in self.board.covering[cell]
            if left[self.board.placements[cells]] > 0  # B2
            and cells.isdisjoint(occupied)  # B3
            and cells.isdisjoint(beside)  # B5: no edge touches
        }

    def left(self, color: int) -> Counter[str]:
        """How many of each piece are in hand."""
        hand = Counter(dict.fromkeys(self.board.pieces, self.copies))
        hand.subtract(self.played[color])
        return hand

    def push(self, cells: Cells) -> None:
        """Places a piece for the color to move; then the next color that can move is to move (B6), or none is (B7)."""
        assert self.color is not None and cells in self.legal(self.color)
        self.own[self.color] |= cells
        self.played[self.color].append(self.board.placements[cells])
        following = [(self.color + k) % self.num_colors for k in range(1, self.num_colors + 1)]
        self.color = next((color for color in following if self.legal(color)), None)

    # Seats

    @property
    def num_players(self) -> int:
        return {"classic_2": 2, "trigon_2": 2, "classic_3": 3}.get(self.variant, self.num_colors)

    def owner(self, color: int) -> int:
        """Who places the color's next piece (B1)."""
        if self.variant in ("classic_2", "trigon_2"):
            return color % 2
        if self.variant == "classic_3":
            if color == self.shared:
                return len(self.played[color]) % 3
            return [other for other in range(4) if other != self.shared].index(color)
        return color

    @property
    def player(self) -> int | None:
        return None if self.color is None else self.owner(self.color)

    def counting(self, player: int) -> list[int]:
        """The colors whose points count for a player (S4)."""
        if self.variant in ("classic_2", "trigon_2", "classic_teams"):
            return [player % 2, player % 2 + 2]
        if self.variant == "classic_3":
            return [[other for other in range(4) if other != self.shared][player]]
        return [player]

    # Scores

    def bonus(self, color: int) -> int:
        """S1: 15 for placing everything, 5 more if the single square came last; none in Junior."""
        if self.variant == "junior" or len(self.played[color]) < len(self.board.pieces):
            return 0
        return 20 if self.played[color][-1] == "1" else 15

    def scores(self) -> list[int]:
        """S1, S2: minus the squares left, plus the bonus."""
        whole = self.copies * sum(map(len, self.board.pieces.values()))
        bonus = [0 if self.scoring == "basic" else self.bonus(c) for c in range(self.num_colors)]
        return [len(self.own[c]) - whole + bonus[c] for c in range(self.num_colors)]

    def raw_points(self) -> list[int]:
        return [len(self.own[c]) + self.bonus(c) for c in range(self.num_colors)]

    def player_scores(self) -> list[int]:
        """S4: the sum."""
        scores = self.scores()
        return [sum(scores[color] for color in self.counting(player)) for player in range(self.num_players)]

    def places(self) -> list[int]:
        """S3: the number of players, or teams, with better scores; equal scores share a place."""
        scores = self.player_scores()
        sides = {tuple(self.counting(player)): scores[player] for player in range(self.num_players)}
        return [sum(other > score for other in sides.values()) for score in scores]


def parse(text: str, height: int) -> Cells:
    """f9,e10: column letters from the left (… z, aa, ab …), row numbers from the bottom."""
    cells = set()
    for name in text.split(","):
        letters = name.rstrip("0123456789")
        column = 26 * (len(letters) - 1) * (1 + ord(letters[0]) - ord("a")) + ord(letters[-1]) - ord("a")
        cells.add((height - int(name[len(letters) :]), column))
    return frozenset(cells)


def text(cells: Cells, height: int) -> str:
    """The opposite of parse: sorted by row from the bottom, then column."""
    names = list("abcdefghijklmnopqrstuvwxyz")
    names += [f"a{name}" for name in names]
    return ",".join(f"{names[c]}{height - r}" for r, c in sorted(cells, key=lambda cell: (-cell[0], cell[1])))
