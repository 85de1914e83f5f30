"""Small helpers to play games with the engine."""

from collections.abc import Iterable

import numpy as np

from blokus_env import State
from blokus_env.variants import VARIANTS
from tests.reference.blokus import Cells, parse

RULES = [(name, start) for name, row in VARIANTS.items() for start in row.starts]


def random_state(variant: str, start: str, plies: int, seed: int, **options: str) -> State:
    """The state after so many random plies, or at the end of the game."""
    rng = np.random.default_rng(seed)
    state = State(variant, start=start, **options)
    while state.ply < plies and not state.is_over:
        state.push(int(rng.choice(state.legal_actions())))
    return state


def play(state: State, moves: Iterable[int | str]) -> State:
    """Pushes all moves."""
    for move in moves:
        state.push(move)
    return state


def cells(state: State, action: int) -> Cells:
    """The cells of an action as a set, read from its text."""
    return parse(state.text(action), state.variant.height)


def legal_texts(state: State, color: int | None = None) -> set[str]:
    """The legal actions as texts."""
    return {state.text(int(action)) for action in state.legal_actions(color)}


def legal_counts(state: State) -> list[int]:
    """How many legal actions every color has, as if it were its turn."""
    return [len(state.legal_actions(color)) for color in range(len(state.color_names))]
