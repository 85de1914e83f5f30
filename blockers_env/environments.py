"""PettingZoo and Gymnasium environments of the game."""

from typing import Any

from pettingzoo import AECEnv

from blockers_env.game import BlockersGame
from blockers_env.variants import Options
from blokus_env.adapters.aec import GameAECEnv, wrap
from blokus_env.adapters.single import SinglePlayerEnv
from blokus_env.adapters.vector import GameVectorEnv

GAME_OPTIONS = ("options", "observation", *Options.__dataclass_fields__)


def make_game(options: dict[str, Any]) -> BlockersGame:
    """Take the options of the game out of keyword arguments, and make it."""
    return BlockersGame(**{option: options.pop(option) for option in GAME_OPTIONS if option in options})


def raw_env(**options: Any) -> GameAECEnv:
    """The PettingZoo AEC environment, without PettingZoo's order-checking wrappers.

    Options: those of the rules (`Options`: `num_players`, `two_colors`, `scoring`, `tie_break`, `wild`, `rack_size`,
    `capture_own_other_color`, or `options` for all at once), `observation` ("planes", "compact"), and those of
    `GameAECEnv`: `reward` ("win", "score", "rank", "margin", "dense_margin"), `on_illegal` ("lose", "raise", "random"),
    `render_mode` ("ansi", "rgb_array", "human").
    """
    return GameAECEnv(make_game(options), **options)


def env(**options: Any) -> AECEnv:
    """As `raw_env`, with PettingZoo's wrappers that check the order of calls and the range of actions."""
    return wrap(raw_env(**options))


def single_env(**options: Any) -> SinglePlayerEnv:
    """The Gymnasium environment: one learner against given opponents (the entry point of `gymnasium.make`)."""
    return SinglePlayerEnv(make_game(options), **options)


def vector_env(num_envs: int = 1, **options: Any) -> GameVectorEnv:
    """Many games as a Gymnasium vector environment (the entry point of `gymnasium.make_vec`).

    The observation is "compact" by default; options are those of `GameVectorEnv` and of the game.
    """
    options.setdefault("observation", "compact")
    return GameVectorEnv(make_game(options), num_envs, **options)
