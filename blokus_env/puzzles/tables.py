"""From a puzzle to the arrays that the kernels read."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blokus_env.geometry import Orientation, SquareLattice, neighbors, orientations
from blokus_env.pieces import Cell
from blokus_env.puzzles.variants import Puzzle


@dataclass(frozen=True, eq=False)
class PuzzleTables:
    """All placements of a puzzle's pieces, in the order of orientation, row and column; `A` of them."""

    puzzle: Puzzle
    orientations: tuple[Orientation, ...]
    orientation: NDArray[np.int64]  # [A]
    row: NDArray[np.int64]  # [A] of the origin, 0 = top
    column: NDArray[np.int64]  # [A] of the origin
    kind: NDArray[np.int16]  # [A] index of the piece
    cells: NDArray[np.int16]  # [A, S] row · width + column; the last one repeated
    around: NDArray[np.int16]  # [A, E] cells that the placement forbids to its color besides; own cells where none
    size: NDArray[np.int64]  # [K] squares of a kind of piece

    @property
    def num_placements(self) -> int:
        """Placements on the empty board, of one color."""
        return len(self.kind)

    def placement_cells(self, placement: int) -> tuple[Cell, ...]:
        """The (row, column) cells of a placement, sorted."""
        row, column = int(self.row[placement]), int(self.column[placement])
        return tuple((row + dr, column + dc) for dr, dc in self.orientations[self.orientation[placement]].cells)

    @functools.cached_property
    def placement_by_cells(self) -> dict[tuple[Cell, ...], int]:
        """The placement that covers exactly these (sorted) cells."""
        return {self.placement_cells(placement): placement for placement in range(self.num_placements)}

    @functools.cached_property
    def counts(self) -> NDArray[np.uint8]:
        """Pieces of each color at the start, uint8 [C, K]."""
        variant = self.puzzle.variant
        return np.tile(np.array(variant.piece_counts, np.uint8), (variant.num_colors, 1))


@functools.cache
def puzzle_tables(puzzle: Puzzle) -> PuzzleTables:
    """The tables of a puzzle."""
    variant = puzzle.variant
    board = variant.board
    oriented = [(k, o) for k, piece in enumerate(variant.pieces) for o in orientations(board.lattice, piece.cells)]
    placed = [(i, origin) for i, (_, o) in enumerate(oriented) for origin in board.placements(o)]
    forbids_edges = "edge" in variant.contact.forbids
    edges = [edge_cells(o) if forbids_edges else set() for _, o in oriented]
    cells, around = [], []
    for i, (row, column) in placed:
        own = [(row + dr) * board.width + column + dc for dr, dc in oriented[i][1].cells]
        beside = [(row + dr, column + dc) for dr, dc in sorted(edges[i]) if (row + dr, column + dc) in board.cell_set]
        cells.append(own)
        around.append([r * board.width + c for r, c in beside] or own[:1])
    return PuzzleTables(
        puzzle=puzzle,
        orientations=tuple(o for _, o in oriented),
        orientation=np.array([i for i, _ in placed], np.int64),
        row=np.array([row for _, (row, _) in placed], np.int64),
        column=np.array([column for _, (_, column) in placed], np.int64),
        kind=np.array([oriented[i][0] for i, _ in placed], np.int16),
        cells=padded(cells),
        around=padded(around),
        size=np.array([piece.size for piece in variant.pieces], np.int64),
    )


def edge_cells(orientation: Orientation) -> set[Cell]:
    """The cells that share an edge with a piece on squares, relative to its origin."""
    offsets, _ = neighbors(SquareLattice(), 0, 0)
    own = set(orientation.cells)
    return {(row + dr, column + dc) for row, column in own for dr, dc in offsets} - own


def padded(rows: list[list[int]]) -> NDArray[np.int16]:
    """Rows of equal width, the last entry repeated: int16 [rows, longest]."""
    width = max(map(len, rows))
    return np.array([[*row, *row[-1:] * (width - len(row))] for row in rows], np.int16)
