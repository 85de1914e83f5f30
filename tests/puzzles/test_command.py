"""`blokus-env puzzle`, and pictures of puzzles."""

import xml.etree.ElementTree as ET

import gymnasium
import numpy as np
import pytest
from typer.testing import CliRunner

import blokus_env  # noqa: F401  # registers
from blokus_env.cli import app
from blokus_env.puzzles import PackingState, SoloState
from tests.puzzles.reference import pentomino_solution


def run(*arguments):
    return CliRunner().invoke(app, ["puzzle", *arguments])


@pytest.mark.parametrize("name", ["solo", "tetromino", "pentomino"])
def test_a_puzzle_is_described(name, tmp_path):
    result = run(name, "--svg", str(tmp_path / "board.svg"))
    assert result.exit_code == 0 and f"blokus_env/Puzzle{name.capitalize()}-v0" in result.output
    ET.parse(tmp_path / "board.svg")


def test_a_puzzle_is_solved_and_drawn(tmp_path):
    result = run("tetromino", "--no-edge-contact", "--solve", "--time-limit", "60", "--svg", str(tmp_path / "out.svg"))
    assert result.exit_code == 0 and "solved" in result.output
    assert "." not in "".join(line for line in result.stdout.splitlines() if line.lstrip()[:1].isdigit())  # no hole
    ET.parse(tmp_path / "out.svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sudoku"], "'solo', 'tetromino', 'pentomino'"),
        (["solo", "--no-edge-contact"], "no_edge_contact does not apply"),
        (["tetromino", "--solve", "--time-limit", "-1"], "time_limit=-1"),
    ],
)
def test_wrong_arguments_get_one_clear_error(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2 and message in result.output and "Traceback" not in result.output


def test_pictures_show_what_is_placed():
    state = PackingState("pentomino", True)
    empty = state.render("rgb_array")
    assert empty.dtype == np.uint8 and empty.ndim == 3 and empty.shape[2] == 3
    solved = pentomino_solution().to_state()
    picture = solved.render("rgb_array")
    assert picture.shape == empty.shape and (picture != empty).any()
    assert "solved, 48 pieces" in solved.render("ansi") and "0 of 48 pieces" in state.render("ansi")
    ET.fromstring(solved.render("svg"))
    assert "blue to move" in SoloState().render("ansi")
    with pytest.raises(ValueError, match="'ansi', 'rgb_array', 'svg'"):
        state.render("png")


def test_the_environment_draws():
    env = gymnasium.make("blokus_env/PuzzleTetromino-v0", render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render().ndim == 3
    env.close()
