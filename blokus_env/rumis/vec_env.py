"""The batched self-play environment for Stable-Baselines3."""

from typing import Any

from blokus_env.adapters.sb3 import SelfPlayVecEnv as GameVecEnv
from blokus_env.rumis.environments import make_game


class SelfPlayVecEnv(GameVecEnv):
    """`adapters.sb3.SelfPlayVecEnv` of the game: `SelfPlayVecEnv(256, num_players=2, opponents=["self", "greedy"])`.

    Options of the game are those of `environments.raw_env` (`observation` is "compact" by default); the others are
    those of the base class.
    """

    def __init__(self, num_envs: int, **options: Any) -> None:
        options.setdefault("observation", "compact")
        super().__init__(make_game(options), num_envs, **options)
