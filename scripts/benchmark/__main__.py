"""The command line of the benchmarks."""

from __future__ import annotations

import argparse
import fnmatch
import sys
from collections.abc import Sequence
from pathlib import Path

import scripts.benchmark
from scripts.benchmark import blockers, blokus, guard, learning, peers, rumis
from scripts.benchmark.measure import Measurement, machine
from scripts.benchmark.report import HEADER, compared, plot, print_table, read_json, with_peers, write_json

COMPARED = (HEADER[0], "before", "now", "unit", "times better")


def all_measurements(everything: bool = True) -> list[Measurement]:
    """The measurements in the order of the report: all, or the first ones of a quick run."""
    return [found for part in (blokus, rumis, blockers, learning, peers) for found in part.measurements(everything)]


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.benchmark",
        description=scripts.benchmark.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="short runs: under 45 seconds once compiled")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="names to run, as in random_games/* or *duo*")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the rows there")
    parser.add_argument("--compare", metavar="FILE", type=Path, help="compare with rows that --json wrote")
    parser.add_argument("--plot", metavar="FILE", type=Path, help="draw the speeds in steps/s")
    parser.add_argument("--guard", metavar="FILE", type=Path, help="fail if speeds have halved since --keep-guard")
    parser.add_argument("--keep-guard", metavar="FILE", type=Path, help="write what --guard compares with")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.keep_guard:
        guard.keep(options.keep_guard)
        return 0
    if options.guard:
        return guard.check(options.guard)
    chosen = [each for each in all_measurements(not options.quick) if fnmatch.fnmatch(each.name, options.only)]
    if not chosen:
        names = ", ".join(each.name for each in all_measurements())
        parser.error(f"no name matches {options.only!r}: choose among {names}")
    try:
        before = read_json(options.compare) if options.compare else {}
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(machine())
    rows = []
    for each in chosen:
        try:
            rows.append(each.run(0.15 if options.quick else 1.0))
        except ImportError as error:
            print(f"{each.name} left out: {error}")
    print_table(with_peers(rows))
    if before:
        print_table(compared(rows, before), COMPARED)
    print("Peers are played from Python as aec/V is; what exceeds its ratios is what a kernel or a batch saves.")
    if options.json:
        write_json(rows, options.json)
    if options.plot:
        plot(rows, options.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
