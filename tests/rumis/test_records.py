"""Game files: what is written is what is read, illegal moves are found, malformed text says where."""

import json
from pathlib import Path

import pytest

from blokus_env.rumis.records import GameRecord, RecordError, format_games, parse_games, read_games, write_games
from blokus_env.rumis.variants import Options
from tests.rumis.positions import OPTIONS, REGISTERED, name_of, random_state


@pytest.mark.parametrize("options", [*OPTIONS, *REGISTERED], ids=name_of)
def test_what_is_written_is_what_is_read(options: Options, tmp_path: Path) -> None:
    state = random_state(options, 999, seed=1)
    record = GameRecord.from_state(state, players=["Anna", "Jürgen"])
    write_games(tmp_path / "games.jsonl", [record, record])
    games = read_games(tmp_path / "games.jsonl")
    assert games == [record, record] and games[1].where.endswith("games.jsonl, line 2")
    assert games[0].replay() == state and games[0].replay().actions == state.actions
    assert games[0].info == {
        "scores": state.scores().tolist(),
        "places": state.places().tolist(),
        "players": ["Anna", "Jürgen"],
    }
    assert [position.ply for position in games[0].states()] == list(range(state.ply + 1))


def line(**changes: object) -> str:
    content = {"game": "rumis", "version": 0, "options": {"num_players": 2}, "moves": [], "info": {}}
    return json.dumps({**content, **changes})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "games, line 1: no JSON"),
        ("[]", "expected an object with .game.: .rumis. and .version.: 0"),
        (line(version=1), "expected an object"),
        (json.dumps({"game": "rumis", "version": 0}), '"options" is missing'),
        (line(moves="a1,b1"), '"moves" must be a list of texts'),
        (line(moves=[3]), '"moves" must be a list of texts'),
        (line(info=[]), '"options" and "info" must be objects'),
        (line(options={"num_players": 9}), "num_players=9 is not possible"),
        (line(options={"players": 2}), "unknown option 'players'"),
        (line(options={"building": {"plan": 3}}), "missing"),
        ("\n" + line(options=[]), "games, line 2"),
    ],
)
def test_malformed_text_has_one_clear_error(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        parse_games(text, "games")


def test_replay_names_the_move_that_breaks_a_rule() -> None:
    for moves, message in (
        (["a1,b1", "e4,e3"], r"games, line 1, move 2 \(e4,e3\): .*must touch a stone on the table and the base \(R2\)"),
        (["a1,z1"], r"move 1 \(a1,z1\): .*off the ground plan"),
        (["what"], r"move 1 \(what\): .*is no cube"),
    ):
        (game,) = parse_games(line(moves=moves), "games")
        with pytest.raises(RecordError, match=message):
            game.replay()


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.jsonl"
    path.write_bytes("Jürgen".encode("latin-1"))
    with pytest.raises(RecordError, match="byte 1: not UTF-8"):
        read_games(path)


def test_one_line_a_game() -> None:
    record = GameRecord.from_state(random_state(Options(), 5, seed=1))
    assert format_games([record]).count("\n") == 1 and record.info == {}
    assert parse_games(format_games([record]) + "\n\n") == [record]
