"""Seats are data: who places a color's next piece, which colors score for whom, who shares a place.

Arrays may have leading batch axes, written `...` in shapes.
"""

import functools

import numpy as np
from numpy.typing import NDArray

from blokus_env.variants import Variant


class Seats:
    """The seats of a variant as arrays."""

    def __init__(self, variant: Variant) -> None:
        colors, players = variant.num_colors, variant.num_players
        plays = range(
            variant.num_pieces + 1
        )  # one more: after its last piece a color's "next" owner still has to be somebody
        self.owner = np.array(
            [[variant.owner(color, k) for k in plays] for color in range(colors)], np.int8
        )  # [colors, plays + 1]
        self._owner_rows: list[list[int]] = self.owner.tolist()
        self._is_constant = all(len(owners) == 1 for owners in variant.owners)
        self._mover = np.append(self.owner[:, 0], np.int8(-1))  # of each color; the last one, −1, that of color −1
        self.weight = np.zeros((colors, players))  # 1 where a color's points count for a player
        for player, scoring in enumerate(variant.scoring_colors):
            self.weight[list(scoring), player] = 1.0
        self._later_wins_ties = variant.later_wins_ties
        teams = np.array(variant.teams)
        self.first_of_team = np.array([int(np.flatnonzero(teams == team)[0]) for team in sorted(set(variant.teams))])

    def player_scores(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """From the scores of colors, float64 [..., colors], those of players, float64 [..., players] (S4)."""
        return scores @ self.weight

    def places(self, scores: NDArray[np.float64]) -> NDArray[np.int64]:
        """From the scores of colors the place of each player, int64 [..., players]: the number of teams with more
        points (S3), or with as many and a later seat where that wins ties (C5).
        """
        of_player = self.player_scores(scores)
        of_team = of_player[..., self.first_of_team]
        ahead = of_team[..., None, :] > of_player[..., :, None]
        if self._later_wins_ties:
            later = self.first_of_team[None, :] > np.arange(of_player.shape[-1])[:, None]
            ahead |= (of_team[..., None, :] == of_player[..., :, None]) & later
        places: NDArray[np.int64] = ahead.sum(-1)
        return places

    def players(self, turn: NDArray[np.int8], plays: NDArray[np.uint8]) -> NDArray[np.int8]:
        """The player to move: from the color to move, int8 [...], and the plays of each color, uint8 [..., colors]; −1
        stays −1.
        """
        if self._is_constant:
            return self._mover[turn]
        color = np.maximum(turn, 0)
        next_play = np.take_along_axis(plays, color[..., None].astype(np.int64), -1)[..., 0]
        return np.where(turn < 0, turn, self.owner[color, next_play]).astype(np.int8)

    def player_of(self, color: int, records: NDArray[np.void]) -> int:
        """The player who places a color's next piece in the game of a state array of length 1."""
        owners = self._owner_rows[color]
        return owners[0] if self._is_constant else owners[records["plays"][0, color]]

    def owners_of(self, plays: list[int]) -> list[int]:
        """The player who places each color's next piece, from the plays of each color."""
        return [owners[played] for owners, played in zip(self._owner_rows, plays, strict=True)]

    def color_of(self, player: int, turn: int, plays: list[int]) -> int:
        """`colors_of` for one game."""
        colors = len(plays)
        for step in range(colors):
            color = (max(turn, 0) + step) % colors
            if self._owner_rows[color][plays[color]] == player:
                return color
        return 0

    def colors_of(
        self, player: NDArray[np.int64], turn: NDArray[np.int8], plays: NDArray[np.uint8]
    ) -> NDArray[np.int64]:
        """The color that each player plays next, int64 [...]: the first one from the color to move on whose next piece
        is theirs.
        """
        colors = plays.shape[-1]
        start = np.maximum(turn, 0).astype(np.int64)
        found = np.full(np.shape(start), -1, np.int64)
        for step in range(colors):
            color = (start + step) % colors
            next_play = np.take_along_axis(plays, color[..., None], -1)[..., 0]
            mine = (found < 0) & (self.owner[color, next_play] == player)
            found = np.where(mine, color, found)
        return np.maximum(found, 0)


@functools.cache
def seats(variant: Variant) -> Seats:
    """The seats of a variant."""
    return Seats(variant)
