"""Draw learning curves: `python -m scripts.plot_learning runs/duo-0 runs/duo-1 --out learning.png`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

AXES = {"cpu_minutes": "CPU minutes of learning", "minutes": "minutes of learning", "timesteps": "decisions"}
STYLES = {"argmax": "-", "sampled": "--"}


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.plot_learning",
        description="Draw win rates against each opponent over the time of learning: "
        "the mean over runs (seeds), and a band from the worst to the best.",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="folders of runs, which differ by seed")
    parser.add_argument(
        "--out", type=Path, default=Path("learning.png"), help="picture to write (default: learning.png)"
    )
    parser.add_argument("--x", choices=AXES, default="cpu_minutes", help="horizontal axis (default: cpu_minutes)")
    parser.add_argument(
        "--mode", choices=(*STYLES, "both"), default="argmax", help="how the policy plays (default: argmax)"
    )
    parser.add_argument("--title", help="title (default: from the runs' configuration)")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = make_parser()
    args = parser.parse_args(argv)
    try:
        logs = [read_log(folder) for folder in args.runs]
        draw(logs, args.x, STYLES if args.mode == "both" else (args.mode,), args.title or title(args.runs), args.out)
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    print(args.out)
    return 0


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The rows of a run's log, by time."""
    path = folder / "progress.jsonl"
    if not path.is_file():
        raise ValueError(f"{folder} holds no run: {path} is missing")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    if not rows:
        raise ValueError(f"{path} is empty: the run has not been evaluated yet")
    return rows


def title(folders: list[Path]) -> str:
    """The runs' environment, and how many there are."""
    names = {json.loads((folder / "config.json").read_text())["env"] for folder in folders}
    return f"{', '.join(sorted(names))}: {len(folders)} run{'s' if len(folders) > 1 else ''}"


def curve(rows: list[dict[str, Any]], x: str, opponent: str, mode: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Times and win rates of one run, float64[n] each."""
    points = [
        (row[x], row["wins"][opponent][mode]["win_rate"]) for row in rows if mode in row["wins"].get(opponent, {})
    ]
    times, rates = np.array(points, float).reshape(-1, 2).T
    return times, rates


def spread(curves: list[tuple[NDArray[Any], NDArray[Any]]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Common times float64[n], and the rates of all curves there, float64[curves, n], up to the end of the shortest."""
    end = min(times[-1] for times, _ in curves)
    every = np.unique(np.concatenate([times for times, _ in curves] + [[end]]))
    grid = every[every <= end]
    return grid, np.stack([np.interp(grid, times, rates) for times, rates in curves])


def draw(logs: list[list[dict[str, Any]]], x: str, modes: Any, heading: str, out: Path) -> None:
    """Write the picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    opponents = list(dict.fromkeys(opponent for rows in logs for row in rows for opponent in row["wins"]))
    for index, opponent in enumerate(opponents):
        for mode in modes:
            curves = [curve(rows, x, opponent, mode) for rows in logs]
            curves = [each for each in curves if len(each[0])]
            if not curves:
                continue
            grid, rates = spread(curves)
            label = f"against {opponent}" + (f", {mode}" if len(modes) > 1 else "")
            axes.plot(grid, rates.mean(0) * 100, STYLES[mode], color=f"C{index}", marker="o", ms=3, label=label)
            axes.fill_between(grid, rates.min(0) * 100, rates.max(0) * 100, color=f"C{index}", alpha=0.2, lw=0)
    axes.set(xlabel=AXES[x], ylabel="games won (%)", ylim=(0, 101), title=heading)
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    out.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(out, dpi=150)
    plt.close(figure)


if __name__ == "__main__":
    sys.exit(main())
