"""Game files: `.blksgf`, the Smart Game Format as Pentobi uses it for Blokus, and JSON lines (`blokus_env.jsonl`).

`read_games` gives the main line of every game in a file, `GameRecord.replay` plays it and checks every move against
the rules, `write_games` writes games that Pentobi opens, or JSON lines if the file's name ends in `.jsonl`. Variations
are counted but not kept; `blokus_env.sgf.parse` has the whole trees.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from blokus_env import sgf
from blokus_env.sgf import Node, RecordError
from blokus_env.state import State

__all__ = ["GameRecord", "Move", "RecordError", "Setup", "format_games", "parse_games", "read_games", "write_games"]


class Game(NamedTuple):
    """What a file calls a ruleset, and the number of its colors."""

    title: str
    num_colors: int


# The `GM` property of each ruleset. Where two share one, the first is meant unless `RU` names the other.
GAMES: Mapping[str, Game] = {
    "duo": Game("Blokus Duo", 2),
    "to_go": Game("Blokus Duo", 2),
    "junior": Game("Blokus Junior", 2),
    "classic": Game("Blokus", 4),
    "classic_teams": Game("Blokus", 4),
    "classic_2": Game("Blokus Two-Player", 4),
    "classic_3": Game("Blokus Three-Player", 4),
    "trigon": Game("Blokus Trigon", 4),
    "trigon_2": Game("Blokus Trigon Two-Player", 4),
    "trigon_3": Game("Blokus Trigon Three-Player", 3),
    "nexos": Game("Nexos", 4),
    "nexos_2": Game("Nexos Two-Player", 4),
    "callisto": Game("Callisto", 4),
    "callisto_2": Game("Callisto Two-Player", 2),
    "callisto_2_4": Game("Callisto Two-Player Four-Color", 4),
    "callisto_3": Game("Callisto Three-Player", 3),
    "gembloq": Game("GembloQ", 4),
    "gembloq_2": Game("GembloQ Two-Player", 2),
    "gembloq_2_4": Game("GembloQ Two-Player Four-Color", 4),
    "gembloq_3": Game("GembloQ Three-Player", 3),
}
COLOR_IDS = {2: ("B", "W"), 3: ("1", "2", "3"), 4: ("1", "2", "3", "4")}  # by number of colors
OLD_COLOR_IDS = {"BLUE": 0, "YELLOW": 1, "RED": 2, "GREEN": 3}  # of four-color games in very old files
OPTIONS = re.compile(r"(\w+)(?: start=(\w+))?(?: scoring=(\w+))?(?: shared_color=(\w+))?")  # `RU`, as written here
CELL = re.compile(r"([a-z]{1,2})([1-9]\d*)")


Ruleset: TypeAlias = tuple[str, str | None, str | None, str | None]  # variant, start, scoring, shared color


class Move(NamedTuple):
    """A color and the cells it covers: the text of an action."""

    color: int
    text: str


class Setup(NamedTuple):
    """A change of the position that is no move: before ply `ply`, property `name` (`AB`, `A1`, `AE`, `PL`, …)."""

    ply: int
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class GameRecord:
    """One game: the ruleset, the moves of the main line, and what else the file says about them."""

    variant: str
    moves: tuple[Move, ...] = ()
    start: str | None = None  # option of the ruleset; None: its default
    scoring: str | None = None
    shared_color: str | None = None
    properties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of the root: PB, P1, DT, EV, RE, …
    comments: Mapping[int, str] = field(default_factory=dict)  # by the number of moves made
    setup: tuple[Setup, ...] = ()
    info: Mapping[str, Any] = field(default_factory=dict, compare=False)  # scores, places, …; JSON lines alone keep it
    num_variations: int = field(default=0, compare=False)  # branches of the file's tree that are not kept
    where: str = field(default="game", compare=False)  # for messages

    @classmethod
    def from_state(
        cls, state: State, players: Sequence[str] = (), comments: Mapping[int, str] | None = None, **properties: str
    ) -> GameRecord:
        """The record of a game, with names by seat and further properties by their SGF names (`DT="2026-02-03"`)."""
        colors = _colors_of(state)
        moves = tuple(Move(color, state.text(action)) for color, action in zip(colors, state.actions, strict=True))
        ids = player_ids(state)
        root = {f"P{id}": (name,) for id, name in zip(ids, players, strict=False)}
        root |= {name: (value,) for name, value in properties.items()}
        if state.is_over and len(ids) == 2:
            margin = state.player_scores()[0] - state.player_scores()[1]
            root.setdefault("RE", (f"{ids[0] if margin > 0 else ids[1]}+{abs(margin):g}" if margin else "0",))
        row, outcome = state.variant, state.outcome()
        options = (state.start, state.scoring, row.shared_color)
        info = {} if outcome is None else {"scores": list(outcome.scores), "places": list(outcome.places)}
        return cls(row.name, moves, *options, root, dict(comments or {}), info=info)

    def replay(self, start: str | None = None, scoring: str | None = None) -> State:
        """The position after the last move. Raises `RecordError` at the first move that breaks a rule.

        Options default to what the record says, then to the ruleset's own defaults.
        """
        *_, last = self.states(start, scoring)
        return last

    def states(self, start: str | None = None, scoring: str | None = None) -> Iterator[State]:
        """The position before each move, and the last one: independent copies."""
        state = self._first_state(start, scoring)
        yield state.copy()
        for number, move in enumerate(self.moves, 1):
            name = f"move {number} ({_color_id(self.variant, move.color)}[{move.text}])"
            _push(state, move, f"{self.where}, {name}")
            yield state.copy()

    def _first_state(self, start: str | None, scoring: str | None) -> State:
        """The empty board, or the position that the file sets up."""
        try:
            state = State(self.variant, start or self.start, scoring or self.scoring, self.shared_color)
        except ValueError as error:
            raise RecordError(f"{self.where}: {error}") from error
        ids = COLOR_IDS[GAMES[self.variant].num_colors]
        waiting: dict[int, list[str]] = {}
        for ply, name, values in self.setup:
            if ply > 0 or name == "AE":
                raise RecordError(f"{self.where}: cannot replay the setup property {name} before move {ply + 1}")
            if name != "PL":
                waiting.setdefault(ids.index(name[1:]), []).extend(values)
        _play_setup(state, waiting, self.where)
        for _, name, values in self.setup:
            if name == "PL" and (state.is_over or values[0] != ids[state.color]):
                raise RecordError(f"{self.where}: PL[{values[0]}] does not fit: {_to_move(state)}")
        return state


def _play_setup(state: State, waiting: Mapping[int, list[str]], where: str) -> None:
    """Play placements in an order that the rules allow: a color's own order does not matter on flat boards (B5)."""
    for _ in range(sum(map(len, waiting.values()))):
        texts = [] if state.is_over else waiting.get(state.color, [])
        playable = [text for text in texts if _is_legal(state, text)]
        if not playable:
            raise RecordError(f"{where}: the setup position cannot be reached by legal moves: {_to_move(state)}")
        texts.remove(playable[0])
        state.push(playable[0])


def _is_legal(state: State, text: str) -> bool:
    try:
        return bool(state.is_legal(state.parse(text)))
    except ValueError:
        return False


def _push(state: State, move: Move, where: str) -> None:
    if state.is_over or state.color != move.color:
        raise RecordError(f"{where}: not this color's turn: {_to_move(state)}")
    try:
        state.push(move.text)
    except ValueError as error:
        raise RecordError(f"{where}: {error}") from error


def _to_move(state: State) -> str:
    return "the game is over" if state.is_over else f"{state.color_names[state.color]} is to move"


def _colors_of(state: State) -> list[int]:
    """The color of each move made."""
    board = state.board()
    return [int(board[tuple(state.action_cells(action)[0])]) for action in state.actions]


def _color_id(variant: str, color: int) -> str:
    return COLOR_IDS[GAMES[variant].num_colors][color]


def player_ids(state: State) -> tuple[str, ...]:
    """How a file names the players: `B` and `W` where there are two, else `1`, `2`, …."""
    return COLOR_IDS[state.variant.num_players]


# --- reading ------------------------------------------------------------------------------------------------------


def read_games(path: str | os.PathLike[str]) -> list[GameRecord]:
    """All games of a file. Raises `RecordError` for anything malformed, naming file and place."""
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}, byte {error.start}: not UTF-8 text, the only encoding of these files") from error
    if is_json_lines(path):
        from blokus_env import jsonl  # which imports this module

        return jsonl.parse_games(text, str(path))
    return parse_games(text, str(path))


def is_json_lines(path: Path) -> bool:
    """Whether a file is one of JSON lines, by the end of its name."""
    return path.suffix.lower() == ".jsonl"


def parse_games(text: str, source: str = "text") -> list[GameRecord]:
    """All games of a text of the Smart Game Format; `source` names it in messages."""
    roots = sgf.parse(text, source)
    if not roots:
        raise RecordError(f"{source}: no game in it")
    return [_record(root, f"{source}, game {number} (line {root.line})") for number, root in enumerate(roots, 1)]


def _record(root: Node, where: str) -> GameRecord:
    variant, start, scoring, shared_color = ruleset = _ruleset(root, where)
    ids = COLOR_IDS[GAMES[variant].num_colors]
    setup_names = {f"A{id}" for id in ids} | {"AE", "PL"}
    colors = {id: color for color, id in enumerate(ids)} | {str(color + 1): color for color in range(len(ids))}
    if len(ids) == 4:
        colors |= OLD_COLOR_IDS
    moves: list[Move] = []
    setup: list[Setup] = []
    comments: dict[int, str] = {}
    for node in root.mainline():
        for name in sorted(setup_names & node.properties.keys()):
            values = node.properties[name]
            setup.append(Setup(len(moves), name, tuple(values if name == "PL" else (_text(v, where) for v in values))))
        _check_names(node, {*setup_names, *colors}, variant, where)
        if move := _move(node, colors, len(moves) + 1, where):
            moves.append(move)
        if "C" in node.properties:
            comments[len(moves)] = "\n\n".join(filter(None, [comments.get(len(moves)), *node.properties["C"]]))
    skipped = {"GM", "CA", "C", *setup_names, *colors} | ({"RU"} if _named_ruleset(root) == ruleset else set())
    properties = {name: tuple(values) for name, values in root.properties.items() if name not in skipped}
    return GameRecord(
        variant=variant,
        moves=tuple(moves),
        start=start,
        scoring=scoring,
        shared_color=shared_color,
        properties=properties,
        comments=comments,
        setup=tuple(setup),
        num_variations=root.num_variations(),
        where=where,
    )


def _ruleset(root: Node, where: str) -> Ruleset:
    """What `GM` says, or `RU` where that names a ruleset of the same title."""
    title = root.properties.get("GM", [""])[0]
    variants = [name for name, game in GAMES.items() if game.title == title]
    if not variants:
        known = ", ".join(dict.fromkeys(game.title for game in GAMES.values()))
        raise RecordError(f"{where}: property GM is {title!r}, expected one of {known}")
    named = _named_ruleset(root)
    return named if named and named[0] in variants else (variants[0], None, None, None)


def _named_ruleset(root: Node) -> Ruleset | None:
    """What `RU` says, if it is as written by this module."""
    match = OPTIONS.fullmatch(root.properties.get("RU", [""])[0])
    return (match[1], match[2], match[3], match[4]) if match and match[1] in GAMES else None


def _move(node: Node, colors: Mapping[str, int], number: int, where: str) -> Move | None:
    """The move in a node, if there is one."""
    names = [name for name in node.properties if name in colors]
    if not names:
        return None
    if len(names) > 1:
        raise RecordError(f"{where}: move {number}: {' and '.join(names)} in one node (line {node.line})")
    # Files of very old programs have one value for each cell.
    return Move(colors[names[0]], _text(",".join(node.properties[names[0]]), f"{where}: move {number}, {names[0]}"))


def _check_names(node: Node, known: Iterable[str], variant: str, where: str) -> None:
    """Refuse moves and setup of colors that the game does not have, rather than to pass them over."""
    every = {"B", "W", "AB", "AW", *"1234", *(f"A{id}" for id in "1234"), *OLD_COLOR_IDS}
    if foreign := sorted((every & node.properties.keys()) - set(known)):
        raise RecordError(
            f"{where}: property {foreign[0]} (line {node.line}) does not belong to {GAMES[variant].title}"
        )


def _text(value: str, where: str) -> str:
    """The text of an action: lower case, cells by row and column."""
    cells = []
    for cell in value.lower().split(","):
        match = CELL.fullmatch(cell.strip())
        if match is None:
            raise RecordError(f"{where}: {value!r} is not a list of cells such as 'e9,d10,e10'")
        cells.append((int(match[2]), len(match[1]), match[1]))
    if len(set(cells)) < len(cells):
        raise RecordError(f"{where}: {value!r} names a cell twice")
    return ",".join(f"{column}{row}" for row, _, column in sorted(cells))


# --- writing ------------------------------------------------------------------------------------------------------


def write_games(path: str | os.PathLike[str], games: Iterable[GameRecord]) -> None:
    """Write a file of games, one a line; as JSON lines if its name ends in `.jsonl`."""
    path = Path(path)
    if is_json_lines(path):
        from blokus_env import jsonl

        text = jsonl.format_games(games)
    else:
        text = format_games(games)
    path.write_text(text, encoding="utf-8", newline="\n")


def format_games(games: Iterable[GameRecord]) -> str:
    """The text of a file of games in the Smart Game Format."""
    return "".join(f"({format_game(game)})\n" for game in games)


def format_game(game: GameRecord) -> str:
    """The nodes of one game. `GM` comes first, as programs that look at the beginning of a file expect it."""
    if game.variant not in GAMES:
        raise RecordError(
            f"game files have no name for the ruleset {game.variant!r}: expected one of {', '.join(GAMES)}"
        )
    nodes = [sgf.format_property("GM", GAMES[game.variant].title) + sgf.format_property("CA", "UTF-8")]
    nodes[0] += _format_options(game)
    nodes[0] += "".join(sgf.format_property(name, *values) for name, values in game.properties.items())
    for color, text in game.moves:
        nodes.append(sgf.format_property(_color_id(game.variant, color), text))
    for ply, name, values in game.setup:
        nodes[ply] += sgf.format_property(name, *values)
    for ply, comment in game.comments.items():
        nodes[ply] += sgf.format_property("C", comment)
    return "".join(f";{node}" for node in nodes)


def _format_options(game: GameRecord) -> str:
    """`RU`, where `GM` alone does not say everything."""
    first = next(name for name, other in GAMES.items() if other.title == GAMES[game.variant].title)
    options = [("start", game.start), ("scoring", game.scoring), ("shared_color", game.shared_color)]
    if game.variant == first and not any(value for _, value in options):
        return ""
    return sgf.format_property("RU", game.variant + "".join(f" {name}={value}" for name, value in options if value))
