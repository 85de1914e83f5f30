"""A batch of games is as many single games."""

import numpy as np
import pytest
from numpy.typing import NDArray

from blokus_env import IllegalActionError
from blokus_env.game import BlokusGame

GAME_OVER = -1


def unpack(packed: NDArray[np.uint8], num_actions: int) -> NDArray[np.uint8]:
    return np.unpackbits(packed, axis=-1, bitorder="little", count=num_actions)


def play_both(name: str, start: str, observation: str, num_games: int, plies: int) -> None:
    game = BlokusGame(name, start=start, observation=observation)
    rng = np.random.default_rng(5)
    singles = [game.new(seed) for seed in range(num_games)]
    batch = game.batch(num_games, seed=0)
    everyone = np.arange(num_games)
    for ply in range(plies):
        compare(game, batch, singles, everyone if ply % 5 else rng.permutation(num_games)[: num_games // 2])
        running = np.flatnonzero(batch.player != GAME_OVER)
        if len(running) == 0:
            break
        games = rng.permutation(running)[: max(1, len(running) - 1)]  # some games wait
        actions = np.array([rng.choice(singles[i].legal_actions()) for i in games], np.int32)
        assert batch.is_legal(games, actions).all()
        batch.step(games, actions)
        for i, action in zip(games, actions, strict=True):
            singles[i].push(int(action))


def compare(game, batch, singles, games) -> None:  # type: ignore[no-untyped-def]
    positions = [singles[i] for i in games]
    assert list(batch.player[games]) == [position.player for position in positions]
    lists = [position.legal_actions() for position in positions]
    assert list(batch.num_legal[games]) == list(map(len, lists))
    ids = batch.legal_ids(games)
    assert ids.shape == (len(games), max(map(len, lists)))
    dense, packed = batch.dense_masks(games), batch.packed_masks(games)
    assert packed.shape == (len(games), -(-game.num_actions // 8))
    assert np.array_equal(unpack(packed, game.num_actions), dense)
    scores, places = batch.player_scores(games), batch.places(games)
    own = np.empty(game.num_actions, np.int8)
    for k, (position, legal) in enumerate(zip(positions, lists, strict=True)):
        assert list(ids[k]) == list(legal) + [-1] * (ids.shape[1] - len(legal))
        assert np.array_equal(np.flatnonzero(dense[k]), legal)
        position.write_mask(own)
        assert np.array_equal(own, dense[k])
        assert list(scores[k]) == list(position.player_scores())
        assert list(places[k]) == list(position.places())
    compare_observations(game, batch, positions, games)


def compare_observations(game, batch, positions, games) -> None:  # type: ignore[no-untyped-def]
    running = [k for k, position in enumerate(positions) if not position.is_over]
    for player in [None, *range(game.num_players)]:
        players = None if player is None else np.full(len(running), player)
        if not running:
            break
        together = batch.observe(games[running], players)
        for row, k in enumerate(running):
            alone = positions[k].observe(positions[k].player if player is None else player)
            assert game.observation_space.contains(alone)
            if isinstance(alone, dict):
                assert all(np.array_equal(together[key][row], alone[key]) for key in alone)
            else:
                assert np.array_equal(together[row], alone)


@pytest.mark.parametrize(
    ("name", "start", "observation", "num_games", "plies"),
    [
        ("duo", "fixed", "planes", 6, 60),
        ("duo", "either", "compact", 6, 60),
        ("classic", "fixed", "compact", 4, 120),
        ("classic", "any_corner", "planes", 4, 120),
    ],
)
def test_batch_is_many_singles(name: str, start: str, observation: str, num_games: int, plies: int) -> None:
    play_both(name, start, observation, num_games, plies)


def test_reset_restarts_some_games() -> None:
    game = BlokusGame("duo")
    batch = game.batch(4, seed=0)
    batch.step(np.arange(4), batch.legal_ids(np.arange(4))[:, 7])
    batch.reset(np.array([1, 3]))
    assert list(batch.player) == [1, 0, 1, 0]
    assert list(batch.num_legal) == [414, 828, 414, 828]


def test_is_legal_of_any_action() -> None:
    game = BlokusGame("duo")
    batch = game.batch(1, seed=0)
    batch.step(np.array([0]), np.array([batch.legal_ids(np.array([0]))[0, 100]], np.int32))
    actions = np.arange(-2, game.num_actions + 2).astype(np.int32)
    legal = batch.is_legal(np.zeros(len(actions), np.int64), actions)
    assert np.array_equal(actions[legal], batch.legal_ids(np.array([0]))[0])


def test_single_positions_reject_illegal_actions() -> None:
    position = BlokusGame("duo").new(0)
    with pytest.raises(IllegalActionError):
        position.push(0)
    assert position.ply == 0
