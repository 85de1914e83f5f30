"""The slow reference against the oracle: it must be right before it may judge the engine."""

import pytest

from tests import oracle
from tests.reference import blokus
from tests.reference.blokus import BOARDS, Game, board, parse, text


def replay(variant: str, moves: list[tuple[str, str]]) -> Game:
    game = Game(variant, oracle.START[variant])
    for color, move in moves:
        assert game.color == oracle.COLORS[variant].index(color)
        game.push(parse(move, game.board.height))
    return game


@pytest.mark.parametrize(
    ("pieces", "number", "cells", "orientations"),
    [
        (blokus.SQUARE_PIECES, 21, 89, 91),
        (blokus.JUNIOR_PIECES, 12, 44, 46),
        (blokus.TRIANGLE_PIECES, 22, 110, 155),
    ],
    ids=["squares", "junior", "triangles"],
)
def test_orientations(pieces: dict[str, frozenset[blokus.Polygon]], number: int, cells: int, orientations: int) -> None:
    assert len(pieces) == number
    assert sum(map(len, pieces.values())) == cells
    assert sum(len(blokus.orientations(shape)) for shape in pieces.values()) == orientations


@pytest.mark.parametrize("variant", oracle.PLACEMENTS)
def test_placements(variant: str) -> None:
    kind = board(BOARDS[variant])
    expected = {move: piece for piece, moves in oracle.placements(variant).items() for move in moves}
    assert {text(cells, kind.height): piece for cells, piece in kind.placements.items()} == expected
    assert all(parse(text(cells, kind.height), kind.height) == cells for cells in kind.placements)


@pytest.mark.parametrize(("variant", "number"), [("trigon", 486), ("trigon_3", 384)])
def test_triangles_touch_three_at_edges_and_nine_at_corners(variant: str, number: int) -> None:
    kind = board(BOARDS[variant])
    assert len(kind.cells) == number
    assert max(map(len, kind.edge.values())) == 3
    assert max(map(len, kind.corner.values())) == 9
    assert all(cell in kind.edge[other] for cell, others in kind.edge.items() for other in others)


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_first_moves(variant: str) -> None:
    for color, record in enumerate(oracle.records(variant, "first")):
        game = Game(variant, oracle.START[variant])
        assert {text(cells, game.board.height) for cells in game.legal(color)} == set(record["moves"])


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_positions(variant: str) -> None:
    records = oracle.records(variant, "pos")
    for record in records[:: len(records) // 10]:
        game = replay(variant, record["moves"])
        assert [len(game.legal(color)) for color in range(game.num_colors)] == record["nlegal"]
        assert game.raw_points() == record["points"]
        assert game.color == (None if record["next"] is None else oracle.COLORS[variant].index(record["next"]))


@pytest.mark.parametrize("kind", ["game", "engine_game"])
@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_games(variant: str, kind: str) -> None:
    record = oracle.records(variant, kind)[0]
    game = Game(variant, oracle.START[variant])
    lists = {at["ply"]: set(at["moves"]) for at in record["lists"]}
    for ply, (_, move) in enumerate(record["moves"]):
        legal = [game.legal(color) for color in range(game.num_colors)]
        assert list(map(len, legal)) == record["nlegal"][ply]
        if ply in lists:
            assert {text(cells, game.board.height) for cells in legal[game.color or 0]} == lists[ply]
        game.push(parse(move, game.board.height))
    assert game.color is None
    assert game.raw_points() == record["points"]
    if game.num_players == 2:
        margin = game.player_scores()[0] - game.player_scores()[1]
        assert record["final_score"] == (f"B+{margin}" if margin > 0 else f"W+{-margin}" if margin < 0 else "0")


@pytest.mark.parametrize("variant", oracle.VARIANTS)
def test_bonus(variant: str) -> None:
    for record in oracle.records(variant, "solo")[:3]:
        color = oracle.COLORS[variant].index(record["color"])
        game = Game(variant, oracle.START[variant])
        for move, points in zip(record["moves"], record["points"], strict=True):
            game.color = color
            game.push(parse(move, game.board.height))
            assert game.raw_points()[color] == points
        assert game.scores()[color] == (0 if variant == "junior" else 20 if record["last_piece"] == "1" else 15)
        game.scoring = "basic"
        assert game.scores()[color] == 0


@pytest.mark.parametrize(
    ("variant", "start", "one", "two"),
    [("duo", "either", 828, 828 * 414), ("junior", "either", 378, 378 * 189), ("classic", "any_corner", 232, 40368)],
)
def test_free_starts(variant: str, start: str, one: int, two: int) -> None:
    first = Game(variant, start).legal(0)
    assert len(first) == one
    if variant == "classic":  # 232 second positions; the other games' take too long and follow from symmetry
        total = 0
        for cells in first:
            game = Game(variant, start)
            game.push(cells)
            total += len(game.legal(1))
        assert total == two


def test_seats_of_three_players() -> None:
    """The shared color's k-th piece is placed by player k mod 3, and counts for nobody."""
    game = Game("classic_3", "fixed", shared=1)
    owners = []
    for _ in range(28):
        owners.append((game.color, game.player))
        game.push(min(game.legal(game.color or 0), key=sorted))
    assert owners[:4] == [(0, 0), (1, 0), (2, 1), (3, 2)]
    assert [player for color, player in owners if color == 1] == [0, 1, 2, 0, 1, 2, 0]
    assert [game.counting(player) for player in range(3)] == [[0], [2], [3]]
