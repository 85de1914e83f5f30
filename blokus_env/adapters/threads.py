"""Kernels over parts of many games in several threads.

Plain threads over kernels that release the interpreter lock, not Numba's parallel loops: these cannot be mixed with
forks and with calls from several threads (GNU OpenMP kills a forked child, the work queue aborts). Here neither is a
problem. Threads start with the first call that needs them, in each process anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

LEAST = 64
"""Fewer games than this a thread are not worth a thread."""


class Threads:
    """Splits work on `count` rows among at most `number` threads."""

    def __init__(self, number: int = 1) -> None:
        if number < 1:
            raise ValueError(f"num_threads={number} is too small: expected at least 1")
        self.number = number
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def run(self, work: Callable[[int, slice], Any], count: int) -> None:
        """Call ``work(part, rows)`` for each part, 0 … number - 1, with its slice of the rows; returns when all end."""
        parts = min(self.number, count // LEAST)
        if parts <= 1:
            work(0, slice(0, count))
            return
        if self._pool is None or self._process != os.getpid():  # a forked child has no threads
            self._pool, self._process = ThreadPoolExecutor(self.number, "games"), os.getpid()
        ends = [count * part // parts for part in range(parts + 1)]
        running = [self._pool.submit(work, part, slice(ends[part], ends[part + 1])) for part in range(1, parts)]
        work(0, slice(0, ends[1]))
        for each in running:
            each.result()

    def __reduce__(self) -> tuple[Any, ...]:
        return Threads, (self.number,)
