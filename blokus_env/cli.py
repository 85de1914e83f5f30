"""`blokus-env …` on the command line: the rulesets, their state counts, helpers at the table, and puzzles."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from blokus_env import __version__
from blokus_env.geometry import orientations
from blokus_env.puzzles.command import TIME_LIMIT, describe, solve_and_show
from blokus_env.puzzles.variants import puzzle
from blokus_env.tools import FirstPlacements, color_index, first_placements, read_position, score_hand
from blokus_env.variants import VARIANTS, Variant, variant

if TYPE_CHECKING:
    from blokus_env.state import State

VariantName = Annotated[str, typer.Argument(metavar="VARIANT", help="A ruleset; `blokus-env variants` lists them.")]
StartRule = Annotated[str | None, typer.Option(help="Start rule; the ruleset's default if not given.")]

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
    variant_name: VariantName,
    depth: Annotated[int, typer.Argument(min=0, metavar="DEPTH", help="Number of plies.")],
    start: StartRule = None,
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


@app.command("score")
def score_command(
    variant_name: VariantName,
    left: Annotated[str, typer.Option(help="The pieces left, by name: 'I5 V3 1'; none if not given.")] = "",
    last_single: Annotated[
        bool, typer.Option("--last-single", help="The single square or triangle was placed last.")
    ] = False,
    scoring: Annotated[str | None, typer.Option(help="Scoring; the ruleset's default if not given.")] = None,
) -> None:
    """What the pieces that a color has left come to: squares, bonus, score."""
    try:
        hand = score_hand(variant_name, left.replace(",", " ").split(), last_single, scoring)
    except ValueError as error:
        fail(error)
    for name, value in (("squares left", hand.squares_left), ("bonus", hand.bonus), ("score", hand.score)):
        typer.echo(f"{name} {value:g}")


@app.command("starts")
def starts_command(
    variant_name: VariantName,
    position: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A .blksgf or .jsonl, or a text with a move on each line.")
    ] = None,
    color: Annotated[str | None, typer.Option(metavar="NAME", help="A color; that to move if not given.")] = None,
    start: StartRule = None,
    svg: Annotated[Path | None, typer.Option(metavar="OUT", help="Also draw a picture into this file.")] = None,
) -> None:
    """Where a color may begin: the start cells still free, and every first placement."""
    ruleset, rule = checked(variant_name, start)
    try:
        index = None if color is None else color_index(ruleset, color)
        state = position_of(ruleset, rule, start, position)
        found = first_placements(state, index)
        if svg is not None:
            draw(state, found, svg)
    except (ValueError, OSError) as error:
        fail(error)
    names = [ruleset.board.cell_text(cell) for cell in found.free]
    typer.echo(f"{ruleset.color_names[found.color]}: start cells {' '.join(names) or 'none free'}")
    typer.echo(f"{len(found.actions)} first placements")
    for action in found.actions:
        typer.echo(f"{state.piece_names[state.tables.piece[action]]} {state.text(action)}")


def position_of(ruleset: Variant, rule: str, wanted: str | None, path: Path | None) -> State:
    """The position of a file, or the empty board; a file's own start rule holds unless another one is wanted."""
    from blokus_env.state import State

    return State(ruleset, rule) if path is None else read_position(path, ruleset, wanted)


def draw(state: State, found: FirstPlacements, path: Path) -> None:
    """Write the position as SVG, cells darker the more first placements cover them."""
    from blokus_env.svg import svg

    path.write_text(svg(state, found.shades(state)), encoding="utf-8")


@app.command("puzzle")
def puzzle_command(
    name: Annotated[str, typer.Argument(metavar="PUZZLE", help="solo, tetromino or pentomino.")],
    no_edge_contact: Annotated[
        bool, typer.Option("--no-edge-contact", help="Pieces of equal color must not share an edge.")
    ] = False,
    solve: Annotated[bool, typer.Option("--solve", help="Look for a solution (needs OR-tools).")] = False,
    time_limit: Annotated[float, typer.Option(metavar="S", help="Seconds for --solve.")] = TIME_LIMIT,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Other seeds give other solutions.")] = 0,
    workers: Annotated[int | None, typer.Option(metavar="N", min=1, help="Threads; all cores if not given.")] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Also draw the board into this file.")] = None,
) -> None:
    """Describe a solo puzzle and show its board, or solve it. Exit code 1: not solved within the time limit."""
    try:
        row = puzzle(name, no_edge_contact or None)
        if not solve:
            describe(row, svg, typer.echo)
            return
        if not solve_and_show(row, time_limit, seed, workers, svg, typer.echo):
            raise typer.Exit(1)
    except (ValueError, OSError, ImportError) as error:
        fail(error)


@app.command("warm")
def warm_command(
    variant_names: Annotated[
        list[str] | None, typer.Argument(metavar="[VARIANT]...", help="Rulesets; all of them if none is given.")
    ] = None,
) -> None:
    """Compile the kernels of rulesets beforehand, so that first uses are quick."""
    names = variant_names or list(VARIANTS)
    for name in names:
        checked(name, None)
    from blokus_env.compiling import steps

    for number, name in enumerate(names, 1):
        start = time.perf_counter()
        for what, call in steps(name):
            typer.echo(f"[{number}/{len(names)}] {name}: {what} …", err=True)
            call()
        typer.echo(f"{name}: ready after {time.perf_counter() - start:.1f} s")


@app.command("variants")
def variants_command() -> None:
    """List the rulesets. The first value of an option is its default."""
    header = ("name", "board", "colors", "players", "pieces", "actions", "options")
    typer.echo(table([header, *(row(ruleset) for ruleset in VARIANTS.values())]))


def row(ruleset: Variant) -> tuple[str, ...]:
    """A line of the list of rulesets."""
    pieces = f"{sum(ruleset.piece_counts)} ({ruleset.num_squares} cells)"
    options = f"start={'|'.join(ruleset.starts)} scoring={'|'.join(ruleset.scorings)}"
    if ruleset.sharings:
        options += f" shared_color={'|'.join(ruleset.sharings)}"
    colors = f"{ruleset.num_colors} ({', '.join(ruleset.color_names)})"
    return (
        ruleset.name,
        board_size(ruleset),
        colors,
        str(ruleset.num_players),
        pieces,
        f"{num_actions(ruleset):,}",
        options,
    )


def board_size(ruleset: Variant) -> str:
    """Rows and columns, and the number of cells where they do not fill the rectangle."""
    board = ruleset.board
    columns = board.width - board.first_column
    cells = "" if len(board.cell_set) == board.height * columns else f" ({len(board.cell_set)} cells)"
    return f"{board.height}×{columns}{cells}"


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
