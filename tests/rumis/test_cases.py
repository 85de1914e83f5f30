"""Rules one by one, in positions that show them. Blue is color 0, yellow 1, red 2, green 3."""

import numpy as np
import pytest

from blokus_env.rumis.buildings import Building
from blokus_env.rumis.state import State
from blokus_env.rumis.variants import Options
from tests.rumis.positions import legal_cubes, reference_of, setup

B, Y, R, G = range(4)
ROW = Building("row", "Row", ("33333",))
SQUARE = Building("square", "Square", ("444", "444", "444"))
TWO, THREE = Options(num_players=2, building=ROW), Options(num_players=3, building=ROW)
OPEN = Options(num_players=2, building=SQUARE)


def legal_texts(state: State, color: int | None = None) -> set[str]:
    """And the slow reference agrees."""
    assert legal_cubes(state, color) == set(reference_of(state).legal(state.color if color is None else color))
    return {state.text(action) for action in state.legal_actions(color).tolist()}


def refusal(state: State, text: str) -> str:
    """Why an action is refused."""
    with pytest.raises(ValueError) as caught:
        state.push(text)
    return str(caught.value)


# Support (R1)


def test_a_stone_must_not_bridge_a_hole() -> None:
    """Squares a, b, c are 1, 0, 1 high."""
    state = setup(TWO, {(0, 0): [B], (0, 2): [B]}, [["I3", "2"], []])
    upright = {"a1,a1+1", "b1,b1+1", "c1,c1+1", "d1,d1+1"} | {"b1,b1+1,b1+2", "d1,d1+1,d1+2"}
    assert legal_texts(state) == upright | {"d1,e1"}
    broken = "not every cube would rest on the base or on a cube, a1 is 1 high and b1 0 (R1)"
    assert broken in refusal(state, "a1,b1,c1") and broken in refusal(state, "a1,b1")


def test_a_stone_may_hang_over_where_it_is_held() -> None:
    """An angle stands on b, its arm on the stone at a; not with the arm over nothing."""
    state = setup(TWO, {(0, 0): [B]}, [["V3"], []])
    assert legal_texts(state) == {"b1,a1+1,b1+1", "b1,c1,b1+1", "b1,c1,c1+1"}
    assert "(R1)" in refusal(state, "b1,b1+1,c1+1")


def test_all_squares_must_fit_not_only_some() -> None:
    """The upper row is 1, 0, 1 high, the middle one 1, 1, 1, the lower one 0: no flat square but on the base fits."""
    piles = {(0, 0): [B], (0, 2): [B], (1, 0): [B], (1, 1): [B], (1, 2): [B]}
    state = setup(OPEN, piles, [["O", "T4"], []])
    assert all("+" in text for text in legal_texts(state))
    assert "(R1)" in refusal(state, "a2,b2,a3,b3") and "(R1)" in refusal(state, "a1,b1,a2,b2")
    filled = setup(OPEN, {**piles, (0, 1): [Y]}, [["O", "T4"], []])
    assert {text for text in legal_texts(filled) if "+" not in text} == {
        "a2,b2,a3,b3",
        "b2,c2,b3,c3",
        "b2,a3,b3,c3",
        "a2,b2,c2,b3",
    }


# Height (R4)


def test_nothing_exceeds_the_limit_of_a_square() -> None:
    limited = Options(num_players=2, building=Building("limited", "Limited", ("123",)))
    state = State(limited)
    assert legal_texts(state) >= {"a1,b1", "b1,c1", "b1,b1+1", "c1,c1+1", "c1,c1+1,c1+2", "a1,b1,c1"}
    assert not {"a1,a1+1", "b1,b1+1,b1+2"} & legal_texts(state)
    assert "higher than the building may ever be there (R4)" in refusal(state, "a1,a1+1")
    state = setup(limited, {(0, 1): [B], (0, 2): [B, B]}, [["2"], []])
    assert legal_texts(state) == set()  # flat on a and b: heights differ; upright on b or c: too high
    assert "c1 would be 4 high, the limit is 3 (R4)" in refusal(state, "c1,c1+1")


@pytest.mark.parametrize(("players", "height"), [(2, 4), (3, 6), (4, 8)])
def test_tower_grows_to_its_limit(players: int, height: int) -> None:
    pile = [B] * (height - 2)
    state = setup(Options(num_players=players), {(0, 0): pile}, [["2", "I3"], *[[]] * (players - 1)])
    assert "a4,a4+1" in legal_texts(state)
    assert f"a4 would be {height + 1} high, the limit is {height} (R4)" in refusal(state, "a4,a4+1,a4+2")
    state.push("a4,a4+1")
    assert state.heights()[0, 0] == height
    assert not any("a4" in text for text in legal_texts(state))


# The first round (R2)


def test_the_first_stone_lies_anywhere() -> None:
    state = State(OPEN)
    flat = {text for text in legal_texts(state) if "+" not in text}
    assert len([text for text in flat if text.count(",") == 1]) == 12
    assert {"a1,b1,c1", "a1,a2,a3", "b1,b2,b3"} <= flat


def test_a_first_stone_touches_a_stone_and_the_base() -> None:
    state = setup(OPEN, {(1, 1): [B, B]}, [[], ["2", "I3", "V3"]], color=Y)
    texts = legal_texts(state)
    assert {"b1,b1+1", "a1,b1", "a2,a3", "c2,c2+1"} <= texts
    assert not {"b2,b2+1", "a1,a1+1", "a3,a3+1"} & texts  # on the stone only; in the corners: no face touches
    message = "a color's first stone must touch a stone on the table and the base (R2)"
    assert message in refusal(state, "b2,b2+1") and message in refusal(state, "a1,a1+1")


def test_a_first_stone_may_lie_on_another_and_on_the_base() -> None:
    state = setup(OPEN, {(1, 1): [B]}, [[], ["V3"]], color=Y)
    assert "b1,b1+1,b2+1" in legal_texts(state)
    state.push("b1,b1+1,b2+1")
    assert state.top()[1, 1] == Y


def test_a_corner_is_no_contact() -> None:
    state = setup(OPEN, {(1, 1): [B]}, [["2"], []])
    assert not {"a1,a1+1", "c3,c3+1"} & legal_texts(state)
    assert "no face touches a stone of its own color (R3)" in refusal(state, "a1,a1+1")


# Contact (R3)


def test_contact_from_any_side_but_only_with_the_own_color() -> None:
    piles = {(0, 0): [B, Y], (0, 1): [Y, Y]}
    state = setup(TWO, piles, [["2"], []])
    assert legal_texts(state) == set()  # blue's cube is built in: under a's top, beside b
    state = setup(TWO, {(0, 0): [Y, B], (0, 1): [Y]}, [["2"], []])
    assert legal_texts(state) == {"b1,b1+1"}  # beside the own cube on level 1; on it there is room for one only
    assert "no face touches" in refusal(state, "c1,c1+1")


def test_contact_on_top() -> None:
    state = setup(TWO, {(0, 0): [B], (0, 1): [Y]}, [["2"], []])
    assert legal_texts(state) == {"a1,a1+1", "a1,b1"}


# Places that open again, and turns (R7)

BLOCKED = {(0, 0): [B, B], (0, 1): [Y, Y], (0, 3): [R, R]}
HANDS = [["I3"], ["2"], ["I3"]]


def test_a_color_that_was_passed_over_may_play_again() -> None:
    """Blue's bar fits nowhere until yellow has filled the hole at c."""
    state = setup(THREE, BLOCKED, HANDS, color=R)
    assert legal_texts(state, B) == set()
    state.push("e1,e1+1,e1+2")
    assert state.color == Y and state.skipped == (B,)
    assert not state.is_out(B)
    state.push("c1,c1+1")
    assert state.color == B and state.skipped == (R,)
    assert legal_texts(state) == {"a1,b1,c1"}
    state.push("a1,b1,c1")
    assert state.is_over and state.outcome().scores == (3.0, 0.0, 2.0)
    state.pop()
    state.pop()
    assert (state.color, state.skipped) == (Y, (B,))


def test_out_after_pass_ends_its_game() -> None:
    options = Options(num_players=3, building=ROW, out_after_pass=True)
    state = setup(options, BLOCKED, HANDS, color=R)
    state.push("e1,e1+1,e1+2")
    assert state.color == Y and state.is_out(B) and not state.is_out(R)
    state.push("c1,c1+1")
    assert state.is_over and state.player == -1
    assert len(state.legal_actions(B)) == 0
    assert [state.is_out(color) for color in range(3)] == [True] * 3
    state.pop()
    assert [state.is_out(color) for color in range(3)] == [True, False, False]


def test_it_happens_in_real_games() -> None:
    """A color is passed over with stones in hand and plays later in some games of the Tower, never with the option."""

    def returns(options: Options) -> int:
        found = 0
        for seed in range(60):
            rng, state, passed = np.random.default_rng(seed), State(options), set()
            while not state.is_over:
                found += state.color in passed
                state.push(int(rng.choice(state.legal_actions())))
                passed |= set(state.skipped)
        return found

    assert returns(Options(num_players=3)) > 0
    assert returns(Options(num_players=3, out_after_pass=True)) == 0


def test_a_color_that_has_placed_everything_does_not_end_the_game() -> None:
    state = setup(THREE, {(0, 0): [B], (0, 1): [Y], (0, 2): [R]}, [["2"], [], ["2"]], color=B)
    state.push("a1,a1+1")
    assert state.color == R and state.skipped == (Y,)


# Scores (R5), ties (S3), two colors (R6)


def test_view_from_above_and_stones_left() -> None:
    piles = {(0, 0): [B, Y], (0, 1): [Y, B], (0, 2): [B], (0, 3): [B, B, B]}
    state = setup(TWO, piles, [["2", "I4", "O"], ["P"]])
    assert state.top().tolist() == [[Y, B, B, B, -1]]
    assert state.scores().tolist() == [3 - 3, 1 - 1]
    assert State(Options()).scores().tolist() == [-11] * 4
    done = setup(TWO, {(0, 0): [B]}, [[], []])
    assert done.scores().tolist() == [1, 0]  # no bonus for placing everything


@pytest.mark.parametrize(
    ("piles", "places"),
    [
        ({(0, 0): [B], (0, 1): [Y], (0, 2): [R]}, [0, 0, 0]),
        ({(0, 0): [B], (0, 1): [B], (0, 2): [R], (0, 3): [R]}, [0, 2, 0]),
        ({(0, 0): [Y], (0, 1): [Y], (0, 2): [R]}, [2, 0, 1]),
    ],
)
def test_equal_scores_share_the_place(piles, places) -> None:
    state = setup(THREE, piles, [[], [], []], color=-1)
    assert state.places().tolist() == places
    assert state.outcome().is_tie == (places.count(0) > 1)
    assert state.outcome().winners == tuple(i for i, place in enumerate(places) if place == 0)


def test_the_best_single_color_wins() -> None:
    options = Options(num_players=2, building=ROW, two_colors=True)
    piles = {(0, 0): [B], (0, 1): [B], (0, 2): [R], (0, 3): [R], (0, 4): [Y]}
    state = setup(options, piles, [[], [], [], ["2", "I3"]], color=-1)
    assert state.scores().tolist() == [2, 1, 2, -2]
    assert state.player_scores().tolist() == [2, 1]  # not the sum
    piles = {(0, 0): [B], (0, 1): [R], (0, 2): [Y], (0, 3): [Y]}
    state = setup(options, piles, [[], [], [], []], color=-1)
    assert state.player_scores().tolist() == [1, 2] and state.places().tolist() == [1, 0]
