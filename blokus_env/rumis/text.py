"""Text of actions: the cubes that a stone adds, `b2,b2+1,c2+1`.

A cube is its square, and how many levels it lies above the stone's lowest cube (`+0` is left out). On which level that
one comes to rest follows from what lies there. A flat stone reads like a piece on a flat board: `b2,c2,d2`.
"""

import re

from blokus_env.adapters.protocol import IllegalActionError
from blokus_env.rumis.pieces import STONES, Cube, orientations
from blokus_env.rumis.tables import Tables

CUBE = re.compile(r"([a-z]{1,2}[1-9]\d*)(?:\+(\d))?")


def action_text(tables: Tables, action: int) -> str:
    """The text of an action that exists; cubes by level, row from the bottom, column."""
    name = tables.options.plan.board.cell_text
    cubes = sorted(tables.cubes(action), key=lambda cube: (cube[2], -cube[0], cube[1]))
    return ",".join(name((row, column)) + (f"+{level}" if level else "") for row, column, level in cubes)


def parse_action(tables: Tables, text: str) -> int:
    """The action with this text; the order of its cubes does not matter.

    Raises `IllegalActionError` if a cube lies off the ground plan, the cubes are no stone, or it is higher than the
    building ever is there; ValueError if it is no text of cubes.
    """
    board, cubes = tables.options.plan.board, []
    for part in text.split(","):
        match = CUBE.fullmatch(part.strip().lower())
        if match is None:
            raise ValueError(f"{text!r}: {part!r} is no cube: expected a square and a level such as 'b2' or 'b2+1'")
        cell = board.parse_cell(match[1])
        if cell not in board.cell_set:
            raise IllegalActionError(f"{text!r}: {match[1]} is off the ground plan (B3)")
        cubes.append((*cell, int(match[2] or 0)))
    action = tables.action_by_cubes.get(tuple(sorted(cubes)))
    if action is None and _is_stone(cubes):
        raise IllegalActionError(f"{text!r} is higher than the building may ever be there (R4)")
    if action is None:
        raise IllegalActionError(f"{text!r} is not the shape of any stone (B2)")
    return action


def _is_stone(cubes: list[Cube]) -> bool:
    """Whether cubes whose lowest level is 0 have the shape of a stone."""
    row, column = min(r for r, _, _ in cubes), min(c for _, c, _ in cubes)
    shape = tuple(sorted((r - row, c - column, z) for r, c, z in cubes))
    return any(shape == orientation.cubes for stone in STONES for orientation in orientations(stone))
