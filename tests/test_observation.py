"""Observations say what the reference knows."""

import numpy as np
import pytest
from numpy.typing import NDArray

from blokus_env.game import BlokusGame
from blokus_env.observation import board_plane_names, plane_names, seat_vector_names, vector_names
from blokus_env.variants import VARIANTS, Variant, variant
from tests.playing import cells, random_state
from tests.reference.blokus import Cell, Game

RULES = [
    ("duo", "either", {}),
    ("duo", "fixed", {}),
    ("junior", "either", {}),
    ("classic", "any_corner", {}),
    ("classic_2", "any_corner", {}),
    ("classic_3", "fixed", {}),
    ("classic_3", "any_corner", {"shared_color": "yellow"}),
    ("classic_teams", "fixed", {}),
    ("trigon", "any_start", {}),
    ("trigon_2", "any_start", {}),
    ("trigon_3", "any_start", {}),
]
KINDS = {"duo": 1, "classic": 1, "trigon": 2, "trigon_3": 2}


def pixels(game: Game, where: set[Cell]) -> set[tuple[str, int, int]]:
    """Suffix of the plane, row and column of each cell, as documented: squares lie as they are. Triangles that point up
    have a plane, those that point down another; a triangle in column c of row r stands in the half of c minus r (the
    first row begins with one that points up), so far to the right that the leftmost of both planes is in column 0.
    """
    if len(next(iter(game.board.cells.values()))) == 4:
        return {("", row, column) for row, column in where}
    edge = game.board.height // 2
    found = set()
    for row, column in where:
        from_corner = column - (edge - 1) - row  # the top row begins in column edge − 1; a row is a half step
        half, points_down = divmod(from_corner, 2)
        found.add((("_up", "_down")[points_down], row, half + edge))
    return found


def expected_planes(game: Game, color: int) -> dict[str, set[Cell]]:
    """Occupied, forbidden and attach cells of a color."""
    own, occupied = game.own[color], set().union(*game.own)
    forbidden = occupied.union(*(game.board.edge[cell] for cell in own))
    corners = set().union(*(game.board.corner[cell] for cell in own)) if own else game.start_cells(color)
    return {"occupied": own, "forbidden": forbidden, "attach": corners - forbidden}


def shown(planes: dict[str, NDArray[np.uint8]], name: str) -> set[tuple[str, int, int]]:
    """Where a channel is 1: the suffix of the plane, row, column."""
    found = set()
    for suffix in ("", "_up", "_down"):
        if name + suffix in planes:
            found |= {(suffix, int(row), int(column)) for row, column in np.argwhere(planes[name + suffix])}
    return found


def check(game: Game, observation: dict[str, NDArray[np.uint8]], player: int, first: int, row: Variant) -> None:
    planes = dict(zip(board_plane_names(row), observation["board"], strict=True))
    vector = dict(zip(vector_names(row), observation["pieces"].tolist(), strict=True))
    for j in range(game.num_colors):
        color = (first + j) % game.num_colors
        for what, where in expected_planes(game, color).items():
            assert shown(planes, f"{what}_{j}") == pixels(game, where)
        hand = game.left(color)
        for piece in game.board.pieces:
            assert vector[f"left_{j}_{piece}"] == hand[piece]
        assert vector[f"finished_single_{j}"] == (not hand.total() and game.played[color][-1] == "1")
        assert vector[f"color_{j}"] == (j == first)
        if vector[f"blocked_{j}"] or game.color is None:
            assert vector[f"blocked_{j}"]
            assert not game.legal(color)
        for p in range(game.num_players if seat_vector_names(row) else 0):
            seat = (player + p) % game.num_players
            assert vector[f"plays_{j}_{p}"] == (game.owner(color) == seat)
            assert vector[f"counts_{j}_{p}"] == (color in game.counting(seat))
    if any(name.startswith("on_board") for name in planes):
        assert shown(planes, "on_board") == pixels(game, set(game.board.cells))


def next_color(game: Game, player: int) -> int:
    """The color that a player plays next: the first one, from the color to move on, whose next piece is theirs."""
    order = [((game.color or 0) + k) % game.num_colors for k in range(game.num_colors)]
    return next(color for color in order if game.owner(color) == player)


@pytest.mark.parametrize(("name", "start", "options"), RULES)
def test_observations_are_the_reference(name: str, start: str, options: dict[str, str]) -> None:
    rng = np.random.default_rng(8)
    position = BlokusGame(name, start=start, observation="compact", **options).new(0)
    shared = position.color_names.index(options["shared_color"]) if options else 3
    game = Game(name, start, shared=shared)
    while True:
        if position.ply % 6 == 0 or position.is_over:
            for player in range(game.num_players):
                first = next_color(game, player)
                check(game, position.observe(player), player, first, position.variant)
            if not position.is_over:
                assert next_color(game, position.player) == position.color
        if position.is_over:
            break
        action = int(rng.choice(position.legal_actions()))
        game.push(cells(position, action))
        position.push(action)


@pytest.mark.parametrize("name", VARIANTS)
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


@pytest.mark.parametrize("name", KINDS)
def test_actions_are_translations_in_the_image(name: str) -> None:
    """Each action has its own place; those of one orientation lie on the board's planes as one shape, moved about."""
    game = BlokusGame(name)
    places, board = game.action_image, game.variant.board.image
    assert places.shape == (game.num_actions, 3)
    assert len(set(map(tuple, places.tolist()))) == game.num_actions
    assert (places >= 0).all()
    assert places[:, 1].max() < board.height and places[:, 2].max() < board.width
    assert np.array_equal(places[:, 0], game.tables.orientation)
    shapes: dict[int, set[tuple[tuple[int, int, int], ...]]] = {}
    for action, (orientation, row, column) in enumerate(places.tolist()):
        covered = [board.places[cell] for cell in game.tables.cells(action)]
        shape = tuple(sorted((plane, r - row, c - column) for plane, r, c in covered))
        shapes.setdefault(orientation, set()).add(shape)
    assert all(len(found) == 1 for found in shapes.values())
    assert len(set().union(*shapes.values())) == len(shapes)  # no two orientations look alike
    assert board.planes == KINDS[name] and len(set(board.places.values())) == len(game.variant.board.cell_set)


@pytest.mark.parametrize("name", ["duo", "trigon"])
def test_full_state_tells_positions_apart(name: str) -> None:
    game = BlokusGame(name)
    actions = game.new(0).legal_actions()[::7]
    seen = set()
    for action in actions:
        position = game.new(0)
        position.push(int(action))
        seen.add(position.full_state().tobytes())
    assert len(seen) == len(actions)


def test_partner_and_opponents_are_told_relative_to_who_looks() -> None:
    """In teams the partner is player 2 from everybody's seat, with the colors 0 and 2 from the color to move."""
    for ply in range(4):
        position = BlokusGame("classic_teams", observation="compact").new(0)
        for action in random_state("classic_teams", "any_corner", ply, seed=5).actions:
            position.push(action)
        seen = dict(zip(vector_names(position.variant), position.observe(ply)["pieces"].tolist(), strict=True))
        assert [seen[f"counts_{j}_0"] for j in range(4)] == [seen[f"counts_{j}_2"] for j in range(4)] == [1, 0, 1, 0]
        assert [seen[f"counts_{j}_1"] for j in range(4)] == [seen[f"counts_{j}_3"] for j in range(4)] == [0, 1, 0, 1]
        assert [[seen[f"plays_{j}_{p}"] for p in range(4)] for j in range(4)] == np.eye(4, dtype=int).tolist()
        assert seen[f"color_{ply}"] == 1
