"""Turning or reflecting a building changes nothing but names."""

import numpy as np
import pytest

from blokus_env.rumis.buildings import BUILDINGS
from blokus_env.rumis.game import RumisGame
from blokus_env.rumis.state import State
from blokus_env.rumis.symmetry import action_permutation, piece_permutation
from blokus_env.rumis.tables import tables
from blokus_env.rumis.variants import Options

EXPECTED = {"tower": [0, 2, 5, 7], "corner": [0, 4], "steps": [0, 7], "pyramid": list(range(8))}
CASES = [(name, symmetry) for name, symmetries in EXPECTED.items() for symmetry in symmetries]


@pytest.mark.parametrize("name", BUILDINGS)
def test_symmetries_of_buildings(name: str) -> None:
    assert sorted(BUILDINGS[name].symmetries) == EXPECTED[name]


@pytest.mark.parametrize(("name", "symmetry"), CASES)
def test_the_image_of_a_game_is_a_game(name: str, symmetry: int) -> None:
    options = Options(num_players=3, building=name)
    images, pieces = action_permutation(tables(options), symmetry), piece_permutation(symmetry)
    assert sorted(images) == list(range(len(images)))
    assert np.array_equal(tables(options).piece[images], pieces[tables(options).piece])
    state, image, rng = State(options), State(options), np.random.default_rng(symmetry)
    where = BUILDINGS[name].symmetries[symmetry]
    while not state.is_over:
        assert np.array_equal(np.sort(images[state.legal_actions()]), image.legal_actions())
        action = int(rng.choice(state.legal_actions()))
        state.push(action)
        image.push(int(images[action]))
        assert (state.color, state.skipped, state.scores().tolist()) == (
            image.color,
            image.skipped,
            image.scores().tolist(),
        )
    board, mirrored = state.board(), image.board()
    assert all(np.array_equal(board[:, r, c], mirrored[:, where[r, c][0], where[r, c][1]]) for r, c in where)


def test_reflections_exchange_the_screws() -> None:
    names = State().piece_names
    a, b = names.index("A"), names.index("B")
    for symmetry in range(8):
        pieces = piece_permutation(symmetry)
        assert (pieces[a], pieces[b]) == ((b, a) if symmetry >= 4 else (a, b))
        assert [pieces[k] for k in range(len(names)) if k not in (a, b)] == [
            k for k in range(len(names)) if k not in (a, b)
        ]


def test_maps_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match=r"1 is no symmetry of 'tower': choose one of \[0, 2, 5, 7\]"):
        action_permutation(tables(Options()), 1)
    game = RumisGame(building="pyramid")
    assert game.rotations(2) == 0
    turned = game.rotated_actions(1)
    assert np.array_equal(turned[turned][turned][turned], np.arange(game.num_actions))
    assert np.array_equal(game.rotated_actions(4), np.arange(game.num_actions))
