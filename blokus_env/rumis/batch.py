"""Many games side by side: the `BatchPosition` of the adapters, and the fast path for training and search."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blokus_env.rumis import kernels, seats
from blokus_env.rumis.observation import board_plane_names, observation_space, vector_names
from blokus_env.rumis.tables import NUM_ORIENTATIONS, Tables, tables
from blokus_env.rumis.variants import Options, make_options

Games = NDArray[np.int64]


class Batch:
    """N games. Methods take `games`, int64 [k], distinct indices; arrays that they return are fresh.

    Legal actions are found once, when the turn passes on, as a word of origins for each orientation; masks and ids of
    all formats come from these.

    Args:
        options, changes: as in `State`.
        num_games: N.
        observation: layout of `observe`, "compact" or "planes".

    Raises:
        ValueError: for an unknown option or layout, or fewer than one game.
    """

    def __init__(
        self,
        options: Options | Mapping[str, Any] | None,
        num_games: int,
        observation: str = "compact",
        **changes: Any,
    ) -> None:
        if num_games < 1:
            raise ValueError(f"num_games={num_games} is too small: expected at least 1")
        self.options = make_options(options, **changes)
        self.tables: Tables = tables(self.options)
        observation_space(self.options, observation)  # refuses an unknown layout
        self.observation = observation
        self.num_games = num_games
        self._planes, self._numbers = len(board_plane_names(self.options)), len(vector_names(self.options))
        self._states = self.tables.new_states(num_games)
        self._scratch = self.tables.new_scratch()
        self._masks = np.zeros((num_games, NUM_ORIENTATIONS), np.uint64)
        self.num_legal = np.zeros(num_games, np.int32)  # legal actions of the mover, 0 where over
        self.player = np.zeros(num_games, np.int8)  # to move, −1 where over
        self.all_games: Games = np.arange(num_games)
        self.reset(self.all_games)

    @property
    def records(self) -> NDArray[np.void]:
        """The state records [N] for kernels. Read only."""
        return self._states

    @property
    def color(self) -> NDArray[np.int8]:
        """The color to move, int8 [N], −1 where the game is over."""
        return self._states["turn"].copy()

    @property
    def ply(self) -> NDArray[np.int16]:
        """Stones placed so far, int16 [N]."""
        return self._states["ply"].copy()

    # Playing ---------------------------------------------------------------------------------------------------------

    def seed(self, seed: int) -> None:
        """Nothing: these games have no chance."""

    def reset(self, games: Games) -> None:
        """Start games anew."""
        kernels.reset_batch(self.tables.record, self._states, self._scratch, games, self._masks, self.num_legal)
        self._pass_on(games)

    def step(self, games: Games, actions: NDArray[Any]) -> None:
        """Play a legal action in each game (unchecked: see `is_legal`) and pass the turn on."""
        arguments = (self.tables.record, self._states, self._scratch, games, actions, self._masks, self.num_legal)
        kernels.step_batch(*arguments)
        self._pass_on(games)

    def _pass_on(self, games: Games) -> None:
        turn = self._states["turn"][games]
        self.player[games] = np.where(turn < 0, turn, turn % self.options.num_players)

    # Legal actions ----------------------------------------------------------------------------------------------------

    def is_legal(self, games: Games, actions: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each action is legal in its game, bool [k]; False for ids that do not exist and where the game is
        over.
        """
        out = np.zeros(len(games), np.bool_)
        kernels.legal_batch(self.tables.record, self._masks, games, actions, out)
        return out

    def legal_ids(self, games: Games) -> NDArray[np.int32]:
        """Legal actions, int32 [k, most of these games], ascending, padded with −1."""
        out = np.empty((len(games), int(self.num_legal[games].max(initial=0))), np.int32)
        kernels.ids_batch(self.tables.record, games, self._masks, out)
        return out

    def packed_masks(self, games: Games) -> NDArray[np.uint8]:
        """Action masks as bits, uint8 [k, ceil(A / 8)], bit order "little"."""
        out = np.empty((len(games), -(-self.tables.num_actions // 8)), np.uint8)
        kernels.packed_batch(self.tables.record, games, self._masks, out)
        return out

    def dense_masks(self, games: Games) -> NDArray[np.int8]:
        """Action masks, int8 [k, A]."""
        out = np.empty((len(games), self.tables.num_actions), np.int8)
        kernels.dense_batch(self.tables.record, games, self._masks, out)
        return out

    def random_actions(self, games: Games, rng: NDArray[np.uint64]) -> NDArray[np.int32]:
        """A uniformly random legal action in each game, int32 [k]; `rng` is uint64 [1] and moves on.

        No game may be over.
        """
        out = np.empty(len(games), np.int32)
        kernels.random_batch(self.tables.record, rng, games, self._masks, self.num_legal, out)
        return out

    def chosen_actions(self, games: Games, rng: NDArray[np.uint64], how: int) -> NDArray[np.int32]:
        """The best action in each game by `kernels.LARGEST` or `kernels.GREEDY`, ties at random, int32 [k].

        No game may be over.
        """
        out = np.empty(len(games), np.int32)
        kernels.choose_batch(self.tables.record, self._states, rng, games, self._masks, how, out)
        return out

    # What players see, and how they stand -----------------------------------------------------------------------------

    def observe(
        self, games: Games, players: NDArray[Any] | None = None
    ) -> NDArray[np.uint8] | dict[str, NDArray[np.uint8]]:
        """Observations in the layout of this batch, stacked; of the players to move, or of players[k]."""
        player = np.maximum(self.player[games] if players is None else np.asarray(players), 0).astype(np.int64)
        first = seats.colors_of(self.options, player, self._states["turn"][games])
        plan = self.options.plan
        board = np.empty((len(games), self._planes, plan.rows * plan.columns), np.uint8)
        vector = np.empty((len(games), self._numbers), np.uint8)
        kernels.observe_batch(self.tables.record, self._states, self._scratch, games, first, board, vector)
        if self.observation == "compact":
            return {"board": board.reshape(len(games), -1, plan.rows, plan.columns), "pieces": vector}
        constant = np.broadcast_to(vector[:, :, None], (*vector.shape, board.shape[2]))
        return np.concatenate([board, constant], axis=1).reshape(len(games), -1, plan.rows, plan.columns)

    def scores(self, games: Games) -> NDArray[np.float64]:
        """Points of each color (R5), float64 [k, colors]."""
        out = np.empty((len(games), self.options.num_colors))
        kernels.score_batch(self.tables.record, self._states, games, out)
        return out

    def player_scores(self, games: Games) -> NDArray[np.float64]:
        """Points of each player, float64 [k, players] (R6)."""
        return seats.player_scores(self.options, self.scores(games))

    def places(self, games: Games) -> NDArray[np.int64]:
        """Place of each player, int64 [k, players]; 0 is first, equal scores share a place (S3)."""
        return seats.places(self.options, self.scores(games))


def random_word_state(seed: int) -> NDArray[np.uint64]:
    """A generator for `random_actions` and `chosen_actions`: uint64 [1]."""
    return np.random.default_rng(seed).integers(0, 2**64, 1, np.uint64)
