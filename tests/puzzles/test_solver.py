"""The solver, and the judge of its solutions."""

import re
import sys

import pytest

from blokus_env.geometry import Board
from blokus_env.pieces import POLYOMINO_PIECES, pieces_named
from blokus_env.puzzles import PackingState, Solution, check_solution, packing, solve
from tests.puzzles.reference import MIXED, SMALL, SMALL_IDS, can_be_completed, pentomino_solution, solo_solution

IMPOSSIBLE = packing("impossible", Board(2, 4), pieces_named(POLYOMINO_PIECES, "T4"), (2,), color_names=("blue",))


@pytest.mark.parametrize("row", SMALL, ids=SMALL_IDS)
def test_small_boards_are_solved_exactly_if_they_can_be(row):
    result = solve(row, time_limit=20, workers=1)
    assert result.status == ("solved" if can_be_completed(PackingState(row)) else "impossible")
    if result.status == "solved":
        assert result.solution.is_complete and result.share == 1.0
        check_solution(result.solution)


def test_impossible_is_told():
    result = solve(IMPOSSIBLE, time_limit=20, workers=1)
    assert (result.status, result.solution, result.share) == ("impossible", None, 0.0)


@pytest.mark.parametrize("no_edge_contact", [False, True])
def test_the_tetromino_puzzle_is_solved(no_edge_contact):
    said = []
    result = solve("tetromino", no_edge_contact, time_limit=60, seed=1, workers=2, progress=said.append)
    assert result.status == "solved" and len(result.solution.moves) == 20 and said
    check_solution(result.solution)
    assert result.solution.puzzle.no_edge_contact == no_edge_contact
    assert result.solution.to_state().is_solved


@pytest.mark.slow
def test_the_pentomino_puzzle_is_solved():
    result = solve("pentomino", time_limit=120, seed=1, workers=2)
    assert result.status == "solved" and len(result.solution.moves) == 48
    check_solution(result.solution)


def test_a_position_is_gone_on_from():
    state = PackingState(MIXED)
    reply = solve(MIXED, time_limit=20, workers=1).solution.to_state()
    state.push(reply.actions[0])
    result = solve(state, time_limit=20, workers=1)
    assert result.status == "solved" and result.solution.moves[0] == reply_move(reply)
    assert state.ply == 1  # the caller's own position stays as it was


def reply_move(state):
    return Solution.from_state(state).moves[0]


def test_when_time_is_over_the_best_game_is_given():
    result = solve("solo", time_limit=0.5, workers=1)
    assert result.status == "time limit" and not result.solution.is_complete
    assert 0.5 < result.share < 1.0
    check_solution(result.solution, complete=False)
    with pytest.raises(ValueError, match="not placed"):
        check_solution(result.solution)


@pytest.mark.parametrize("options", [{"time_limit": 0}, {"time_limit": float("nan")}, {"workers": 0}])
def test_wrong_options_are_named(options):
    with pytest.raises(ValueError, match=re.escape(next(iter(options)))):
        solve("tetromino", **options)


def test_without_or_tools_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)  # as if it were not installed
    with pytest.raises(ImportError, match=r"blokus-env\[puzzles\]"):
        solve("tetromino")


@pytest.mark.parametrize("solution", [solo_solution(), pentomino_solution()], ids=["solo", "pentomino"])
def test_stored_solutions_are_right_and_survive_text(solution):
    check_solution(solution)
    assert solution.is_complete and solution.share == 1.0
    row = solution.puzzle
    again = Solution.parse(row.name, solution.lines(), row.no_edge_contact or None)
    assert [(color, set(cells)) for color, cells in again.moves] == [
        (color, set(cells)) for color, cells in solution.moves
    ]


def broken(change):
    """The lines of the stored solution of the solo game, after some change."""
    lines = solo_solution().lines()
    change(lines)
    return Solution.parse("solo", lines)


def swap(lines):
    lines[0], lines[1] = lines[1], lines[0]


def drop_last(lines):
    del lines[-1]


def repeat(lines):
    lines.append(lines[0])


def elsewhere(lines):
    lines[0] = "blue j10,j11,j12,j13,j14"


def off_the_board(lines):
    lines[0] = "blue a20,a21,a22,a23,a24"


def no_piece(lines):
    lines[0] = "blue a20,a18"


def touching(lines):
    lines[4] = "blue f20,g20"


def far_away(lines):
    lines[4] = "blue j10,j11"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (swap, "B1, B8"),
        (drop_last, "not placed"),
        (repeat, "left"),
        (elsewhere, "B4"),
        (off_the_board, "B3"),
        (no_piece, "B2"),
        (touching, "edge contact"),
        (far_away, "no corner contact"),
    ],
)
def test_each_breach_is_found(change, message):
    with pytest.raises(ValueError, match=message):
        check_solution(broken(change))


def test_overlap_is_found():
    solution = solve("tetromino", time_limit=60, seed=1, workers=1).solution
    (color, cells), *rest = solution.moves
    moved = tuple((row, column + 1) if max(c for _, c in cells) < 9 else (row, column - 1) for row, column in cells)
    with pytest.raises(ValueError, match="overlap"):
        check_solution(Solution(solution.puzzle, (*rest, (color, moved))))


def test_edge_contact_is_found_where_it_matters():
    row = MIXED.with_no_edge_contact(True)
    side_by_side = ((0, ((0, 0), (0, 1))), (0, ((1, 0), (2, 0), (2, 1))))
    check_solution(Solution(MIXED, side_by_side), complete=False)
    with pytest.raises(ValueError, match="edge contact"):
        check_solution(Solution(row, side_by_side), complete=False)
