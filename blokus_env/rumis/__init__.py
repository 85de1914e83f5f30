"""Rumis, sold as Blokus 3D: stones of cubes, piled up to a building and seen from above.

`State(num_players=2)` is a game in the spirit of python-chess, `env(num_players=2)` a PettingZoo environment,
`gymnasium.make("blokus_env/Rumis-v0")` a Gymnasium one, `SelfPlayVecEnv(256, num_players=2)` a batched environment for
Stable-Baselines3. Nothing is loaded before it is asked for.
"""

import importlib
from typing import Any

from blokus_env.rumis.buildings import BUILDINGS, Building
from blokus_env.rumis.variants import VERSION, Options, make_options

_HOME = {  # public name → the module that it lives in
    "Batch": "blokus_env.rumis.batch",
    "GAME_OVER": "blokus_env.adapters.protocol",
    "GameRecord": "blokus_env.rumis.records",
    "IllegalActionError": "blokus_env.adapters.protocol",
    "Outcome": "blokus_env.rumis.state",
    "RumisGame": "blokus_env.rumis.game",
    "SelfPlayVecEnv": "blokus_env.rumis.vec_env",
    "State": "blokus_env.rumis.state",
    "env": "blokus_env.rumis.environments",
    "raw_env": "blokus_env.rumis.environments",
}
_MODULE = f"rumis_v{VERSION}"

__all__ = ["BUILDINGS", "Building", "Options", "make_options", *_HOME, _MODULE]


def __getattr__(name: str) -> Any:
    """Load a public name, or the PettingZoo module `rumis_v0`, when it is first used."""
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    if name == _MODULE:
        return importlib.import_module(f"blokus_env.rumis.{_MODULE}")
    raise AttributeError(f"module 'blokus_env.rumis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
