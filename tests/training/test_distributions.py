"""The distribution over legal ids against sb3-contrib's over all actions."""

import numpy as np
import pytest
import torch as th
from sb3_contrib.common.maskable.distributions import MaskableCategorical

from agents.learning.distributions import LegalActionsDistribution, ids_from_masks

ROWS, ACTIONS = 64, 300


@pytest.fixture
def masks() -> np.ndarray:
    rng = np.random.default_rng(0)
    masks = rng.random((ROWS, ACTIONS)) < rng.random((ROWS, 1)) * 0.3
    masks[np.arange(ROWS), rng.integers(ACTIONS, size=ROWS)] = True
    masks[0] = np.arange(ACTIONS) == 7  # a single legal action
    return masks


def legal(logits: th.Tensor, masks: np.ndarray) -> LegalActionsDistribution:
    distribution = LegalActionsDistribution(ACTIONS).proba_distribution(logits)
    distribution.apply_masking(ids_from_masks(masks))
    return distribution


@pytest.mark.parametrize("scale", [0.1, 3.0, 30.0])
def test_agrees_with_the_stock_distribution(masks: np.ndarray, scale: float) -> None:
    th.manual_seed(1)
    logits = (th.randn(ROWS, ACTIONS) * scale).requires_grad_()
    ours, stock = legal(logits, masks), MaskableCategorical(logits=logits, masks=masks)
    actions, weights = ours.sample(), th.linspace(0.5, 1.5, ROWS)  # rows tell apart
    assert th.equal(ours.mode(), stock.probs.argmax(1))
    for mine, theirs in ((ours.log_prob(actions), stock.log_prob(actions)), (ours.entropy(), stock.entropy())):
        th.testing.assert_close(mine, theirs, atol=1e-5, rtol=1e-5)
        gradients = [th.autograd.grad((part * weights).sum(), logits, retain_graph=True)[0] for part in (mine, theirs)]
        th.testing.assert_close(*gradients, atol=1e-5, rtol=1e-5)


def test_samples_as_often_as_probabilities_say(masks: np.ndarray) -> None:
    th.manual_seed(2)
    draws, logits = 40_000, th.randn(1, ACTIONS)
    distribution = legal(logits.expand(draws, -1), np.broadcast_to(masks[5], (draws, ACTIONS)))
    counts = np.bincount(distribution.sample().numpy(), minlength=ACTIONS)
    expected = MaskableCategorical(logits=logits, masks=masks[5:6]).probs[0].double().numpy() * draws
    assert counts[~masks[5]].sum() == 0
    seen = masks[5]
    chi_square = ((counts - expected)[seen] ** 2 / expected[seen]).sum()
    degrees = seen.sum() - 1
    assert abs(chi_square - degrees) < 4 * np.sqrt(2 * degrees)


def test_refuses_rows_without_actions_and_dense_masks(masks: np.ndarray) -> None:
    distribution = LegalActionsDistribution(ACTIONS).proba_distribution(th.zeros(ROWS, ACTIONS))
    ids = ids_from_masks(masks)
    ids[3] = -1
    with pytest.raises(ValueError, match="no legal action"):
        distribution.apply_masking(ids)
    with pytest.raises(ValueError, match="lists of ids"):
        distribution.apply_masking(masks)
    with pytest.raises(ValueError, match="on every call"):
        distribution.apply_masking(None)
