"""Measurements of what training needs besides the environment, beside sb3-contrib's parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from blokus_env.variants import variant
from scripts.benchmark.measure import Benchmark, Measurement, Quantity, Work

ROWS, LEGAL = 64, 300  # of a batch of logits
STEPS, ENVS = 2048, 8  # of a rollout
MOST_LEGAL = 600  # of the lists in that rollout


def logits_and_ids(num_actions: int) -> tuple[Any, Any]:
    """Logits float32 [ROWS, A] and legal ids int32 [ROWS, LEGAL]."""
    rng = np.random.default_rng(0)
    ids = np.sort(np.stack([rng.choice(num_actions, LEGAL, replace=False) for _ in range(ROWS)]), axis=1)
    return rng.normal(size=(ROWS, num_actions)).astype(np.float32), ids.astype(np.int32)


def sample_numpy(num_actions: int) -> Work:
    """Actions and their log-probabilities by `sampling`."""
    from blokus_env.adapters import sampling

    logits, ids = logits_and_ids(num_actions)
    rng = np.random.default_rng(0)
    return _repeat(lambda: sampling.log_probs(logits, ids, sampling.sample_actions(logits, ids, rng)))


def sample_torch(num_actions: int) -> Work:
    """The same by `sampling_torch`."""
    import torch

    from blokus_env.adapters.sampling_torch import LegalActions

    torch.set_num_threads(1)
    logits, ids = (torch.from_numpy(array) for array in logits_and_ids(num_actions))

    def draw() -> None:
        legal = LegalActions(ids.long(), logits.gather(1, ids.long()))
        legal.log_prob(legal.sample())

    return _repeat(draw)


def sample_stock(num_actions: int) -> Work:
    """The same by sb3-contrib's distribution over all actions."""
    import torch
    from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

    torch.set_num_threads(1)
    logits, ids = logits_and_ids(num_actions)
    masks = np.zeros(logits.shape, np.bool_)
    np.put_along_axis(masks, ids.astype(np.int64), True, 1)
    distribution, tensor = MaskableCategoricalDistribution(num_actions), torch.from_numpy(logits)

    def draw() -> None:
        distribution.proba_distribution(tensor)
        distribution.apply_masking(masks)
        distribution.log_prob(distribution.sample())

    return _repeat(draw)


def mask_megabytes(name: str, kind: str) -> float:
    """Megabytes of the masks in a rollout buffer: "ids", "packed", or sb3-contrib's own for "stock"."""
    from gymnasium import spaces
    from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

    from agents.learning.buffers import IdRolloutBuffer, PackedRolloutBuffer
    from blokus_env.tables import tables

    num_actions = tables(variant(name)).num_actions
    if kind == "stock":
        return STEPS * ENVS * num_actions * np.dtype(np.float32).itemsize / 1e6  # allocates as much at once
    make: type[MaskableRolloutBuffer] = IdRolloutBuffer if kind == "ids" else PackedRolloutBuffer
    space = spaces.Box(0, 1, (1,), np.uint8)
    buffer = make(STEPS, space, spaces.Discrete(num_actions), device="cpu", n_envs=ENVS)
    if kind == "ids":
        row = np.zeros((ENVS, MOST_LEGAL), np.int32)
        _add(buffer, row)
    return float(buffer.action_masks.nbytes / 1e6)


def _add(buffer: Any, masks: Any) -> None:
    import torch

    zeros = np.zeros(ENVS, np.float32)
    value = torch.zeros(ENVS)
    buffer.add(np.zeros((ENVS, 1), np.uint8), zeros[:, None], zeros, zeros, value, value, action_masks=masks)


def numpy_loop() -> Work:
    """A fixed piece of NumPy work, by which machines and moments may be compared."""
    values = np.random.default_rng(0).random((64, 256))

    def work(count: int) -> int:
        for _ in range(count):
            order = np.argsort(values, axis=1)
            np.take_along_axis(values, order, 1).cumsum(1)
        return count

    return work


def measurements(everything: bool) -> list[Measurement]:
    """All of them, or the fixed loop alone."""
    found: list[Measurement] = [Benchmark("numpy", "loops/s", numpy_loop)]
    if not everything:
        return found

    def add(name: str, make: Callable[[int], Work], num_actions: int) -> None:
        found.append(Benchmark(f"{name}/{num_actions}", "rows/s", lambda: make(num_actions)))

    def add_masks(what: str, name: str, kind: str) -> None:
        found.append(Quantity(f"{what}/{name}", "MB", lambda: mask_megabytes(name, kind)))

    for num_actions in (13_729, 30_433):
        add("sample", sample_numpy, num_actions)
        add("sample_torch", sample_torch, num_actions)
        add("peer_sample", sample_stock, num_actions)
    for name in ("duo", "classic"):
        add_masks("masks_ids", name, "ids")
        add_masks("masks", name, "packed")
        add_masks("peer_masks", name, "stock")
    return found


def _repeat(draw: Callable[[], Any]) -> Work:
    def work(count: int) -> int:
        for _ in range(count):
            draw()
        return count * ROWS

    return work
