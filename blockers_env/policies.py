"""Opponents that come with the wheel: random and greedy. They act on a view of one game or on a batch."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blockers_env import kernels
from blockers_env.public import Public


def _word_state(rng: np.random.Generator) -> NDArray[np.uint64]:
    """A kernel generator that is seeded by `rng`."""
    return rng.integers(0, 2**64, 1, np.uint64)


GAME_IS_OVER = "the game is over: there is no action to choose"


def some_actions(view: Public) -> NDArray[np.int32]:
    """The legal actions of the player to move, at least one.

    Raises ValueError if the view knows none: the game is over, or it is the view of another player.
    """
    if view.is_over:
        raise ValueError(GAME_IS_OVER)
    actions = view.legal_actions()
    if not len(actions):
        raise ValueError(f"{view!r} does not know the actions of player {view.player}: give it view({view.player})")
    return actions


@dataclass(frozen=True)
class RandomPolicy:
    """Plays a uniformly random legal action."""

    name: str = "random"

    def act(self, view: Public, rng: np.random.Generator) -> int:
        """An action for the player to move. Raises ValueError if the view knows none."""
        actions = some_actions(view)
        return int(actions[rng.integers(len(actions))])

    def act_batch(self, batch: Any, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """An action in each game, int32 [k]."""
        actions: NDArray[np.int32] = batch.random_actions(games, _word_state(rng))
        return actions


@dataclass(frozen=True)
class GreedyPolicy:
    """Plays an action that leaves it with the fewest points by the scoring in force, own groups and captures alike.

    Ties go to the action that leaves the captured tile's player with more points, then to chance.
    """

    name: str = "greedy"

    def act(self, view: Public, rng: np.random.Generator) -> int:
        """An action for the player to move. Raises ValueError if the view knows none."""
        actions, tables = some_actions(view), view.tables
        word, scratch = _word_state(rng), tables.workspace.scratch
        return int(kernels.choose_greedy_one(tables.record, view.records, scratch, word, actions))

    def act_batch(self, batch: Any, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """An action in each game, int32 [k]."""
        actions: NDArray[np.int32] = batch.greedy_actions(games, _word_state(rng))
        return actions


POLICIES: dict[str, RandomPolicy | GreedyPolicy] = {"random": RandomPolicy(), "greedy": GreedyPolicy()}
"""The policies by name."""


def policy(name: str) -> RandomPolicy | GreedyPolicy:
    """Look a policy up. Raises ValueError for an unknown name."""
    if name not in POLICIES:
        raise ValueError(f"unknown policy {name!r}: choose one of {', '.join(map(repr, POLICIES))}")
    return POLICIES[name]
