"""Tensors of packed bits; the rest is shown with the distribution that trains."""

import numpy as np
import pytest
import torch

from blokus_env.adapters.sampling_torch import LegalActions, padded_ids


def test_bits_and_ids_say_the_same() -> None:
    dense = np.random.default_rng(0).random((5, 45)) < 0.3
    dense[:, 44] = True
    bits = np.packbits(dense, axis=1, bitorder="little")
    logits = torch.randn(5, 45)
    plain = torch.where(torch.from_numpy(dense), logits, -torch.inf).log_softmax(1)
    for masks in (bits, torch.from_numpy(bits)):
        ids = padded_ids(masks, "cpu")
        legal = LegalActions(ids, logits.gather(1, ids.clamp(min=0)))
        assert torch.equal(legal.mode(), plain.argmax(1))
        torch.testing.assert_close(legal.log_prob(legal.mode()), plain.max(1).values)
    with pytest.raises(ValueError, match="packed bits"):
        padded_ids(torch.zeros(2, 3), "cpu")
