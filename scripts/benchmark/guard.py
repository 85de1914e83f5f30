"""A guard for continuous integration: speeds as multiples of a fixed NumPy loop, which no slow machine changes much."""

from __future__ import annotations

import json
from pathlib import Path

from scripts.benchmark import blokus, learning

GUARDED = ("random_games/duo", "random_games/classic", "batched_dense_obs/duo", "state/duo", "aec/duo", "vector/duo")
FLOOR = 0.5  # share of the kept ratio below which the guard fails


def ratios(seconds: float = 0.3) -> dict[str, float]:
    """Best speed of each guarded row over that of the NumPy loop, measured before and after it."""
    found = {}
    loop = learning.measurements(everything=False)[0]
    for benchmark in blokus.measurements(everything=False):
        if benchmark.name in GUARDED:
            before, row, after = loop.run(seconds), benchmark.run(seconds), loop.run(seconds)
            found[row.name] = row.best / max(before.best, after.best)
    return found


def check(path: Path) -> int:
    """Compare with the ratios in a file; prints them, returns 1 if one has fallen below FLOOR of what it was."""
    kept: dict[str, float] = json.loads(path.read_text())
    status = 0
    for name, ratio in ratios().items():
        share = ratio / kept[name]
        verdict = "ok" if share >= FLOOR else f"TOO SLOW: less than {FLOOR:.0%} of what it was"
        print(f"{name:28} {ratio:12,.1f} × the NumPy loop, {share:5.0%} of {kept[name]:,.1f}  {verdict}")
        status = status or int(share < FLOOR)
    return status


def keep(path: Path) -> None:
    """Write the ratios of this moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({name: round(ratio, 1) for name, ratio in ratios().items()}, indent=1) + "\n")
