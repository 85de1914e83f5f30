"""Policies for MaskablePPO that choose among lists of legal ids."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy, MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from torch import nn

from agents.learning.distributions import LegalActionsDistribution
from agents.learning.layout import BoardLayout
from agents.learning.network import PlacementNetwork
from blokus_env.adapters.sampling_torch import padded_ids

Ids = NDArray[np.integer[Any]] | th.Tensor | None


class LegalIdsPolicy(MaskableActorCriticPolicy):
    """The stock policy for array observations, with lists of legal ids as masks."""

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        self.action_dist = LegalActionsDistribution(int(self.action_space.n))  # type: ignore[attr-defined]


class LegalIdsMultiInputPolicy(MaskableMultiInputActorCriticPolicy):
    """The stock policy for dict observations, with lists of legal ids as masks."""

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        self.action_dist = LegalActionsDistribution(int(self.action_space.n))  # type: ignore[attr-defined]


class PlacementPolicy(MaskableActorCriticPolicy):
    """A `PlacementNetwork` as MaskablePPO's policy; the observation is {"board": [C, H, W], "pieces": [V]}, uint8.

    `layout` and the sizes of the network come from `policy_kwargs`, so that a saved model holds all it needs.
    """

    network: PlacementNetwork
    action_dist: LegalActionsDistribution

    def __init__(
        self, *args: Any, layout: BoardLayout, channels: int = 32, blocks: int = 3, value_units: int = 64, **kwargs: Any
    ):
        self.layout = layout
        self.sizes = {"channels": channels, "blocks": blocks, "value_units": value_units}
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = PlacementNetwork(self.layout, **self.sizes)
        self.network.to(memory_format=th.channels_last)  # type: ignore[call-overload]
        self.action_dist = LegalActionsDistribution(self.layout.num_actions)
        self.mlp_extractor = self.action_net = self.value_net = nn.Identity()  # type: ignore[assignment]
        kwargs: dict[str, Any] = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "layout": self.layout, **self.sizes}

    def forward(
        self, obs: PyTorchObs, deterministic: bool = False, action_masks: Ids = None
    ) -> tuple[th.Tensor, th.Tensor, th.Tensor]:
        """Actions int64[B], values float32[B, 1] and log-probabilities float32[B]."""
        distribution, values = self._evaluate(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: PyTorchObs, actions: th.Tensor, action_masks: Ids = None
    ) -> tuple[th.Tensor, th.Tensor, th.Tensor | None]:
        """Values float32[B, 1], log-probabilities float32[B] of `actions` and entropies float32[B]."""
        distribution, values = self._evaluate(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: PyTorchObs, action_masks: Ids = None) -> LegalActionsDistribution:
        """The distribution over legal actions."""
        return self._evaluate(obs, action_masks)[0]

    def predict_values(self, obs: PyTorchObs) -> th.Tensor:
        """Values float32[B, 1] of the players to move."""
        cells, vector, _ = self.network.encode(*_inputs(obs))
        values: th.Tensor = self.network.value(cells, vector)
        return values

    def _evaluate(self, obs: PyTorchObs, masks: Ids) -> tuple[LegalActionsDistribution, th.Tensor]:
        ids = padded_ids(masks, self.device)
        legal = ids >= 0
        logits, values = self.network(*_inputs(obs), legal.nonzero()[:, 0], ids[legal])
        padded = logits.new_zeros(ids.shape)
        padded[legal] = logits
        return self.action_dist.of(ids, padded), values


def _inputs(obs: PyTorchObs) -> tuple[th.Tensor, th.Tensor]:
    assert isinstance(obs, dict)
    return obs["board"], obs["pieces"]
