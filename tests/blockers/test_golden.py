"""Games that were played once and must stay as they are: a change of them is a change of the environments' version.

Write them anew with `python -m tests.blockers.test_golden`.
"""

import itertools
from pathlib import Path

import numpy as np
import pytest

from blockers_env import State
from blockers_env.policies import policy
from blockers_env.tiles import TILE_NAMES
from blockers_env.variants import NAME, VERSION, Options
from tests.blockers.positions import SKIPPING

GOLDEN = Path(__file__).parent / "golden"
CASES = {
    "2": Options(num_players=2),
    "3_official": Options(num_players=3, scoring="official", tie_break="fewest_captures"),
    "4": Options(),
    "5_uptown": Options(num_players=5, scoring="uptown", wild=False),
    "two_colors": Options(num_players=2, two_colors=True),
    "two_colors_small": SKIPPING,
}
SEEDS = {"two_colors_small": 2029}  # with skipped turns


def playthrough(name: str) -> str:
    """A seeded game as text: the piles, every action with the legal count, skipped turns, the end.

    Piles are those of the seed; the moves are drawn by NumPy among the legal ones, in the last case by the greedy
    policy, so that turns are skipped.
    """
    options = CASES[name]
    seed = SEEDS.get(name, 2025)
    state, rng = State(options, seed=seed), np.random.default_rng(seed)
    lines = [f"# {NAME}_v{VERSION} {options.changed()}"]
    lines += [" ".join(TILE_NAMES[tile] for tile in pile) for pile in state.deal().tolist()]
    lines.append("# ply player legal action text")
    while not state.is_over:
        legal = state.legal_actions()
        action = int(legal[rng.integers(len(legal))])
        if options == SKIPPING:
            action = policy("greedy").act(state.view(state.player), rng)
        lines.append(f"{state.ply} {state.player} {len(legal)} {action} {state.text(action)}")
        state.push(action)
        lines += [f"skipped {player}" for player in state.skipped]
    outcome = state.outcome()
    assert outcome is not None
    lines += [f"points {' '.join(map(str, outcome.points))}", f"places {' '.join(map(str, outcome.places))}"]
    lines += [" ".join(map(str, row)) for row in state.num_captured()]
    lines += ["".join("." if color < 0 else str(color) for color in row) for row in state.board()]
    return "\n".join(lines) + "\n"


def path(name: str) -> Path:
    return GOLDEN / f"{NAME}_v{VERSION}_{name}.txt"


@pytest.mark.parametrize("name", CASES)
def test_playthroughs_stay_as_they_are(name: str) -> None:
    expected = path(name).read_text().splitlines()
    for line, (now, then) in enumerate(
        itertools.zip_longest(playthrough(name).splitlines(), expected, fillvalue="(nothing)"), 1
    ):
        assert now == then, f"line {line}"


def test_one_of_them_has_skipped_turns() -> None:
    assert "skipped" in path("two_colors_small").read_text()


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for case in CASES:
        path(case).write_text(playthrough(case))
