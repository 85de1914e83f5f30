"""What every picture of a position needs: colors, which cube belongs to which stone, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from blokus_env.drawing import PALETTE, Color
from blokus_env.rumis.pieces import Cube

if TYPE_CHECKING:
    from blokus_env.rumis.state import State

CubeMap: TypeAlias = dict[Cube, int]


def palette(state: State) -> list[Color]:
    """The red, green and blue of each color of the game."""
    return [PALETTE[name] for name in state.color_names]


def stones(state: State) -> list[list[Cube]]:
    """The cubes (row, column, level) of each stone that the history knows, in the order of play."""
    heights = np.zeros(state.heights().shape, np.int64)
    found = []
    for action in state.actions:
        cubes = []
        for (row, column), (_, count) in state.tables.stacks(action).items():
            low = int(heights[row, column])
            cubes += [(row, column, level) for level in range(low, low + count)]
            heights[row, column] += count
        found.append(cubes)
    return found


def placement_map(state: State) -> CubeMap:
    """Which stone each cube belongs to: its ply. Where the history does not know it, cubes of a color share a number
    below 0.
    """
    board = state.board()
    labels = {(int(r), int(c), int(z)): -1 - int(board[z, r, c]) for z, r, c in np.argwhere(board >= 0)}
    for ply, cubes in enumerate(stones(state)):
        labels |= dict.fromkeys(cubes, ply)
    return labels


def newest_cubes(state: State) -> set[Cube]:
    """The cubes of the newest stone."""
    return set(stones(state)[-1]) if state.actions else set()


def status(state: State) -> str:
    """Whose turn it is, or how the game ended, in a few words."""
    outcome = state.outcome()
    if outcome is None:
        player = f" (player {state.player})" if state.options.two_colors else ""
        return f"{state.color_names[state.color]} to move{player}"
    names = " and ".join(player_name(state, player) for player in outcome.winners)
    return f"tie: {names}" if outcome.is_tie else f"{names} won"


def player_name(state: State, player: int) -> str:
    """The colors of a player, joined by `+`."""
    return "+".join(state.color_names[color] for color in state.options.colors_of(player))


def title(state: State) -> str:
    """Heading of a picture."""
    return f"{state.options.title}, ply {state.ply}: {status(state)}"
