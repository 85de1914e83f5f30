"""Opponents that come with the wheel: random, largest stone, greedy. They act on a view of one game or on a batch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blokus_env.rumis import kernels
from blokus_env.rumis.state import State


def _word_state(rng: np.random.Generator) -> NDArray[np.uint64]:
    """A kernel generator that is seeded by `rng`."""
    return rng.integers(0, 2**64, 1, np.uint64)


@dataclass(frozen=True)
class RandomPolicy:
    """Plays a uniformly random legal action."""

    name: str = "random"

    def act(self, view: State, rng: np.random.Generator) -> int:
        """An action for the player to move."""
        actions = view.legal_actions()
        return int(actions[rng.integers(len(actions))])

    def act_batch(self, batch: Any, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """An action in each game, int32 [k]."""
        actions: NDArray[np.int32] = batch.random_actions(games, _word_state(rng))
        return actions


@dataclass(frozen=True)
class ValuePolicy:
    """Plays the best action by a simple number, ties at random.

    "largest" counts the cubes of the stone. "greedy" counts three for each of them and for each square that is built up
    to its limit, where nobody can cover it any more, and one for each square that an opponent's color loses.
    """

    name: str
    how: int  # for `kernels.choose`

    def act(self, view: State, rng: np.random.Generator) -> int:
        """An action for the player to move."""
        tables = view.tables
        scratch = tables.workspace.scratch
        return int(kernels.choose_one(tables.record, view.records, scratch, _word_state(rng), self.how))

    def act_batch(self, batch: Any, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """An action in each game, int32 [k]."""
        actions: NDArray[np.int32] = batch.chosen_actions(games, _word_state(rng), self.how)
        return actions


POLICIES: dict[str, RandomPolicy | ValuePolicy] = {
    "random": RandomPolicy(),
    "largest": ValuePolicy("largest", kernels.LARGEST),
    "greedy": ValuePolicy("greedy", kernels.GREEDY),
}
"""The policies by name."""


def policy(name: str) -> RandomPolicy | ValuePolicy:
    """Look a policy up. Raises ValueError for an unknown name."""
    if name not in POLICIES:
        raise ValueError(f"unknown policy {name!r}: choose one of {', '.join(map(repr, POLICIES))}")
    return POLICIES[name]
