"""Symmetries as maps of action ids."""

import numpy as np
import pytest

from blokus_env.game import BlokusGame
from blokus_env.symmetry import action_permutation
from blokus_env.tables import tables
from blokus_env.variants import variant


@pytest.mark.parametrize("name", ["duo", "classic"])
def test_permutations_map_cells(name: str) -> None:
    table = tables(variant(name), None)
    board = table.variant.board
    rng = np.random.default_rng(0)
    for symmetry, image_of in board.symmetries.items():
        image = action_permutation(table, symmetry)
        assert np.array_equal(np.sort(image), np.arange(table.num_actions))
        for action in rng.integers(table.num_actions, size=200):
            moved = {image_of[cell] for cell in table.cells(action)}
            assert set(table.cells(image[action])) == moved
        assert np.array_equal(table.piece[image], table.piece)
    assert len({tuple(action_permutation(table, symmetry)[:50]) for symmetry in board.symmetries}) == 8


@pytest.mark.parametrize("name", ["duo", "classic"])
def test_rotations_bring_starts_together(name: str) -> None:
    game = BlokusGame(name, start="fixed")
    first = set(game.new(0).legal_actions().tolist())
    assert game.rotations(0) == 0
    for color in range(game.num_players):
        image = game.rotated_actions(game.rotations(color))
        assert {int(image[action]) for action in game.new(0).legal_actions(color)} == first
