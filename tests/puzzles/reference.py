"""The rules of the puzzles without turns, slow and obvious: sets of cells, every placement tried."""

from functools import cache
from pathlib import Path

from blokus_env.geometry import Board
from blokus_env.pieces import POLYOMINO_PIECES, pieces_named
from blokus_env.puzzles import PackingState, Puzzle, Solution, packing

DATA = Path(__file__).parents[1] / "data"
TINY = packing("tiny", Board(3, 4), pieces_named(POLYOMINO_PIECES, "1 2 I3"), color_names=("blue", "yellow"))
MIXED = packing("mixed", Board(4, 5), pieces_named(POLYOMINO_PIECES, "2 V3 L5"), color_names=("blue", "yellow"))
DOUBLE = packing("double", Board(2, 6), pieces_named(POLYOMINO_PIECES, "2 I4"), (4, 1), color_names=("blue",))
SMALL = [TINY, TINY.with_no_edge_contact(True), MIXED, MIXED.with_no_edge_contact(True), DOUBLE]
SMALL_IDS = [f"{row.name}{'_p4' * row.no_edge_contact}" for row in SMALL]

Cells = frozenset[tuple[int, int]]


@cache
def shapes(cells: Cells) -> frozenset[Cells]:
    """All rotations and reflections, moved to the corner."""
    found = set()
    for flip in (False, True):
        for turns in range(4):
            now = [(c, r) if flip else (r, c) for r, c in cells]
            for _ in range(turns):
                now = [(c, -r) for r, c in now]
            top, left = min(r for r, _ in now), min(c for _, c in now)
            found.add(frozenset((r - top, c - left) for r, c in now))
    return frozenset(found)


def legal(puzzle: Puzzle, moves: list[tuple[int, Cells]]) -> set[tuple[int, Cells]]:
    """Every (color, cells) that may come next."""
    variant = puzzle.variant
    height, width = variant.height, variant.width
    taken = {cell for _, cells in moves for cell in cells}
    found = set()
    for color in range(variant.num_colors):
        own = {cell for c, cells in moves if c == color for cell in cells}
        for piece, count in zip(variant.pieces, variant.piece_counts, strict=True):
            of_piece = shapes(frozenset(piece.cells))
            if sum(c == color and normal(cells) in of_piece for c, cells in moves) == count:
                continue
            for shape in of_piece:
                for row in range(height):
                    for column in range(width):
                        cells = frozenset((row + r, column + c) for r, c in shape)
                        if any(r >= height or c >= width for r, c in cells) or cells & taken:
                            continue
                        if puzzle.no_edge_contact and own & beside(cells):
                            continue
                        found.add((color, cells))
    return found


def normal(cells: Cells) -> Cells:
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return frozenset((r - top, c - left) for r, c in cells)


def beside(cells: Cells) -> set[tuple[int, int]]:
    return {(r + dr, c + dc) for r, c in cells for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}


def can_be_completed(state: PackingState) -> bool:
    """Whether all pieces can be placed: cover the first empty cell in every way that is legal."""
    if state.is_solved:
        return True
    empty = [(int(r), int(c)) for r, c in zip(*(state.board() < 0).nonzero(), strict=True)]
    for action in state.legal_actions().tolist():
        if empty[0] in state.tables.placement_cells(action % state.tables.num_placements):
            state.push(action)
            done = can_be_completed(state)
            state.pop()
            if done:
                return True
    return False


def stored(name: str, puzzle: str, no_edge_contact: bool | None = None) -> Solution:
    """A solution of the data folder."""
    return Solution.parse(puzzle, (DATA / name).read_text().splitlines(), no_edge_contact)


def solo_solution() -> Solution:
    return stored("puzzle_solo.txt", "solo")


def pentomino_solution() -> Solution:
    return stored("puzzle_pentomino_p4.txt", "pentomino", True)
