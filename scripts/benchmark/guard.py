"""A guard for continuous integration: speeds as multiples of a fixed NumPy loop, which no slow machine changes much."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from scripts.benchmark import blockers, blokus, learning

GUARDED = (
    "random_games/duo",
    "random_games/classic",
    "batched_dense_obs/duo",
    "state/duo",
    "aec/duo",
    "vector/duo",
    "random_games/blockers_2",
)
FLOOR = 0.5  # share of the kept ratio below which the guard fails
ATTEMPTS = 3  # a busy machine may spoil one


def ratios(names: Collection[str] = GUARDED, seconds: float = 0.3) -> dict[str, float]:
    """Best speed of each named row over that of the NumPy loop, measured before and after it."""
    found = {}
    loop = learning.measurements(everything=False)[0]
    for benchmark in [*blokus.measurements(everything=False), *blockers.measurements(everything=False)]:
        if benchmark.name in names:
            before, row, after = loop.run(seconds), benchmark.run(seconds), loop.run(seconds)
            found[row.name] = row.best / max(before.best, after.best)
    return found


def check(path: Path) -> int:
    """Compare with the ratios in a file; prints them, returns 1 if one stays below FLOOR of what it was."""
    kept: dict[str, float] = json.loads(path.read_text())
    slow: Collection[str] = kept
    for _ in range(ATTEMPTS):
        found = ratios(slow)
        slow = [name for name, ratio in found.items() if ratio < FLOOR * kept[name]]
        for name, ratio in found.items():
            share = ratio / kept[name]
            verdict = f"TOO SLOW: less than {FLOOR:.0%} of what it was" if name in slow else "ok"
            print(f"{name:28} {ratio:12,.2f} × the NumPy loop, {share:5.0%} of {kept[name]:,.2f}  {verdict}")
        if not slow:
            return 0
    return 1


def keep(path: Path) -> None:
    """Write the ratios of this moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({name: round(ratio, 2) for name, ratio in ratios().items()}, indent=1) + "\n")
