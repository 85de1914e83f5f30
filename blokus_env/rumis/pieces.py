"""The stones, drawn as text so that a person can check them by eye.

A drawing is a name and its layers, the lowest one first, beside each other: every `#` is a cube, a dot is nothing. All
eleven ways to join two, three or four cubes are there but the 1×1×1; the two that are mirror images of each other both.
"""

import functools
import itertools
from collections.abc import Iterable
from dataclasses import dataclass

Cube = tuple[int, int, int]  # (row, column, level); row 0 is the top row of the plan, level 0 the lowest

STONES_TEXT = """
2   ##

I3  ###

V3  ##
    #.

I4  ####

L4  ###
    #..

O   ##
    ##

T4  ###
    .#.

Z4  ##.
    .##

A   ##  ..
    #.  #.

B   ##  .#
    #.  ..

P   ##  #.
    #.  ..
"""


@dataclass(frozen=True)
class Stone:
    """A shape: its name and its cubes as drawn. It may be turned in any way, and mirrored only if `mirrored`."""

    name: str
    cubes: tuple[Cube, ...]
    mirrored: bool = False

    @property
    def size(self) -> int:
        """Number of cubes."""
        return len(self.cubes)


@dataclass(frozen=True, order=True)
class Orientation:
    """A stone turned in some way: its cubes, sorted, from the corner of their bounding box on."""

    cubes: tuple[Cube, ...]

    @property
    def rows(self) -> int:
        """Extent in the plan."""
        return 1 + max(row for row, _, _ in self.cubes)

    @property
    def columns(self) -> int:
        """Extent in the plan."""
        return 1 + max(column for _, column, _ in self.cubes)

    @functools.cached_property
    def stacks(self) -> dict[tuple[int, int], tuple[int, int]]:
        """For each square of the plan that is covered, by row and column: level of the lowest cube, number of cubes.

        Four cubes leave no gap in a stack, so that these two numbers say everything.
        """
        squares = sorted({(row, column) for row, column, _ in self.cubes})
        levels = {square: [level for *other, level in self.cubes if tuple(other) == square] for square in squares}
        assert all(max(found) - min(found) + 1 == len(found) for found in levels.values())
        return {square: (min(found), len(found)) for square, found in levels.items()}


def parse_drawings(text: str) -> tuple[Stone, ...]:
    """Read the stones of a drawing, in its order."""
    stones = []
    for block in text.strip("\n").split("\n\n"):
        rows = block.split("\n")
        name = rows[0].split()[0]
        layers = [row.replace(name, " ", 1).split() if i == 0 else row.split() for i, row in enumerate(rows)]
        cubes = [
            (row, column, level)
            for row, parts in enumerate(layers)
            for level, part in enumerate(parts)
            for column, sign in enumerate(part)
            if sign == "#"
        ]
        stones.append(Stone(name, tuple(sorted(cubes))))
    return tuple(stones)


STONES = parse_drawings(STONES_TEXT)
"""The eleven stones of a color (40 cubes)."""


@functools.cache
def orientations(stone: Stone) -> tuple[Orientation, ...]:
    """All distinct rotations of a stone (and reflections if it is `mirrored`), sorted."""
    return tuple(sorted({_oriented(turned(stone.cubes, turn)) for turn in turns(stone.mirrored)}))


Turn = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]  # for each new axis: which old one, and its sign


@functools.cache
def turns(mirrored: bool = False) -> tuple[Turn, ...]:
    """The 24 rotations of a cube; with its reflections the 48 symmetries."""
    found = []
    for axes in itertools.permutations(range(3)):
        swaps = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
        for signs in itertools.product((1, -1), repeat=3):
            if mirrored or (-1) ** swaps * signs[0] * signs[1] * signs[2] == 1:
                first, second, third = zip(axes, signs, strict=True)
                found.append((first, second, third))
    return tuple(found)


def turned(cubes: Iterable[Cube], turn: Turn) -> list[Cube]:
    """Where a rotation or reflection takes cubes."""
    (a, sign_a), (b, sign_b), (c, sign_c) = turn
    return [(sign_a * cube[a], sign_b * cube[b], sign_c * cube[c]) for cube in cubes]


def _oriented(cubes: list[Cube]) -> Orientation:
    """Cubes relative to the corner of their bounding box."""
    row, column, level = (min(axis) for axis in zip(*cubes, strict=True))
    return Orientation(tuple(sorted((r - row, c - column, z - level) for r, c, z in cubes)))
