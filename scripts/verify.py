"""Check the rules against facts from another program: `python -m scripts.verify FOLDER`.

FOLDER holds `VARIANT.jsonl.gz` (first actions, perft counts, positions, games), `VARIANT_extra.jsonl.gz` (more games)
and `placements_VARIANT.json.gz`. Every fact about a registered ruleset is checked, with the start rule `fixed` where it
has one; rulesets that are not registered are passed over. The exit status is 1 if a fact differs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from blokus_env.counting import divide
from blokus_env.state import State
from blokus_env.variants import VARIANTS


def new(name: str) -> State:
    """A game with the start rule of the facts."""
    return State(name, "fixed" if "fixed" in VARIANTS[name].starts else None)


class Report:
    """Counts facts that agree, and says which do not."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.agree: Counter[str] = Counter()
        self.differ: Counter[str] = Counter()

    def compare(self, kind: str, found: Any, expected: Any, where: str) -> None:
        """Count a fact."""
        if found == expected:
            self.agree[kind] += 1
            return
        self.differ[kind] += 1
        if self.differ[kind] <= 3:
            print(f"{self.variant}: {kind} differs, {where}: expected {expected!s:.200}, found {found!s:.200}")

    def __str__(self) -> str:
        every = self.agree + self.differ
        return f"{self.variant}: " + ", ".join(f"{kind} {self.agree[kind]}/{every[kind]}" for kind in sorted(every))


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file with one to a line; none if there is no such file."""
    if path.exists():
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)


def verify(variant: str, folder: Path) -> Report:
    """Check everything in a folder about a ruleset."""
    report = Report(variant)
    colors: list[str] = []
    first: dict[str, list[str]] = {}
    for path in (folder / f"{variant}.jsonl.gz", folder / f"{variant}_extra.jsonl.gz"):
        for number, fact in enumerate(lines(path), 1):
            where = f"{path.name} line {number}"
            if fact["type"] == "meta":
                colors = [str(color) for color in fact["colors"]]
            elif fact["type"] == "first":
                first[str(fact["color"])] = fact["moves"]
                check_first(report, fact, colors, where)
            elif fact["type"] == "perft":
                check_perft(report, fact, first[colors[0]], where)
            elif fact["type"] == "pos":
                check_position(report, fact, colors, where)
            elif fact["type"] in ("game", "engine_game"):
                check_game(report, fact, colors, where)
    check_placements(report, folder / f"placements_{variant}.json.gz")
    return report


def check_first(report: Report, fact: dict[str, Any], colors: list[str], where: str) -> None:
    """All legal actions of a color on the empty board."""
    state = new(report.variant)
    found = {state.text(action) for action in state.legal_actions(colors.index(str(fact["color"])))}
    report.compare("first actions", found, set(fact["moves"]), where)


def check_perft(report: Report, fact: dict[str, Any], first: list[str], where: str) -> None:
    """The number of sequences, and its split by the first action."""
    state = new(report.variant)
    counts = divide(report.variant, fact["depth"], state.start)
    report.compare("perft", sum(counts.values()), fact["nodes"], where)
    if "by_first" in fact:
        found = [counts.get(state.parse(text)) for text in first]
        report.compare("perft by first action", found, fact["by_first"], where)


def check_position(report: Report, fact: dict[str, Any], colors: list[str], where: str) -> None:
    """Whose turn it is, how many actions each color has, and the points."""
    state = new(report.variant)
    for _, text in fact["moves"]:
        state.push(text)
    report.compare("turns", None if state.is_over else colors[state.color], fact["next"], where)
    report.compare("numbers of actions", numbers(state), fact["nlegal"], where)
    report.compare("points", state.raw_points().tolist(), fact["points"], where)


def check_game(report: Report, fact: dict[str, Any], colors: list[str], where: str) -> None:
    """Every turn of a game, some whole lists of actions, and how it ends."""
    state = new(report.variant)
    lists = {entry["ply"]: entry["moves"] for entry in fact.get("lists", [])}
    for ply, (color, text) in enumerate(fact["moves"]):
        place = f"{where} ply {ply}"
        report.compare("turns", None if state.is_over else colors[state.color], str(color), place)
        report.compare("numbers of actions", numbers(state), fact["nlegal"][ply], place)
        if ply in lists:
            found = {state.text(action) for action in state.legal_actions()}
            report.compare("lists of actions", found, set(lists[ply]), place)
        state.push(text)
    report.compare("ends", state.is_over, True, where)
    report.compare("points", state.raw_points().tolist(), fact["points"], where)


def check_placements(report: Report, path: Path) -> None:
    """Every placement of every piece."""
    for content in lines(path):
        state = new(report.variant)
        found: dict[str, set[str]] = {}
        for action in range(state.tables.num_actions):
            found.setdefault(state.piece_names[state.tables.piece[action]], set()).add(state.text(action))
        for piece, texts in content["placements"].items():
            report.compare("placements of a piece", found.get(piece), set(texts), f"piece {piece}")


def numbers(state: State) -> list[int]:
    """How many legal actions each color has, as if it were its turn."""
    return [len(state.legal_actions(color)) for color in range(state.variant.num_colors)]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts.verify", description="Check the rules against facts.")
    parser.add_argument("folder", type=Path, help="folder with VARIANT.jsonl.gz and more")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS), help="default: all")
    options = parser.parse_args(arguments)
    reports = [verify(name, options.folder) for name in options.variants]
    found = [report for report in reports if report.agree or report.differ]
    if not found:
        parser.error(f"{options.folder} holds nothing about {', '.join(options.variants)}")
    print("\n".join(map(str, found)))
    return int(any(report.differ for report in found))


if __name__ == "__main__":
    sys.exit(main())
