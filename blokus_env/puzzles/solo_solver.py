"""All 84 pieces on the board of Classic by the rules of the game (P1).

Only layouts that a quarter turn of the board maps onto themselves are looked at: it takes blue's pieces to yellow's,
yellow's to red's, and so on. So one color is searched for instead of four, and the cells fall into 100 orbits of four,
each of which that color may use once: 21 pieces of 89 squares on 100 orbits.

Before the search a random order of the pieces is drawn, the single square last. Each piece must touch an own piece
before it at a corner (B5), so the order is an order of play: in round t each color places the t-th piece. An order for
which nothing is found within `ATTEMPT` seconds is given up for another one. That no layout of this kind is found proves
nothing about others.
"""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from blokus_env.geometry import neighbors, orientations
from blokus_env.pieces import Cell
from blokus_env.puzzles.cp import Budget, Infeasible, OutOfTime, cp_model
from blokus_env.puzzles.solution import Move
from blokus_env.puzzles.variants import SOLO

ATTEMPT = 240.0  # seconds for one order of the pieces
MIXING = 2.5  # how far smaller pieces may come before larger ones in the order, in squares

Cells = frozenset[Cell]
BOARD = SOLO.variant.board
PIECES = SOLO.variant.pieces
CORNER = (0, 0)  # where the searched color starts


def solve_layout(budget: Budget) -> tuple[Move, ...]:
    """The 84 moves of a solution. Raises `OutOfTime`."""
    attempt = 0
    while budget.left > 0:
        rng = random.Random(f"{budget.seed} {attempt}")
        order = sorted(range(len(PIECES)), key=lambda k: -PIECES[k].size + MIXING * rng.random())
        single = next(k for k, piece in enumerate(PIECES) if piece.size == 1)
        order.remove(single)
        order.append(single)
        budget.tell(f"order {attempt + 1} of the pieces: {' '.join(PIECES[k].name for k in order)}")
        try:
            return moves(_Model(order).solve(budget, budget.seed + attempt))
        except (Infeasible, OutOfTime):
            attempt += 1
    raise OutOfTime


def turned(cell: Cell) -> Cell:
    """Where a clockwise quarter turn of the board takes a cell."""
    return cell[1], BOARD.height - 1 - cell[0]


def orbit(cell: Cell) -> tuple[Cell, ...]:
    """The four cells that quarter turns make of one; the same tuple for all four."""
    cells = [cell]
    for _ in range(3):
        cells.append(turned(cells[-1]))
    first = cells.index(min(cells))
    return tuple(cells[first:] + cells[:first])


def moves(layout: list[Cells]) -> tuple[Move, ...]:
    """From one color's pieces in order of play, those of all colors in turn."""
    found: list[Move] = []
    for cells in layout:
        for color in range(SOLO.variant.num_colors):
            found.append((color, tuple(sorted(cells))))
            cells = frozenset(map(turned, cells))
    return tuple(found)


class _Model:
    """The layout of one color as a model for CP-SAT.

    `chosen[p]`: placement p is used. `own[cell]`: the color covers the cell. `before[t, cell]`: one of its first t
    pieces does.
    """

    def __init__(self, order: list[int]) -> None:
        self.order = order
        self.model: Any = cp_model().CpModel()
        self.placements = _placements(order)
        self.chosen = [self.model.new_bool_var("") for _ in self.placements]
        self.covering: dict[tuple[int, Cell], list[Any]] = defaultdict(list)  # (turn, cell) → placements
        for (turn, cells), variable in zip(self.placements, self.chosen, strict=True):
            for cell in cells:
                self.covering[turn, cell].append(variable)
        self.before = self._cells_before()
        self.own = {cell: self.before[len(order), cell] for cell in BOARD.cell_set}
        self._use_each_piece_and_orbit_once()
        self._touch_as_the_rules_want()

    def solve(self, budget: Budget, seed: int) -> list[Cells]:
        """The cells of each piece in order of play. Raises `Infeasible` or `OutOfTime`."""
        solver = budget.run(self.model, seed, ATTEMPT)
        used = [p for p, variable in zip(self.placements, self.chosen, strict=True) if solver.boolean_value(variable)]
        return [cells for _, cells in sorted(used, key=lambda placement: placement[0])]

    def _cells_before(self) -> dict[tuple[int, Cell], Any]:
        before: dict[tuple[int, Cell], Any] = {}
        for cell in BOARD.cell_set:
            for turn in range(1, len(self.order) + 1):
                covered = [before[turn - 1, cell]] if turn > 1 else []
                variable = before[turn, cell] = self.model.new_bool_var("")
                self.model.add_exactly_one([*covered, *self.covering[turn - 1, cell], variable.negated()])
        return before

    def _use_each_piece_and_orbit_once(self) -> None:
        for turn in range(len(self.order)):
            of_turn = [v for (t, _), v in zip(self.placements, self.chosen, strict=True) if t == turn]
            self.model.add_exactly_one(of_turn)
        turns = range(len(self.order))
        for cells in {orbit(cell) for cell in BOARD.cell_set}:
            self.model.add_at_most_one([self.own[cell] for cell in cells])
            self.model.add_at_most_one([v for turn in turns for cell in cells for v in self.covering[turn, cell]])

    def _touch_as_the_rules_want(self) -> None:
        for (turn, cells), variable in zip(self.placements, self.chosen, strict=True):
            edge, corner = _around(cells)
            for cell in edge:
                self.model.add_implication(variable, self.own[cell].negated())
            if turn:
                self.model.add_bool_or([variable.negated(), *(self.before[turn, cell] for cell in corner)])


def _placements(order: list[int]) -> list[tuple[int, Cells]]:
    """(turn, cells) of all placements that use no orbit twice; the first piece, and it alone, on the start corner."""
    found = []
    for turn, kind in enumerate(order):
        for orientation in orientations(BOARD.lattice, PIECES[kind].cells):
            for row, column in BOARD.placements(orientation):
                cells = frozenset((row + dr, column + dc) for dr, dc in orientation.cells)
                starts_here = not cells.isdisjoint(orbit(CORNER))
                wanted = CORNER in cells if turn == 0 else not starts_here
                if wanted and len({orbit(cell) for cell in cells}) == len(cells):
                    found.append((turn, cells))
    return found


def _around(cells: Cells) -> tuple[list[Cell], list[Cell]]:
    """The cells of the board that share an edge with a piece, and those that just share a corner point."""
    edge_offsets, corner_offsets = _OFFSETS
    edge = {(r + dr, c + dc) for r, c in cells for dr, dc in edge_offsets} & BOARD.cell_set - cells
    corner = {(r + dr, c + dc) for r, c in cells for dr, dc in corner_offsets} & BOARD.cell_set - cells - edge
    return sorted(edge), sorted(corner)


_OFFSETS = neighbors(BOARD.lattice, 0, 0)
