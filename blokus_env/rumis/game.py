"""`RumisGame`: the game with its options, as the adapters know games."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from blokus_env.adapters.protocol import Observation, Policy
from blokus_env.rumis import kernels, policies, seats
from blokus_env.rumis.batch import Batch
from blokus_env.rumis.observation import (
    action_images,
    board_plane_names,
    observation_space,
    plane_names,
    vector_names,
)
from blokus_env.rumis.state import ReadOnly, State
from blokus_env.rumis.symmetry import REFLECTIONS, action_permutation
from blokus_env.rumis.tables import ORIENTED, tables
from blokus_env.rumis.variants import NAME, VERSION, Options, make_options


class RumisGame:
    """The game with its options (the `Game` of `adapters.protocol`).

    Args:
        options, changes: as in `State`.
        observation: "planes" (one uint8 Box [C, H, W]) or "compact" (a Dict of board planes and a vector).

    Raises:
        ValueError: for an unknown option.
    """

    name, version = NAME, VERSION
    render_modes = ("ansi", "rgb_array", "svg")

    def __init__(
        self, options: Options | Mapping[str, Any] | None = None, observation: str = "planes", **changes: Any
    ) -> None:
        self.options = make_options(options, **changes)
        self.observation = observation
        self.observation_space = observation_space(self.options, observation)
        self.tables = tables(self.options)
        self.num_players = self.options.num_players
        self.teams = tuple(range(self.num_players))
        self.num_actions = self.tables.num_actions

    def __reduce__(self) -> tuple[Any, ...]:
        return RumisGame, (self.options, self.observation)

    def __repr__(self) -> str:
        return f"<RumisGame {self.options} observation={self.observation!r}>"

    def new(self, seed: int = 0) -> "RumisPosition":
        """A game at its start; there is no chance in it, so the seed has no effect."""
        return RumisPosition(self)

    def batch(self, num_games: int, seed: int = 0) -> Batch:
        """Many games at their start."""
        return Batch(self.options, num_games, self.observation)

    def policy(self, name: str) -> Policy:
        """A built-in opponent: "random", "largest" or "greedy". Raises ValueError for another name."""
        return policies.policy(name)

    @cached_property
    def state_space(self) -> spaces.Box:
        """Everything that determines the game: the "planes" observation relative to color 0."""
        space = observation_space(self.options, "planes")
        assert isinstance(space, spaces.Box)
        return space

    # For policies with an image of the actions -----------------------------------------------------------------------

    @cached_property
    def action_image(self) -> NDArray[np.int64]:
        """Where each action stands in an image [104, H, W]: int64 [actions, 3], orientation, row, column."""
        return action_images(self.tables)

    @cached_property
    def orientation_cells(self) -> tuple[NDArray[np.int64], ...]:
        """The squares that each orientation covers, relative to its origin, int64 [k, 2] of (row, column)."""
        return tuple(np.array(list(orientation.stacks)) for _, orientation in ORIENTED)

    def rotations(self, color: int) -> int:
        """0: colors have no starts of their own, so all see the building alike."""
        return 0

    def rotated_actions(self, turns: int) -> NDArray[np.int32]:
        """Where clockwise quarter turns of the building take each action, int32 [actions].

        Raises ValueError for a turn that does not take the building onto itself.
        """
        return action_permutation(self.tables, turns % REFLECTIONS)


class RumisPosition(State):
    """A `State` that also knows how it is observed and rendered (the `Position` of `adapters.protocol`)."""

    __slots__ = ("game",)

    def __init__(self, game: RumisGame) -> None:
        super().__init__(game.options)
        self.game = game

    def _copy_as(self, kind: Any) -> Any:
        other = super()._copy_as(kind)
        if isinstance(other, RumisPosition):
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
        first = int(seats.colors_of(self.options, np.array(player), self.records["turn"][0]))
        if self.game.observation == "compact":
            board, vector = self._observe(first, len(board_plane_names(self.options)))
            return {"board": board, "pieces": vector}
        return self._observe(first, len(plane_names(self.options)))[0]

    def full_state(self) -> NDArray[np.uint8]:
        """Everything, uint8 in `game.state_space`."""
        return self._observe(0, len(plane_names(self.options)))[0]

    def _observe(self, first: int, rows: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Planes uint8 [rows, H, W] and vector uint8 [V], relative to color `first`."""
        plan, planes = self.options.plan, len(board_plane_names(self.options))
        board = np.empty((rows, plan.rows * plan.columns), np.uint8)
        vector = np.empty(len(vector_names(self.options)), np.uint8)
        scratch = self.tables.workspace.scratch
        kernels.observe_one(self.tables.record, self.records, scratch, first, planes, board, vector)
        return board.reshape(-1, plan.rows, plan.columns), vector

    def view(self, player: int) -> "PositionView":
        """What an agent in a seat may know: the position, read-only."""
        return self._view(player, PositionView)

    def render(self, mode: str, player: int | None = None) -> str | NDArray[np.uint8]:
        """The game as text ("ansi"), picture ("rgb_array", uint8 [height, width, 3]) or drawing ("svg")."""
        from blokus_env.rumis.render import ansi, rgb_array
        from blokus_env.rumis.svg import svg

        drawers: dict[str, Callable[[State], str | NDArray[np.uint8]]]
        drawers = {"ansi": ansi, "rgb_array": rgb_array, "svg": svg}
        if mode not in drawers:
            raise ValueError(f"render mode {mode!r} is unknown: choose one of {', '.join(map(repr, drawers))}")
        return drawers[mode](self)


class PositionView(ReadOnly, RumisPosition):
    """A position that an agent may look at, observe and copy, not change."""

    __slots__ = ()
