"""Games of the engine against the slow reference, and the board's symmetries."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blokus_env import State
from tests.playing import cells, legal_counts, random_state
from tests.reference.blokus import Cell, Cells, Game, placements, text


def choose(legal: list[Cells], style: str, rng: np.random.Generator) -> Cells:
    """A random placement; large ones first, small ones first, or whatever comes."""
    order = {"random": lambda _: 0, "large": lambda placement: -len(placement), "small": len}[style]
    best = min(map(order, legal))
    return legal[rng.integers(len(legal))] if rng.random() < 0.1 else rng.choice([p for p in legal if order(p) == best])


def assert_same_legal(state: State, game: Game) -> None:
    for color in range(game.num_colors):
        actions = state.legal_actions(color)
        assert actions.dtype == np.int32
        assert np.all(np.diff(actions) > 0)
        assert {cells(state, int(action)) for action in actions} == game.legal(color)


def assert_same_end(state: State, game: Game) -> None:
    outcome = state.outcome()
    assert outcome is not None
    assert list(state.scores()) == list(outcome.scores) == game.scores()
    assert list(state.raw_points()) == game.raw_points()
    assert list(outcome.places) == game.places()
    assert list(outcome.winners) == [color for color, place in enumerate(game.places()) if place == 0]
    assert outcome.is_tie == (list(game.places()).count(0) > 1)
    assert legal_counts(state) == [0] * game.num_colors


def compare(rules: tuple[str, str], scoring: str, style: str, seed: int, checks: set[int]) -> None:
    variant, start = rules
    rng = np.random.default_rng(seed)
    state, game = State(variant, start=start, scoring=scoring), Game(variant, start, scoring)
    while not state.is_over:
        assert state.color == game.color
        assert state.outcome() is None
        if state.ply in checks:
            assert_same_legal(state, game)
            assert list(state.scores()) == game.scores()
        move = choose(sorted(game.legal(state.color), key=sorted), style, rng)
        state.push(text(move, game.size))
        game.push(move)
    assert game.color is None
    assert_same_end(state, game)


STYLES = st.sampled_from(["random", "large", "small"])
SCORINGS = st.sampled_from(["advanced", "basic"])
SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(["fixed", "either"]), SCORINGS, STYLES, SEEDS, st.sets(st.integers(0, 34), max_size=8))
def test_duo_is_the_reference(start: str, scoring: str, style: str, seed: int, checks: set[int]) -> None:
    compare(("duo", start), scoring, style, seed, checks)


@settings(max_examples=4, deadline=None)
@given(st.sampled_from(["fixed", "any_corner"]), SCORINGS, STYLES, SEEDS, st.sets(st.integers(0, 70), max_size=8))
def test_classic_is_the_reference(start: str, scoring: str, style: str, seed: int, checks: set[int]) -> None:
    compare(("classic", start), scoring, style, seed, checks)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([("duo", "either"), ("classic", "fixed")]), st.integers(0, 60), SEEDS)
def test_is_legal_agrees_with_the_list(rules: tuple[str, str], plies: int, seed: int) -> None:
    state = random_state(*rules, plies, seed)
    legal = set(state.legal_actions().tolist())
    some = np.random.default_rng(seed).integers(state.tables.num_actions, size=300).tolist()
    assert all(state.is_legal(action) for action in legal)
    assert all(state.is_legal(action) == (action in legal) for action in some)
    assert not state.is_legal(-1)
    assert not state.is_legal(state.tables.num_actions)


Map = Callable[[Cell], Cell]
KEEPING_STARTS: list[Map] = [lambda cell: cell, lambda cell: (cell[1], cell[0])]
SWAPPING_STARTS: list[Map] = [lambda cell: (13 - cell[0], 13 - cell[1]), lambda cell: (13 - cell[1], 13 - cell[0])]


def image(move: Cells, symmetry: Map) -> str:
    return text(frozenset(map(symmetry, move)), 14)


def assert_images(state: State, moves: list[Cells], mapped: State, symmetry: Map, swap: bool) -> None:
    """Plays the images of all moves; a swap of the colors swaps each pair of moves too. Then legal sets are images."""
    order = [moves[i ^ swap] for i in range(len(moves))]
    for move in order:
        mapped.push(image(move, symmetry))
    for color in range(2):
        expected = {image(cells(state, int(action)), symmetry) for action in state.legal_actions(color)}
        assert {mapped.text(int(action)) for action in mapped.legal_actions(color ^ swap)} == expected


@pytest.mark.parametrize("plies", [0, 2, 8, 14])
def test_symmetries_of_duo(plies: int) -> None:
    for seed in range(3):
        state = random_state("duo", "fixed", plies, seed)
        moves = [cells(state, action) for action in state.actions]
        for symmetry in KEEPING_STARTS:
            assert_images(state, moves, State("duo", start="fixed"), symmetry, swap=False)
        for symmetry in SWAPPING_STARTS:
            assert_images(state, moves, State("duo", start="fixed"), symmetry, swap=True)
        free = random_state("duo", "either", plies, seed)
        moves = [cells(free, action) for action in free.actions]
        for symmetry in KEEPING_STARTS + SWAPPING_STARTS:
            assert_images(free, moves, State("duo", start="either"), symmetry, swap=False)


def test_the_reference_knows_all_actions() -> None:
    for variant, size in (("duo", 14), ("classic", 20)):
        state = State(variant)
        assert {cells(state, action) for action in range(state.tables.num_actions)} == set(placements(size))
