"""Tables, comparisons and pictures of rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from scripts.benchmark.measure import Row, machine

LESS_IS_BETTER = ("bytes", "MB", "s")
HEADER = ("name", "best", "median", "unit", "median against peers of this run")


def with_peers(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """The lines of the table: name, best, median, unit, and how many times faster than each peer (medians)."""
    peers = {row.name: row for row in rows if row.name.startswith("peer")}
    lines: list[tuple[str, ...]] = []
    for row in rows:
        ratios = [
            f"{times_better(row, other):,.1f} × {name.split('/')[1]}"
            for name, other in peers.items()
            if other.unit == row.unit and row.name not in peers and _alike(row.name, name)
        ]
        lines.append((row.name, _number(row.best), _number(row.median), row.unit, ", ".join(ratios)))
    return lines


def times_better(row: Row, other: Row) -> float:
    """How many times better a row's median is."""
    return other.median / row.median if row.unit in LESS_IS_BETTER else row.median / other.median


def compared(rows: Sequence[Row], before: Mapping[str, Row]) -> list[tuple[str, ...]]:
    """The lines of a comparison: name, best then, best now, unit, how many times better."""
    lines: list[tuple[str, ...]] = []
    for row in rows:
        old = before.get(row.name)
        if old is not None:
            ratio = old.best / row.best if row.unit in LESS_IS_BETTER else row.best / old.best
            lines.append((row.name, _number(old.best), _number(row.best), row.unit, f"{ratio:.2f}"))
    return lines


def print_table(lines: Sequence[Sequence[str]], header: Sequence[str] = HEADER) -> None:
    """With rich if it is installed and somebody looks, else plain."""
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        Console = None  # type: ignore[assignment, misc]
    if Console is not None and Console().is_terminal:
        table = Table(*header)
        for line in lines:
            table.add_row(*line)
        Console().print(table)
        return
    widths = [max(map(len, column)) for column in zip(header, *lines, strict=True)]
    for line in (header, *lines):
        cells = (f"{cell:{side}{width}}" for cell, side, width in zip(line, "<>><<", widths, strict=True))
        print("  ".join(cells).rstrip())


def write_json(rows: Sequence[Row], path: Path) -> None:
    """Write the rows, with the machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = [{**asdict(row), "machine": machine()} for row in rows]
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Row]:
    """Rows by name. Raises ValueError for a file of another kind."""
    try:
        rows = [Row(row["name"], row["best"], row["median"], row["unit"]) for row in json.loads(path.read_text())]
    except (KeyError, TypeError, json.JSONDecodeError):
        raise ValueError(f"{path} holds no benchmark rows: write them with --json") from None
    return {row.name: row for row in rows}


def plot(rows: Sequence[Row], path: Path) -> None:
    """A picture of the speeds of Python loops, peers included, on a logarithmic axis."""
    from matplotlib.figure import Figure

    shown = [row for row in rows if row.unit == "steps/s"]
    if not shown:
        raise ValueError("no row is in steps/s, so there is nothing to draw")
    figure = Figure(figsize=(8, 1 + 0.22 * len(shown)), layout="constrained")
    axes = figure.subplots()
    names = [row.name for row in reversed(shown)]
    colors = ["#b0b0b0" if name.startswith("peer") else "#2166ac" for name in names]
    axes.barh(names, [row.best for row in reversed(shown)], color=colors)
    axes.set_xscale("log")
    axes.set_xlabel("steps per second on one core (grey: other packages)")
    axes.tick_params(labelsize=7)
    figure.savefig(path, dpi=120)


def _alike(name: str, peer: str) -> bool:
    """Whether a comparison says something: the same loop, or the same part of learning."""
    what, of = name.split("/")[0], peer.split("/")
    if of[0] == "peer":
        return what.startswith(("aec", "state", "batched", "vector"))
    if of[0] == "peer_games":
        return what == "random_games"
    return of[1] == name.split("/")[-1]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
