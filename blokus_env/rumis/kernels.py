"""All Numba code of the game: one implementation for one game and for thousands.

Kernels know only tables (`tables.py` explains the records). They take arrays of records, an array of length one for a
single game, check nothing and allocate nothing in loops. Names inside: `T` a table record, `S` a state record, `X`
scratch, `c` a color, `o` an orientation, `x` the bit of its origin, `k` a stone, `z` a level, `h` a height, `a` an
action. Arrays of records end in `A`: TA, SA, XA.

`survey` and `touching` sum a position up in a few words, from which `origins` has all legal origins of an orientation.

One file, because Numba's cache notices changes in the file of a function, not in the files that it imports.
"""
# mypy: disallow-untyped-decorators=False, disallow-untyped-defs=False, disallow-incomplete-defs=False
# mypy: check-untyped-defs=False

import numpy as np
from numba import njit
from numba.extending import intrinsic

from blokus_env import numba_records  # noqa: F401  # before anything compiles

NO_COLOR = -1  # `turn` when the game is over
ILLEGAL = -1
STACKS = 4  # as in tables
DIFFERENCES = 7  # as in tables
LARGEST, GREEDY = 0, 1  # how `choose` chooses

u8 = np.uint8
u16 = np.uint16
u64 = np.uint64
NOTHING = u64(0)
EVERYTHING = ~u64(0)


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


@njit(inline="always", cache=True)
def bits(word):
    """Number of set bits of a uint64, as int64."""
    return np.int64(popcount(u64(word)))


# One game -------------------------------------------------------------------------------------------------------------


@njit(cache=True)
def init(T, S):
    """The empty plan: all stones in hand, color 0 to move."""
    S.own[:, :] = NOTHING
    S.height[:] = 0
    S.left[:] = 0
    for c in range(T.colors):
        S.left[c] = u16((1 << len(T.size)) - 1)
    S.plays[:] = 0
    S.out = 0
    S.turn = 0
    S.ply = 0


@njit(cache=True)
def place(T, S, c, o, x):
    """Put a stone down for color c, on what lies there. Whose turn it is stays as it is."""
    for i in range(T.stacks[o]):
        y = u64(x + np.int64(T.offset[o, i]))
        h = np.int64(S.height[y])
        for z in range(h, h + np.int64(T.count[o, i])):
            S.own[c, z] |= u64(1) << y
        S.height[y] = h + np.int64(T.count[o, i])
    S.left[c] &= ~(u16(1) << u16(T.stone[o]))
    S.plays[c] += u8(1)
    S.ply += 1


@njit(cache=True)
def survey(T, S, X):
    """What is the same for all colors: squares by height, by room above, and by the difference to the next square."""
    levels = T.levels
    columns = u64(T.columns & 63)
    top = 0
    for z in range(levels):
        full = NOTHING
        for c in range(T.colors):
            full |= S.own[c, z]
        X.full[z] = full
        if full:
            top = z + 1
    X.full[levels] = NOTHING
    X.high[0] = T.plan & ~X.full[0]
    for h in range(1, levels + 1):
        X.high[h] = X.full[h - 1] & ~X.full[h]
    for n in range(1, STACKS + 1):
        room = NOTHING
        for h in range(top + 1):
            room |= X.high[h] & T.reach[h + n]
        X.room[n] = room
    for d in range(DIFFERENCES):
        right = NOTHING
        down = NOTHING
        for h in range(max(0, 3 - d), min(top, top + 3 - d) + 1):
            other = X.high[h + d - 3]
            right |= X.high[h] & (other >> u64(1))
            down |= X.high[h] & (other >> columns)
        X.step[d] = right
        X.step[DIFFERENCES + d] = down
    return top


@njit(cache=True)
def touching(T, S, X, c, top):
    """On which squares one of n more cubes would touch what color c must touch; after `survey`, which gave `top`.

    That are own stones (R3); for a first stone any stone, and also the base; for the first of all nothing (R2).
    """
    first = S.plays[c] == 0
    X.base = X.high[0] if first else EVERYTHING
    if S.ply == 0:
        X.contact[:] = EVERYTHING
        return
    columns = u64(T.columns & 63)
    below = NOTHING
    X.near[top] = NOTHING
    for z in range(top + 1):
        own = NOTHING
        if z < T.levels:
            own = X.full[z] if first else S.own[c, z]
        beside = ((own & T.not_last) << u64(1)) | ((own & T.not_first) >> u64(1)) | (own << columns) | (own >> columns)
        X.near[z] = beside | below
        below = own
    for z in range(top + 1, top + STACKS):
        X.near[z] = NOTHING
    for n in range(1, STACKS + 1):
        contact = NOTHING
        for h in range(top + 1):
            contact |= X.high[h] & X.near[h + n - 1]
        X.contact[n] = contact | X.contact[n - 1] if n > 1 else contact


@njit(inline="always", cache=True)
def origins(T, X, o):
    """All legal origins of an orientation (R1 to R4), as bits; after `touching`."""
    found = T.valid[o]
    if found == NOTHING:
        return found
    stacks = np.int64(T.stacks[o])
    for i in range(stacks - 1):
        found &= X.step[T.step[o, i]] >> u64(T.step_offset[o, i])
    if found == NOTHING:
        return found
    contact = NOTHING
    base = NOTHING
    for i in range(stacks):
        offset = u64(T.offset[o, i])
        n = T.count[o, i]
        found &= X.room[n] >> offset
        contact |= X.contact[n] >> offset
        base |= X.base >> offset
    return found & contact & base


@njit(cache=True)
def list_origins(T, S, X, c, top, mask):
    """Legal origins of each orientation for color c into `mask` (uint64[orientations]); the number of legal actions.

    After `survey`, which gave `top`.
    """
    mask[:] = NOTHING
    left = S.left[c]
    if left == 0:
        return 0
    touching(T, S, X, c, top)
    count = 0
    for k in range(len(T.size)):
        if (left >> u16(k)) & u16(1):
            for o in range(T.first_orientation[k], T.first_orientation[k + 1]):
                found = origins(T, X, o)
                mask[o] = found
                count += bits(found)
    return count


@njit(cache=True)
def is_legal(T, S, X, c, a):
    """Whether color c may play an action that exists."""
    o = np.int64(T.orientation_of[a])
    if not (S.left[c] >> u16(T.stone[o])) & u16(1):
        return False
    touching(T, S, X, c, survey(T, S, X))
    return (origins(T, X, o) >> u64(T.origin_of[a])) & u64(1) != 0


@njit(cache=True)
def advance(T, S, X, c, mask):
    """Give the turn to the first color from c on that can move; its legal origins into `mask`; how many there are.

    A color that cannot is passed over, for good with the option `out_after_pass` (R7). When none can, the game is over
    and the number is 0.
    """
    top = survey(T, S, X)
    for _ in range(T.colors):
        if not (S.out >> u8(c)) & u8(1):
            n = list_origins(T, S, X, c, top, mask)
            if n:
                S.turn = c
                return n
            if T.out_after_pass:
                S.out |= u8(1 << c)
        c = c + 1 if c + 1 < T.colors else 0
    mask[:] = NOTHING
    S.turn = NO_COLOR
    return 0


@njit(inline="always", cache=True)
def following(T, S):
    """The color after the one to move."""
    c = np.int64(S.turn) + 1
    return c if c < T.colors else 0


@njit(cache=True)
def pick(mask, n):
    """The n-th action of a mask: its orientation and origin."""
    for o in range(len(mask)):
        size = bits(mask[o])
        if n < size:
            word = mask[o]
            for _ in range(n):
                word &= word - u64(1)
            return o, np.int64(lowest_bit(word))
        n -= size
    return -1, -1


@njit(inline="always", cache=True)
def action_of(T, o, x):
    """The id of an orientation at an origin."""
    return np.int64(T.first[o]) + bits(T.valid[o] & ((u64(1) << u64(x)) - u64(1)))


@njit(cache=True)
def write_ids(T, mask, out):
    """The actions of a mask into an integer row, ascending; their number."""
    n = 0
    for o in range(len(mask)):
        word = mask[o]
        while word:
            x = lowest_bit(word)
            word &= word - u64(1)
            out[n] = action_of(T, o, x)
            n += 1
    return n


@njit(cache=True)
def seen(T, S, c):
    """Squares on which a cube of color c is seen from above."""
    found = NOTHING
    for z in range(T.levels):
        above = NOTHING
        if z + 1 < T.levels:
            for other in range(T.colors):
                above |= S.own[other, z + 1]
        found |= S.own[c, z] & ~above
    return found


@njit(cache=True)
def score(T, S, c):
    """Points of color c: own cubes seen from above, minus stones in hand (R5)."""
    return bits(seen(T, S, c)) - bits(S.left[c])


# Calls from Python for one game (arrays of length one) ----------------------------------------------------------------


@njit(cache=True)
def reset_one(TA, SA):
    """The start of a game in SA[0]."""
    init(TA[0], SA[0])


@njit(cache=True)
def push_one(TA, before, SA, XA, action, out):
    """Play an action in `before` (left as it is), and pass the turn on: the position is then SA[0].

    Returns the color to move then (NO_COLOR when the game is over) and the number of its legal actions; they themselves
    are in `out` (int32), ascending. If the action is not legal the number is ILLEGAL.
    """
    T, X = TA[0], XA[0]
    c = np.int64(before[0].turn)
    if not is_legal(T, before[0], X, c, action):
        return NO_COLOR, ILLEGAL
    SA[0] = before[0]
    S = SA[0]
    place(T, S, c, np.int64(T.orientation_of[action]), np.int64(T.origin_of[action]))
    advance(T, S, X, following(T, S), X.mask)
    return np.int64(S.turn), write_ids(T, X.mask, out)


@njit(cache=True)
def legal_one(TA, SA, XA, c, out):
    """Legal action ids of color c into `out` (int32), ascending; their number."""
    T, S, X = TA[0], SA[0], XA[0]
    list_origins(T, S, X, c, survey(T, S, X), X.mask)
    return write_ids(T, X.mask, out)


@njit(cache=True)
def is_legal_one(TA, SA, XA, c, action):
    """Whether color c may play an action that exists."""
    return is_legal(TA[0], SA[0], XA[0], c, action)


@njit(cache=True)
def score_one(TA, SA, out):
    """Points of every color in SA[0] into float64[colors]."""
    for c in range(len(out)):
        out[c] = score(TA[0], SA[0], c)


@njit(cache=True)
def seen_one(TA, SA, c):
    """`seen` in SA[0]."""
    return seen(TA[0], SA[0], c)


@njit(cache=True)
def sample_many(TA, SA, XA, rng, c, out):
    """Fill `out` (int32) with independent, uniformly random legal actions of color c in SA[0], which must have one."""
    T, S, X = TA[0], SA[0], XA[0]
    n = list_origins(T, S, X, c, survey(T, S, X), X.mask)
    for i in range(len(out)):
        o, x = pick(X.mask, random_below(rng, n))
        out[i] = action_of(T, o, x)


@njit(cache=True)
def random_games(TA, SA, XA, rng, games):
    """Play whole uniformly random games in SA[0]; the number of plies."""
    T, S, X = TA[0], SA[0], XA[0]
    plies = 0
    for _ in range(games):
        init(T, S)
        n = advance(T, S, X, 0, X.mask)
        while n:
            o, x = pick(X.mask, random_below(rng, n))
            place(T, S, np.int64(S.turn), o, x)
            n = advance(T, S, X, following(T, S), X.mask)
        plies += np.int64(S.ply)
    return plies


# Observations and masks -----------------------------------------------------------------------------------------------


@njit(cache=True)
def spread(word, row):
    """Bits of a word as uint8, one an entry."""
    for i in range(len(row)):
        row[i] = (word >> u64(i)) & u64(1)


@njit(cache=True)
def write_board(T, S, X, first, out):
    """Board planes relative to color `first` into uint8[planes, squares]: `observation.board_plane_names`."""
    colors, levels = T.colors, T.levels
    top = survey(T, S, X)
    spread(T.plan, out[0])
    for i in range(T.squares):
        out[1, i] = S.height[i]
        out[2, i] = T.limit[i] - S.height[i]
    for j in range(colors):
        c = first + j if first + j < colors else first + j - colors
        spread(seen(T, S, c), out[3 + j])
        touching(T, S, X, c, top)
        spread(X.contact[1] & X.room[1] & X.base, out[3 + colors + j])
        for z in range(levels):
            spread(S.own[c, z], out[3 + 2 * colors + j * levels + z])


@njit(cache=True)
def write_vector(T, S, first, out):
    """Numbers besides the board into uint8[V]: `observation.vector_names`."""
    colors, stones = T.colors, len(T.size)
    flags = colors * stones
    for j in range(colors):
        c = first + j if first + j < colors else first + j - colors
        for k in range(stones):
            out[j * stones + k] = (S.left[c] >> u16(k)) & u16(1)
        out[flags + j] = (S.out >> u8(c)) & u8(1)
        out[flags + colors + j] = c == S.turn
        out[flags + 2 * colors + j] = j == first


@njit(cache=True)
def observe_one(TA, SA, XA, first, planes, board, vector):
    """The observation of SA[0] relative to color `first`: board uint8[rows, squares] and vector uint8[V].

    Rows of `board` from `planes` on become constant planes of the vector.
    """
    write_board(TA[0], SA[0], XA[0], first, board)
    write_vector(TA[0], SA[0], first, vector)
    for i in range(len(board) - planes):
        board[planes + i, :] = vector[i]


@njit(cache=True)
def observe_batch(TA, SA, XA, games, first, board, vector):
    """Observations of some games relative to color first[i]: board uint8[k, planes, squares], vector uint8[k, V]."""
    for i in range(len(games)):
        S = SA[games[i]]
        write_board(TA[0], S, XA[0], np.int64(first[i]), board[i])
        write_vector(TA[0], S, np.int64(first[i]), vector[i])


@njit(cache=True)
def write_mask(ids, row):
    """A dense mask int8[actions] from action ids."""
    row[:] = 0
    for i in range(len(ids)):
        row[u64(ids[i])] = 1


@njit(cache=True)
def set_ones(T, mask, row):
    """A dense mask."""
    row[:] = 0
    for o in range(len(mask)):
        word = mask[o]
        while word:
            row[u64(action_of(T, o, lowest_bit(word)))] = 1
            word &= word - u64(1)


@njit(cache=True)
def set_bits(T, mask, row):
    """A packed mask (little bit order)."""
    row[:] = 0
    for o in range(len(mask)):
        word = mask[o]
        while word:
            a = action_of(T, o, lowest_bit(word))
            row[u64(a >> 3)] |= u8(1 << (a & 7))
            word &= word - u64(1)


# Batches: SA holds N games, `masks` (uint64[N, orientations]) and `count` (int32[N]) the legal actions of their movers


@njit(cache=True)
def reset_batch(TA, SA, XA, games, masks, count):
    """Start some games anew and list the first color's actions."""
    for i in range(len(games)):
        g = games[i]
        init(TA[0], SA[g])
        count[g] = advance(TA[0], SA[g], XA[0], 0, masks[g])


@njit(cache=True)
def step_batch(TA, SA, XA, games, actions, masks, count):
    """Play one legal action in each of some games, pass the turn on, list the next mover's actions; count 0 when a game
    is over.
    """
    T = TA[0]
    for i in range(len(games)):
        g = games[i]
        S = SA[g]
        a = np.int64(actions[i])
        place(T, S, np.int64(S.turn), np.int64(T.orientation_of[a]), np.int64(T.origin_of[a]))
        count[g] = advance(T, S, XA[0], following(T, S), masks[g])


@njit(cache=True)
def legal_batch(TA, masks, games, actions, out):
    """Whether each action is legal for the mover of its game, into bool[k]; ids out of range and games that are over
    are not.
    """
    T = TA[0]
    number = np.int64(T.first[len(T.first) - 1])
    for i in range(len(games)):
        a = np.int64(actions[i])
        exists = 0 <= a < number
        out[i] = exists and (masks[games[i], T.orientation_of[a]] >> u64(T.origin_of[a])) & u64(1) != 0


@njit(cache=True)
def ids_batch(TA, games, masks, out):
    """Rows of legal ids, ascending, padded with −1."""
    for i in range(len(games)):
        n = write_ids(TA[0], masks[games[i]], out[i])
        for j in range(n, out.shape[1]):
            out[i, j] = -1


@njit(cache=True)
def dense_batch(TA, games, masks, out):
    """Dense masks of some games."""
    for i in range(len(games)):
        set_ones(TA[0], masks[games[i]], out[i])


@njit(cache=True)
def packed_batch(TA, games, masks, out):
    """Packed masks of some games."""
    for i in range(len(games)):
        set_bits(TA[0], masks[games[i]], out[i])


@njit(cache=True)
def score_batch(TA, SA, games, out):
    """Scores of every color into float64[k, colors]."""
    for i in range(len(games)):
        for c in range(out.shape[1]):
            out[i, c] = score(TA[0], SA[games[i]], c)


@njit(cache=True)
def random_steps(TA, SA, XA, rng, steps, masks, count, dense, packed, board, vector):
    """Step all games of SA at random with immediate reset, writing what has rows: masks and observations after each
    step.

    `masks` and `count` are those of a batch. Arrays of zero length are not written. The number of games that ended.
    """
    T, X = TA[0], XA[0]
    ended = 0
    for _ in range(steps):
        for g in range(len(SA)):
            S = SA[g]
            if count[g]:
                o, x = pick(masks[g], random_below(rng, count[g]))
                place(T, S, np.int64(S.turn), o, x)
                count[g] = advance(T, S, X, following(T, S), masks[g])
            if count[g] == 0:
                ended += 1
                init(T, S)
                count[g] = advance(T, S, X, 0, masks[g])
            if len(dense):
                set_ones(T, masks[g], dense[g])
            if len(packed):
                set_bits(T, masks[g], packed[g])
            if len(board):
                write_board(T, S, X, np.int64(S.turn), board[g])
                write_vector(T, S, np.int64(S.turn), vector[g])
    return ended


# Simple policies ------------------------------------------------------------------------------------------------------


@njit(inline="always", cache=True)
def value(T, S, o, x, others, how):
    """What `choose` maximizes: cubes of the stone (LARGEST), or 3 for each of them and for each square that is built up
    to its limit, so that nobody can cover it, and 1 for each square taken from `others` (GREEDY).
    """
    size = np.int64(T.size[T.stone[o]])
    if how == LARGEST:
        return size
    done = 0
    for i in range(T.stacks[o]):
        y = u64(np.int64(x) + np.int64(T.offset[o, i]))
        done += np.int64(S.height[y] + T.count[o, i] == T.limit[y])
    return 3 * (size + done) + bits((T.footprint[o] << u64(x)) & others)


@njit(cache=True)
def choose(T, S, rng, mask, how):
    """One of the actions of a mask for the color to move that are best by `value`, any of them."""
    c = np.int64(S.turn)
    others = NOTHING
    for other in range(T.colors):
        if other % T.players != c % T.players:
            others |= seen(T, S, other)
    best = -1
    ties = 0
    chosen = -1
    for o in range(len(mask)):
        word = mask[o]
        while word:
            x = lowest_bit(word)
            word &= word - u64(1)
            worth = value(T, S, o, x, others, how)
            if worth > best:
                best = worth
                ties = 0
            if worth == best:
                ties += 1
                if random_below(rng, ties) == 0:
                    chosen = action_of(T, o, x)
    return chosen


@njit(cache=True)
def choose_one(TA, SA, XA, rng, how):
    """`choose` in SA[0], which must not be over."""
    T, S, X = TA[0], SA[0], XA[0]
    list_origins(T, S, X, np.int64(S.turn), survey(T, S, X), X.mask)
    return choose(T, S, rng, X.mask, how)


@njit(cache=True)
def choose_batch(TA, SA, rng, games, masks, how, out):
    """`choose` in each of some games, none of which is over."""
    for i in range(len(games)):
        g = games[i]
        out[i] = choose(TA[0], SA[g], rng, masks[g], how)


@njit(cache=True)
def random_batch(TA, rng, games, masks, count, out):
    """A uniformly random legal action in each of some games, none of which is over."""
    for i in range(len(games)):
        o, x = pick(masks[games[i]], random_below(rng, count[games[i]]))
        out[i] = action_of(TA[0], o, x)
