"""`blockers-env …` on the command line: the options, games between the built-in agents, game files, scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from blockers_env.variants import DESCRIPTIONS, Options, make_options
from blokus_env import __version__
from blokus_env.cli import table

if TYPE_CHECKING:
    from blockers_env.records import GameRecord
    from blockers_env.state import State

OptionTexts = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule; `blockers-env options`.")
]

app = typer.Typer(
    help="Reinforcement-learning environments for Blockers, also known as Uptown.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Entry point of the `blockers-env` command."""
    app(prog_name="blockers-env")


def fail(message: object) -> NoReturn:
    """End with one line on standard error and exit code 2, as for any wrong command line."""
    typer.echo(f"blockers-env: error: {message}", err=True)
    raise typer.Exit(2)


def print_version(wanted: bool) -> None:
    """Answer `--version`."""
    if wanted:
        typer.echo(f"blockers-env {__version__}")
        raise typer.Exit


@app.callback()
def command_options(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Options of the command itself."""


@app.command("options")
def options_command() -> None:
    """List the options of the game. The first value of an option is its default."""
    rows = [("name", "values", "meaning")]
    for name, (values, meaning) in DESCRIPTIONS.items():
        rows.append((name, "|".join(map(str, values)), meaning))
    typer.echo(table(rows))


@app.command("play")
def play_command(
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT...", help="random or greedy: one for all seats, or one a seat.")
    ] = None,
    option: OptionTexts = None,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Shuffles the piles of the first game; later ones count on.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the games into this file.")] = None,
) -> None:
    """Play games between built-in agents: the last position of one game, or a line for each of several."""
    rules = read_options(option or [])
    # This loads Numba: not before the arguments are known to be right.
    from blockers_env.records import GameRecord, write_games

    try:
        names = seat_names(agents or ["random"], rules.num_players)
        played = [play_game(rules, names, seed + index) for index in range(games)]
        if out is not None:
            write_games(out, [GameRecord.from_state(state, players=names) for state in played])
    except (ValueError, OSError) as error:
        fail(error)
    for state in played:
        typer.echo(state if games == 1 else summary(state))


@app.command("replay")
def replay_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Games as JSON lines.")],
    game: Annotated[int | None, typer.Option(min=1, help="Show this game alone; without it, a line for each.")] = None,
    ply: Annotated[int | None, typer.Option(min=0, help="The position after so many plies, not the last one.")] = None,
    player: Annotated[int | None, typer.Option(min=0, help="As this player sees it, without others' racks.")] = None,
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="Draw the position into this file.")] = None,
) -> None:
    """Check games against the rules, and show one."""
    if game is None and (ply, player, svg) != (None, None, None):
        fail("--ply, --player and --svg show one game: add --game NUMBER")
    from blockers_env.records import read_games

    try:
        records = read_games(file)
        if game is None:
            for number, record in enumerate(records, 1):
                typer.echo(f"game {number}: {summary(record.replay())}")
            return
        show(position_of(records, game, ply), player, svg)
    except (ValueError, OSError) as error:
        fail(error)


@app.command("score")
def score_command(
    groups: Annotated[int, typer.Argument(min=0, metavar="GROUPS", help="Groups on the board, of both own colors.")],
    captures: Annotated[
        list[int] | None, typer.Argument(min=0, metavar="CAPTURES...", help="Tiles taken of each opponent's color.")
    ] = None,
    left: Annotated[int, typer.Option(min=0, help="Own tiles left; with two colors of the one that has more.")] = 4,
) -> None:
    """Points of a player by each scoring (S2 to S4); fewest win."""
    most = max(captures or [0])
    for scoring, points in (("sheet", groups + max(most, left)), ("official", groups + most), ("uptown", groups)):
        typer.echo(f"{scoring} {points}")


def read_options(texts: Sequence[str]) -> Options:
    """Options from "name=value" texts; ends the command with what exists for anything else."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in DESCRIPTIONS:
            fail(f"{text!r} is no option: expected NAME=VALUE with one of {', '.join(DESCRIPTIONS)}")
        allowed = {str(one).lower(): one for one in DESCRIPTIONS[name][0]}
        if value.lower() not in allowed:
            fail(f"{name}={value} is not possible: choose one of {', '.join(allowed)}")
        found[name] = allowed[value.lower()]
    try:
        return make_options(found)
    except ValueError as error:
        fail(error)


def seat_names(agents: Sequence[str], players: int) -> list[str]:
    """An agent for each seat. Raises ValueError for a wrong number."""
    if len(agents) not in (1, players):
        raise ValueError(f"{len(agents)} agents for {players} players: give 1, or {players}")
    return list(agents) * (players if len(agents) == 1 else 1)


def play_game(rules: Options, names: Sequence[str], seed: int) -> State:
    """A whole game of built-in agents; `seed` shuffles the piles and makes the agents' random choices."""
    import numpy as np

    from blockers_env.policies import policy
    from blockers_env.state import State

    agents, state, rng = [policy(name) for name in names], State(rules, seed=seed), np.random.default_rng(seed)
    while not state.is_over:
        state.push(agents[state.player].act(state.view(state.player), rng))
    return state


def summary(state: State) -> str:
    """Options that are not the defaults, ply, points and who won, in one line."""
    from blockers_env.drawing import status

    rules = " ".join(f"{name}={value}" for name, value in state.options.changed().items())
    text = f"ply {state.ply}, points {' '.join(map(str, state.points()))}, {status(state)}"
    return f"{text} ({rules})" if rules else text


def position_of(records: Sequence[GameRecord], game: int, ply: int | None) -> State:
    """A position of a game. Raises ValueError for a game or ply that does not exist."""
    if game > len(records):
        raise ValueError(f"there is no game {game}: the file has {len(records)}")
    record = records[game - 1]
    if ply is None:
        return record.replay()
    if ply > len(record.moves):
        raise ValueError(f"there is no ply {ply}: game {game} has {len(record.moves)}")
    return dataclasses.replace(record, moves=record.moves[:ply]).replay()


def show(state: State, player: int | None, path: Path | None) -> None:
    """Print a position, and draw it as SVG. Raises ValueError for a player who does not exist."""
    from blockers_env.render import ansi, svg

    shown = state if player is None else state.view(player)
    typer.echo(ansi(shown, player))
    if path is not None:
        path.write_text(svg(shown, player), encoding="utf-8")
