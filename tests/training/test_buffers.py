"""Compact rollout buffers against the stock ones."""

from typing import Any

import numpy as np
import pytest
import torch as th
from sb3_contrib import MaskablePPO

from agents.learning.buffers import (
    IdDictRolloutBuffer,
    IdRolloutBuffer,
    PackedDictRolloutBuffer,
    PackedRolloutBuffer,
)
from agents.learning.distributions import ids_from_masks
from agents.learning.policies import LegalIdsMultiInputPolicy, LegalIdsPolicy
from blokus_env.adapters.sb3 import SelfPlayVecEnv
from blokus_env.adapters.toy import ToyGame
from blokus_env.game import BlokusGame
from blokus_env.variants import tiny_variant

ENVS = 8
STOCK = {"array": "MlpPolicy", "dict": "MultiInputPolicy"}
PACKED = {"array": PackedRolloutBuffer, "dict": PackedDictRolloutBuffer}
IDS: dict[str, tuple[Any, Any]] = {
    "array": (LegalIdsPolicy, IdRolloutBuffer),
    "dict": (LegalIdsMultiInputPolicy, IdDictRolloutBuffer),
}


def make(kind: str, policy: Any, mask_format: Any = "dense", buffer: Any = None) -> MaskablePPO:
    game: Any = ToyGame((0, 1)) if kind == "array" else BlokusGame(tiny_variant(), observation="compact")
    env = SelfPlayVecEnv(game, ENVS, "random", mask_format=mask_format, seed=1)
    return MaskablePPO(
        policy, env, n_steps=8, batch_size=16, n_epochs=2, seed=4, device="cpu", rollout_buffer_class=buffer
    )


@pytest.mark.parametrize("kind", STOCK)
def test_packed_masks_train_the_very_same_parameters(kind: str) -> None:
    stock = make(kind, STOCK[kind]).learn(3 * 8 * ENVS)
    packed = make(kind, STOCK[kind], buffer=PACKED[kind]).learn(3 * 8 * ENVS)
    assert packed.rollout_buffer.action_masks.nbytes * 30 < stock.rollout_buffer.action_masks.nbytes or kind == "array"
    pairs = zip(stock.policy.parameters(), packed.policy.parameters(), strict=True)
    assert all(th.equal(mine, theirs) for mine, theirs in pairs)


@pytest.mark.parametrize("kind", STOCK)
def test_ids_evaluate_like_dense_masks(kind: str) -> None:
    """The same weights, observations and actions give the same values, log-probabilities and entropies."""
    stock, ours = make(kind, STOCK[kind]), make(kind, IDS[kind][0], "ids", IDS[kind][1])
    ours.policy.load_state_dict(stock.policy.state_dict())
    ours.learn(2 * 8 * ENVS)
    stock.policy.load_state_dict(ours.policy.state_dict())
    for batch in ours.rollout_buffer.get(32):
        masks = np.zeros((32, ours.action_space.n), bool)
        for mask, ids in zip(masks, batch.action_masks.numpy(), strict=True):
            mask[ids[ids >= 0]] = True
        np.testing.assert_array_equal(ids_from_masks(masks), batch.action_masks.numpy())
        actions = batch.actions.long().flatten()
        mine = ours.policy.evaluate_actions(batch.observations, actions, batch.action_masks)
        theirs = stock.policy.evaluate_actions(batch.observations, actions, masks)
        for left, right in zip(mine, theirs, strict=True):
            th.testing.assert_close(left, right, atol=1e-5, rtol=1e-5)


def test_ids_are_kept_whatever_their_width() -> None:
    env = SelfPlayVecEnv(ToyGame((0, 1)), 2, mask_format="ids")
    buffer = IdRolloutBuffer(3, env.observation_space, env.action_space, "cpu", n_envs=2)
    observation = env.reset()
    lists = [np.arange(width)[None].repeat(2, 0).astype(np.int32) for width in (3, 500, 70)]
    for _ in range(2):  # get() flattens the arrays: a second round must work as well
        buffer.reset()
        for ids in lists:
            zeros = np.zeros(2, np.float32)
            buffer.add(observation, zeros, zeros, zeros, th.zeros(2), th.zeros(2), action_masks=ids)
        widths = sorted(int((row >= 0).sum()) for batch in buffer.get(1) for row in batch.action_masks)
        assert widths == [3, 3, 70, 70, 500, 500]
    assert buffer.action_masks.dtype == np.int16


def test_id_buffers_refuse_dense_masks() -> None:
    with pytest.raises(ValueError, match="lists of"):
        make("array", LegalIdsPolicy, "dense", IdRolloutBuffer).learn(64)
    with pytest.raises(ValueError, match="lists of legal ids"):
        make("array", "MlpPolicy", "dense", IdRolloutBuffer).learn(64)
