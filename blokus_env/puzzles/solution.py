"""Solutions of puzzles, and `check_solution`: an independent judge in plain Python, slow and obvious.

Nothing here uses the tables or kernels that the environments play with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from blokus_env.pieces import Cell
from blokus_env.puzzles.variants import Puzzle, puzzle

if TYPE_CHECKING:
    from blokus_env.puzzles.packing_state import PackingState
    from blokus_env.puzzles.solo_state import SoloState

Move = tuple[int, tuple[Cell, ...]]  # color, (row, column) cells
Cells = frozenset[Cell]


@dataclass(frozen=True)
class Solution:
    """Pieces on the board of a puzzle, in the order in which they were placed; all of them or not."""

    puzzle: Puzzle
    moves: tuple[Move, ...]

    @classmethod
    def from_state(cls, state: PackingState | SoloState) -> Solution:
        """What was placed so far."""
        cells = [tuple((int(r), int(c)) for r, c in state.action_cells(action)) for action in state.actions]
        return cls(state.puzzle, tuple(zip(state.action_colors(), cells, strict=True)))

    def to_state(self) -> PackingState | SoloState:
        """The position after all moves. Raises `IllegalActionError` for a move that is not legal."""
        from blokus_env.puzzles.packing_state import PackingState
        from blokus_env.puzzles.solo_state import SoloState

        state = SoloState() if self.puzzle.in_turn else PackingState(self.puzzle)
        for color, cells in self.moves:
            state.push(state.action_of(color, cells))
        return state

    @property
    def squares(self) -> int:
        """Squares covered."""
        return sum(len(cells) for _, cells in self.moves)

    @property
    def share(self) -> float:
        """Squares covered as a share of those of all pieces."""
        return self.squares / self.puzzle.num_squares

    @property
    def is_complete(self) -> bool:
        """Whether as many pieces are placed as there are."""
        return len(self.moves) == self.puzzle.num_pieces

    def lines(self) -> list[str]:
        """Each move as text: "blue a1,b1,a2,b2"."""
        variant = self.puzzle.variant
        return [
            f"{variant.color_names[color]} {','.join(map(variant.board.cell_text, cells))}"
            for color, cells in self.moves
        ]

    @classmethod
    def parse(cls, name: str | Puzzle, lines: list[str], no_edge_contact: bool | None = None) -> Solution:
        """Inverse of `lines`. Raises ValueError for what is no color and cells."""
        row = puzzle(name, no_edge_contact)
        moves = []
        for line in lines:
            color, _, cells = line.strip().partition(" ")
            if color not in row.variant.color_names:
                names = ", ".join(row.variant.color_names)
                raise ValueError(f"{line!r}: expected a color ({names}), a space and cells")
            found = tuple(sorted(row.variant.board.parse_cell(part) for part in cells.split(",")))
            moves.append((row.variant.color_names.index(color), found))
        return cls(row, tuple(moves))


def check_solution(solution: Solution, complete: bool = True) -> None:
    """Check pieces, cells, contacts and turns of a solution move by move.

    With `complete` every piece must be placed, else any part of a solution will do.

    Raises ValueError with the first breach of a rule.
    """
    _Judge(solution.puzzle).check(solution.moves, complete)


class _Judge:
    """Knows a puzzle's rules in plain sets."""

    def __init__(self, row: Puzzle) -> None:
        self.row = row
        variant = row.variant
        self.names = variant.color_names
        self.board: Cells = frozenset(variant.board.cell_set)
        self.starts = [set(cells) for cells in variant.starts[variant.start_option(None)]]
        self.shapes = {piece.name: _all_shapes(frozenset(piece.cells)) for piece in variant.pieces}
        self.left = [dict(zip(variant.piece_names, variant.piece_counts, strict=True)) for _ in self.names]
        self.own: list[set[Cell]] = [set() for _ in self.names]
        self.taken: set[Cell] = set()

    def check(self, moves: tuple[Move, ...], complete: bool) -> None:
        turn = 0
        for number, (color, cells) in enumerate(moves, 1):
            if not 0 <= color < len(self.names):
                raise ValueError(f"move {number}: color {color} does not exist")
            if self.row.in_turn:
                turn = self.turn_of(number, turn, color)
            piece, breach = self.judge(color, frozenset(cells))
            if len(set(cells)) != len(cells):
                breach = "a cell is named twice"
            if breach:
                raise ValueError(f"move {number}, {self.names[color]} {self.text(cells)}: {breach}")
            self.left[color][piece] -= 1
            self.own[color].update(cells)
            self.taken.update(cells)
        hands = zip(self.names, self.left, strict=True)
        left = [f"{name} {piece}" for name, hand in hands for piece, count in hand.items() if count]
        if complete and left:
            raise ValueError(f"{len(left)} kinds of pieces are not placed: {', '.join(left[:8])}")

    def turn_of(self, number: int, turn: int, color: int) -> int:
        """The color after this move; those passed over must be unable to move (B6)."""
        while turn != color:
            if self.can_move(turn):
                raise ValueError(f"move {number} is of {self.names[color]}, but {self.names[turn]} can move (B1, B8)")
            turn = (turn + 1) % len(self.names)
        return (turn + 1) % len(self.names)

    def judge(self, color: int, cells: Cells) -> tuple[str, str]:
        """The piece of these cells, and the rule that the move breaks or nothing."""
        shape = _moved(cells) if cells else cells
        piece = next((name for name, shapes in self.shapes.items() if shape in shapes), "")
        if not piece:
            return "", "these cells are no piece (B2)"
        if not self.left[color][piece]:
            return piece, f"no {piece} is left (B2)"
        if not cells <= self.board:
            return piece, "off the board (B3)"
        if cells & self.taken:
            return piece, "overlap (B3)"
        own = self.own[color]
        edge = {(r + dr, c + dc) for r, c in cells for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1))}
        if (self.row.in_turn or self.row.no_edge_contact) and edge & own:
            return piece, "edge contact with its own color (B5, P4)"
        corner = {(r + dr, c + dc) for r, c in cells for dr in (-1, 1) for dc in (-1, 1)}
        if self.row.in_turn and own and not corner & own:
            return piece, "no corner contact with its own color (B5)"
        if self.row.in_turn and not own and not cells & self.starts[color]:
            return piece, "start square not covered (B4)"
        return piece, ""

    def can_move(self, color: int) -> bool:
        """Whether a color has any placement: tries them all."""
        pieces = [name for name, count in self.left[color].items() if count]
        return any(
            not self.judge(color, frozenset((r + row, c + column) for r, c in shape))[1]
            for name in pieces
            for shape in self.shapes[name]
            for row, column in self.board
        )

    def text(self, cells: tuple[Cell, ...]) -> str:
        return ",".join(map(self.row.variant.board.cell_text, cells))


def _all_shapes(cells: Cells) -> set[Cells]:
    """All rotations and reflections of a piece of squares."""
    shapes = set()
    for _ in range(4):
        cells = frozenset((column, -row) for row, column in cells)
        shapes |= {_moved(cells), _moved(frozenset((row, -column) for row, column in cells))}
    return shapes


def _moved(cells: Cells) -> Cells:
    """The same shape with its bounding box at (0, 0)."""
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return frozenset((row - top, column - left) for row, column in cells)
