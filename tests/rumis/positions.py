"""Positions set up by hand, games played at random, and actions as sets of cubes."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from blokus_env.rumis.buildings import Building
from blokus_env.rumis.pieces import STONES
from blokus_env.rumis.state import State
from blokus_env.rumis.variants import Options
from tests.rumis.reference import Cube, Cubes, Reference

SMALL = Building("small", "Small", ("3343", "3332", "32.."), caps=(2, 3, 4))
NARROW = Building("narrow", "Narrow", ("444", "444"), caps=(4, 4, 4))
OPTIONS = [
    Options(num_players=2, building=NARROW),
    Options(num_players=3, building=NARROW, out_after_pass=True),
    Options(num_players=2, building=SMALL),
    Options(num_players=3, building=SMALL),
    Options(num_players=4, building=SMALL, out_after_pass=True),
    Options(num_players=2, building=SMALL, two_colors=True),
]
REGISTERED = [
    Options(num_players=2),
    Options(num_players=3),
    Options(),
    Options(out_after_pass=True),
    Options(num_players=2, two_colors=True),
    Options(num_players=3, building="corner"),
    Options(num_players=2, building="steps"),
    Options(num_players=4, building="pyramid"),
]


def name_of(options: Options) -> str:
    """For test ids."""
    parts = [options.plan.name, str(options.num_players)]
    return "-".join(parts + ["two_colors"] * options.two_colors + ["out"] * options.out_after_pass)


def reference(options: Options) -> Reference:
    """The slow game with the same rules."""
    return Reference(options.plan.limits(options.num_colors), options.num_colors, options.out_after_pass)


def random_state(options: Options, plies: int, seed: int) -> State:
    """The state after so many random plies, or at the end of the game."""
    rng = np.random.default_rng(seed)
    state = State(options)
    while state.ply < plies and not state.is_over:
        state.push(int(rng.choice(state.legal_actions())))
    return state


def cubes_on(state: State) -> dict[Cube, int]:
    """The color of each cube (row, column, level)."""
    board = state.board()
    return {(int(r), int(c), int(z)): int(board[z, r, c]) for z, r, c in np.argwhere(board >= 0)}


def at_rest(state: State, action: int) -> Cubes:
    """The cubes of an action where they would lie now, whether that is legal or not: the first one on its stack."""
    cubes = [tuple(cube) for cube in state.action_cells(action).tolist()]
    row, column, _ = cubes[0]
    lowest = min(level for r, c, level in cubes if (r, c) == (row, column))
    rise = int(state.heights()[row, column]) - lowest
    return frozenset((r, c, level + rise) for r, c, level in cubes)


def legal_cubes(state: State, color: int | None = None) -> set[Cubes]:
    """All legal placements of a color as sets of cubes; no two are the same."""
    actions = state.legal_actions(color).tolist()
    found = {at_rest(state, action) for action in actions}
    assert len(found) == len(actions)
    return found


def setup(
    options: Options,
    piles: Mapping[tuple[int, int], Sequence[int]],
    hands: Sequence[Iterable[str]] | None = None,
    color: int = 0,
) -> State:
    """A position that need not come from any game: the colors on each square from below, and the stones in hand."""
    state = State(options)
    records = state.records.copy()
    columns = options.plan.columns
    for (row, column), pile in piles.items():
        records["height"][0, row * columns + column] = len(pile)
        for level, owner in enumerate(pile):
            records["own"][0, owner, level] |= np.uint64(1 << (row * columns + column))
    names = [stone.name for stone in STONES]
    present = {owner for pile in piles.values() for owner in pile}
    for owner in range(options.num_colors):
        if hands is not None:
            records["left"][0, owner] = sum(1 << names.index(name) for name in hands[owner])
        records["plays"][0, owner] = owner in present
    records["ply"], records["turn"] = len(present), color
    state._set(records, None)
    return state


def reference_of(state: State) -> Reference:
    """The slow game at the same position."""
    other = reference(state.options)
    other.table, other.color = cubes_on(state), None if state.is_over else state.color
    other.left = [set(state.left(color)) for color in range(state.options.num_colors)]
    other.out = {color for color in range(state.options.num_colors) if state.is_out(color)}
    return other
