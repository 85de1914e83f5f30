"""Filling a board with the pieces of all colors (P2 … P4).

First the board is tiled with pieces without colors, then the pieces get colors. An empty board that falls into equal
strips with the pieces of one color each (as four rectangles of the twelve pentominoes, P3) is tiled strip by strip, and
then shuffled: a patch of pieces is taken out and tiled in another way, again and again, until nothing of the strips is
left. Small boards and other positions are tiled as a whole, which also proves that there is no solution. Where the
colors of a tiling can't be told apart as P4 wants, another one is tried.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blokus_env.puzzles import kernels
from blokus_env.puzzles.cp import Budget, Infeasible, OutOfTime, cp_model
from blokus_env.puzzles.packing_state import PackingState
from blokus_env.puzzles.tables import PuzzleTables

Mask = NDArray[np.bool_]  # [H·W] cells
Tiling = list[int]  # placements

PATCH = 10  # pieces that are tiled anew at once
ROUNDS = 60  # such patches, before a tiling made of strips counts as shuffled
FEW_ROUNDS = 15  # … before another try of colors


def fill(state: PackingState, budget: Budget) -> None:
    """Place all pieces that are left.

    Raises `Infeasible` or `OutOfTime`; the state may then have changed.
    """
    for tiling in tilings(state, budget):
        colors = coloring(state, tiling, budget)
        if colors is None:
            budget.tell("no way to color this tiling")
            continue
        for placement, color in zip(tiling, colors, strict=True):
            state.push(color * state.tables.num_placements + placement)
        return
    raise Infeasible


def tilings(state: PackingState, budget: Budget) -> Iterator[Tiling]:
    """One tiling of the empty cells after another. Ends when it is proved that there are no more."""
    empty = state.board().ravel() == kernels.EMPTY
    counts = state.hand.sum(axis=0).astype(np.int64)
    if state.ply == 0 and state.puzzle.num_pieces >= 2 * PATCH:
        found = by_strips(state, budget)
        if found is not None:
            rng = random.Random(budget.seed)
            found = shuffled(state.tables, found, rng, budget, ROUNDS)
            while True:
                yield found
                found = shuffled(state.tables, found, rng, budget, FEW_ROUNDS)
    known: list[Tiling] = []
    while True:
        budget.tell(f"tiling of {int(empty.sum())} cells")
        try:
            known.append(tile(state.tables, empty, counts, budget, seed=budget.seed + len(known), known=known))
        except Infeasible:
            return
        yield known[-1]


def tile(
    tables: PuzzleTables,
    cells: Mask,
    counts: NDArray[np.int64],
    budget: Budget,
    seed: int,
    known: Sequence[Tiling] = (),
    at_most: float | None = None,
    workers: int | None = None,
) -> Tiling:
    """Cover cells exactly with pieces, `counts` int64 [K] of each kind; not as in one of the tilings known already.

    Raises `Infeasible` or `OutOfTime`.
    """
    if not cells.any():
        if known:
            raise Infeasible
        return []
    model = cp_model().CpModel()
    inside = np.flatnonzero(cells[tables.cells].all(axis=1) & (counts[tables.kind] > 0)).tolist()
    chosen = {placement: model.new_bool_var("") for placement in inside}
    covering: dict[int, list[Any]] = {cell: [] for cell in np.flatnonzero(cells).tolist()}
    of_kind: dict[int, list[Any]] = {kind: [] for kind in np.flatnonzero(counts).tolist()}
    for placement, variable in chosen.items():
        for cell in set(tables.cells[placement].tolist()):
            covering[cell].append(variable)
        of_kind[int(tables.kind[placement])].append(variable)
    for variables in covering.values():
        model.add_exactly_one(variables)
    for kind, variables in of_kind.items():
        model.add(sum(variables) == int(counts[kind]))
    for tiling in known:
        if all(placement in chosen for placement in tiling):
            model.add_bool_or([chosen[placement].negated() for placement in tiling])
    solver = budget.run(model, seed, at_most, workers)
    return [placement for placement, variable in chosen.items() if solver.boolean_value(variable)]


def by_strips(state: PackingState, budget: Budget) -> Tiling | None:
    """A tiling of the board in equal strips, in each the pieces of one color; None where that does not work."""
    variant, tables = state.variant, state.tables
    counts = tables.counts[0].astype(np.int64)
    rows, columns = np.indices((variant.height, variant.width))
    for across, length in ((columns, variant.width), (rows, variant.height)):
        if length % variant.num_colors:
            continue
        strip_of = (across // (length // variant.num_colors)).ravel()
        found: Tiling = []
        try:
            for strip in range(variant.num_colors):
                budget.tell(f"strip {strip + 1} of {variant.num_colors}")
                found += tile(tables, strip_of == strip, counts, budget, seed=budget.seed * variant.num_colors + strip)
        except Infeasible:
            continue
        return found
    return None


def shuffled(tables: PuzzleTables, tiling: Tiling, rng: random.Random, budget: Budget, rounds: int) -> Tiling:
    """Another tiling of the same cells with the same pieces: patches of it are tiled anew, for half the time left."""
    budget.tell(f"shuffling: {rounds} patches")
    enough = budget.left / 2
    variant = tables.puzzle.variant
    num_cells = variant.height * variant.width
    for _ in range(rounds):
        if budget.left <= enough:
            break
        row, column = rng.uniform(0, variant.height), rng.uniform(0, variant.width)

        def distance(placement: int, row: float = row, column: float = column) -> float:
            cells = tables.cells[placement].astype(np.int64)
            return float(np.hypot(cells // variant.width - row, cells % variant.width - column).mean())

        nearest = sorted(tiling, key=distance)[:PATCH]
        cells = np.zeros(num_cells, np.bool_)
        cells[tables.cells[nearest]] = True
        counts = np.bincount(tables.kind[nearest], minlength=len(tables.size)).astype(np.int64)
        try:
            patch = tile(tables, cells, counts, budget, rng.randrange(2**31), [nearest], at_most=2.0, workers=1)
        except (Infeasible, OutOfTime):
            continue
        tiling = [placement for placement in tiling if placement not in nearest] + patch
    return tiling


def coloring(state: PackingState, tiling: Tiling, budget: Budget) -> list[int] | None:
    """A color for each placement, such that each color has the pieces for it, and P4 holds if it is in force.

    Where it is not, it holds all the same if it can: pieces are then easily told apart. None if there is no coloring.
    """
    found = _coloring(state, tiling, budget, apart=True)
    if found is None and not state.puzzle.no_edge_contact:
        found = _coloring(state, tiling, budget, apart=False)
    return found


def _coloring(state: PackingState, tiling: Tiling, budget: Budget, apart: bool) -> list[int] | None:
    """A coloring, with colors kept `apart` at edges or not."""
    tables, hand = state.tables, state.hand
    colors = range(state.variant.num_colors)
    kinds = [int(tables.kind[placement]) for placement in tiling]
    model = cp_model().CpModel()
    has = [[model.new_bool_var("") for _ in colors] for _ in tiling]
    for i, placement in enumerate(tiling):
        model.add_exactly_one(has[i])
        for color in colors:
            if not state.is_legal(color * tables.num_placements + placement):
                model.add(has[i][color] == 0)
    for kind in set(kinds):
        for color in colors:
            model.add(sum(has[i][color] for i in range(len(tiling)) if kinds[i] == kind) == int(hand[color, kind]))
    for i, j in touching(tables, tiling) if apart else []:
        for color in colors:
            model.add_at_most_one([has[i][color], has[j][color]])
    try:
        solver = budget.run(model, budget.seed)
    except Infeasible:
        return None
    return [next(color for color in colors if solver.boolean_value(has[i][color])) for i in range(len(tiling))]


def touching(tables: PuzzleTables, tiling: Tiling) -> list[tuple[int, int]]:
    """The pairs of a tiling's placements, by their index, that share an edge."""
    cells = [set(tables.placement_cells(placement)) for placement in tiling]
    beside = [{(r + dr, c + dc) for r, c in own for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))} for own in cells]
    return [(i, j) for j in range(len(tiling)) for i in range(j) if beside[i] & cells[j]]
