"""`solve`: find a solution of a puzzle with OR-tools CP-SAT, and check it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from blokus_env.puzzles.cp import Budget, Infeasible, OutOfTime, Progress, cp_model
from blokus_env.puzzles.packing_solver import fill
from blokus_env.puzzles.packing_state import PackingState
from blokus_env.puzzles.solo_solver import solve_layout
from blokus_env.puzzles.solo_state import SoloState
from blokus_env.puzzles.solution import Solution, check_solution
from blokus_env.puzzles.variants import Puzzle, puzzle

Status = Literal["solved", "impossible", "time limit"]
PLAYOUTS = 8  # games played at first in "solo", so that there is something to show when the time is over


@dataclass(frozen=True)
class Result:
    """What a search came to."""

    status: Status  # "impossible" is proved
    solution: Solution | None  # checked; where not solved, the best part of a solution, or None
    seconds: float

    @property
    def share(self) -> float:
        """Squares covered as a share of those of all pieces."""
        return self.solution.share if self.solution else 0.0


def solve(
    what: str | Puzzle | PackingState,
    no_edge_contact: bool | None = None,
    *,
    time_limit: float = 600.0,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Find a solution of a puzzle, or of a position of one without turns, and check it.

    Args:
        what: "solo", "tetromino", "pentomino", a `Puzzle`, or a `PackingState` from which to go on.
        no_edge_contact: P4, as in `puzzle`.
        time_limit: seconds.
        seed: other seeds give other solutions. With `workers=1` a seed always gives the same one, if the time suffices.
        workers: threads of CP-SAT; None: all cores.
        progress: is called with a line of text at each stage.

    Raises:
        ImportError: OR-tools is missing.
        ValueError: for an unknown puzzle, or options out of range.
    """
    if not time_limit > 0:
        raise ValueError(f"time_limit={time_limit!r}: expected a positive number of seconds")
    if workers is not None and workers < 1:
        raise ValueError(f"workers={workers!r}: expected a positive number, or None for all cores")
    if isinstance(what, PackingState):
        if no_edge_contact is not None and no_edge_contact != what.puzzle.no_edge_contact:
            raise ValueError("no_edge_contact contradicts the position: give it to PackingState")
        state: PackingState | None = what.copy()
    else:
        row = puzzle(what, no_edge_contact)
        state = None if row.in_turn else PackingState(row)
    cp_model()  # so that a missing library is told at once
    budget = Budget(time_limit, seed, workers, progress)
    return solo(budget) if state is None else packed(state, budget)


def packed(state: PackingState, budget: Budget) -> Result:
    """Solve a puzzle without turns from a position."""
    begun = Solution.from_state(state) if state.ply else None
    try:
        fill(state, budget)
    except Infeasible:
        return Result("impossible", begun, budget.seconds)
    except OutOfTime:
        return Result("time limit", begun, budget.seconds)
    return Result("solved", checked(Solution.from_state(state)), budget.seconds)


def solo(budget: Budget) -> Result:
    """Solve P1; when the time is over, the best of some games played by chance."""
    played = best_playout(budget.seed)
    budget.tell(f"best of {PLAYOUTS} games played by chance: {played.share:.1%} of the squares")
    try:
        found = Solution(played.puzzle, solve_layout(budget))
    except OutOfTime:
        return Result("time limit", checked(played), budget.seconds)
    return Result("solved", checked(found), budget.seconds)


def best_playout(seed: int) -> Solution:
    """The best of some games of the built-in opponent that places large pieces first."""
    from blokus_env.policies import policy

    rng, chooser = np.random.default_rng(seed), policy("largest")
    best: SoloState | None = None
    for _ in range(PLAYOUTS):
        state = SoloState()
        while not state.is_over:
            state.push(int(chooser.act(state.view(0), rng)))
        if best is None or state.squares_placed > best.squares_placed:
            best = state
    assert best is not None
    return Solution.from_state(best)


def checked(solution: Solution) -> Solution:
    """The solution, after `check_solution` has looked at it."""
    check_solution(solution, complete=solution.is_complete)
    return solution
