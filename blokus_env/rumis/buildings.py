"""The registry of buildings: ground plan, how high each square may be built, and where the numbers come from.

A plan is drawn as text: a digit is a square of the ground plan and the height that is printed on it, in cubes; a dot
lies outside. Beside that `caps` limits the height of all squares by the number of colors in play (R4).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from blokus_env.geometry import Board
from blokus_env.pieces import Cell

MOST_SQUARES = 64  # rows × columns of a plan: a kernel word has a bit for each
MOST_LEVELS = 8
COLORS = (2, 3, 4)  # how many colors may be in play
NO_CAPS = (MOST_LEVELS,) * len(COLORS)


@dataclass(frozen=True)
class Building:
    """A building.

    Args:
        name: such as "tower".
        title: for people.
        plan: rows of digits and dots.
        caps: the greatest height of any square with 2, 3 and 4 colors.
        source: where the numbers come from.
        verified: whether a source gives these very numbers; False: shape or heights are a guess.

    Raises:
        ValueError: for a plan that is not a rectangle of digits 1 … 8 and dots, has more than 64 squares with those
            outside, or caps that are not three heights.
    """

    name: str
    title: str
    plan: tuple[str, ...]
    caps: tuple[int, ...] = NO_CAPS
    source: str = field(default="", compare=False)
    verified: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "plan", tuple(self.plan))
        object.__setattr__(self, "caps", tuple(self.caps))
        signs = {sign for row in self.plan for sign in row}
        if not self.plan or len({len(row) for row in self.plan}) != 1 or not signs <= set(".12345678"):
            raise ValueError(
                f"plan={self.plan!r} of {self.name!r}: expected equally long rows of dots and digits 1 … 8"
            )
        if signs == {"."} or self.rows * self.columns > MOST_SQUARES:
            raise ValueError(f"plan of {self.name!r}: expected 1 … {MOST_SQUARES} squares, rows × columns")
        if len(self.caps) != len(COLORS) or not all(cap in range(1, MOST_LEVELS + 1) for cap in self.caps):
            raise ValueError(f"caps={self.caps!r} of {self.name!r}: expected heights 1 … 8 for {COLORS} colors")

    @property
    def rows(self) -> int:
        """Rows of the plan's rectangle."""
        return len(self.plan)

    @property
    def columns(self) -> int:
        """Columns of the plan's rectangle."""
        return len(self.plan[0])

    @cached_property
    def board(self) -> Board:
        """The ground plan as a board of squares: names of squares, symmetries."""
        return Board(self.rows, self.columns, cells=frozenset(self._printed))

    @cached_property
    def _printed(self) -> dict[Cell, int]:
        return {
            (row, column): int(sign)
            for row, signs in enumerate(self.plan)
            for column, sign in enumerate(signs)
            if sign != "."
        }

    def limits(self, num_colors: int) -> dict[Cell, int]:
        """How high each square of the ground plan may be built (R4)."""
        cap = self.caps[COLORS.index(num_colors)]
        return {cell: min(height, cap) for cell, height in self._printed.items()}

    @cached_property
    def symmetries(self) -> dict[int, dict[Cell, Cell]]:
        """Turns (0 … 3, clockwise) and reflections (4 … 7) that keep the building as it is: where each square goes."""
        printed = self._printed
        return {
            key: image_of
            for key, image_of in self.board.symmetries.items()
            if all(printed[image] == printed[cell] for cell, image in image_of.items())
        }


def _ring(row: int, column: int, size: int) -> int:
    """1 on the rim of a square of this size, 2 in the next ring, …."""
    return 1 + min(row, column, size - 1 - row, size - 1 - column)


GUESS = "No source at hand gives its numbers. "
SHAPES = "Shape as reviews tell it (Blokus 3D has a tower, an L, steps and a pyramid)"

_ROWS = (
    Building(
        "tower",
        "Tower",
        ("88888",) * 4,
        caps=(4, 6, 8),
        source="5 × 4 squares and 4 / 6 / 8 levels for 2 / 3 / 4 players: the published rules, and other programs for "
        "the game (github.com/didmar/blokus3d has boards of 5 × 4 × 2 · players).",
        verified=True,
    ),
    Building(
        "corner",
        "Corner",
        ("4444444",) * 4 + ("4444...",) * 3,
        caps=(2, 3, 4),
        source=GUESS + SHAPES + "; 40 squares and 2 / 3 / 4 levels are what just takes the 40 cubes of each color.",
    ),
    Building(
        "steps",
        "Steps",
        ("87654321",) * 4,
        source=GUESS + SHAPES + "; the height of each step is printed on the plan (ludorium.at); their number, their "
        "width and that they hold for any number of players are assumed.",
    ),
    Building(
        "pyramid",
        "Pyramid",
        tuple("".join(str(_ring(row, column, 8)) for column in range(8)) for row in range(8)),
        source=GUESS + SHAPES + "; the height of each step is printed on the plan (ludorium.at); the size and that it "
        "holds for any number of players are assumed.",
    ),
)

BUILDINGS: Mapping[str, Building] = MappingProxyType({row.name: row for row in _ROWS})
"""All registered buildings by name."""


def building(name: str | Building) -> Building:
    """Look a building up; a `Building` is handed through. Raises ValueError for an unknown name."""
    if isinstance(name, Building):
        return name
    if name not in BUILDINGS:
        raise ValueError(f"unknown building {name!r}: choose one of {', '.join(map(repr, BUILDINGS))}")
    return BUILDINGS[name]
