"""Advantages when several players share one stream of decisions.

`T` steps of `N` slots; in each step of a slot one player decides (the *mover*). Values are the mover's own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def signed_gae(
    rewards: Floats, values: Floats, last_values: Floats, sign: NDArray[np.int8] | Floats, gamma: float, lam: float
) -> Floats:
    """Generalized advantages float32[T, N] for two teams, whose values are each other's negative.

    `rewards`, `values`: [T, N] of the mover; `last_values`: [N] after the last step; `sign`: [T, N], +1 where the
    slot's next mover is of the same team, -1 where it is of the other, 0 where the game ended:
    delta = r + gamma s V' - V, A = delta + gamma lambda s A'.
    """
    advantages = np.zeros_like(values, dtype=np.float32)
    next_values, next_advantages = last_values.astype(np.float32), np.zeros(values.shape[1], np.float32)
    for t in reversed(range(len(values))):
        carry = gamma * sign[t].astype(np.float32)
        next_advantages = rewards[t] + carry * next_values - values[t] + lam * carry * next_advantages
        advantages[t], next_values = next_advantages, values[t]
    return advantages


def per_player_gae(
    rewards: Floats,
    values: Floats,
    mover: NDArray[np.int8],
    dones: NDArray[np.bool_],
    last_values: Floats,
    last_mover: NDArray[np.int8],
    gamma: float,
    lam: float,
) -> Floats:
    """Generalized advantages float32[T, N] for any number of players, each over its own decisions.

    `rewards`: [T, N, P], what every player got in a step; `values`, `mover`, `dones`: [T, N]; `last_values`: [N], the
    value of the player `last_mover` (int8[N]) who is to decide after the last step.

    A decision's reward is all that its player got until the player's next decision, which also gives the value to
    bootstrap from. The rollout's end cuts every player's last decision off from the next one, except for the player
    to move. Nothing is known about those: their advantage is 0, which leaves policy and value as they are.
    """
    steps, slots, players = rewards.shape
    advantages = np.zeros((steps, slots), np.float32)
    rows = np.arange(slots)
    known = np.zeros((slots, players), bool)  # whether what follows the player's decision is in the rollout
    next_values, next_advantages, pending = (np.zeros((slots, players), np.float32) for _ in range(3))
    moving = last_mover >= 0
    known[rows[moving], last_mover[moving]] = True
    next_values[rows[moving], last_mover[moving]] = last_values[moving]
    for t in reversed(range(steps)):
        over = dones[t]
        known[over] = True
        next_values[over] = next_advantages[over] = pending[over] = 0
        pending += rewards[t]
        own = rows, mover[t]
        delta = pending[own] + gamma * next_values[own] - values[t]
        advantages[t] = np.where(known[own], delta + gamma * lam * next_advantages[own], 0)
        next_values[own], next_advantages[own] = values[t], advantages[t]
        known[own], pending[own] = True, 0
    return advantages
