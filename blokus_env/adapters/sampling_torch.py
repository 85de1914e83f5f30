"""Choosing among legal actions with PyTorch: probabilities, samples and gradients over legal actions only.

`sampling` has the same for NumPy arrays, and says what masks are.
"""

from __future__ import annotations

from typing import Any

import torch as th
from numpy.typing import NDArray

from .sampling import legal_ids


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


def padded_ids(masks: th.Tensor | NDArray[Any] | None, device: th.device | str) -> th.Tensor:
    """Ids int64[B, K] on `device`, from padded ids or packed bits. Raises ``ValueError`` for anything else."""
    if masks is None:
        raise ValueError("the distribution over legal actions needs lists of legal ids on every call")
    if masks.dtype in (th.uint8, "uint8"):
        masks = legal_ids(masks.cpu().numpy() if isinstance(masks, th.Tensor) else masks)
    ids = th.as_tensor(masks, device=device)
    if ids.dim() != 2 or ids.dtype not in (th.int16, th.int32, th.int64):
        raise ValueError(
            f'expected lists of ids int[B, K] (mask_format="ids") or packed bits; got {ids.dtype} {tuple(ids.shape)}'
        )
    return ids.long()
