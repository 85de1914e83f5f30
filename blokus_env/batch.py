"""Many games of one ruleset side by side: the `BatchPosition` of the adapters, and the fast path for training and
search.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blokus_env import kernels
from blokus_env.adapters.threads import Threads
from blokus_env.observation import observation_layout, observation_space
from blokus_env.seats import seats
from blokus_env.tables import Tables, tables
from blokus_env.variants import Variant, variant

FIRST_CAPACITY = 256  # legal actions that a row holds at first; it grows when a position has more
Games = NDArray[np.int64]


class Batch:
    """N games. Methods take `games`, int64 [k], distinct indices; arrays that they return are fresh.

    Legal actions are listed once, when the turn passes on; masks and ids of all formats come from that list.

    Args:
        name: a registered variant or a `Variant`.
        num_games: N.
        start, scoring, shared_color: as in `State`.
        observation: layout of `observe`, "compact" or "planes".
        num_threads: threads that share the work on many games; results do not depend on it.

    Raises:
        ValueError: for an unknown option, or fewer than one game.
    """

    def __init__(
        self,
        name: str | Variant,
        num_games: int,
        start: str | None = None,
        scoring: str | None = None,
        observation: str = "compact",
        shared_color: str | None = None,
        num_threads: int = 1,
    ) -> None:
        if num_games < 1:
            raise ValueError(f"num_games={num_games} is too small: expected at least 1")
        self.variant = variant(name, shared_color)
        self.tables: Tables = tables(self.variant, self.variant.start_option(start))
        self.scoring = self.variant.scoring_option(scoring)
        observation_space(self.variant, observation)  # refuses an unknown layout
        self.observation = observation
        self.num_games = num_games
        self._seats = seats(self.variant)
        self._layout = observation_layout(self.variant)
        self._states = self.tables.new_states(num_games)
        self.num_threads = num_threads
        self._ids = np.zeros((num_games, min(FIRST_CAPACITY, self.tables.num_actions)), self._id_dtype)
        self.num_legal = np.zeros(num_games, np.int32)  # legal actions of the mover, 0 where over
        self.player = np.zeros(num_games, np.int8)  # to move, −1 where over
        self.all_games: Games = np.arange(num_games)
        self.reset(self.all_games)

    @property
    def _id_dtype(self) -> type[np.signedinteger[Any]]:
        return np.int16 if self.tables.num_actions <= np.iinfo(np.int16).max else np.int32

    @property
    def color(self) -> NDArray[np.int8]:
        """The color to move, int8 [N], −1 where the game is over."""
        return self._states["turn"].copy()

    @property
    def ply(self) -> NDArray[np.int16]:
        """Pieces placed so far, int16 [N]."""
        return self._states["ply"].copy()

    @property
    def num_threads(self) -> int:
        """Threads that share the work on many games."""
        return self._threads.number

    @num_threads.setter
    def num_threads(self, number: int) -> None:
        self._threads = Threads(number)
        self._scratch = [self.tables.new_scratch() for _ in range(number)]

    @property
    def nbytes(self) -> int:
        """Bytes that the games and their lists of legal actions take."""
        return self._states.nbytes + self._ids.nbytes + self.num_legal.nbytes + self.player.nbytes

    # Playing ---------------------------------------------------------------------------------------------------------

    def seed(self, seed: int) -> None:
        """Nothing: these games have no chance."""

    def reset(self, games: Games) -> None:
        """Start games anew."""
        self._run(
            lambda record, states, scratch, rows: kernels.reset_batch(
                record, states, scratch, games[rows], self._ids, self.num_legal
            ),
            len(games),
        )
        self._after_listing(games)

    def step(self, games: Games, actions: NDArray[Any]) -> None:
        """Play a legal action in each game (unchecked: see `is_legal`) and pass the turn on."""
        self._run(
            lambda record, states, scratch, rows: kernels.step_batch(
                record, states, scratch, games[rows], actions[rows], self._ids, self.num_legal
            ),
            len(games),
        )
        self._after_listing(games)

    def _run(self, kernel: Callable[[Any, Any, Any, slice], Any], count: int) -> None:
        """Call a kernel with the tables, all states, a thread's scratch, and the rows that are the thread's."""
        record, states = self.tables.record, self._states
        self._threads.run(lambda part, rows: kernel(record, states, self._scratch[part], rows), count)

    def _after_listing(self, games: Games) -> None:
        most = int(self.num_legal.max())
        if most > self._ids.shape[1]:
            self._ids = np.zeros((self.num_games, min(2 * most, self.tables.num_actions)), self._id_dtype)
            kernels.list_batch(
                self.tables.record, self._states, self._scratch[0], self.all_games, self._ids, self.num_legal
            )
        self.player[games] = self._seats.players(self._states["turn"][games], self._states["plays"][games])

    # Legal actions ----------------------------------------------------------------------------------------------------

    def is_legal(self, games: Games, actions: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each action is legal in its game, bool [k]; False for ids that do not exist and where the game is
        over.
        """
        out = np.zeros(len(games), np.bool_)
        kernels.legal_batch(self.tables.record, self._states, games, actions, out)
        return out

    def legal_ids(self, games: Games) -> NDArray[np.int32]:
        """Legal actions, int32 [k, most of these games], ascending, padded with −1."""
        out = np.empty((len(games), int(self.num_legal[games].max(initial=0))), np.int32)
        self._run(
            lambda record, states, scratch, rows: kernels.ids_batch(
                scratch, games[rows], self._ids, self.num_legal, out[rows]
            ),
            len(games),
        )
        return out

    def packed_masks(self, games: Games) -> NDArray[np.uint8]:
        """Action masks as bits, uint8 [k, ceil(A / 8)], bit order "little"."""
        out = np.empty((len(games), -(-self.tables.num_actions // 8)), np.uint8)
        self._run(
            lambda record, states, scratch, rows: kernels.packed_batch(
                games[rows], self._ids, self.num_legal, out[rows]
            ),
            len(games),
        )
        return out

    def dense_masks(self, games: Games) -> NDArray[np.int8]:
        """Action masks, int8 [k, A]."""
        out = np.empty((len(games), self.tables.num_actions), np.int8)
        self._run(
            lambda record, states, scratch, rows: kernels.dense_batch(
                games[rows], self._ids, self.num_legal, out[rows]
            ),
            len(games),
        )
        return out

    def random_actions(self, games: Games, rng: NDArray[np.uint64]) -> NDArray[np.int32]:
        """A uniformly random legal action in each game, int32 [k]; `rng` is uint64 [1] and moves on.

        No game may be over.
        """
        out = np.empty(len(games), np.int32)
        kernels.choose_random_batch(rng, games, self._ids, self.num_legal, out)
        return out

    def greedy_actions(self, games: Games, rng: NDArray[np.uint64], by_corners: bool = True) -> NDArray[np.int32]:
        """An action of the largest piece in each game, int32 [k]; ties by corners won and taken if `by_corners`, then
        at random.
        """
        out = np.empty(len(games), np.int32)
        record, states = self.tables.record, self._states
        kernels.choose_largest_batch(record, states, rng, games, self._ids, self.num_legal, by_corners, out)
        return out

    # What players see, and how they stand -----------------------------------------------------------------------------

    def observe(
        self, games: Games, players: NDArray[Any] | None = None
    ) -> NDArray[np.uint8] | dict[str, NDArray[np.uint8]]:
        """Observations in the layout of this batch, stacked; of the players to move, or of players[k].

        They are relative to the color to move, or to the color that the player plays next.
        """
        turn, plays = self._states["turn"][games], self._states["plays"][games]
        player = np.maximum(self.player[games] if players is None else np.asarray(players), 0).astype(np.int64)
        first = self._seats.colors_of(player, turn, plays)
        layout = self._layout
        board = np.empty((len(games), layout.planes, layout.pixels), np.uint8)
        vector = np.empty((len(games), layout.numbers), np.uint8)
        layout.write_seat_numbers(player, first, plays, vector)
        self._run(
            lambda record, states, scratch, rows: kernels.observe_batch(
                record, states, games[rows], first[rows], board[rows], vector[rows]
            ),
            len(games),
        )
        if self.observation == "compact":
            return {"board": board.reshape(len(games), -1, layout.height, layout.width), "pieces": vector}
        constant = np.broadcast_to(vector[:, :, None], (*vector.shape, layout.pixels))
        return np.concatenate([board, constant], axis=1).reshape(len(games), -1, layout.height, layout.width)

    def boards(self, games: Games) -> NDArray[np.int8]:
        """The color on each cell, int8 [k, H, W], −1 where empty."""
        return self._states["board"][games].reshape(len(games), self.variant.height, self.variant.width)

    def scores(self, games: Games) -> NDArray[np.float64]:
        """Points of each color by the scoring in force, float64 [k, colors]."""
        out = np.empty((len(games), self.variant.num_colors))
        kernels.score_batch(self.tables.record, self._states, games, self.variant.scorings[self.scoring].weights, out)
        return out

    def player_scores(self, games: Games) -> NDArray[np.float64]:
        """Points of each player, float64 [k, players] (S4)."""
        return self._seats.player_scores(self.scores(games))

    def places(self, games: Games) -> NDArray[np.int64]:
        """Place of each player, int64 [k, players]; 0 is first, equal scores share a place (S3)."""
        return self._seats.places(self.scores(games))


def random_word_state(seed: int) -> NDArray[np.uint64]:
    """A generator for `random_actions` and `greedy_actions`: uint64 [1]."""
    return np.random.default_rng(seed).integers(0, 2**64, 1, np.uint64)
