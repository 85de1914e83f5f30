"""What every picture of a position needs: group labels, racks as a player knows them, a pixel font. No rule is here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blockers_env.public import Public, checked_player
from blockers_env.tiles import SIZE, SYMBOL, TILE_NAMES, WILD
from blokus_env.drawing import PALETTE, Color

HIDDEN = -1  # a tile of which only the back is seen


def _glyphs() -> dict[str, NDArray[np.bool_]]:
    """The pixel font, bool [5, 3] for each character."""
    names = "123456789ABCDEFGHI0-"
    rows = [line.split() for line in FONT.strip().splitlines()]
    return {
        name: np.array([[pixel == "#" for pixel in row[index]] for row in rows]) for index, name in enumerate(names)
    }


FONT = """
.#. ##. ##. #.# ### .## ### ### ### .#. ##. .## ##. ### ### .## #.# ### ### ...
##. ..# ..# #.# #.. #.. ..# #.# #.# #.# #.# #.. #.# #.. #.. #.. #.# .#. #.# ...
.#. .#. .#. ### ##. ### .#. ### ### ### ##. #.. #.# ##. ##. #.# ### .#. #.# ###
.#. #.. ..# ..# ..# #.# .#. #.# ..# #.# #.# #.. #.# #.. #.. #.# #.# .#. #.# ...
### ### ##. ..# ##. ### .#. ### ##. #.# ##. .## ##. ### #.. .## #.# ### ### ...
"""


PILE_ICON, GROUPS_ICON = (
    np.array([[pixel == "#" for pixel in row] for row in text.split()])
    for text in (
        """
        ..#####
        ..#...#
        #####.#
        #...#.#
        #...###
        #...#..
        #####..
        """,
        """
        #####..
        #####..
        ##.....
        ##.....
        ....###
        ....###
        ....###
        """,
    )
)


@dataclass(frozen=True)
class Hand:
    """One color beside the board."""

    color: int
    name: str
    to_move: bool
    groups: int
    rack: tuple[int, ...]  # tiles, HIDDEN where only the back is seen
    pile: int  # tiles in the pile
    captured: tuple[tuple[int, ...], ...]  # tiles of each color that its player has taken; only with the first color


def hands(state: Public, player: int | None) -> list[Hand]:
    """Every color, racks as `player` knows them, or all as far as they are known here (None)."""
    options, groups = state.options, state.groups().tolist()
    if player is not None:
        checked_player(options, player)
    return [
        Hand(
            color=color,
            name=state.color_names[color],
            to_move=options.owner(color) == state.player,
            groups=groups[color],
            rack=rack_seen(state, color, player),
            pile=state.pile_count(color),
            captured=tuple(
                tuple(state.captured(color, other)) if color < options.num_players else ()
                for other in range(options.num_colors)
            ),
        )
        for color in range(options.num_colors)
    ]


def rack_seen(state: Public, color: int, player: int | None) -> tuple[int, ...]:
    """A rack as `player` knows it: its own, and those whose piles are empty, which are what nobody has seen."""
    hidden = (HIDDEN,) * state.rack_count(color)
    if player is None or state.options.owner(color) == player:
        rack = state.rack(color)
        return hidden if rack is None else tuple(rack)
    return hidden if state.pile_count(color) else tuple(state.unseen(color))


def group_labels(board: NDArray[np.int8]) -> NDArray[np.int64]:
    """A number for each group and for the empty squares, int64 [9, 9]: equal where no border lies between."""
    labels = np.where(board < 0, -1, np.arange(SIZE * SIZE).reshape(SIZE, SIZE))
    while True:
        before = labels.copy()
        for axis in (0, 1):
            for step in (1, -1):
                moved, color = np.roll(labels, step, axis), np.roll(board, step, axis)
                edge = [slice(None), slice(None)]
                edge[axis] = slice(0, 1) if step == 1 else slice(SIZE - 1, SIZE)
                color[tuple(edge)] = -2
                labels = np.where((color == board) & (board >= 0), np.minimum(labels, moved), labels)
        if (labels == before).all():
            return labels


def palette(state: Public) -> list[Color]:
    """The red, green and blue of each color of the game."""
    return [PALETTE[name] for name in state.color_names]


def tile_name(tile: int) -> str:
    """The text of a tile, "?" for its back."""
    return "?" if tile == HIDDEN else TILE_NAMES[tile]


def tile_bitmap(tile: int) -> NDArray[np.bool_]:
    """A tile's face in pixels, bool: [5, 3] for digits and letters, [9, 9] for symbols (the nine blocks of the board as
    dots, the one that is meant filled), [5, 5] for the wild tile (a star) and the back (empty).
    """
    if tile == HIDDEN:
        return np.zeros((5, 5), np.bool_)
    if tile < SYMBOL:
        return BITMAPS[TILE_NAMES[tile]]
    if tile == WILD:
        star = np.zeros((5, 5), np.bool_)
        star[2, :] = star[:, 2] = True
        star[1::2, 1::2] = True
        return star
    blocks = np.zeros((9, 9), np.bool_)
    blocks[1::3, 1::3] = True
    row, column = divmod(tile - SYMBOL, 3)
    blocks[3 * row : 3 * row + 3, 3 * column : 3 * column + 3] = True
    return blocks


def number_bitmap(number: int) -> NDArray[np.bool_]:
    """A number in pixels, bool [5, 4 · characters − 1]."""
    return np.concatenate([np.pad(BITMAPS[sign], ((0, 0), (0, 1))) for sign in str(number)], axis=1)[:, :-1]


def status(state: Public) -> str:
    """Whose turn it is, or how the game ended, in a few words."""
    if not state.is_over:
        return f"{player_name(state, state.player)} to move"
    winners = [player for player, place in enumerate(state.places()) if place == 0]
    names = " and ".join(player_name(state, player) for player in winners)
    return f"tie: {names}" if len(winners) > 1 else f"{names} won"


def player_name(state: Public, player: int) -> str:
    """The colors of a player, joined by `+`."""
    return "+".join(state.color_names[color] for color in state.options.colors_of(player))


BITMAPS = _glyphs()
