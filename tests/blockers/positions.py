"""Positions set up by hand, and games played at random."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from blockers_env.state import State
from blockers_env.tables import POSITION
from blockers_env.tiles import SQUARE_NAMES, parse_square, parse_tile
from blockers_env.variants import Options

OPTIONS = [
    Options(num_players=2),
    Options(num_players=3, scoring="official", tie_break="fewest_captures"),
    Options(num_players=4, wild=False),
    Options(num_players=5, scoring="uptown", rack_size=8),
    Options(num_players=5, rack_size=1),
    Options(num_players=3, rack_size=2),
    Options(num_players=2, two_colors=True),
    Options(num_players=2, two_colors=True, scoring="official", tie_break="fewest_captures"),
    Options(num_players=2, two_colors=True, rack_size=2, capture_own_other_color=False, wild=False),
    Options(num_players=2, two_colors=True, rack_size=1, capture_own_other_color=False, wild=False),
]
SKIPPING = OPTIONS[-1]  # greedy play by these meets skipped turns in three games of ten
IDS = [",".join(f"{key}={value}" for key, value in options.changed().items()) for options in OPTIONS]

Squares = frozenset[int]


def squares(text: str) -> Squares:
    """From "B2 B3"."""
    return frozenset(parse_square(name) for name in text.split())


def symmetric(board: Mapping[int, int]) -> Iterator[tuple[dict[int, int], list[int]]]:
    """A board, square → color, in its eight forms, and where each square goes."""
    grid = np.arange(81).reshape(9, 9)
    for flipped in (grid, grid.T):
        for turns in range(4):
            image = np.rot90(flipped, turns).ravel()  # the square that is shown at each square
            goes = np.argsort(image).tolist()
            yield {goes[square]: color for square, color in board.items()}, goes


def from_text(rows: str, letters: str) -> dict[int, int]:
    """Square → color from nine rows of letters and dots."""
    signs = "".join(rows.split())
    return {square: letters.index(sign) for square, sign in enumerate(signs) if sign != "."}


T9 = from_text(
    """
    XXXXXXXXX
    XYYYYYYYX
    XYPPPPPYX
    XY.....YX
    .........
    .........
    .........
    .........
    .........
    """,
    "PXY",
)
"""A position in which color 0, the P, can play none of the tiles A, B, C, #0, #1."""


def setup(
    options: Options,
    board: Mapping[int, int],
    racks: Mapping[int, Iterable[str]] | None = None,
    player: int = 0,
    captured: Mapping[tuple[int, int], int] | None = None,
    turns: int = 0,
) -> State:
    """A position that need not come from any game: the faces on the board are made up."""
    state = State(options)
    records = state.records.copy()
    records["turn"], records["turns"] = player, turns
    for square, color in board.items():
        records["color"][0, POSITION[square]] = color
        records["face"][0, POSITION[square]] = square % 9
    for color, tiles in (racks or {}).items():
        records["rack"][0, color] = sum(1 << parse_tile(tile) for tile in tiles)
    for (captor, color), count in (captured or {}).items():
        records["captured"][0, captor, color] = (1 << count) - 1
    state._set(records)
    return state


def legal_squares(state: State, color: int = 0) -> set[str]:
    """The squares on which a color of the player to move may play something."""
    actions = [action for action in state.legal_actions().tolist() if state.action_color(action) == color]
    return {SQUARE_NAMES[state.tables.square[action]] for action in actions}


def random_state(options: Options, plies: int, seed: int) -> State:
    """The state after so many random plies, or at the end of the game."""
    rng = np.random.default_rng(seed)
    state = State(options, seed=seed)
    while state.ply < plies and not state.is_over:
        state.push(int(rng.choice(state.legal_actions())))
    return state


def same_records(one: np.ndarray, two: np.ndarray) -> bool:
    """Whether all fields are equal; bytes between them do not matter."""
    return all(np.array_equal(one[name], two[name]) for name in one.dtype.names)
