"""PettingZoo and Gymnasium environments of the registered rulesets."""

import functools
import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pettingzoo import AECEnv

from blokus_env.adapters.aec import GameAECEnv, wrap
from blokus_env.adapters.single import SinglePlayerEnv
from blokus_env.adapters.vector import GameVectorEnv
from blokus_env.game import BlokusGame
from blokus_env.variants import VARIANTS, Variant

if TYPE_CHECKING:
    from blokus_env.rumis.game import RumisGame

GAME_OPTIONS = ("start", "scoring", "observation", "shared_color")
OTHER_GAMES = {"rumis": "blokus_env.rumis.environments"}  # with a kernel and options of their own: a `make_game` there


def make_game(name: str | Variant, options: dict[str, Any]) -> "BlokusGame | RumisGame":
    """Take the options of the game out of keyword arguments, and make it."""
    if isinstance(name, str) and name in OTHER_GAMES:
        game: RumisGame = importlib.import_module(OTHER_GAMES[name]).make_game(options)
        return game
    return BlokusGame(name, **{option: options.pop(option) for option in GAME_OPTIONS if option in options})


def raw_env(name: str | Variant, **options: Any) -> GameAECEnv:
    """The PettingZoo AEC environment of a variant, without PettingZoo's order-checking wrappers.

    Options: `start`, `scoring`, `shared_color` (as in `State`), `observation` ("planes", "compact"), and those of
    `GameAECEnv`: `reward` ("win", "score", "rank", "margin", "dense_margin"), `on_illegal` ("lose", "raise", "random"),
    `render_mode` ("ansi", "rgb_array", "human").
    """
    return GameAECEnv(make_game(name, options), **options)


def env(name: str | Variant, **options: Any) -> AECEnv:
    """As `raw_env`, with PettingZoo's wrappers that check the order of calls and the range of actions."""
    return wrap(raw_env(name, **options))


def single_env(variant: str | Variant = "duo", **options: Any) -> SinglePlayerEnv:
    """The Gymnasium environment: one learner against given opponents (the entry point of `gymnasium.make`)."""
    return SinglePlayerEnv(make_game(variant, options), **options)


def vector_env(variant: str | Variant = "duo", num_envs: int = 1, **options: Any) -> GameVectorEnv:
    """Many games as a Gymnasium vector environment (the entry point of `gymnasium.make_vec`).

    The observation is "compact" by default; options are those of `GameVectorEnv` and of the game.
    """
    options.setdefault("observation", "compact")
    return GameVectorEnv(make_game(variant, options), num_envs, **options)


@functools.cache
def variant_module(name: str) -> ModuleType:
    """A module with `env` and `raw_env` of one variant, such as `blokus_env.duo_v0`.

    Raises KeyError for another name.
    """
    variant = {row.module_name: row for row in VARIANTS.values()}[name]
    module = ModuleType(
        f"blokus_env.{name}", f"{variant.title} as a PettingZoo environment: `env(...)` and `raw_env(...)`."
    )

    def bound(make: Any) -> Any:
        def make_env(**options: Any) -> Any:
            return make(variant.name, **options)

        make_env.__name__ = make_env.__qualname__ = make.__name__
        make_env.__doc__ = make.__doc__
        return make_env

    module.env, module.raw_env = bound(env), bound(raw_env)  # type: ignore[attr-defined]
    return module
