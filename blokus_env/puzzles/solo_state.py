"""The solo game (P1) on the way: `SoloState()` is a `State` whose four colors one player moves in turn."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from blokus_env.adapters.protocol import Observation
from blokus_env.game import BlokusGame, BlokusPosition
from blokus_env.pieces import Cell
from blokus_env.puzzles import kernels
from blokus_env.puzzles.dead_ends import REASONS
from blokus_env.puzzles.tables import puzzle_tables
from blokus_env.puzzles.variants import SOLO, Puzzle


@functools.cache
def solo_game(start: str | None = None, scoring: str | None = None, observation: str = "planes") -> BlokusGame:
    """The ruleset behind the puzzle: Classic for one player."""
    return BlokusGame(SOLO.variant, start, scoring, observation)


class SoloState(BlokusPosition):
    """All 84 pieces on the 20 × 20 board by the rules of the game (P1).

    A `State` in all else: actions are Classic's, colors move in turn, a color without a placement is skipped for good.

    Args:
        start: "any_corner" or "fixed" (B4).
        scoring: "advanced" or "basic", what `scores` counts; it does not matter to the puzzle.
        observation: "planes" or "compact", what `observe` gives, relative to the color to move.
    """

    __slots__ = ()

    def __init__(self, start: str | None = None, scoring: str | None = None, observation: str = "planes") -> None:
        super().__init__(solo_game(start, scoring, observation))

    @property
    def puzzle(self) -> Puzzle:
        """The row of the registry."""
        return SOLO

    @property
    def num_actions(self) -> int:
        """Placements of one color."""
        return self.tables.num_actions

    @property
    def is_solved(self) -> bool:
        """Whether every piece of every color is placed."""
        return not self.records["left"].any()

    @property
    def squares_placed(self) -> int:
        """Squares covered so far."""
        return int(np.count_nonzero(self.records["board"] >= 0))

    @property
    def singles_last(self) -> int:
        """How many colors have placed all their pieces, the single square last."""
        finished = ~self.records["left"][0].any(axis=1)
        return sum(bool(finished[c]) and bool(int(self.records["single_last"][0]) >> c & 1) for c in range(4))

    def action_colors(self) -> list[int]:
        """The color of each action played so far."""
        return [int(record["turn"][0]) for record in self._past]

    def action_of(self, color: int, cells: tuple[Cell, ...]) -> int:
        """The action that covers these cells."""
        return self.tables.action_by_cells[tuple(sorted(cells))]

    def dead_end(self) -> str | None:
        """Why it is proved that not all pieces can be placed any more; None where nothing is proved."""
        for color, name in enumerate(self.color_names):  # a color without a placement never has one again (B6)
            if self.left(color) and (self.is_over or self.is_blocked(color) or not len(self.legal_actions(color))):
                return f"{name} can place nothing more"
        tables, left = puzzle_tables(SOLO), np.ascontiguousarray(self.records["left"][0])
        found = kernels.dead_end(
            tables.cells, tables.kind, tables.size, self._forbidden(), left, self.variant.width, SOLO.spare
        )
        return REASONS[found]

    def _forbidden(self) -> NDArray[np.uint8]:
        """Bit c: color c may not use the cell; uint8 [H·W]."""
        on_board = self.tables.record["row_start"][0][:, None] + np.arange(self.variant.width)
        cells: NDArray[np.uint8] = self.records["cell"][0][on_board].reshape(-1)
        return cells & np.uint8((1 << self.variant.num_colors) - 1)

    def observe(self, player: int = 0) -> Observation:
        """What is seen, in the game's observation space; relative to the color to move."""
        return super().observe(player)

    def render(self, mode: str, player: int | None = None) -> str | NDArray[np.uint8]:
        """The board as text ("ansi"), picture ("rgb_array", uint8 [height, width, 3]) or drawing ("svg")."""
        from blokus_env.puzzles.render import render

        return render(self, mode)

    def __str__(self) -> str:
        from blokus_env.puzzles.render import ansi

        return ansi(self)

    def _repr_svg_(self) -> str:
        from blokus_env.puzzles.render import svg

        return svg(self)
