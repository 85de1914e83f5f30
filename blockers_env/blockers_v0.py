"""Blockers as a PettingZoo environment: `env(...)` and `raw_env(...)`."""

from blockers_env.environments import env, raw_env

__all__ = ["env", "raw_env"]
