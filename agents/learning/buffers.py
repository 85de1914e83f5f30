"""Rollout buffers for MaskablePPO that keep legal actions small, and know whose decision each step is.

The stock buffers hold a float for every action of every step: 858 MB for 256 steps of 64 games with 13,729 actions.
These hold packed bits (dense masks for the policy, a 32nd of the memory) or padded lists of ids (for
`LegalActionsDistribution`, smaller and faster still). Each comes for array and for dict observations.

With `watch(env)` they compute advantages for self-play (see `gae`): signed where two teams play for a zero-sum reward,
per player otherwise. Without it they do as the stock buffers do.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

import numpy as np
import torch as th
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import (
    MaskableDictRolloutBuffer,
    MaskableDictRolloutBufferSamples,
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)
from stable_baselines3.common.buffers import DictRolloutBuffer, RolloutBuffer

from agents.learning.gae import per_player_gae, signed_gae
from blokus_env.adapters.sampling import NO_ACTION

FIRST_WIDTH = 64  # ids a row has room for at first; it grows with the longest list


class SelfPlayEnv(Protocol):
    """What the buffers read of an environment after each step; `SelfPlayVecEnv` has it."""

    is_zero_sum: bool  # two teams, and a reward that sums to zero
    sign: NDArray[np.int8]  # [N] +1 same team decides next, -1 the other one, 0 the game ended
    mover: NDArray[np.int8]  # [N] who decided in the last step
    reward_by_player: NDArray[np.float32]  # [N, P] of the last step

    @property
    def player(self) -> NDArray[np.int8]:
        """Who decides next, [N]."""
        ...


class _CompactBuffer(RolloutBuffer):
    """What all four buffers share: samples with masks, and advantages for the players that are watched."""

    stock: ClassVar[type[RolloutBuffer]]  # the buffer without masks
    samples: ClassVar[type[Any]]  # the named tuple that MaskablePPO expects
    watched: SelfPlayEnv | None = None

    def watch(self, env: SelfPlayEnv) -> None:
        """Read signs, movers and rewards from `env` from now on."""
        self.watched = env
        self.reset()

    def reset(self) -> None:
        """Empty the buffer."""
        if self.watched is not None:
            shape = (self.buffer_size, self.n_envs)
            self.sign = np.zeros(shape, np.int8)
            self.mover = np.zeros(shape, np.int8)
            self.rewards_by_player = np.zeros((*shape, self.watched.reward_by_player.shape[1]), np.float32)
        self.stock.reset(self)  # not super(): the masked buffers would allocate dense masks

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Add a step of all games; the environment has already played it."""
        if self.watched is not None:
            self.sign[self.pos] = self.watched.sign
            self.mover[self.pos] = self.watched.mover
            self.rewards_by_player[self.pos] = self.watched.reward_by_player
        self.stock.add(self, *args, **kwargs)

    def compute_returns_and_advantage(self, last_values: th.Tensor, dones: NDArray[Any]) -> None:
        """Fill `advantages` and `returns`, float32[T, N]."""
        if self.watched is None:
            return self.stock.compute_returns_and_advantage(self, last_values, dones)
        last = last_values.detach().cpu().numpy().reshape(-1)
        if self.watched.is_zero_sum:
            self.advantages = signed_gae(self.rewards, self.values, last, self.sign, self.gamma, self.gae_lambda)
        else:
            over = np.concatenate([self.episode_starts[1:], dones[None]]).astype(bool)
            player = self.watched.player
            self.advantages = per_player_gae(
                self.rewards_by_player, self.values, self.mover, over, last, player, self.gamma, self.gae_lambda
            )
        self.returns = self.advantages + self.values

    def _get_samples(self, batch_inds: NDArray[Any], env: Any = None) -> Any:
        return self.samples(*self.stock._get_samples(self, batch_inds), self._masks(batch_inds))

    def _masks(self, rows: NDArray[Any]) -> th.Tensor:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "watched": None}


class _Ids(_CompactBuffer):
    """Legal actions as padded lists of ids [T, N, K], int16 where that is enough."""

    action_masks: NDArray[Any]

    def reset(self) -> None:
        """Empty the buffer."""
        dtype = np.int16 if _num_actions(self.action_space) <= np.iinfo(np.int16).max else np.int32
        # get() replaces the array by a flattened copy: start with a fresh one, as wide as the last
        width = self.action_masks.shape[-1] if hasattr(self, "action_masks") else FIRST_WIDTH
        self.action_masks = np.full((self.buffer_size, self.n_envs, width), NO_ACTION, dtype)
        super().reset()

    def add(self, *args: Any, action_masks: NDArray[Any] | None = None, **kwargs: Any) -> None:
        """Add a step; `action_masks` are ids int[N, K], padded at the end with NO_ACTION."""
        if action_masks is None or action_masks.dtype == np.bool_:
            raise ValueError("this buffer takes lists of legal ids as action_masks")
        width = self.action_masks.shape[-1]
        if action_masks.shape[1] > width:
            room = max(action_masks.shape[1] - width, width // 4)
            self.action_masks = np.pad(self.action_masks, ((0, 0), (0, 0), (0, room)), constant_values=NO_ACTION)
        self.action_masks[self.pos, :, : action_masks.shape[1]] = action_masks
        super().add(*args, **kwargs)

    def _masks(self, rows: NDArray[Any]) -> th.Tensor:
        ids = self.action_masks[rows]
        width = int((ids != NO_ACTION).sum(1).max())
        return th.from_numpy(np.ascontiguousarray(ids[:, :width])).to(self.device)


class _Packed(_CompactBuffer):
    """Legal actions as bits, uint8[T, N, ceil(A / 8)], bit order little."""

    action_masks: NDArray[Any]

    def reset(self) -> None:
        """Empty the buffer; everything is legal until `add` says otherwise."""
        size = -(-_num_actions(self.action_space) // 8)
        self.action_masks = np.full((self.buffer_size, self.n_envs, size), 255, np.uint8)
        super().reset()

    def add(self, *args: Any, action_masks: NDArray[Any] | None = None, **kwargs: Any) -> None:
        """Add a step; `action_masks` are dense, [N, A]."""
        if action_masks is not None:
            dense = action_masks.reshape(self.n_envs, -1) != 0
            self.action_masks[self.pos] = np.packbits(dense, axis=1, bitorder="little")
        super().add(*args, **kwargs)

    def _masks(self, rows: NDArray[Any]) -> th.Tensor:
        count = _num_actions(self.action_space)
        bits = np.unpackbits(self.action_masks[rows], axis=1, count=count, bitorder="little")
        return th.from_numpy(bits.view(np.bool_)).to(self.device)


class IdRolloutBuffer(_Ids, MaskableRolloutBuffer):
    """Array observations, lists of ids."""

    stock, samples = RolloutBuffer, MaskableRolloutBufferSamples


class IdDictRolloutBuffer(_Ids, MaskableDictRolloutBuffer):
    """Dict observations, lists of ids."""

    stock, samples = DictRolloutBuffer, MaskableDictRolloutBufferSamples


class PackedRolloutBuffer(_Packed, MaskableRolloutBuffer):
    """Array observations, packed bits."""

    stock, samples = RolloutBuffer, MaskableRolloutBufferSamples


class PackedDictRolloutBuffer(_Packed, MaskableDictRolloutBuffer):
    """Dict observations, packed bits."""

    stock, samples = DictRolloutBuffer, MaskableDictRolloutBufferSamples


def _num_actions(space: spaces.Space[Any]) -> int:
    assert isinstance(space, spaces.Discrete)
    return int(space.n)
