"""Game files as JSON lines: one game a line, as an object that any language reads.

`{"game": "duo", "version": 0, "options": {"start": "fixed"}, "moves": ["purple:f9,e10,f10,g10,f11", …], …}`, and where
they are known "properties" (SGF names, each with a list of values), "comments" (by the number of moves made) and "info"
(scores, places and whatever else a program notes). `records.read_games` and `write_games` use this format for names
that end in `.jsonl`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from blokus_env.records import CELL, GameRecord, Move, RecordError
from blokus_env.variants import Variant, variant

KEYS = ("game", "version", "options", "moves")
MORE_KEYS = ("properties", "comments", "info")
OPTION_NAMES = ("start", "scoring", "shared_color")


def format_games(games: Iterable[GameRecord]) -> str:
    """The text of a file of games. Raises `RecordError` for a game that begins with a set-up position."""
    return "".join(f"{format_game(game)}\n" for game in games)


def format_game(game: GameRecord) -> str:
    """The line of one game."""
    if game.setup:
        raise RecordError(f"{game.where}: a position that is set up has no place in JSON lines: write it as .blksgf")
    row = _known(game.variant, game.where)
    options = {name: getattr(game, name) for name in OPTION_NAMES if getattr(game, name) is not None}
    content: dict[str, Any] = {"game": row.name, "version": row.version, "options": options}
    content["moves"] = [f"{row.color_names[color]}:{text}" for color, text in game.moves]
    properties = {name: list(values) for name, values in game.properties.items()}
    comments = {str(ply): comment for ply, comment in game.comments.items()}
    more = zip(MORE_KEYS, (properties, comments, dict(game.info)), strict=True)
    return json.dumps(content | {key: value for key, value in more if value}, ensure_ascii=False)


def parse_games(text: str, source: str = "text") -> list[GameRecord]:
    """All games of a text; `source` names it in messages. Raises `RecordError` for anything malformed."""
    lines = enumerate(text.split("\n"), 1)
    return [_parse_game(line, f"{source}, line {number}") for number, line in lines if line.strip()]


def _parse_game(line: str, where: str) -> GameRecord:
    try:
        content = json.loads(line)
    except json.JSONDecodeError as error:
        raise RecordError(f"{where}: no JSON: {error}") from error
    _check_keys(content, where)
    row = _known(content["game"], where)
    if content["version"] != row.version:
        raise RecordError(f"{where}: version {content['version']!r} of {row.name}: expected {row.version}")
    _check_options(content["options"], row, where)
    try:
        comments = {int(ply): str(comment) for ply, comment in content.get("comments", {}).items()}
        properties = {name: tuple(map(str, values)) for name, values in content.get("properties", {}).items()}
        return GameRecord(
            variant=row.name,
            moves=tuple(_move(text, row) for text in content["moves"]),
            **content["options"],
            properties=properties,
            comments=comments,
            info=dict(content.get("info", {})),
            where=where,
        )
    except (ValueError, TypeError, AttributeError) as error:
        raise RecordError(f"{where}: {error}") from error


def _check_keys(content: Any, where: str) -> None:
    """Refuse what is no game, and keys that this module does not know."""
    if not isinstance(content, Mapping):
        raise RecordError(f"{where}: expected an object with {', '.join(KEYS)}")
    if missing := [key for key in KEYS if key not in content]:
        raise RecordError(f'{where}: "{missing[0]}" is missing')
    if unknown := sorted(content.keys() - {*KEYS, *MORE_KEYS}):
        raise RecordError(f'{where}: "{unknown[0]}" is unknown: expected {", ".join((*KEYS, *MORE_KEYS))}')


def _check_options(options: Any, row: Variant, where: str) -> None:
    """Refuse options that the ruleset does not have."""
    if not isinstance(options, Mapping):
        raise RecordError(f'{where}: "options" is {options!r}, expected an object')
    if unknown := sorted(options.keys() - set(OPTION_NAMES)):
        raise RecordError(f'{where}: option "{unknown[0]}" is unknown: expected some of {", ".join(OPTION_NAMES)}')
    try:
        row.start_option(options.get("start"))
        row.scoring_option(options.get("scoring"))
        row.with_shared_color(options.get("shared_color"))
    except ValueError as error:
        raise RecordError(f"{where}: {error}") from error


def _known(name: Any, where: str) -> Variant:
    try:
        return variant(str(name))
    except ValueError as error:
        raise RecordError(f"{where}: {error}") from error


def _move(text: Any, row: Variant) -> Move:
    """From "purple:f9,e10"."""
    color, colon, cells = str(text).partition(":")
    if not colon or color not in row.color_names:
        raise ValueError(f"move {text!r}: expected a color, one of {', '.join(row.color_names)}, a colon and cells")
    if not all(CELL.fullmatch(cell) for cell in cells.split(",")):
        raise ValueError(f"move {text!r}: {cells!r} is not a list of cells such as 'e9,d10,e10'")
    return Move(row.color_names.index(color), cells)
