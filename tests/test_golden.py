"""Games that were played once and must stay as they are: a change of them is a change of an environment's version.

Write them anew with `python -m tests.test_golden`.
"""

import itertools
from pathlib import Path

import numpy as np
import pytest

from blokus_env import State
from blokus_env.variants import VARIANTS

GOLDEN = Path(__file__).parent / "golden"
CASES = [(name, start) for name, row in VARIANTS.items() for start in row.starts]


def playthrough(name: str, start: str) -> str:
    """A seeded random game as text: every action, legal counts and scores, and the board at last."""
    state, rng = State(name, start=start), np.random.default_rng(2025)
    lines = [f"# {name}_v{VARIANTS[name].version} start={start}", "# ply color legal action text"]
    while not state.is_over:
        legal = state.legal_actions()
        action = int(legal[rng.integers(len(legal))])
        lines.append(f"{state.ply} {state.color_names[state.color]} {len(legal)} {action} {state.text(action)}")
        state.push(action)
    scores = " ".join(f"{score:g}" for score in state.scores())
    points = " ".join(f"{point:g}" for point in state.raw_points())
    outcome = state.outcome()
    assert outcome is not None
    lines += [f"scores {scores}", f"points {points}", f"places {' '.join(map(str, outcome.places))}"]
    lines += ["".join("." if color < 0 else str(color) for color in row) for row in state.board()]
    return "\n".join(lines) + "\n"


def path(name: str, start: str) -> Path:
    return GOLDEN / f"{name}_v{VARIANTS[name].version}_{start}.txt"


@pytest.mark.parametrize(("name", "start"), CASES)
def test_playthrough(name: str, start: str) -> None:
    for line, (now, then) in enumerate(
        itertools.zip_longest(playthrough(name, start).splitlines(), path(name, start).read_text().splitlines()), 1
    ):
        assert now == then, f"line {line}"


if __name__ == "__main__":
    for case in CASES:
        path(*case).write_text(playthrough(*case))
