"""Pieces, drawn as text so that a person can check them by eye.

A drawing is a block: a line of names, and under each name its shape. Every character that is neither a space nor a dot
is a cell. Names follow the common letters of polyominoes; a digit tells the size where a letter is used twice.
"""

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


@dataclass(frozen=True)
class Piece:
    """A shape: its name and its cells as drawn."""

    name: str
    cells: tuple[Cell, ...]

    @cached_property
    def size(self) -> int:
        """Number of cells."""
        return len(self.cells)


def parse_drawings(text: str) -> tuple[Piece, ...]:
    """Read the pieces of a drawing, in the order in which they are named.

    A triangle that points up (A) gets an even row + column, one that points down (V) an odd one.
    """
    pieces: list[Piece] = []
    for block in text.strip("\n").split("\n\n"):
        header, *rows = block.split("\n")
        starts = [i for i, char in enumerate(header) if char != " " and (i == 0 or header[i - 1] == " ")]
        for start, stop in zip(starts, [*starts[1:], None], strict=True):
            columns = slice(start, stop)
            cells = tuple(
                (r, c) for r, row in enumerate(rows) for c, char in enumerate(row[columns]) if char not in " ."
            )
            row, column = cells[0]
            shift = int(rows[row][columns][column] in "AV" and "AV"[(row + column) % 2] != rows[row][columns][column])
            pieces.append(Piece(header[columns].strip(), tuple((r, c + shift) for r, c in cells)))
    return tuple(pieces)


POLYOMINO_PIECES = parse_drawings(POLYOMINOES)
"""The 21 free polyominoes of 1 to 5 squares (89 squares)."""

POLYIAMOND_PIECES = parse_drawings(POLYIAMONDS)
"""The 22 free polyiamonds of 1 to 6 triangles (110 triangles)."""


def pieces_named(pieces: tuple[Piece, ...], names: str) -> tuple[Piece, ...]:
    """Some of the pieces, by their names."""
    by_name = {piece.name: piece for piece in pieces}
    return tuple(by_name[name] for name in names.split())
