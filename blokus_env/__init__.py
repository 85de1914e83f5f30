"""blokus-env: reinforcement-learning environments for the Blokus family of board games.

`State("duo")` is a game in the spirit of python-chess, `duo_v0.env()` a PettingZoo environment,
`gymnasium.make("blokus_env/Duo-v0")` a Gymnasium one, `SelfPlayVecEnv("duo", 256)` a batched environment for
Stable-Baselines3. Nothing is loaded before it is asked for.
"""

import importlib
from typing import Any

import gymnasium

from blokus_env.variants import VARIANTS, Variant, variant

__version__ = "0.1.0"

_HOME = {  # public name → the module that it lives in
    "Batch": "batch",
    "BlokusGame": "game",
    "GAME_OVER": "adapters.protocol",
    "IllegalActionError": "adapters.protocol",
    "Outcome": "state",
    "SelfPlayVecEnv": "vec_env",
    "State": "state",
    "env": "environments",
    "raw_env": "environments",
    "perft": "counting",
}

_MODULES = {"puzzles": "puzzles", "rumis": "rumis", "rumis_v0": "rumis.rumis_v0"}  # with kernels of their own
_MODULE_NAMES = (*(row.module_name for row in VARIANTS.values()), *_MODULES)

__all__ = ["VARIANTS", "Variant", "__version__", "variant", *_HOME, *_MODULE_NAMES]


def __getattr__(name: str) -> Any:
    """Load a public name, or the PettingZoo module of a variant (`duo_v0`), when it is first used."""
    if name in _HOME:
        module = importlib.import_module(f"blokus_env.{_HOME[name]}")
        return getattr(module, name)
    if any(name == row.module_name for row in VARIANTS.values()):
        return importlib.import_module("blokus_env.environments").variant_module(name)
    if name in _MODULES:
        return importlib.import_module(f"blokus_env.{_MODULES[name]}")
    raise AttributeError(f"module 'blokus_env' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


for _id, _name in (*((row.gymnasium_id, row.name) for row in VARIANTS.values()), ("blokus_env/Rumis-v0", "rumis")):
    gymnasium.register(
        id=_id,
        entry_point="blokus_env.environments:single_env",
        vector_entry_point="blokus_env.environments:vector_env",
        kwargs={"variant": _name},
    )

for _name in ("solo", "tetromino", "pentomino"):
    gymnasium.register(
        id=f"blokus_env/Puzzle{_name.capitalize()}-v0",
        entry_point="blokus_env.puzzles.env:PuzzleEnv",
        kwargs={"name": _name},
    )
