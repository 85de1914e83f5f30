"""Numbers of move sequences, known from the oracle."""

import pytest

from blokus_env import State
from blokus_env.counting import divide, perft
from tests import oracle


def count(state: State, depth: int) -> int:
    """The number of ways to play `depth` plies."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        state.push(int(action))
        total += count(state, depth - 1)
        state.pop()
    return total


KNOWN = [
    ("duo", "fixed", [414, 171_396, 89_204_762]),
    ("duo", "either", [828, 342_792, 2 * 89_204_762]),
    ("to_go", "either", [828, 342_792]),
    ("junior", "fixed", [189, 35_721, 8_665_264]),
    ("junior", "either", [378, 2 * 35_721, 2 * 8_665_264]),
    ("classic", "fixed", [58, 58**2, 58**3, 58**4]),
    ("classic", "any_corner", [232, 40_368]),
    ("classic_2", "fixed", [58, 58**2, 58**3]),
    ("classic_3", "fixed", [58, 58**2, 58**3]),
    ("classic_teams", "any_corner", [232, 40_368]),
    ("trigon", "any_start", [2478, 5_117_070]),
    ("trigon_2", "any_start", [2478, 5_117_070]),
    ("trigon_3", "any_start", [2478, 5_117_070]),
]
CASES = [(name, start, depth, nodes) for name, start, row in KNOWN for depth, nodes in enumerate(row, 1)]


@pytest.mark.parametrize(("variant", "start", "depth", "nodes"), CASES)
def test_perft_of_the_kernel(variant: str, start: str, depth: int, nodes: int) -> None:
    assert perft(variant, depth, start) == nodes


@pytest.mark.parametrize(
    ("variant", "start", "depth", "nodes"),
    [
        pytest.param(*case, marks=[pytest.mark.slow] if case[3] > 200_000 else [])
        for case in CASES
        if case[3] < 100_000_000
    ],
)
def test_perft_of_states(variant: str, start: str, depth: int, nodes: int) -> None:
    assert count(State(variant, start=start), depth) == nodes


@pytest.mark.parametrize("variant", oracle.VARIANTS + oracle.SISTERS)
def test_perft_by_first_move(variant: str) -> None:
    start = oracle.START[variant]
    state, first = State(variant, start=start), oracle.records(variant, "first")[0]["moves"]
    for record in oracle.records(variant, "perft"):
        if "by_first" in record:
            counts = divide(variant, record["depth"], start)
            assert [counts[state.parse(move)] for move in first] == record["by_first"]
            assert sum(counts.values()) == record["nodes"]


@pytest.mark.parametrize("variant", oracle.PLACEMENTS + oracle.SISTER_PLACEMENTS)
def test_second_pieces_of_one_color(variant: str) -> None:
    counts = []
    for first in oracle.records(variant, "first")[0]["moves"]:
        state = State(variant, start=oracle.START[variant])
        state.push(first)
        counts.append(len(state.legal_actions(0)))
    expected = oracle.solo_perft(variant)
    assert expected is not None
    assert counts == expected["depth2_by_first"]
    assert sum(counts) == expected["depth2"]
