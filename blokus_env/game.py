"""`BlokusGame`: a ruleset with its options, as the adapters know games."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from blokus_env import kernels, policies
from blokus_env.adapters.protocol import Observation, Policy
from blokus_env.batch import Batch
from blokus_env.observation import action_images, observation_layout, observation_space
from blokus_env.state import ReadOnly, State
from blokus_env.symmetry import action_permutation
from blokus_env.tables import tables
from blokus_env.variants import Variant, variant


class BlokusGame:
    """A ruleset of the family with its options (the `Game` of `adapters.protocol`).

    Args:
        name: a registered variant or a `Variant`.
        start, scoring, shared_color: as in `State`.
        observation: "planes" (one uint8 Box [C, H, W]) or "compact" (a Dict of board planes and a vector).

    Raises:
        ValueError: for an unknown option.
    """

    render_modes = ("ansi", "rgb_array", "svg")

    def __init__(
        self,
        name: str | Variant,
        start: str | None = None,
        scoring: str | None = None,
        observation: str = "planes",
        shared_color: str | None = None,
    ) -> None:
        self.variant = variant(name, shared_color)
        self.start = self.variant.start_option(start)
        self.scoring = self.variant.scoring_option(scoring)
        self.observation = observation
        self.observation_space = observation_space(self.variant, observation)
        self.layout = observation_layout(self.variant)
        self.tables = tables(self.variant, self.start)
        self.name, self.version = self.variant.name, self.variant.version
        self.num_players, self.teams = self.variant.num_players, self.variant.teams
        self.num_actions = self.tables.num_actions

    def __reduce__(self) -> tuple[Any, ...]:
        return BlokusGame, (self.variant, self.start, self.scoring, self.observation)

    def new(self, seed: int = 0) -> "BlokusPosition":
        """A game at its start; there is no chance in it, so the seed has no effect."""
        return BlokusPosition(self)

    def batch(self, num_games: int, seed: int = 0) -> Batch:
        """Many games at their start."""
        return Batch(self.variant, num_games, self.start, self.scoring, self.observation)

    def policy(self, name: str) -> Policy:
        """A built-in opponent: "random", "largest" or "greedy". Raises ValueError for another name."""
        return policies.policy(name)

    @cached_property
    def state_space(self) -> spaces.Box:
        """Everything that determines the game: the "planes" observation relative to color 0, and a plane for the color
        to move.
        """
        planes = self.layout.planes + self.layout.numbers + self.variant.num_colors
        most = max(self.variant.piece_counts)
        return spaces.Box(0, most, (planes, self.layout.height, self.layout.width), np.uint8)

    # For policies with an image of the actions -----------------------------------------------------------------------

    @cached_property
    def action_image(self) -> NDArray[np.int64]:
        """Where each action stands in an image [orientations, H, W]: int64 [actions, 3], orientation, row, column."""
        return action_images(self.tables)

    @cached_property
    def orientation_cells(self) -> tuple[NDArray[np.int64], ...]:
        """The cells of each orientation relative to its origin, int64 [k, 2] of (row, column)."""
        return tuple(np.array(orientation.cells) for orientation in self.tables.orientations)

    @cached_property
    def footprints(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Pixels that each action covers, and pixels at which it lets its color attach: int64 [actions, k] and [… m].

        A pixel is (kind · H + row) · W + column in the board's image, kind telling the planes of one channel apart.
        Rows are filled with −1, which also stands for what is off the board.
        """
        record, image = self.tables.record[0], self.variant.board.image
        pixel = np.full(len(record["cell0"]), -1)
        if image.is_full:
            rows = record["row_start"][:, None] + np.arange(image.width)
            pixel[rows] = np.arange(image.height * image.width).reshape(rows.shape)
        else:
            pixel[record["image_position"]] = record["image_pixel"]
        orientation, origin = record["move_of"] >> 16, record["move_of"] & 0xFFFF

        def pixels(name: str) -> NDArray[np.int64]:
            offsets, count = record[name][orientation], record[f"num_{name}"][orientation]
            found = pixel[origin[:, None].astype(np.int64) + offsets]
            return np.where(np.arange(offsets.shape[1]) < count[:, None], found, -1)

        return pixels("cover"), pixels("attach")

    def rotations(self, color: int) -> int:
        """The rotation of the board that brings this color's start to color 0's, as a key of `Board.symmetries`.

        On squares these are clockwise quarter turns. By the start rule "fixed"; 0 where colors have no starts of their
        own.
        """
        starts = self.variant.starts.get("fixed")
        if starts is None:
            return 0
        turns = len(self.variant.board.lattice.transforms) // 2  # the others are reflections
        for turn, image_of in self.variant.board.symmetries.items():
            if turn < turns and image_of[starts[color][0]] == starts[0][0]:
                return turn
        raise ValueError(f"no rotation takes the start of color {color} to that of color 0")

    def rotated_actions(self, turns: int) -> NDArray[np.int32]:
        """Where a rotation of the board takes each action, int32 [actions]."""
        return action_permutation(self.tables, turns)


class BlokusPosition(State):
    """A `State` that also knows how it is observed and rendered (the `Position` of `adapters.protocol`)."""

    __slots__ = ("game",)

    def __init__(self, game: BlokusGame) -> None:
        super().__init__(game.variant, game.start, game.scoring)
        self.game = game

    def _copy_as(self, kind: Any) -> Any:
        other = super()._copy_as(kind)
        if isinstance(other, BlokusPosition):
            other.game = self.game
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "game": self.game}

    def __setstate__(self, content: dict[str, Any]) -> None:
        super().__setstate__(content)
        self.game = content["game"]

    def write_mask(self, out: NDArray[np.int8]) -> None:
        """The mask of the player to move into int8 [A]; zeros when the game is over."""
        kernels.write_mask(self._legal_now(), out)

    def observe(self, player: int) -> Observation:
        """What a player sees, in `game.observation_space`; relative to the color that the player plays next."""
        compact = self.game.observation == "compact"
        board, vector = self._observe(player, constant_planes=not compact)
        return {"board": board, "pieces": vector} if compact else board

    def full_state(self) -> NDArray[np.uint8]:
        """Everything, uint8 in `game.state_space`."""
        planes, _ = self._observe(None, constant_planes=True)
        turn = np.zeros((self.variant.num_colors, *planes.shape[1:]), np.uint8)
        if not self.is_over:
            turn[self.color] = 1
        return np.concatenate([planes, turn])

    def _observe(self, player: int | None, constant_planes: bool) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Board planes uint8 [planes, H, W], with the vector as more planes if asked for, and vector uint8 [V].

        Relative to the color that `player` plays next, or to color 0 (as player 0 sees it).
        """
        first = 0 if player is None else self.color
        if player is not None and (player != self.player or first < 0):
            first = self._seats.color_of(player, self.color, self.records["plays"][0].tolist())
        layout = self.game.layout
        board = np.empty((layout.planes + constant_planes * layout.numbers, layout.pixels), np.uint8)
        vector = np.empty(layout.numbers, np.uint8)
        if layout.has_seat_numbers:
            plays = self.records["plays"][0].tolist()
            vector[layout.first_seat_number :] = layout.seat_numbers(player or 0, first, plays)
        kernels.observe_one(self.tables.record, self.records, first, layout.planes, board, vector)
        return board.reshape(-1, layout.height, layout.width), vector

    def view(self, player: int) -> "PositionView":
        """What an agent in a seat may know: the position, read-only."""
        return self._view(player, PositionView)

    def render(self, mode: str, player: int | None = None) -> str | NDArray[np.uint8]:
        """The board as text ("ansi"), picture ("rgb_array", uint8 [height, width, 3]) or drawing ("svg")."""
        from blokus_env.render import ansi, rgb_array
        from blokus_env.svg import svg

        drawers: dict[str, Callable[[State], str | NDArray[np.uint8]]]
        drawers = {"ansi": ansi, "rgb_array": rgb_array, "svg": svg}
        if mode not in drawers:
            raise ValueError(f"render mode {mode!r} is unknown: choose one of {', '.join(map(repr, drawers))}")
        return drawers[mode](self)


class PositionView(ReadOnly, BlokusPosition):
    """A position that an agent may look at, observe and copy, not change."""

    __slots__ = ()
