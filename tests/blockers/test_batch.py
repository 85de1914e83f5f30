"""Many games: masks in every format, threads, skipped turns, and what environments tell of them."""

import numpy as np
import pytest

from blockers_env import Batch, BlockersGame, Options
from blockers_env.policies import policy
from blockers_env.state import random_word_state
from blokus_env.adapters.aec import GameAECEnv
from blokus_env.adapters.single import SinglePlayerEnv
from blokus_env.adapters.threads import LEAST
from tests.blockers.positions import IDS, OPTIONS, SKIPPING

GAMES = 2 * LEAST + 9


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_ids_bits_and_dense_masks_are_the_same(options: Options) -> None:
    batch, rng = Batch(options, 12, seed=3), random_word_state(2)
    while len(games := np.flatnonzero(batch.player >= 0)):
        dense, packed, ids = batch.dense_masks(games), batch.packed_masks(games), batch.legal_ids(games)
        assert np.array_equal(packed, np.packbits(dense, axis=1, bitorder="little"))
        for row, mask in zip(ids, dense, strict=True):
            assert np.array_equal(row[row >= 0], np.flatnonzero(mask))
        actions = np.tile(np.arange(-1, options.num_actions + 1), len(games))
        where = np.repeat(np.arange(len(games)), options.num_actions + 2)
        legal = batch.is_legal(games[where], actions).reshape(len(games), -1)
        assert np.array_equal(legal[:, 1:-1], dense.astype(bool)) and not legal[:, [0, -1]].any()
        batch.step(games, batch.greedy_actions(games, rng))
    assert not batch.num_legal.any() and not batch.dense_masks(batch.all_games).any()
    assert (batch.ply + batch.skips.sum(axis=1) == options.num_turns).all()


def played(options: Options, num_threads: int) -> list[np.ndarray]:
    """Everything that a batch says after each of some steps."""
    batch, rng, seen = Batch(options, GAMES, seed=5, num_threads=num_threads), random_word_state(1), []
    for _ in range(8):
        games = np.flatnonzero(batch.player >= 0)
        seen += [batch.legal_ids(games), batch.dense_masks(games), batch.packed_masks(games), batch.boards(games)]
        seen += [*batch.observe(games).values(), batch.points(games)]
        batch.step(games, batch.random_actions(games, rng))
        batch.reset(games[::7])
    return seen


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    for one, two in zip(played(Options(num_players=3), 1), played(Options(num_players=3), 2), strict=True):
        assert np.array_equal(one, two)


def test_batches_of_different_options_are_refused_early() -> None:
    with pytest.raises(ValueError, match="num_games=0 is too small"):
        Batch(Options(), 0)
    with pytest.raises(ValueError, match="observation='grid' is unknown"):
        Batch(Options(), 1, observation="grid")


def test_skipped_turns_are_in_the_infos() -> None:
    """Both environments name who was skipped since the agent's last decision (P5)."""
    greedy, skips = policy("greedy"), 0
    for seed in range(12):
        env, rng = GameAECEnv(BlockersGame(SKIPPING)), np.random.default_rng(seed)
        env.reset(seed=seed)
        since: dict[str, list[str]] = {agent: [] for agent in env.agents}
        while not any(env.terminations.values()):
            position, agent = env.position, env.agent_selection
            assert all(env.infos[one]["skipped"] == tuple(since[one]) for one in env.agents)
            assert agent == f"player_{position.player}"
            env.step(greedy.act(position.view(position.player), rng))
            since[agent] = []
            for names in since.values():
                names += [f"player_{player}" for player in position.skipped]
            skips += len(position.skipped)
    assert skips > 10


def test_skipped_turns_of_the_learner_and_of_others() -> None:
    greedy, found = policy("greedy"), set()
    for seed in range(12):
        env, rng = SinglePlayerEnv(BlockersGame(SKIPPING), opponents="greedy", seat=0), np.random.default_rng(seed)
        _, info = env.reset(seed=seed)
        done = False
        while not done:
            _, _, done, _, info = env.step(greedy.act(env.position.view(0), rng))
            found |= set(info["skipped"])
        assert env.position.ply + sum(env.position.skips) == SKIPPING.num_turns
    assert found == {0, 1}
