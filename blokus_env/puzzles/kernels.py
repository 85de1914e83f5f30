"""All Numba code of the puzzles.

Kernels take plain arrays (`tables.py` says how they are made), check nothing and allocate little. Letters in shapes:
`A` placements, `S` most squares of a piece, `E` most cells round it, `K` kinds of pieces, `C` colors, `H`, `W` the
board. Cells are numbered row after row. `forbidden` uint8[H·W]: bit c says that color c may not use the cell.

* `cells` int16[A, S]: the cells that a placement covers, the last one repeated.
* `around` int16[A, E]: the cells that it forbids to its color besides, else cells of its own.
* `kind` int16[A]: its kind of piece.
* `left` uint8[C, K]: pieces in hand.

One file, because Numba's cache notices changes in the file of a function, not in the files that it imports.
"""
# mypy: disallow-untyped-decorators=False, disallow-untyped-defs=False, disallow-incomplete-defs=False
# mypy: check-untyped-defs=False

import numpy as np
from numba import njit

from blokus_env import numba_records  # noqa: F401  # before anything compiles

EMPTY = -1  # in `board`
NO_DEAD_END, PIECE_WITHOUT_PLACE, TOO_MANY_HOLES = 0, 1, 2  # what `dead_end` finds

u8 = np.uint8


@njit(cache=True)
def colors_with(left, k):
    """Bits of the colors that have a piece of kind k in hand."""
    have = u8(0)
    for c in range(left.shape[0]):
        if left[c, k] > 0:
            have |= u8(1 << c)
    return have


@njit(cache=True)
def colors_at(cells, forbidden, a):
    """Bits of the colors that are forbidden some cell of placement a."""
    bits = u8(0)
    for j in range(cells.shape[1]):
        bits |= forbidden[cells[a, j]]
    return bits


@njit(cache=True)
def list_legal(cells, kind, forbidden, left, ids):
    """Legal actions, ascending, into `ids` int32[C · A]; returns how many. Action c · A + a is placement a by color c.

    Two passes, so that each placement's cells are read once.
    """
    num_colors, num_kinds = left.shape
    num_placements = len(kind)
    have = np.zeros(num_kinds, np.uint8)
    for k in range(num_kinds):
        have[k] = colors_with(left, k)
    allowed = np.zeros(num_placements, np.uint8)
    for a in range(num_placements):
        if have[kind[a]]:
            allowed[a] = have[kind[a]] & ~colors_at(cells, forbidden, a)
    n = 0
    for c in range(num_colors):
        for a in range(num_placements):
            if (allowed[a] >> u8(c)) & u8(1):
                ids[n] = c * num_placements + a
                n += 1
    return n


@njit(cache=True)
def is_legal(cells, kind, forbidden, left, action):
    """Whether an action that exists is legal."""
    c, a = action // len(kind), action % len(kind)
    return left[c, kind[a]] > 0 and (colors_at(cells, forbidden, a) >> u8(c)) & u8(1) == 0


@njit(cache=True)
def place(cells, around, kind, action, board, forbidden, left):
    """Put a piece down; changes `board` int8[H·W], `forbidden` and `left`."""
    c, a = action // len(kind), action % len(kind)
    everyone = u8((1 << left.shape[0]) - 1)
    for j in range(cells.shape[1]):
        board[cells[a, j]] = c
        forbidden[cells[a, j]] = everyone
    for j in range(around.shape[1]):
        forbidden[around[a, j]] |= u8(1 << c)
    left[c, kind[a]] -= u8(1)


@njit(cache=True)
def dead_end(cells, kind, size, forbidden, left, width, spare):
    """Whether it is proved that not all pieces in hand find a place: one of the constants above.

    `size` int64[K] squares of each kind, `width` W, `spare`: how many cells may stay empty at most. Forbidden cells
    only ever grow, so a piece has no other places than those that are free of forbidden cells now.

    * A kind of piece in hand without such a place: dead.
    * A cell that no such place covers stays empty. A piece lies within one connected region of the others, so of each
      region at least its area less the largest sum of sizes of pieces in hand that is not larger stays empty. More
      cells than `spare` in all: dead.
    """
    num_colors, num_kinds = left.shape
    used = np.zeros(len(forbidden), np.bool_)
    found = np.zeros(num_kinds, np.uint8)
    for a in range(len(kind)):
        k = kind[a]
        colors = colors_with(left, k) & ~colors_at(cells, forbidden, a)
        if colors:
            found[k] |= colors
            for j in range(cells.shape[1]):
                used[cells[a, j]] = True
    for k in range(num_kinds):
        if colors_with(left, k) & ~found[k]:
            return PIECE_WITHOUT_PLACE
    in_hand = 0
    for k in range(num_kinds):
        for c in range(num_colors):
            in_hand += size[k] * left[c, k]
    occupied = len(forbidden) - spare - in_hand
    holes = -occupied
    for x in range(len(forbidden)):
        holes += not used[x]
    if holes > spare:
        return TOO_MANY_HOLES
    holes += wasted(used, reachable_sums(size, left, len(forbidden)), width)
    return TOO_MANY_HOLES if holes > spare else NO_DEAD_END


@njit(cache=True)
def reachable_sums(size, left, most):
    """For each area up to `most` the largest sum of sizes of pieces in hand that is not larger: int64[most + 1]."""
    num_colors, num_kinds = left.shape
    reached = np.zeros(most + 1, np.bool_)
    reached[0] = True
    for k in range(num_kinds):
        for c in range(num_colors):
            for _ in range(left[c, k]):
                for total in range(most, size[k] - 1, -1):
                    if reached[total - size[k]]:
                        reached[total] = True
    best = np.zeros(most + 1, np.int64)
    for total in range(1, most + 1):
        best[total] = total if reached[total] else best[total - 1]
    return best


@njit(cache=True)
def wasted(used, best, width):
    """Cells that stay empty in the regions of `used` bool[H·W], whose areas `best` bounds. Changes `used`."""
    stack = np.zeros(len(used), np.int64)
    total = 0
    for start in range(len(used)):
        if not used[start]:
            continue
        used[start] = False
        stack[0] = start
        top, area = 1, 0
        while top:
            top -= 1
            x = stack[top]
            area += 1
            for step in (-width, width, -1, 1):
                y = x + step
                if y < 0 or y >= len(used) or not used[y] or (abs(step) == 1 and y // width != x // width):
                    continue
                used[y] = False
                stack[top] = y
                top += 1
        total += area - best[area]
    return total
