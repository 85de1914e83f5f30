"""The command line: options, games, files, scores, and errors that say what exists."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from blockers_env.cli import app
from blockers_env.records import read_games
from blockers_env.variants import Options

runner = CliRunner()


def output(*arguments: str) -> list[str]:
    result = runner.invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_options_are_listed_with_their_defaults_first() -> None:
    header, *rows = output("options")
    assert header.split() == ["name", "values", "meaning"]
    found = {name: values.split("|")[0] for name, values, *_ in map(str.split, rows)}
    assert found == {name: str(value) for name, value in Options().as_dict().items()}


def test_games_are_played_written_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    rules = ["-o", "num_players=2", "-o", "two_colors=true", "-o", "scoring=official"]
    lines = output("play", "greedy", "random", *rules, "--games", "2", "--seed", "5", "--out", str(path))
    assert len(lines) == 2 and all("points" in line and "two_colors=True" in line for line in lines)
    games = read_games(path)
    assert [game.seed for game in games] == [5, 6] and games[0].info["players"] == ["greedy", "random"]
    assert output("replay", str(path)) == [f"game {number}: {line}" for number, line in enumerate(lines, 1)]
    assert output("replay", str(path), "--game", "2") == str(games[1].replay()).splitlines()


def test_positions_are_shown_as_a_player_sees_them(tmp_path: Path) -> None:
    path, picture = tmp_path / "games.jsonl", tmp_path / "picture.svg"
    output("play", "--out", str(path))
    lines = output("replay", str(path), "--game", "1", "--ply", "7", "--player", "2", "--svg", str(picture))
    state = list(read_games(path)[0].states())[7]
    assert lines == str(state.view(2)).splitlines() and sum("? ? ? ? ?" in line for line in lines) == 3
    assert picture.read_text() == state.view(2)._repr_svg_()


@pytest.mark.parametrize(
    ("arguments", "points"),
    [(["2", "3", "3"], [6, 5, 2]), (["1"], [5, 1, 1]), (["2", "5", "1"], [7, 7, 2]), (["1", "--left", "0"], [1, 1, 1])],
)
def test_scores(arguments: list[str], points: list[int]) -> None:
    names = ("sheet", "official", "uptown")
    assert output("score", *arguments) == [f"{name} {number}" for name, number in zip(names, points, strict=True)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "wise"], "unknown policy 'wise': choose one of 'random', 'greedy'"),
        (["play", "greedy", "random", "greedy"], "3 agents for 4 players: give 1, or 4"),
        (["play", "-o", "rack_size=9"], "rack_size=9 is not possible: choose one of 5, 1"),
        (["play", "-o", "size=9"], "'size=9' is no option: expected NAME=VALUE with one of num_players"),
        (["play", "-o", "two_colors=true"], "a game of two: got num_players=4, expected 2"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl"),
        (["replay", "nowhere.jsonl", "--ply", "3"], "add --game NUMBER"),
        (["score", "-1"], "-1"),
    ],
)
def test_wrong_arguments_end_with_one_message_and_code_2(arguments: list[str], message: str) -> None:
    result = runner.invoke(app, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_games_and_plies_that_do_not_exist(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    output("play", "-o", "num_players=2", "--out", str(path))
    for arguments, message in [
        (["--game", "2"], "there is no game 2: the file has 1"),
        (["--game", "1", "--ply", "49"], "there is no ply 49: game 1 has 48"),
        (["--game", "1", "--player", "2"], "player 2 does not exist"),
    ]:
        result = runner.invoke(app, ["replay", str(path), *arguments])
        assert result.exit_code == 2 and message in result.stderr


def test_module_and_version() -> None:
    command = [sys.executable, "-m", "blockers_env", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.startswith("blockers-env ")
