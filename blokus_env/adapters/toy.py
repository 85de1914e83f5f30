"""A small card game with everything at once that adapters must cope with, and batches made of single games.

Of the cards 0 … 4P-1 three are dealt to each of P players; hands and the rest are hidden. Players in turn play one of
their cards, which scores ``card // 3 + 1``, and then the next ``card % 3`` players miss their turn. The game ends when
a hand is empty. So players may move twice in a row, share places, and end with a different number of decisions.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .errors import IllegalActionError
from .protocol import GAME_OVER, SEED_LIMIT, BatchPosition, Game, Observation, Policy, Position

CARDS = 4  # for each player, of which
HAND = 3  # are dealt


@dataclass(frozen=True)
class ToyView:
    """What one player knows of a `ToyPosition`."""

    player: int
    hand: tuple[int, ...]

    def legal_actions(self) -> NDArray[np.int32]:
        """The cards in hand, if it is this player's turn, int32[k]."""
        return np.array(self.hand, dtype=np.int32)


class ToyPosition:
    """One toy game; see the module."""

    def __init__(self, teams: tuple[int, ...], deal: NDArray[np.int64]) -> None:
        self.teams = teams
        self.hands = np.zeros((len(teams), len(teams) * CARDS), dtype=bool)  # hidden: bool[P, A]
        np.put_along_axis(self.hands, deal.reshape(len(teams), HAND), True, axis=1)
        self.played = np.zeros_like(self.hands)
        self.player = 0
        self.ply = 0
        self.skipped: tuple[int, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether a hand is empty."""
        return self.player == GAME_OVER

    def legal_actions(self) -> NDArray[np.int32]:
        """The cards of the player to move, int32[k]."""
        return np.flatnonzero(self._mask()).astype(np.int32)

    def is_legal(self, action: int) -> bool:
        """Whether the player to move holds this card."""
        return 0 <= action < self.hands.shape[1] and bool(self._mask()[action])

    def push(self, action: int) -> None:
        """Play a card."""
        if not self.is_legal(action):
            raise IllegalActionError(f"card {action} is not in hand; choose one of {self.legal_actions().tolist()}")
        player, players = self.player, len(self.teams)
        self.hands[player, action] = False
        self.played[player, action] = True
        self.ply += 1
        misses = 0 if not self.hands[player].any() else action % 3
        self.skipped = tuple((player + 1 + i) % players for i in range(misses))
        self.player = (player + 1 + misses) % players if self.hands[player].any() else GAME_OVER

    def write_mask(self, out: NDArray[np.int8]) -> None:
        """Write the cards of the player to move into int8[A]."""
        out[:] = self._mask()

    def observe(self, player: int) -> NDArray[np.uint8]:
        """The own hand, the cards played and the sizes of hands by relative player, and who one is, uint8[...]."""
        order = (player + np.arange(len(self.teams))) % len(self.teams)
        seat = np.arange(len(self.teams)) == player
        parts = (self.hands[player], self.played[order].ravel(), self.hands[order].sum(1), seat)
        return np.concatenate(parts).astype(np.uint8)

    def full_state(self) -> NDArray[np.uint8]:
        """All hands and all cards played, uint8[2, P, A]."""
        return np.stack((self.hands, self.played)).astype(np.uint8)

    def player_scores(self) -> NDArray[np.float64]:
        """The points of the cards played by each player's team, float64[P]."""
        points = (self.played * (np.arange(self.played.shape[1]) // 3 + 1)).sum(1)
        return np.array([points[np.equal(self.teams, team)].sum() for team in self.teams], dtype=np.float64)

    def places(self) -> NDArray[np.int64]:
        """Places by score, int64[P]."""
        scores = self.player_scores()
        better: NDArray[np.int64] = (scores[None, :] > scores[:, None]).sum(1)
        return better

    def view(self, player: int) -> ToyView:
        """What `player` knows."""
        to_move = player == self.player
        return ToyView(self.player, tuple(np.flatnonzero(self.hands[player]).tolist()) if to_move else ())

    def redeal(self, player: int, rng: np.random.Generator) -> ToyPosition:
        """Return a copy in which the cards that `player` can't see are dealt anew."""
        other = copy.deepcopy(self)
        rows = np.flatnonzero(np.arange(len(self.teams)) != player)
        cards = rng.permutation(np.flatnonzero(~(self.hands[player] | self.played.any(0))))
        other.hands[rows] = False
        for row, hand in zip(rows, np.split(cards, np.cumsum(self.hands[rows].sum(1))), strict=False):
            other.hands[row, hand] = True
        return other

    def text(self, action: int) -> str:
        """Such as ``"card 4"``."""
        return f"card {action}"

    def render(self, mode: str, player: int | None = None) -> str | NDArray[np.uint8]:
        """Draw the cards played, and hands if `player` may see them."""
        seen = np.array([player is None or player == other for other in range(len(self.teams))])
        shown = self.played * 2 + self.hands * seen[:, None]
        if mode == "rgb_array":
            picture = np.repeat(np.repeat(shown * 127, 8, axis=0), 8, axis=1).astype(np.uint8)
            return np.repeat(picture[:, :, None], 3, axis=2)
        return "\n".join("".join(".hp"[cell] for cell in row) for row in shown)

    def _mask(self) -> NDArray[np.bool_]:
        return np.zeros(self.hands.shape[1], dtype=bool) if self.is_over else self.hands[self.player]


@dataclass(frozen=True)
class ToyGame:
    """The toy game for the players of `teams`; `deal` (three cards for each player in turn) fixes the chance."""

    teams: tuple[int, ...] = (0, 1, 2)
    deal: tuple[int, ...] | None = None
    name: str = field(default="toy", init=False)
    version: int = field(default=0, init=False)

    @property
    def num_players(self) -> int:
        """P."""
        return len(self.teams)

    @property
    def num_actions(self) -> int:
        """Number of cards."""
        return CARDS * self.num_players

    @property
    def observation_space(self) -> spaces.Box:
        """See `ToyPosition.observe`."""
        size = self.num_actions * (1 + self.num_players) + 2 * self.num_players
        return spaces.Box(0, HAND, (size,), np.uint8)

    @property
    def state_space(self) -> spaces.Box:
        """See `ToyPosition.full_state`."""
        return spaces.Box(0, 1, (2, self.num_players, self.num_actions), np.uint8)

    def new(self, seed: int) -> ToyPosition:
        """Deal."""
        rng = np.random.default_rng(seed)
        deal = rng.permutation(self.num_actions) if self.deal is None else np.array(self.deal)
        return ToyPosition(self.teams, deal[: HAND * self.num_players].astype(np.int64))

    def batch(self, num_games: int, seed: int) -> BatchPosition:
        """Deal many."""
        return LoopBatch(self, num_games, seed)

    def policy(self, name: str) -> Policy:
        """``"random"`` or ``"highest"`` (card)."""
        policies: dict[str, Policy] = {"random": RandomPolicy(), "highest": HighestPolicy()}
        if name not in policies:
            raise ValueError(f"policy {name!r} is unknown; choose one of {', '.join(policies)}")
        return policies[name]


class LoopBatch:
    """A `BatchPosition` of single positions of any game: slow and obvious, for tests and small games."""

    def __init__(self, game: Game, num_games: int, seed: int) -> None:
        self.game = game
        self.num_games = num_games
        self.seed(seed)
        self.positions: list[Position] = [game.new(self._next_seed()) for _ in range(num_games)]

    @property
    def player(self) -> NDArray[np.int8]:
        """The players to move, int8[N]."""
        return np.array([position.player for position in self.positions], dtype=np.int8)

    @property
    def num_legal(self) -> NDArray[np.int32]:
        """Numbers of legal actions, int32[N]."""
        return np.array([len(position.legal_actions()) for position in self.positions], dtype=np.int32)

    def position(self, game: int) -> Position:
        """A copy of one game."""
        return copy.deepcopy(self.positions[game])

    def seed(self, seed: int) -> None:
        """Restart the chance of later resets."""
        self._rng = np.random.default_rng(seed)

    def reset(self, games: NDArray[np.int64]) -> None:
        """Start `games` anew."""
        for game in games:
            self.positions[game] = self.game.new(self._next_seed())

    def step(self, games: NDArray[np.int64], actions: NDArray[np.int32]) -> None:
        """Play one action in each of `games`."""
        for position, action in zip(self._of(games), actions, strict=True):
            position.push(int(action))

    def is_legal(self, games: NDArray[np.int64], actions: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether the actions are legal, bool[k]."""
        pairs = zip(self._of(games), actions, strict=True)
        return np.array([not position.is_over and position.is_legal(int(action)) for position, action in pairs], bool)

    def legal_ids(self, games: NDArray[np.int64]) -> NDArray[np.int32]:
        """Legal actions int32[k, most], padded with -1."""
        lists = [position.legal_actions() for position in self._of(games)]
        ids = np.full((len(lists), max(map(len, lists), default=0)), -1, dtype=np.int32)
        for row, legal in zip(ids, lists, strict=True):
            row[: len(legal)] = legal
        return ids

    def packed_masks(self, games: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Masks as bits, uint8[k, ceil(A / 8)]."""
        return np.packbits(self.dense_masks(games), axis=1, bitorder="little")

    def dense_masks(self, games: NDArray[np.int64]) -> NDArray[np.int8]:
        """Masks int8[k, A]."""
        masks = np.zeros((len(games), self.game.num_actions), dtype=np.int8)
        for mask, position in zip(masks, self._of(games), strict=True):
            position.write_mask(mask)
        return masks

    def observe(self, games: NDArray[np.int64], players: NDArray[np.int64] | None = None) -> Observation:
        """Stacked observations."""
        seats = self.player[games] if players is None else players
        seen = [position.observe(int(player)) for position, player in zip(self._of(games), seats, strict=True)]
        if isinstance(seen[0], dict):
            return {key: np.stack([part[key] for part in seen if isinstance(part, dict)]) for key in seen[0]}
        return np.stack([part for part in seen if not isinstance(part, dict)])

    def player_scores(self, games: NDArray[np.int64]) -> NDArray[np.float64]:
        """Scores float64[k, P]."""
        return np.array([position.player_scores() for position in self._of(games)]).reshape(len(games), -1)

    def places(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Places int64[k, P]."""
        return np.array([position.places() for position in self._of(games)], np.int64).reshape(len(games), -1)

    def _of(self, games: NDArray[np.int64]) -> list[Position]:
        return [self.positions[game] for game in games]

    def _next_seed(self) -> int:
        return int(self._rng.integers(SEED_LIMIT))


class RandomPolicy:
    """All legal actions alike, in any game."""

    name = "random"

    def act(self, view: Any, rng: np.random.Generator) -> int:
        """Draw one."""
        return int(rng.choice(view.legal_actions()))

    def act_batch(self, batch: BatchPosition, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """Draw one for each game, int32[k]."""
        ids = batch.legal_ids(games)
        columns = rng.integers((ids >= 0).sum(1))
        return np.take_along_axis(ids, columns[:, None], axis=1)[:, 0]


class HighestPolicy:
    """The legal action with the highest number, in any game."""

    name = "highest"

    def act(self, view: Any, rng: np.random.Generator) -> int:
        """Take the last legal id."""
        return int(view.legal_actions()[-1])

    def act_batch(self, batch: BatchPosition, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """Take the last legal id of each game, int32[k]."""
        highest: NDArray[np.int32] = batch.legal_ids(games).max(1)
        return highest
