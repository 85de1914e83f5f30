"""Measurements of Blockers.

Rulesets are `blockers_2`, `blockers_3`, `blockers_4` and `blockers_5` (so many players with one color each) and
`blockers_two_colors`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from blockers_env import kernels
from blockers_env.game import BlockersGame
from blockers_env.observation import board_plane_names, vector_names
from blockers_env.state import State, random_word_state
from blockers_env.tables import tables
from blockers_env.tiles import NUM_SQUARES
from blockers_env.variants import Options
from blokus_env.adapters.aec import GameAECEnv
from scripts.benchmark.blokus import BATCHES, NUM_GAMES, PLAYS, kernel_games
from scripts.benchmark.measure import Benchmark, Measurement, Quantity, Work
from scripts.benchmark.python_loops import pettingzoo_moves, state_moves

RULESETS: dict[str, Options] = {
    **{f"blockers_{players}": Options(num_players=players) for players in (2, 3, 4, 5)},
    "blockers_two_colors": Options(num_players=2, two_colors=True),
}
QUICK_RULESETS = ("blockers_2",)


def random_games(options: Options) -> Work:
    """Whole games inside the kernel."""
    return kernel_games(kernels.random_games, tables(options))


def batched(options: Options, mask: str = "none", observe: bool = False) -> Work:
    """Steps of a batch inside the kernel; `mask` is "none", "packed" or "dense"."""
    data = tables(options)
    states, scratch, rng = data.new_states(NUM_GAMES), data.new_scratch(), random_word_state(1)
    every, count = np.arange(NUM_GAMES), np.zeros(NUM_GAMES, np.int32)
    first = np.zeros((NUM_GAMES, data.most_legal), np.int16)
    kernels.reset_batch(data.record, states, scratch, rng, every, first, count)
    ids = np.concatenate([count[:, None].astype(np.int16), first], axis=1)[: None if mask != "none" else 0]
    dense = np.zeros((NUM_GAMES if mask == "dense" else 0, data.num_actions), np.int8)
    packed = np.zeros((NUM_GAMES if mask == "packed" else 0, -(-data.num_actions // 8)), np.uint8)
    seen = NUM_GAMES if observe else 0
    board = np.zeros((seen, len(board_plane_names(options)), NUM_SQUARES), np.uint8)
    vector = np.zeros((seen, len(vector_names(options))), np.uint8)

    def work(count: int) -> int:
        kernels.random_steps(data.record, states, scratch, rng, count, ids, dense, packed, board, vector)
        return count * NUM_GAMES

    return work


def state_bytes(options: Options) -> float:
    """Bytes of one game's state."""
    return tables(options).new_states(1).nbytes


def measurements(everything: bool) -> list[Measurement]:
    """All of them, or the speed of whole games with two players alone."""
    found: list[Measurement] = []

    def add(what: str, unit: str, make: Callable[..., Work], **how: Any) -> None:
        for name, row in RULESETS.items():
            if everything or name in QUICK_RULESETS:
                found.append(Benchmark(f"{what}/{name}", unit, _bound(make, row, how)))

    add("random_games", "games/s", random_games)
    if not everything:
        return found
    for what, options in BATCHES.items():
        add(what, "steps/s", batched, **options)
    add("state", "steps/s", lambda row: state_moves(lambda: State(row)))
    for what, choose in PLAYS.items():
        add(what, "steps/s", lambda row, choose: pettingzoo_moves(_raw(row), choose), choose=choose)
    for name, row in RULESETS.items():
        found.append(Quantity(f"bytes/{name}", "bytes", _bound(state_bytes, row, {})))
    return found


def _raw(options: Options) -> GameAECEnv:
    return GameAECEnv(BlockersGame(options))


def _bound(make: Callable[..., Any], row: Options, how: dict[str, Any]) -> Callable[[], Any]:
    return lambda: make(row, **how)
