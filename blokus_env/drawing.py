"""What every picture of a position needs: colors, and what lies where. Nothing here knows a rule."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blokus_env.geometry import Board

if TYPE_CHECKING:
    from blokus_env.state import State

Color = tuple[int, int, int]

# After Okabe and Ito: told apart with any of the common kinds of color vision (tests/test_render.py measures it).
PALETTE: dict[str, Color] = {
    "blue": (24, 78, 168),
    "yellow": (242, 212, 56),
    "red": (213, 80, 20),
    "green": (52, 178, 112),
    "purple": (136, 72, 152),
    "orange": (240, 158, 26),
}
SPARE: tuple[Color, ...] = ((86, 180, 233), (204, 121, 167), (120, 120, 120), (60, 60, 60))  # for names without a color
PAPER: Color = (250, 249, 246)
EMPTY: Color = (236, 233, 225)
GRID: Color = (216, 211, 199)
INK: Color = (52, 49, 45)
GREY: Color = (150, 145, 135)
WHITE: Color = (255, 255, 255)

EMPTY_CELL = -1  # in a placement map


def palette(state: State) -> list[Color]:
    """The red, green and blue of each color of the game."""
    spare = cycle(SPARE)
    return [PALETTE.get(name.lower()) or next(spare) for name in state.color_names]


def placement_map(state: State) -> NDArray[np.int64]:
    """Which placement lies on each cell, `[height, width]`: its ply, or `EMPTY_CELL`.

    Where the history does not know a placement, cells of one color share a number below `EMPTY_CELL`.
    """
    board = state.board()
    labels = np.where(board >= 0, EMPTY_CELL - 1 - board.astype(np.int64), EMPTY_CELL)
    for ply, action in enumerate(state.actions):
        rows, columns = state.action_cells(action).T
        labels[rows, columns] = ply
    return labels


def last_placement(state: State) -> NDArray[np.bool_]:
    """The cells of the newest placement, `[height, width]`."""
    newest = np.zeros(state.board().shape, np.bool_)
    if len(state.actions):
        rows, columns = state.action_cells(state.actions[-1]).T
        newest[rows, columns] = True
    return newest


def open_starts(state: State) -> dict[tuple[int, int], list[int]]:
    """The start cells that are still empty, with the colors that have yet to start and may do so there."""
    board = state.board()
    starts: dict[tuple[int, int], list[int]] = {}
    for color in range(len(state.color_names)):
        if (board == color).any():
            continue
        for row, column in state.start_cells(color):
            if board[row, column] < 0:
                starts.setdefault((int(row), int(column)), []).append(color)
    return starts


def on_board(state: State) -> NDArray[np.bool_]:
    """Which positions of the rectangle are cells of the board, `[height, width]`."""
    cells = np.zeros(state.board().shape, np.bool_)
    rows, columns = np.array(sorted(state.variant.board.cell_set)).T
    cells[rows, columns] = True
    return cells


def status(state: State) -> str:
    """Whose turn it is, or how the game ended, in a few words."""
    outcome = state.outcome()
    if outcome is None:
        player = "" if state.variant.is_one_color_each else f" (player {state.player})"
        return f"{state.color_names[state.color]} to move{player}"
    names = " and ".join(dict.fromkeys(player_name(state, player) for player in outcome.winners))
    return f"tie: {names}" if outcome.is_tie else f"{names} won"


def player_name(state: State, player: int) -> str:
    """The colors that score for a player, joined by `+`."""
    return "+".join(state.color_names[color] for color in state.variant.scoring_colors[player])


@dataclass(frozen=True)
class Side:
    """Who wins together: one player, or a team."""

    players: str  # "player 0", "players 0 and 2"
    colors: str  # "blue+red"
    score: float


def sides(state: State) -> list[Side]:
    """The players or teams with their scores; none where every player just has one color."""
    row, scores = state.variant, state.player_scores()
    if row.is_one_color_each:
        return []
    teams: dict[int, list[int]] = {}
    for player, team in enumerate(row.teams):
        teams.setdefault(team, []).append(player)
    return [
        Side(
            f"player{'s' * (len(players) > 1)} {' and '.join(map(str, players))}",
            player_name(state, players[0]),
            float(scores[players[0]]),
        )
        for players in teams.values()
    ]


def shared_note(state: State) -> str:
    """Whose turn with the shared color it is; empty where no color is shared."""
    shared = state.variant.shared_color
    if shared is None:
        return ""
    color = state.color_names.index(shared)
    player = state.variant.owner(color, state.variant.num_pieces - len(state.left(color)))
    return f"{shared} is shared" + ("" if state.is_over else f", next by player {player}")


def number(value: float) -> str:
    """A score as text: a true minus sign, no needless decimals."""
    return f"{value:g}".replace("-", "\N{MINUS SIGN}")


def column_name(board: Board, column: int) -> str:
    """The letters of a column, as in the text of actions."""
    return board.cell_text((0, column)).rstrip("0123456789")


def row_name(board: Board, row: int) -> str:
    """The number of a row, as in the text of actions."""
    return board.cell_text((row, 0)).lstrip("abcdefghijklmnopqrstuvwxyz")


def contrast(background: Color) -> Color:
    """What to write with on a color: ink on light ones, white on the others."""
    red, green, blue = ((channel / 255) ** 2.2 for channel in background)
    return INK if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.4 else WHITE


def borders_of(labels: NDArray[np.int64]) -> dict[str, NDArray[np.bool_]]:
    """For each side of a cell, `[height, width]`: does another label, or the rim, lie beyond it?"""
    height, width = labels.shape
    padded = np.full((height + 2, width + 2), np.iinfo(labels.dtype).min)
    padded[1:-1, 1:-1] = labels
    return {
        "top": padded[:-2, 1:-1] != labels,
        "bottom": padded[2:, 1:-1] != labels,
        "left": padded[1:-1, :-2] != labels,
        "right": padded[1:-1, 2:] != labels,
    }
