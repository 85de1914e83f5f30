"""States drawn for a view: they agree with all that the player knows, and each such deal is equally likely."""

import itertools
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blockers_env import IllegalActionError, Options, State, determinize
from blockers_env.policies import policy
from blockers_env.tiles import parse_tile
from tests.blockers.positions import OPTIONS, SKIPPING, T9, random_state, same_records, setup

TWO = Options(num_players=2, two_colors=True, rack_size=2, capture_own_other_color=False, wild=False)
SIGMAS = 5.0
DRAWS = 3000


def greedy_state(options: Options, seed: int, plies: int) -> State:
    state, rng, greedy = State(options, seed=seed), np.random.default_rng(seed), policy("greedy")
    while state.ply < plies and not state.is_over:
        state.push(greedy.act(state.view(state.player), rng))
    return state


def check_agreement(state: State, player: int, rng: np.random.Generator) -> State:
    """A determinized state has the same view, and its deal replays the game with the same skipped turns."""
    view = state.view(player)
    other = determinize(view, rng)
    assert same_records(other.view(player).records, view.records)
    assert (other.player, other.skipped, other.actions) == (state.player, state.skipped, state.actions)
    replay = State(state.options, deal=other.deal())
    for action in state.actions:
        replay.push(action)
    assert same_records(replay.records, other.records)
    assert replay.is_over == other.is_over and np.array_equal(replay.legal_actions(), other.legal_actions())
    return other


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(OPTIONS), st.integers(0, 2**31), st.floats(0, 1))
def test_agreement(options: Options, seed: int, part: float) -> None:
    state = random_state(options, int(part * options.num_turns), seed)
    rng = np.random.default_rng(seed)
    for player in range(options.num_players):
        other = check_agreement(state, player, rng)
        own = options.colors_of(player)
        assert all(other.rack(color) == state.rack(color) for color in own)
        legal = other.legal_actions()
        assert (len(legal) == 0) == other.is_over


def test_agreement_with_skipped_turns() -> None:
    rng = np.random.default_rng(3)
    proofs = 0
    for options, seeds in [(SKIPPING, range(8)), (TWO, (31, 276, 325, 913, 965))]:
        for seed in seeds:
            for plies in range(92, 108, 3):
                state = greedy_state(options, seed, plies)
                proofs += bool(state.records["release"].any())
                for player in range(2):
                    check_agreement(state, player, rng)
    assert proofs > 25


def test_states_can_be_taken_back() -> None:
    state = random_state(Options(num_players=3), 30, seed=2)
    other = state.view(1).determinize(np.random.default_rng(0))
    assert other != state
    for action in reversed(state.actions):
        assert other.pop() == action
    assert other.ply == 0 and other.rack(1) == State(Options(num_players=3), seed=2).rack(1)


def test_same_generator_same_state() -> None:
    view = random_state(Options(), 20, seed=2).view(0)
    drawn = [State.determinize(view, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


# Uniform: hidden parts of one color as a key


def split_of(state: State, color: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(state.rack(color)), tuple(state.pile(color))


def check_distribution(counts: Counter, expected: dict, draws: int) -> None:
    """χ² of counts against weights."""
    assert set(counts) <= set(expected)
    weights = np.array([expected[key] for key in expected], float)
    mean = weights / weights.sum() * draws
    assert mean.min() > 5, "too few draws for a test"
    drawn = np.array([counts[key] for key in expected])
    freedom = len(expected) - 1
    chi = ((drawn - mean) ** 2 / mean).sum()
    assert freedom == 0 or abs(chi - freedom) < SIGMAS * np.sqrt(2 * freedom), (chi, freedom)


def draw_splits(state: State, player: int, color: int, draws: int) -> Counter:
    view, rng = state.view(player), np.random.default_rng(7)
    return Counter(split_of(determinize(view, rng), color) for _ in range(draws))


@pytest.mark.parametrize(("rack", "plies"), [(2, 48), (3, 44), (1, 48)])
def test_all_splits_alike(rack: int, plies: int) -> None:
    state = random_state(Options(num_players=2, rack_size=rack), plies, seed=4)
    viewer = state.player
    color = 1 - viewer
    unseen = state.unseen(color)
    pile = state.pile_count(color)
    expected = {}
    for order in itertools.permutations(unseen, pile):
        expected[tuple(tile for tile in unseen if tile not in order), order] = 1
    assert 6 <= len(expected) <= 400
    check_distribution(draw_splits(state, viewer, color, 4000), expected, 4000)


def test_own_pile_is_shuffled_too() -> None:
    state = random_state(Options(num_players=2), 40, seed=4)
    player = state.player
    expected = {(tuple(state.rack(player)), order): 1 for order in itertools.permutations(state.pile(player))}
    assert len(expected) > 5
    check_distribution(draw_splits(state, player, player, 3000), expected, 3000)


def listed(state: State, color: int, first: int) -> dict:
    """How many deals of a color lead to each split, by playing on from ply `first` with all of them.

    Nothing is proved yet at that ply, so that all orders of the unseen tiles over their places are alike; every one is
    dropped if a move or a skipped turn does not come out as it did.
    """
    before = State(state.options, deal=state.deal())
    for action in state.actions[:first]:
        before.push(action)
    unseen, drawn = before.unseen(color), int(before.records["drawn"][0, color])
    places = [place for place in range(state.options.num_tiles) if before.deal()[color, place] in unseen]
    found: dict = Counter()
    for order in itertools.permutations(unseen):
        records = before.records.copy()
        records["deal"][0, color, places] = order
        records["rack"][0, color] = sum(1 << tile for tile, place in zip(order, places, strict=True) if place < drawn)
        replay = before.copy()
        replay._set(records)
        try:
            for action in state.actions[first:]:
                replay.push(action)
        except IllegalActionError:
            continue
        if (replay.player, replay.turns, replay.skips) == (state.player, state.turns, state.skips):
            found[split_of(replay, color)] += 1
    return found


# seed, ply, color, ply before the first proof. Some with plays between the proof and now, some with the hidden player
# to move, who so must have a legal move.
PROVED = [
    (276, 95, 0, 92),
    (276, 97, 0, 92),
    (276, 98, 0, 92),
    (276, 100, 0, 92),
    (31, 101, 0, 96),
    (325, 99, 2, 92),
    (965, 100, 0, 96),
    (913, 97, 0, 92),
]


@pytest.mark.parametrize(("seed", "ply", "color", "first"), PROVED)
def test_what_skipped_turns_prove(seed: int, ply: int, color: int, first: int) -> None:
    state = greedy_state(TWO, seed, ply)
    viewer = 1 - color % 2
    other = (color + 2) % 4
    assert state.records["release"][0, color].any() and not state.pile_count(other)
    expected = listed(state, color, first)
    unseen = len(state.unseen(color))
    assert 0 < len(expected) < len(list(itertools.permutations(range(unseen), state.pile_count(color))))
    check_distribution(draw_splits(state, viewer, color, 4000), expected, 4000)


def test_the_checks_can_fail() -> None:
    """Draws that are a little off, or that ignore what skipped turns prove, are found out."""
    state = random_state(Options(num_players=2, rack_size=2), 48, seed=4)
    color = 1 - state.player
    counts = draw_splits(state, state.player, color, 4000)
    alike = dict.fromkeys(counts, 1)
    check_distribution(counts, alike, 4000)
    held = next(iter(counts))[0]
    fewer = Counter({key: count - count // 3 * (key[0] == held) for key, count in counts.items()})
    with pytest.raises(AssertionError):
        check_distribution(fewer, alike, sum(fewer.values()))

    seed, ply, color, first = PROVED[4]
    state = greedy_state(TWO, seed, ply)
    expected = listed(state, color, first)
    records = state.records.copy()
    records["release"] = 0
    state._set(records)
    with pytest.raises(AssertionError):
        check_distribution(draw_splits(state, 1 - color % 2, color, 4000), expected, 4000)


def test_who_is_to_move_can_move() -> None:
    """In this position A and B cannot be played, so that the player to move, who can, does not hold both."""
    state = setup(Options(num_players=3, rack_size=2), T9)
    unseen = [parse_tile(name) for name in ("A", "B", "H", "I")]
    order = [tile for tile in range(28) if tile not in unseen]
    records = state.records.copy()
    records["order"][0, 0, : len(order)] = order
    records["played"][0, 0] = sum(1 << tile for tile in order)
    records["drawn"][0, 0] = 2 + len(order)
    records["rack"][0, 0] = (1 << unseen[1]) + (1 << unseen[2])
    state._set(records)
    assert len(state.legal_actions()) and state.player == 0
    expected = {}
    for held in itertools.combinations(unseen, 2):
        rest = [tile for tile in unseen if tile not in held]
        if held != (unseen[0], unseen[1]):
            expected.update({(held, pile): 1 for pile in itertools.permutations(rest)})
    check_distribution(draw_splits(state, 1, 0, DRAWS), expected, DRAWS)


# Several proofs at once, made up, beside another way of counting


def count_racks(order: list[int], unseen: list[int], release: np.ndarray, rack: int, tiles: int) -> dict:
    """How many deals lead to each rack: replay with the set of places on the rack, then list the rest."""
    hands: Counter = Counter({frozenset(range(rack)): 1})
    for play, tile in enumerate(order):
        following: Counter = Counter()
        for hand, ways in hands.items():
            for place in hand:
                if place >= release[tile]:
                    following[hand - {place} | {rack + play}] += ways
        hands = following
    found: Counter = Counter()

    @cache
    def orders(places: tuple[int, ...], tiles_left: tuple[int, ...]) -> int:
        if not places:
            return 1
        fit = [tile for tile in tiles_left if release[tile] <= places[0]]
        return sum(orders(places[1:], tuple(t for t in tiles_left if t != tile)) for tile in fit)

    pile = tuple(range(rack + len(order), tiles))
    for hand, ways in hands.items():
        for held in itertools.permutations(unseen, rack):
            if all(release[tile] <= place for tile, place in zip(held, sorted(hand), strict=True)):
                rest = tuple(tile for tile in unseen if tile not in held)
                found[tuple(sorted(held))] += ways * orders(pile, rest)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_several_proofs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    options, plays = Options(num_players=2, rack_size=3), 21
    state = State(options)
    order, unseen = np.split(rng.permutation(28), [plays])
    records = state.records.copy()
    release = np.zeros(28, int)
    for tile in [*order[12:], *unseen]:
        ends = [place for place in (9, 16, 22, 24) if tile in unseen or place < 3 + order.tolist().index(tile)]
        release[tile] = rng.choice([0, 0, *ends])
    records["release"][0, 1] = release
    records["order"][0, 1, :plays] = order
    records["played"][0, 1] = sum(1 << int(tile) for tile in order)
    records["drawn"][0, 1] = 3 + plays
    state._set(records)
    expected = {
        key: value for key, value in count_racks(order.tolist(), unseen.tolist(), release, 3, 28).items() if value
    }
    assert len(set(expected.values())) > 1  # racks are not alike likely: more deals lead to some
    view = state.view(0)
    counts = Counter(tuple(determinize(view, rng).rack(1)) for _ in range(DRAWS))
    total = sum(expected.values())
    rare = {key for key, value in expected.items() if value / total * DRAWS < 6}
    assert set(counts) <= set(expected)
    counts["rare"] = sum(counts.pop(key, 0) for key in rare)
    merged = {key: value for key, value in expected.items() if key not in rare}
    merged["rare"] = sum(expected[key] for key in rare)
    if merged["rare"] / total * DRAWS < 6:
        counts.pop("rare")
        merged.pop("rare")
    check_distribution(counts, merged, sum(counts.values()))
    if max(merged.values()) > 2 * min(merged.values()):
        with pytest.raises(AssertionError):
            check_distribution(counts, dict.fromkeys(merged, 1), sum(counts.values()))
