"""Measurements of the rulesets of `blokus_env`."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np

from blokus_env import kernels
from blokus_env.adapters.aec import GameAECEnv
from blokus_env.batch import Batch, random_word_state
from blokus_env.environments import vector_env
from blokus_env.game import BlokusGame
from blokus_env.observation import observation_layout
from blokus_env.state import State
from blokus_env.tables import tables
from blokus_env.variants import VARIANTS, variant
from scripts.benchmark.measure import Benchmark, Measurement, Quantity, Work
from scripts.benchmark.python_loops import (
    from_ids,
    from_ids_after_last,
    from_mask,
    pettingzoo_moves,
    state_moves,
    vector_steps,
)

QUICK_VARIANTS = ("duo", "to_go", "classic")
QUICK_BATCHES = ("duo", "classic")
NUM_GAMES = 1024  # of a batch
MOST_LEGAL = 4096  # room for legal actions in the batch; about 2,500 is the most ever seen, at the start of Trigon
BATCHES: dict[str, dict[str, Any]] = {
    "batched": {},
    "batched_packed": {"mask": "packed"},
    "batched_dense": {"mask": "dense"},
    "batched_packed_obs": {"mask": "packed", "observe": True},
    "batched_dense_obs": {"mask": "dense", "observe": True},
}
FIRST_USE = "from blokus_env import State; s = State({!r}); s.push(int(s.legal_actions()[0]))"
PLAYS = {"aec": from_mask, "aec_ids": from_ids, "aec_last": from_ids_after_last}


def random_games(name: str) -> Work:
    """Whole games inside the kernel."""
    return kernel_games(kernels.random_games, tables(variant(name)))


def kernel_games(play: Callable[..., int], data: Any) -> Work:
    """Whole games of the ruleset with these tables, by its kernel `random_games`."""
    states, scratch, rng = data.new_states(1), data.new_scratch(), random_word_state(1)

    def work(count: int) -> int:
        play(data.record, states, scratch, rng, count)
        return count

    return work


def batched(name: str, mask: str = "none", observe: bool = False) -> Work:
    """Steps of a batch inside the kernel; `mask` is "none", "packed" or "dense"."""
    data = tables(variant(name))
    states, scratch, rng = data.new_states(NUM_GAMES), data.new_scratch(), random_word_state(1)
    no_ids, count = np.zeros((NUM_GAMES, 1), np.int32), np.zeros(NUM_GAMES, np.int32)
    kernels.reset_batch(data.record, states, scratch, np.arange(NUM_GAMES), no_ids, count)
    rows = {kind: NUM_GAMES if wanted else 0 for kind, wanted in [("ids", mask != "none"), ("observations", observe)]}
    ids = np.zeros((rows["ids"], 1 + MOST_LEGAL), np.int32)
    dense = np.zeros((NUM_GAMES if mask == "dense" else 0, data.num_actions), np.int8)
    packed = np.zeros((NUM_GAMES if mask == "packed" else 0, -(-data.num_actions // 8)), np.uint8)
    layout = observation_layout(data.variant)
    board = np.zeros((rows["observations"], layout.planes, layout.pixels), np.uint8)
    vector = np.zeros((rows["observations"], layout.numbers), np.uint8)

    def work(count: int) -> int:
        kernels.random_steps(data.record, states, scratch, rng, count, ids, dense, packed, board, vector)
        assert not len(ids) or ids[:, 0].max() < MOST_LEGAL
        return count * NUM_GAMES

    return work


def middle(name: str) -> State:
    """A state after some random plies."""
    state, rng = State(name), random.Random(3)
    for _ in range(4 * state.variant.num_colors):
        state.push(rng.choice(state.legal_actions().tolist()))
    return state


def pushes(name: str) -> Work:
    """`State.push` alone: the same action in copies of the same position."""
    state = middle(name)
    action = int(state.legal_actions()[0])

    def work(count: int) -> int:
        for _ in range(count):
            state.push(action)
            state._records, state.color, state.player = state._past.pop(), start[0], start[1]
            state._history.pop()
        return count

    start = state.color, state.player
    return work


def lists(name: str) -> Work:
    """`State.legal_actions` after a push."""
    state = middle(name)

    def work(count: int) -> int:
        for _ in range(count):
            state.legal_actions()
        return count

    return work


def vector(name: str, num_threads: int = 1) -> Work:
    """The Gymnasium vector environment against random opponents."""
    return vector_steps(vector_env(name, NUM_GAMES, mask_format="ids", num_threads=num_threads))


def state_bytes(name: str) -> float:
    """Bytes of one game's state."""
    return tables(variant(name)).state_dtype.itemsize


def big_batch_bytes(name: str, num_games: int = 65_536) -> float:
    """Megabytes of a batch with packed masks and observations, after some random steps."""
    batch, rng = Batch(name, num_games), random_word_state(1)
    games = batch.all_games
    for _ in range(6):
        batch.step(games, batch.random_actions(games, rng))
    observation = batch.observe(games)
    assert isinstance(observation, dict)
    arrays = [batch.packed_masks(games), *observation.values()]
    return (batch.nbytes + sum(array.nbytes for array in arrays)) / 1e6


def table_bytes(name: str) -> float:
    """Megabytes of a ruleset's tables in memory: those of the kernels and those of Python."""
    data = tables(variant(name))
    arrays = (value for value in vars(data).values() if isinstance(value, np.ndarray))
    return sum(array.nbytes for array in arrays) / 1e6


def table_seconds(name: str, cached: bool) -> float:
    """Seconds that a ruleset's tables take to load from the cache on disk, or to build in an empty one."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, BLOKUS_ENV_CACHE=folder),
        mock.patch("blokus_env.tables.announce"),  # nothing is compiled here
    ):
        found = []
        for _ in range(1 + cached):
            start = time.perf_counter()
            tables.__wrapped__(variant(name))
            found.append(time.perf_counter() - start)
    return found[-1]


def seconds_of(code: str) -> float:
    """Seconds that some code takes in a new Python process, the start of Python itself left out."""

    def run(text: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", text], check=True)
        return time.perf_counter() - start

    run(code)  # fills the cache
    return min(run(code) for _ in range(3)) - min(run("pass") for _ in range(3))


def measurements(everything: bool) -> list[Measurement]:
    """All of them, or those of the first rulesets alone."""
    found: list[Measurement] = []
    names = tuple(VARIANTS) if everything else QUICK_VARIANTS

    def add(
        what: str,
        name: str,
        unit: str,
        make: Callable[..., Work],
        clock: Callable[[], float] = time.process_time,
        **options: Any,
    ) -> None:
        found.append(Benchmark(f"{what}/{name}", unit, lambda: make(name, **options), clock))

    def add_quantity(what: str, unit: str, value: Callable[..., float], *of: Any) -> None:
        found.append(Quantity(what, unit, lambda: value(*of)))

    for name in names:
        add("random_games", name, "games/s", random_games)
    for name in names if everything else QUICK_BATCHES:
        for what, options in BATCHES.items():
            add(what, name, "steps/s", batched, **options)
    for name in names:
        add("state", name, "steps/s", lambda name: state_moves(lambda: State(name)))
    for name in names:
        for what, choose in PLAYS.items():
            add(what, name, "steps/s", lambda name, choose: pettingzoo_moves(_raw(name), choose), choose=choose)
    for name in QUICK_BATCHES:
        add("push", name, "calls/s", pushes)
        add("legal_actions", name, "calls/s", lists)
        add("vector", name, "steps/s", vector)
        if everything:
            for threads in (1, 2):
                what = f"vector_{threads}_threads"
                add(what, name, "steps/s", vector, clock=time.perf_counter, num_threads=threads)
    if everything:
        for name in names:
            add_quantity(f"bytes/{name}", "bytes", state_bytes, name)
            add_quantity(f"tables/{name}", "MB", table_bytes, name)
            add_quantity(f"tables_build/{name}", "s", table_seconds, name, False)
            add_quantity(f"tables_load/{name}", "s", table_seconds, name, True)
        add_quantity("games_65536/duo", "MB", big_batch_bytes, "duo")
        add_quantity("import", "s", seconds_of, "import blokus_env")
        for name in QUICK_BATCHES:
            add_quantity(f"first_use/{name}", "s", seconds_of, FIRST_USE.format(name))
    return found


def _raw(name: str) -> GameAECEnv:
    return GameAECEnv(BlokusGame(name))
