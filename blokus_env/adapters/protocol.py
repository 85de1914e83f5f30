"""The game protocol: all that adapters, agents and training know of a game.

A `Game` is a ruleset with its options, a `Position` one running game, a `BatchPosition` many of them side by side, a
`Policy` an opponent that comes with the game. Letters in shapes: ``N`` games of a batch, ``k`` games asked about, ``P``
players, ``A`` actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from .errors import IllegalActionError

if TYPE_CHECKING:
    from gymnasium import spaces

__all__ = ["GAME_OVER", "BatchPosition", "Game", "IllegalActionError", "Observation", "Policy", "Position", "View"]

GAME_OVER = -1
"""The player to move when the game is over."""

SEED_LIMIT = 2**31
"""Seeds that adapters hand to games are below this."""

Observation: TypeAlias = NDArray[Any] | dict[str, NDArray[Any]]
"""One player's observation: an array, or a dict of arrays."""


class View(Protocol):
    """What the agent in one seat may know of a position."""

    @property
    def player(self) -> int:
        """The player to move, or `GAME_OVER`."""

    def legal_actions(self) -> NDArray[np.int32]:
        """Legal actions of the player to move, int32[number of legal actions], ascending."""


class Policy(Protocol):
    """An opponent; stateless between calls but for the generator that it is given."""

    @property
    def name(self) -> str:
        """Name for results, such as ``"greedy"``."""

    def act(self, view: Any, rng: np.random.Generator) -> int:
        """Return a legal action of the player to move in `view` (a `View` of that player)."""

    def act_batch(self, batch: BatchPosition, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """Return legal actions int32[k] for the players to move in `games` int64[k]; none of these games is over."""


@runtime_checkable
class Position(Protocol):
    """One running game. It can be pickled and deep-copied at any ply."""

    @property
    def player(self) -> int:
        """The player to move, or `GAME_OVER`."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def ply(self) -> int:
        """Number of actions played so far."""

    @property
    def skipped(self) -> tuple[int, ...]:
        """Players whose turn the last push consumed without a move, in order."""

    def legal_actions(self) -> NDArray[np.int32]:
        """Legal actions of the player to move, int32[number of legal actions], ascending; empty when over."""

    def is_legal(self, action: int) -> bool:
        """Whether the player to move may play `action`; False for any number that is no action."""

    def push(self, action: int) -> None:
        """Play `action` and advance to the next decision.

        Raises `IllegalActionError` for an action that is not legal; the position stays as it was.
        """

    def write_mask(self, out: NDArray[np.int8]) -> None:
        """Write the mask of the player to move into int8[A]: 1 where legal, else 0; zeros when over."""

    def observe(self, player: int) -> Observation:
        """Return what `player` sees, fresh arrays in ``game.observation_space``; also when over."""

    def full_state(self) -> NDArray[np.uint8]:
        """Return everything, hidden parts too: a fresh array in ``game.state_space``."""

    def player_scores(self) -> NDArray[np.float64]:
        """Return scores float64[P], more is better, valid at every ply; team-mates carry their team's score."""

    def places(self) -> NDArray[np.int64]:
        """Return places int64[P], 0 is first; shared places are equal; team-mates share theirs."""

    def view(self, player: int) -> Any:
        """Return what an agent in the seat of `player` may know (a `View`)."""

    def text(self, action: int) -> str:
        """Return `action` as text for people."""

    def render(self, mode: str, player: int | None = None) -> str | NDArray[np.uint8]:
        """Draw the position, as `player` sees it or (None) entirely.

        Modes: ``"ansi"`` gives text, ``"rgb_array"`` uint8[height, width, 3], ``"svg"`` text.
        """


@runtime_checkable
class BatchPosition(Protocol):
    """N games side by side. Methods take `games`, int64[k], distinct indices; every array that they return is fresh."""

    @property
    def num_games(self) -> int:
        """N."""

    @property
    def player(self) -> NDArray[np.int8]:
        """The players to move int8[N], `GAME_OVER` where over. Read only; may change with the next step."""

    @property
    def num_legal(self) -> NDArray[np.int32]:
        """How many actions are legal, int32[N], 0 where over. Read only; may change with the next step."""

    def reset(self, games: NDArray[np.int64]) -> None:
        """Start `games` anew, with fresh chance."""

    def seed(self, seed: int) -> None:
        """Restart the chance of later resets (no effect on games without chance)."""

    def step(self, games: NDArray[np.int64], actions: NDArray[np.int32]) -> None:
        """Play legal `actions` int32[k] and advance each game to its next decision. Checks nothing."""

    def is_legal(self, games: NDArray[np.int64], actions: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether `actions` are legal, bool[k]; False for numbers that are no action and where over."""

    def legal_ids(self, games: NDArray[np.int64]) -> NDArray[np.int32]:
        """Legal actions int32[k, most legal ones of these games], ascending, padded with -1."""

    def packed_masks(self, games: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Masks as bits, uint8[k, ceil(A / 8)], bit order little."""

    def dense_masks(self, games: NDArray[np.int64]) -> NDArray[np.int8]:
        """Masks int8[k, A]."""

    def observe(self, games: NDArray[np.int64], players: NDArray[np.int64] | None = None) -> Observation:
        """Observations stacked along axis 0: of the players to move, or of `players` int64[k] (needed where over)."""

    def player_scores(self, games: NDArray[np.int64]) -> NDArray[np.float64]:
        """Scores float64[k, P]; see `Position.player_scores`."""

    def places(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Places int64[k, P]; see `Position.places`."""


@runtime_checkable
class Game(Protocol):
    """A ruleset with its options. It can be pickled."""

    @property
    def name(self) -> str:
        """Such as ``"duo"``."""

    @property
    def version(self) -> int:
        """0 makes the environment ``duo_v0``."""

    @property
    def num_players(self) -> int:
        """P."""

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each player; ``(0, 1)`` when both play alone."""

    @property
    def num_actions(self) -> int:
        """A."""

    @property
    def observation_space(self) -> spaces.Space[Any]:
        """Space of one player's observation, without mask: a uint8 ``Box`` or a ``Dict`` of them."""

    @property
    def state_space(self) -> spaces.Box:
        """Space of everything, for centralized critics."""

    def new(self, seed: int) -> Position:
        """Start a game; all chance is fixed here."""

    def batch(self, num_games: int, seed: int) -> BatchPosition:
        """Start `num_games` games side by side."""

    def policy(self, name: str) -> Policy:
        """Return a built-in opponent; every game has ``"random"``. Raises ``ValueError`` that lists the names."""
