"""What a network must know of a game, as plain arrays: where actions lie on the board and how the board turns.

The layout is saved inside a model, so that a model can be loaded without asking the game again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from blokus_env.adapters.protocol import Game
from blokus_env.game import BlokusGame
from blokus_env.observation import vector_names

OWN, CORNER = 0, 1  # roles of a pixel in a footprint
NOWHERE = -1  # fills the rows of footprints


class PlacementGame(Protocol):
    """What a layout is made from: a game whose actions each stand at a place of an image of the board."""

    @property
    def name(self) -> str:
        """Such as "duo"."""
        ...

    @property
    def num_actions(self) -> int:
        """A."""
        ...

    @property
    def observation_space(self) -> spaces.Space[Any]:
        """Dict of "board" [C, H, W] and "pieces" [V]."""
        ...

    @property
    def action_image(self) -> NDArray[np.int64]:
        """Plane, row and column of each action, int64[A, 3]."""
        ...

    @property
    def orientation_cells(self) -> Sequence[NDArray[np.int64]]:
        """Squares that an action of each plane covers, relative to its place, int64[k, 2]; see `footprints`."""
        ...


@dataclass(frozen=True)
class BoardLayout:
    """Where each action lies, as the mover sees it.

    A *view* is one of the board's turns that some color needs; view 0 belongs to color 0. A *pixel* is a number
    (kind * H + row) * W + column; boards with several kinds of cells, such as triangles, have a plane for each.
    """

    game: str
    num_actions: int
    height: int
    width: int
    num_planes: int  # C of the compact observation {"board": [C, H, W], "pieces": [V]}
    vector_size: int  # V
    colors: slice  # where in the vector the one-hot color of the mover is, if there is more than one view
    num_kinds: int
    places: NDArray[np.int16]  # [A, 3]: plane, row, column
    own: NDArray[np.int32]  # [A, k]: pixels that an action covers
    corners: NDArray[np.int32]  # [A, m]: pixels that it touches at a corner
    color_view: NDArray[np.int64]  # [colors]
    cell_index: NDArray[np.int64]  # [views, H * W]: the place on the board that is seen at a place of the view
    turned: NDArray[np.int32]  # [views, A]: the action as it is seen in the view

    @classmethod
    def of(cls, game: Game) -> BoardLayout:
        """The layout of a game. ValueError for an observation that is not compact or actions without a place."""
        placements = placement_game(game)
        space = game.observation_space
        if not isinstance(space, spaces.Dict) or set(space.spaces) != {"board", "pieces"}:
            raise ValueError(f'{game.name}: a placement policy needs the game with observation="compact"')
        planes, height, width = _shape(space["board"])
        turns, colors = _turns(placements)
        views = list(dict.fromkeys(turns))
        own, corners = footprints(placements, height, width)
        turned = (
            [game.rotated_actions(turn) for turn in views]
            if isinstance(game, BlokusGame)
            else [np.arange(game.num_actions, dtype=np.int32)]
        )
        return cls(
            game=game.name,
            num_actions=int(game.num_actions),
            height=height,
            width=width,
            num_planes=planes,
            vector_size=_shape(space["pieces"])[0],
            colors=colors,
            num_kinds=1 + int(max(own.max(), corners.max(initial=0))) // (height * width),
            places=placements.action_image.astype(np.int16),
            own=own.astype(np.int32),
            corners=corners.astype(np.int32),
            color_view=np.array([views.index(turn) for turn in turns], np.int64),
            cell_index=np.stack([turned_cells(height, width, turn) for turn in views]),
            turned=np.stack(turned),
        )

    @property
    def num_cells(self) -> int:
        """Places of the image, H * W."""
        return self.height * self.width

    @property
    def num_orientations(self) -> int:
        """Planes of the image of actions."""
        return int(self.places[:, 0].max()) + 1

    @property
    def num_maps(self) -> int:
        """Maps of the shape term: one for each role and kind."""
        return 2 * self.num_kinds

    def placements(self) -> NDArray[np.int64]:
        """Plane, row and column of each action in each view, int64[views, A, 3]."""
        return self.places.astype(np.int64)[self.turned]

    def footprints(self) -> NDArray[np.int64]:
        """Places and maps of each action's pixels, int64[views, A, k].

        An entry is `place * num_maps + role * num_kinds + kind`. Rows are filled with the place `num_cells`, beyond
        the board.
        """
        parts = [self._indexed(self.own, OWN), self._indexed(self.corners, CORNER)]
        together: NDArray[np.int64] = np.concatenate(parts, axis=1)[self.turned]
        return together

    def _indexed(self, pixels: NDArray[np.int32], role: int) -> NDArray[np.int64]:
        kind, place = np.divmod(pixels.astype(np.int64), self.num_cells)
        index = place * self.num_maps + role * self.num_kinds + kind
        return np.where(pixels == NOWHERE, self.num_cells * self.num_maps, index)


def placement_game(game: Game) -> PlacementGame:
    """The same game, if it has what a layout needs. Raises ValueError if not."""
    missing = [name for name in ("action_image", "orientation_cells") if not hasattr(game, name)]
    if missing:
        raise ValueError(f"{game.name} has no {missing[0]}: its actions have no place in an image")
    return cast(PlacementGame, game)


def footprints(game: PlacementGame, height: int, width: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pixels that actions cover and touch at corners, int64[A, k] and [A, m]: the game's own, or those of squares."""
    if isinstance(game, BlokusGame):
        return game.footprints
    own = [{(int(row), int(column)) for row, column in cells} for cells in game.orientation_cells]
    corners = [corner_cells(cells) for cells in own]
    return _located(game.action_image, own, height, width), _located(game.action_image, corners, height, width)


def turned_cells(height: int, width: int, turns: int) -> NDArray[np.int64]:
    """The cell (int64[cells]) that comes to lie at each cell when the board is turned clockwise."""
    return np.ascontiguousarray(np.rot90(np.arange(height * width).reshape(height, width), -turns)).ravel()


def corner_cells(own: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Squares that touch a placement at a corner, but at no edge."""
    edges = {(r + dr, c + dc) for r, c in own for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    diagonals = {(r + dr, c + dc) for r, c in own for dr in (-1, 1) for dc in (-1, 1)}
    return diagonals - edges - own


def _turns(game: PlacementGame) -> tuple[list[int], slice]:
    """The turn of the board for each color, and where the vector says which color is to move.

    Only boards that are their image can be turned as an image; others, and games without colors, have one view.
    """
    if not isinstance(game, BlokusGame) or not game.variant.board.image.is_full:
        return [0], slice(0, 1)
    first = vector_names(game.variant).index("color_0")
    turns = [int(game.rotations(color)) for color in range(game.variant.num_colors)]
    return turns, slice(first, first + len(turns))


def _located(
    places: NDArray[np.int64], cells: Sequence[set[tuple[int, int]]], height: int, width: int
) -> NDArray[np.int64]:
    """Pixels int64[A, k] of all actions, from the squares of each plane relative to an action's place."""
    beyond = height + width
    offsets = np.full((len(cells), max(1, *map(len, cells)), 2), beyond, np.int64)
    for row, each in zip(offsets, cells, strict=True):
        row[: len(each)] = np.array(sorted(each)).reshape(-1, 2)
    located = places[:, None, 1:] + offsets[places[:, 0]]  # [A, k, 2]
    row, column = located[..., 0], located[..., 1]
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    return np.where(inside, row * width + column, NOWHERE)


def _shape(space: spaces.Space[Any]) -> tuple[int, ...]:
    assert space.shape is not None
    return space.shape
