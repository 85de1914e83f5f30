"""All Numba code of the game: one implementation for one game and for thousands.

Kernels know only tables (`tables.py` explains the records). They take arrays of records, an array of length one for a
single game, check nothing and allocate nothing in loops. Names inside: `T` a table record, `S` a state record, `X`
scratch, `p` a player, `c` a color, `t` a tile, `s` a position on the grid with a rim, `m` a move, that is
(color << 12) + (tile << 7) + position. Arrays of records end in `A`: TA, SA, XA. Player p has the colors p and
p + players.

One file, because Numba's cache notices changes in the file of a function, not in the files that it imports.
"""

import numpy as np
from numba import njit
from numba.extending import intrinsic

from blokus_env import numba_records  # noqa: F401  # before anything compiles

EMPTY = -1  # `color` of an empty square
RIM = -2  # `color` round the board
GAME_OVER = -1  # `turn` when the game is over
NO_TILE = -1  # in `face`, `deal` and `order`
NO_MOVE = -1
ILLEGAL = -1
SHEET, OFFICIAL, UPTOWN = 0, 1, 2  # as in variants.SCORINGS
GRID = 11  # a step up or down
WILD = 27
TRIES = 40  # rejected draws after which `sample` makes the list
BYTE = 255

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


@njit(inline="always", cache=True)
def bits(word):
    """Number of set bits of a uint32, as int64."""
    return np.int64(popcount(u32(word)))


@njit(inline="always", cache=True)
def bit(t):
    """The uint32 with bit t."""
    return u32(1) << u32(t)


# One game -------------------------------------------------------------------------------------------------------------


@njit(cache=True)
def init(T, S, rng):
    """The start of a game with piles shuffled by `rng` (T3), player 0 to move."""
    for c in range(T.colors):
        for t in range(T.tiles):
            S.deal[c, t] = t
        for i in range(T.tiles - 1, 0, -1):
            j = random_below(rng, i + 1)
            t = S.deal[c, i]
            S.deal[c, i] = S.deal[c, j]
            S.deal[c, j] = t
    start(T, S)


@njit(cache=True)
def start(T, S):
    """The start of a game with the piles as they lie in `deal`."""
    S.color[:] = RIM
    S.face[:] = NO_TILE
    for row in range(1, GRID - 1):
        for column in range(1, GRID - 1):
            S.color[u64(row * GRID + column)] = EMPTY
    S.order[:] = NO_TILE
    S.release[:] = 0
    S.captured[:] = 0
    S.played[:] = 0
    S.skips[:] = 0
    S.rack[:] = 0
    S.drawn[:] = 0
    S.deal[T.colors :] = NO_TILE
    S.deal[:, T.tiles :] = NO_TILE
    for c in range(T.colors):
        S.drawn[c] = T.rack
        rack = u32(0)
        for i in range(T.rack):
            rack |= bit(S.deal[c, i])
        S.rack[c] = rack
    S.turn = 0
    S.ply = 0
    S.turns = 0


@njit(cache=True)
def can_take(S, X, s):
    """Whether the tile on position s may be replaced as far as its group goes: the rest stays connected (C2).

    If the neighbors of its color are joined by a walk round s, all is well; otherwise a flood fill decides.
    """
    s = u64(s)
    color = S.color
    x = color[s]
    up = np.int64(color[s - u64(11)] == x)
    right = np.int64(color[s + u64(1)] == x)
    down = np.int64(color[s + u64(11)] == x)
    left = np.int64(color[s - u64(1)] == x)
    arms = up + right + down + left
    if arms <= 1:
        return True
    joints = up & right & np.int64(color[s - u64(10)] == x)
    joints += right & down & np.int64(color[s + u64(12)] == x)
    joints += down & left & np.int64(color[s + u64(10)] == x)
    joints += left & up & np.int64(color[s - u64(12)] == x)
    if arms - joints <= 1:
        return True
    seen = X.seen
    stack = X.stack
    seen[:] = 0
    seen[s] = 1
    y = s - u64(11) if up else (s + u64(1) if right else s + u64(11))
    seen[y] = 1
    stack[0] = y
    n = 1
    while n:
        n -= 1
        y = u64(stack[u64(n)])
        for z in (y - u64(11), y + u64(1), y + u64(11), y - u64(1)):
            if color[z] == x and not seen[z]:
                seen[z] = 1
                stack[u64(n)] = z
                n += 1
    reached = (up & np.int64(seen[s - u64(11)])) + (right & np.int64(seen[s + u64(1)]))
    reached += (down & np.int64(seen[s + u64(11)])) + (left & np.int64(seen[s - u64(1)]))
    return reached == arms


@njit(inline="always", cache=True)
def open_rack(T, S, c):
    """The tiles that color c can play from: none when its rack is closed, that is not full (D5)."""
    rack = S.rack[c]
    return rack if bits(rack) == T.rack else u32(0)


@njit(inline="always", cache=True)
def is_own_other(T, p, x):
    """Whether color x belongs to player p and must not be captured by p's other color (D3)."""
    return T.own_other == 0 and x % T.players == p


@njit(cache=True)
def list_moves(T, S, X, p, out):
    """Every legal action of player p into `out`, ascending; their number (P1, C1, C2)."""
    memo = X.memo
    memo[:] = 0
    n = 0
    base = 0
    for c in range(p, T.colors, T.players):
        rack = open_rack(T, S, c)
        while rack:
            t = u64(lowest_bit(rack))
            rack &= rack - u32(1)
            first = base + T.first[t]
            for i in range(T.num_square[t]):
                s = u64(T.square[t, u64(i)])
                x = np.int64(S.color[s])
                if x >= 0:
                    if x == c:
                        continue
                    if memo[s] == 0:
                        memo[s] = 1 if can_take(S, X, s) else 2
                    if memo[s] == 2 or is_own_other(T, p, x):
                        continue
                out[u64(n)] = first + i
                n += 1
        base += T.actions
    return n


@njit(inline="always", cache=True)
def move_of(T, p, a):
    """The move that action a of player p is."""
    c = p
    if a >= T.actions:
        a -= T.actions
        c += T.players
    return (c << 12) | (np.int64(T.tile_of[a]) << 7) | np.int64(T.position_of[a])


@njit(inline="always", cache=True)
def action_of(T, p, m):
    """The action of player p that move m is."""
    a = np.int64(T.action[(m >> 7) & 31, m & 127])
    return a if (m >> 12) == p else a + T.actions


@njit(cache=True)
def is_legal_move(T, S, X, p, m):
    """Whether player p may make a move now."""
    c, t, s = m >> 12, (m >> 7) & 31, m & 127
    if not open_rack(T, S, c) & bit(t):
        return False
    x = np.int64(S.color[s])
    if x < 0:
        return True
    return x != c and not is_own_other(T, p, x) and can_take(S, X, s)


@njit(cache=True)
def sample(T, S, X, rng, p):
    """A uniformly random legal move of player p, NO_MOVE if there is none.

    Draws a tile in proportion to the squares that it matches and one of these, and rejects what is illegal; after TRIES
    draws it falls back on the list.
    """
    total = 0
    for c in range(p, T.colors, T.players):
        rack = open_rack(T, S, c)
        total += 9 * bits(rack) + 72 * np.int64((rack >> u32(WILD)) & u32(1))
    if total == 0:
        return NO_MOVE
    for _ in range(TRIES):
        k = random_below(rng, total)
        c = p
        rack = open_rack(T, S, c)
        size = 9 * bits(rack) + 72 * np.int64((rack >> u32(WILD)) & u32(1))
        if k >= size:
            k -= size
            c += T.players
            rack = open_rack(T, S, c)
        t = u64(WILD)
        i = u64(k)
        if rack & bit(WILD):
            if k < 81:
                rack = u32(0)
            else:
                k -= 81
        if rack:
            n = k // 9
            i = u64(k - 9 * n)
            for _n in range(n):
                rack &= rack - u32(1)
            t = u64(lowest_bit(rack))
        s = u64(T.square[t, i])
        x = np.int64(S.color[s])
        if x >= 0 and (x == c or is_own_other(T, p, x) or not can_take(S, X, s)):
            continue
        return (c << 12) | (np.int64(t) << 7) | np.int64(s)
    n = list_moves(T, S, X, p, X.ids)
    if n == 0:
        return NO_MOVE
    return move_of(T, p, np.int64(X.ids[random_below(rng, n)]))


@njit(inline="always", cache=True)
def put(T, S, p, m):
    """Play a tile, take what it replaces (C3) and draw (P3). Whose turn it is stays as it is."""
    c, t, s = u64(m >> 12), u64((m >> 7) & 31), u64(m & 127)
    x = np.int64(S.color[s])
    if x >= 0:
        S.captured[u64(p), u64(x)] |= bit(S.face[s])
    S.color[s] = c
    S.face[s] = t
    drawn = np.int64(S.drawn[c])
    S.order[c, u64(drawn - T.rack)] = t
    S.played[c] |= bit(t)
    rack = S.rack[c] & ~bit(t)
    if drawn < T.tiles:
        tile = S.deal[c, u64(drawn)]
        if tile >= 0:  # unknown in views
            rack |= bit(tile)
        S.drawn[c] = drawn + 1
    S.rack[c] = rack
    S.ply += 1


@njit(inline="always", cache=True)
def after(T, p):
    """The player whose turn comes after that of p."""
    return p + 1 if p + 1 < T.players else 0


@njit(cache=True)
def skip(T, S, X, p):
    """Consume a turn of player p, who has no legal move (P5), and write down what everybody learns by it (H4).

    No tile on p's racks can be played now: unseen tiles that could be played lie in the pile.
    """
    S.skips[p] += u8(1)
    S.turns += 1
    for c in range(p, T.colors, T.players):
        if not open_rack(T, S, c):
            continue
        unseen = bit(T.tiles) - u32(1) & ~(S.played[c] | S.rack[c])
        while unseen:
            t = np.int64(lowest_bit(unseen))
            unseen &= unseen - u32(1)
            for i in range(T.num_square[t]):
                s = np.int64(T.square[t, i])
                x = np.int64(S.color[s])
                if x < 0 or (x != c and not is_own_other(T, p, x) and can_take(S, X, s)):
                    S.release[c, t] = S.drawn[c]
                    break


@njit(cache=True)
def advance(T, S, X, out):
    """Pass the turn on to the next player who has a legal move; list the moves in `out` and return their number.

    Turns of players without one are consumed. After the last turn the game is over (E1) and the number is 0.
    """
    p = after(T, np.int64(S.turn))
    S.turns += 1
    while S.turns < T.turns:
        n = list_moves(T, S, X, p, out)
        if n:
            S.turn = p
            return n
        skip(T, S, X, p)
        p = after(T, p)
    S.turn = GAME_OVER
    return 0


# Scores ---------------------------------------------------------------------------------------------------------------


@njit(cache=True)
def label_groups(S, X, c):
    """Number the groups of color c (G3) from 1 in `X.group`, 0 elsewhere; their number."""
    group = X.group
    stack = X.stack
    group[:] = 0
    count = 0
    for s in range(GRID + 1, GRID * (GRID - 1) - 1):
        if S.color[u64(s)] != c or group[u64(s)]:
            continue
        count += 1
        group[u64(s)] = count
        stack[0] = s
        n = 1
        while n:
            n -= 1
            y = u64(stack[u64(n)])
            for z in (y - u64(11), y + u64(1), y + u64(11), y - u64(1)):
                if S.color[z] == c and not group[z]:
                    group[z] = count
                    stack[u64(n)] = z
                    n += 1
    return count


@njit(cache=True)
def most_captured(T, S, p):
    """The most tiles that player p has captured of one opponent's color."""
    most = 0
    for c in range(T.colors):
        if c % T.players != p:
            most = max(most, bits(S.captured[p, c]))
    return most


@njit(cache=True)
def all_captured(T, S, p):
    """All tiles that player p has captured of opponents' colors (S6)."""
    total = 0
    for c in range(T.colors):
        if c % T.players != p:
            total += bits(S.captured[p, c])
    return total


@njit(cache=True)
def tiles_left(T, S, p):
    """Own tiles that player p has left at the end, of the color with more; before the end the fewest possible (S2)."""
    total, fewest, colors = 0, T.tiles, 0
    for c in range(p, T.colors, T.players):
        left = T.tiles - bits(S.played[c])
        total += left
        fewest = min(fewest, left)
        colors += 1
    gone = (np.int64(S.turns) - p + T.players - 1) // T.players
    total -= T.turns // T.players - gone
    if colors == 1:
        return total
    return max((total + 1) // 2, total - fewest)


@njit(cache=True)
def price(T, S, p, most):
    """Points of player p beside the groups, if `most` are the captures of one color (S2 to S4)."""
    if T.scoring == UPTOWN:
        return 0
    if T.scoring == OFFICIAL:
        return most
    return max(most, tiles_left(T, S, p))


@njit(cache=True)
def points(T, S, X, p):
    """Points of player p, as if the game ended now; fewest win."""
    groups = 0
    for c in range(p, T.colors, T.players):
        groups += label_groups(S, X, c)
    return groups + price(T, S, p, most_captured(T, S, p))


# What is hidden -------------------------------------------------------------------------------------------------------


@njit(cache=True)
def hide(T, S, p):
    """Erase what player p does not know: others' racks and draws, and the piles. A rack whose pile is empty is known:
    it is what nobody has seen.
    """
    for c in range(T.colors):
        own = c % T.players == p
        for i in range(np.int64(S.drawn[c]) if own else 0, T.tiles):
            S.deal[c, i] = NO_TILE
        if not own:
            known = S.drawn[c] == T.tiles
            S.rack[c] = bit(T.tiles) - u32(1) & ~S.played[c] if known else u32(0)


@njit(cache=True)
def redeal(T, S, X, rng, p):
    """Deal anew what player p does not know: uniform among all deals that agree with what p knows (H5).

    Works on full states and on those that `hide` has treated. Played tiles get places in the deal at which they were on
    the rack when they were played, so that the game can be replayed.
    """
    while True:
        for c in range(T.colors):
            if c % T.players == p:
                shuffle_pile(T, S, X, rng, c)
                continue
            proved = False
            for t in range(T.tiles):
                proved = proved or S.release[c, t] > 0
            if proved:
                deal_proved(T, S, rng, c)
            else:
                deal_free(T, S, X, rng, c)
            rack = u32(0)
            for i in range(S.drawn[c]):
                rack |= bit(S.deal[c, i])
            S.rack[c] = rack & ~S.played[c]
        mover = np.int64(S.turn)
        if mover < 0 or mover == p or list_moves(T, S, X, mover, X.ids):  # who is to move can move
            return


@njit(cache=True)
def shuffle_pile(T, S, X, rng, c):
    """Shuffle the pile of color c, whose rack is known."""
    pool = fill_pool(T, X, bit(T.tiles) - u32(1) & ~(S.played[c] | S.rack[c]))
    for i in range(np.int64(S.drawn[c]), T.tiles):
        S.deal[c, i] = draw_from_pool(X, rng, pool)
        pool -= 1


@njit(inline="always", cache=True)
def fill_pool(T, X, tiles):
    """Collect tiles, given as bits, in `X.pool`; their number."""
    n = 0
    while tiles:
        X.pool[n] = lowest_bit(tiles)
        tiles &= tiles - u32(1)
        n += 1
    return n


@njit(inline="always", cache=True)
def draw_from_pool(X, rng, n):
    """Take one of the first n tiles of the pool."""
    j = random_below(rng, n)
    t = X.pool[j]
    X.pool[j] = X.pool[n - 1]
    return t


@njit(cache=True)
def deal_free(T, S, X, rng, c):
    """A uniformly random deal of color c without proofs: replay with a rack of places instead of tiles."""
    size = T.rack
    for i in range(size):
        X.hand[i] = i
    for k in range(bits(S.played[c])):
        j = random_below(rng, size)
        S.deal[c, X.hand[j]] = S.order[c, k]
        if T.rack + k < T.tiles:
            X.hand[j] = T.rack + k
        else:
            size -= 1
            X.hand[j] = X.hand[size]
    pool = fill_pool(T, X, bit(T.tiles) - u32(1) & ~S.played[c])
    for i in range(size):
        S.deal[c, X.hand[i]] = draw_from_pool(X, rng, pool)
        pool -= 1
    for i in range(np.int64(S.drawn[c]), T.tiles):
        S.deal[c, i] = draw_from_pool(X, rng, pool)
        pool -= 1


@njit(cache=True)
def deal_proved(T, S, rng, c):
    """A uniformly random deal of color c where skipped turns have proved something.

    Each tile has a window of places in the deal: from `release` on, and, if it was played, before the draws that came
    after. The places between two releases are a segment. Tiles are put in order of the ends of their windows; then the
    number of ways to go on depends only on how many places of each segment are taken, and is found backwards.
    """
    tile, release, end, start = windows(T, S, c)
    count, last = len(tile), len(start) - 1  # segments 0 … last
    stop = np.empty(last + 1, np.int64)  # ends of the segments
    stride = np.zeros(last + 1, np.int64)  # of a segment's number in the index of the table; segment 0 follows from it
    size = 1
    for j in range(last + 1):
        stop[j] = start[j + 1] if j < last else T.tiles
        if j > 0:
            stride[j] = size
            size *= stop[j] - start[j] + 1
    ways = np.zeros((count + 1, size))
    ways[count] = 1.0
    taken = np.zeros(last + 1, np.int64)
    for i in range(count - 1, -1, -1):
        for index in range(size):
            decode(index, i, start, stop, stride, taken)
            if taken[0] < 0:
                continue
            for j in range(last + 1):
                if start[j] >= release[i]:
                    free = min(end[i], stop[j]) - start[j] - taken[j]
                    if free > 0:
                        ways[i, index] += free * ways[i + 1, index + stride[j]]
    S.deal[c] = NO_TILE
    index = 0
    for i in range(count):
        decode(index, i, start, stop, stride, taken)
        u = np.float64(random_word(rng) >> u64(11)) / 9007199254740992.0 * ways[i, index]
        chosen = 0
        for j in range(last + 1):
            free = min(end[i], stop[j]) - start[j] - taken[j]
            if start[j] >= release[i] and free > 0 and ways[i + 1, index + stride[j]] > 0:
                chosen = j
                u -= free * ways[i + 1, index + stride[j]]
                if u < 0:
                    break
        free = random_below(rng, min(end[i], stop[chosen]) - start[chosen] - taken[chosen])
        index += stride[chosen]
        for place in range(start[chosen], T.tiles):
            if S.deal[c, place] == NO_TILE:
                if free == 0:
                    S.deal[c, place] = tile[i]
                    break
                free -= 1
    fill_rest(T, S, rng, c)


@njit(cache=True)
def windows(T, S, c):
    """The tiles of color c that have windows, in order of their ends: tile, release, end; and the segments' starts."""
    plays = bits(S.played[c])
    tile = np.empty(T.tiles, np.int64)
    release = np.empty(T.tiles, np.int64)
    end = np.empty(T.tiles, np.int64)
    start = np.zeros(T.tiles + 1, np.int64)
    count, segments = 0, 1
    for k in range(plays):
        tile[count], end[count] = S.order[c, k], T.rack + k
        count += 1
    for t in range(T.tiles):
        if S.release[c, t] > 0 and not S.played[c] & bit(t):
            tile[count], end[count] = t, T.tiles
            count += 1
    for i in range(count):
        release[i] = S.release[c, tile[i]]
    for place in range(1, T.tiles):
        for i in range(count):
            if release[i] == place:
                start[segments] = place
                segments += 1
                break
    return tile[:count], release[:count], end[:count], start[:segments]


@njit(inline="always", cache=True)
def decode(index, total, start, stop, stride, taken):
    """How many places of each segment are taken, `total` of all."""
    taken[0] = total
    for j in range(1, len(start)):
        taken[j] = index // stride[j] % (stop[j] - start[j] + 1)
        taken[0] -= taken[j]


@njit(cache=True)
def fill_rest(T, S, rng, c):
    """Put the tiles that are nowhere yet into the free places of a deal, at random."""
    rest = bit(T.tiles) - u32(1)
    for i in range(T.tiles):
        if S.deal[c, i] >= 0:
            rest &= ~bit(S.deal[c, i])
    for i in range(T.tiles):
        if S.deal[c, i] < 0:
            among = rest
            for _ in range(random_below(rng, bits(rest))):
                among &= among - u32(1)
            t = lowest_bit(among)
            S.deal[c, i] = t
            rest &= ~bit(t)


# Calls from Python for one game (arrays of length one) ----------------------------------------------------------------


@njit(cache=True)
def reset_one(TA, SA, rng):
    """A new game in SA[0], shuffled by `rng`."""
    init(TA[0], SA[0], rng)


@njit(cache=True)
def deal_one(TA, SA, deal):
    """A new game in SA[0] with given piles, int8[colors, tiles], in the order in which they are drawn."""
    for c in range(TA[0].colors):
        for i in range(TA[0].tiles):
            SA[0].deal[c, i] = deal[c, i]
    start(TA[0], SA[0])


@njit(cache=True)
def push_one(TA, before, SA, XA, action, out):
    """Play an action in `before` (left as it is), and pass the turn on: the position is then SA[0].

    Returns the number of actions that are legal then; they are in `out` (int32), ascending. If the action is not legal
    the number is ILLEGAL.
    """
    T, X = TA[0], XA[0]
    p = np.int64(before[0].turn)
    m = move_of(T, p, action)
    if not is_legal_move(T, before[0], X, p, m):
        return ILLEGAL
    SA[0] = before[0]
    put(T, SA[0], p, m)
    return advance(T, SA[0], X, out)


@njit(cache=True)
def legal_one(TA, SA, XA, p, out):
    """Legal actions of player p in SA[0] into `out` (int32), ascending; their number."""
    return list_moves(TA[0], SA[0], XA[0], p, out)


@njit(cache=True)
def is_legal_one(TA, SA, XA, p, action):
    """Whether player p may play an action in SA[0]."""
    return is_legal_move(TA[0], SA[0], XA[0], p, move_of(TA[0], p, action))


@njit(cache=True)
def can_take_one(SA, XA, s):
    """Whether the tile on position s may be replaced as far as its group goes."""
    return can_take(SA[0], XA[0], s)


@njit(cache=True)
def groups_one(SA, XA, out):
    """Number of groups of each color into int64[colors]."""
    for c in range(len(out)):
        out[c] = label_groups(SA[0], XA[0], c)


@njit(cache=True)
def hide_one(TA, SA, p):
    """Erase in SA[0] what player p does not know."""
    hide(TA[0], SA[0], p)


@njit(cache=True)
def redeal_one(TA, SA, XA, rng, p):
    """Deal anew in SA[0] what player p does not know."""
    redeal(TA[0], SA[0], XA[0], rng, p)


@njit(cache=True)
def score_one(TA, SA, XA, out, captured, left):
    """Points, captured tiles and tiles left of each player in SA[0] into int64[players] each."""
    for p in range(len(out)):
        out[p] = points(TA[0], SA[0], XA[0], p)
        captured[p] = all_captured(TA[0], SA[0], p)
        left[p] = tiles_left(TA[0], SA[0], p)


@njit(cache=True, nogil=True)
def sample_many(TA, SA, XA, rng, p, out):
    """Fill `out` (int32) with independent, uniformly random legal actions of player p in SA[0]; −1 if it has none."""
    for i in range(len(out)):
        m = sample(TA[0], SA[0], XA[0], rng, p)
        out[i] = NO_MOVE if m < 0 else action_of(TA[0], p, m)


@njit(cache=True)
def play_out(T, S, X, rng):
    """Play uniformly random moves to the end of the game, without lists."""
    p = np.int64(S.turn)
    while S.turns < T.turns:
        m = sample(T, S, X, rng, p)
        if m < 0:
            skip(T, S, X, p)
        else:
            put(T, S, p, m)
            S.turns += 1
        p = after(T, p)
    S.turn = GAME_OVER


@njit(cache=True, nogil=True)
def random_games(TA, SA, XA, rng, games):
    """Play whole uniformly random games in SA[0], with their scores; the number of plies."""
    T, S, X = TA[0], SA[0], XA[0]
    plies = 0
    total = 0
    for _ in range(games):
        init(T, S, rng)
        play_out(T, S, X, rng)
        plies += S.ply
        for p in range(T.players):
            total += points(T, S, X, p)
    return plies if total >= 0 else -1


# Observations and masks -----------------------------------------------------------------------------------------------


@njit(inline="always", cache=True)
def relative_color(T, p, j):
    """The color with the index j as player p counts: first colors of p and of the players after p, then second ones."""
    seat = p + j % T.players
    return (seat if seat < T.players else seat - T.players) + j // T.players * T.players


@njit(cache=True)
def write_board_planes(T, S, X, p, out):
    """Board planes as player p sees them into uint8[planes, 81]; `observation.py` names them."""
    colors = T.colors
    own = colors // T.players
    out[:] = 0
    takeable = colors + 4
    for i in range(81):
        s = np.int64(T.position[i])
        x = np.int64(S.color[s])
        if x >= 0:
            seat = x % T.players - p
            j = (seat if seat >= 0 else seat + T.players) + x // T.players * T.players
            out[j, i] = 1
            out[colors + np.int64(S.face[s]) // 9, i] = 1
            out[takeable, i] = can_take(S, X, s)
    rest = bit(T.tiles) - u32(1)
    for k in range(own):
        rack = open_rack(T, S, p + k * T.players)
        for i in range(81):
            out[takeable + 1 + k, i] = popcount(rack & T.matching[i])
    for j in range(colors):
        unseen = rest & ~S.played[relative_color(T, p, j)]
        for i in range(81):
            out[takeable + 1 + own + j, i] = popcount(unseen & T.matching[i])


@njit(cache=True)
def write_vector(T, S, X, p, out):
    """Numbers besides the board as player p sees them into uint8[V]; `observation.py` names them."""
    n = 0
    for c in range(p, T.colors, T.players):
        n = write_bits(T, S.rack[c], out, n)
    for j in range(T.colors):
        n = write_bits(T, ~S.played[relative_color(T, p, j)], out, n)
    for j in range(T.colors):
        c = relative_color(T, p, j)
        if c % T.players != p:
            for t in range(T.tiles):
                out[n] = S.release[c, t] == S.drawn[c] and not S.played[c] & bit(t)
                n += 1
    for j in range(T.colors):
        c = relative_color(T, p, j)
        out[n] = np.int64(S.drawn[c]) - bits(S.played[c])
        out[n + T.colors] = T.tiles - S.drawn[c]
        out[n + 2 * T.colors] = label_groups(S, X, c)
        n += 1
    n += 2 * T.colors
    for i in range(T.players):
        q = relative_color(T, p, i)
        for j in range(T.colors):
            out[n] = bits(S.captured[q, relative_color(T, p, j)])
            n += 1
        out[n] = S.skips[q]
        out[n + 1] = (T.turns - np.int64(S.turns) - after_turn(T, S, q) + T.players - 1) // T.players
        out[n + 2] = q == np.int64(S.turn)
        out[n + 3] = i == p
        n += 4


@njit(inline="always", cache=True)
def after_turn(T, S, q):
    """How many turns pass before that of player q, 0 if it is q's."""
    return (q - np.int64(S.turns)) % T.players


@njit(inline="always", cache=True)
def write_bits(T, word, out, n):
    """The tiles in a word as zeros and ones from n on; where the next entry goes."""
    for t in range(T.tiles):
        out[n + t] = (word >> u32(t)) & u32(1)
    return n + T.tiles


@njit(cache=True)
def observe_one(TA, SA, XA, p, board, vector):
    """What player p sees of SA[0]: board uint8[planes, 81] and vector uint8[V].

    Further rows of `board` become constant planes of the vector.
    """
    T = TA[0]
    planes = 2 * T.colors + 5 + T.colors // T.players
    write_board_planes(T, SA[0], XA[0], p, board[:planes])
    write_vector(T, SA[0], XA[0], p, vector)
    for i in range(len(board) - planes):
        board[planes + i, :] = vector[i]


@njit(cache=True, nogil=True)
def observe_batch(TA, SA, XA, games, players, board, vector):
    """What player players[i] sees of some games: board uint8[k, planes, 81], vector uint8[k, V]."""
    for i in range(len(games)):
        write_board_planes(TA[0], SA[games[i]], XA[0], np.int64(players[i]), board[i])
        write_vector(TA[0], SA[games[i]], XA[0], np.int64(players[i]), vector[i])


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
def reset_batch(TA, SA, XA, rng, games, ids, count):
    """Start some games anew, shuffled by `rng`, and list the first player's actions."""
    for i in range(len(games)):
        g = games[i]
        init(TA[0], SA[g], rng)
        count[g] = list_moves(TA[0], SA[g], XA[0], 0, ids[g])


@njit(cache=True, nogil=True)
def step_batch(TA, SA, XA, games, actions, ids, count):
    """Play one legal action in each of some games, pass the turn on, list the next mover's actions; count 0 when a game
    is over.
    """
    T, X = TA[0], XA[0]
    for i in range(len(games)):
        g = games[i]
        S = SA[g]
        p = np.int64(S.turn)
        put(T, S, p, move_of(T, p, np.int64(actions[i])))
        count[g] = advance(T, S, X, ids[g])


@njit(cache=True, nogil=True)
def legal_batch(TA, SA, XA, games, actions, out):
    """Whether each action is legal for the mover of its game, into bool[k]; ids out of range and games that are over
    are not.
    """
    T = TA[0]
    number = T.actions * (T.colors // T.players)
    for i in range(len(games)):
        S = SA[games[i]]
        a = np.int64(actions[i])
        p = np.int64(S.turn)
        out[i] = p >= 0 and 0 <= a < number and is_legal_move(T, S, XA[0], p, move_of(T, p, a))


@njit(cache=True, nogil=True)
def ids_batch(games, ids, count, out):
    """Rows of legal ids, ascending, padded with −1."""
    for i in range(len(games)):
        g = games[i]
        n = np.int64(count[g])
        for j in range(out.shape[1]):
            out[i, j] = ids[g, j] if j < n else NO_MOVE


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


@njit(cache=True, nogil=True)
def score_batch(TA, SA, XA, games, out, captured):
    """Points and captured tiles of every player into int64[k, players] each."""
    for i in range(len(games)):
        for p in range(out.shape[1]):
            out[i, p] = points(TA[0], SA[games[i]], XA[0], p)
            captured[i, p] = all_captured(TA[0], SA[games[i]], p)


@njit(cache=True, nogil=True)
def random_steps(TA, SA, XA, rng, steps, ids, dense, packed, board, vector):
    """Step all games of SA at random with immediate reset, writing what has rows: masks and observations after each
    step.

    Arrays of zero length are not written. `ids` holds the number of legal actions and then these, [N, 1 + capacity];
    without it no list is made, and moves are drawn by rejection. The number of games that ended.
    """
    T, X = TA[0], XA[0]
    listed = len(ids) > 0
    ended = 0
    for _ in range(steps):
        for g in range(len(SA)):
            S = SA[g]
            p = np.int64(S.turn)
            if listed:
                n = np.int64(ids[g, 0])
                if n:
                    put(T, S, p, move_of(T, p, np.int64(ids[g, 1 + random_below(rng, n)])))
                    n = advance(T, S, X, ids[g, 1:])
                if n == 0:
                    ended += 1
                    init(T, S, rng)
                    n = list_moves(T, S, X, 0, ids[g, 1:])
                ids[g, 0] = n
                if len(dense):
                    set_ones(ids[g, 1:], n, dense[g])
                if len(packed):
                    set_bits(ids[g, 1:], n, packed[g])
            else:
                m = sample(T, S, X, rng, p)
                if m < 0:
                    skip(T, S, X, p)
                else:
                    put(T, S, p, m)
                    S.turns += 1
                S.turn = after(T, p)
                if S.turns >= T.turns:
                    ended += 1
                    init(T, S, rng)
            if len(board):
                write_board_planes(T, S, X, np.int64(S.turn), board[g])
                write_vector(T, S, X, np.int64(S.turn), vector[g])
    return ended


# Simple policies ------------------------------------------------------------------------------------------------------


@njit(cache=True)
def neighbor_groups(X, s):
    """How many different groups of those in `X.group` touch position s at an edge."""
    a, b = X.group[s - GRID], X.group[s - 1]
    c, d = X.group[s + 1], X.group[s + GRID]
    count = np.int64(a > 0) + np.int64(b > 0 and b != a)
    count += np.int64(c > 0 and c != a and c != b)
    return count + np.int64(d > 0 and d != a and d != b and d != c)


@njit(inline="always", cache=True)
def is_alone(S, s):
    """Whether the tile on position s is a group of its own."""
    x = S.color[s]
    return S.color[s - GRID] != x and S.color[s - 1] != x and S.color[s + 1] != x and S.color[s + GRID] != x


@njit(cache=True)
def changes(T, S, X, p, ids, n, own, other):
    """What each of n legal actions of player p does: to the points of p (`own`) and to the points of the player whose
    tile it captures (`other`), into integers [n]. Actions must ascend.
    """
    most = most_captured(T, S, p)
    before = price(T, S, p, most)
    labeled = -1
    for i in range(n):
        m = move_of(T, p, np.int64(ids[i]))
        c, s = m >> 12, m & 127
        if c != labeled:
            label_groups(S, X, c)
            labeled = c
        own[i] = 1 - neighbor_groups(X, s)
        other[i] = 0
        x = np.int64(S.color[s])
        if x < 0:
            continue
        alone = np.int64(is_alone(S, s))
        if x % T.players == p:
            own[i] -= alone
        else:
            other[i] = -alone
            own[i] += price(T, S, p, max(most, bits(S.captured[p, x]) + 1)) - before


@njit(cache=True)
def choose_greedy(T, S, X, rng, p, ids, n):
    """Among n legal actions of player p one with the fewest own points after it; ties by the points of the player whose
    tile it captures, more is better, then at random.
    """
    own = np.empty(n, np.int64)
    other = np.empty(n, np.int64)
    changes(T, S, X, p, ids, n, own, other)
    best = np.int64(1 << 30)
    ties = 0
    chosen = np.int64(ids[0])
    for i in range(n):
        value = own[i] * 64 - other[i]
        if value < best:
            best, ties, chosen = value, 1, np.int64(ids[i])
        elif value == best:
            ties += 1
            if random_below(rng, ties) == 0:
                chosen = np.int64(ids[i])
    return chosen


@njit(cache=True)
def choose_greedy_one(TA, SA, XA, rng, ids):
    """`choose_greedy` among all of `ids` for the player to move in SA[0]."""
    return choose_greedy(TA[0], SA[0], XA[0], rng, np.int64(SA[0].turn), ids, len(ids))


@njit(cache=True)
def changes_one(TA, SA, XA, ids, own, other):
    """`changes` for all of `ids` of the player to move in SA[0], into int64[len(ids)] each."""
    changes(TA[0], SA[0], XA[0], np.int64(SA[0].turn), ids, len(ids), own, other)


@njit(cache=True, nogil=True)
def choose_greedy_batch(TA, SA, XA, rng, games, ids, count, out):
    """`choose_greedy` in each of some games."""
    for i in range(len(games)):
        g = games[i]
        out[i] = choose_greedy(TA[0], SA[g], XA[0], rng, np.int64(SA[g].turn), ids[g], np.int64(count[g]))


@njit(cache=True, nogil=True)
def choose_random_batch(rng, games, ids, count, out):
    """A uniformly random legal action in each of some games."""
    for i in range(len(games)):
        out[i] = ids[games[i], random_below(rng, count[games[i]])]
