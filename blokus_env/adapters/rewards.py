"""Rewards from scores and places alone, for any number of players and teams.

Every function takes ``scores`` float64[..., P] (more is better; team-mates carry their team's score), ``places``
int64[..., P] (0 is first, shared places are equal) and ``teams`` (the team of each player); it returns float64[..., P].
Team-mates get the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Teams: TypeAlias = tuple[int, ...]
RewardFunction: TypeAlias = Callable[[Floats, Ints, Teams], Floats]


def win(scores: Floats, places: Ints, teams: Teams) -> Floats:
    """+1 for the sole first team, 0 for teams that share the first place, -1 for all others."""
    leaders, index = _team_indices(teams)
    first = places[..., leaders] == places.min(-1, keepdims=True)
    value = np.where(first, np.where(first.sum(-1, keepdims=True) == 1, 1.0, 0.0), -1.0)
    return value[..., index]


def score(scores: Floats, places: Ints, teams: Teams) -> Floats:
    """The own score."""
    return np.array(scores, dtype=np.float64)


def rank(scores: Floats, places: Ints, teams: Teams) -> Floats:
    """+1 for the first team … -1 for the last, linear between; teams that share a place get the mean of theirs."""
    leaders, index = _team_indices(teams)
    place = places[..., leaders]
    better = (place[..., None, :] < place[..., :, None]).sum(-1)
    equal = (place[..., None, :] == place[..., :, None]).sum(-1)
    mean_place = better + (equal - 1) / 2
    value = 1.0 - 2.0 * mean_place / max(len(leaders) - 1, 1)
    return np.asarray(value[..., index], dtype=np.float64)


def margin(scores: Floats, places: Ints, teams: Teams) -> Floats:
    """The own score minus the best score of any other team (minus 0 if there is none)."""
    return lead(scores, teams)


def lead(scores: Floats, teams: Teams) -> Floats:
    """The margin, which needs no places and means something at every ply, float64[..., P]."""
    leaders, index = _team_indices(teams)
    own = np.asarray(scores, dtype=np.float64)[..., leaders]
    if len(leaders) == 1:
        return own[..., index]
    if len(leaders) == 2:
        return (own - own[..., ::-1])[..., index]
    others = np.where(np.eye(len(leaders), dtype=bool), -np.inf, own[..., None, :])
    return np.asarray((own - others.max(-1))[..., index], dtype=np.float64)


FINAL: dict[str, RewardFunction] = {"win": win, "score": score, "rank": rank, "margin": margin}
"""Paid once, when the game ends."""

DENSE: dict[str, Callable[[Floats, Teams], Floats]] = {"dense_margin": lead}
"""Paid as the change since the last decision, 0 being the value before the game; sums to the final value."""

NOT_ZERO_SUM = frozenset({"score"})
"""Rewards that do not sum to zero over two teams."""

REWARD_NAMES = (*FINAL, *DENSE)


@dataclass(frozen=True)
class Reward:
    """A weighted sum of named rewards, such as ``0.3 * win + dense_margin / 30``."""

    terms: tuple[tuple[str, float], ...]

    @property
    def is_dense(self) -> bool:
        """Whether something is paid before the end."""
        return any(name in DENSE for name, _ in self.terms)

    @property
    def is_zero_sum(self) -> bool:
        """Whether the rewards of two teams sum to zero."""
        return not any(name in NOT_ZERO_SUM for name, _ in self.terms)

    def final(self, scores: Floats, places: Ints, teams: Teams) -> Floats:
        """What is paid at the end beside the dense part, float64[..., P]."""
        total = np.zeros(np.shape(scores), dtype=np.float64)
        for name, weight in self.terms:
            if name in FINAL:
                total += weight * FINAL[name](scores, places, teams)
        return total

    def potential(self, scores: Floats, teams: Teams) -> Floats:
        """The quantity whose changes are paid at every decision, float64[..., P]."""
        total = np.zeros(np.shape(scores), dtype=np.float64)
        for name, weight in self.terms:
            if name in DENSE:
                total += weight * DENSE[name](scores, teams)
        return total


def make_reward(reward: str | Mapping[str, float] | Reward) -> Reward:
    """Return the `Reward` of a name (``"win"``) or of weights (``{"win": 0.3, "dense_margin": 1 / 30}``).

    Raises ``ValueError`` for unknown names, listing the known ones.
    """
    if isinstance(reward, Reward):
        return reward
    weights = {reward: 1.0} if isinstance(reward, str) else dict(reward)
    unknown = [name for name in weights if name not in REWARD_NAMES]
    if unknown or not weights:
        raise ValueError(f"reward={reward!r} is unknown; choose among {', '.join(REWARD_NAMES)}, or weights of these")
    if not all(math.isfinite(weight) for weight in weights.values()):
        raise ValueError(f"reward={reward!r}: every weight must be a finite number")
    return Reward(tuple((name, float(weight)) for name, weight in weights.items()))


@lru_cache(maxsize=64)
def _team_indices(teams: Teams) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return one player of each team, intp[T], and the row among these for each player, intp[P]."""
    _, leaders, index = np.unique(np.array(teams), return_index=True, return_inverse=True)
    return leaders, index
