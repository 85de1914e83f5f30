"""`LegalActions` for sb3-contrib's policies: a categorical distribution over legal actions only.

It agrees with sb3-contrib's masked categorical over all actions (log-probabilities, entropy, gradients), and does no
work for the illegal ones: of 13,729 actions a few hundred are legal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

from blokus_env.adapters.sampling import NO_ACTION
from blokus_env.adapters.sampling_torch import LegalActions, padded_ids


class LegalActionsDistribution(MaskableCategoricalDistribution):
    """`LegalActions` behind the interface of sb3-contrib's policies; "masks" are padded lists of ids int[B, K]."""

    distribution: LegalActions  # type: ignore[assignment]
    all_logits: th.Tensor  # float32[B, A]

    def proba_distribution(self, action_logits: th.Tensor) -> LegalActionsDistribution:
        """Start from the logits float32[B, A] of all actions; then call `apply_masking`."""
        self.all_logits = action_logits.view(-1, self.action_dim)
        return self

    def apply_masking(self, masks: th.Tensor | NDArray[Any] | None) -> None:
        """Take the legal ids int[B, K], padded at the end with NO_ACTION."""
        ids = padded_ids(masks, self.all_logits.device)
        self.distribution = LegalActions(ids, self.all_logits.gather(1, ids.clamp(min=0)))

    def of(self, ids: th.Tensor, logits: th.Tensor) -> LegalActionsDistribution:
        """Start from the logits float32[B, K] of the legal ids int64[B, K] alone."""
        self.distribution = LegalActions(ids, logits)
        return self

    def sample(self) -> th.Tensor:
        """Actions int64[B]."""
        return self.distribution.sample()

    def mode(self) -> th.Tensor:
        """The most probable actions int64[B]."""
        return self.distribution.mode()


def ids_from_masks(masks: NDArray[Any]) -> NDArray[np.int32]:
    """Padded lists of ids int32[B, K] from dense masks [B, A]; for tests and small games."""
    rows, ids = np.nonzero(masks)
    counts = np.bincount(rows, minlength=len(masks))
    padded = np.full((len(masks), max(1, int(counts.max(initial=0)))), NO_ACTION, np.int32)
    starts = np.cumsum(counts) - counts
    padded[rows, np.arange(len(rows)) - starts[rows]] = ids
    return padded
