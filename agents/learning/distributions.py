"""A categorical distribution over legal actions only, given as padded lists of ids.

It agrees with sb3-contrib's masked categorical over all actions (log-probabilities, entropy, gradients), and does no
work for the illegal ones: of 13,729 actions a few hundred are legal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

NO_ACTION = -1  # fills the rows of padded lists of ids


class LegalActions:
    """Probabilities of the legal actions `ids` int64[B, K], from their `logits` float32[B, K].

    Rows are padded at the end with NO_ACTION; their logits there do not matter.
    """

    def __init__(self, ids: th.Tensor, logits: th.Tensor):
        self.ids = ids
        self.legal = ids >= 0
        if not bool(self.legal[:, 0].all()):
            raise ValueError("a row has no legal action")
        self.log_probs = logits.masked_fill(~self.legal, -th.inf).log_softmax(-1)  # [B, K]

    def sample(self) -> th.Tensor:
        """Actions int64[B], drawn by inverting the cumulative probabilities."""
        cumulative = self.log_probs.exp().cumsum(-1)
        draw = th.rand(len(cumulative), 1, device=cumulative.device) * cumulative[:, -1:]
        place = th.searchsorted(cumulative, draw, right=True)
        last = self.legal.sum(1, keepdim=True) - 1  # rounding may lead beyond
        return self.ids.gather(1, th.minimum(place, last)).squeeze(1)

    def mode(self) -> th.Tensor:
        """The most probable actions int64[B]."""
        return self.ids.gather(1, self.log_probs.argmax(1, keepdim=True)).squeeze(1)

    def log_prob(self, actions: th.Tensor) -> th.Tensor:
        """Log-probabilities float32[B] of `actions`, which must be legal."""
        found = self.ids == actions.view(-1, 1)
        return self.log_probs.gather(1, found.int().argmax(1, keepdim=True)).squeeze(1)

    def entropy(self) -> th.Tensor:
        """Entropies float32[B]."""
        finite = self.log_probs.masked_fill(~self.legal, 0.0)
        return -(self.log_probs.exp() * finite).sum(-1)


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


def padded_ids(masks: th.Tensor | NDArray[Any] | None, device: th.device) -> th.Tensor:
    """Lists of ids as int64[B, K] on `device`; a clear error for anything else."""
    if masks is None:
        raise ValueError("the distribution over legal actions needs lists of legal ids on every call")
    ids = th.as_tensor(masks, device=device)
    if ids.dim() != 2 or ids.dtype not in (th.int16, th.int32, th.int64):
        raise ValueError(f'expected lists of ids int[B, K] (mask_format="ids"); got {ids.dtype} {tuple(ids.shape)}')
    return ids.long()


def ids_from_masks(masks: NDArray[Any]) -> NDArray[np.int32]:
    """Padded lists of ids int32[B, K] from dense masks [B, A]; for tests and small games."""
    rows, ids = np.nonzero(masks)
    counts = np.bincount(rows, minlength=len(masks))
    padded = np.full((len(masks), max(1, int(counts.max(initial=0)))), NO_ACTION, np.int32)
    starts = np.cumsum(counts) - counts
    padded[rows, np.arange(len(rows)) - starts[rows]] = ids
    return padded
