"""blockers-env: reinforcement-learning environments for Blockers, also known as Uptown.

`State(num_players=2)` is a game in the spirit of python-chess, `env(num_players=4)` (or `blockers_v0.env`) a
PettingZoo environment, `gymnasium.make("blockers_env/Blockers-v0")` a Gymnasium one, `SelfPlayVecEnv(256,
num_players=2)` a batched environment for Stable-Baselines3. Nothing is loaded before it is asked for.
"""

import importlib
from typing import Any

import gymnasium

from blockers_env.variants import VERSION, Options, make_options

_HOME = {  # public name → the module that it lives in
    "Batch": "blockers_env.batch",
    "BlockersGame": "blockers_env.game",
    "GAME_OVER": "blokus_env.adapters.protocol",
    "GameRecord": "blockers_env.records",
    "IllegalActionError": "blokus_env.adapters.protocol",
    "Outcome": "blockers_env.state",
    "SelfPlayVecEnv": "blockers_env.vec_env",
    "State": "blockers_env.state",
    "View": "blockers_env.state",
    "determinize": "blockers_env.state",
    "env": "blockers_env.environments",
    "raw_env": "blockers_env.environments",
}
_MODULE = f"blockers_v{VERSION}"

__all__ = ["Options", "make_options", *_HOME, _MODULE]


def __getattr__(name: str) -> Any:
    """Load a public name, or the PettingZoo module `blockers_v0`, when it is first used."""
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    if name == _MODULE:
        return importlib.import_module(f"blockers_env.{_MODULE}")
    raise AttributeError(f"module 'blockers_env' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


gymnasium.register(
    id=f"blockers_env/Blockers-v{VERSION}",
    entry_point="blockers_env.environments:single_env",
    vector_entry_point="blockers_env.environments:vector_env",
)
