"""Symmetries of a building as maps of action ids.

Stones cannot be mirrored, but a color that has both of two mirror images can answer every placement with that of the
other one: reflections of the plan take the two screws A and B to each other, and every other stone to itself.
"""

import functools

import numpy as np
from numpy.typing import NDArray

from blokus_env.rumis.pieces import STONES
from blokus_env.rumis.tables import Tables

REFLECTIONS = 4  # symmetries from this one on are reflections
MIRROR_IMAGES = {"A": "B", "B": "A"}


@functools.cache
def action_permutation(tables: Tables, symmetry: int) -> NDArray[np.int32]:
    """Where a symmetry of the building, a key of `Building.symmetries`, takes each action: int32 [actions].

    Raises ValueError for a map that does not take the building onto itself.
    """
    symmetries = tables.options.plan.symmetries
    if symmetry not in symmetries:
        raise ValueError(
            f"{symmetry!r} is no symmetry of {tables.options.plan.name!r}: choose one of {list(symmetries)}"
        )
    image_of = symmetries[symmetry]
    images = [
        tuple(sorted((*image_of[row, column], level) for row, column, level in tables.cubes(action)))
        for action in range(tables.num_actions)
    ]
    return np.array([tables.action_by_cubes[cubes] for cubes in images], np.int32)


def piece_permutation(symmetry: int) -> NDArray[np.int64]:
    """Where a symmetry of a plan takes each stone, int64 [stones]."""
    names = [stone.name for stone in STONES]
    images = [MIRROR_IMAGES.get(name, name) if symmetry >= REFLECTIONS else name for name in names]
    return np.array([names.index(image) for image in images])
