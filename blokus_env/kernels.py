"""All Numba code of the game: one implementation for one game and for thousands.

Kernels know only tables (`tables.py` explains the vocabulary: position, slot, mask, window, status). They take arrays
of records, an array of length one for a single game, check nothing and allocate nothing in loops. Names inside: `T` a
table record, `S` a state record, `X` scratch, `c` a color, `m` a move, that is (orientation << 16) + position of the
origin. Arrays of records end in `A`: TA, SA, XA.

One file, because Numba's cache notices changes in the file of a function, not in the files that it imports.
"""

import numpy as np
from numba import njit
from numba.extending import intrinsic

from blokus_env import numba_records  # noqa: F401  # before anything compiles

NO_COLOR = -1  # `turn` when the game is over; an empty cell of `board`
NO_MOVE = -1
ILLEGAL = -1
ATTACH = 4  # cell byte: bit c = forbidden to color c, bit ATTACH + c = attach cell of color c
STATUS = 8  # window cells that select a slot list, as in tables.STATUS_CELLS
TRIES = 24  # rejected draws after which `sample` makes the list: more hardly ever pay
FEW = 6  # with so few pieces in hand it is quicker to go through their slots piece by piece

u8 = np.uint8
u32 = np.uint32
u64 = np.uint64


@intrinsic
def popcount(typingctx, value):
    """Number of set bits."""
    return value(value), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic
def lowest_bit(typingctx, value):
    """Index of the lowest set bit; undefined for 0."""

    def codegen(context, builder, signature, args):
        from llvmlite import ir

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return value(value), codegen


@njit(inline="always", cache=True)
def random_word(rng):
    """Next 64 random bits; `rng` is uint64[1]. SplitMix64 (Steele, Lea, Flood 2014)."""
    rng[0] += u64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> u64(27))) * u64(0x94D049BB133111EB)
    return z ^ (z >> u64(31))


@njit(inline="always", cache=True)
def random_below(rng, n):
    """A random integer 0 … n − 1, for n below 2^32 (bias below n / 2^32)."""
    return np.int64(((random_word(rng) >> u64(32)) * u64(n)) >> u64(32))


# One game -------------------------------------------------------------------------------------------------------------


@njit(cache=True)
def init(T, S):
    """The empty board: nothing placed, color 0 to move."""
    colors, kinds = S.left.shape
    for i in range(len(S.cell)):
        S.cell[i] = T.cell0[i]
    S.board[:] = NO_COLOR
    for c in range(colors):
        for j in range(T.num_start[c]):
            S.cell[T.start[c, j]] |= u8(1 << (ATTACH + c))
        for j in range(T.num_opening[c]):
            S.attach[c, j] = T.opening[c, j]
        S.num_attach[c] = T.num_opening[c]
        S.plays[c] = 0
        S.available[c] = u32((1 << kinds) - 1)
        for k in range(kinds):
            S.left[c, k] = T.count[k]
    S.single_last = 0
    S.blocked = 0
    S.turn = 0
    S.ply = 0


@njit(cache=True)
def place(T, S, c, m):
    """Put a piece down for color c: cells, attach cells, pieces in hand. Whose turn it is stays as it is."""
    colors = S.left.shape[0]
    o = m >> 16
    b = m & 0xFFFF
    cell = S.cell
    everyone = u8((1 << colors) - 1)
    forbidden = u8(1 << c)
    attach = u8(1 << (ATTACH + c))
    if S.plays[c] == 0:  # B4: the start cells carry the first piece only
        for j in range(T.num_start[c]):
            cell[u64(T.start[c, j])] &= ~attach
        S.num_attach[c] = 0
    S.plays[c] += u8(1)
    for j in range(T.num_cover[o]):
        x = u64(b + T.cover[o, j])
        cell[x] |= everyone
        S.board[u64(T.board_index[x])] = c
    for j in range(T.num_forbid[o]):
        cell[u64(b + T.forbid[o, j])] |= forbidden
    n = np.int64(S.num_attach[c])
    for j in range(T.num_attach[o]):  # branchless: the entry is written, and counted only if it is new
        x = b + T.attach[o, j]
        v = cell[u64(x)]
        S.attach[c, n] = x
        new = np.int64((v & (forbidden | attach)) == 0)
        n += new
        cell[u64(x)] = v | u8(new << (ATTACH + c))
    S.num_attach[c] = n
    k = T.piece[o]
    left = S.left[c, k] - u8(1)
    S.left[c, k] = left
    if left == 0:
        S.available[c] &= ~(u32(1) << u32(k))
    single = u8(1 << c)
    S.single_last = (S.single_last & ~single) | (u8(T.single[k]) << u8(c))
    S.ply += 1


@njit(inline="always", cache=True)
def in_hand(T, S, c):
    """Bits of the pieces that color c may place now: in the opening phase only the free piece."""
    pieces = S.available[c]
    if np.int64(S.plays[c]) < T.opening_plays[0]:
        pieces &= T.free_piece_bit[0]
    return pieces


@njit(cache=True)
def prepare(T, S, X, c):
    """Drop dead attach cells of color c, find the slot list of each one left; total length of the lists.

    A dead cell keeps its attach bit in `cell`, so that it is not added again.
    """
    n = np.int64(S.num_attach[c])
    kinds = T.list_start.shape[1] - 1
    forbidden = u8(1 << c)
    total = 0
    i = 0
    while i < n:
        x = np.int64(S.attach[c, i])
        kind = np.int64(T.kind[u64(x)])
        status = 0
        for j in range(STATUS):
            status |= np.int64((S.cell[u64(x + T.window[kind, j])] >> u8(c)) & u8(1)) << j
        status |= kind << STATUS
        size = np.int64(T.list_start[status, kinds] - T.list_start[status, 0])
        if S.cell[u64(x)] & forbidden or size == 0:
            n -= 1
            S.attach[c, i] = S.attach[c, n]
            continue
        total += size
        X.status[i] = status
        X.total[i] = total
        i += 1
    S.num_attach[c] = n
    return total


@njit(inline="always", cache=True)
def gather(T, S, X, c, x, kind, pieces):
    """First word of what color c may not use around position x: forbidden window cells, and pieces not in hand."""
    kinds = T.list_start.shape[1] - 1
    near = 64 - kinds
    word = u64(0)
    for j in range(min(T.window.shape[1], near)):
        word |= u64((S.cell[u64(x + T.window[kind, j])] >> u8(c)) & u8(1)) << u64(j)
    return word | (u64(~pieces & u32((1 << kinds) - 1)) << u64(near))


@njit(inline="always", cache=True)
def gather_far(T, S, X, c, x, kind):
    """The further words, into `X.local`."""
    near = 64 - (T.list_start.shape[1] - 1)
    for w in range(1, T.slot_mask.shape[1]):
        word = u64(0)
        for j in range(near + 64 * (w - 1), min(near + 64 * w, T.window.shape[1])):
            word |= u64((S.cell[u64(x + T.window[kind, j])] >> u8(c)) & u8(1)) << u64((j - near) & 63)
        X.local[w] = word


@njit(inline="always", cache=True)
def clear_far(T, X, q):
    """Whether a slot's further mask words miss all forbidden cells."""
    hit = u64(0)
    for w in range(1, T.slot_mask.shape[1]):
        hit |= T.slot_mask[q, w] & X.local[w]
    return hit == u64(0)


@njit(cache=True)
def list_moves(T, S, X, c):
    """Every legal move of color c once, into `X.move`; their number. Calls `prepare`.

    An attach cell that has been listed counts as forbidden for the rest of the pass, so that nothing is listed twice.
    """
    prepare(T, S, X, c)
    pieces = in_hand(T, S, c)
    few = popcount(pieces) <= u32(FEW)
    forbidden = u8(1 << c)
    n = np.int64(S.num_attach[c])
    kinds = T.list_start.shape[1] - 1
    one_word = T.slot_mask.shape[1] == 1
    count = 0
    if pieces == u32(0):
        return 0
    for i in range(n):
        x = np.int64(S.attach[c, i])
        status = np.int64(X.status[i])
        kind = np.int64(T.kind[u64(x)])
        at = u32(x)
        local = gather(T, S, X, c, x, kind, pieces)
        if not one_word:
            gather_far(T, S, X, c, x, kind)
        if few:
            rest = pieces
            while rest:
                k = np.int64(lowest_bit(rest))
                rest &= rest - u32(1)
                for q in range(T.list_start[status, k], T.list_start[status, k + 1]):
                    X.move[count] = T.slot_move[q] + at
                    legal = (T.slot_mask[q, 0] & local) == u64(0)
                    count += np.int64(legal and (one_word or clear_far(T, X, q)))
        elif one_word:
            for q in range(T.list_start[status, 0], T.list_start[status, kinds]):
                X.move[count] = T.slot_move[q] + at
                count += np.int64((T.slot_mask[q, 0] & local) == u64(0))
        else:
            for q in range(T.list_start[status, 0], T.list_start[status, kinds]):
                if T.slot_mask[q, 0] & local:
                    continue
                X.move[count] = T.slot_move[q] + at
                count += np.int64(clear_far(T, X, q))
        S.cell[u64(x)] |= forbidden
    for i in range(n):
        S.cell[u64(S.attach[c, i])] &= ~forbidden
    if pieces & T.free_piece_bit[0]:
        for j in range(T.num_free_move[0]):
            m = T.free_move[0, j]
            X.move[count] = m
            count += np.int64((S.cell[u64(m & u32(0xFFFF))] & forbidden) == 0)
    return count


@njit(cache=True)
def sample(T, S, X, rng, c):
    """A uniformly random legal move of color c, NO_MOVE if there is none.

    Draws an (attach cell, slot) pair in proportion to the list lengths, rejects it if illegal, and accepts it with
    probability 1 / (attach cells that it covers), since it stands in the list of each. After TRIES draws it falls back
    on the list.
    """
    total = prepare(T, S, X, c)
    pieces = in_hand(T, S, c)
    n = np.int64(S.num_attach[c])
    forbidden = u8(1 << c)
    if np.int64(S.plays[c]) < T.opening_plays[0]:
        total = 0
    with_free = total
    if pieces & T.free_piece_bit[0]:
        with_free += T.num_free_move[0]
    if pieces == u32(0) or with_free == 0:
        return NO_MOVE
    for _ in range(TRIES):
        z = random_word(rng)
        k = np.int64(((z & u64(0xFFFFFFFF)) * u64(with_free)) >> u64(32))
        if k >= total:
            m = np.int64(T.free_move[0, k - total])
            if S.cell[u64(m & 0xFFFF)] & forbidden:
                continue
            return m
        i = 0
        for j in range(n):
            i += np.int64(X.total[j] <= k)
        if i:
            k -= X.total[i - 1]
        q = T.list_start[X.status[i], 0] + k
        m = draw_of_slot(T, S, c, q, np.int64(S.attach[c, i]), pieces)
        if m < 0:
            continue
        covered = attach_covered(T, S, c, m)
        if covered > 1 and (((z >> u64(32)) * u64(covered)) >> u64(32)) != u64(0):
            continue
        return m
    n = list_moves(T, S, X, c)
    if n == 0:
        return NO_MOVE
    return np.int64(X.move[random_below(rng, n)])


@njit(inline="always", cache=True)
def attach_covered(T, S, c, m):
    """How many attach cells of color c a move covers."""
    o, b = m >> 16, m & 0xFFFF
    attach = u8(1 << (ATTACH + c))
    covered = 0
    for j in range(T.num_cover[o]):
        covered += np.int64((S.cell[u64(b + T.cover[o, j])] & attach) != 0)
    return covered


@njit(inline="always", cache=True)
def draw_of_slot(T, S, c, q, x, pieces):
    """The move of slot q at attach cell x if it is legal for color c, else NO_MOVE."""
    m = np.int64(u32(T.slot_move[q] + u32(x)))
    if not (pieces >> u32(T.piece[m >> 16])) & u32(1):
        return NO_MOVE
    v = u8(0)
    for j in range(T.slot_cell.shape[1]):
        v |= S.cell[u64(x + T.slot_cell[q, j])]
    if (v >> u8(c)) & u8(1):
        return NO_MOVE
    return m


@njit(cache=True)
def is_legal_move(T, S, c, m):
    """Whether color c may make a move now (B2 to B5)."""
    o, b = m >> 16, m & 0xFFFF
    pieces = in_hand(T, S, c)
    k = T.piece[o]
    if not (pieces >> u32(k)) & u32(1):
        return False
    v = u8(0)
    free = False
    for j in range(T.num_cover[o]):
        v |= S.cell[u64(b + T.cover[o, j])]
    if (v >> u8(c)) & u8(1):
        return False
    if (T.free_piece_bit[0] >> u32(k)) & u32(1):
        for j in range(T.num_free_move[0]):
            free = free or np.int64(T.free_move[0, j]) == m
        return free
    if S.plays[c] == 0:
        return attach_covered(T, S, c, m) >= T.starts_needed[0]  # B4, G2: now they are the start cells
    return (v >> u8(ATTACH + c)) & u8(1) != 0


@njit(cache=True)
def advance(T, S, X, c):
    """Give the turn to the first color from c on that can move; list its moves in `X.move` and return their number.

    Colors that cannot move are marked as blocked for good (B6); when all are, the game is over (B7) and the number is
    0.
    """
    colors = S.left.shape[0]
    for _ in range(colors):
        if not (S.blocked >> u8(c)) & u8(1):
            n = list_moves(T, S, X, c)
            if n:
                S.turn = c
                return n
            S.blocked |= u8(1 << c)
        c = c + 1 if c + 1 < colors else 0
    S.turn = NO_COLOR
    return 0


@njit(inline="always", cache=True)
def following(S):
    """The color after the one to move."""
    c = np.int64(S.turn) + 1
    return c if c < S.left.shape[0] else 0


@njit(cache=True)
def score(T, S, c, scoring):
    """Points of color c; `scoring` is float64[4], the numbers of `variants.Scoring` (S1, S2, S5)."""
    points = 0.0
    remaining = 0
    for k in range(S.left.shape[1]):
        left = np.int64(S.left[c, k])
        remaining += left
        points += T.value[k] * (scoring[0] * (np.int64(T.count[k]) - left) + scoring[1] * left)
    if remaining == 0:
        points += scoring[2]
        if (S.single_last >> u8(c)) & u8(1):
            points += scoring[3]
    return points


# Calls from Python for one game (arrays of length one) ----------------------------------------------------------------


@njit(cache=True)
def reset_one(TA, SA):
    """An empty board in SA[0]."""
    init(TA[0], SA[0])


@njit(cache=True)
def write_ids(T, X, n, out):
    """Action ids of the n moves in `X.move` into an integer row, as many as fit."""
    for i in range(min(n, len(out))):
        m = X.move[i]
        out[i] = T.action_of[m >> u32(16), m & u32(0xFFFF)]


@njit(cache=True)
def push_one(TA, before, SA, XA, action, out):
    """Play an action in `before` (left as it is), and pass the turn on: the position is then SA[0].

    Returns the color to move then (NO_COLOR when the game is over) and the number of its legal actions; they themselves
    are in `out` (int32), ascending. If the action is not legal the number is ILLEGAL.
    """
    T, X = TA[0], XA[0]
    m = np.int64(T.move_of[action])
    if not is_legal_move(T, before[0], np.int64(before[0].turn), m):
        return NO_COLOR, ILLEGAL
    SA[0] = before[0]
    S = SA[0]
    place(T, S, np.int64(S.turn), m)
    n = advance(T, S, X, following(S))
    write_ids(T, X, n, out)
    sort_ids(X, out, n, out)
    return np.int64(S.turn), n


@njit(cache=True)
def legal_one(TA, SA, XA, c, out):
    """Legal action ids of color c into `out` (int32), ascending; their number."""
    T, X = TA[0], XA[0]
    n = list_moves(T, SA[0], X, c)
    write_ids(T, X, n, out)
    sort_ids(X, out, n, out)
    return n


@njit(cache=True)
def sort_ids(X, ids, n, out):
    """The first n distinct ids in ascending order into `out`, by way of a set of bits."""
    for i in range(n):
        a = np.int64(ids[i])
        X.bits[u64(a >> 6)] |= u64(1) << u64(a & 63)
    found = 0
    for w in range(len(X.bits)):
        word = X.bits[w]
        X.bits[w] = u64(0)
        while word:
            out[found] = w * 64 + np.int64(lowest_bit(word))
            word &= word - u64(1)
            found += 1


@njit(cache=True)
def is_legal_one(TA, SA, c, action):
    """Whether color c may play an action now."""
    T = TA[0]
    return is_legal_move(T, SA[0], c, np.int64(T.move_of[action]))


@njit(cache=True, nogil=True)
def perft(TA, SA, XA, stack, moves, by_first):
    """Number of action sequences of length len(stack) from SA[0].

    `stack` holds a state for each ply, `moves` is uint32[len(stack), actions]; `by_first` (int64[actions]) gets the
    count below each first action.
    """
    T, X = TA[0], XA[0]
    depth = len(stack)
    counts = np.zeros(depth, np.int64)  # moves listed at each ply
    tried = np.zeros(depth, np.int64)
    total = 0
    stack[0] = SA[0]
    level = 0
    counts[0] = list_moves(T, stack[0], X, np.int64(stack[0].turn)) if stack[0].turn >= 0 else 0
    moves[0, : counts[0]] = X.move[: counts[0]]
    while level >= 0:
        if level == depth - 1:  # every listed move is a leaf
            total += counts[level]
            if level > 0:
                m = moves[0, tried[0] - 1]
                by_first[T.action_of[m >> u32(16), m & u32(0xFFFF)]] += counts[level]
            else:
                for i in range(counts[0]):
                    by_first[T.action_of[moves[0, i] >> u32(16), moves[0, i] & u32(0xFFFF)]] = 1
            level -= 1
            continue
        if tried[level] == counts[level]:
            level -= 1
            continue
        m = moves[level, tried[level]]
        tried[level] += 1
        level += 1
        stack[level] = stack[level - 1]
        S = stack[level]
        place(T, S, np.int64(S.turn), np.int64(m))
        counts[level] = advance(T, S, X, following(S))
        moves[level, : counts[level]] = X.move[: counts[level]]
        tried[level] = 0
    return total


@njit(cache=True, nogil=True)
def sample_many(TA, SA, XA, rng, c, out):
    """Fill `out` (int32) with independent, uniformly random legal actions of color c in SA[0]; −1 if it has none."""
    T, S = TA[0], SA[0]
    for i in range(len(out)):
        m = sample(T, S, XA[0], rng, c)
        out[i] = NO_MOVE if m < 0 else T.action_of[m >> 16, m & 0xFFFF]


@njit(cache=True, nogil=True)
def random_games(TA, SA, XA, rng, games):
    """Play whole uniformly random games in SA[0], without lists; the number of plies."""
    T, S, X = TA[0], SA[0], XA[0]
    colors = S.left.shape[0]
    everyone = (1 << colors) - 1
    plies = 0
    for _ in range(games):
        init(T, S)
        c = 0
        while S.blocked != everyone:
            if not (S.blocked >> u8(c)) & u8(1):
                m = sample(T, S, X, rng, c)
                if m < 0:
                    S.blocked |= u8(1 << c)
                else:
                    place(T, S, c, m)
                    plies += 1
            c = c + 1 if c + 1 < colors else 0
        S.turn = NO_COLOR
    return plies


# Observations and masks -----------------------------------------------------------------------------------------------


@njit(cache=True)
def write_pixels(T, S, first, out):
    """`write_board_planes` cell by cell, for boards that do not fill their image."""
    colors = S.left.shape[0]
    size = T.image_size[0]
    out[:] = 0
    for i in range(len(T.image_position)):
        x = T.image_position[i]
        pixel = np.int64(T.image_pixel[i])
        v = S.cell[x]
        on = S.board[T.board_index[x]]
        for j in range(colors):
            c = first + j if first + j < colors else first + j - colors
            blocked = (v >> u8(c)) & u8(1)
            out[3 * j * size + pixel] = on == c
            out[(3 * j + 1) * size + pixel] = blocked
            out[(3 * j + 2) * size + pixel] = (v >> u8(ATTACH + c)) & u8(1) & ~blocked
        out[3 * colors * size + pixel] = 1


@njit(cache=True)
def write_board_planes(T, S, first, out):
    """Board planes relative to color `first` into uint8[planes · pixels]: occupied_j, forbidden_j, attach_j for each
    color j; on a board that does not fill its image also which pixels are cells.
    """
    if len(T.image_position) > 1:
        write_pixels(T, S, first, out.ravel())
        return
    colors = S.left.shape[0]
    height = len(T.row_start)
    width = u64(out.shape[1] // height)
    cell = S.cell
    board = S.board
    for j in range(colors):
        c = first + j if first + j < colors else first + j - colors
        mine = np.int8(c)
        occupied, forbidden, attach = out[3 * j], out[3 * j + 1], out[3 * j + 2]
        for i in range(u64(out.shape[1])):
            occupied[i] = board[i] == mine
        for row in range(height):
            x = u64(T.row_start[row])
            y = u64(row) * width
            for column in range(width):  # unsigned indices: this becomes vector code
                forbidden[y + column] = (cell[x + column] >> u8(c)) & u8(1)
            for column in range(width):
                v = cell[x + column]
                attach[y + column] = (v >> u8(ATTACH + c)) & ~(v >> u8(c)) & u8(1)


@njit(cache=True)
def write_vector(T, S, first, out):
    """Numbers besides the board into uint8[V]: pieces left, blocked, finished with the single square, index of color
    `first`.
    """
    colors, kinds = S.left.shape
    flags = colors * kinds
    for j in range(colors):
        c = first + j if first + j < colors else first + j - colors
        for k in range(kinds):
            out[j * kinds + k] = S.left[c, k]
        finished = S.available[c] == u32(0)
        out[flags + j] = (S.blocked >> u8(c)) & u8(1)
        out[flags + colors + j] = ((S.single_last >> u8(c)) & u8(1)) & u8(finished)
        out[flags + 2 * colors + j] = j == first


@njit(cache=True)
def observe_one(TA, SA, first, planes, board, vector):
    """The observation of SA[0] relative to color `first`: board uint8[planes, pixels] and vector uint8[V].

    What the vector holds beyond what `write_vector` writes stays. Rows of `board` from `planes` on become constant
    planes of the vector.
    """
    write_board_planes(TA[0], SA[0], first, board[:planes])
    write_vector(TA[0], SA[0], first, vector)
    for i in range(len(board) - planes):
        board[planes + i, :] = vector[i]


@njit(cache=True, nogil=True)
def observe_batch(TA, SA, games, first, board, vector):
    """Observations of some games relative to color first[i]: board uint8[k, planes, pixels], vector uint8[k, V]."""
    T = TA[0]
    for i in range(len(games)):
        S = SA[games[i]]
        write_board_planes(T, S, np.int64(first[i]), board[i])
        write_vector(T, S, np.int64(first[i]), vector[i])


@njit(cache=True)
def set_bits(ids, n, row):
    """A packed mask (little bit order) from the first n ids."""
    row[:] = 0
    for i in range(n):
        a = np.int64(ids[i])
        row[u64(a >> 3)] |= u8(1 << (a & 7))


@njit(cache=True)
def set_ones(ids, n, row):
    """A dense mask from the first n ids."""
    row[:] = 0
    for i in range(n):
        row[u64(np.int64(ids[i]))] = 1


# Batches: SA holds N games, `ids` (integers [N, capacity]) and `count` (int32[N]) the legal actions of their movers


@njit(cache=True, nogil=True)
def reset_batch(TA, SA, XA, games, ids, count):
    """Start some games anew and list the first color's actions."""
    T, X = TA[0], XA[0]
    for i in range(len(games)):
        g = games[i]
        init(T, SA[g])
        count[g] = advance(T, SA[g], X, 0)
        write_ids(T, X, count[g], ids[g])


@njit(cache=True, nogil=True)
def step_batch(TA, SA, XA, games, actions, ids, count):
    """Play one legal action in each of some games, pass the turn on, list the next mover's actions; count 0 when a game
    is over.
    """
    T, X = TA[0], XA[0]
    for i in range(len(games)):
        g = games[i]
        S = SA[g]
        place(T, S, np.int64(S.turn), np.int64(T.move_of[actions[i]]))
        count[g] = advance(T, S, X, following(S))
        write_ids(T, X, count[g], ids[g])


@njit(cache=True, nogil=True)
def list_batch(TA, SA, XA, games, ids, count):
    """List the movers' actions again, after `ids` has grown."""
    T, X = TA[0], XA[0]
    for i in range(len(games)):
        g = games[i]
        S = SA[g]
        count[g] = list_moves(T, S, X, np.int64(S.turn)) if S.turn >= 0 else 0
        write_ids(T, X, count[g], ids[g])


@njit(cache=True, nogil=True)
def legal_batch(TA, SA, games, actions, out):
    """Whether each action is legal for the mover of its game, into bool[k]; ids out of range and games that are over
    are not.
    """
    T = TA[0]
    for i in range(len(games)):
        S = SA[games[i]]
        a = np.int64(actions[i])
        out[i] = (
            S.turn >= 0 and 0 <= a < len(T.move_of) and is_legal_move(T, S, np.int64(S.turn), np.int64(T.move_of[a]))
        )


@njit(cache=True, nogil=True)
def ids_batch(XA, games, ids, count, out):
    """Rows of legal ids, ascending, padded with −1."""
    for i in range(len(games)):
        g = games[i]
        n = np.int64(count[g])
        sort_ids(XA[0], ids[g], n, out[i])
        for j in range(n, out.shape[1]):
            out[i, j] = -1


@njit(cache=True)
def write_mask(ids, row):
    """A dense mask int8[actions] from all of `ids`."""
    set_ones(ids, len(ids), row)


@njit(cache=True, nogil=True)
def dense_batch(games, ids, count, out):
    """Dense masks of some games."""
    for i in range(len(games)):
        set_ones(ids[games[i]], np.int64(count[games[i]]), out[i])


@njit(cache=True, nogil=True)
def packed_batch(games, ids, count, out):
    """Packed masks of some games."""
    for i in range(len(games)):
        set_bits(ids[games[i]], np.int64(count[games[i]]), out[i])


@njit(cache=True)
def score_one(TA, SA, scoring, out):
    """Scores of every color in SA[0] into float64[colors]."""
    for c in range(len(out)):
        out[c] = score(TA[0], SA[0], c, scoring)


@njit(cache=True, nogil=True)
def score_batch(TA, SA, games, scoring, out):
    """Scores of every color into float64[k, colors]."""
    for i in range(len(games)):
        for c in range(out.shape[1]):
            out[i, c] = score(TA[0], SA[games[i]], c, scoring)


@njit(cache=True, nogil=True)
def random_steps(TA, SA, XA, rng, steps, ids, dense, packed, board, vector):
    """Step all games of SA at random with immediate reset, writing what has rows: masks and observations after each
    step.

    Arrays of zero length are not written; without ids no list is made, and moves are drawn by rejection. Rows of `ids`
    hold the number of legal actions and then these, as many as have room. The number of games that ended.
    """
    T, X = TA[0], XA[0]
    colors = SA[0].left.shape[0]
    listed = len(ids) > 0
    ended = 0
    n = 0
    for _ in range(steps):
        for g in range(len(SA)):
            S = SA[g]
            c = np.int64(S.turn)
            if listed:
                n = np.int64(ids[g, 0])
                m = np.int64(T.move_of[ids[g, 1 + random_below(rng, n)]]) if n else NO_MOVE
                if m >= 0:
                    place(T, S, c, m)
                    n = advance(T, S, X, following(S))
                if n == 0:
                    ended += 1
                    init(T, S)
                    n = advance(T, S, X, 0)
                n = min(n, ids.shape[1] - 1)  # what has no room is left out
                ids[g, 0] = n
                write_ids(T, X, n, ids[g, 1:])
                if len(dense):
                    set_ones(ids[g, 1:], n, dense[g])
                if len(packed):
                    set_bits(ids[g, 1:], n, packed[g])
            else:
                m = NO_MOVE
                for _c in range(colors):
                    if not (S.blocked >> u8(c)) & u8(1):
                        m = sample(T, S, X, rng, c)
                        if m >= 0:
                            break
                        S.blocked |= u8(1 << c)
                    c = c + 1 if c + 1 < colors else 0
                if m < 0:
                    ended += 1
                    init(T, S)
                    c = 0
                    m = sample(T, S, X, rng, c)
                S.turn = c
                place(T, S, c, m)
                S.turn = following(S)
            if len(board):
                write_board_planes(T, S, np.int64(S.turn), board[g])
                write_vector(T, S, np.int64(S.turn), vector[g])
    return ended


# Simple policies ------------------------------------------------------------------------------------------------------


@njit(cache=True)
def corner_balance(T, S, c, m):
    """Attach cells that a move wins for color c, plus open attach cells of other colors that it covers."""
    o, b = m >> 16, m & 0xFFFF
    own = u8((1 << c) | (1 << (ATTACH + c)))
    others = u8(((1 << S.left.shape[0]) - 1) & ~(1 << c))
    balance = 0
    for j in range(T.num_attach[o]):
        balance += np.int64((S.cell[u64(b + T.attach[o, j])] & own) == 0)
    for j in range(T.num_cover[o]):
        v = S.cell[u64(b + T.cover[o, j])]
        balance += np.int64(popcount(u32((v >> u8(ATTACH)) & ~v & others)))
    return balance


@njit(cache=True)
def choose_largest(T, S, rng, ids, n, by_corners):
    """Among n legal actions one of the largest piece; ties by `corner_balance` if `by_corners`, then at random."""
    c = np.int64(S.turn)
    most = 0.0
    best = -(1 << 30)
    ties = 0
    chosen = np.int64(ids[0])
    for i in range(n):
        m = np.int64(T.move_of[ids[i]])
        value = T.value[T.piece[m >> 16]]
        if value < most:
            continue
        balance = corner_balance(T, S, c, m) if by_corners else 0
        if value > most or balance > best:
            most, best, ties, chosen = value, balance, 1, np.int64(ids[i])
        elif balance == best:
            ties += 1
            if random_below(rng, ties) == 0:
                chosen = np.int64(ids[i])
    return chosen


@njit(cache=True)
def choose_largest_one(TA, SA, rng, ids, by_corners):
    """`choose_largest` among all of `ids` in SA[0]."""
    return choose_largest(TA[0], SA[0], rng, ids, len(ids), by_corners)


@njit(cache=True, nogil=True)
def choose_largest_batch(TA, SA, rng, games, ids, count, by_corners, out):
    """`choose_largest` in each of some games."""
    for i in range(len(games)):
        g = games[i]
        out[i] = choose_largest(TA[0], SA[g], rng, ids[g], np.int64(count[g]), by_corners)


@njit(cache=True, nogil=True)
def choose_random_batch(rng, games, ids, count, out):
    """A uniformly random legal action in each of some games."""
    for i in range(len(games)):
        out[i] = ids[games[i], random_below(rng, count[games[i]])]
