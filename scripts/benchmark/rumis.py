"""Measurements of Rumis on the Tower: `rumis_2`, `rumis_3` and `rumis_4`, by the number of players."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from blokus_env.adapters.aec import GameAECEnv
from blokus_env.rumis import kernels
from blokus_env.rumis.game import RumisGame
from blokus_env.rumis.state import State
from blokus_env.rumis.tables import tables
from blokus_env.rumis.variants import PLAYERS, Options
from scripts.benchmark.blokus import PLAYS, kernel_games
from scripts.benchmark.measure import Benchmark, Measurement, Quantity, Work
from scripts.benchmark.python_loops import pettingzoo_moves, state_moves

RULESETS = {f"rumis_{players}": Options(num_players=players) for players in PLAYERS}


def measurements(everything: bool) -> list[Measurement]:
    """All of them; none of the quick ones."""
    found: list[Measurement] = []

    def add(what: str, unit: str, make: Callable[[Options], Work]) -> None:
        found.extend(Benchmark(f"{what}/{name}", unit, _bound(make, row)) for name, row in RULESETS.items())

    if not everything:
        return found
    add("random_games", "games/s", lambda row: kernel_games(kernels.random_games, tables(row)))
    add("state", "steps/s", lambda row: state_moves(lambda: State(row)))
    for what, choose in PLAYS.items():
        add(what, "steps/s", partial(_pettingzoo, choose))
    for name, row in RULESETS.items():
        found.append(Quantity(f"bytes/{name}", "bytes", _bound(lambda row: tables(row).new_states(1).nbytes, row)))
    return found


def _pettingzoo(choose: Callable[..., Any], row: Options) -> Work:
    return pettingzoo_moves(GameAECEnv(RumisGame(row)), choose)


def _bound(make: Callable[[Options], Any], row: Options) -> Callable[[], Any]:
    return lambda: make(row)
