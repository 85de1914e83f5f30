"""What a measurement is, and how it is made."""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

REPEATS = 5
Work = Callable[[int], int]  # does something `count` times, returns how many units that were


@dataclass(frozen=True)
class Row:
    """A result: units per second of CPU time, or a quantity."""

    name: str
    best: float
    median: float
    unit: str


@dataclass(frozen=True)
class Benchmark:
    """Something to measure: `make` builds it anew and may raise ImportError where a package is missing."""

    name: str
    unit: str
    make: Callable[[], Work]
    clock: Callable[[], float] = time.process_time

    def run(self, seconds: float) -> Row:
        """Best and median speed of some runs, each about as long as asked for."""
        work = self.make()
        work(1)  # compiles
        count, elapsed = 1, 0.0
        while elapsed < seconds / 8:
            start = self.clock()
            work(count)
            elapsed = self.clock() - start
            grow = 8.0 if elapsed <= 0 else min(8.0, seconds / elapsed)
            count = max(count, round(count * grow))
        speeds = []
        for _ in range(REPEATS):
            start = self.clock()
            units = work(count)
            speeds.append(units / (self.clock() - start))
        return Row(self.name, max(speeds), statistics.median(speeds), self.unit)


@dataclass(frozen=True)
class Quantity:
    """Something that is looked up or timed once rather than repeated: bytes, seconds."""

    name: str
    unit: str
    value: Callable[[], float]

    def run(self, seconds: float) -> Row:
        """The value, of which less is better."""
        value = self.value()
        return Row(self.name, value, value, self.unit)


Measurement = Benchmark | Quantity


def machine() -> str:
    """What this ran on."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = (line.split(":", 1) for line in info.read_text().splitlines() if line.startswith("model name"))
        model = next((name.strip() for _, name in lines), model)
    packages = ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy", "pettingzoo"))
    return f"{model}, one core, Python {platform.python_version()}, {packages}"
