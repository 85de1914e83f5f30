"""Information-set Monte Carlo tree search, as Numba code.

One tree of the searching player over many *determinizations*: each simulation draws what the player does not know anew
(`kernels.redeal`, the rule of `determinize`), and walks down the tree among the moves that are legal in that deal:
single-observer ISMCTS (Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", 2012). Values are
vectors, one entry for each player, and every player maximizes its own (max^n: Luckhardt, Irani 1986).

The choice in a node is PUCT (Rosin 2011; Silver et al. 2016), an upper confidence bound (UCB1: Auer, Cesa-Bianchi,
Fischer 2002) with a prior: the largest  q + c · prior · √available / (1 + visits),  where the prior is a softmax of the
heuristic's scores among the moves of this deal and `available` counts how often the move could be chosen (Cowling et
al., section V). So moves of low prior are opened late, and no list of children is ever complete.

Which tile an opponent plays on a square is the heuristic's choice, not the tree's: nodes of opponents tell moves apart
by color and square alone.

Names are those of `blockers_env.kernels` and `heuristic_kernels.py`; `nodes` is an array of NODE_DTYPE, nodes[0] the
root. Numba's cache notices changes in this file only: after a change of an imported kernel clear `__pycache__`.
"""
# mypy: ignore-errors
# Numba compiles these functions from the types of their arguments; its decorators are untyped.

import numpy as np
from numba import njit

from agents.blockers.heuristic_kernels import play_out, score_moves
from blockers_env.kernels import action_of, after, all_captured, points, put, redeal, skip

NODE_DTYPE = np.dtype(
    [
        ("key", np.int32),  # of the move that leads here; see `key_of`
        ("child", np.int32),  # the newest child, 0: none
        ("sibling", np.int32),  # the next older child of the same parent, 0: none
        ("visits", np.int32),
        ("available", np.int32),  # how often its move was legal when its parent was visited
        ("value", np.float32, (5,)),  # sum of the utilities of each player
    ],
    align=True,
)
SETTINGS_DTYPE = np.dtype(
    [
        ("exploration", np.float32),  # c
        ("temperature", np.float32),  # of the prior's softmax
        ("first_play", np.float32),  # how far below its parent's value an unvisited move starts
        ("noise", np.float32),  # of the playouts
        ("margin_weight", np.float32),  # part of the margin in the utility; the rest is the share of the win
        ("margin_scale", np.float32),  # points
        ("fewest_captures", np.int64),  # 1: that tie-break (S6)
    ],
    align=True,
)
NUM_KEYS = 5 << 12
MOST_DEPTH = 256
f32 = np.float32
u64 = np.uint64


@njit(inline="always", cache=True)
def key_of(T, m, own):
    """What tells a move apart in the tree: of opponents (not `own`) color and square, of the searcher the tile too."""
    return m if own else m & ~np.int64(31 << 7)


@njit(cache=True)
def merge_tiles(T, W, n, child_at):
    """Of the n moves in `W` with equal color and square keep that with the highest score; how many are left.

    `child_at` int32 [keys] is all 0 before and after.
    """
    left = 0
    for i in range(n):
        m = np.int64(W.move[u64(i)])
        k = u64(key_of(T, m, False))
        j = np.int64(child_at[k]) - 1
        if j < 0:
            child_at[k] = left + 1
            j = left
            left += 1
        elif W.score[u64(j)] >= W.score[u64(i)]:
            continue
        W.move[u64(j)], W.score[u64(j)] = m, W.score[u64(i)]
    for j in range(left):
        child_at[u64(key_of(T, np.int64(W.move[u64(j)]), False))] = 0
    return left


@njit(cache=True)
def to_prior(W, n, temperature):
    """Scores into probabilities: their softmax."""
    top = W.score[0]
    for i in range(n):
        top = max(top, W.score[u64(i)])
    total = f32(0)
    for i in range(n):
        e = np.exp((W.score[u64(i)] - top) / temperature)
        W.score[u64(i)] = e
        total += e
    for i in range(n):
        W.score[u64(i)] /= total


@njit(cache=True)
def select(T, W, nodes, node, n, p, own, settings, child_at):
    """The index of the move to follow among the n moves in `W`, and its child, 0 if it has none yet."""
    y = np.int64(nodes[node].child)
    while y:
        child_at[u64(nodes[y].key)] = y
        y = np.int64(nodes[y].sibling)
    visits = f32(max(nodes[node].visits, 1))
    first = nodes[node].value[p] / visits - settings.first_play
    fresh = settings.exploration * np.sqrt(visits)
    best, chosen, child = f32(-1e30), 0, 0
    for i in range(n):
        y = np.int64(child_at[u64(key_of(T, np.int64(W.move[u64(i)]), own))])
        if y:
            nodes[y].available += 1
            times = f32(nodes[y].visits)
            bound = nodes[y].value[p] / times
            bound += settings.exploration * np.sqrt(f32(nodes[y].available)) * W.score[u64(i)] / (f32(1) + times)
        else:
            bound = first + fresh * W.score[u64(i)]
        if bound > best:
            best, chosen, child = bound, i, y
    y = np.int64(nodes[node].child)
    while y:
        child_at[u64(nodes[y].key)] = 0
        y = np.int64(nodes[y].sibling)
    return chosen, child


@njit(cache=True)
def expand(nodes, used, node, key):
    """A new child of a node at index `used`."""
    nodes[used].key = key
    nodes[used].child = 0
    nodes[used].sibling = nodes[node].child
    nodes[used].visits = 0
    nodes[used].available = 1
    nodes[used].value[:] = 0
    nodes[node].child = used


@njit(cache=True)
def utilities(T, S, X, settings, out):
    """What the end of a game is worth to each player, 0 … 1: its share of the win, mixed with its margin."""
    best = np.int64(1 << 40)
    shared = 0
    for p in range(T.players):
        key = points(T, S, X, p) * 1000
        if settings.fewest_captures:
            key += all_captured(T, S, p)
        out[p] = f32(key)
        if key < best:
            best, shared = key, 1
        elif key == best:
            shared += 1
    second = np.int64(1 << 40)
    for p in range(T.players):
        if np.int64(out[p]) > best:
            second = min(second, np.int64(out[p]))
    if shared > 1:
        second = best
    for p in range(T.players):
        key = np.int64(out[p])
        won = f32(1) / f32(shared) if key == best else f32(0)
        margin = f32((second if key == best else best) - key) / f32(1000)
        close = f32(0.5) + f32(0.5) * np.tanh(margin / settings.margin_scale)
        out[p] = (f32(1) - settings.margin_weight) * won + settings.margin_weight * close


@njit(cache=True)
def movable(T, S, X, W, weights):
    """Skip players without a move; the number of moves, scored in `W`, of the player whose turn it then is; 0: over."""
    while S.turns < T.turns:
        n = score_moves(T, S, X, W, np.int64(S.turn), weights)
        if n:
            return n
        skip(T, S, X, np.int64(S.turn))
        S.turn = after(T, np.int64(S.turn))
    return 0


@njit(cache=True)
def walk(T, S, X, W, nodes, used, searcher, weights, settings, child_at, path):
    """From the root down to a new node or the end of the game: the length of the path, and how many nodes are used."""
    node, depth = 0, 1
    path[0] = 0
    while depth < MOST_DEPTH:
        n = movable(T, S, X, W, weights)
        if n == 0:
            break
        p = np.int64(S.turn)
        own = p == searcher
        if not own:
            n = merge_tiles(T, W, n, child_at)
        to_prior(W, n, settings.temperature)
        i, child = select(T, W, nodes, node, n, p, own, settings, child_at)
        m = np.int64(W.move[u64(i)])
        put(T, S, p, m)
        S.turns += 1
        S.turn = after(T, p)
        fresh = child == 0
        if fresh:
            if used == len(nodes):
                break
            expand(nodes, used, node, key_of(T, m, own))
            child = used
            used += 1
        node = child
        path[depth] = node
        depth += 1
        if fresh:
            break
    return depth, used


@njit(cache=True, nogil=True)
def simulate(TA, root, SA, XA, WA, nodes, used, rng, count, weights, settings_A, child_at):
    """`count` simulations from root[0], the position as its mover sees it; how many nodes are used then.

    A tree of one unvisited node (`used` 1, nodes[0] zeroed) is a new search; calls go on where the last one ended.
    `child_at` is int32 [NUM_KEYS], zeros. SA is working memory of length 1, rng uint64 [1].
    """
    T, S, X, W, settings = TA[0], SA[0], XA[0], WA[0], settings_A[0]
    searcher = np.int64(root[0].turn)
    path = np.empty(MOST_DEPTH, np.int64)
    value = np.empty(5, np.float32)
    for _ in range(count):
        SA[0] = root[0]
        redeal(T, S, X, rng, searcher)
        depth, used = walk(T, S, X, W, nodes, used, searcher, weights, settings, child_at, path)
        play_out(T, S, X, W, rng, weights, settings.noise)
        utilities(T, S, X, settings, value)
        for i in range(depth):
            node = path[i]
            nodes[node].visits += 1
            for p in range(T.players):
                nodes[node].value[p] += value[p]
    return used


@njit(cache=True)
def lead(nodes):
    """How many visits the most visited move of the root is ahead of the next one."""
    first, second = 0, 0
    y = np.int64(nodes[0].child)
    while y:
        visits = np.int64(nodes[y].visits)
        if visits > first:
            first, second = visits, first
        elif visits > second:
            second = visits
        y = np.int64(nodes[y].sibling)
    return first - second


@njit(cache=True)
def root_moves(TA, root, nodes, actions, visits, values):
    """Actions that were tried at the root, their visits and the mean utility to the searcher; how many.

    Into int32, int32 and float32 arrays.
    """
    p = np.int64(root[0].turn)
    n = 0
    y = np.int64(nodes[0].child)
    while y:
        actions[n] = action_of(TA[0], p, np.int64(nodes[y].key))
        visits[n] = nodes[y].visits
        values[n] = nodes[y].value[p] / f32(nodes[y].visits)
        n += 1
        y = np.int64(nodes[y].sibling)
    return n
