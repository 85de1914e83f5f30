"""Games by name, with options by name: what training and evaluation start from."""

from __future__ import annotations

from typing import Any

from blokus_env.adapters.protocol import Game


def make_game(name: str, **options: Any) -> Game:
    """A ruleset of `blokus_env` or `blockers` with the compact observation; options that are None are the defaults.

    Raises ValueError for an unknown ruleset or option.
    """
    given = {option: value for option, value in options.items() if value is not None}
    given = {**given, "observation": "compact"}
    game: Game
    if name == "blockers":
        from blockers_env.environments import make_game as make_blockers

        game = make_blockers(given)
    else:
        from blokus_env.environments import make_game as make_blokus

        game = make_blokus(name, given)
    if given:
        raise ValueError(f"{name} has no option {next(iter(given))!r}")
    return game
