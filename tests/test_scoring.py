"""S1 to S5, on games that are known."""

import numpy as np
import pytest

from blokus_env import State
from tests import oracle
from tests.playing import play, random_state

# Orange places all its pieces in this game of Duo, the single square last.
ALL_PLACED = """
e10,e11,e12 g5,h5,i5,j5,i6 f13,g13,f14,g14 f6,e7,f7,e8,e9 f9 g8,g9,h9,h10,i10 g10,g11,h11 k10,l10,j11,k11,k12
i12,j12,i13,i14 k2,j3,k3,l3,k4 k13,k14 b4,c4,d4,d5,d6 b12,b13,c13,d13,b14 f2,f3,g3,h3,f4 c6,c7,c8,c9,d9
m11,m12,m13,l14,m14 a4,a5,b5,a6 c10,d10,c11,c12,d12 b3,c3,d3,e3 a7,b7,a8,b8,b9 a10,a11,a12,a13,a14 c1,a2,b2,c2,a3
j7,j8,k8,j9 m1,n1,m2,n2 e13,c14,d14,e14 n7,m8,n8,m9 g1,h1,i1,j1 f12,g12,h12 m4,n4,n5 j13,j14 f10
""".split()


def test_everything_placed_and_the_single_square_last() -> None:
    """The To Go sheet, figure 5: +20."""
    state = play(State("duo", start="fixed"), ALL_PLACED)
    assert state.is_over
    assert list(state.scores()) == [-54, 20]
    assert list(state.raw_points()) == [35, 109]
    outcome = state.outcome()
    assert (list(outcome.places), list(outcome.winners), outcome.is_tie) == ([1, 0], [1], False)
    assert state.scores().dtype == np.float64


def test_basic_scoring_has_no_bonus() -> None:
    state = play(State("duo", start="fixed", scoring="basic"), ALL_PLACED)
    assert list(state.scores()) == [-54, 0]
    assert list(state.raw_points()) == [35, 109]


def test_to_go_has_the_same_rules() -> None:
    state = play(State("to_go"), ALL_PLACED)
    assert state.color_names == ("blue", "green")
    assert list(state.scores()) == [-54, 20]


def test_squares_left_cost_one_each() -> None:
    state = State("duo", start="fixed")
    placed = [0, 0]
    for move in ALL_PLACED[:-1]:
        color = state.color
        state.push(move)
        placed[color] += len(move.split(","))
        assert list(state.scores()) == [squares - 89 for squares in placed]
        assert list(state.raw_points()) == placed
    assert placed[1] == 88


def test_two_pieces_of_three_and_one_of_four_left() -> None:
    """The To Go sheet, figure 5: −10."""
    state = play(State("duo", start="fixed"), [move for _, move in oracle.level_games("duo")[109]])
    assert state.is_over
    assert state.scores()[0] == -10


@pytest.mark.parametrize(("index", "color", "score"), [(4, 0, 20), (12, 1, 20), (13, 0, 15), (41, 1, 15)])
def test_bonus_in_classic(index: int, color: int, score: int) -> None:
    moves = [move for _, move in oracle.level_games("classic")[index]]
    assert play(State("classic", start="fixed"), moves).scores()[color] == score
    assert play(State("classic", start="fixed", scoring="basic"), moves).scores()[color] == 0


def test_ties_are_shared() -> None:
    """S3: no tie is broken by the seat."""
    ties = 0
    for seed in range(120):
        state = random_state("duo", "fixed", 100, seed)
        scores, outcome = state.scores(), state.outcome()
        assert outcome.is_tie == (scores[0] == scores[1])
        ties += outcome.is_tie
        if outcome.is_tie:
            assert list(outcome.places) == [0, 0]
            assert list(outcome.winners) == [0, 1]
    assert ties > 0
