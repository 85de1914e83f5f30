"""Options → arrays: all that the kernels know of the rules, and the layout of their records.

The ground plan is a word of 64 bits: square (row, column) is bit row · columns + column. A *stack* of an orientation is
a square that it covers, on which it puts `count` cubes. Stacks are joined by *steps*: pairs of squares side by side
with the difference of the heights that they must have for the stone to rest on both (R1). So all origins at which an
orientation fits come out of a few shifts and ANDs of words, whatever lies on the board.

One record type serves all options, so that the kernels compile once.
"""

import functools
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blokus_env.pieces import Cell
from blokus_env.rumis.buildings import MOST_LEVELS, MOST_SQUARES
from blokus_env.rumis.pieces import STONES, Cube, Orientation, orientations
from blokus_env.rumis.variants import Options

MOST_COLORS = 4
STACKS = 4  # most squares that a stone covers, and most cubes on one of them
DIFFERENCES = 7  # of the levels of two stacks side by side: −3 … 3, counted from 0
ORIENTED = tuple((k, o) for k, stone in enumerate(STONES) for o in orientations(stone))
NUM_ORIENTATIONS = len(ORIENTED)

TABLE_DTYPE = np.dtype(
    [
        ("colors", np.int64),
        ("players", np.int64),
        ("levels", np.int64),
        ("columns", np.int64),
        ("squares", np.int64),  # rows × columns
        ("out_after_pass", np.int64),
        ("plan", np.uint64),  # the ground plan
        ("not_first", np.uint64),  # squares that have a left neighbor in the rectangle
        ("not_last", np.uint64),  # and a right one
        ("reach", np.uint64, (MOST_LEVELS + STACKS + 1,)),  # squares that may be built so high at least
        ("limit", np.uint8, (MOST_SQUARES,)),  # how high a square may be built, 0 outside of the plan
        ("valid", np.uint64, (NUM_ORIENTATIONS,)),  # origins at which an orientation lies within plan and limits
        ("first", np.int32, (NUM_ORIENTATIONS + 1,)),  # an orientation's first action
        ("stacks", np.uint8, (NUM_ORIENTATIONS,)),
        ("offset", np.uint8, (NUM_ORIENTATIONS, STACKS)),  # of a stack from the origin
        ("count", np.uint8, (NUM_ORIENTATIONS, STACKS)),  # its cubes
        ("step", np.uint8, (NUM_ORIENTATIONS, STACKS - 1)),  # difference + 3, and DIFFERENCES more for a step down
        ("step_offset", np.uint8, (NUM_ORIENTATIONS, STACKS - 1)),  # of its upper or left square from the origin
        ("footprint", np.uint64, (NUM_ORIENTATIONS,)),  # all stacks, for the origin at bit 0
        ("stone", np.uint8, (NUM_ORIENTATIONS,)),
        ("first_orientation", np.uint8, (len(STONES) + 1,)),
        ("size", np.uint8, (len(STONES),)),  # cubes of a stone
        ("orientation_of", np.uint8, (NUM_ORIENTATIONS * MOST_SQUARES,)),  # of an action
        ("origin_of", np.uint8, (NUM_ORIENTATIONS * MOST_SQUARES,)),
    ],
    align=True,
)

STATE_DTYPE = np.dtype(
    [
        ("own", np.uint64, (MOST_COLORS, MOST_LEVELS)),  # squares on which a color has a cube at a level
        ("height", np.uint8, (MOST_SQUARES,)),  # cubes on each square
        ("left", np.uint16, (MOST_COLORS,)),  # bit k: stone k is in hand
        ("plays", np.uint8, (MOST_COLORS,)),  # stones placed
        ("out", np.uint8),  # bit c: color c is out for good (R7)
        ("turn", np.int8),  # color to move, kernels.NO_COLOR when the game is over
        ("ply", np.int16),
    ],
    align=True,
)

SCRATCH_DTYPE = np.dtype(
    [
        ("full", np.uint64, (MOST_LEVELS + 1,)),  # squares with a cube at a level
        ("high", np.uint64, (MOST_LEVELS + 1,)),  # squares that are so high
        ("room", np.uint64, (STACKS + 1,)),  # squares that take so many more cubes
        ("step", np.uint64, (2 * DIFFERENCES,)),  # squares with this difference to the next one
        ("near", np.uint64, (MOST_LEVELS + STACKS,)),  # squares at which a cube at a level would touch
        ("contact", np.uint64, (STACKS + 1,)),  # squares on which one of so many cubes would touch
        ("base", np.uint64),  # squares that count as touching the base
        ("mask", np.uint64, (NUM_ORIENTATIONS,)),  # legal origins of each orientation
    ],
    align=True,
)


@dataclass(frozen=True, eq=False)
class Tables:
    """Everything derived from options.

    `record` is a structured array of length 1 for the kernels. The other arrays are indexed by action id. Ids go by
    orientation, row and column of the origin (upper left corner of the bounding box in the plan; row 0 is the top row).
    The level follows from the stacks that lie below. Placements that could never fit under the limits have no id.
    """

    options: Options
    record: NDArray[np.void]
    orientation: NDArray[np.int64]  # [actions]
    row: NDArray[np.int64]  # [actions]
    column: NDArray[np.int64]  # [actions]
    piece: NDArray[np.int64]  # [actions] index of the stone

    def __reduce__(self) -> tuple[Any, ...]:
        return tables, (self.options,)  # pickles and deep copies hold the options, not the arrays

    @property
    def num_actions(self) -> int:
        """Number of actions."""
        return len(self.orientation)

    @property
    def orientations(self) -> tuple[Orientation, ...]:
        """All orientations of all stones, by stone."""
        return tuple(o for _, o in ORIENTED)

    def cubes(self, action: int) -> tuple[Cube, ...]:
        """The (row, column, level) cubes that an action adds, sorted; levels count from the lowest of them."""
        row, column = int(self.row[action]), int(self.column[action])
        return tuple((row + r, column + c, z) for r, c, z in ORIENTED[self.orientation[action]][1].cubes)

    def stacks(self, action: int) -> dict[Cell, tuple[int, int]]:
        """For each square that an action covers: level of its lowest cube within the stone, number of its cubes."""
        row, column = int(self.row[action]), int(self.column[action])
        return {(row + r, column + c): stack for (r, c), stack in ORIENTED[self.orientation[action]][1].stacks.items()}

    @functools.cached_property
    def action_by_cubes(self) -> dict[tuple[Cube, ...], int]:
        """The action that adds exactly these (sorted) cubes."""
        return {self.cubes(action): action for action in range(self.num_actions)}

    @functools.cached_property
    def limits(self) -> NDArray[np.uint8]:
        """How high each square may be built, uint8 [rows, columns], 0 outside of the ground plan."""
        plan = self.options.plan
        limits: NDArray[np.uint8] = self.record["limit"][0, : plan.rows * plan.columns].reshape(plan.rows, plan.columns)
        return limits

    def new_states(self, count: int) -> NDArray[np.void]:
        """Zeroed state records; `kernels.init` fills them."""
        return np.zeros(count, STATE_DTYPE)

    def new_scratch(self) -> NDArray[np.void]:
        """Working memory for the kernels of one thread."""
        return np.zeros(1, SCRATCH_DTYPE)

    @property
    def workspace(self) -> "Workspace":
        """The calling thread's working memory for single games."""
        try:
            return self._local.workspace  # type: ignore[no-any-return]
        except AttributeError:
            self._local.workspace = Workspace(self.new_scratch(), np.zeros(self.num_actions, np.int32))
            return self._local.workspace  # type: ignore[no-any-return]

    @functools.cached_property
    def _local(self) -> threading.local:
        return threading.local()


@dataclass(frozen=True)
class Workspace:
    """Memory that kernels write to and that is read at once."""

    scratch: NDArray[np.void]
    ids: NDArray[np.int32]  # [actions]


@functools.cache
def tables(options: Options) -> Tables:
    """The tables of options."""
    record = np.zeros(1, TABLE_DTYPE)
    _write_plan(record[0], options)
    origins = [_write_orientation(record[0], options, index) for index in range(NUM_ORIENTATIONS)]
    first = np.cumsum([0, *map(len, origins)])
    record["first"][0] = first
    orientation = np.repeat(np.arange(NUM_ORIENTATIONS), np.diff(first))
    origin = np.array([bit for bits in origins for bit in bits], np.int64)
    record["orientation_of"][0, : len(origin)], record["origin_of"][0, : len(origin)] = orientation, origin
    row, column = np.divmod(origin, options.plan.columns)
    return Tables(options, record, orientation, row, column, np.array([k for k, _ in ORIENTED])[orientation])


def _write_plan(row: Any, options: Options) -> None:
    """Everything that does not belong to an orientation."""
    plan, limits = options.plan, options.plan.limits(options.num_colors)
    row["colors"], row["players"], row["levels"] = options.num_colors, options.num_players, options.levels
    row["columns"], row["squares"] = plan.columns, plan.rows * plan.columns
    row["out_after_pass"] = options.out_after_pass
    every = [(r, c) for r in range(plan.rows) for c in range(plan.columns)]
    row["plan"] = _word(plan.columns, limits)
    row["not_first"] = _word(plan.columns, [cell for cell in every if cell[1] > 0])
    row["not_last"] = _word(plan.columns, [cell for cell in every if cell[1] < plan.columns - 1])
    for height in range(1, MOST_LEVELS + 1):
        row["reach"][height] = _word(plan.columns, [cell for cell, limit in limits.items() if limit >= height])
    for (r, c), limit in limits.items():
        row["limit"][r * plan.columns + c] = limit
    row["size"] = [stone.size for stone in STONES]
    row["first_orientation"] = np.searchsorted([k for k, _ in ORIENTED], np.arange(len(STONES) + 1))


def _word(columns: int, cells: Any) -> np.uint64:
    """Squares as bits."""
    return np.uint64(sum(1 << (row * columns + column) for row, column in cells))


def _write_orientation(row: Any, options: Options, index: int) -> list[int]:
    """An orientation's tables; its origins as bit numbers, ascending."""
    columns, limits = options.plan.columns, options.plan.limits(options.num_colors)
    stone, orientation = ORIENTED[index]
    stacks = orientation.stacks
    row["stone"][index], row["stacks"][index] = stone, len(stacks)
    row["offset"][index, : len(stacks)] = [r * columns + c for r, c in stacks]
    row["count"][index, : len(stacks)] = [count for _, count in stacks.values()]
    for step, (cell, down, difference) in enumerate(_steps(orientation)):
        row["step"][index, step] = difference + DIFFERENCES // 2 + DIFFERENCES * down
        row["step_offset"][index, step] = cell[0] * columns + cell[1]
    origins = [
        (r, c)
        for r in range(options.plan.rows - orientation.rows + 1)
        for c in range(columns - orientation.columns + 1)
        if all(limits.get((r + dr, c + dc), 0) >= low + count for (dr, dc), (low, count) in stacks.items())
    ]
    row["valid"][index] = _word(columns, origins)
    if origins:  # else it does not fit into a word
        row["footprint"][index] = _word(columns, stacks)
    return [r * columns + c for r, c in origins]


def _steps(orientation: Orientation) -> list[tuple[Cell, bool, int]]:
    """Steps that join all stacks: the upper or left square, whether the step goes down, how much the level rises."""
    stacks = orientation.stacks
    cells = list(stacks)
    joined, steps = {cells[0]}, []
    while len(joined) < len(cells):
        for row, column in cells:
            for other, down in (((row, column + 1), False), ((row + 1, column), True)):
                if other in stacks and ((row, column) in joined) != (other in joined):
                    steps.append(((row, column), down, stacks[other][0] - stacks[row, column][0]))
                    joined |= {(row, column), other}
    return steps
