"""What a network must know of a game, as plain arrays: where placements lie and how the board turns.

The layout is saved inside a model, so that a model can be loaded without asking the game again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from blokus_env.game import BlokusGame
from blokus_env.observation import vector_names

OWN, CORNER = 0, 1  # roles of a cell in a footprint


@dataclass(frozen=True)
class BoardLayout:
    """Where each action lies, as the mover sees it.

    A *view* is one of the board's turns that some color needs; view 0 belongs to color 0.
    """

    game: str
    num_actions: int
    num_colors: int
    height: int
    width: int
    num_planes: int  # C of the compact observation {"board": [C, H, W], "pieces": [V]}
    vector_size: int  # V
    first_color: int  # where in the vector the one-hot color of the mover begins
    orientation_cells: tuple[NDArray[np.int8], ...]  # per orientation [k, 2]
    color_view: NDArray[np.int64]  # [colors]
    cell_index: NDArray[np.int64]  # [views, cells]: the board's cell that is seen at a cell of the view
    placements: NDArray[np.int16]  # [views, A, 3]: orientation, row, column in the view

    @classmethod
    def of(cls, game: BlokusGame) -> BoardLayout:
        """The layout of a game on squares with a compact observation. Raises ValueError for others."""
        space = game.observation_space
        if not isinstance(space, spaces.Dict) or set(space.spaces) != {"board", "pieces"}:
            raise ValueError(f'{game.name}: a placement policy needs the game with observation="compact"')
        image = game.variant.board.image
        if not image.is_full or len(game.variant.board.lattice.plane_names) != 1:
            raise ValueError(f"{game.name}: a placement policy knows boards of squares only")
        planes, height, width = _shape(space["board"])
        turns = [int(game.rotations(color)) for color in range(game.variant.num_colors)]
        views = list(dict.fromkeys(turns))
        return cls(
            game=game.name,
            num_actions=int(game.num_actions),
            num_colors=len(turns),
            height=height,
            width=width,
            num_planes=planes,
            vector_size=_shape(space["pieces"])[0],
            first_color=vector_names(game.variant).index("color_0"),
            orientation_cells=tuple(np.asarray(cells, np.int8) for cells in game.orientation_cells),
            color_view=np.array([views.index(turn) for turn in turns], np.int64),
            cell_index=np.stack([turned_cells(height, width, turn) for turn in views]),
            placements=np.stack([game.action_image[game.rotated_actions(turn)] for turn in views]).astype(np.int16),
        )

    @property
    def num_cells(self) -> int:
        """Cells of the board."""
        return self.height * self.width

    @property
    def num_orientations(self) -> int:
        """Orientations of all pieces."""
        return len(self.orientation_cells)

    def footprints(self) -> NDArray[np.int64]:
        """Cells that each placement covers and touches at corners, int64[views, A, k].

        An entry is `2 * cell + role` (OWN or CORNER). Rows are filled with the cell `num_cells`, beyond the board.
        """
        own = [{(int(row), int(column)) for row, column in cells} for cells in self.orientation_cells]
        parts = (self._located(own) * 2 + OWN, self._located([corner_cells(cells) for cells in own]) * 2 + CORNER)
        return np.concatenate(parts, axis=2)

    def _located(self, cells: Sequence[Iterable[tuple[int, int]]]) -> NDArray[np.int64]:
        """Cells int64[views, A, k] of all placements, from those of each orientation at the origin."""
        beyond = self.height + self.width
        size = max(len(list(each)) for each in cells)
        offsets = np.full((len(cells), size, 2), beyond, np.int64)
        for row, each in zip(offsets, cells, strict=True):
            row[: len(list(each))] = sorted(each)
        placements = self.placements.astype(np.int64)
        located = placements[:, :, None, 1:] + offsets[placements[:, :, 0]]  # [views, A, k, 2]
        row, column = located[..., 0], located[..., 1]
        inside = (row >= 0) & (row < self.height) & (column >= 0) & (column < self.width)
        return np.where(inside, row * self.width + column, self.num_cells)


def turned_cells(height: int, width: int, turns: int) -> NDArray[np.int64]:
    """The cell (int64[cells]) that comes to lie at each cell when the board is turned clockwise."""
    return np.ascontiguousarray(np.rot90(np.arange(height * width).reshape(height, width), -turns)).ravel()


def corner_cells(own: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Cells that touch a placement at a corner, but at no edge."""
    edges = {(r + dr, c + dc) for r, c in own for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    diagonals = {(r + dr, c + dc) for r, c in own for dr in (-1, 1) for dc in (-1, 1)}
    return diagonals - edges - own


def _shape(space: spaces.Space[Any]) -> tuple[int, ...]:
    assert space.shape is not None
    return space.shape
