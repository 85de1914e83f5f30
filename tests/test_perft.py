"""Numbers of move sequences, known from the oracle."""

import pytest

from blokus_env import State
from tests import oracle


def perft(state: State, depth: int) -> int:
    """The number of ways to play `depth` plies."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        state.push(int(action))
        total += perft(state, depth - 1)
        state.pop()
    return total


@pytest.mark.parametrize(
    ("variant", "start", "depth", "nodes"),
    [
        ("duo", "fixed", 1, 414),
        ("duo", "fixed", 2, 171_396),
        pytest.param("duo", "fixed", 3, 89_204_762, marks=pytest.mark.slow),
        ("duo", "either", 1, 828),
        ("duo", "either", 2, 342_792),
        ("classic", "fixed", 1, 58),
        ("classic", "fixed", 2, 3_364),
        ("classic", "fixed", 3, 195_112),
        ("classic", "any_corner", 1, 232),
        ("classic", "any_corner", 2, 40_368),
    ],
)
def test_perft(variant: str, start: str, depth: int, nodes: int) -> None:
    assert perft(State(variant, start=start), depth) == nodes
    if start == "fixed":
        assert nodes == oracle.records(variant, "perft")[depth - 1]["nodes"]


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_second_pieces_of_one_color(variant: str) -> None:
    counts = []
    for first in oracle.records(variant, "first")[0]["moves"]:
        state = State(variant, start="fixed")
        state.push(first)
        counts.append(len(state.legal_actions(0)))
    expected = oracle.solo_perft(variant)
    assert counts == expected["depth2_by_first"]
    assert sum(counts) == expected["depth2"]
