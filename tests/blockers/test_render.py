"""Pictures: pixels where they must be, text that matches the text of actions, SVG that is well-formed."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from blockers_env import State, drawing, render
from blockers_env.tiles import TILE_NAMES, parse_square, parse_tile
from blockers_env.variants import Options
from blokus_env.drawing import EMPTY, GREY, INK, PALETTE, PAPER, contrast
from tests.blockers.positions import IDS, OPTIONS, random_state, setup
from tests.blockers.reference import groups

SVG = "{http://www.w3.org/2000/svg}"
SIZE = 32


def position() -> State:
    """Blue: A1 A2 and A4; yellow: B2, just played there; red holds nothing on the board."""
    board = {parse_square("A1"): 0, parse_square("A2"): 0, parse_square("A4"): 0}
    racks = {0: ["1", "C", "#0", "*", "9"], 1: ["B", "2", "3", "4", "#4"], 2: ["5", "6", "7", "8", "I"]}
    state = setup(Options(num_players=3), board, racks, player=1, captured={(0, 2): 2, (1, 0): 1}, turns=1)
    state.push("B@B2")
    return state


def square(picture: np.ndarray, name: str, size: int = SIZE) -> np.ndarray:
    row, column = divmod(parse_square(name), 9)
    margin = max(2, size // 6) + max(2, size // 4)
    return picture[margin + row * size :, margin + column * size :][:size, :size]


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_rgb_array_has_even_sides_and_the_frame_of_the_player_to_move(options: Options) -> None:
    for plies in (0, 7, 999):
        state = random_state(options, plies, seed=2)
        for size in (16, 17, 32):
            picture = render.rgb_array(state, None, size)
            assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
            assert picture.shape[0] % 2 == picture.shape[1] % 2 == 0
            assert tuple(picture[0, 0]) == (GREY if state.is_over else PALETTE[state.color_names[state.player]])


def test_rgb_array_paints_squares_in_their_colors() -> None:
    picture = render.rgb_array(position())
    for name, expected in {"A1": "blue", "A2": "blue", "A4": "blue", "B2": "yellow"}.items():
        assert tuple(square(picture, name)[4, 16]) == PALETTE[expected]
    for name in ("A3", "B1", "C2", "I9"):
        assert (square(picture, name)[4:28, 4:28] == EMPTY).all()


@pytest.mark.parametrize("tile", range(28))
def test_rgb_array_draws_the_face_of_every_tile(tile: int) -> None:
    state = setup(Options(num_players=2), {parse_square("E5"): 0})
    records = state.records.copy()
    records["face"][0, 5 * 11 + 5] = tile
    state._set(records)
    inside = square(render.rgb_array(state), "E5")[4:28, 4:28]
    found = cropped((inside == contrast(PALETTE["blue"])).all(axis=2))
    shape = cropped(drawing.tile_bitmap(tile))
    scale = found.shape[0] // shape.shape[0]
    assert scale >= 1 and np.array_equal(found, np.kron(shape, np.ones((scale, scale), bool)))


def cropped(bitmap: np.ndarray) -> np.ndarray:
    """Without empty rows and columns round it."""
    rows, columns = np.flatnonzero(bitmap.any(axis=1)), np.flatnonzero(bitmap.any(axis=0))
    return bitmap[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def test_faces_differ() -> None:
    faces = [drawing.tile_bitmap(tile) for tile in range(28)]
    assert len({(face.shape, face.tobytes()) for face in faces}) == 28


def test_rgb_array_has_dark_borders_round_groups_and_faint_ones_inside() -> None:
    picture = render.rgb_array(position()).astype(int)
    left, right = square(picture, "A1"), square(picture, "A2")
    outside, inside, body = left[16, 0], right[16, 0], right[16, 4]
    assert outside.sum() < body.sum() < inside.sum()
    assert tuple(left[16, -1]) == PALETTE["blue"]
    assert square(picture, "A2")[16, -1].sum() < body.sum() and square(picture, "A2")[-1, 16].sum() < body.sum()
    assert square(picture, "A4")[16, 0].sum() < body.sum()


def test_rgb_array_marks_the_newest_tile() -> None:
    picture = render.rgb_array(position())
    ring = square(picture, "B2")[3, 3:29]
    assert (ring == contrast(PALETTE["yellow"])).all()
    assert not (square(picture, "A1")[3, 3:29] == contrast(PALETTE["blue"])).all()


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_group_labels_are_the_reference(options: Options) -> None:
    board = random_state(options, 999, seed=1).board()
    labels = drawing.group_labels(board)
    assert np.array_equal(labels < 0, board < 0)
    for color in range(options.num_colors):
        own = {(int(row), int(column)) for row, column in np.argwhere(board == color)}
        expected = {frozenset(group) for group in groups(own)}
        found = {
            frozenset(map(tuple, np.argwhere(labels == label).tolist())) for label in np.unique(labels[board == color])
        }
        assert found == expected


def panel(player: int | None) -> np.ndarray:
    picture = render.rgb_array(position(), player)
    return picture[:, picture.shape[0] :]


def tile_bodies(picture: np.ndarray, color: str) -> int:
    """Pixels of a color."""
    return int((picture == PALETTE[color]).all(axis=2).sum())


def test_rgb_panel_hides_racks_and_shows_captures() -> None:
    everything, blue = panel(None), panel(0)
    assert not np.array_equal(everything, blue)
    for color, hidden in (("blue", False), ("yellow", True), ("red", True)):
        more = tile_bodies(blue, color) - tile_bodies(everything, color)
        assert (more > 0) == hidden, color  # a back has no face on it
    taken, none = position(), position()
    records = none.records.copy()
    records["captured"] = 0
    none._set(records)
    pictures = [render.rgb_array(state, 0)[:, 314:] for state in (taken, none)]
    assert tile_bodies(pictures[0], "red") > tile_bodies(pictures[1], "red")
    assert tile_bodies(pictures[0], "blue") > tile_bodies(pictures[1], "blue")
    assert (panel(0)[:, -4:] == PAPER).any() and (panel(0) == INK).any()


def test_rgb_array_refuses_tiny_squares() -> None:
    with pytest.raises(ValueError, match="at least 16, got 15"):
        render.rgb_array(position(), cell_pixels=15)


def test_ansi_shows_the_squares_of_the_move_text() -> None:
    lines = render.ansi(position()).splitlines()
    assert lines[0] == "Blockers, ply 1: red to move"
    assert lines[1].split() == [str(column) for column in range(1, 10)] == lines[11].split()
    assert lines[2].split() == ["A", "B1", "B2", ".", "B4", ".", ".", ".", ".", ".", "A"]
    assert lines[3].split() == ["B", ".", "yB", ".", ".", ".", ".", ".", ".", ".", "B"]


def test_ansi_shows_hands_captures_and_points() -> None:
    *_, blue, yellow, red, points = render.ansi(position(), 0).splitlines()
    assert blue.split() == "B blue groups 2 rack 1 9 C #0 * pile 23 captured R 1 2".split()
    assert yellow.split()[:8] == "Y yellow groups 1 rack ? ? ?".split() and yellow.endswith("captured B 1")
    assert red.split() == "> R red groups 0 rack ? ? ? ? ? pile 23".split()
    assert points == "points 7 5 4"  # blue has five tiles left: its turn before this position was played by nobody
    assert "rack 5 6 7 8 I" in render.ansi(position()).splitlines()[-2]
    assert str(position().view(0)) == render.ansi(position(), 0) and str(position()) == render.ansi(position())


def test_plain_text_has_no_escape_codes_and_color_only_adds_them() -> None:
    state = random_state(Options(num_players=5), 60, seed=1)
    plain, painted = render.ansi(state), render.ansi(state, color=True)
    assert "\x1b" not in plain and "\x1b" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_pictures_of_whole_games(options: Options) -> None:
    for plies in (0, options.num_turns // 2, 999):
        state = random_state(options, plies, seed=plies)
        for player in (None, 0, options.num_players - 1):
            root = ElementTree.fromstring(render.svg(state, player))
            assert root.tag == f"{SVG}svg"
            assert root.findtext(f"{SVG}title") == f"{state.title}, ply {state.ply}: {drawing.status(state)}"
            texts = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
            assert {"A", "I", "1", "9", *state.color_names} <= set(texts)
            for color, number in enumerate(state.groups().tolist()):
                assert f"{number} group{'s' * (number != 1)} · pile {state.pile_count(color)}" in texts
            for points in state.points().tolist():
                assert any(f": {points} point" in text for text in texts)
    assert "won" in drawing.status(state) or "tie" in drawing.status(state)


def test_svg_draws_faces_that_the_player_may_see() -> None:
    state = setup(Options(num_players=2), {}, {0: ["1", "C", "#0", "*", "9"], 1: ["B", "2", "3", "4", "#4"]})

    def faces(player: int | None) -> list[str]:
        root = ElementTree.fromstring(render.svg(state, player))
        coordinates = "123456789ABCDEFGHI"
        texts = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
        found = [text for text in texts if text in ("★", *TILE_NAMES)]
        symbols = [element.text for element in root.iter(f"{SVG}title") if element.text in TILE_NAMES]
        for sign in coordinates:
            found.remove(sign)
        return sorted(found + [symbol for symbol in symbols if symbol])

    assert faces(0) == sorted(["1", "C", "#0", "★", "9"])
    assert faces(1) == sorted(["B", "2", "3", "4", "#4"])
    assert faces(None) == sorted(faces(0) + faces(1))
    assert [parse_tile(name) for name in TILE_NAMES] == list(range(28))
