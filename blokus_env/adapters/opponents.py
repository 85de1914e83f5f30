"""Opponents by name or as objects, and drawing them for many games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .protocol import Game, Policy

SELF = "self"
"""The opponent that is the learner itself."""

Opponents: TypeAlias = str | Policy | Sequence[str | Policy]


def as_entries(opponents: Opponents) -> list[str | Policy]:
    """Return a list, also for a single name or policy. Raises ``ValueError`` for an empty one."""
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        return [opponents]
    if not opponents:
        raise ValueError("opponents is empty; give at least one name or policy")
    return list(opponents)


def as_policy(game: Game, entry: str | Policy) -> Policy:
    """Return the policy that a name or a policy means. Raises ``TypeError`` for anything else."""
    if isinstance(entry, str):
        return game.policy(entry)
    if not callable(getattr(entry, "act", None)):
        raise TypeError(f"opponent {entry!r} has no act(view, rng); give a policy or the name of a built-in one")
    return entry


def policy_name(policy: Policy) -> str:
    """The name of a policy; that of its class where it has none."""
    return str(getattr(policy, "name", type(policy).__name__))


class OpponentPool:
    """The opponents that games draw from, and the one that each game has drawn."""

    def __init__(self, game: Game, opponents: Opponents, weights: Sequence[float] | None, num_games: int) -> None:
        self._game = game
        self._policies: list[Policy | None] = []  # None is the learner itself
        self._drawn = np.zeros(num_games, dtype=np.int64)  # index into _policies
        self.set(opponents, weights)
        self._drawn[:] = 0

    def set(self, opponents: Opponents, weights: Sequence[float] | None = None) -> None:
        """Draw from `opponents` by `weights` (None: all alike) from now on; games keep what they have drawn."""
        entries = as_entries(opponents)
        shares = _as_shares(weights, len(entries))
        new = [None if entry == SELF else as_policy(self._game, entry) for entry in entries]
        kept, self._drawn = np.unique(self._drawn, return_inverse=True)
        old = [self._policies[index] for index in kept] if self._policies else []
        self._policies = new + old
        self._drawn += len(new)
        self._shares = shares

    def draw(self, games: NDArray[np.int64], rng: np.random.Generator) -> None:
        """Draw an opponent for each of `games` int64[k]."""
        self._drawn[games] = rng.choice(len(self._shares), size=len(games), p=self._shares)

    def is_self(self, games: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the learner plays all seats, bool[k]."""
        selves = np.array([policy is None for policy in self._policies])
        return selves[self._drawn[games]]

    def name(self, game: int) -> str:
        """The name of the opponent in `game`."""
        policy = self._policies[self._drawn[game]]
        return SELF if policy is None else policy_name(policy)

    def groups(self, games: NDArray[np.int64]) -> Iterator[tuple[Policy, NDArray[np.int64]]]:
        """Yield each policy with those of `games` in which it plays."""
        drawn = self._drawn[games]
        for index in np.unique(drawn):
            policy = self._policies[index]
            assert policy is not None, "the learner plays these games alone"
            yield policy, games[drawn == index]


def _as_shares(weights: Sequence[float] | None, count: int) -> NDArray[np.float64]:
    """Return weights that sum to 1, float64[count]. Raises ``ValueError`` for others than `count` finite ones ≥ 0."""
    shares = np.ones(count) if weights is None else np.array(weights, dtype=np.float64)
    if shares.shape != (count,) or not np.isfinite(shares).all() or (shares < 0).any() or shares.sum() == 0:
        raise ValueError(f"weights={weights!r} must be {count} numbers ≥ 0, one for each opponent, and not all 0")
    normalized: NDArray[np.float64] = shares / shares.sum()
    return normalized
