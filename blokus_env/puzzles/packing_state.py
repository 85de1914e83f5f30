"""A puzzle without turns (P2 … P4) on the way: `PackingState("pentomino")`, `legal_actions()`, `push`, `pop`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blokus_env.adapters.protocol import IllegalActionError, Observation
from blokus_env.observation import LAYOUTS
from blokus_env.pieces import Cell
from blokus_env.puzzles import kernels
from blokus_env.puzzles.dead_ends import REASONS
from blokus_env.puzzles.tables import puzzle_tables
from blokus_env.puzzles.variants import Puzzle, puzzle
from blokus_env.variants import Variant


class PackingState:
    """Pieces of all colors on a board that they are to fill.

    Action c · A + a is placement a by color c; placements are numbered as in the games, by orientation, row and column.
    In `push` an action may also be a text, the color's name and the cells: "blue a1,b1,a2,b2".

    Args:
        name: "tetromino", "pentomino" or a `Puzzle` without turns.
        no_edge_contact: whether pieces of equal color must not share an edge (P4); None: as the puzzle has it.
        observation: "planes" or "compact", what `observe` gives.

    Raises:
        ValueError: for an unknown name, an unknown layout, or a puzzle with turns.
    """

    color = -1  # to move: none, there are no turns

    def __init__(
        self, name: str | Puzzle = "pentomino", no_edge_contact: bool | None = None, observation: str = "planes"
    ) -> None:
        self.puzzle = puzzle(name, no_edge_contact)
        if self.puzzle.in_turn:
            raise ValueError(f"{self.puzzle.name!r} is played in turns: use SoloState")
        if observation not in LAYOUTS:
            raise ValueError(f"observation={observation!r} is unknown: choose one of {', '.join(map(repr, LAYOUTS))}")
        self.tables = puzzle_tables(self.puzzle)
        self.observation = observation
        size = self.variant.height * self.variant.width
        self._board = np.full(size, kernels.EMPTY, np.int8)
        self._forbidden = np.zeros(size, np.uint8)  # bit c: color c may not use the cell
        self._left = self.tables.counts.copy()  # uint8 [C, K]
        self._history: list[int] = []
        self._past: list[tuple[NDArray[Any], ...]] = []  # the arrays before each action; `push` replaces them
        self._legal: NDArray[np.int32] | None = None

    @property
    def variant(self) -> Variant:
        """Board, pieces and colors."""
        return self.puzzle.variant

    @property
    def num_actions(self) -> int:
        """Placements of all colors."""
        return self.variant.num_colors * self.tables.num_placements

    @property
    def ply(self) -> int:
        """Pieces placed so far."""
        return len(self._history)

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions played so far."""
        return tuple(self._history)

    @property
    def color_names(self) -> tuple[str, ...]:
        """Names of the colors."""
        return self.variant.color_names

    @property
    def is_over(self) -> bool:
        """Whether no piece can be placed any more."""
        return len(self._legal_now()) == 0

    @property
    def is_solved(self) -> bool:
        """Whether every piece is placed."""
        return not self._left.any()

    @property
    def squares_placed(self) -> int:
        """Squares covered so far."""
        return int(np.count_nonzero(self._board >= 0))

    def left(self, color: int) -> list[str]:
        """Names of the pieces that a color has in hand, one entry a piece."""
        counts = self._left[color]
        return [name for name, count in zip(self.variant.piece_names, counts, strict=True) for _ in range(count)]

    @property
    def hand(self) -> NDArray[np.uint8]:
        """How many of each piece each color has in hand, uint8 [C, K]."""
        return self._left.copy()

    def board(self) -> NDArray[np.int8]:
        """The color on each cell, int8 [H, W], −1 where empty; row 0 is the top row."""
        return self._board.reshape(self.variant.height, self.variant.width).copy()

    def start_cells(self, color: int) -> tuple[Cell, ...]:
        """There are none: a piece goes anywhere."""
        return ()

    def scores(self) -> NDArray[np.float64]:
        """Squares that each color covers, float64 [C]."""
        return np.array([np.count_nonzero(self._board == c) for c in range(self.variant.num_colors)], np.float64)

    def player_scores(self) -> NDArray[np.float64]:
        """Squares covered, float64 [1]."""
        return np.array([self.squares_placed], np.float64)

    # Actions ---------------------------------------------------------------------------------------------------------

    def legal_actions(self) -> NDArray[np.int32]:
        """Legal actions, int32, ascending."""
        return self._legal_now().copy()

    def _legal_now(self) -> NDArray[np.int32]:
        """The legal actions, kept until the position changes."""
        if self._legal is None:
            ids = np.empty(self.num_actions, np.int32)
            count = kernels.list_legal(self.tables.cells, self.tables.kind, self._forbidden, self._left, ids)
            self._legal = ids[:count].copy()
        return self._legal

    def is_legal(self, action: int) -> bool:
        """Whether an action may be played; False for ids that do not exist."""
        if not 0 <= action < self.num_actions:
            return False
        return bool(kernels.is_legal(self.tables.cells, self.tables.kind, self._forbidden, self._left, int(action)))

    def write_mask(self, out: NDArray[np.int8]) -> None:
        """The mask into int8 [num_actions]: 1 where legal, else 0."""
        out[:] = 0
        out[self._legal_now()] = 1

    def push(self, action: int | str) -> None:
        """Place a piece, by id or text.

        Raises `IllegalActionError`, which says what is wrong; the state stays as it was.
        """
        action = self._action_id(action)
        if not self.is_legal(action):
            raise IllegalActionError(self._why_illegal(action))
        self._past.append((self._board, self._forbidden, self._left))
        self._board, self._forbidden, self._left = self._board.copy(), self._forbidden.copy(), self._left.copy()
        tables = self.tables
        kernels.place(tables.cells, tables.around, tables.kind, action, self._board, self._forbidden, self._left)
        self._history.append(action)
        self._legal = None

    def pop(self) -> int:
        """Take the latest action back and return it. Raises IndexError on the empty board."""
        if not self._history:
            raise IndexError("there is no action to take back: the board is empty")
        self._board, self._forbidden, self._left = self._past.pop()
        self._legal = None
        return self._history.pop()

    def _action_id(self, action: object) -> int:
        if isinstance(action, str):
            return self.parse(action)
        try:
            return operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            raise IllegalActionError(f"action {action!r} is neither an action id nor a text") from None

    def action_of(self, color: int, cells: tuple[Cell, ...]) -> int:
        """The action that covers these cells in a color. Raises `IllegalActionError` if they are no piece's shape."""
        placement = self.tables.placement_by_cells.get(tuple(sorted(cells)))
        if placement is None or not 0 <= color < self.variant.num_colors:
            raise IllegalActionError(f"color {color}, cells {cells}: not a piece of {self.puzzle.name!r} on its board")
        return color * self.tables.num_placements + placement

    def action_color(self, action: int) -> int:
        """The color of an action."""
        return action // self.tables.num_placements

    def action_colors(self) -> list[int]:
        """The color of each action played so far."""
        return [self.action_color(action) for action in self._history]

    def _cells(self, action: int) -> tuple[Cell, ...]:
        if not 0 <= action < self.num_actions:
            raise IllegalActionError(self._why_illegal(action))
        return self.tables.placement_cells(action % self.tables.num_placements)

    def action_cells(self, action: int) -> NDArray[np.int64]:
        """The cells that an action covers, int64 [k, 2] of (row, column), by row and column."""
        return np.array(self._cells(action))

    def text(self, action: int) -> str:
        """The color and the cells of an action, from the bottom row up: "blue a1,b1,a2,b2"."""
        cells = sorted(self._cells(action), key=lambda cell: (-cell[0], cell[1]))
        names = ",".join(self.variant.board.cell_text(cell) for cell in cells)
        return f"{self.color_names[self.action_color(action)]} {names}"

    def parse(self, text: str) -> int:
        """The action with this text. Raises `IllegalActionError` where there is none."""
        name, _, cells = text.strip().partition(" ")
        if name not in self.color_names:
            raise IllegalActionError(f"{text!r}: expected a color ({', '.join(self.color_names)}), a space and cells")
        try:
            found = tuple(self.variant.board.parse_cell(part) for part in cells.split(","))
        except ValueError as error:
            raise IllegalActionError(f"{text!r}: {error}") from None
        return self.action_of(self.color_names.index(name), found)

    def _why_illegal(self, action: int) -> str:
        if not 0 <= action < self.num_actions:
            return f"action {action} does not exist: expected 0 … {self.num_actions - 1}"
        color, kind = self.action_color(action), int(self.tables.kind[action % self.tables.num_placements])
        what = f"action {action} ({self.text(action)})"
        if not self._left[color, kind]:
            return f"{what}: {self.color_names[color]} has no {self.variant.piece_names[kind]} left"
        taken = [cell for cell in self._cells(action) if self.board()[cell] >= 0]
        if taken:
            return f"{what}: overlap, {self.variant.board.cell_text(taken[0])} is occupied"
        return f"{what}: edge contact with its own color (P4)"

    # What is seen ----------------------------------------------------------------------------------------------------

    def dead_end(self) -> str | None:
        """Why it is proved that not all pieces can be placed any more; None where nothing is proved."""
        tables, spare = self.tables, self.puzzle.spare
        width = self.variant.width
        found = kernels.dead_end(tables.cells, tables.kind, tables.size, self._forbidden, self._left, width, spare)
        return REASONS[found]

    def observe(self) -> Observation:
        """What is seen, fresh arrays in `observation_space(puzzle, observation)`."""
        colors = np.arange(self.variant.num_colors)[:, None]
        planes = np.stack([self._board == colors, self._forbidden >> colors & 1], axis=1).astype(np.uint8)
        size = (self.variant.height, self.variant.width)
        board, vector = planes.reshape(-1, *size), self._left.reshape(-1)
        if self.observation == "compact":
            return {"board": board, "pieces": vector.copy()}
        return np.concatenate([board, np.broadcast_to(vector[:, None, None], (len(vector), *size))])

    def render(self, mode: str) -> str | NDArray[np.uint8]:
        """The board as text ("ansi"), picture ("rgb_array", uint8 [height, width, 3]) or drawing ("svg")."""
        from blokus_env.puzzles.render import render

        return render(self, mode)

    def copy(self) -> PackingState:
        """An independent copy, with its history."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _history=self._history.copy(), _past=self._past.copy())
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> PackingState:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "tables"}

    def __setstate__(self, content: dict[str, Any]) -> None:
        self.__dict__.update(content, tables=puzzle_tables(content["puzzle"]))

    def __str__(self) -> str:
        from blokus_env.puzzles.render import ansi

        return ansi(self)

    def __repr__(self) -> str:
        return f"<PackingState {self.puzzle.name} no_edge_contact={self.puzzle.no_edge_contact} ply={self.ply}>"

    def _repr_svg_(self) -> str:
        from blokus_env.puzzles.render import svg

        return svg(self)
