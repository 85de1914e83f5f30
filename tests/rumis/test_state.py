"""`State` as an object: push and pop, copies, views, text, errors, pickles, equality."""

import copy
import pickle

import numpy as np
import pytest

from blokus_env.adapters.protocol import GAME_OVER, IllegalActionError
from blokus_env.rumis.state import State
from blokus_env.rumis.variants import Options
from tests.rumis.positions import OPTIONS, REGISTERED, at_rest, cubes_on, name_of, random_state


@pytest.mark.parametrize("options", [*OPTIONS, *REGISTERED], ids=name_of)
def test_push_and_pop_come_back(options: Options) -> None:
    state = random_state(options, 999, seed=4)
    assert state.is_over and state.player == GAME_OVER and len(state.legal_actions()) == 0
    actions = state.actions
    assert state.ply == len(actions) and state.last_action == actions[-1]
    for action in reversed(actions):
        assert state.pop() == action
    assert state == State(options) and state.last_action is None and state.actions == ()
    with pytest.raises(IndexError, match="no action to take back"):
        state.pop()


def test_what_an_action_adds_is_what_lies_there_then() -> None:
    state = random_state(Options(num_players=3), 8, seed=1)
    for action in state.legal_actions().tolist():
        cubes, before = at_rest(state, action), cubes_on(state)
        color, other = state.color, state.copy()
        other.push(action)
        assert {cube: owner for cube, owner in cubes_on(other).items() if cube not in before} == dict.fromkeys(
            cubes, color
        )
        assert state.piece_names[state.tables.piece[action]] in state.left(color)
        assert state.piece_names[state.tables.piece[action]] not in other.left(color)
        assert cubes_on(state) == before


@pytest.mark.parametrize("options", REGISTERED, ids=name_of)
def test_text_is_one_to_one(options: Options) -> None:
    state = State(options)
    texts = [state.text(action) for action in range(state.tables.num_actions)]
    assert len(set(texts)) == len(texts)
    assert [state.parse(text) for text in texts] == list(range(len(texts)))
    assert state.parse(" , ".join(reversed(texts[-1].upper().split(",")))) == len(texts) - 1


def test_text_reads_like_a_flat_board() -> None:
    state = State()
    assert state.parse("a1,b1") == state.tables.action_by_cubes[(3, 0, 0), (3, 1, 0)]
    assert state.text(state.parse("b2,b2+1,c2+1")) == "b2,b2+1,c2+1"
    assert state.action_cells(state.parse("a4,a4+1")).tolist() == [[0, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("a1,f1", IllegalActionError, r"f1 is off the ground plan \(B3\)"),
        ("a1,a9", IllegalActionError, r"a9 is off the ground plan \(B3\)"),
        ("a1,c1", IllegalActionError, r"is not the shape of any stone \(B2\)"),
        ("a1+1,b1+1", IllegalActionError, r"is not the shape of any stone \(B2\)"),
        ("a1", IllegalActionError, r"is not the shape of any stone \(B2\)"),
        ("a1,a1", IllegalActionError, r"is not the shape of any stone \(B2\)"),
        ("a1,b", ValueError, "'b' is no cube: expected a square and a level such as 'b2' or 'b2\\+1'"),
        ("", ValueError, "'' is no cube"),
    ],
)
def test_wrong_texts_have_one_clear_error(text: str, error: type[Exception], message: str) -> None:
    state = State()
    with pytest.raises(error, match=message):
        state.push(text)
    assert state == State()


def test_wrong_ids_have_one_clear_error() -> None:
    state = State(num_players=2)
    number = state.tables.num_actions
    for action in (-1, number, np.int64(number)):
        with pytest.raises(IllegalActionError, match=rf"does not exist: expected 0 … {number - 1}"):
            state.push(action)
    for method in (state.text, state.action_cells):
        with pytest.raises(IllegalActionError, match="does not exist"):
            method(number)
    with pytest.raises(IllegalActionError, match="neither an action id nor a move text"):
        state.push(1.5)
    with pytest.raises(ValueError, match="color 2 does not exist: expected 0 … 1"):
        state.legal_actions(2)
    with pytest.raises(ValueError, match="player 2 does not exist: expected 0 … 1"):
        state.view(2)
    over = random_state(Options(num_players=2), 999, seed=0)
    for action in (0, "a1,b1"):
        with pytest.raises(IllegalActionError, match=r"the game is over.*\(R7\)"):
            over.push(action)


def test_a_stone_is_there_once() -> None:
    state = State(num_players=2)
    state.push("a1,b1")
    state.push("c1,d1,e1")
    with pytest.raises(IllegalActionError, match=r"stone already placed, no 2 is left \(B2\)"):
        state.push("a2,b2")


def test_equality_hash_and_order_of_moves() -> None:
    one, two = State(num_players=2), State(num_players=2)
    for text in ("a1,b1", "c1,c1+1", "a1,a2+1,a1+1", "d1,e1,e2"):
        one.push(text) if one.is_legal(one.parse(text)) else None
    assert one != two and one != "state"
    for action in one.actions:
        two.push(action)
    assert one == two and hash(one) == hash(two)
    assert State(num_players=2) != State(num_players=2, out_after_pass=True)
    assert State(num_players=2) != State(num_players=3)


def test_copies_are_independent() -> None:
    state = random_state(Options(), 7, seed=3)
    for other in (state.copy(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other == state and other.actions == state.actions and other.skipped == state.skipped
        before = state.copy()
        other.push(int(other.legal_actions()[0]))
        assert state == before and other != state
        other.pop()
        other.pop()
        assert other.ply == state.ply - 1


def test_views_are_read_only() -> None:
    state = random_state(Options(num_players=3), 5, seed=3)
    view = state.view(state.player)
    assert view == state and np.array_equal(view.legal_actions(), state.legal_actions())
    for change in (lambda: view.push(0), view.pop):
        with pytest.raises(TypeError, match="read-only"):
            change()
    played = view.copy()
    played.push(int(played.legal_actions()[0]))
    assert played.ply == state.ply + 1 and type(played) is State


def test_arrays_that_are_handed_out_can_be_changed_without_harm() -> None:
    state = random_state(Options(num_players=2), 6, seed=1)
    before = state.copy()
    for array in (state.board(), state.heights(), state.limits(), state.top(), state.legal_actions(), state.scores()):
        array[...] = 7
    assert state == before
    assert state.limits().max() == 4 and np.array_equal(state.legal_actions(), before.legal_actions())


def test_texts_for_people() -> None:
    state = State(num_players=2, building="steps")
    assert repr(state) == "<State rumis num_players=2 building='steps' ply=0>"
    assert str(state).startswith("Rumis Steps, ply 0: blue to move\n")
    assert state._repr_svg_().startswith("<svg")


def test_integers_of_any_kind() -> None:
    state = State()
    state.push(np.int32(3))
    assert state.actions == (3,)
