"""Speed of everything on one core, beside other environments measured in the same run.

`python -m scripts.benchmark [--quick] [--only PATTERN] [--json FILE]`. CPU time of this process, best and median of
five after a warm-up. Names:

* `random_games/V`  whole uniformly random games inside the kernel
* `batched/V`       1,024 games in lockstep with immediate reset, actions drawn inside the kernel, which writes nothing
  (no list of legal actions is made); `batched_packed/V` writes packed action masks after each step, `batched_dense/V`
  dense ones, `batched_dense_obs/V` dense ones and the compact observation
* `state/V`         `State.legal_actions` and `State.push`, called from Python
* `aec/V`           the raw PettingZoo environment, the action drawn from the mask of `observe(agent)`; `aec_ids/V`
  draws it from `legal_actions(agent)` and makes no observation
* `peer/NAME`       other environments in exactly the loop of `aec/V`, where they are installed; `peer_games/NAME` whole
  games in that loop
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import platform
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from blokus_env import kernels
from blokus_env.adapters.aec import GameAECEnv
from blokus_env.batch import random_word_state
from blokus_env.game import BlokusGame
from blokus_env.observation import observation_layout
from blokus_env.state import State
from blokus_env.tables import tables
from blokus_env.variants import VARIANTS, variant

REPEATS = 5
QUICK_VARIANTS = ("duo", "to_go", "classic")
NUM_GAMES = 1024  # of the batch
MOST_LEGAL = 2048  # room for legal actions in the batch; about 1,000 is the most ever seen


Work = Callable[[int], int]  # does something `count` times, returns how many units that were


@dataclass(frozen=True)
class Benchmark:
    """Something to measure: `make` builds it anew and may raise ImportError where a package is missing."""

    name: str
    unit: str
    make: Callable[[], Work]


@dataclass(frozen=True)
class Row:
    """A result: units per second of CPU time."""

    name: str
    best: float
    median: float
    unit: str


# --- what is measured ---------------------------------------------------------------------------------------------


def random_games(name: str) -> Work:
    """Whole games inside the kernel."""
    data = tables(variant(name))
    states, scratch, rng = data.new_states(1), data.new_scratch(), random_word_state(1)

    def work(count: int) -> int:
        kernels.random_games(data.record, states, scratch, rng, count)
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
        assert not len(ids) or ids[:, 0].max() <= MOST_LEGAL
        return count * NUM_GAMES

    return work


def state_moves(name: str) -> Work:
    """Random play through `State`: the list of legal actions, one push."""
    rng = random.Random(1)

    def work(count: int) -> int:
        moves = 0
        while moves < count:
            state = State(name)
            while not state.is_over:
                legal = state.legal_actions()
                state.push(legal[int(rng.random() * len(legal))])
                moves += 1
        return moves

    return work


def from_mask(env: Any, agent: str) -> Any:
    """Legal actions by the mask in the observation, as every PettingZoo environment of this kind gives them."""
    mask = env.observe(agent)[
        "action_mask"
    ]  # one byte an action everywhere; `nonzero` is 30 × faster on bool than on int8
    return mask.view(np.bool_).nonzero()[0]


def from_ids(env: Any, agent: str) -> Any:
    """Legal actions by the method that this project adds; no observation is made."""
    return env.legal_actions(agent)


def play(env: Any, rng: random.Random, legal_actions: Callable[[Any, str], Any]) -> int:
    """One whole random game in a PettingZoo environment; the number of moves."""
    env.reset()
    moves = 0
    while env.agents:
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            env.step(None)
            continue
        legal = legal_actions(env, agent)
        env.step(int(legal[int(rng.random() * len(legal))]))
        moves += 1
    return moves


def pettingzoo_moves(env: Any, legal_actions: Callable[[Any, str], Any] = from_mask) -> Work:
    """Moves of random games in a raw PettingZoo environment."""
    rng = random.Random(1)

    def work(count: int) -> int:
        moves = 0
        while moves < count:
            moves += play(env, rng, legal_actions)
        return moves

    return work


def pettingzoo_games(env: Any) -> Work:
    """Whole random games in a raw PettingZoo environment."""
    rng = random.Random(1)

    def work(count: int) -> int:
        for _ in range(count):
            play(env, rng, from_mask)
        return count

    return work


def peer(module: str, function: str) -> Any:
    """Another package's environment."""
    return getattr(import_module(module), function)()


def all_benchmarks(everything: bool = True) -> list[Benchmark]:
    """The benchmarks in the order of the report: of all rulesets, or of the first ones alone."""
    found: list[Benchmark] = []
    names = tuple(VARIANTS) if everything else QUICK_VARIANTS

    def add(name: str, unit: str, make: Callable[..., Work], *arguments: Any) -> None:
        found.append(Benchmark(name, unit, lambda: make(*arguments)))

    for name in names:
        add(f"random_games/{name}", "games/s", random_games, name)
    for name in names if everything else ("duo", "classic"):
        add(f"batched/{name}", "steps/s", batched, name)
        add(f"batched_packed/{name}", "steps/s", batched, name, "packed")
        add(f"batched_dense/{name}", "steps/s", batched, name, "dense")
        add(f"batched_dense_obs/{name}", "steps/s", batched, name, "dense", True)
    for name in names:
        add(f"state/{name}", "steps/s", state_moves, name)
    for name in names:
        add(f"aec/{name}", "steps/s", lambda name: pettingzoo_moves(GameAECEnv(BlokusGame(name))), name)
        add(f"aec_ids/{name}", "steps/s", lambda name: pettingzoo_moves(GameAECEnv(BlokusGame(name)), from_ids), name)
    peers = {
        "chess": ("pettingzoo.classic.chess_v6", "raw_env"),
        "connect_four": ("pettingzoo.classic.connect_four_v3", "raw_env"),
        "blokus-rl": ("blokus_rl", "BlokusEnv"),
    }
    for name, place in peers.items():
        add(f"peer/{name}", "steps/s", lambda *place: pettingzoo_moves(peer(*place)), *place)
    add("peer_games/blokus-rl", "games/s", lambda *place: pettingzoo_games(peer(*place)), *peers["blokus-rl"])
    return found


# --- measuring ----------------------------------------------------------------------------------------------------


def measure(benchmark: Benchmark, seconds: float) -> Row:
    """Best and median of some runs, each about as long as asked for."""
    work = benchmark.make()
    work(1)  # compiles
    count, elapsed = 1, 0.0
    while elapsed < seconds / 8:
        start = time.process_time()
        work(count)
        elapsed = time.process_time() - start
        grow = 8.0 if elapsed <= 0 else min(8.0, seconds / elapsed)
        count = max(count, round(count * grow))
    speeds = []
    for _ in range(REPEATS):
        start = time.process_time()
        units = work(count)
        speeds.append(units / (time.process_time() - start))
    return Row(benchmark.name, max(speeds), statistics.median(speeds), benchmark.unit)


def machine() -> str:
    """What this ran on."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = (line.split(":", 1) for line in info.read_text().splitlines() if line.startswith("model name"))
        model = next((name.strip() for _, name in lines), model)
    packages = ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy", "pettingzoo"))
    return f"{model}, one core, Python {platform.python_version()}, {packages}"


# --- reporting ----------------------------------------------------------------------------------------------------


def with_peers(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """The lines of the table: name, best, median, unit, and how many times faster than each peer (medians)."""
    peers = {row.name: row for row in rows if row.name.startswith("peer")}
    lines: list[tuple[str, ...]] = []
    for row in rows:
        ratios = [
            f"{row.median / other.median:,.1f} × {name.split('/')[1]}"
            for name, other in peers.items()
            if other.unit == row.unit and row.name not in peers
        ]
        lines.append((row.name, f"{row.best:,.0f}", f"{row.median:,.0f}", row.unit, ", ".join(ratios)))
    return lines


HEADER = ("name", "best", "median", "unit", "median against peers of this run")


def print_table(lines: Sequence[Sequence[str]]) -> None:
    """With rich if it is installed and somebody looks, else plain."""
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        Console = None  # type: ignore[assignment, misc]
    if Console is not None and Console().is_terminal:
        table = Table(*HEADER)
        for line in lines:
            table.add_row(*line)
        Console().print(table)
        return
    widths = [max(map(len, column)) for column in zip(HEADER, *lines, strict=True)]
    for line in (HEADER, *lines):
        cells = (f"{cell:{side}{width}}" for cell, side, width in zip(line, "<>><<", widths, strict=True))
        print("  ".join(cells).rstrip())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m scripts.benchmark", description="Speed on one core, with peers.")
    parser.add_argument("--quick", action="store_true", help="short runs: under 45 seconds once compiled")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="names to run, as in random_games/* or *duo*")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the rows there")
    options = parser.parse_args(arguments)
    chosen = [
        benchmark for benchmark in all_benchmarks(not options.quick) if fnmatch.fnmatch(benchmark.name, options.only)
    ]
    if not chosen:
        names = ", ".join(benchmark.name for benchmark in all_benchmarks())
        parser.error(f"no name matches {options.only!r}: choose among {names}")
    print(machine())
    rows = []
    for benchmark in chosen:
        try:
            rows.append(measure(benchmark, 0.15 if options.quick else 1.0))
        except ImportError as error:
            print(f"{benchmark.name} left out: {error}")
    print_table(with_peers(rows))
    print("Peers are played from Python as aec/V is; what exceeds its ratios is what a kernel or a batch saves.")
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        content = [{**asdict(row), "machine": machine()} for row in rows]
        options.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
