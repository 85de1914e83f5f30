"""Choosing among legal actions against the plain formula over all actions."""

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategorical

from blokus_env.adapters import sampling

ROWS, ACTIONS = 40, 301


@pytest.fixture
def dense():
    rng = np.random.default_rng(0)
    dense = rng.random((ROWS, ACTIONS)) < rng.random((ROWS, 1)) * 0.4
    dense[np.arange(ROWS), rng.integers(ACTIONS, size=ROWS)] = True
    dense[0] = np.arange(ACTIONS) == ACTIONS - 1  # one legal action, the last bit
    dense[1] = True
    return dense


@pytest.fixture
def logits(dense):
    values = np.random.default_rng(1).normal(size=dense.shape).astype(np.float32) * 5
    return np.where(dense, values, np.nan)  # illegal logits are never read


def as_ids(dense, dtype=np.int32):
    out = np.full((len(dense), max(1, dense.sum(1).max())), -1, dtype)
    for row, mask in zip(out, dense, strict=True):
        row[: mask.sum()] = np.flatnonzero(mask)
    return out


def as_bits(dense):
    return np.packbits(dense, axis=1, bitorder="little")


FORMS = {"ids": as_ids, "bits": as_bits, "short ids": lambda dense: as_ids(dense, np.int16)}


@pytest.mark.parametrize("form", FORMS)
def test_ids_of_all_forms(dense, form):
    assert np.array_equal(sampling.legal_ids(FORMS[form](dense)), as_ids(dense))


@pytest.mark.parametrize("form", FORMS)
def test_best_action_and_log_probabilities(dense, logits, form):
    masks = FORMS[form](dense)
    plain = np.where(dense, logits, -np.inf).astype(np.float64)
    shifted = plain - plain.max(1, keepdims=True)
    expected = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    best = sampling.best_actions(logits, masks)
    assert best.dtype == np.int32 and np.array_equal(best, plain.argmax(1))
    for actions in (best, sampling.random_actions(masks, np.random.default_rng(3))):
        rows = np.arange(ROWS)
        assert np.allclose(sampling.log_probs(logits, masks, actions), expected[rows, actions], atol=1e-6)
    stock = MaskableCategorical(logits=torch.from_numpy(np.nan_to_num(logits)), masks=dense)
    theirs = stock.log_prob(torch.from_numpy(best)).numpy()
    assert np.allclose(sampling.log_probs(logits, masks, best), theirs, atol=1e-5)


@pytest.mark.parametrize("uniform", [True, False])
@pytest.mark.parametrize("form", FORMS)
def test_draws_follow_the_probabilities(dense, logits, form, uniform):
    draws, row, rng = 60_000, 5, np.random.default_rng(4)
    masks = FORMS[form](np.broadcast_to(dense[row], (draws, ACTIONS)))
    small = np.where(dense[row], logits[row] / 5, np.nan)  # no probability is tiny
    many = np.broadcast_to(small, (draws, ACTIONS))
    drawn = sampling.random_actions(masks, rng) if uniform else sampling.sample_actions(many, masks, rng)
    counts = np.bincount(drawn, minlength=ACTIONS)
    weight = np.where(dense[row], 1.0 if uniform else np.exp(small), 0.0)
    expected = weight / weight.sum() * draws
    assert counts[~dense[row]].sum() == 0
    chi_square = ((counts - expected)[dense[row]] ** 2 / expected[dense[row]]).sum()
    degrees = dense[row].sum() - 1
    assert abs(chi_square - degrees) < 4 * np.sqrt(2 * degrees)


def test_large_logits_do_not_overflow():
    logits, masks = np.array([[1e4, 1e4 - 1, -1e4]]), np.array([[0, 1, 2]])
    expected = -np.log1p(np.exp(-1.0))
    assert sampling.log_probs(logits, masks, np.array([0]))[0] == pytest.approx(expected)
    assert sampling.sample_actions(logits, masks, np.random.default_rng(0))[0] in (0, 1)


def test_bad_input_is_refused(dense, logits):
    ids, rng = as_ids(dense), np.random.default_rng(0)
    ids[3] = -1
    for call in (
        lambda: sampling.random_actions(ids, rng),
        lambda: sampling.best_actions(logits, ids),
        lambda: sampling.sample_actions(logits, ids, rng),
    ):
        with pytest.raises(ValueError, match="row 3 has no legal action"):
            call()
    with pytest.raises(ValueError, match="row 0: action 1 is not among the legal ones"):
        sampling.log_probs(logits, as_ids(dense), np.ones(ROWS, int))
    with pytest.raises(ValueError, match="bool"):
        sampling.legal_ids(dense)
    with pytest.raises(ValueError, match="those of 5 actions"):
        sampling.best_actions(np.zeros((ROWS, 5)), as_ids(dense))
    with pytest.raises(ValueError, match="must be float32"):
        sampling.best_actions(np.zeros((ROWS, ACTIONS), int), as_ids(dense))
