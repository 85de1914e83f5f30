"""`blokus-env …` on the command line: the rulesets and their state counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from blokus_env import __version__
from blokus_env.geometry import orientations
from blokus_env.variants import VARIANTS, Variant, variant

app = typer.Typer(
    help="Reinforcement-learning environments for the Blokus family.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Entry point of the `blokus-env` command."""
    app(prog_name="blokus-env")


def fail(message: object) -> NoReturn:
    """End with one line on standard error and exit code 2, as for any wrong command line."""
    typer.echo(f"blokus-env: error: {message}", err=True)
    raise typer.Exit(2)


def print_version(wanted: bool) -> None:
    """Answer `--version`."""
    if wanted:
        typer.echo(f"blokus-env {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Options of the command itself."""


@app.command("perft")
def perft_command(
    variant_name: Annotated[
        str, typer.Argument(metavar="VARIANT", help="A ruleset; `blokus-env variants` lists them.")
    ],
    depth: Annotated[int, typer.Argument(min=0, metavar="DEPTH", help="Number of plies.")],
    start: Annotated[str | None, typer.Option(help="Start rule; the ruleset's default if not given.")] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count after each first action.")] = False,
) -> None:
    """Count the sequences of legal actions of a length: the last line of the output is the count."""
    ruleset, start = checked(variant_name, start)
    # This loads Numba: not before the arguments are known to be right.
    from blokus_env.counting import divide as count_by_action
    from blokus_env.counting import perft

    if not divide:
        typer.echo(perft(ruleset, depth, start))
        return
    if depth == 0:
        fail("--divide needs a depth of at least 1")
    from blokus_env.state import State

    state = State(ruleset, start=start)
    counts = count_by_action(ruleset, depth, start)
    for action, count in counts.items():
        typer.echo(f"{state.text(action)} {count}")
    typer.echo(sum(counts.values()))


def checked(name: str, start: str | None) -> tuple[Variant, str]:
    """A ruleset and one of its start rules by name; ends the command with a list of what exists otherwise."""
    try:
        ruleset = variant(name)
        return ruleset, ruleset.start_option(start)
    except ValueError as error:
        fail(error)


@app.command("variants")
def variants_command() -> None:
    """List the rulesets. The first value of an option is its default."""
    header = ("name", "board", "colors", "players", "pieces", "actions", "options")
    typer.echo(table([header, *(row(ruleset) for ruleset in VARIANTS.values())]))


def row(ruleset: Variant) -> tuple[str, ...]:
    """A line of the list of rulesets."""
    pieces = f"{sum(ruleset.piece_counts)} ({ruleset.num_squares} squares)"
    options = f"start={'|'.join(ruleset.starts)} scoring={'|'.join(ruleset.scorings)}"
    board = f"{ruleset.height}×{ruleset.width}"
    colors = f"{ruleset.num_colors} ({', '.join(ruleset.color_names)})"
    return ruleset.name, board, colors, str(ruleset.num_players), pieces, f"{num_actions(ruleset):,}", options


def num_actions(ruleset: Variant) -> int:
    """Placements of all pieces on the empty board, counted without building the tables."""
    board = ruleset.board
    shapes = [shape for piece in ruleset.pieces for shape in orientations(board.lattice, piece.cells)]
    return sum(len(board.placements(shape)) for shape in shapes)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as text in aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)
