"""Games by name, with options by name: what training and evaluation start from."""

from __future__ import annotations

from typing import Any

from blokus_env.adapters.protocol import Game


def make_game(name: str, /, **options: Any) -> Game:
    """A ruleset of `blokus_env` or `blockers` with the compact observation; options that are None are the defaults.

    Raises ValueError for an unknown ruleset or option.
    """
    given = {option: value for option, value in options.items() if value is not None}
    given = {**given, "observation": "compact"}
    game: Game
    if name == "blockers":
        from blockers_env.environments import GAME_OPTIONS
        from blockers_env.environments import make_game as make_blockers

        known = f": choose among {', '.join(GAME_OPTIONS[2:])}"
        game = make_blockers(given)
    else:
        from blokus_env.environments import make_game as make_blokus

        known = ""
        game = make_blokus(name, given)
    if given:
        raise ValueError(f"{name} has no option {next(iter(given))!r}{known}")
    return game


def merged(start: str | None, scoring: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """All options of a game by name. Raises ValueError if `start` or `scoring` is given in both ways."""
    own = {name: value for name, value in (("start", start), ("scoring", scoring)) if value is not None}
    for name in own.keys() & options.keys():
        raise ValueError(f"{name} is given twice: {own[name]!r}, and {options[name]!r} as an option")
    return {**own, **options}
