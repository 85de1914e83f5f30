"""The weights of `HeuristicAgent`, fitted by the cross-entropy method (Rubinstein 1999): 40 candidates a round, each in
games against the greedy policy and against the mean of earlier rounds, the best 10 kept.

Each line has a feature of `heuristic_kernels.FEATURES`, its weight at the start of a game and that at its end.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from agents.blockers.heuristic_kernels import FEATURES
from blockers_env.variants import Options

TWO_PLAYERS = """
    own_groups        -1.50  -1.62
    new_group         -0.30  -0.20
    own_price         -0.93  -1.04
    capture            0.41   0.09
    captured_before   -0.17  -0.04
    lone_capture      -0.63  -1.01
    block_join         0.21  -0.16
    block_touch       -0.01  -0.02
    risk_join         -0.06   0.52
    risk_touch         0.19   0.11
    cover_join        -0.02   0.20
    cover_touch        0.43   0.42
    growth             0.55  -0.02
    rack_growth       -0.14   0.05
    next_join          0.72   0.50
    own_other         -0.56   0.32
    spare             -0.37   0.04
    flexible          -0.11  -0.10
    useful             0.14   0.39
    wild              -0.27  -0.08
"""

MORE_PLAYERS = """
    own_groups        -1.43  -1.71
    new_group         -0.25  -0.04
    own_price         -0.74  -0.91
    capture            0.21   0.16
    captured_before   -0.11  -0.10
    lone_capture      -0.56  -0.57
    block_join         0.15   0.64
    block_touch        0.04   0.14
    risk_join          0.15  -0.03
    risk_touch        -0.08   0.09
    cover_join        -0.24   0.14
    cover_touch        0.36   0.35
    growth             0.41   0.17
    rack_growth       -0.02  -0.06
    next_join          0.62   0.70
    own_other          0.07  -0.07
    spare             -0.23  -0.06
    flexible          -0.31   0.15
    useful             0.04   0.14
    wild              -0.58  -0.40
"""


def weights_for(options: Options) -> NDArray[np.float32]:
    """The fitted weights for a game with these options, float32 [2, features]."""
    return _parsed(TWO_PLAYERS if options.num_players == 2 else MORE_PLAYERS)


@functools.cache
def _parsed(text: str) -> NDArray[np.float32]:
    lines = [line.split() for line in text.strip().splitlines()]
    assert tuple(name for name, *_ in lines) == FEATURES
    weights = np.array([[float(number) for number in numbers] for _, *numbers in lines], np.float32).T
    weights.flags.writeable = False
    return np.ascontiguousarray(weights)
