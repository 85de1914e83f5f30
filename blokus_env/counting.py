"""Counting action sequences: the proof that legal actions are right."""

import numpy as np
from numpy.typing import NDArray

from blokus_env import kernels
from blokus_env.state import State
from blokus_env.variants import Variant


def perft(variant: str | Variant, depth: int, start: str | None = None) -> int:
    """Number of action sequences of a length from the empty board; colors that cannot move are skipped without
    counting.

    Raises ValueError for an unknown variant or start rule, or a negative depth.
    """
    return sum(divide(variant, depth, start).values()) if depth else _checked_depth(variant, start)


def _checked_depth(variant: str | Variant, start: str | None) -> int:
    State(variant, start)
    return 1  # the empty sequence


def divide(variant: str | Variant, depth: int, start: str | None = None) -> dict[int, int]:
    """The same count split by the first action: action id → number of sequences that begin with it."""
    if depth < 1:
        raise ValueError(f"depth={depth} is too small: expected at least 1")
    state = State(variant, start)
    tables = state.tables
    moves = np.zeros((depth, tables.num_actions + 1), np.uint32)
    by_first: NDArray[np.int64] = np.zeros(tables.num_actions, np.int64)
    kernels.perft(tables.record, state.records, tables.new_scratch(), tables.new_states(depth), moves, by_first)
    return {int(action): int(by_first[action]) for action in state.legal_actions()}
