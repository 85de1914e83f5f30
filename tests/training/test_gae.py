"""Advantages against sums written out, a game worked by hand, and whole toy games."""

from typing import Any

import numpy as np
import pytest
import torch as th
from numpy.typing import NDArray

from agents.learning.buffers import IdRolloutBuffer
from agents.learning.gae import per_player_gae, signed_gae
from blokus_env.adapters.sb3 import SelfPlayVecEnv
from blokus_env.adapters.toy import ToyGame

GAMMA, LAMBDA = 0.9, 0.8


def test_signed_gae_is_the_sum_of_signed_deltas() -> None:
    rng = np.random.default_rng(0)
    steps, slots = 12, 5
    rewards, values = rng.normal(size=(2, steps, slots)).astype(np.float32)
    last = rng.normal(size=slots).astype(np.float32)
    sign = rng.integers(-1, 2, (steps, slots)).astype(np.int8)
    advantages = signed_gae(rewards, values, last, sign, GAMMA, LAMBDA)
    following = np.concatenate([values[1:], last[None]])
    for slot in range(slots):
        for start in range(steps):
            expected, weight = 0.0, 1.0
            for t in range(start, steps):
                delta = rewards[t, slot] + GAMMA * sign[t, slot] * following[t, slot] - values[t, slot]
                expected += weight * delta
                weight *= GAMMA * LAMBDA * sign[t, slot]
            assert advantages[start, slot] == pytest.approx(expected, abs=1e-5)


def test_per_player_gae_is_gae_over_each_player_s_own_decisions() -> None:
    rng = np.random.default_rng(1)
    steps, slots, players = 30, 6, 3
    mover = rng.integers(0, players, (steps, slots)).astype(np.int8)
    last_mover = rng.integers(0, players, slots).astype(np.int8)
    rewards = rng.normal(size=(steps, slots, players)).astype(np.float32)
    values = rng.normal(size=(steps, slots)).astype(np.float32)
    last = rng.normal(size=slots).astype(np.float32)
    dones = rng.random((steps, slots)) < 0.15
    advantages = per_player_gae(rewards, values, mover, dones, last, last_mover, GAMMA, LAMBDA)
    for slot in range(slots):
        for player in range(players):
            expected = one_player(player, slot, rewards, values, mover, dones, last, last_mover)
            for t, advantage in expected.items():
                assert advantages[t, slot] == pytest.approx(advantage, abs=1e-5)


def one_player(
    player: int,
    slot: int,
    rewards: NDArray[Any],
    values: NDArray[Any],
    mover: NDArray[Any],
    dones: NDArray[Any],
    last: NDArray[Any],
    last_mover: NDArray[Any],
) -> dict[int, float]:
    """Advantages of one player's decisions, forwards and by recursion."""
    steps = len(values)

    def advantage(t: int) -> float:
        reward = 0.0
        for end in range(t, steps):
            reward += rewards[end, slot, player]
            if dones[end, slot]:
                return reward - values[t, slot]
            if end + 1 < steps and mover[end + 1, slot] == player:
                delta = reward + GAMMA * values[end + 1, slot] - values[t, slot]
                return delta + GAMMA * LAMBDA * advantage(end + 1)
        if last_mover[slot] == player:
            return reward + GAMMA * last[slot] - values[t, slot]
        return 0.0

    return {t: advantage(t) for t in range(steps) if mover[t, slot] == player}


def test_a_game_by_hand() -> None:
    # Seat 0 decides, then seat 1 twice, then seat 0 and the game ends; margins of seat 0: 3, 1, -2, -6.
    rewards = np.array([[3.0], [2.0], [3.0], [-4.0]], np.float32)  # each from its mover's side
    sign = np.array([[-1], [1], [-1], [0]], np.int8)
    values = np.array([[0.5], [-1.0], [2.0], [7.0]], np.float32)
    returns = signed_gae(rewards, values, np.zeros(1, np.float32), sign, 1.0, 1.0) + values
    assert returns[:, 0].tolist() == [3 - 2 - 3 - 4, 2 + 3 + 4, 3 + 4, -4]
    by_player = np.stack([np.array([[3.0], [-2.0], [-3.0], [-4.0]]), np.array([[-3.0], [2.0], [3.0], [4.0]])], 2)
    mover = np.array([[0], [1], [1], [0]], np.int8)
    dones = np.array([[False], [False], [False], [True]])
    nobody = np.full(1, -1, np.int8)
    again = per_player_gae(
        by_player.astype(np.float32), values, mover, dones, np.zeros(1, np.float32), nobody, 1.0, 1.0
    )
    assert (again + values)[:, 0].tolist() == returns[:, 0].tolist()


@pytest.mark.parametrize("teams", [(0, 1), (0, 1, 2), (0, 1, 0, 1)])
@pytest.mark.parametrize("reward", ["win", "dense_margin", "score"])
@pytest.mark.parametrize("opponents", [("self",), ("self", "random")])
def test_returns_are_what_the_mover_still_gets(teams: tuple[int, ...], reward: str, opponents: tuple[str, ...]) -> None:
    """With gamma = lambda = 1 values cancel: a decision's return is the rest of its own player's reward."""
    env = SelfPlayVecEnv(ToyGame(teams), 16, opponents, reward=reward, mask_format="ids", seed=3)
    steps = 24
    buffer = IdRolloutBuffer(steps, env.observation_space, env.action_space, "cpu", 1.0, 1.0, 16)
    buffer.watch(env)
    rng = np.random.default_rng(5)
    observation, starts = env.reset(), np.ones(16, bool)
    paid, movers, dones = [], [], np.zeros(16, bool)
    ends = np.zeros((steps, 16), bool)
    for t in range(steps):
        ids = env.action_masks()
        actions = ids[np.arange(16), rng.integers((ids >= 0).sum(1))]
        movers.append(env.player)
        following, rewards, dones, _ = env.step(actions)
        values = th.from_numpy(rng.normal(size=16).astype(np.float32))
        buffer.add(observation, actions, rewards, starts, values, th.zeros(16), action_masks=ids)
        observation, starts, ends[t] = following, dones, dones
        paid.append(env.reward_by_player.copy())
    buffer.compute_returns_and_advantage(th.zeros(16), dones)
    checked = 0
    for slot in range(16):
        for t in range(steps):
            over = np.flatnonzero(ends[t:, slot])
            if len(over):  # the game ends within the rollout
                rest = sum(paid[t + i][slot, movers[t][slot]] for i in range(over[0] + 1))
                assert buffer.returns[t, slot] == pytest.approx(rest, abs=1e-4)
                checked += 1
    assert checked > 100
