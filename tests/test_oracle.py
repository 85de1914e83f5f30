"""Every position and game of the oracle, replayed with the engine."""

from typing import Any

import pytest

from blokus_env import State
from tests import oracle
from tests.playing import legal_counts, legal_texts


def new(variant: str) -> State:
    return State(variant, start=oracle.START[variant])


def push_checked(state: State, color: str, move: str) -> None:
    assert state.color == oracle.COLORS[state.variant.name].index(color)
    state.push(move)


@pytest.mark.parametrize("variant", oracle.VARIANTS + oracle.SISTERS)
def test_seats(variant: str) -> None:
    (meta,) = oracle.records(variant, "meta")
    state = new(variant)
    assert (state.variant.num_players, len(state.color_names)) == (meta["players"], len(meta["colors"]))


@pytest.mark.parametrize("variant", oracle.VARIANTS + oracle.SISTERS)
def test_first_moves(variant: str) -> None:
    state = new(variant)
    for color, record in enumerate(oracle.records(variant, "first")):
        assert legal_texts(state, color) == set(record["moves"])


@pytest.mark.parametrize("variant", oracle.VARIANTS + oracle.SISTERS)
def test_positions(variant: str) -> None:
    for record in oracle.records(variant, "pos"):
        state = new(variant)
        for color, move in record["moves"]:
            push_checked(state, color, move)
        assert legal_counts(state) == record["nlegal"]
        assert list(state.raw_points()) == record["points"]
        assert state.is_over == (record["next"] is None)
        if not state.is_over:
            assert state.color == oracle.COLORS[variant].index(record["next"])


def check_game(variant: str, record: dict[str, Any]) -> None:
    state = new(variant)
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
    if state.variant.num_players == 2:
        margin = state.player_scores()[0] - state.player_scores()[1]
        assert record["final_score"] == (f"B+{margin:g}" if margin > 0 else f"W+{-margin:g}" if margin < 0 else "0")
    else:
        assert list(map(float, record["final_score"].split())) == list(state.raw_points())


@pytest.mark.parametrize("kind", ["game", "engine_game"])
@pytest.mark.parametrize("variant", oracle.VARIANTS + oracle.SISTERS)
def test_games(variant: str, kind: str) -> None:
    assert oracle.records(variant, kind)
    for record in oracle.records(variant, kind):
        check_game(variant, record)


@pytest.mark.parametrize("variant", oracle.VARIANTS + oracle.SISTERS)
def test_a_color_alone(variant: str) -> None:
    """Points after each piece, and the bonus at last. Others play too, so a color is checked by the board."""
    for record in oracle.records(variant, "solo"):
        color, state = oracle.COLORS[variant].index(record["color"]), alone(variant)
        for move, points in zip(record["moves"], record["points"], strict=True):
            assert state.parse(move) in state.legal_actions(color)
            put(state, color, move)
            assert state.raw_points()[color] == points
        assert record["all_placed"] and not state.left(color)
        if variant in oracle.VARIANTS:
            assert state.scores()[color] == (0 if variant == "junior" else 20 if record["last_piece"] == "1" else 15)
        else:
            assert state.scores()[color] == record["points"][-1]


def alone(variant: str) -> State:
    """A state whose record `put` changes."""
    state = new(variant)
    state._records = state.records.copy()
    return state


def put(state: State, color: int, move: str) -> None:
    """Place a piece of a color as if the others passed."""
    state._records["turn"], state.color, state._legal = color, color, None
    state.push(move)


@pytest.mark.parametrize("variant", oracle.LEVEL_GAMES)
def test_games_of_higher_levels(variant: str) -> None:
    games = oracle.level_games(variant)
    assert len(games) == oracle.LEVEL_GAMES[variant]
    for game in games:
        state = new(variant)
        for color, move in game:
            assert state.color == color
            state.push(move)
        assert state.is_over
