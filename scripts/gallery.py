"""Draw a sheet with a game of every ruleset: `python -m scripts.gallery --out docs/gallery.png`."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from blokus_env.policies import policy
from blokus_env.render import rgb_array
from blokus_env.state import State
from blokus_env.variants import VARIANTS

COLUMNS = 5
DOTS = 140  # an inch
COLORS = 96  # of the picture's palette, which keeps the file small


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.gallery", description="Draw a sheet with a game of every ruleset."
    )
    parser.add_argument("--out", type=Path, default=Path("gallery.png"), help="picture (default: gallery.png)")
    parser.add_argument("--seed", type=int, default=3, help="of the first game (default: 3)")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS), help="default: all")
    args = parser.parse_args(argv)
    try:
        draw([game(name, args.seed + number) for number, name in enumerate(args.variants)], args.out)
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    print(args.out)
    return 0


def game(name: str, seed: int) -> State:
    """A greedy game of a ruleset, two thirds of its way."""
    state, rng, greedy = State(name), np.random.default_rng(seed), policy("greedy")
    while not state.is_over:
        state.push(greedy.act(state, rng))
    for _ in range(state.ply // 3):
        state.pop()
    return state


def draw(states: Sequence[State], path: Path) -> None:
    """Write the sheet."""
    from matplotlib.figure import Figure
    from PIL import Image

    columns = min(COLUMNS, len(states))
    rows = -(-len(states) // columns)
    figure = Figure(figsize=(2.6 * columns, 2.8 * rows), dpi=DOTS)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat:
        axes.axis("off")
    for axes, state in zip(grid.flat, states, strict=False):
        axes.imshow(rgb_array(state, 20), interpolation="antialiased")
        players = f"{state.variant.num_players} players"
        axes.set_title(f"{state.variant.name} · {players}", fontsize=10, color="#34312d")
    figure.tight_layout(pad=0.6)
    file = io.BytesIO()
    figure.savefig(file)
    sheet = Image.open(file).convert("RGB")
    sheet.quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
