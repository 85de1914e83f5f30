"""Observations say what the reference knows."""

import numpy as np
import pytest

from blokus_env.game import BlokusGame
from blokus_env.observation import board_plane_names, plane_names, vector_names
from blokus_env.variants import variant
from tests.playing import cells
from tests.reference.blokus import PIECES, Game, corner_neighbors, edge_neighbors


def expected_planes(game: Game, color: int) -> dict[str, set[tuple[int, int]]]:
    """Occupied, forbidden and attach cells of a color."""
    board = {(r, c) for r in range(game.size) for c in range(game.size)}
    own, occupied = game.own[color], set().union(*game.own)
    forbidden = occupied | (set().union(*map(edge_neighbors, own)) & board)
    corners = set().union(*map(corner_neighbors, own)) if own else game.start_cells(color)
    return {"occupied": own, "forbidden": forbidden, "attach": (corners & board) - forbidden}


def check(game: Game, observation: dict[str, np.ndarray], first: int, name: str) -> None:
    planes = dict(zip(board_plane_names(variant(name)), observation["board"], strict=True))
    vector = dict(zip(vector_names(variant(name)), observation["pieces"].tolist(), strict=True))
    for j in range(game.num_colors):
        color = (first + j) % game.num_colors
        for what, where in expected_planes(game, color).items():
            assert set(zip(*map(np.ndarray.tolist, np.nonzero(planes[f"{what}_{j}"])), strict=True)) == where
        for piece in PIECES:
            assert vector[f"left_{j}_{piece}"] == (piece not in game.played[color])
        finished = len(game.played[color]) == 21 and game.played[color][-1] == "1"
        assert vector[f"finished_single_{j}"] == finished
        assert vector[f"color_{j}"] == (j == first)
        if vector[f"blocked_{j}"] or game.color is None:
            assert vector[f"blocked_{j}"]
            assert not game.legal(color)


@pytest.mark.parametrize(("name", "start"), [("duo", "either"), ("duo", "fixed"), ("classic", "any_corner")])
def test_observations_are_the_reference(name: str, start: str) -> None:
    rng = np.random.default_rng(8)
    position, game = BlokusGame(name, start=start, observation="compact").new(0), Game(name, start)
    while True:
        if position.ply % 3 == 0 or position.is_over:
            for player in range(game.num_colors):  # one color each, so a player's next color is its own
                check(game, position.observe(player), player, name)
        if position.is_over:
            break
        action = int(rng.choice(position.legal_actions()))
        game.push(cells(position, action))
        position.push(action)


@pytest.mark.parametrize("name", ["duo", "classic"])
def test_planes_are_compact_spread_out(name: str) -> None:
    planes, compact = BlokusGame(name, observation="planes"), BlokusGame(name, observation="compact")
    one, other = planes.new(0), compact.new(0)
    rng = np.random.default_rng(2)
    for _ in range(10):
        action = int(rng.choice(one.legal_actions()))
        one.push(action)
        other.push(action)
    seen, parts = one.observe(one.player), other.observe(one.player)
    boards = len(board_plane_names(variant(name)))
    assert seen.shape[0] == len(plane_names(variant(name)))
    assert np.array_equal(seen[:boards], parts["board"])
    assert (seen[boards:] == parts["pieces"][:, None, None]).all()
    assert seen.dtype == np.uint8
    assert planes.state_space.contains(one.full_state())
    assert seen is not one.observe(one.player)


def test_full_state_tells_positions_apart() -> None:
    game = BlokusGame("duo", start="fixed")
    seen = set()
    for action in game.new(0).legal_actions():
        position = game.new(0)
        position.push(int(action))
        seen.add(position.full_state().tobytes())
    assert len(seen) == 414
