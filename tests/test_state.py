"""State as an object: push and pop, copies, equality, text, and what it says about illegal actions."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blokus_env import IllegalActionError, State
from tests.playing import RULES, play, random_state


def snapshot(state: State) -> tuple[object, ...]:
    """Everything that a user can see."""
    colors = range(len(state.color_names))
    legal = tuple(tuple(state.legal_actions(color).tolist()) for color in colors)
    scores = (tuple(state.scores()), tuple(state.raw_points()))
    return state.player, state.color, state.ply, state.is_over, state.board().tobytes(), legal, scores, str(state)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(RULES), st.integers(0, 2**32 - 1))
def test_pop_restores_exactly(rules: tuple[str, str], seed: int) -> None:
    rng = np.random.default_rng(seed)
    state = State(rules[0], start=rules[1])
    before = []
    while not state.is_over:
        before.append((state.copy(), hash(state), snapshot(state)))
        state.push(int(rng.choice(state.legal_actions())))
    for copy, hashed, seen in reversed(before):
        assert state != copy
        state.pop()
        assert state == copy
        assert hash(state) == hashed
        assert snapshot(state) == seen
    assert state == State(rules[0], start=rules[1])


def test_pop_returns_the_action_and_fails_at_the_start() -> None:
    state = State("duo")
    action = int(state.legal_actions()[5])
    state.push(action)
    assert state.pop() == action
    with pytest.raises(IndexError):
        state.pop()


def test_copy_is_independent() -> None:
    state = random_state("duo", "fixed", 6, seed=1)
    seen = snapshot(state)
    copy = state.copy()
    copy.push(int(copy.legal_actions()[0]))
    copy.pop()
    copy.pop()
    assert snapshot(state) == seen
    assert copy.ply == 5


@pytest.mark.parametrize("rules", RULES)
def test_pickle(rules: tuple[str, str]) -> None:
    state = random_state(*rules, 9, seed=2)
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert hash(again) == hash(state)
    assert snapshot(again) == snapshot(state)
    again.pop()
    assert again.ply == 8


def test_equality_tells_rules_apart() -> None:
    assert State("duo", start="fixed") != State("duo", start="either")
    assert State("duo", scoring="basic") != State("duo", scoring="advanced")
    assert State("duo") != State("classic")
    assert State("duo") != "duo"
    assert len({State("duo"), State("duo"), random_state("duo", "either", 3, 0)}) == 2


def test_equal_whatever_the_way() -> None:
    """A position does not remember in which order its pieces came."""
    moves = ["e9,e10,e11", "j5,j6", "f12,g12,f13", "k7,l7,l8"]
    one = play(State("duo", start="fixed"), moves)
    other = play(State("duo", start="fixed"), moves)
    other.pop()
    other.push(moves[3])
    assert one == other
    assert hash(one) == hash(other)


def test_colors_and_players_in_playing_order() -> None:
    assert State("duo").color_names == ("purple", "orange")
    assert State("classic").color_names == ("blue", "yellow", "red", "green")
    state = State("classic", start="fixed")
    for ply in range(8):
        assert state.color == state.player == ply % 4
        state.push(int(state.legal_actions()[-1]))


def test_a_move_may_be_text() -> None:
    state = State("duo", start="fixed")
    action = state.parse("e10,e9,f10")
    assert state.text(action) == "e9,e10,f10"
    state.push("e9,e10,f10")
    assert state.board()[4, 4] == state.board()[5, 4] == state.board()[4, 5] == 0
    assert (state.board() == -1).sum() == 14 * 14 - 3
    assert state.board().dtype == np.int8
    assert list(state.actions) == [action]
    for nonsense in ("", "hello", "e10,e12", "e10,e11,e12,e13,e14,f14"):
        with pytest.raises(ValueError):
            state.parse(nonsense)


def test_str_shows_the_board() -> None:
    state = play(State("duo", start="fixed"), ["e9,e10,f10"])
    assert str(state) != str(State("duo", start="fixed"))
    assert len(str(state).splitlines()) >= 14


def test_board_is_a_copy() -> None:
    state = State("duo")
    state.board()[:] = 0
    assert (state.board() == -1).all()


def test_view_shows_the_state_and_cannot_change_it() -> None:
    state = random_state("duo", "either", 4, seed=3)
    view = state.view(0)
    assert view.player == state.player
    assert np.array_equal(view.legal_actions(), state.legal_actions())
    assert np.array_equal(view.board(), state.board())
    with pytest.raises((AttributeError, TypeError)):
        view.push(int(state.legal_actions()[0]))
    assert view.copy() == state
    state.push(int(view.legal_actions()[0]))  # a view shows one position, whatever happens to the state
    assert view.color == view.copy().color
    assert set(view.legal_actions().tolist()) == {a for a in range(13_729) if view.is_legal(a)}


OPENING = ["e9,e10,e11", "j5,j6,k6,l6,k7"]  # I3 and F in Duo, from the fixed starts


@pytest.mark.parametrize(
    ("moves", "action", "says"),
    [
        ([], "n14,o14", "board"),  # B3
        ([], -1, "board|range|action"),
        ([], 13_729, "board|range|action"),
        (["e9,e10,e11"], "e10,f10", "overlap|occupied|empty"),  # B3
        (OPENING, "f9,g9", "edge"),  # B5
        (OPENING, "a1,a2", "corner"),  # B5
        ([], "a1,a2", "start"),  # B4
        (["e9,e10,e11"], "e9,f9", "overlap|occupied|empty|start"),
        (OPENING, "d12,d13,d14", "already|placed"),  # B2: the I3 again
    ],
)
def test_illegal_actions_say_why_and_change_nothing(moves: list[str], action: int | str, says: str) -> None:
    state = play(State("duo", start="fixed"), moves)
    seen, copy = snapshot(state), state.copy()
    with pytest.raises(IllegalActionError, match=f"(?i){says}"):
        state.push(action)
    assert state == copy
    assert snapshot(state) == seen


def test_nothing_is_legal_after_the_end() -> None:
    state = random_state("duo", "either", 100, seed=4)
    assert state.is_over
    assert len(state.legal_actions()) == 0
    for action in (0, 100, "e10"):
        with pytest.raises(IllegalActionError, match=r"(?i)over"):
            state.push(action)
    assert issubclass(IllegalActionError, ValueError)


@pytest.mark.parametrize("options", [{"start": "nowhere"}, {"scoring": "generous"}])
def test_unknown_options_name_the_choices(options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="choose"):
        State("duo", **options)
    with pytest.raises(ValueError, match="duo"):
        State("chess")


@pytest.mark.parametrize("action", [-1, 13_729])
def test_actions_that_do_not_exist_have_no_text_and_no_cells(action: int) -> None:
    state = State("duo")
    with pytest.raises(IllegalActionError, match="does not exist"):
        state.text(action)
    with pytest.raises(IllegalActionError, match="does not exist"):
        state.action_cells(action)
