"""The solo puzzles of the family: the whole game alone (P1), and boards to be filled (P2 … P4).

`gymnasium.make("blokus_env/PuzzlePentomino-v0")` is an environment, `PackingState("pentomino")` and `SoloState()` are
what is behind it, `solve("pentomino")` finds a solution and `check_solution` checks one. Nothing is loaded before it is
asked for.
"""

import importlib
from typing import Any

from blokus_env.puzzles.variants import PUZZLES, Puzzle, packing, puzzle

_HOME = {  # public name → the module that it lives in
    "PackingState": "packing_state",
    "PuzzleEnv": "env",
    "SoloState": "solo_state",
    "Solution": "solution",
    "check_solution": "solution",
    "solve": "solver",
}

__all__ = ["PUZZLES", "Puzzle", "packing", "puzzle", *_HOME]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name in _HOME:
        return getattr(importlib.import_module(f"blokus_env.puzzles.{_HOME[name]}"), name)
    raise AttributeError(f"module 'blokus_env.puzzles' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
