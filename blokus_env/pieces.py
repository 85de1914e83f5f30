"""Pieces, drawn as text so that a person can check them by eye.

A drawing is a block: a line of names, and under each name its shape. Every character that is neither a space nor a dot
is a cell. Names follow the common letters of polyominoes; a digit tells the size where a letter is used twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

Cell = tuple[int, int]  # (row, column); row 0 is the top row

POLYOMINOES = """
1   2    I3    V3    I4     L4    O    T4    Z4
#   ##   ###   #     ####   #     ##   ###   ##
               ##           ###   ##    #     ##

F     I5      L5     N      P    T5    U
 ##   #####   #      ##     ##   ###   # #
##            ####    ###   ##    #    ###
 #                          #     #

V5    W     X     Y      Z5
#     #      #     #     ##
#     ##    ###   ####    #
###    ##    #            ##
"""

# Triangles that point up (A) and down (V).
POLYIAMONDS = """
1   2    I3    A4    C4   I4     C5    I5      L5     P5
A   AV   AVA   VAV   AV   AVAV   AV    AVAVA   AVAV    AV
                V    VA          VAV           V      AVA

A6     F      G      I6       L6      O
AVAV   AVAV   AVAV   AVAVAV   AVAVA   AVA
 AV    V V    VA              V       VAV

P6      S       V       W       X     Y
VAVAV   AVA      AVAV   AVAVA   VAV   AVAV
   V      VAV   AV        V     AVA     VA
"""


# Segments between intersections (dots).
SEGMENTS = """
1     I2      V2    I3        L3      T3      Z3      U3
.-.   .-.-.   .-.   .-.-.-.   .-.-.   .-.-.   .-.     .-.
                |             |         |       |     | |
                .             .         .       .-.   . .

I4          L4        Y         N         V4      W       Z4
.-.-.-.-.   .-.-.-.   .-.-.-.   .-.-.     .-.-.   .-.     .
            |             |         |         |     |     |
            .             .         .-.       .     .-.   .-.-.
                                              |       |       |
                                              .       .       .

T4      E       U4      X       F       H       J       G       O
.-.-.     .     .-.-.     .       . .   .-.     .-.     . .-.   .-.
  |       |     |   |     |       | |     |     |       | |     | |
  .     .-.-.   .   .   .-.-.   .-.-.   .-.-.   .-.-.   .-.     .-.
  |     |                 |
  .     .                 .
"""

# Whole squares, and half squares by the corner that they fill.
HALF_SQUARES = """
1   1.5   2    L2.5   I3    V    L3.5   I4     L4    T4    O
#   ◥#    ##   ◣      ###   #    #      ####   #     ###   ##
               ##           ##   ##◣           ###    #    ##

N4.5   I5      L5     N5     P    T5    W     X     Y      Z
##     #####   #      ##     ##   ###   #      #    ####   ##
 ##◣           ####    ###   ##    #    ##    ###    #      #
                              #    #     ##    #            ##
                              ◥
"""
QUARTERS = {"#": "tlrb", "◤": "tl", "◥": "tr", "◣": "lb", "◢": "rb"}  # top, left, right and bottom quarter


@dataclass(frozen=True)
class Piece:
    """A shape: its name and its cells as drawn."""

    name: str
    cells: tuple[Cell, ...]

    @cached_property
    def size(self) -> int:
        """Number of cells."""
        return len(self.cells)


def _drawings(text: str) -> Iterator[tuple[str, list[tuple[int, int, str]]]]:
    """For each shape of a drawing its name and its characters, each with its row and column."""
    for block in text.strip("\n").split("\n\n"):
        header, *rows = block.split("\n")
        starts = [i for i, char in enumerate(header) if char != " " and (i == 0 or header[i - 1] == " ")]
        for start, stop in zip(starts, [*starts[1:], None], strict=True):
            columns = slice(start, stop)
            marks = [(r, c, char) for r, row in enumerate(rows) for c, char in enumerate(row[columns])]
            yield header[columns].strip(), [mark for mark in marks if mark[2] not in " ."]


def parse_drawings(text: str) -> tuple[Piece, ...]:
    """Read the pieces of a drawing, in the order in which they are named.

    A triangle that points up (A) gets an even row + column, one that points down (V) an odd one.
    """
    pieces: list[Piece] = []
    for name, marks in _drawings(text):
        row, column, first = marks[0]
        shift = int(first in "AV" and "AV"[(row + column) % 2] != first)
        pieces.append(Piece(name, tuple((r, c + shift) for r, c, _ in marks)))
    return tuple(pieces)


POLYOMINO_PIECES = parse_drawings(POLYOMINOES)
"""The 21 free polyominoes of 1 to 5 squares (89 squares)."""

POLYIAMOND_PIECES = parse_drawings(POLYIAMONDS)
"""The 22 free polyiamonds of 1 to 6 triangles (110 triangles)."""


def pieces_named(pieces: tuple[Piece, ...], names: str) -> tuple[Piece, ...]:
    """Some of the pieces, by their names."""
    by_name = {piece.name: piece for piece in pieces}
    return tuple(by_name[name] for name in names.split())


def parse_half_squares(text: str) -> tuple[Piece, ...]:
    """Read the pieces of a drawing of whole and half squares; their cells are quarter squares (`QuarterLattice`)."""

    def quarters(row: int, column: int, character: str) -> list[Cell]:
        y, x = row + column, column - row  # the middle of the square, turned by an eighth
        places = {"t": (y - 1, 2 * x), "l": (y - 1, 2 * x - 1), "r": (y, 2 * x), "b": (y, 2 * x - 1)}
        return [places[quarter] for quarter in QUARTERS[character]]

    return tuple(
        Piece(name, tuple(cell for row, column, character in marks for cell in quarters(row, column, character)))
        for name, marks in _drawings(text)
    )


SEGMENT_PIECES = parse_drawings(SEGMENTS)
"""The 24 shapes of 1 to 4 connected segments (84 segments)."""

HALF_SQUARE_PIECES = parse_half_squares(HALF_SQUARES)
"""The 21 pieces of GembloQ, of 1 to 5.5 squares; a cell is a quarter of a square."""
