"""Kernel functions that no class wraps: drawing without a list, whole random games, random steps."""

import numpy as np
import pytest
from numpy.typing import NDArray

from blokus_env import State, kernels
from blokus_env.batch import random_word_state
from tests.playing import random_state
from tests.test_random_play import CHI_SQUARE_SIGMAS, chi_square_sigmas

POSITIONS = [(name, plies) for name in ("duo", "classic") for plies in (0, 1, 6, 15, 22, 26)] + [("classic", 50)]


@pytest.mark.parametrize(("name", "plies"), POSITIONS)
def test_sample_is_uniform(name: str, plies: int) -> None:
    state = random_state(name, "fixed", plies, seed=plies)
    for color in range(len(state.color_names)):
        legal = state.legal_actions(color)
        drawn = np.empty(100 * max(len(legal), 20), np.int32)
        record, scratch = state.tables.record, state.tables.new_scratch()
        kernels.sample_many(record, state.records, scratch, random_word_state(1), color, drawn)
        if len(legal) == 0:
            assert (drawn == kernels.NO_MOVE).all()
            continue
        assert np.isin(drawn, legal).all()
        counts = np.bincount(np.searchsorted(legal, drawn), minlength=len(legal))
        assert len(legal) == 1 or abs(chi_square_sigmas(counts)) < CHI_SQUARE_SIGMAS


@pytest.mark.parametrize(("name", "mean"), [("duo", 27.1), ("classic", 59.0)])
def test_random_games_have_the_known_length(name: str, mean: float) -> None:
    state, games = State(name, start="fixed"), 5000
    table, rng = state.tables, random_word_state(7)
    plies = kernels.random_games(table.record, state.records, table.new_scratch(), rng, games)
    assert plies / games == pytest.approx(mean, abs=0.2)


def no_rows(dtype: type, dimensions: int = 2) -> NDArray[np.generic]:
    return np.zeros((0,) * dimensions, dtype)


@pytest.mark.parametrize("name", ["duo", "classic"])
def test_random_steps_write_what_is_true(name: str) -> None:
    """After many steps with resets, lists and masks of every game are those of its position."""
    state, num_games = State(name), 30
    table = state.tables
    scratch, rng, states = table.new_scratch(), random_word_state(3), table.new_states(num_games)
    capacity = 1 + 2000
    ids, dense = np.zeros((num_games, capacity), np.int32), np.zeros((num_games, table.num_actions), np.uint8)
    packed = np.zeros((num_games, -(-table.num_actions // 8)), np.uint8)
    for g in range(num_games):
        kernels.reset_one(table.record, states[g : g + 1])
        ids[g, 0] = len(state.legal_actions())
        ids[g, 1 : 1 + ids[g, 0]] = state.legal_actions()
    no_board, no_vector = no_rows(np.uint8, 3), no_rows(np.uint8)
    ended = kernels.random_steps(table.record, states, scratch, rng, 77, ids, dense, packed, no_board, no_vector)
    assert ended > num_games / 2
    out = np.empty(table.num_actions, np.int32)
    for g in range(num_games):
        one = states[g : g + 1].copy()
        count = kernels.legal_one(table.record, one, scratch, int(one["turn"][0]), out)
        legal = set(out[:count].tolist())
        assert set(ids[g, 1 : 1 + ids[g, 0]].tolist()) == legal
        assert set(np.flatnonzero(dense[g]).tolist()) == legal
        assert np.array_equal(np.packbits(dense[g], bitorder="little"), packed[g])


def test_random_steps_leave_out_what_has_no_room() -> None:
    """With more legal actions than a row holds, nothing beyond the row is read or written."""
    state, num_games, room = State("duo"), 8, 5
    table, rng = state.tables, random_word_state(3)
    states = np.repeat(state.records, num_games)
    ids = np.full((2 * num_games, 1 + room), 10**6, np.int32)  # the lower half is not the kernel's
    rows = ids[:num_games]
    rows[:] = [room, *state.legal_actions()[:room]]
    dense = np.zeros((num_games, table.num_actions), np.uint8)
    arguments = (rows, dense, no_rows(np.uint8), no_rows(np.uint8, 3), no_rows(np.uint8))
    kernels.random_steps(table.record, states, table.new_scratch(), rng, 200, *arguments)
    assert (ids[num_games:] == 10**6).all()
    assert (rows[:, 0] <= room).all() and (rows[:, 1:] < table.num_actions).all()
    assert np.array_equal(dense.sum(1), rows[:, 0])
