"""Duo and Classic as the rules tell them: sets of (row, column), nothing clever, nothing shared with the engine.

Rules are cited by the numbers of blokus_env/RULES.md. Row 0 is the top row.
"""

from dataclasses import dataclass, field
from functools import cache

Cell = tuple[int, int]
Cells = frozenset[Cell]

DRAWINGS = """
1  2   I3   V3  I4    L4   Z4   T4   O   I5     L5    N     P    U    V5   T5   W    Z5   X    F    Y
#  ##  ###  ##  ####  #..  ##.  ###  ##  #####  #...  ##..  ##.  ###  #..  ###  #..  ##.  .#.  .##  .#..
            #.        ###  .##  .#.  ##         ####  .###  ###  #.#  #..  .#.  ##.  .#.  ###  ##.  ####
                                                                      ###  .#.  .##  .##  .#.  .#.
"""


def read_drawings() -> dict[str, Cells]:
    """Each piece's cells, read off the columns under its name."""
    names, *rows = DRAWINGS.strip("\n").splitlines()
    pieces = {}
    for name in names.split():
        left = f" {names} ".index(f" {name} ")
        width = len(rows[0][left:].split()[0])
        columns = range(left, left + width)
        pieces[name] = frozenset(
            (r, c - left) for r, row in enumerate(rows) for c in columns if c < len(row) and row[c] == "#"
        )
    return pieces


PIECES = read_drawings()


def to_corner(cells: set[Cell] | Cells) -> Cells:
    """The same shape, moved to the upper left corner."""
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return frozenset((r - top, c - left) for r, c in cells)


def orientations(cells: Cells) -> set[Cells]:
    """B2: all rotations and reflections."""
    found = set()
    for _ in range(4):
        cells = frozenset((c, -r) for r, c in cells)
        found |= {to_corner(cells), to_corner({(r, -c) for r, c in cells})}
    return found


@cache
def placements(size: int) -> dict[Cells, str]:
    """Every placement on an empty board (B3), with its piece: piece × orientation × cell."""
    return {
        frozenset((r + down, c + right) for r, c in shape): name
        for name, cells in PIECES.items()
        for shape in orientations(cells)
        for down in range(size)
        for right in range(size)
        if all(r + down < size and c + right < size for r, c in shape)
    }


def edge_neighbors(cell: Cell) -> set[Cell]:
    r, c = cell
    return {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}


def corner_neighbors(cell: Cell) -> set[Cell]:
    r, c = cell
    return {(r - 1, c - 1), (r - 1, c + 1), (r + 1, c - 1), (r + 1, c + 1)}


SIZE = {"duo": 14, "classic": 20}
STARTS = {"duo": [(4, 4), (9, 9)], "classic": [(0, 0), (0, 19), (19, 19), (19, 0)]}  # "fixed": color i has the i-th


@dataclass
class Game:
    variant: str = "duo"
    start: str = "fixed"  # or "either" (Duo), "any_corner" (Classic)
    scoring: str = "advanced"  # or "basic"
    color: int | None = 0  # to move, None when the game is over
    own: list[set[Cell]] = field(init=False)  # the cells of each color
    played: list[list[str]] = field(init=False)  # the pieces that each color has placed, in order

    def __post_init__(self) -> None:
        self.size, self.num_colors = SIZE[self.variant], len(STARTS[self.variant])
        self.own = [set() for _ in range(self.num_colors)]
        self.played = [[] for _ in range(self.num_colors)]

    def start_cells(self, color: int) -> set[Cell]:
        """B4: its own start cell, or any that is still free."""
        starts = STARTS[self.variant]
        return {starts[color]} if self.start == "fixed" else set(starts) - set().union(*self.own)

    def legal(self, color: int) -> set[Cells]:
        """The legal placements of a color, as if it were its turn."""
        occupied, own = set().union(*self.own), self.own[color]
        beside = set().union(*map(edge_neighbors, own))
        must_cover = set().union(*map(corner_neighbors, own)) if own else self.start_cells(color)
        return {
            cells
            for cells, piece in placements(self.size).items()
            if piece not in self.played[color]  # B2
            and cells.isdisjoint(occupied)  # B3
            and not cells.isdisjoint(must_cover)  # B4, B5: a corner touches
            and cells.isdisjoint(beside)  # B5: no edge touches
        }

    def push(self, cells: Cells) -> None:
        """Places a piece for the color to move; then the next color that can move is to move (B6), or none is (B7)."""
        assert self.color is not None and cells in self.legal(self.color)
        self.own[self.color] |= cells
        self.played[self.color].append(placements(self.size)[cells])
        following = [(self.color + k) % self.num_colors for k in range(1, self.num_colors + 1)]
        self.color = next((color for color in following if self.legal(color)), None)

    def bonus(self, color: int) -> int:
        """S1: 15 for placing everything, 5 more if the single square came last."""
        if self.scoring == "basic" or len(self.played[color]) < len(PIECES):
            return 0
        return 20 if self.played[color][-1] == "1" else 15

    def scores(self) -> list[int]:
        """S1, S2: minus the squares left, plus the bonus."""
        return [len(self.own[c]) - 89 + self.bonus(c) for c in range(self.num_colors)]

    def raw_points(self) -> list[int]:
        return [len(self.own[c]) + self.bonus(c) for c in range(self.num_colors)]

    def places(self) -> list[int]:
        """S3: the number of better scores; equal scores share a place."""
        scores = self.scores()
        return [sum(other > score for other in scores) for score in scores]


def parse(text: str, size: int) -> Cells:
    """f9,e10: column letters from the left, row numbers from the bottom."""
    return frozenset((size - int(name[1:]), ord(name[0]) - ord("a")) for name in text.split(","))


def text(cells: Cells, size: int) -> str:
    """The opposite of parse: sorted by row from the bottom, then column."""
    return ",".join(f"{chr(ord('a') + c)}{size - r}" for r, c in sorted(cells, key=lambda cell: (-cell[0], cell[1])))
