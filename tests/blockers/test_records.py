"""Game files: what is read is what is written, illegal moves are found, malformed lines say where."""

import json
from pathlib import Path

import numpy as np
import pytest

from blockers_env import GameRecord, State
from blockers_env.records import RecordError, format_games, parse_games, read_games, write_games
from blockers_env.variants import Options
from tests.blockers.positions import IDS, OPTIONS, random_state


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_what_is_written_is_what_is_read(options: Options, tmp_path: Path) -> None:
    states = [random_state(options, plies, seed) for seed, plies in enumerate((0, 20, 999))]
    records = [GameRecord.from_state(state, players=["Anna", "Ben"]) for state in states]
    write_games(tmp_path / "games.jsonl", records)
    games = read_games(tmp_path / "games.jsonl")
    assert games == records
    for state, game in zip(states, games, strict=True):
        replayed = game.replay()
        assert replayed == state and replayed.actions == state.actions and replayed.seed == state.seed
        assert np.array_equal(replayed.deal(), state.deal())
        assert [position.ply for position in game.states()] == list(range(state.ply + 1))
        assert game.info["players"] == ["Anna", "Ben"]
    assert games[2].info["points"] == list(states[2].points()) and "points" not in games[1].info


def test_a_line_has_options_seed_piles_and_moves() -> None:
    state = State(num_players=2, scoring="official", seed=9)
    state.push(int(state.legal_actions()[0]))
    line = json.loads(format_games([GameRecord.from_state(state)]))
    assert (line["game"], line["version"], line["seed"]) == ("blockers", 0, 9)
    assert line["options"]["scoring"] == "official" and line["options"]["num_players"] == 2
    assert [len(pile.split()) for pile in line["deal"]] == [28, 28]
    assert line["moves"] == [State(num_players=2, seed=9).text(state.actions[0])]
    assert np.array_equal(State(num_players=2, seed=line["seed"]).deal(), state.deal())


def changed(**changes: object) -> str:
    """The line of a short game with some values changed."""
    line = json.loads(format_games([GameRecord.from_state(random_state(Options(num_players=2), 3, seed=1))]))
    return json.dumps({**line, **changes})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "no JSON"),
        ("[1]", "expected an object"),
        ('{"game": "chess"}', '"game": "blockers"'),
        ('{"game": "blockers", "version": 0}', '"options" is missing'),
        (changed(version=1), '"version": 0'),
        (changed(options={"num_players": 6}), "num_players=6 is not possible"),
        (changed(options={"size": 6}), "unknown option 'size'"),
        (changed(options=5), "games.jsonl, line 2"),
        (changed(deal=["1 2 X"]), "'X' is no tile"),
        (changed(deal=5), "games.jsonl, line 2"),
        (changed(moves=None), "games.jsonl, line 2"),
        (changed(seed="often"), "seed"),
    ],
)
def test_malformed_lines_say_where(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        parse_games(f"\n{text}\n", "games.jsonl")
    assert str(caught.value).startswith("games.jsonl, line 2")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": ["1@I1", "1@A2"]}, r"move (1|2) "),
        ({"moves": ["1@"]}, r"move 1 \(1@\).*is no action"),
        ({"moves": ["1@A2"]}, r"move 1 \(1@A2\).*does not match A2 \(T2\)"),
        ({"deal": ["1 2 3", "1 2 3"]}, "deal is no order of all tiles"),
    ],
)
def test_replay_names_what_breaks_a_rule(changes: dict[str, object], message: str) -> None:
    (game,) = parse_games(changed(**changes), "games.jsonl")
    with pytest.raises(RecordError, match=message) as caught:
        game.replay()
    assert str(caught.value).startswith("games.jsonl, line 1")


def test_files_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match="byte 0: not UTF-8"):
        read_games(tmp_path / "games.jsonl")
