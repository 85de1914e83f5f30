"""What a move is worth at a glance: the features of the heuristic agent, as Numba code.

The worth of a move is linear in features, and nearly all of them belong to its square alone or to its tile alone. So
each square is looked at once, however many tiles of the rack match it.

Names are those of `blockers_env.kernels`; `W` is a record of `WORK_DTYPE`, `w` the weights in force, float32
[features]. What is not public is not read, save the own rack: a mover knows no more than its view has.

Numba's cache notices changes in this file only: after a change of `blockers_env/kernels.py` clear `__pycache__`.
"""
# mypy: ignore-errors
# Numba compiles these functions from the types of their arguments; its decorators are untyped.

import numpy as np
from numba import njit

from blockers_env.kernels import (
    GRID,
    WILD,
    action_of,
    after,
    all_captured,
    bit,
    bits,
    can_take,
    choose_greedy,
    init,
    is_alone,
    is_own_other,
    list_moves,
    lowest_bit,
    most_captured,
    move_of,
    open_rack,
    points,
    price,
    put,
    random_word,
    skip,
)

FEATURES = (
    "own_groups",  # change of the number of own groups, −3 … 1
    "new_group",  # 1 if the tile starts a group
    "own_price",  # change of the own points for captures, by the scoring in force
    "capture",  # 1 if an opponent's tile is captured
    "captured_before",  # captures of that color before, if one is captured
    "lone_capture",  # 1 if that tile was a group of its own: its owner loses a point
    "block_join",  # opponents' groups that this square would have joined, weighted by `reach`
    "block_touch",  # opponents' colors next to the square, weighted by `reach`
    "risk_join",  # block_join if the tile can be captured again at once
    "risk_touch",  # block_touch if the tile can be captured again at once
    "cover_join",  # block_join of an own tile that can no more be captured
    "cover_touch",  # block_touch of such a tile
    "growth",  # empty squares that now touch the group, weighted by unseen own tiles that match them
    "rack_growth",  # such squares that a tile of the rack matches
    "next_join",  # own groups that one more tile beside this one would join, weighted by unseen own tiles
    "own_other",  # 1 if a tile of the own other color is replaced
    "spare",  # worth of the tile's best other square: what is given up
    "flexible",  # squares that the tile could be played on / 9
    "useful",  # of these, squares without a new group / 9
    "wild",  # 1 for the wild tile
)
NUM_FEATURES = len(FEATURES)
(OWN_GROUPS, NEW_GROUP, OWN_PRICE, CAPTURE, CAPTURED_BEFORE, LONE_CAPTURE, BLOCK_JOIN, BLOCK_TOUCH, RISK_JOIN) = range(
    9
)
(RISK_TOUCH, COVER_JOIN, COVER_TOUCH, GROWTH, RACK_GROWTH, NEXT_JOIN, OWN_OTHER) = range(9, 16)
SPARE, FLEXIBLE, USEFUL, IS_WILD = range(16, 20)

MOST_MOVES = 648
WORK_DTYPE = np.dtype(
    [
        ("group", np.uint8, (128,)),  # a number for each group on the board, of any color; 0 where none is
        ("worth", np.float32, (128,)),  # of each square that was looked at, for the color at hand
        ("joined", np.int8, (128,)),  # own groups that touch the square; −1: not looked at, −2: no legal square
        ("w", np.float32, (NUM_FEATURES,)),
        ("move", np.int32, (MOST_MOVES,)),
        ("score", np.float32, (MOST_MOVES,)),
    ],
    align=True,
)
NOT_SEEN, NOT_LEGAL = -1, -2
f32 = np.float32
u64 = np.uint64


@njit(cache=True)
def weights_now(T, S, weights, w):
    """The weights in force into `w`: `weights` float32 [2, features] hold those of the start and of the end."""
    end = f32(S.turns) / f32(T.turns)
    for i in range(NUM_FEATURES):
        w[i] = weights[0, i] + end * (weights[1, i] - weights[0, i])


@njit(cache=True)
def label_all(S, X, group):
    """Number the groups of all colors from 1 in `group`."""
    stack = X.stack
    group[:] = 0
    count = 0
    for s in range(GRID + 1, GRID * (GRID - 1) - 1):
        x = S.color[u64(s)]
        if x < 0 or group[u64(s)]:
            continue
        count += 1
        group[u64(s)] = count
        stack[0] = s
        n = 1
        while n:
            n -= 1
            y = u64(stack[u64(n)])
            for z in (y - u64(11), y + u64(1), y + u64(11), y - u64(1)):
                if S.color[z] == x and not group[z]:
                    group[z] = count
                    stack[u64(n)] = z
                    n += 1


@njit(inline="always", cache=True)
def touching(S, group, s, x):
    """How many different groups of color x touch position s."""
    n = 0
    a = b = c = 0
    for z in (s - u64(11), s + u64(1), s + u64(11), s - u64(1)):
        if S.color[z] == x:
            g = np.int64(group[z])
            if g != a and g != b and g != c:
                n += 1
                c = b
                b = a
                a = g
    return n


@njit(inline="always", cache=True)
def matches(T, tiles, s):
    """How many of some tiles match position s, 0 … 4."""
    row = (np.int64(s) // GRID) - 1
    return bits(tiles & T.matching[u64(row * 9 + np.int64(s) - (row + 1) * GRID - 1)])


@njit(inline="always", cache=True)
def unseen(T, S, c):
    """Tiles of color c that nobody has seen, as bits."""
    return (bit(T.tiles) - np.uint32(1)) & ~S.played[c]


@njit(inline="always", cache=True)
def reach(n):
    """Roughly how likely an owner of n matching unseen tiles comes to play one: 0, 0.4, 0.64, 0.78, 0.87."""
    left = 1.0
    for _ in range(n):
        left *= 0.6
    return f32(1.0 - left)


@njit(cache=True)
def wanted(T, S, W, p, s):
    """How much opponents of p want position s: (groups that they would join, colors that touch it), by `reach`."""
    join, touch = f32(0), f32(0)
    group = W.group
    for x in range(T.colors):
        if x % T.players == p:
            continue
        n = touching(S, group, s, x)
        if n:
            chance = reach(matches(T, unseen(T, S, x), s))
            join += chance * f32(n - 1)
            touch += chance
    return join, touch


@njit(cache=True)
def square_worth(T, S, X, W, p, c, s, n, most, before):
    """Worth of a tile of color c on position s that joins n own groups: the features of squares, weighted."""
    w, color = W.w, S.color
    x = np.int64(color[s])
    own = 1 - n
    total = f32(0)
    if x >= 0:
        alone = is_alone(S, s)
        if x % T.players == p:
            own -= np.int64(alone)
            total += w[OWN_OTHER]
        else:
            taken = bits(S.captured[u64(p), u64(x)])
            total += w[CAPTURE] + w[CAPTURED_BEFORE] * f32(taken) + w[LONE_CAPTURE] * f32(alone)
            total += w[OWN_PRICE] * f32(price(T, S, p, max(most, taken + 1)) - before)
    total += w[OWN_GROUPS] * f32(own) + w[NEW_GROUP] * f32(n == 0)
    join, touch = wanted(T, S, W, p, s)
    total += w[BLOCK_JOIN] * join + w[BLOCK_TOUCH] * touch
    if n <= 1:  # a tile that joins two groups cannot be taken, a tile that joins none or one can
        total += w[RISK_JOIN] * join + w[RISK_TOUCH] * touch
    return total + w_around(T, S, X, W, p, c, s)


@njit(cache=True)
def w_around(T, S, X, W, p, c, s):
    """The part of `square_worth` that looks at the squares next to s: cover, growth and joins to come."""
    w, color, group = W.w, S.color, W.group
    mine, rack = unseen(T, S, c), S.rack[c]
    total = f32(0)
    arms, arm = 0, s
    for y in (s - u64(11), s + u64(1), s + u64(11), s - u64(1)):
        if color[y] == c:
            arms += 1
            arm = y
        elif color[y] == -1:
            old = touching(S, group, y, c)
            k = matches(T, mine, y)
            if old == 0:
                total += w[GROWTH] * reach(k) + w[RACK_GROWTH] * f32(matches(T, rack, y) > 0)
            else:  # groups beside y that s does not touch
                fresh = 0
                for z in (y - u64(11), y + u64(1), y + u64(11), y - u64(1)):
                    if color[z] == c and not touches(group, s, group[z]):
                        fresh += 1
                total += w[NEXT_JOIN] * reach(k) * f32(fresh)
    if arms == 1 and not is_alone(S, arm) and can_take(S, X, arm):  # the arm becomes a link
        join, touch = wanted(T, S, W, p, arm)
        total += w[COVER_JOIN] * join + w[COVER_TOUCH] * touch
    return total


@njit(inline="always", cache=True)
def touches(group, s, g):
    """Whether the group with number g touches position s."""
    return group[s - u64(11)] == g or group[s + u64(1)] == g or group[s + u64(11)] == g or group[s - u64(1)] == g


@njit(cache=True)
def score_moves(T, S, X, W, p, weights):
    """Every legal move of player p into `W.move`, in the order of actions, its worth into `W.score`; their number.

    `weights` float32 [2, features] as in `weights_now`.
    """
    weights_now(T, S, weights, W.w)
    label_all(S, X, W.group)
    most = most_captured(T, S, p)
    before = price(T, S, p, most)
    n = 0
    for c in range(p, T.colors, T.players):
        W.joined[:] = NOT_SEEN
        rack = open_rack(T, S, c)
        while rack:
            t = np.int64(lowest_bit(rack))
            rack &= rack - np.uint32(1)
            first = n
            n = score_tile(T, S, X, W, p, c, t, n, most, before)
            add_tile_worth(W, t, first, n)
    return n


@njit(cache=True)
def score_tile(T, S, X, W, p, c, t, n, most, before):
    """The moves of one tile with the worth of their squares, from index n on; where the next tile's moves begin."""
    for i in range(T.num_square[t]):
        s = u64(T.square[t, u64(i)])
        joined = np.int64(W.joined[s])
        if joined == NOT_SEEN:
            x = np.int64(S.color[s])
            if x >= 0 and (x == c or is_own_other(T, p, x) or not can_take(S, X, s)):
                joined = NOT_LEGAL
            else:
                joined = touching(S, W.group, s, c)
                W.worth[s] = square_worth(T, S, X, W, p, c, s, joined, most, before)
            W.joined[s] = joined
        if joined != NOT_LEGAL:
            W.move[u64(n)] = (c << 12) | (t << 7) | np.int64(s)
            W.score[u64(n)] = W.worth[s]
            n += 1
    return n


@njit(cache=True)
def add_tile_worth(W, t, first, n):
    """Add to moves first … n − 1, all with tile t, what the features of tiles say."""
    w = W.w
    best, second, useful = f32(-99), f32(-99), 0
    for i in range(first, n):
        score = W.score[u64(i)]
        if score > best:
            best, second = score, best
        elif score > second:
            second = score
        useful += W.joined[u64(W.move[u64(i)] & 127)] > 0
    fixed = (w[FLEXIBLE] * f32(n - first) + w[USEFUL] * f32(useful)) / f32(9)
    if t == WILD:
        fixed += w[IS_WILD]
    floor = f32(-10)  # of a tile with no other square
    for i in range(first, n):
        score = W.score[u64(i)]
        spare = second if score == best else best
        W.score[u64(i)] = score + fixed + w[SPARE] * max(spare, floor)


@njit(cache=True)
def best_move(W, rng, n, noise):
    """The move with the highest score of n ≥ 1, each plus a random number 0 … `noise`; without noise the first one."""
    chosen, best = np.int64(W.move[0]), f32(-1e30)
    for i in range(n):
        score = W.score[u64(i)]
        if noise > 0:
            score += noise * f32(random_word(rng) >> u64(40)) * f32(1 / 16777216)
        if score > best:
            best, chosen = score, np.int64(W.move[u64(i)])
    return chosen


@njit(cache=True)
def play_out(T, S, X, W, rng, weights, noise):
    """Play to the end of the game, every player by the heuristic with noise."""
    p = np.int64(S.turn)
    while S.turns < T.turns:
        n = score_moves(T, S, X, W, p, weights)
        if n == 0:
            skip(T, S, X, p)
        else:
            put(T, S, p, best_move(W, rng, n, noise))
            S.turns += 1
        p = after(T, p)
    S.turn = -1


# Calls from Python ----------------------------------------------------------------------------------------------------


@njit(cache=True)
def choose_one(TA, SA, XA, WA, weights):
    """The heuristic's action of the player to move in SA[0]."""
    T, p = TA[0], np.int64(SA[0].turn)
    n = score_moves(T, SA[0], XA[0], WA[0], p, weights)
    return action_of(T, p, best_move(WA[0], np.zeros(1, np.uint64), n, f32(0)))


@njit(cache=True)
def scores_one(TA, SA, XA, WA, weights, actions, scores):
    """Legal actions of the player to move in SA[0] and what they are worth, into int32 and float32 arrays; how many."""
    T, p = TA[0], np.int64(SA[0].turn)
    n = score_moves(T, SA[0], XA[0], WA[0], p, weights)
    for i in range(n):
        actions[i] = action_of(T, p, np.int64(WA[0].move[i]))
        scores[i] = WA[0].score[i]
    return n


@njit(cache=True)
def choose_batch(TA, SA, XA, WA, weights, games, out):
    """The heuristic's action in each of some games into int32 [k]."""
    for i in range(len(games)):
        out[i] = choose_one(TA, SA[games[i] : games[i] + 1], XA, WA, weights)


@njit(cache=True)
def play_games(TA, SA, XA, WA, rng, games, opening, seats, weights, shift, result, captured):
    """Whole games in SA[0] for fitting weights: points and captures of each player into int64 [games, players].

    The first `opening` turns are random. `weights` float32 [k, 2, features]; seat p of game g plays by
    weights[seats[(p + g·shift) % players]], greedily for a negative entry. Deals repeat for `shift` > 0: game g has the
    cards of game g − g % players.
    """
    T, S, X, W = TA[0], SA[0], XA[0], WA[0]
    start = np.zeros(1, np.uint64)
    for g in range(games):
        if not shift or g % T.players == 0:
            random_word(rng)
            start[0] = rng[0]
        rng[0] = start[0]
        init(T, S, rng)
        p = 0
        while S.turns < T.turns:
            who = seats[(p + g * shift) % T.players]
            if who < 0 or S.turns < opening:
                n = list_moves(T, S, X, p, X.ids)
            else:
                n = score_moves(T, S, X, W, p, weights[who])
            if n == 0:
                skip(T, S, X, p)
            else:
                if S.turns < opening:
                    k = np.int64(random_word(rng) >> u64(33)) % n
                    m = move_of(T, p, np.int64(X.ids[k]))
                elif who < 0:
                    m = move_of(T, p, choose_greedy(T, S, X, rng, p, X.ids, n))
                else:
                    m = best_move(W, rng, n, f32(0))
                put(T, S, p, m)
                S.turns += 1
            p = after(T, p)
        for q in range(T.players):
            result[g, q] = points(T, S, X, q)
            captured[g, q] = all_captured(T, S, q)
