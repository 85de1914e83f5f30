"""What `blokus-env puzzle` does: describe a puzzle, or solve it. Loads nothing heavy before it is needed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from blokus_env.puzzles.variants import Puzzle

if TYPE_CHECKING:
    from blokus_env.puzzles.packing_state import PackingState
    from blokus_env.puzzles.solo_state import SoloState

TIME_LIMIT = 600.0  # seconds


def describe(row: Puzzle, svg: Path | None, say: Callable[[str], object]) -> None:
    """Tell the task, the rules' numbers and the pieces, and show the empty board."""
    variant = row.variant
    say(f"{row.title}: {row.task}")
    say(f"rules {', '.join(row.rules)}; Gymnasium {row.gymnasium_id}")
    if row.no_edge_contact:
        say("Pieces of equal color must not share an edge.")
    pieces = ", ".join(
        f"{count} × {name}" if count > 1 else name
        for name, count in zip(variant.piece_names, variant.piece_counts, strict=True)
    )
    say(f"each of {', '.join(variant.color_names)}: {pieces}")
    say(f"{row.num_squares} squares on {row.num_cells} cells, {row.spare} stay empty")
    say("--solve looks for a solution.\n")
    show(empty(row), svg, say)


def solve_and_show(
    row: Puzzle, time_limit: float, seed: int, workers: int | None, svg: Path | None, say: Callable[[str], object]
) -> bool:
    """Solve a puzzle, with progress on standard error; returns whether it was solved.

    Raises ImportError and ValueError as `solver.solve` does.
    """
    from blokus_env.puzzles.solver import solve

    def progress(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    result = solve(row, time_limit=time_limit, seed=seed, workers=workers, progress=progress)
    solution = result.solution
    if result.status == "solved":
        say(f"solved in {result.seconds:.1f} s and checked: all {row.num_pieces} pieces, {row.num_squares} squares")
    elif result.status == "impossible":
        say(f"proved in {result.seconds:.1f} s: there is no solution")
    else:
        best = f"the best so far covers {result.share:.1%} of the squares" if solution else "nothing was found"
        say(f"not solved within {time_limit:g} s: {best}")
    if solution is not None:
        show(solution.to_state(), svg, say)
    return result.status == "solved"


def empty(row: Puzzle) -> PackingState | SoloState:
    """The puzzle at its start."""
    from blokus_env.puzzles.packing_state import PackingState
    from blokus_env.puzzles.solo_state import SoloState

    return SoloState() if row.in_turn else PackingState(row)


def show(state: PackingState | SoloState, svg: Path | None, say: Callable[[str], object]) -> None:
    """The board as text, and as SVG into a file if one is given."""
    from blokus_env.puzzles import render

    say(render.ansi(state))
    if svg is not None:
        svg.write_text(render.svg(state), encoding="utf-8")
