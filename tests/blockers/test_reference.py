"""Whole games beside the slow reference: legality both ways, groups, captures, racks, skipped turns, points, places."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blockers_env import IllegalActionError, State
from blockers_env.policies import policy
from blockers_env.variants import RACK_SIZES, SCORINGS, TIE_BREAKS, Options
from tests.blockers.positions import OPTIONS, SKIPPING, setup
from tests.blockers.reference import Reference, splits


def as_plays(state: State, actions: list[int]) -> set[tuple[int, int, tuple[int, int]]]:
    tables = state.tables
    return {(state.action_color(a), int(tables.tile[a]), divmod(int(tables.square[a]), 9)) for a in actions}


def compare(state: State, slow: Reference) -> None:
    assert state.player == slow.player or slow.is_over()
    assert state.is_over == slow.is_over()
    if not state.is_over:
        legal = state.legal_actions().tolist()
        assert legal == sorted(legal)
        assert as_plays(state, legal) == slow.legal(slow.player)
        assert [action for action in range(state.tables.num_actions) if state.is_legal(action)] == legal
    board, faces = state.board(), state.faces()
    assert {tuple(map(int, square)): int(board[tuple(square)]) for square in np.argwhere(board >= 0)} == slow.board
    assert {tuple(map(int, square)): int(faces[tuple(square)]) for square in np.argwhere(faces >= 0)} == slow.faces
    for color in range(slow.colors):
        assert state.rack(color) == sorted(slow.racks[color])
        assert state.pile(color) == slow.piles[color]
        assert state.rack_count(color) == len(slow.racks[color])
        assert state.groups()[color] == slow.num_groups(color)
        assert state.is_closed(color) == slow.closed[color]


def check_conservation(state: State) -> None:
    """Every tile of every color is in one place."""
    board, faces = state.board(), state.faces()
    for color in range(state.options.num_colors):
        places = state.rack(color) + state.pile(color) + faces[board == color].tolist()
        for player in range(state.options.num_players):
            places += state.captured(player, color)
        assert sorted(places) == list(range(state.options.num_tiles))


def play(options: Options, seed: int, every: int, greedy: bool = False) -> int:
    """Play a game, compare every so many plies and at skipped turns; how many of these there were."""
    rng = np.random.default_rng(seed)
    state = State(options, seed=seed)
    slow = Reference(state.deal().tolist(), options.as_dict())
    while not state.is_over:
        if state.ply % every == seed % every or state.skipped:
            compare(state, slow)
            check_conservation(state)
        legal = state.legal_actions()
        captures = [a for a in legal if state.board().flat[state.tables.square[a]] >= 0]
        action = int(rng.choice(captures if captures and rng.random() < 0.3 else legal))
        if greedy:
            action = policy("greedy").act(state.view(state.player), rng)
        ((color, tile, square),) = as_plays(state, [action])
        state.push(action)
        assert list(state.skipped) == slow.play(color, tile, square)
    compare(state, slow)
    check_conservation(state)
    assert state.points().tolist() == [slow.points(player) for player in range(slow.players)]
    assert state.places().tolist() == slow.places()
    assert state.turns == options.num_turns
    assert sum(state.skips) == len(slow.skipped)
    return len(slow.skipped)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(OPTIONS), st.integers(0, 2**31))
def test_games(options: Options, seed: int) -> None:
    play(options, seed, every=11, greedy=seed % 2 == 1)


SEATS: list[dict[str, Any]] = [
    *({"num_players": number} for number in (2, 3, 4, 5)),
    *({"num_players": 2, "two_colors": True, "capture_own_other_color": may} for may in (True, False)),
]


@pytest.mark.parametrize("rack_size", RACK_SIZES)
@pytest.mark.parametrize("wild", [True, False])
@pytest.mark.parametrize("seats", SEATS, ids=lambda seats: ",".join(map(str, seats.values())))
def test_options_in_every_combination(seats: dict[str, Any], wild: bool, rack_size: int) -> None:
    """A game of random play each; legality is compared three times in it, all the rest also at the end."""
    for seed, (scoring, tie_break) in enumerate(itertools.product(SCORINGS, TIE_BREAKS)):
        options = Options(**seats, wild=wild, rack_size=rack_size, scoring=scoring, tie_break=tie_break)
        play(options, seed, every=options.num_turns // 3 + 1)


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(st.sampled_from(OPTIONS), st.integers(0, 2**31))
def test_more_games(options: Options, seed: int) -> None:
    play(options, seed, every=3, greedy=seed % 2 == 1)


def test_games_with_skips() -> None:
    skips = sum(play(SKIPPING, seed, every=1000, greedy=True) for seed in range(20))
    assert skips > 10


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**31), st.floats(0.2, 0.95), st.integers(2, 5))
def test_captures_on_any_board(seed: int, density: float, colors: int) -> None:
    """Also on boards that no game reaches, with long paths and many holes."""
    rng = np.random.default_rng(seed)
    board = {square: int(rng.integers(colors)) for square in range(81) if rng.random() < density}
    state = setup(Options(num_players=5), board)
    slow = {divmod(square, 9): color for square, color in board.items()}
    may = state.may_be_taken()
    for square in slow:
        assert may[square] == (not splits(slow, square)), square


def test_illegal_actions_name_the_rule() -> None:
    state = State(num_players=2, seed=5)
    held = state.rack(0)
    missing = next(tile for tile in range(9) if tile not in held)
    with pytest.raises(IllegalActionError, match=r"not on the rack \(P1\)"):
        state.push(missing * 9)
    with pytest.raises(IllegalActionError, match="does not exist"):
        state.push(324)
    with pytest.raises(IllegalActionError, match="neither"):
        state.push(1.5)  # type: ignore[arg-type]
    two = Options(num_players=2, two_colors=True, rack_size=1, capture_own_other_color=False)
    state = setup(two, {0: 0, 2: 2, 10: 1, 11: 1, 12: 1}, {0: ["*"], 2: ["*"]})
    wrong = {"blue:*@A1": "C1", "blue:*@A3": "D3", "red:*@B3": "C2", "yellow:*@A2": "D1", "blue:1@A2": "T2"}
    for text, rule in wrong.items():
        with pytest.raises(IllegalActionError, match=rule):
            state.push(text)
    with pytest.raises(ValueError, match="no action"):
        state.push("*@A2")
