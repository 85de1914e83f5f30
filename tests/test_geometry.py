"""Pieces, placements and action ids."""

from collections import Counter

import numpy as np
import pytest

from blokus_env import State
from blokus_env.observation import action_images
from blokus_env.pieces import POLYIAMOND_PIECES, POLYOMINO_PIECES
from blokus_env.tables import tables
from blokus_env.variants import variant
from tests import oracle
from tests.playing import cells
from tests.reference import blokus

NUM_ACTIONS = {"duo": 13_729, "to_go": 13_729, "junior": 7_217, "trigon_3": 24_859}
NUM_ACTIONS |= dict.fromkeys(("classic", "classic_2", "classic_3", "classic_teams"), 30_433)
NUM_ACTIONS |= dict.fromkeys(("trigon", "trigon_2"), 32_131)


@pytest.mark.parametrize("pieces", [blokus.SQUARE_PIECES, blokus.TRIANGLE_PIECES])
def test_pieces(pieces: dict[str, frozenset[blokus.Polygon]]) -> None:
    """The drawings of the engine are those of the reference, turned or mirrored."""
    triangular = pieces is blokus.TRIANGLE_PIECES
    make = blokus.triangle if triangular else blokus.square
    found = {piece.name: piece.cells for piece in (POLYIAMOND_PIECES if triangular else POLYOMINO_PIECES)}
    assert set(found) == set(pieces)
    for name, cells_of in found.items():
        shape = blokus.to_corner(frozenset(make(row, column) for row, column in cells_of))
        assert shape in blokus.orientations(pieces[name])


@pytest.mark.parametrize("name", NUM_ACTIONS)
def test_action_ids_are_ordered_by_orientation_row_column(name: str) -> None:
    table, board = tables(variant(name), None), blokus.board(blokus.BOARDS[name])
    num_orientations = sum(len(blokus.orientations(shape)) for shape in board.pieces.values())
    assert table.num_actions == State(name).tables.num_actions == NUM_ACTIONS[name] == len(board.placements)
    keys = list(zip(table.orientation, table.row, table.column, strict=True))
    assert keys == sorted(set(keys))
    assert set(table.orientation) == set(range(num_orientations))
    assert np.all(np.diff(table.piece) >= 0)  # orientations are ordered by piece
    assert len(set(zip(table.orientation, table.piece, strict=True))) == num_orientations


@pytest.mark.parametrize("name", NUM_ACTIONS)
def test_action_text_cells_and_image_are_one_to_one(name: str) -> None:
    state, table, board = State(name), tables(variant(name), None), blokus.board(blokus.BOARDS[name])
    texts = [state.text(action) for action in range(table.num_actions)]
    assert len(set(texts)) == table.num_actions
    places = {tuple(place) for place in action_images(table).tolist()}
    assert len(places) == table.num_actions
    for action, move in enumerate(texts):
        assert state.parse(move) == action
        covered = cells(state, action)
        first = table.variant.board.first_column  # the engine's column of "a"
        assert {(row, column - first) for row, column in table.cells(action)} == covered
        assert board.placements[covered] == table.variant.piece_names[table.piece[action]]
        if table.variant.board.image.is_full:
            assert (table.row[action], table.column[action]) == (min(r for r, _ in covered), min(c for _, c in covered))


@pytest.mark.parametrize("name", oracle.PLACEMENTS + oracle.SISTER_PLACEMENTS)
def test_placements_are_the_oracles(name: str) -> None:
    state, table = State(name), tables(variant(name), None)
    found: dict[str, set[str]] = {piece: set() for piece in table.variant.piece_names}
    for action in range(table.num_actions):
        found[table.variant.piece_names[table.piece[action]]].add(state.text(action))
    assert found == {piece: set(moves) for piece, moves in oracle.placements(name).items()}


def test_first_moves_by_size() -> None:
    """One corner of Classic: 1, 2, 5, 13, 37 by size; one start point of Duo: 414 = sum of size × orientations."""
    state = State("classic", start="fixed")
    sizes = Counter(len(cells(state, int(action))) for action in state.legal_actions())
    assert sizes == {1: 1, 2: 2, 3: 5, 4: 13, 5: 37}
    assert len(State("classic").legal_actions()) == 4 * 58
    assert len(State("duo", start="fixed").legal_actions()) == 414
    assert sum(len(shape) * len(blokus.orientations(shape)) for shape in blokus.SQUARE_PIECES.values()) == 414


def test_start_points() -> None:
    """B4: fixed starts give Duo's first color the upper left point; with free ones the second takes what is left."""
    state = State("duo", start="fixed")
    assert all((4, 4) in cells(state, int(action)) for action in state.legal_actions())
    state.push("e10")
    assert all((9, 9) in cells(state, int(action)) for action in state.legal_actions())
    for first, left in (("e10", (9, 9)), ("j5", (4, 4))):
        state = State("to_go")
        state.push(first)
        assert len(state.legal_actions()) == 414
        assert all(left in cells(state, int(action)) for action in state.legal_actions())
    corners = State("classic", start="fixed")
    for color, corner in enumerate([(0, 0), (0, 19), (19, 19), (19, 0)]):
        assert all(corner in cells(corners, int(action)) for action in corners.legal_actions(color))
