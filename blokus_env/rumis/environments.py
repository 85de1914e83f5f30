"""PettingZoo and Gymnasium environments of the game."""

from dataclasses import fields
from typing import Any

from pettingzoo import AECEnv

from blokus_env.adapters.aec import GameAECEnv, wrap
from blokus_env.adapters.single import SinglePlayerEnv
from blokus_env.adapters.vector import GameVectorEnv
from blokus_env.rumis.game import RumisGame
from blokus_env.rumis.variants import Options

GAME_OPTIONS = ("options", "observation", *(entry.name for entry in fields(Options)))


def make_game(options: dict[str, Any]) -> RumisGame:
    """Take the options of the game out of keyword arguments, and make it."""
    return RumisGame(**{option: options.pop(option) for option in GAME_OPTIONS if option in options})


def raw_env(**options: Any) -> GameAECEnv:
    """The PettingZoo AEC environment, without PettingZoo's order-checking wrappers.

    Options: those of the rules (`Options`: `num_players`, `building`, `two_colors`, `out_after_pass`, or `options` for
    all at once), `observation` ("planes", "compact"), and those of `GameAECEnv`: `reward` ("win", "score", "rank",
    "margin", "dense_margin"), `on_illegal` ("lose", "raise", "random"), `render_mode` ("ansi", "rgb_array", "human").
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
