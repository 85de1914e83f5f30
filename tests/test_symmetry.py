"""Symmetries as maps of cells and of action ids."""

import numpy as np
import pytest

from blokus_env import State
from blokus_env.game import BlokusGame
from blokus_env.symmetry import action_permutation
from blokus_env.tables import tables
from blokus_env.variants import variant
from tests.playing import RULES, cells, random_state
from tests.reference.blokus import BOARDS, Cell, board, symmetries

NUMBER = {"duo": 8, "classic": 8, "trigon": 12, "trigon_3": 12}
FREE_STARTS = [rules for rules in RULES if rules[1] != "fixed" and rules[0] not in ("to_go", "trigon_2")]


@pytest.mark.parametrize("name", NUMBER)
def test_symmetries_of_boards_are_the_references(name: str) -> None:
    row = variant(name)
    left = row.board.first_column
    found = {
        frozenset(((r, c - left), (to_r, to_c - left)) for (r, c), (to_r, to_c) in image_of.items())
        for image_of in row.board.symmetries.values()
    }
    assert found == symmetries(board(BOARDS[name]))
    assert len(found) == len(row.board.symmetries) == NUMBER[name]
    assert all(cell == image for cell, image in row.board.symmetries[0].items())


@pytest.mark.parametrize("name", NUMBER)
def test_permutations_map_cells(name: str) -> None:
    table = tables(variant(name), None)
    rng = np.random.default_rng(0)
    images = set()
    for symmetry, image_of in table.variant.board.symmetries.items():
        image = action_permutation(table, symmetry)
        images.add(image.tobytes())
        assert np.array_equal(np.sort(image), np.arange(table.num_actions))
        for action in rng.integers(table.num_actions, size=200):
            moved = {image_of[cell] for cell in table.cells(action)}
            assert set(table.cells(image[action])) == moved
        assert np.array_equal(table.piece[image], table.piece)
    assert len(images) == NUMBER[name]


def keeps_starts(state: State, image_of: dict[Cell, Cell]) -> bool:
    """Whether a symmetry takes every color's start cells to its own start cells."""
    return all(
        {image_of[cell] for cell in state.start_cells(color)} == set(state.start_cells(color))
        for color in range(state.variant.num_colors)
    )


@pytest.mark.parametrize(("name", "start"), FREE_STARTS)
def test_legal_actions_of_the_image_are_images(name: str, start: str) -> None:
    """Where all colors may start alike, every symmetry that keeps the start cells takes a game to a game."""
    kept = 0
    for symmetry, image_of in variant(name).board.symmetries.items():
        state = random_state(name, start, 3 + 2 * symmetry, seed=symmetry)
        if not keeps_starts(state, image_of):
            continue
        kept += 1
        image = action_permutation(state.tables, symmetry)
        mapped = State(name, start)
        for action in state.actions:
            mapped.push(int(image[action]))
        for color in range(state.variant.num_colors):
            assert set(image[state.legal_actions(color)].tolist()) == set(mapped.legal_actions(color).tolist())
        assert state.scores().tolist() == mapped.scores().tolist()
    assert kept == {"duo": 4, "junior": 4}.get(name, len(variant(name).board.symmetries))


@pytest.mark.parametrize("swap", [False, True])
def test_fixed_starts_of_duo(swap: bool) -> None:
    """The identity and the main diagonal keep each start; the half turn and the other diagonal swap the colors."""
    maps = [lambda r, c: (13 - r, 13 - c), lambda r, c: (13 - c, 13 - r)] if swap else [lambda r, c: (c, r)]
    for plies in (2, 8, 14):
        state = random_state("duo", "fixed", plies, seed=plies)
        for to in maps:
            table = state.tables
            image = {
                a: table.action_by_cells[tuple(sorted(to(*cell) for cell in table.cells(a)))] for a in range(13_729)
            }
            mapped = State("duo", "fixed")
            for index in range(plies):
                mapped.push(image[state.actions[index ^ swap]])  # a swap of the colors swaps each pair of moves too
            for color in range(2):
                expected = {image[action] for action in state.legal_actions(color).tolist()}
                assert set(mapped.legal_actions(color ^ swap).tolist()) == expected


@pytest.mark.parametrize("name", ["duo", "junior", "classic"])
def test_rotations_bring_starts_together(name: str) -> None:
    game = BlokusGame(name, start="fixed")
    first = set(game.new(0).legal_actions().tolist())
    assert game.rotations(0) == 0
    for color in range(game.num_players):
        image = game.rotated_actions(game.rotations(color))
        assert {int(image[action]) for action in game.new(0).legal_actions(color)} == first


def test_without_own_starts_nothing_is_rotated() -> None:
    game = BlokusGame("trigon")
    assert [game.rotations(color) for color in range(4)] == [0, 0, 0, 0]
    action = int(game.new(0).legal_actions()[0])
    assert cells(game.new(0), int(game.rotated_actions(0)[action])) == cells(game.new(0), action)
