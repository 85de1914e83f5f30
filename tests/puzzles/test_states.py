"""Legal actions, pieces, solved or not: against the slow reference, and P1 against Classic itself."""

import copy
import pickle

import numpy as np
import pytest

from blokus_env import State
from blokus_env.adapters.protocol import IllegalActionError
from blokus_env.puzzles import PUZZLES, PackingState, SoloState, packing, puzzle
from tests.puzzles import reference
from tests.puzzles.reference import MIXED, SMALL, SMALL_IDS, TINY

REAL = [
    puzzle("tetromino"),
    puzzle("tetromino", no_edge_contact=True),
    puzzle("pentomino"),
    puzzle("pentomino", no_edge_contact=True),
]


def moves_of(state):
    cells = [frozenset(map(tuple, state.action_cells(action).tolist())) for action in state.actions]
    return list(zip(state.action_colors(), cells, strict=True))


def legal_moves(state):
    return {
        (state.action_color(action), frozenset(map(tuple, state.action_cells(action).tolist())))
        for action in state.legal_actions().tolist()
    }


def test_the_puzzles_are_those_of_the_rules():
    sizes = {name: (row.num_pieces, row.num_squares, row.num_cells, row.spare) for name, row in PUZZLES.items()}
    assert sizes == {"solo": (84, 356, 400, 44), "tetromino": (20, 80, 80, 0), "pentomino": (48, 240, 240, 0)}
    assert [PUZZLES[name].rules for name in PUZZLES] == [("P1",), ("P2",), ("P3",)]
    assert puzzle("pentomino", no_edge_contact=True).rules == ("P3", "P4")
    assert puzzle("pentomino", no_edge_contact=True).with_no_edge_contact(False) == PUZZLES["pentomino"]
    assert PackingState("tetromino").num_actions == 4 * 1_049 and PackingState("pentomino").num_actions == 4 * 11_596


@pytest.mark.parametrize("row", SMALL, ids=SMALL_IDS)
@pytest.mark.parametrize("seed", range(3))
def test_legal_actions_of_small_boards_are_those_of_the_reference(row, seed):
    state, rng = PackingState(row), np.random.default_rng(seed)
    while True:
        assert legal_moves(state) == reference.legal(row, moves_of(state))
        mask = np.ones(state.num_actions, np.int8)
        state.write_mask(mask)
        assert np.array_equal(np.flatnonzero(mask), state.legal_actions())
        assert np.array_equal(mask, [state.is_legal(action) for action in range(state.num_actions)])
        if state.is_over:
            break
        state.push(int(rng.choice(state.legal_actions())))
    assert state.is_solved == (state.squares_placed == row.num_squares)


@pytest.mark.parametrize("row", REAL, ids=lambda row: " ".join(row.rules))
def test_legal_actions_of_the_real_boards_are_those_of_the_reference(row):
    state, rng = PackingState(row), np.random.default_rng(5)
    for ply in range(row.num_pieces):
        if ply % 6 == 2 or state.is_over:
            assert legal_moves(state) == reference.legal(row, moves_of(state))
        if state.is_over:
            return
        state.push(int(rng.choice(state.legal_actions())))
    raise AssertionError("chance does not solve a puzzle")


def test_solo_is_classic_with_one_player():
    state, classic, rng = SoloState(), State("classic"), np.random.default_rng(3)
    while not classic.is_over:
        assert np.array_equal(state.legal_actions(), classic.legal_actions()) and state.color == classic.color
        action = int(rng.choice(classic.legal_actions()))
        state.push(action)
        classic.push(action)
    assert state.is_over and not state.is_solved
    assert np.array_equal(state.scores(), classic.scores())
    assert state.squares_placed == int((classic.board() >= 0).sum())
    assert state.variant.num_players == 1 and state.player == -1


def test_push_and_pop():
    state = PackingState("tetromino", no_edge_contact=True)
    before = state.observe()
    state.push("blue a1,b1,a2,b2")
    assert state.left(0) == ["I4", "L4", "T4", "Z4"] and len(state.left(1)) == 5
    assert state.board()[7, 0] == 0 and state.scores().tolist() == [4, 0, 0, 0] and state.squares_placed == 4
    assert state.text(state.actions[0]) == "blue a1,b1,a2,b2" and state.ply == 1
    other = copy.deepcopy(state)
    state.pop()
    assert np.array_equal(state.observe(), before) and state.left(0)[2] == "O"
    assert other.ply == 1 and pickle.loads(pickle.dumps(other)).actions == other.actions
    with pytest.raises(IndexError, match="empty"):
        state.pop()


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("blue c1,d1,c2,d2", "blue has no O left"),
        ("yellow b2,c2,b3,c3", "b2 is occupied"),
        ("blue c1,d1,e1,f1", r"edge contact with its own color \(P4\)"),
        ("blue a1", "not a piece"),
        ("pink a1", "expected a color"),
        ("blue 1a", "not a cell"),
        (99_999, "does not exist"),
        (-1, "does not exist"),
        (1.5, "neither an action id nor a text"),
    ],
)
def test_illegal_actions_say_why_and_change_nothing(action, message):
    state = PackingState("tetromino", no_edge_contact=True)
    state.push("blue a1,b1,a2,b2")
    before = state.observe()
    with pytest.raises(IllegalActionError, match=message):
        state.push(action)
    assert np.array_equal(state.observe(), before) and state.ply == 1


def test_wrong_options_name_the_right_ones():
    with pytest.raises(ValueError, match="'solo', 'tetromino', 'pentomino'"):
        puzzle("hexomino")
    with pytest.raises(ValueError, match="does not apply to 'solo'"):
        puzzle("solo", no_edge_contact=True)
    with pytest.raises(ValueError, match="use SoloState"):
        PackingState("solo")
    with pytest.raises(ValueError, match="'planes', 'compact'"):
        PackingState("tetromino", observation="picture")
    with pytest.raises(ValueError, match="12 squares cannot fill a board of 20 cells"):
        packing("wrong", MIXED.variant.board, TINY.variant.pieces, color_names=("blue", "yellow"))
