"""Opponents that come with the wheel: random, largest piece, greedy. They act on a view of one game or on a batch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blokus_env import kernels
from blokus_env.state import State


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
class LargestPolicy:
    """Plays one of the largest pieces that fit; ties are broken by corners if `by_corners`, then at random.

    Corners: own attach cells that the action wins, plus open attach cells of other colors that it covers.
    """

    name: str = "largest"
    by_corners: bool = False

    def act(self, view: State, rng: np.random.Generator) -> int:
        """An action for the player to move."""
        actions = view.legal_actions()
        record = view.tables.record
        word = _word_state(rng)
        return int(kernels.choose_largest_one(record, view.records, word, actions, self.by_corners))

    def act_batch(self, batch: Any, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """An action in each game, int32 [k]."""
        actions: NDArray[np.int32] = batch.greedy_actions(games, _word_state(rng), self.by_corners)
        return actions


POLICIES: dict[str, RandomPolicy | LargestPolicy] = {
    "random": RandomPolicy(),
    "largest": LargestPolicy(),
    "greedy": LargestPolicy("greedy", by_corners=True),
}
"""The policies by name."""


def policy(name: str) -> RandomPolicy | LargestPolicy:
    """Look a policy up. Raises ValueError for an unknown name."""
    if name not in POLICIES:
        raise ValueError(f"unknown policy {name!r}: choose one of {', '.join(map(repr, POLICIES))}")
    return POLICIES[name]
