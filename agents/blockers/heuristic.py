"""The heuristic agent: weighs each move by what it does to groups, captures, neighbors and the rack. No search."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.blockers import heuristic_kernels as kernels
from agents.blockers.weights import weights_for
from blockers_env.policies import some_actions

Weights = NDArray[np.float32]


class HeuristicAgent:
    """Plays the move of the highest worth, the first of equals; `heuristic_kernels.FEATURES` says what is weighed.

    It knows the own rack and what is public, and needs no chance.

    Args:
        weights: float32 [2, features], at the start and at the end of a game, between which they change linearly;
            None: the fitted ones for the number of players.
    """

    name = "heuristic"

    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights
        self._work = np.zeros(1, kernels.WORK_DTYPE)

    def weights(self, options: Any) -> Weights:
        """The weights for a game with these options, float32 [2, features]."""
        return weights_for(options) if self._weights is None else self._weights

    def act(self, view: Any, rng: np.random.Generator) -> int:
        """A legal action of the player to move in `view`. Raises ValueError if the view knows none."""
        some_actions(view)
        tables, weights = view.tables, self.weights(view.options)
        return int(kernels.choose_one(tables.record, view.records, tables.workspace.scratch, self._work, weights))

    def act_batch(self, batch: Any, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """Legal actions int32[k] of the players to move in `games` int64[k]."""
        tables, out = batch.tables, np.empty(len(games), np.int32)
        scratch, weights = tables.workspace.scratch, self.weights(batch.options)
        kernels.choose_batch(tables.record, batch.records, scratch, self._work, weights, games, out)
        return out

    def worths(self, view: Any) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The legal actions int32 [n] of the player to move and their worths float32 [n], more is better."""
        tables, weights = view.tables, self.weights(view.options)
        actions, worths = np.empty(kernels.MOST_MOVES, np.int32), np.empty(kernels.MOST_MOVES, np.float32)
        scratch = tables.workspace.scratch
        count = kernels.scores_one(tables.record, view.records, scratch, self._work, weights, actions, worths)
        return actions[:count], worths[:count]
