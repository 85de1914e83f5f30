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
    """Read the pieces of a drawing, in the order in which they are named."""
    pieces: list[Piece] = []
    for block in text.strip("\n").split("\n\n"):
        header, *rows = block.split("\n")
        starts = [i for i, char in enumerate(header) if char != " " and (i == 0 or header[i - 1] == " ")]
        for start, stop in zip(starts, [*starts[1:], None], strict=True):
            columns = slice(start, stop)
            cells = tuple(
                (r, c) for r, row in enumerate(rows) for c, char in enumerate(row[columns]) if char not in " ."
            )
            pieces.append(Piece(header[columns].strip(), cells))
    return tuple(pieces)


POLYOMINO_PIECES = parse_drawings(POLYOMINOES)
"""The 21 free polyominoes of 1 to 5 squares (89 squares)."""
