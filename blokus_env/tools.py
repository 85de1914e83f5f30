"""Helpers at the table: what the pieces left cost, and where a color may begin."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from blokus_env.pieces import Cell
from blokus_env.variants import Variant, variant

if TYPE_CHECKING:
    from blokus_env.state import State


@dataclass(frozen=True)
class HandScore:
    """What a color's pieces left at the end of a game come to."""

    squares_left: float
    bonus: float
    score: float  # as `State.scores` has it


def score_hand(
    name: str | Variant, left: Iterable[str], last_single: bool = False, scoring: str | None = None
) -> HandScore:
    """The score of a color that could not place these pieces (S1, S2, S5).

    `left` has a name for each piece; `last_single` tells that the last one placed was the single square or triangle.
    Raises ValueError for a hand that cannot be.
    """
    row = variant(name)
    points = row.scorings[row.scoring_option(scoring)]
    counts = Counter(left)
    check_hand(row, counts, last_single)
    in_hand = sum(value * counts[piece] for piece, value in zip(row.piece_names, row.values, strict=True))
    placed = sum(value * count for value, count in zip(row.values, row.piece_counts, strict=True)) - in_hand
    bonus = 0.0 if counts else points.all_placed + points.single_last * last_single
    return HandScore(in_hand, bonus, points.per_placed * placed + points.per_left * in_hand + bonus)


def check_hand(row: Variant, counts: Counter[str], last_single: bool) -> None:
    """Refuse pieces that a color of this ruleset does not have. Raises ValueError."""
    for piece, count in counts.items():
        if piece not in row.piece_names:
            raise ValueError(f"{row.name!r} has no piece {piece!r}: choose among {' '.join(row.piece_names)}")
        most = row.piece_counts[row.piece_names.index(piece)]
        if count > most:
            raise ValueError(f"{count} × {piece} is impossible: a color of {row.name!r} has {most}")
    if last_single and counts:
        pieces = " ".join(counts.elements())
        raise ValueError(f"the single piece is the last one only when all are placed, but {pieces} is left")


@dataclass(frozen=True)
class FirstPlacements:
    """Where a color may place its first piece."""

    color: int
    free: tuple[Cell, ...]  # its start cells that are empty (B4)
    actions: tuple[int, ...]

    def shades(self, state: State) -> dict[Cell, float]:
        """For each cell the share of first placements that cover it, 1 for the cell that most of them cover."""
        covered = Counter(cell for action in self.actions for cell in state.tables.cells(action))
        most = max(covered.values(), default=1)
        return {cell: count / most for cell, count in covered.items()}


def first_placements(state: State, color: int | None = None) -> FirstPlacements:
    """The start cells still free, and every first placement of a color, as if it were its turn; None: whose turn it is.

    Raises ValueError if the color has begun, or the game is over.
    """
    if color is None and state.is_over:
        raise ValueError("the game is over: no color has a first piece to place")
    color = state.color if color is None else color
    if (state.board() == color).any():
        raise ValueError(f"{state.color_names[color]} has placed its first piece already")
    board = state.board()
    free = tuple(cell for cell in state.start_cells(color) if board[cell] < 0)
    return FirstPlacements(color, free, tuple(state.legal_actions(color).tolist()))


def read_position(path: str | os.PathLike[str], name: str | Variant, start: str | None = None) -> State:
    """The position of a file: the first game of a `.blksgf` or `.jsonl`, or a text with a move on each line.

    In texts, empty lines and what follows a `#` are passed over. Raises ValueError that names file and line, OSError
    for a file that cannot be read.
    """
    path, row = Path(path), variant(name)
    if path.suffix.lower() in (".blksgf", ".sgf", ".jsonl"):
        return _read_game(path, row, start)
    from blokus_env.state import State

    state = State(row, start)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text := line.partition("#")[0].strip():
            try:
                state.push(text)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
    return state


def _read_game(path: Path, row: Variant, start: str | None) -> State:
    from blokus_env.records import GAMES, read_games

    game = read_games(path)[0]
    title = GAMES[row.name].title if row.name in GAMES else ""
    if game.variant != row.name and GAMES[game.variant].title != title:
        raise ValueError(f"{path}: the first game is one of {game.variant!r}, not of {row.name!r}")
    return game.replay(start)


def color_index(row: Variant, name: str) -> int:
    """The number of a color. Raises ValueError for a color that the ruleset does not have."""
    if name not in row.color_names:
        raise ValueError(f"{row.name!r} has no color {name!r}: choose one of {', '.join(map(repr, row.color_names))}")
    return row.color_names.index(name)
