"""OR-tools CP-SAT for the solvers: loaded when it is needed, with one clear error where it is missing."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

Progress = Callable[[str], None]


class Infeasible(Exception):
    """It is proved that there is no solution."""


class OutOfTime(Exception):
    """The time limit is over."""


def cp_model() -> ModuleType:
    """The module of CP-SAT. Raises ImportError that says how to get it."""
    try:
        return importlib.import_module("ortools.sat.python.cp_model")
    except ImportError as error:
        raise ImportError('solving puzzles needs OR-tools: pip install "blokus-env[puzzles]"') from error


@dataclass
class Budget:
    """What a search may use: seconds, threads, chance, and whom it tells how it gets on.

    A search of one worker is the same each time unless a time limit cuts it short; several race each other.
    """

    time_limit: float
    seed: int = 0
    workers: int | None = None  # None: all cores
    progress: Progress | None = None
    start: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Seconds used so far."""
        return time.monotonic() - self.start

    @property
    def left(self) -> float:
        """Seconds left."""
        return self.time_limit - self.seconds

    def tell(self, text: str) -> None:
        """Report progress."""
        if self.progress is not None:
            self.progress(f"{self.seconds:6.1f} s  {text}")

    def run(self, model: Any, seed: int, at_most: float | None = None, workers: int | None = None) -> Any:
        """Solve a model for `at_most` seconds; returns the solver, to ask for values.

        Raises `Infeasible` or `OutOfTime`.
        """
        module = cp_model()
        seconds = min(self.left, self.left if at_most is None else at_most)
        if seconds <= 0:
            raise OutOfTime
        solver = module.CpSolver()
        solver.parameters.random_seed = seed % 2**31
        solver.parameters.num_workers = workers or self.workers or 0
        solver.parameters.max_time_in_seconds = seconds
        status = solver.solve(model)
        if status == module.INFEASIBLE:
            raise Infeasible
        if status not in (module.OPTIMAL, module.FEASIBLE):
            if status == module.MODEL_INVALID:
                raise RuntimeError(f"CP-SAT calls the model invalid: {model.validate()}")
            raise OutOfTime
        return solver
