"""Many games are the same as one; ids, dense and packed masks say the same; kernels that step many at random."""

import numpy as np
import pytest

from blokus_env.rumis import kernels
from blokus_env.rumis.batch import Batch, random_word_state
from blokus_env.rumis.game import RumisGame
from blokus_env.rumis.state import State
from blokus_env.rumis.tables import NUM_ORIENTATIONS
from blokus_env.rumis.variants import Options
from tests.rumis.positions import OPTIONS, REGISTERED, name_of


@pytest.mark.parametrize("options", [*OPTIONS, *REGISTERED], ids=name_of)
def test_batch_is_the_same_as_single_games(options: Options) -> None:
    number, rng = 5, np.random.default_rng(1)
    batch, states = Batch(options, number), [State(options) for _ in range(number)]
    while (batch.player >= 0).any():
        games = np.flatnonzero(batch.player >= 0)
        ids, dense, packed = batch.legal_ids(games), batch.dense_masks(games), batch.packed_masks(games)
        assert np.array_equal(np.packbits(dense, axis=1, bitorder="little"), packed)
        for row, game in enumerate(games):
            legal = states[game].legal_actions()
            assert np.array_equal(ids[row, : len(legal)], legal) and (ids[row, len(legal) :] == -1).all()
            assert np.array_equal(np.flatnonzero(dense[row]), legal)
            assert batch.num_legal[game] == len(legal)
            assert (batch.color[game], batch.player[game]) == (states[game].color, states[game].player)
        actions = np.array([rng.choice(states[game].legal_actions()) for game in games])
        assert batch.is_legal(games, actions).all()
        batch.step(games, actions)
        for game, action in zip(games, actions, strict=True):
            states[game].push(int(action))
    every = batch.all_games
    for game, state in enumerate(states):
        assert state.is_over and np.array_equal(batch.records[game : game + 1], state.records)
    assert np.array_equal(batch.scores(every), [state.scores() for state in states])
    assert np.array_equal(batch.player_scores(every), [state.player_scores() for state in states])
    assert np.array_equal(batch.places(every), [state.places() for state in states])
    assert np.array_equal(batch.ply, [state.ply for state in states])


def test_ids_that_do_not_exist_are_not_legal() -> None:
    batch = Batch(Options(num_players=2), 3)
    number = batch.tables.num_actions
    assert not batch.is_legal(np.array([0, 1, 2]), np.array([-1, number, 10**6])).any()
    with pytest.raises(ValueError, match="num_games=0 is too small"):
        Batch(None, 0)
    with pytest.raises(ValueError, match="observation='flat' is unknown"):
        Batch(None, 1, "flat")


def test_reset_starts_some_games_anew() -> None:
    batch = Batch(None, 3, num_players=3)
    rng = random_word_state(0)
    for _ in range(4):
        batch.step(batch.all_games, batch.random_actions(batch.all_games, rng))
    batch.reset(np.array([1]))
    assert batch.ply.tolist() == [4, 0, 4]
    assert np.array_equal(batch.legal_ids(np.array([1]))[0], State(num_players=3).legal_actions())


@pytest.mark.parametrize("options", REGISTERED, ids=name_of)
def test_random_games_in_the_kernel(options: Options) -> None:
    table = Batch(options, 1).tables
    states, scratch = table.new_states(1), table.new_scratch()
    plies = kernels.random_games(table.record, states, scratch, random_word_state(2), 20)
    assert 20 * options.num_colors < plies <= 20 * 11 * options.num_colors
    assert states["turn"][0] == kernels.NO_COLOR
    assert states["height"].sum() == sum(int(word).bit_count() for word in states["own"].ravel())


@pytest.mark.parametrize("mode", ["nothing", "dense", "packed"])
def test_random_steps_in_the_kernel(mode: str) -> None:
    """The rows that are written are those of the position, and games begin anew."""
    options, number = OPTIONS[3], 6
    game = RumisGame(options, observation="compact")
    batch = game.batch(number)
    table, written = batch.tables, mode != "nothing"
    dense = np.zeros((number if mode == "dense" else 0, table.num_actions), np.int8)
    packed = np.zeros((number if mode == "packed" else 0, -(-table.num_actions // 8)), np.uint8)
    spaces = game.observation_space
    board = np.zeros((number if written else 0, spaces["board"].shape[0], 12), np.uint8)
    vector = np.zeros((number, *spaces["pieces"].shape), np.uint8)
    masks, rng, ended = np.zeros((number, NUM_ORIENTATIONS), np.uint64), random_word_state(4), 0
    count = np.zeros(number, np.int32)
    kernels.reset_batch(table.record, batch.records, table.new_scratch(), batch.all_games, masks, count)
    for _ in range(60):
        arguments = (batch.records, table.new_scratch(), rng, 1, masks, count, dense, packed, board, vector)
        ended += kernels.random_steps(table.record, *arguments)
    assert ended >= number
    for index in range(number):
        position = game.new()
        position._set(batch.records[index : index + 1].copy(), None)
        assert count[index] == len(position.legal_actions())
        mask = np.zeros(table.num_actions, np.int8)
        position.write_mask(mask)
        if written:
            seen = position.observe(position.player)
            assert np.array_equal(board[index].reshape(spaces["board"].shape), seen["board"])
            assert np.array_equal(vector[index], seen["pieces"])
        if mode == "dense":
            assert np.array_equal(dense[index], mask)
        if mode == "packed":
            assert np.array_equal(packed[index], np.packbits(mask, bitorder="little"))
