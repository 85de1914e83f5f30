"""The positions that an implementation gets wrong, in all symmetric forms. X is color 1, Y color 2, P (to move) 0."""

import numpy as np
import pytest

from blockers_env import Options, State
from blockers_env.kernels import GAME_OVER
from blockers_env.tables import POSITION
from blockers_env.tiles import SQUARE_NAMES, TILE_NAMES, WILD, parse_square, parse_tile, squares_of
from tests.blockers import reference
from tests.blockers.positions import T9, legal_squares, random_state, setup, squares, symmetric

RING = squares("B2 B3 B4 C2 C4 D2 D3 D4")
RIM = frozenset(square for square in range(81) if square // 9 in (0, 8) or square % 9 in (0, 8))
EIGHT = squares("A1 A2 A3 B1 B3 C1 C2 C3 C4 C5 D3 D5 E3 E4 E5")
SOLID = squares("B2 B3 B4 C2 C3 C4 D2 D3 D4")

# squares of X, those that may be taken, those that may not
TAKING = {
    "T1 ring": (RING, RING, ""),
    "T2 ring and tail": (RING | squares("D5"), squares("D5 B2 C4"), "D4"),
    "T3 diagonal remainder": (squares("B2 B3 C3"), squares("B2 C3"), "B3"),
    "T4 two by two": (squares("E5 E6 F5 F6"), squares("E5 E6 F5 F6"), ""),
    "T4 three by three": (SOLID, SOLID, ""),
    "T4 plus": (squares("E5 D5 F5 E4 E6"), squares("D5 F5 E4 E6"), "E5"),
    "T5 domino": (squares("E5 E6"), squares("E5 E6"), ""),
    "T5 single": (squares("I9"), squares("I9"), ""),
    "T6 no wrap": (squares("A8 A9 B1 B2"), squares("A8 A9 B1 B2"), ""),
    "T7 long ring": (RIM, RIM, ""),
    "T8 figure of eight": (EIGHT, squares("A2 B3 C4 C5"), "C3"),
}


@pytest.mark.parametrize("case", TAKING)
def test_taking(case: str) -> None:
    group, yes, no = TAKING[case]
    for board, goes in symmetric(dict.fromkeys(group, 1)):
        state = setup(Options(num_players=2, rack_size=1), board, {0: ["*"]})
        may = state.may_be_taken().ravel()
        as_tuples = {divmod(square, 9): color for square, color in board.items()}
        for square in board:
            assert may[square] == (not reference.splits(as_tuples, divmod(square, 9)))
        assert all(may[goes[square]] for square in yes)
        assert not any(may[goes[square]] for square in squares(no))
        empty = {SQUARE_NAMES[square] for square in range(81) if square not in board}
        taken = {SQUARE_NAMES[square] for square in board if may[square]}
        assert legal_squares(state) == empty | taken


@pytest.mark.parametrize(("text", "expected"), [("A8 A9 B1 B2", 2), ("A9 C1 C2 E5 I1 I8 I9", 5)])
def test_groups(text: str, expected: int) -> None:
    for board, _ in symmetric(dict.fromkeys(squares(text), 1)):
        assert setup(Options(num_players=2), board).groups().tolist() == [0, expected]


def image_of(tile: int, goes: list[int]) -> int:
    """The tile that matches the squares to which those of a tile go."""
    image = sorted(goes[square] for square in squares_of(tile))
    return next(other for other in range(28) if list(squares_of(other)) == image)


def test_no_move() -> None:
    for board, goes in symmetric(T9):
        rack = [TILE_NAMES[image_of(parse_tile(tile), goes)] for tile in ("A", "B", "C", "#0", "#1")]
        state = setup(Options(num_players=3), board, {0: rack})
        assert len(state.legal_actions()) == 0
        state = setup(Options(num_players=3), board, {0: [*rack[:4], "*"]})
        free = [goes[square] for square in range(81) if square not in T9] + [goes[s] for s in squares("D1 D2 D8 D9")]
        assert legal_squares(state) == {SQUARE_NAMES[square] for square in free}


def test_no_move_is_consumed_and_shown() -> None:
    """The player before plays so that the next one meets T9."""
    board = {square: color for square, color in T9.items() if square != 31}
    racks = {0: ["A", "B", "C", "#0", "#1"], 2: ["*", "1", "2", "3", "4"], 1: ["9", "8", "7", "6", "5"]}
    state = setup(Options(num_players=3), board, racks, player=2, turns=2)
    before = {color: (state.pile_count(color), state.rack_count(color)) for color in range(3)}
    left = state.tiles_left()
    state.push("*@I9")
    assert state.skipped == (0,)
    assert state.player == 1
    assert state.turns == 4 and state.ply == 1
    assert state.skips == (1, 0, 0)
    assert (state.pile_count(0), state.rack_count(0)) == before[0]
    assert state.rack(0) == [9, 10, 11, 18, 19]
    assert (state.tiles_left() - left).tolist() == [1, 0, 0]
    assert state.pop() >= 0
    assert state.player == 2 and state.skips == (0, 0, 0) and state.skipped == ()


def test_wild() -> None:
    """A wild tile captures like any other, and is captured as one tile of its color."""
    for board, goes in symmetric({**dict.fromkeys(squares("E4 E5 E6"), 1), 0: 0}):
        state = setup(Options(num_players=2, rack_size=1), board, {0: ["*"]})
        end, cut, own = (goes[parse_square(name)] for name in ("E4", "E5", "A1"))
        assert legal_squares(state) == set(SQUARE_NAMES) - {SQUARE_NAMES[cut], SQUARE_NAMES[own]}
        face = int(state.faces().flat[end])
        state.push(f"*@{SQUARE_NAMES[end]}")
        assert state.num_captured().tolist() == [[0, 1], [0, 0]]
        assert state.captured(0, 1) == [face]
    taken = setup(Options(num_players=2, rack_size=1), {40: 1}, {0: ["5"]})
    records = taken.records.copy()
    records["face"][0, POSITION[40]] = WILD
    taken._set(records)
    taken.push("5@E5")
    assert taken.captured(0, 1) == [WILD]
    assert taken.num_captured()[0, 1] == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_end(players: int) -> None:
    options = Options(num_players=players)
    state = random_state(options, 23 * players, seed=players)
    assert state.turns == 23 * players
    assert [state.pile_count(color) for color in range(players)] == [0] * players
    assert [state.rack_count(color) for color in range(players)] == [5] * players
    state.push(int(state.legal_actions()[0]))
    assert not state.is_over
    assert sorted(state.rack_count(color) for color in range(players)) == [4] + [5] * (players - 1)
    while not state.is_over:
        state.push(int(state.legal_actions()[0]))
    assert (state.turns, state.player) == (24 * players, GAME_OVER)
    assert len(state.legal_actions()) == 0


# groups, captures by color, points by the three scorings
SCORES = [
    (2, {1: 3, 2: 3}, (6, 5, 2)),
    (1, {}, (5, 1, 1)),
    (2, {1: 5, 2: 1}, (7, 7, 2)),
    (3, {1: 4}, (7, 7, 3)),
    (4, {}, (8, 4, 4)),
]


@pytest.mark.parametrize(("groups", "captures", "expected"), SCORES)
def test_scores(groups: int, captures: dict[int, int], expected: tuple[int, ...]) -> None:
    board = dict.fromkeys([0, 2, 4, 6][:groups], 0)
    captured = {(0, color): count for color, count in captures.items()}
    for scoring, points in zip(("sheet", "official", "uptown"), expected, strict=True):
        for over in (False, True):
            state = setup(Options(num_players=3, scoring=scoring), board, captured=captured)
            if over:
                records = state.records.copy()
                records["turn"], records["turns"], records["played"] = GAME_OVER, 72, (1 << 24) - 1
                state._set(records)
            assert state.points()[0] == points
            assert state.player_scores()[0] == -points


@pytest.mark.parametrize(
    ("scoring", "tie_break", "points", "places"),
    [
        ("sheet", "shared", 6, [0, 0, 2, 2]),
        ("sheet", "fewest_captures", 6, [1, 0, 2, 2]),
        ("official", "shared", 4, [0, 0, 2, 2]),
        ("official", "fewest_captures", 4, [1, 0, 2, 2]),
        ("uptown", "fewest_captures", 2, [1, 0, 2, 2]),
    ],
)
def test_ties(scoring: str, tie_break: str, points: int, places: list[int]) -> None:
    """P (0): 2 groups, two tiles of each other color; Q (1): 2 groups, two tiles of color 2."""
    board = {0: 0, 2: 0, 4: 1, 6: 1, **dict.fromkeys(range(18, 36, 2), 2), **dict.fromkeys(range(54, 72, 2), 3)}
    captured = {(0, 1): 2, (0, 2): 2, (0, 3): 2, (1, 2): 2}
    state = setup(Options(scoring=scoring, tie_break=tie_break), board, captured=captured)
    assert state.points()[:2].tolist() == [points, points]
    assert state.places().tolist() == places


TWO = Options(num_players=2, two_colors=True, rack_size=1)  # colors: 0 and 2 against 1 and 3


@pytest.mark.parametrize("own_other", [True, False])
def test_two_colors(own_other: bool) -> None:
    options = Options(num_players=2, two_colors=True, rack_size=1, capture_own_other_color=own_other)
    for board, goes in symmetric({39: 1, 40: 3, 41: 1, 57: 0, 59: 0, 60: 0, 61: 0}):
        state = setup(options, board, {0: ["*"], 2: ["*"]})
        first, second = legal_squares(state, 0), legal_squares(state, 2)

        def at(square: int, goes: list[int] = goes) -> str:
            return SQUARE_NAMES[goes[square]]

        assert at(40) in first and at(40) in second  # b2 between two b1: groups are per color
        assert not {at(square) for square in (57, 59, 60, 61)} & first  # a1 on a1 never
        assert (at(57) in second, at(59) in second, at(60) in second) == (own_other, own_other, False)
        action = next(a for a in state.legal_actions(0).tolist() if at(40) in state.text(a))
        state.push(action)
        assert state.num_captured().tolist() == [[0, 0, 0, 1], [0, 0, 0, 0]]


def test_own_tiles_are_no_captures() -> None:
    state = setup(TWO, {57: 0}, {0: ["*"], 2: ["*"]})
    state.push("red:*@G4")
    assert state.num_captured()[0].tolist() == [1, 0, 0, 0]
    assert state.points().tolist() == [1, 0]
    fewest = Options(num_players=2, two_colors=True, scoring="uptown", tie_break="fewest_captures")
    state = setup(fewest, {0: 0, 8: 1}, captured={(0, 2): 3, (1, 0): 1})
    assert state.places().tolist() == [0, 1]


def test_closed_racks() -> None:
    """A rack that cannot be refilled plays no more; its tiles are known to all."""
    options = Options(num_players=2, two_colors=True)
    for seed in range(20):
        state = random_state(options, 200, seed)
        closed = {color: None for color in range(4)}
        replay = State(options, seed=seed)
        for action in state.actions:
            color = replay.action_color(action)
            assert closed[color] is None
            replay.push(action)
            for other in range(4):
                if closed[other] is None and replay.is_closed(other):
                    closed[other] = replay.rack(other)
                    assert len(replay.rack(other)) == 4
                    assert replay.view(1 - other % 2).rack(other) == replay.rack(other)
        assert state.turns == 96
        assert all(state.rack(color) == closed[color] for color in range(4))
        assert state.tiles_left().tolist() == [4, 4]


def test_tiles_left_with_two_colors_is_the_larger_number() -> None:
    state = State(Options(num_players=2, two_colors=True))
    records = state.records.copy()
    records["turns"], records["turn"] = 96, GAME_OVER
    records["played"][0, :4] = [(1 << 24) - 1, (1 << 24) - 1, (1 << 22) - 1, (1 << 24) - 1]
    state._set(records)
    assert state.tiles_left().tolist() == [6, 4]
    assert np.array_equal(state.points(), [6, 4])
