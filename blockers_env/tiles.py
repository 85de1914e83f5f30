"""Tiles, squares and their text.

A color has the tiles 0 … 27: digits 0 … 8 (for a column), letters 9 … 17 (for a row), symbols 18 … 26 (for a block of
3 × 3 squares), and 27, the wild tile (T1). Squares are numbered row by row from the upper left corner, A1 is square 0.
"""

import re

SIZE = 9  # rows and columns of the board
NUM_SQUARES = SIZE * SIZE
LETTER, SYMBOL, WILD = 9, 18, 27  # the first tile of each kind; digits begin at 0
NUM_TILES = 28
TILE_KINDS = ("digit", "letter", "symbol", "wild")
ROW_NAMES = "ABCDEFGHI"
TILE_NAMES = (
    *(str(column + 1) for column in range(SIZE)),
    *ROW_NAMES,
    *(f"#{block}" for block in range(SIZE)),
    "*",
)
"""Text of the tiles: "1" … "9", "A" … "I", "#0" … "#8", "*"."""

SQUARE_NAMES = tuple(f"{row}{column + 1}" for row in ROW_NAMES for column in range(SIZE))
"""Text of the squares: "A1" … "I9"."""

ACTION_TEXT = re.compile(r"(?:([a-z]+):)?([1-9]|[A-I]|#[0-8]|\*)@([A-I][1-9])", re.IGNORECASE)


def tile_kind(tile: int) -> int:
    """Index into `TILE_KINDS`."""
    return tile // SIZE


def block_of(square: int) -> int:
    """The block of a square, row by row: its symbol."""
    row, column = divmod(square, SIZE)
    return row // 3 * 3 + column // 3


def squares_of(tile: int) -> tuple[int, ...]:
    """The squares that a tile matches, ascending (T2)."""
    if tile < LETTER:
        return tuple(range(tile, NUM_SQUARES, SIZE))
    if tile < SYMBOL:
        return tuple(range((tile - LETTER) * SIZE, (tile - LETTER + 1) * SIZE))
    if tile < WILD:
        return tuple(square for square in range(NUM_SQUARES) if block_of(square) == tile - SYMBOL)
    return tuple(range(NUM_SQUARES))


def parse_tile(text: str) -> int:
    """The tile with this text. Raises ValueError."""
    if text.upper() not in TILE_NAMES:
        raise ValueError(f"{text!r} is no tile: expected one of {' '.join(TILE_NAMES)}")
    return TILE_NAMES.index(text.upper())


def parse_square(text: str) -> int:
    """The square with this text. Raises ValueError."""
    if text.upper() not in SQUARE_NAMES:
        raise ValueError(f"{text!r} is no square: expected A1 … I9")
    return SQUARE_NAMES.index(text.upper())
