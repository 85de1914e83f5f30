"""Seats: who plays and scores which color. Arrays may have leading batch axes, written `...` in shapes."""

import numpy as np
from numpy.typing import NDArray

from blokus_env.rumis.variants import Options


def player_scores(options: Options, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """From the scores of colors, float64 [..., colors], those of players: the best of their colors (R6)."""
    of_player = scores.reshape(*scores.shape[:-1], -1, options.num_players)
    best: NDArray[np.float64] = of_player.max(axis=-2)
    return best


def places(options: Options, scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """From the scores of colors the place of each player, int64 [..., players]: the number of those with more (S3)."""
    of_player = player_scores(options, scores)
    found: NDArray[np.int64] = (of_player[..., None, :] > of_player[..., :, None]).sum(-1)
    return found


def colors_of(options: Options, player: NDArray[np.int64], turn: NDArray[np.int8]) -> NDArray[np.int64]:
    """The color that each player plays next, int64 [...]: the first of theirs from the color to move on.

    `turn` is −1 where the game is over; then it is their first color.
    """
    start = np.maximum(turn, 0).astype(np.int64)
    color: NDArray[np.int64] = (start + (player - start) % options.num_players) % options.num_colors
    return color
