"""The rules again, slow and obvious: sets of cubes (row, column, level). Shares no code with the package."""

from dataclasses import dataclass, field

Cube = tuple[int, int, int]
Cubes = frozenset[Cube]

STONES: dict[str, Cubes] = {
    "2": frozenset({(0, 0, 0), (0, 1, 0)}),
    "I3": frozenset({(0, 0, 0), (0, 1, 0), (0, 2, 0)}),
    "V3": frozenset({(0, 0, 0), (0, 1, 0), (1, 0, 0)}),
    "I4": frozenset({(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0)}),
    "L4": frozenset({(0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 0)}),
    "O": frozenset({(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)}),
    "T4": frozenset({(0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 1, 0)}),
    "Z4": frozenset({(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 2, 0)}),
    "A": frozenset({(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 0, 1)}),
    "B": frozenset({(0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 1, 1)}),
    "P": frozenset({(0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1)}),
}


def quarter_turn(cube: Cube, axis: int) -> Cube:
    """By 90 degrees about the axis of rows, columns or levels."""
    row, column, level = cube
    return [(row, -level, column), (level, column, -row), (-column, row, level)][axis]


def moved(cubes: Cubes | set[Cube], row: int, column: int, level: int) -> Cubes:
    return frozenset((r + row, c + column, z + level) for r, c, z in cubes)


def at_corner(cubes: Cubes | set[Cube]) -> Cubes:
    return moved(cubes, *(-min(cube[axis] for cube in cubes) for axis in range(3)))


def turned(stone: Cubes) -> set[Cubes]:
    """All shapes that quarter turns make of a stone."""
    found, waiting = set(), [at_corner(stone)]
    while waiting:
        shape = waiting.pop()
        if shape not in found:
            found.add(shape)
            waiting += [at_corner({quarter_turn(cube, axis) for cube in shape}) for axis in range(3)]
    return found


ORIENTED = {name: turned(stone) for name, stone in STONES.items()}


def faces(cube: Cube) -> list[Cube]:
    """The cubes that would share a face with it."""
    r, c, z = cube
    return [(r - 1, c, z), (r + 1, c, z), (r, c - 1, z), (r, c + 1, z), (r, c, z - 1), (r, c, z + 1)]


@dataclass
class Reference:
    """A game; `limits` says for each square of the ground plan how high it may be built."""

    limits: dict[tuple[int, int], int]
    num_colors: int
    out_after_pass: bool = False
    table: dict[Cube, int] = field(default_factory=dict)  # the color of each cube
    out: set[int] = field(default_factory=set)
    color: int | None = 0

    def __post_init__(self) -> None:
        self.left = [set(STONES) for _ in range(self.num_colors)]

    def fits(self, color: int, cubes: Cubes) -> bool:
        """Whether a stone of this color may lie so."""
        for row, column, level in cubes:
            if (row, column) not in self.limits or level >= self.limits[row, column]:
                return False  # off the ground plan, R4
            if (row, column, level) in self.table:
                return False  # B3
            below = (row, column, level - 1)
            if level > 0 and below not in self.table and below not in cubes:
                return False  # R1
        touched = {self.table[near] for cube in cubes for near in faces(cube) if near in self.table}
        if color in self.table.values():
            return color in touched  # R3
        if not self.table:
            return True  # R2: the first stone of the game
        return bool(touched) and any(level == 0 for _, _, level in cubes)  # R2: any other first stone

    def legal(self, color: int) -> dict[Cubes, str]:
        """Every placement of a color as the cubes that it adds, and its stone."""
        if color in self.out:
            return {}
        return {
            cubes: name
            for name in self.left[color]
            for shape in ORIENTED[name]
            for row, column in self.limits
            for level in range(max(self.limits.values()))
            if self.fits(color, cubes := moved(shape, row, column, level))
        }

    def play(self, cubes: Cubes) -> list[int]:
        """Place and pass on; returns the colors that were passed over while the game goes on."""
        assert self.color is not None
        self.left[self.color].remove(self.legal(self.color)[cubes])
        self.table |= dict.fromkeys(cubes, self.color)
        passed = []
        for step in range(1, self.num_colors + 1):
            color = (self.color + step) % self.num_colors
            if self.legal(color):
                self.color = color
                return passed
            passed.append(color)
            if self.out_after_pass:
                self.out.add(color)
        self.color = None
        return []

    def seen(self, color: int) -> set[tuple[int, int]]:
        """The squares on which a color is seen from above."""
        found = set()
        for row, column in self.limits:
            pile = [level for r, c, level in self.table if (r, c) == (row, column)]
            if pile and self.table[row, column, max(pile)] == color:
                found.add((row, column))
        return found

    def score(self, color: int) -> int:
        """R5."""
        return len(self.seen(color)) - len(self.left[color])
