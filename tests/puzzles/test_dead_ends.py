"""A dead end is a proof: never said of a position from which all pieces can be placed."""

import numpy as np
import pytest

from blokus_env.puzzles import PackingState, SoloState, solve
from tests.puzzles.reference import SMALL, SMALL_IDS, can_be_completed, pentomino_solution, solo_solution


@pytest.mark.parametrize("row", SMALL, ids=SMALL_IDS)
def test_dead_ends_are_sound_on_small_boards(row):
    rng = np.random.default_rng(0)
    alive = dead = hopeless = 0
    for _ in range(30):
        state = PackingState(row)
        while not state.is_over:
            state.push(int(rng.choice(state.legal_actions())))
            possible, reason = can_be_completed(state.copy()), state.dead_end()
            assert not (possible and reason), f"{reason}:\n{state}"
            alive, hopeless, dead = alive + possible, hopeless + (not possible), dead + bool(reason)
    assert hopeless and dead >= 0.5 * hopeless  # not complete, but worth having
    assert alive or row.no_edge_contact


def test_dead_ends_agree_with_the_solver():
    row = SMALL[2]
    rng = np.random.default_rng(1)
    found = set()
    for _ in range(12):
        state = PackingState(row)
        for _ in range(int(rng.integers(1, 4))):
            if not state.is_over:
                state.push(int(rng.choice(state.legal_actions())))
        result = solve(state, time_limit=20, workers=1)
        assert (result.status == "solved") == can_be_completed(state.copy())
        assert not (result.status == "solved" and state.dead_end())
        found.add(result.status)
    assert found == {"solved", "impossible"}


@pytest.mark.parametrize("seed", range(4))
def test_no_dead_end_on_the_way_to_a_solution_in_any_order(seed):
    solution = pentomino_solution()
    state, order = PackingState(solution.puzzle), np.random.default_rng(seed).permutation(48)
    for number in order:
        assert state.dead_end() is None
        state.push(state.action_of(*solution.moves[number]))
    assert state.is_solved and state.dead_end() is None


def test_no_dead_end_on_the_way_to_the_solution_of_the_solo_game():
    state = SoloState()
    for color, cells in solo_solution().moves:
        assert state.dead_end() is None and state.color == color
        state.push(state.action_of(color, cells))
    assert state.is_solved and state.dead_end() is None and state.singles_last == 4


def test_reasons():
    state = PackingState("tetromino")
    state.push("blue b1,c1,d1,e1")  # a1 is open to above
    assert state.dead_end() is None
    state.push("red a2,b2,a3,b3")  # a1 can be covered by nothing
    assert state.dead_end() == "more cells than may stay empty can never be covered"
    state = PackingState("pentomino")
    for text in ("blue c1,c2,c3,c4,c5", "red c6,c7,c8,c9,c10", "green c11,c12,c13,c14,c15"):
        assert state.dead_end() is None
        state.push(text)
    assert state.dead_end() is None  # 2 × 15 on the left: 30 cells, six pieces
    state = PackingState("pentomino")
    state.push("blue d1,d2,d3,c3,b3")  # the 2 × 3 below a3 … c2 is still open at a3
    assert state.dead_end() is None
    state.push("red a3,a4,a5,a6,a7")  # 3 × 2 cells closed in
    assert state.dead_end() == "more cells than may stay empty can never be covered"


def test_the_solo_game_is_dead_when_a_color_is_blocked():
    state, rng = SoloState(), np.random.default_rng(2)
    seen = None
    while not state.is_over:
        state.push(int(rng.choice(state.legal_actions())))
        reason = state.dead_end()
        assert not seen or reason  # dead for good
        seen = seen or reason
    assert state.dead_end() and seen
