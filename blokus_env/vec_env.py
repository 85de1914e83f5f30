"""The batched self-play environment for Stable-Baselines3."""

from typing import Any

from blokus_env.adapters.sb3 import SelfPlayVecEnv as GameVecEnv
from blokus_env.environments import make_game
from blokus_env.variants import Variant


class SelfPlayVecEnv(GameVecEnv):
    """`adapters.sb3.SelfPlayVecEnv` of a variant: `SelfPlayVecEnv("duo", num_envs=256, opponents=["self", "greedy"])`.

    Options of the game: `start`, `scoring`, `shared_color`, `observation` (here "compact" by default); the others are
    those of the base class.
    """

    def __init__(self, variant: str | Variant, num_envs: int, **options: Any) -> None:
        options.setdefault("observation", "compact")
        super().__init__(make_game(variant, options), num_envs, **options)
