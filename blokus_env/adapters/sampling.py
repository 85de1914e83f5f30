"""Choosing among legal actions, for NumPy arrays: uniformly, by arg-max, or by the softmax of logits.

`masks` are what batched environments give: padded ids, int16, int32 or int64 [B, K], legal ids first and then -1, or
packed bits, uint8 [B, ceil(A / 8)], bit order little. `logits` are float32 or float64 [B, A]; only those of legal
actions are read, so illegal ones may be anything, NaN too. The work of a row grows with its legal actions, not with A.
Sums are in float64. `sampling_torch` has the same for tensors with gradients.

Functions raise ``ValueError`` for a row without a legal action, for masks of another kind, and for actions that are not
legal where that matters.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

NO_ACTION = -1
"""What fills the rows of padded ids."""


def legal_ids(masks: NDArray[Any]) -> NDArray[np.signedinteger[Any]]:
    """Padded ids int [B, K] of masks in either form; ids are returned as they are."""
    if masks.ndim == 2 and masks.dtype == np.uint8:
        counts = np.bitwise_count(masks).sum(1, dtype=np.int64)
        out = np.full((len(masks), max(1, int(counts.max(initial=0)))), NO_ACTION, np.int32)
        _write_ids(masks, out)
        return out
    if masks.ndim == 2 and masks.dtype in (np.int16, np.int32, np.int64):
        return masks
    raise ValueError(
        f"masks {masks.dtype}{list(masks.shape)} are neither padded ids (int32[B, K]) nor packed bits (uint8[B, A / 8])"
    )


def random_actions(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int32]:
    """A uniformly random legal action of each row, int32 [B]."""
    ids = legal_ids(masks)
    return _checked(_uniform(ids, rng.random(len(ids))))


def best_actions(logits: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.int32]:
    """The legal action with the highest logit of each row (the lowest id of several), int32 [B]."""
    ids = legal_ids(masks)
    return _checked(_argmax(_logits(logits, ids), ids))


def sample_actions(logits: NDArray[Any], masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int32]:
    """An action of each row drawn from the softmax of its legal logits, by inverting the cumulative sum; int32 [B]."""
    ids = legal_ids(masks)
    return _checked(_sample(_logits(logits, ids), ids, rng.random(len(ids))))


def log_probs(logits: NDArray[Any], masks: NDArray[Any], actions: NDArray[Any]) -> NDArray[np.float64]:
    """Log-probabilities float64 [B] of `actions` int [B] under the softmax of the legal logits."""
    ids = legal_ids(masks)
    out: NDArray[np.float64] = _log_probs(_logits(logits, ids), ids, np.asarray(actions, np.int64))
    if np.isnan(out).any():
        row = int(np.flatnonzero(np.isnan(out))[0])
        raise ValueError(f"row {row}: action {int(actions[row])} is not among the legal ones, or its logits are NaN")
    return out


def _logits(logits: NDArray[Any], ids: NDArray[Any]) -> NDArray[Any]:
    if logits.ndim != 2 or len(logits) != len(ids) or logits.dtype not in (np.float32, np.float64):
        raise ValueError(f"logits {logits.dtype}{list(logits.shape)} must be float32 or float64 [{len(ids)}, A]")
    if ids.max(initial=NO_ACTION) >= logits.shape[1]:
        raise ValueError(f"masks have action {int(ids.max())}, but logits are those of {logits.shape[1]} actions")
    return logits


def _checked(actions: NDArray[np.int32]) -> NDArray[np.int32]:
    if (actions == NO_ACTION).any():
        raise ValueError(f"row {int(np.flatnonzero(actions == NO_ACTION)[0])} has no legal action")
    return actions


@njit(cache=True, nogil=True)
def _write_ids(masks, out):  # type: ignore[no-untyped-def]
    for row in range(len(masks)):
        n = 0
        for place in range(masks.shape[1]):
            byte = masks[row, place]
            if byte == 0:
                continue
            for bit in range(8):
                if (byte >> bit) & 1:
                    out[row, n] = 8 * place + bit
                    n += 1


@njit(cache=True, nogil=True)
def _count(ids):  # type: ignore[no-untyped-def]
    """How many entries of a row come before the padding, by halving."""
    low, high = 0, len(ids)
    while low < high:
        middle = (low + high) // 2
        if ids[middle] < 0:
            high = middle
        else:
            low = middle + 1
    return low


@njit(cache=True, nogil=True)
def _uniform(ids, draws):  # type: ignore[no-untyped-def]
    out = np.full(len(ids), NO_ACTION, np.int32)
    for row in range(len(ids)):
        n = _count(ids[row])
        if n:
            out[row] = ids[row, min(int(draws[row] * n), n - 1)]
    return out


@njit(cache=True, nogil=True)
def _argmax(logits, ids):  # type: ignore[no-untyped-def]
    out = np.full(len(ids), NO_ACTION, np.int32)
    for row in range(len(ids)):
        best = -np.inf
        for k in range(_count(ids[row])):
            value = logits[row, ids[row, k]]
            if value > best or k == 0:
                best = value
                out[row] = ids[row, k]
    return out


@njit(cache=True, nogil=True)
def _highest(logits, ids, n):  # type: ignore[no-untyped-def]
    highest = -np.inf
    for k in range(n):
        highest = max(highest, np.float64(logits[ids[k]]))
    return highest


@njit(cache=True, nogil=True)
def _sample(logits, ids, draws):  # type: ignore[no-untyped-def]
    out = np.full(len(ids), NO_ACTION, np.int32)
    cumulative = np.empty(ids.shape[1])
    for row in range(len(ids)):
        n = _count(ids[row])
        if n == 0:
            continue
        highest = _highest(logits[row], ids[row], n)
        total = 0.0
        for k in range(n):
            total += np.exp(logits[row, ids[row, k]] - highest)
            cumulative[k] = total
        place = np.searchsorted(cumulative[:n], draws[row] * total, side="right")
        out[row] = ids[row, min(place, n - 1)]
    return out


@njit(cache=True, nogil=True)
def _log_probs(logits, ids, actions):  # type: ignore[no-untyped-def]
    out = np.full(len(ids), np.nan)
    for row in range(len(ids)):
        n = _count(ids[row])
        highest = _highest(logits[row], ids[row], n)
        total = 0.0
        found = False
        for k in range(n):
            total += np.exp(logits[row, ids[row, k]] - highest)
            found = found or ids[row, k] == actions[row]
        if found:
            out[row] = logits[row, actions[row]] - highest - np.log(total)
    return out
