"""Game files: JSON lines, one game a line, with the options, the seed, the order of every pile and the moves.

`GameRecord.replay` plays a game and checks every move against the rules.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from blockers_env.state import State
from blockers_env.tiles import TILE_NAMES, parse_tile
from blockers_env.variants import NAME, VERSION, Options, make_options

__all__ = ["GameRecord", "RecordError", "format_games", "parse_games", "read_games", "write_games"]

KEYS = ("game", "version", "options", "seed", "deal", "moves", "info")


class RecordError(ValueError):
    """A file or game is malformed, or breaks a rule; the message names the place."""


@dataclass(frozen=True)
class GameRecord:
    """One game: the rules, the order of each color's pile (first the tiles of the first rack), the moves as text, and
    what else is known of it: players, result, date, ….
    """

    options: Options
    deal: tuple[tuple[int, ...], ...]
    moves: tuple[str, ...] = ()
    seed: int | None = None
    info: Mapping[str, Any] = field(default_factory=dict)
    where: str = field(default="game", compare=False)  # for messages

    @classmethod
    def from_state(cls, state: State, **info: Any) -> GameRecord:
        """The record of a game; a finished one also notes its points and places."""
        deal = tuple(tuple(row) for row in state.deal().tolist())
        other, moves = State(state.options, deal=deal), []
        for action in state.actions:
            moves.append(other.text(action))
            other.push(action)
        outcome = state.outcome()
        if outcome is not None:
            info = {"points": list(outcome.points), "places": list(outcome.places), **info}
        return cls(state.options, deal, tuple(moves), state.seed, info)

    def replay(self) -> State:
        """The position after the last move. Raises `RecordError` at the first move that breaks a rule."""
        *_, last = self.states()
        return last

    def states(self) -> Iterator[State]:
        """The position before each move, and the last one: independent copies."""
        try:
            state = State(self.options, deal=self.deal)
        except ValueError as error:
            raise RecordError(f"{self.where}: {error}") from error
        state.seed = self.seed
        yield state.copy()
        for number, move in enumerate(self.moves, 1):
            try:
                state.push(move)
            except ValueError as error:
                raise RecordError(f"{self.where}, move {number} ({move}): {error}") from error
            yield state.copy()

    def as_json(self) -> str:
        """The game as one line."""
        deal = [" ".join(TILE_NAMES[tile] for tile in pile) for pile in self.deal]
        content = (NAME, VERSION, self.options.as_dict(), self.seed, deal, list(self.moves), dict(self.info))
        return json.dumps(dict(zip(KEYS, content, strict=True)), ensure_ascii=False)


def read_games(path: str | os.PathLike[str]) -> list[GameRecord]:
    """All games of a file. Raises `RecordError` for anything malformed, naming file and line."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}, byte {error.start}: not UTF-8 text, the only encoding of these files") from error
    return parse_games(text, str(path))


def parse_games(text: str, source: str = "text") -> list[GameRecord]:
    """All games of a text; `source` names it in messages."""
    lines = enumerate(text.split("\n"), 1)
    return [_record(line, f"{source}, line {number}") for number, line in lines if line.strip()]


def write_games(path: str | os.PathLike[str], games: Iterable[GameRecord]) -> None:
    """Write a file of games, one a line."""
    Path(path).write_text(format_games(games), encoding="utf-8", newline="\n")


def format_games(games: Iterable[GameRecord]) -> str:
    """The text of a file of games."""
    return "".join(f"{game.as_json()}\n" for game in games)


def _record(line: str, where: str) -> GameRecord:
    try:
        content = json.loads(line)
    except json.JSONDecodeError as error:
        raise RecordError(f"{where}: no JSON: {error}") from error
    if not isinstance(content, dict) or (content.get("game"), content.get("version")) != (NAME, VERSION):
        raise RecordError(f'{where}: expected an object with "game": "{NAME}" and "version": {VERSION}')
    missing = [key for key in KEYS if key not in content]
    if missing:
        raise RecordError(f'{where}: "{missing[0]}" is missing')
    try:
        options = make_options(content["options"])
        deal = tuple(tuple(parse_tile(tile) for tile in pile.split()) for pile in content["deal"])
        moves = tuple(str(move) for move in content["moves"])
        info, seed = dict(content["info"]), content["seed"]
        if not isinstance(seed, int | None):
            raise ValueError(f"seed {seed!r} is no integer and not null")
    except (ValueError, TypeError, AttributeError) as error:
        raise RecordError(f"{where}: {error}") from error
    return GameRecord(options, deal, moves, seed, info, where)
