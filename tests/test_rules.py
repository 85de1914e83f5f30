"""Games of the engine against the slow reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blokus_env import State
from blokus_env.variants import VARIANTS
from tests.playing import RULES, cells, legal_counts, random_state
from tests.reference.blokus import BOARDS, Cells, Game, board, text


def choose(legal: list[Cells], style: str, rng: np.random.Generator) -> Cells:
    """A random placement; large ones first, small ones first, or whatever comes."""
    order = {"random": lambda _: 0, "large": lambda placement: -len(placement), "small": len}[style]
    best = min(map(order, legal))
    wanted = legal if rng.random() < 0.1 else [placement for placement in legal if order(placement) == best]
    return wanted[rng.integers(len(wanted))]


def assert_same_legal(state: State, game: Game) -> None:
    for color in range(game.num_colors):
        actions = state.legal_actions(color)
        assert actions.dtype == np.int32
        assert np.all(np.diff(actions) > 0)
        assert {cells(state, int(action)) for action in actions} == game.legal(color)


def assert_same_scores(state: State, game: Game) -> None:
    assert list(state.scores()) == game.scores()
    assert list(state.raw_points()) == game.raw_points()
    assert list(state.player_scores()) == game.player_scores()
    assert list(state.places()) == game.places()


def assert_same_end(state: State, game: Game) -> None:
    assert game.color is None and (state.color, state.player, state.team) == (-1, -1, None)
    outcome = state.outcome()
    assert outcome is not None
    assert_same_scores(state, game)
    assert list(outcome.scores) == game.scores()
    assert list(outcome.player_scores) == game.player_scores()
    assert list(outcome.places) == game.places()
    first = [player for player, place in enumerate(game.places()) if place == 0]
    assert list(outcome.winners) == first
    assert outcome.is_tie == (len({tuple(game.counting(player)) for player in first}) > 1)
    assert legal_counts(state) == [0] * game.num_colors


def compare(state: State, game: Game, style: str, seed: int, checks: set[int]) -> None:
    rng = np.random.default_rng(seed)
    while not state.is_over:
        assert (state.color, state.player) == (game.color, game.player)
        assert state.outcome() is None
        if state.ply in checks:
            assert_same_legal(state, game)
            assert_same_scores(state, game)
        move = choose(sorted(game.legal(state.color), key=sorted), style, rng)
        state.push(text(move, game.board.height))
        game.push(move)
    assert_same_end(state, game)


REFEREED = [rules for rules in RULES if rules[0] in BOARDS]  # the others: test_sister_games.py
STYLES = st.sampled_from(["random", "large", "small"])
SEEDS = st.integers(0, 2**32 - 1)
PLIES = st.sets(st.integers(0, 70), max_size=10)
EXAMPLES = {"duo": 8, "junior": 6, "to_go": 1}


@pytest.mark.parametrize(("variant", "start"), REFEREED)
def test_games_are_the_references(variant: str, start: str) -> None:
    row = VARIANTS[variant]

    @settings(max_examples=EXAMPLES.get(variant, 2), deadline=None)
    @given(st.sampled_from(list(row.scorings)), st.sampled_from([None, *row.sharings]), STYLES, SEEDS, PLIES)
    def check(scoring: str, shared: str | None, style: str, seed: int, checks: set[int]) -> None:
        color = 3 if shared is None else row.color_names.index(shared)
        compare(State(variant, start, scoring, shared), Game(variant, start, scoring, color), style, seed, checks)

    check()


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(REFEREED), st.integers(0, 60), SEEDS)
def test_is_legal_agrees_with_the_list(rules: tuple[str, str], plies: int, seed: int) -> None:
    state = random_state(*rules, plies, seed)
    legal = set(state.legal_actions().tolist())
    some = np.random.default_rng(seed).integers(state.tables.num_actions, size=300).tolist()
    assert all(state.is_legal(action) for action in legal)
    assert all(state.is_legal(action) == (action in legal) for action in some)
    assert not state.is_legal(-1)
    assert not state.is_legal(state.tables.num_actions)


@pytest.mark.parametrize("variant", ["duo", "junior", "classic", "trigon", "trigon_3"])
def test_the_reference_knows_all_actions(variant: str) -> None:
    """One action for each placement, also where a color has a piece twice."""
    state = State(variant)
    found = [cells(state, action) for action in range(state.tables.num_actions)]
    assert len(set(found)) == len(found)
    assert set(found) == set(board(BOARDS[variant]).placements)
