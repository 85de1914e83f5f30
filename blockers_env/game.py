"""`BlockersGame`: the game with its options, as the adapters know games."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from blockers_env import kernels, policies
from blockers_env.batch import Batch
from blockers_env.observation import action_images, observation_space, observe
from blockers_env.public import Public, checked_player
from blockers_env.state import State, determinize
from blockers_env.tables import tables
from blockers_env.variants import NAME, VERSION, Options, make_options
from blokus_env.adapters.protocol import Observation, Policy

PILE, RACK, BOARD, CAPTURED = 0, 1, 2, 3  # where a tile is, in the full state; CAPTURED + player


class BlockersGame:
    """The game with its options (the `Game` of `adapters.protocol`).

    Args:
        options, changes: as in `State`.
        observation: "planes" (one uint8 Box [C, 9, 9]) or "compact" (a Dict of board planes and a vector).

    Raises:
        ValueError: for an unknown option.
    """

    name, version = NAME, VERSION
    render_modes = ("ansi", "rgb_array", "svg")

    def __init__(self, options: Options | None = None, observation: str = "planes", **changes: Any) -> None:
        self.options = make_options(options, **changes)
        self.observation = observation
        self.observation_space = observation_space(self.options, observation)
        self.tables = tables(self.options)
        self.num_players = self.options.num_players
        self.teams = tuple(range(self.num_players))
        self.num_actions = self.options.num_actions

    def __reduce__(self) -> tuple[Any, ...]:
        return BlockersGame, (self.options, self.observation)

    def __repr__(self) -> str:
        return f"<BlockersGame {self.options} observation={self.observation!r}>"

    def new(self, seed: int = 0) -> "BlockersPosition":
        """A game at its start, its piles shuffled by the seed."""
        return BlockersPosition(self, seed)

    def batch(self, num_games: int, seed: int = 0) -> Batch:
        """Many games at their start."""
        return BlockersBatch(self, num_games, seed)

    def policy(self, name: str) -> Policy:
        """A built-in opponent: "random" or "greedy". Raises ValueError for another name."""
        return policies.policy(name)

    @cached_property
    def state_space(self) -> spaces.Box:
        """Everything that determines the game; see `BlockersPosition.full_state`."""
        return spaces.Box(0, 255, self.new(0).full_state().shape, np.uint8)

    # For policies with an image of the actions -----------------------------------------------------------------------

    @cached_property
    def action_image(self) -> NDArray[np.int64]:
        """Where each action stands in an image [28 · own colors, 9, 9]: int64 [actions, 3], plane, row, column."""
        return action_images(self.tables)

    @cached_property
    def orientation_cells(self) -> tuple[NDArray[np.int64], ...]:
        """The squares of each plane's tile relative to where it is put, int64 [1, 2]: a tile covers one."""
        return (np.zeros((1, 2), np.int64),) * (28 * self.options.colors_each)

    def rotations(self, color: int) -> int:
        """0: the board is never turned, as rows and columns are not alike."""
        return 0

    def rotated_actions(self, turns: int) -> NDArray[np.int32]:
        """The actions themselves, int32 [actions]. Raises ValueError for turns of the board."""
        if turns % 4:
            raise ValueError("this board cannot be turned")
        return np.arange(self.num_actions, dtype=np.int32)


class BlockersPosition(State):
    """A `State` that also knows how it is observed and rendered (the `Position` of `adapters.protocol`)."""

    __slots__ = ("game",)

    game: BlockersGame

    def __init__(self, game: BlockersGame, seed: int) -> None:
        super().__init__(game.options, seed=seed)
        self.game = game

    @classmethod
    def of(cls, game: BlockersGame, state: State) -> "BlockersPosition":
        """A state as a position of a game with the same options."""
        other: BlockersPosition = state._copy_as(cls)
        other.game = game
        return other

    def _copy_as(self, kind: type[State]) -> Any:
        other = super()._copy_as(kind)
        if isinstance(other, BlockersPosition):
            other.game = self.game
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "game": self.game}

    def __setstate__(self, content: dict[str, Any]) -> None:
        super().__setstate__(content)
        self.game = content["game"]

    def redeal(self, player: int, rng: np.random.Generator) -> "BlockersPosition":
        """A copy in which what `player` does not know is dealt anew; see `determinize`."""
        return BlockersPosition.of(self.game, determinize(self.view(player), rng))

    def write_mask(self, out: NDArray[np.int8]) -> None:
        """The mask of the player to move into int8 [A]; zeros when the game is over."""
        kernels.write_mask(self._legal_now(), out)

    def observe(self, player: int) -> Observation:
        """What a player sees, in `game.observation_space`; relative to that player."""
        player = checked_player(self.options, player)
        return observe(self.tables, self._records, player, self.game.observation)

    def full_state(self) -> NDArray[np.uint8]:
        """Everything, uint8 [n]: board and faces (1 + color, 1 + tile, 0 where empty; 81 each); for each color where
        its tiles are (0 pile, 1 rack, 2 board, 3 + captor), its pile (1 + tile, the next one first, then 0), and its
        draws at the latest proof of each tile (`Tables`); skipped turns of each player; 1 + player to move; turns gone
        (two bytes).
        """
        options = self.options
        place = np.zeros((options.num_colors, options.num_tiles), np.uint8)
        piles = np.zeros_like(place)
        for color in range(options.num_colors):
            pile = self.pile(color)
            piles[color, : len(pile)] = np.array(pile, np.uint8) + 1
            place[color] = BOARD
            place[color, pile], place[color, self.rack(color)] = PILE, RACK
            for player in range(options.num_players):
                place[color, self.captured(player, color)] = CAPTURED + player
        board, faces = ((array.ravel() + 1).astype(np.uint8) for array in (self.board(), self.faces()))
        proofs = self._records["release"][0, : options.num_colors, : options.num_tiles]
        rest = np.array([*self.skips, self.player + 1, *divmod(self.turns, 256)], np.uint8)
        return np.concatenate([board, faces, place.ravel(), piles.ravel(), proofs.ravel(), rest])

    def render(self, mode: str, player: int | None = None) -> str | NDArray[np.uint8]:
        """The game as text ("ansi"), picture ("rgb_array", uint8 [height, width, 3]) or drawing ("svg").

        Racks are shown as `player` knows them, all of them for None.
        """
        from blockers_env.render import ansi, rgb_array
        from blockers_env.svg import svg

        drawers: dict[str, Callable[[Public, int | None], str | NDArray[np.uint8]]]
        drawers = {"ansi": ansi, "rgb_array": rgb_array, "svg": svg}
        if mode not in drawers:
            raise ValueError(f"render mode {mode!r} is unknown: choose one of {', '.join(map(repr, drawers))}")
        return drawers[mode](self, player)


class BlockersBatch(Batch):
    """A `Batch` whose positions know how they are observed."""

    def __init__(self, game: BlockersGame, num_games: int, seed: int) -> None:
        super().__init__(game.options, num_games, seed, game.observation)
        self.game = game

    def position(self, game: int) -> BlockersPosition:
        """A copy of one game, without its history."""
        return BlockersPosition.of(self.game, super().position(game))
