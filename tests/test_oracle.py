"""Every position and game of the oracle, replayed with the engine."""

from typing import Any

import pytest

from blokus_env import State
from tests import oracle
from tests.playing import legal_counts, legal_texts


def push_checked(state: State, color: str, move: str) -> None:
    assert state.color == oracle.COLORS[state.variant.name].index(color)
    state.push(move)


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_first_moves(variant: str) -> None:
    state = State(variant, start="fixed")
    for color, record in enumerate(oracle.records(variant, "first")):
        assert legal_texts(state, color) == set(record["moves"])


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_positions(variant: str) -> None:
    for record in oracle.records(variant, "pos"):
        state = State(variant, start="fixed")
        for color, move in record["moves"]:
            push_checked(state, color, move)
        assert legal_counts(state) == record["nlegal"]
        assert list(state.raw_points()) == record["points"]
        assert state.is_over == (record["next"] is None)
        if not state.is_over:
            assert state.color == oracle.COLORS[variant].index(record["next"])


def check_game(variant: str, record: dict[str, Any]) -> None:
    state = State(variant, start="fixed")
    lists = {at["ply"]: set(at["moves"]) for at in record["lists"]}
    for ply, (color, move) in enumerate(record["moves"]):
        assert state.ply == ply
        assert not state.is_over
        assert legal_counts(state) == record["nlegal"][ply]
        if ply in lists:
            assert legal_texts(state) == lists[ply]
        push_checked(state, color, move)
    assert state.is_over
    assert list(state.raw_points()) == record["points"]
    if variant == "duo":
        margin = int(state.scores()[0] - state.scores()[1])
        assert record["final_score"] == (f"B+{margin}" if margin > 0 else f"W+{-margin}" if margin < 0 else "0")
    else:
        assert list(map(int, record["final_score"].split())) == list(state.raw_points())


@pytest.mark.parametrize("kind", ["game", "engine_game"])
@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_games(variant: str, kind: str) -> None:
    for record in oracle.records(variant, kind):
        check_game(variant, record)


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_level5_games(variant: str) -> None:
    games = oracle.level5_games(variant)
    assert len(games) > 0
    for game in games:
        state = State(variant, start="fixed")
        for color, move in game:
            assert state.color == color
            state.push(move)
        assert state.is_over
