"""Callisto, Nexos and GembloQ: what they have of their own, and the engine beside the slow reference."""

import numpy as np
import pytest

from blokus_env import IllegalActionError, State, drawing, render
from blokus_env.counting import perft
from blokus_env.geometry import orientations
from blokus_env.observation import action_images, board_plane_names
from blokus_env.pieces import HALF_SQUARE_PIECES, SEGMENT_PIECES
from blokus_env.seats import seats
from blokus_env.tables import tables
from blokus_env.variants import variant
from tests import oracle
from tests.playing import legal_texts
from tests.reference import sister

NUM_ACTIONS = {"callisto": 9_433, "nexos": 15_157, "gembloq": 31_254, "gembloq_2": 15_018, "gembloq_3": 23_518}
PERFT = {
    "callisto": [264, 69_432, 18_191_184],
    "callisto_2": [120, 14_280, 1_685_040],
    "callisto_3": [196, 38_220, 7_414_680],
    "nexos": [515, 265_225],
    "gembloq": [36, 1_296, 46_656],
    "gembloq_2": [82, 6_724, 2_181_856],
    "gembloq_3": [112, 9_184, 753_088],
}


def played(name: str, plies: int, seed: int = 0) -> State:
    """A random game up to a ply."""
    state, rng = State(name), np.random.default_rng(seed)
    while not state.is_over and state.ply < plies:
        state.push(int(rng.choice(state.legal_actions())))
    return state


def test_pieces() -> None:
    assert (len(SEGMENT_PIECES), sum(piece.size for piece in SEGMENT_PIECES)) == (24, 84)
    assert (len(HALF_SQUARE_PIECES), sum(piece.size for piece in HALF_SQUARE_PIECES) / 4) == (21, 82.5)
    for row, number in ((variant("nexos"), 118), (variant("gembloq"), 103), (variant("callisto"), 39)):
        lattice = row.board.lattice
        assert sum(len(orientations(lattice, piece.cells)) for piece in row.pieces) == number


@pytest.mark.parametrize(("name", "number"), NUM_ACTIONS.items())
def test_actions_and_images(name: str, number: int) -> None:
    state, table = State(name), tables(variant(name))
    assert table.num_actions == number
    assert len({tuple(place) for place in action_images(table).tolist()}) == number
    for action in range(0, number, 7):
        assert state.parse(state.text(action)) == action
    keys = list(zip(table.orientation, table.row, table.column, strict=True))
    assert keys == sorted(set(keys))


@pytest.mark.parametrize(("name", "depth"), [(name, d) for name, row in PERFT.items() for d in range(1, len(row) + 1)])
def test_perft(name: str, depth: int) -> None:
    assert perft(name, depth) == PERFT[name][depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize("name", oracle.SISTER_PLACEMENTS)
def test_games_beside_the_reference(name: str) -> None:
    for seed in range(1):
        state, game, rng = State(name), sister.Game(name), np.random.default_rng(seed)
        check_at = set(rng.choice(50, 4))
        while not state.is_over:
            game.color = state.color
            if state.ply in check_at:
                for color in range(game.colors):
                    texts = {",".join(sorted(cells)) for cells in game.legal(color)}
                    assert {",".join(sorted(text.split(","))) for text in legal_texts(state, color)} == texts
            action = int(rng.choice(state.legal_actions()))
            game.push(frozenset(state.text(action).split(",")))
            state.push(action)
        assert not any(game.legal(color) for color in range(game.colors))  # B7
        assert list(state.scores()) == [game.points(color) for color in range(game.colors)]  # S5


@pytest.mark.parametrize("name", ["callisto_2", "nexos", "gembloq_2"])
@pytest.mark.parametrize("plies", [0, 1, 4, 12])
def test_every_action_is_legal_or_says_why_not(name: str, plies: int) -> None:
    state = played(name, plies)
    legal, rng = set(state.legal_actions().tolist()), np.random.default_rng(1)
    for action in rng.choice(state.tables.num_actions, 400, replace=False).tolist():
        assert state.is_legal(action) == (action in legal)
        if action not in legal:
            before = state.copy()
            with pytest.raises(IllegalActionError, match=r"\((B[234567]|C[123]|N[23]|G2)\)"):
                state.push(action)
            assert state == before


def push_all(name: str, moves: str) -> State:
    state = State(name)
    for move in moves.split():
        state.push(move)
    return state


@pytest.mark.parametrize(
    ("name", "moves", "illegal", "rule"),
    [
        ("callisto_2", "", "a8,a9", "C1"),
        ("callisto_2", "", "h8", "C2"),
        ("callisto_2", "a8 p8 a9 p9", "h1,i1", "C3"),
        ("nexos", "", "j1", "B4"),
        ("nexos", "d21,f21 t21 t5 d5", "j1", "N2"),
        ("gembloq_2", "", "n21,o21,n22", "B2"),
        ("gembloq_2", "", "r21,s21,r22,s22", "G2"),
    ],
)
def test_rules_of_their_own(name: str, moves: str, illegal: str, rule: str) -> None:
    with pytest.raises(IllegalActionError, match=rf"\({rule}\)"):
        push_all(name, moves).push(illegal)


def test_a_second_piece_may_not_cross_a_straight_joint() -> None:
    """N3: blue runs through e21 from left to right; no other straight piece may cross it there, though both segments
    above and below are empty.
    """
    state = push_all("nexos", "d21,f21,h21 t21 t5 d5")
    with pytest.raises(IllegalActionError, match=r"runs straight through e21 \(N3\)"):
        state.push("e20,e22")
    assert state.is_legal(state.parse("e22"))  # it may end there
    assert state.board()[4, 4] == 0


def test_first_pieces_cover_the_whole_start_square() -> None:
    """G2: the half of it is not enough."""
    state, start = State("gembloq_2"), {"n21", "o21", "n22", "o22"}
    partly = [a for a in range(state.tables.num_actions) if len(start & set(state.text(a).split(","))) == 2]
    assert partly
    for action in partly[::20]:
        with pytest.raises(IllegalActionError, match=r"must cover n22, o22, n21, o21 \(G2\)"):
            state.push(action)
    assert all(start <= set(text.split(",")) for text in legal_texts(state))


def test_the_single_square_stays_free_in_callisto() -> None:
    state = push_all("callisto_2", "a8 p8 a9 p9")
    assert {"e4", "o8", "h1"} <= legal_texts(state)  # a third one goes anywhere (C2)
    assert {"b8,b9"} <= legal_texts(state)  # larger ones touch at an edge (C3)
    assert State("callisto_2").raw_points().tolist() == [0, 0]
    assert state.scores().tolist() == [0, 0]  # single squares count nothing (C4)


@pytest.mark.parametrize(
    ("name", "scores", "places"),
    [
        ("callisto", [5, 7, 7, 3], [2, 1, 0, 3]),
        ("callisto_2", [9, 9], [1, 0]),
        ("callisto_2_4", [4, 6, 5, 3], [1, 0]),
        ("nexos", [5, 7, 7, 3], [2, 0, 0, 3]),
    ],
)
def test_ties(name: str, scores: list[float], places: list[int]) -> None:
    """C5: the later color wins a tie; elsewhere places are shared."""
    assert seats(variant(name)).places(np.array(scores, float)).tolist() == places


def test_planes_tell_where_pieces_run_through_intersections() -> None:
    from blokus_env.game import BlokusGame

    position = BlokusGame("nexos").new()
    position.push("d21,f21")
    names = board_plane_names(variant("nexos"))
    planes = position.observe(0)
    assert isinstance(planes, np.ndarray)
    joint = planes[names.index("occupied_0_joint")]
    assert joint.sum() == 1
    assert joint[2, 2] == 1


@pytest.mark.parametrize("name", ["callisto", "nexos", "gembloq_3"])
def test_pictures(name: str) -> None:
    state = played(name, 9)
    text = render.ansi(state)
    assert text.startswith(f"{state.variant.title}, ply 9")
    pixels = render.rgb_array(state, 12)
    assert pixels.dtype == np.uint8
    for color in drawing.palette(state):
        assert (pixels == color).all(axis=-1).any()
    assert render.svg(state).startswith("<svg")


def test_a_color_that_has_begun_has_no_start_cells() -> None:
    state = State("nexos")
    starts = drawing.open_starts(state)
    assert len(starts) == 16
    state.push("d21")
    assert len(drawing.open_starts(state)) == 12


@pytest.mark.parametrize("name", ["callisto_2", "nexos", "gembloq_2"])
def test_sampling_is_uniform(name: str) -> None:
    """Each legal action is drawn about as often as any other: chi-squared within six standard deviations."""
    from blokus_env import kernels

    for plies in (0, 5):
        state = played(name, plies, seed=3)
        legal, draws = state.legal_actions(), np.zeros(60_000, np.int32)
        kernels.sample_many(
            state.tables.record, state.records, state.tables.new_scratch(), np.array([7], np.uint64), state.color, draws
        )
        counts = np.bincount(draws, minlength=state.tables.num_actions)
        assert counts.sum() == counts[legal].sum()
        expected = len(draws) / len(legal)
        squared = float(((counts[legal] - expected) ** 2 / expected).sum())
        assert abs(squared - len(legal)) < 6 * np.sqrt(2 * len(legal))
