"""Games that were played once and must stay as they are: a change of them is a change of the environment's version.

Write them anew with `python -m tests.rumis.test_golden`.
"""

import itertools
from pathlib import Path

import numpy as np
import pytest

from blokus_env.rumis.state import State
from blokus_env.rumis.variants import VERSION, Options

GOLDEN = Path(__file__).parent / "golden"
CASES = {
    "tower_2": Options(num_players=2),
    "tower_3": Options(num_players=3),
    "tower_4": Options(num_players=4),
    "tower_3_out": Options(num_players=3, out_after_pass=True),
    "tower_2_two_colors": Options(num_players=2, two_colors=True),
}


def playthrough(name: str) -> str:
    """A seeded random game as text: every action, legal counts, passed players, and the building at last."""
    state, rng = State(CASES[name]), np.random.default_rng(2025)
    lines = [f"# rumis_v{VERSION} {name}", "# ply color legal action text passed"]
    while not state.is_over:
        legal = state.legal_actions()
        action = int(legal[rng.integers(len(legal))])
        line = f"{state.ply} {state.color_names[state.color]} {len(legal)} {action} {state.text(action)}"
        state.push(action)
        lines.append(line + (f" {','.join(map(str, state.skipped))}" if state.skipped else ""))
    lines.append("scores " + " ".join(f"{score:g}" for score in state.scores()))
    lines.append("places " + " ".join(map(str, state.places())))
    for level in state.board():
        lines += ["", *("".join("." if color < 0 else str(color) for color in row) for row in level)]
    return "\n".join(lines) + "\n"


def path(name: str) -> Path:
    return GOLDEN / f"rumis_v{VERSION}_{name}.txt"


@pytest.mark.parametrize("name", CASES)
def test_playthrough(name: str) -> None:
    then = path(name).read_text().splitlines()
    for number, (now, line) in enumerate(itertools.zip_longest(playthrough(name).splitlines(), then), 1):
        assert now == line, f"line {number}"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for case in CASES:
        path(case).write_text(playthrough(case))
