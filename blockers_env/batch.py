"""Many games side by side: the `BatchPosition` of the adapters, and the fast path for training and search."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blockers_env import kernels
from blockers_env.observation import board_plane_names, observation_space, vector_names
from blockers_env.public import places_of
from blockers_env.state import State, random_word_state
from blockers_env.tables import POSITION, Tables, tables
from blockers_env.tiles import SIZE
from blockers_env.variants import Options, make_options
from blokus_env.adapters.threads import Threads

Games = NDArray[np.int64]


class Batch:
    """N games. Methods take `games`, int64 [k], distinct indices; arrays that they return are fresh.

    Legal actions are listed once, when the turn passes on; masks and ids of all formats come from that list.

    Args:
        options: as in `State`.
        num_games: N.
        seed: shuffles the piles of all games, also of later ones.
        observation: layout of `observe`, "compact" or "planes".
        num_threads: threads that share the work on many games; results do not depend on it.
        changes: options by name, as in `State`.

    Raises:
        ValueError: for an unknown layout, or fewer than one game.
    """

    def __init__(
        self,
        options: Options | None,
        num_games: int,
        seed: int = 0,
        observation: str = "compact",
        num_threads: int = 1,
        **changes: Any,
    ) -> None:
        if num_games < 1:
            raise ValueError(f"num_games={num_games} is too small: expected at least 1")
        self.options = make_options(options, **changes)
        self.tables: Tables = tables(self.options)
        observation_space(self.options, observation)  # refuses an unknown layout
        self.observation = observation
        self.num_games = num_games
        self._states = self.tables.new_states(num_games)
        self.num_threads = num_threads
        self._ids = np.zeros((num_games, self.tables.most_legal), np.int16)
        self.num_legal = np.zeros(num_games, np.int32)  # legal actions of the mover, 0 where over
        self.player = np.zeros(num_games, np.int8)  # to move, −1 where over
        self.all_games: Games = np.arange(num_games)
        self.seed(seed)
        self.reset(self.all_games)

    @property
    def records(self) -> NDArray[np.void]:
        """The state records [N] for kernels, with all hidden parts. Read only."""
        return self._states

    @property
    def ply(self) -> NDArray[np.int16]:
        """Actions played so far, int16 [N]."""
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

    @property
    def skips(self) -> NDArray[np.uint8]:
        """Turns of each player that were skipped (P5), uint8 [N, players]."""
        return self._states["skips"][:, : self.options.num_players].copy()

    def position(self, game: int) -> State:
        """A copy of one game, without its history."""
        state = State(self.options, seed=None)
        state._set(self._states[game : game + 1].copy())
        return state

    # Playing ---------------------------------------------------------------------------------------------------------

    def seed(self, seed: int) -> None:
        """Restart the chance of later resets."""
        self._rng = random_word_state(seed)

    def reset(self, games: Games) -> None:
        """Start games anew, with new piles, in one thread: they come from one generator."""
        record, scratch = self.tables.record, self._scratch[0]
        kernels.reset_batch(record, self._states, scratch, self._rng, games, self._ids, self.num_legal)
        self.player[games] = self._states["turn"][games]

    def step(self, games: Games, actions: NDArray[Any]) -> None:
        """Play a legal action in each game (unchecked: see `is_legal`) and pass the turn on."""
        self._run(
            lambda record, states, scratch, rows: kernels.step_batch(
                record, states, scratch, games[rows], actions[rows], self._ids, self.num_legal
            ),
            len(games),
        )
        self.player[games] = self._states["turn"][games]

    def _run(self, kernel: Callable[[Any, Any, Any, slice], Any], count: int) -> None:
        """Call a kernel with the tables, all states, a thread's scratch, and the rows that are the thread's."""
        record, states = self.tables.record, self._states
        self._threads.run(lambda part, rows: kernel(record, states, self._scratch[part], rows), count)

    # Legal actions ----------------------------------------------------------------------------------------------------

    def is_legal(self, games: Games, actions: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each action is legal in its game, bool [k]; False for ids that do not exist and where the game is
        over.
        """
        out = np.zeros(len(games), np.bool_)
        kernels.legal_batch(self.tables.record, self._states, self._scratch[0], games, actions, out)
        return out

    def legal_ids(self, games: Games) -> NDArray[np.int32]:
        """Legal actions, int32 [k, most of these games], ascending, padded with −1."""
        out = np.empty((len(games), int(self.num_legal[games].max(initial=0))), np.int32)
        self._run(
            lambda record, states, scratch, rows: kernels.ids_batch(games[rows], self._ids, self.num_legal, out[rows]),
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

    def greedy_actions(self, games: Games, rng: NDArray[np.uint64]) -> NDArray[np.int32]:
        """An action in each game that leaves its player with the fewest points, int32 [k]; see `policies.GreedyPolicy`.

        No game may be over.
        """
        out = np.empty(len(games), np.int32)
        record, scratch = self.tables.record, self._scratch[0]
        kernels.choose_greedy_batch(record, self._states, scratch, rng, games, self._ids, self.num_legal, out)
        return out

    # What players see, and how they stand -----------------------------------------------------------------------------

    def observe(
        self, games: Games, players: NDArray[Any] | None = None
    ) -> NDArray[np.uint8] | dict[str, NDArray[np.uint8]]:
        """Observations in the layout of this batch, stacked; of the players to move, or of players[k]."""
        seats = np.maximum(self.player[games], 0) if players is None else np.asarray(players)
        if seats.shape != games.shape or ((seats < 0) | (seats >= self.options.num_players)).any():
            raise ValueError(
                f"players={players!r} is not possible: expected one of 0 … {self.options.num_players - 1} each"
            )
        board = np.empty((len(games), len(board_plane_names(self.options)), SIZE * SIZE), np.uint8)
        vector = np.empty((len(games), len(vector_names(self.options))), np.uint8)
        seats = seats.astype(np.int64)
        self._run(
            lambda record, states, scratch, rows: kernels.observe_batch(
                record, states, scratch, games[rows], seats[rows], board[rows], vector[rows]
            ),
            len(games),
        )
        if self.observation == "compact":
            return {"board": board.reshape(len(games), -1, SIZE, SIZE), "pieces": vector}
        constant = np.broadcast_to(vector[:, :, None], (*vector.shape, SIZE * SIZE))
        return np.concatenate([board, constant], axis=1).reshape(len(games), -1, SIZE, SIZE)

    def boards(self, games: Games) -> NDArray[np.int8]:
        """The color on each square, int8 [k, 9, 9], −1 where empty."""
        boards: NDArray[np.int8] = self._states["color"][games][:, POSITION].reshape(len(games), SIZE, SIZE)
        return boards

    def points(self, games: Games) -> NDArray[np.int64]:
        """Points of each player, int64 [k, players]; fewest win."""
        return self._standing(games)[0]

    def player_scores(self, games: Games) -> NDArray[np.float64]:
        """Minus the points, so that more is better, float64 [k, players]."""
        return -self.points(games).astype(np.float64)

    def places(self, games: Games) -> NDArray[np.int64]:
        """Place of each player, int64 [k, players]; 0 is first (S5, S6)."""
        return places_of(self.options, *self._standing(games))

    def _standing(self, games: Games) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Points and captured tiles, int64 [k, players] each."""
        points, captured = np.empty((2, len(games), self.options.num_players), np.int64)
        kernels.score_batch(self.tables.record, self._states, self._scratch[0], games, points, captured)
        return points, captured
