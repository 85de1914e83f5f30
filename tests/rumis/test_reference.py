"""The engine against the slow reference, move by move: legality both ways, turns, scores, ends, push and pop."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from blokus_env.rumis.buildings import Building
from blokus_env.rumis.state import State
from blokus_env.rumis.variants import Options
from tests.rumis.positions import (
    OPTIONS,
    REGISTERED,
    at_rest,
    cubes_on,
    legal_cubes,
    name_of,
    random_state,
    reference,
    reference_of,
)
from tests.rumis.reference import Reference

CHOICES = st.lists(st.integers(0, 10**6), min_size=44, max_size=44)


def compare(state: State, slow: Reference) -> None:
    """Everything that both know."""
    colors = range(state.options.num_colors)
    assert cubes_on(state) == slow.table
    assert state.is_over == (slow.color is None) and (state.is_over or state.color == slow.color)
    assert [set(state.left(color)) for color in colors] == slow.left
    assert {color for color in colors if state.is_out(color)} == slow.out
    for color in colors:
        assert legal_cubes(state, color) == set(slow.legal(color))
    assert state.scores().tolist() == [slow.score(color) for color in colors]
    for color in colors:
        assert {(int(r), int(c)) for r, c in np.argwhere(state.top() == color)} == slow.seen(color)


@given(options=st.sampled_from(OPTIONS), choices=CHOICES)
@settings(max_examples=10, deadline=None)
def test_whole_games(options: Options, choices: list[int]) -> None:
    state, slow, before = State(options), reference(options), []
    for choice in choices:
        compare(state, slow)
        if state.is_over:
            break
        before.append(state.copy())
        legal = state.legal_actions()
        action = int(legal[choice % len(legal)])
        cubes = at_rest(state, action)
        assert slow.legal(state.color)[cubes] == state.piece_names[state.tables.piece[action]]
        state.push(action)
        passed = slow.play(cubes)
        assert state.skipped == tuple(options.owner(color) for color in passed)
    assert state.is_over
    while before:
        earlier = before.pop()
        state.pop()
        assert (state, state.player, state.skipped) == (earlier, earlier.player, earlier.skipped)
        assert np.array_equal(state.legal_actions(), earlier.legal_actions())


@pytest.mark.parametrize("options", REGISTERED, ids=name_of)
def test_positions_of_registered_buildings(options: Options) -> None:
    for plies in (1, 9, 21):
        state = random_state(options, plies, seed=plies)
        compare(state, reference_of(state))


@pytest.mark.parametrize("options", OPTIONS, ids=name_of)
def test_every_id_is_legal_or_not(options: Options) -> None:
    """`is_legal` and `push` agree with the list for every id, and refusals change nothing."""
    state = random_state(options, 4, seed=2)
    legal = set(state.legal_actions().tolist())
    for action in range(state.tables.num_actions):
        assert state.is_legal(action) == (action in legal)
        before = state.copy()
        if action in legal:
            state.push(action)
            state.pop()
        else:
            with pytest.raises(ValueError, match=r"\((B2|R1|R2|R3|R4)\)$"):
                state.push(action)
        assert state == before and state.actions == before.actions


@pytest.mark.parametrize("players", [2, 3])
def test_first_and_second_moves(players: int) -> None:
    """How many sequences of two actions there are, counted in both ways."""
    options = OPTIONS[2] if players == 2 else OPTIONS[3]
    state, slow = State(options), reference(options)
    firsts = slow.legal(0)
    assert len(state.legal_actions()) == len(firsts)
    total = 0
    for action in state.legal_actions().tolist():
        state.push(action)
        total += len(state.legal_actions())
        state.pop()
    expected = 0
    for cubes in firsts:
        other = reference(options)
        other.table = dict.fromkeys(cubes, 0)
        expected += len(other.legal(1))
    assert total == expected


@pytest.mark.parametrize("plan", [("3" * 64,), ("3",) * 64], ids=["one row", "one column"])
def test_longest_plans(plan: tuple[str, ...]) -> None:
    """Shifts of words by a whole row must not matter."""
    state = random_state(Options(num_players=2, building=Building("line", "Line", plan)), 10, seed=1)
    compare(state, reference_of(state))
