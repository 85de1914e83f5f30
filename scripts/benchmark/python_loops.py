"""Random play from Python, in the same loops for every environment."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from scripts.benchmark.measure import Work


def state_moves(new: Callable[[], Any]) -> Work:
    """Random play through a `State`: the list of legal actions, one push."""
    rng = random.Random(1)

    def work(count: int) -> int:
        moves = 0
        while moves < count:
            state = new()
            while not state.is_over:
                legal = state.legal_actions()
                state.push(int(legal[int(rng.random() * len(legal))]))
                moves += 1
        return moves

    return work


def from_mask(env: Any, agent: str) -> Any:
    """Legal actions by the mask in the observation, as every PettingZoo environment of this kind gives them."""
    mask = env.observe(agent)["action_mask"]  # one byte an action everywhere
    return mask.view(np.bool_).nonzero()[0]  # 30 × faster on bool than on int8


def from_ids(env: Any, agent: str) -> Any:
    """Legal actions by the method that this project adds; no observation is made."""
    return env.legal_actions(agent)


def from_ids_after_last(env: Any, agent: str) -> Any:
    """The same after `last()`, as loops of PettingZoo call it."""
    env.last()
    return env.legal_actions(agent)


def play(env: Any, rng: random.Random, legal_actions: Callable[[Any, str], Any]) -> int:
    """One whole random game in a PettingZoo environment; the number of moves."""
    env.reset()
    moves = 0
    while env.agents:
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            env.step(None)
            continue
        legal = legal_actions(env, agent)
        env.step(int(legal[int(rng.random() * len(legal))]))
        moves += 1
    return moves


def pettingzoo_moves(env: Any, legal_actions: Callable[[Any, str], Any] = from_mask) -> Work:
    """Moves of random games in a raw PettingZoo environment."""
    rng = random.Random(1)

    def work(count: int) -> int:
        moves = 0
        while moves < count:
            moves += play(env, rng, legal_actions)
        return moves

    return work


def pettingzoo_games(env: Any) -> Work:
    """Whole random games in a raw PettingZoo environment."""
    rng = random.Random(1)

    def work(count: int) -> int:
        for _ in range(count):
            play(env, rng, from_mask)
        return count

    return work


def vector_steps(env: Any) -> Work:
    """Steps of a Gymnasium vector environment with masks as ids, actions drawn uniformly."""
    from blokus_env.adapters.sampling import random_actions

    rng = np.random.default_rng(1)
    masks = env.reset(seed=1)[1]["action_mask"]

    def work(count: int) -> int:
        nonlocal masks
        for _ in range(count):
            masks = env.step(random_actions(masks, rng))[4]["action_mask"]
        return count * int(env.num_envs)

    return work
