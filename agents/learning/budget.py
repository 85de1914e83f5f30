"""How long to learn: minutes of wall or CPU time, or steps; and a learning rate that falls over that."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

UNITS = ("minutes", "cpu_minutes", "timesteps")


@dataclass
class Spent:
    """What learning has taken so far; evaluations are not counted."""

    minutes: float = 0.0
    cpu_minutes: float = 0.0
    timesteps: float = 0.0


@dataclass
class Budget:
    """An amount of one of `UNITS`. Time counts between `start` and `stop`, but for what is `paused`."""

    unit: str
    amount: float
    spent: Spent = field(default_factory=Spent)
    running: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if self.unit not in UNITS or self.amount <= 0:
            raise ValueError(f"a budget is more than nothing of {', '.join(UNITS)}; got {self.amount} {self.unit}")

    def start(self) -> None:
        """Let time count."""
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        self.running = True

    def stop(self) -> None:
        """Let time count no more."""
        self.update()
        self.running = False

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Time inside does not count."""
        self.update()
        try:
            yield
        finally:
            self.start()

    def update(self, timesteps: int | None = None) -> None:
        """Count the time since the last update, and take the number of steps."""
        if self.running:
            wall, cpu = time.perf_counter(), time.process_time()
            self.spent.minutes += (wall - self._wall) / 60
            self.spent.cpu_minutes += (cpu - self._cpu) / 60
            self._wall, self._cpu = wall, cpu
        if timesteps is not None:
            self.spent.timesteps = timesteps

    @property
    def fraction(self) -> float:
        """The share that is spent, 0 … 1, as of the last update."""
        return min(1.0, float(getattr(self.spent, self.unit)) / self.amount)

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return self.fraction >= 1


@dataclass
class FallingRate:
    """A learning rate that falls linearly over the budget, from `first` to `last`; SB3's own progress is not used."""

    budget: Budget
    first: float
    last: float

    def __call__(self, progress_remaining: float) -> float:
        """The rate now."""
        return self.first + (self.last - self.first) * self.budget.fraction
