"""Rumis as a PettingZoo environment: `env(...)` and `raw_env(...)`."""

from blokus_env.rumis.environments import env, raw_env

__all__ = ["env", "raw_env"]
