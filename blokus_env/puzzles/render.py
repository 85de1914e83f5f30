"""Pictures of a puzzle in the style of the games: `ansi` for terminals, `rgb_array` for videos, `svg` for pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from blokus_env import render as games
from blokus_env import svg as games_svg

if TYPE_CHECKING:
    from blokus_env.puzzles.packing_state import PackingState
    from blokus_env.puzzles.solo_state import SoloState
    from blokus_env.state import State

    PuzzleState: TypeAlias = PackingState | SoloState

Pixels = NDArray[np.uint8]


def render(state: PuzzleState, mode: str) -> str | Pixels:
    """The board as text ("ansi"), picture ("rgb_array", uint8 [height, width, 3]) or drawing ("svg").

    Raises ValueError for another mode.
    """
    drawers: dict[str, Callable[[PuzzleState], str | Pixels]] = {"ansi": ansi, "rgb_array": rgb_array, "svg": svg}
    if mode not in drawers:
        raise ValueError(f"render mode {mode!r} is unknown: choose one of {', '.join(map(repr, drawers))}")
    return drawers[mode](state)


def title(state: PuzzleState) -> str:
    """What is solved so far, in one line."""
    puzzle = state.puzzle
    name = f"{puzzle.title}, no edge contact" if puzzle.no_edge_contact else puzzle.title
    progress = f"{state.ply} of {puzzle.num_pieces} pieces, {state.squares_placed} of {puzzle.num_squares} squares"
    if state.is_solved:
        return f"{name}: solved, {puzzle.num_pieces} pieces"
    if state.is_over:
        return f"{name}: over, {progress}"
    return f"{name}: {progress}" + (f", {state.color_names[state.color]} to move" if state.color >= 0 else "")


def ansi(state: PuzzleState, color: bool = False) -> str:
    """The board, the pieces left and the squares or points of each color as text; see `blokus_env.render.ansi`."""
    drawn, letters = as_drawn(state), games.color_letters(state.color_names)
    board, hands = games.square_rows(drawn, letters, color), games.hands(drawn, letters, color)
    return "\n".join([title(state), *board, "", *hands])


def rgb_array(state: PuzzleState, cell_pixels: int = 24) -> Pixels:
    """The board as pixels, framed in the color to move, grey where there is none; see `blokus_env.render.rgb_array`."""
    return games.rgb_array(as_drawn(state), cell_pixels)


def svg(state: PuzzleState) -> str:
    """The board with coordinates, and beside it each color's squares or points and the pieces it has left."""
    return games_svg.svg(as_drawn(state), title=title(state))


def as_drawn(state: PuzzleState) -> State:
    """A puzzle as the pictures of games take it: it has all that these read."""
    return cast("State", state)
