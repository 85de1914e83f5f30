"""Pictures: pixels where they must be, text that matches the text of actions, SVG that is well-formed."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from blokus_env import drawing, render
from blokus_env.state import State

OPENING = ["f9,e10,f10,g10,f11", "i3,h4,i4,j4,j5"]
SVG = "{http://www.w3.org/2000/svg}"


def opening() -> State:
    state = State("duo", start="fixed")
    for text in OPENING:
        state.push(text)
    return state


def finished(variant: str) -> State:
    state = State(variant)
    rng = np.random.default_rng(7)
    while not state.is_over:
        state.push(int(rng.choice(state.legal_actions())))
    return state


def cell(picture: np.ndarray, row: int, column: int, size: int = 24) -> np.ndarray:
    margin = max(2, size // 6) + max(2, size // 4)
    return picture[margin + row * size :, margin + column * size :][:size, :size]


def test_rgb_array_has_even_sides_and_the_frame_of_the_color_to_move() -> None:
    state = opening()
    for size in (4, 7, 24):
        picture = render.rgb_array(state, cell_pixels=size)
        assert picture.dtype == np.uint8
        assert picture.ndim == 3 and picture.shape[2] == 3
        assert picture.shape[0] % 2 == picture.shape[1] % 2 == 0
        assert tuple(picture[0, 0]) == drawing.PALETTE["purple"]
    state.push(int(state.legal_actions()[0]))
    assert tuple(render.rgb_array(state)[0, 0]) == drawing.PALETTE["orange"]


def test_rgb_array_paints_cells_in_their_colors() -> None:
    state = opening()
    picture = render.rgb_array(state)
    board = state.board()
    for row, column in np.ndindex(*board.shape):
        body = cell(picture, row, column)[7:9, 7:9]  # neither border nor ring nor dot
        expected = drawing.EMPTY if board[row, column] < 0 else drawing.palette(state)[board[row, column]]
        assert (body == expected).all(), (row, column)


def test_rgb_array_has_dark_borders_round_placements_and_faint_ones_inside() -> None:
    picture = render.rgb_array(opening()).astype(int)
    upper, middle = cell(picture, 3, 5), cell(picture, 4, 5)  # f11 above f10: one piece
    inside, outside = upper[-1, 12], upper[0, 12]
    assert outside.sum() < inside.sum() < upper[8, 8].sum()
    assert middle[0, 12].sum() > outside.sum()


def test_rgb_array_marks_the_newest_placement() -> None:
    state = opening()
    marked = [
        tuple(cell(render.rgb_array(state), 14 - 4, 8)[12, 12]),
        tuple(cell(render.rgb_array(state), 4, 5)[12, 12]),
    ]
    assert marked == [drawing.contrast(drawing.PALETTE["orange"]), drawing.PALETTE["purple"]]


@pytest.mark.parametrize(("start", "expected"), [("fixed", drawing.PALETTE["purple"]), ("either", drawing.GREY)])
def test_rgb_array_marks_empty_start_cells(start: str, expected: tuple[int, int, int]) -> None:
    state = State("duo", start=start)
    assert tuple(cell(render.rgb_array(state), 4, 4)[12, 12]) == expected
    assert tuple(cell(render.rgb_array(opening()), 4, 4)[12, 12]) == drawing.PALETTE["purple"]


def test_rgb_array_refuses_tiny_cells() -> None:
    with pytest.raises(ValueError, match="at least 4"):
        render.rgb_array(State("duo"), cell_pixels=3)


def test_ansi_shows_coordinates_of_the_move_text() -> None:
    lines = render.ansi(opening()).splitlines()
    assert lines[0] == "Blokus Duo, ply 2: purple to move"
    columns = lines[1]
    for text, letter in zip(OPENING, "Po", strict=True):  # the newest placement has small letters
        for name in text.split(","):
            row = next(line for line in lines if line.split()[:1] == [name[1:]])
            assert row[columns.index(name[0])] == letter


def test_ansi_shows_hands_and_scores() -> None:
    *_, purple, orange = render.ansi(opening()).splitlines()
    assert purple.startswith("> P purple -84  1 2 ") and " X " not in f" {purple} "
    assert orange.startswith("  O orange -84  1 2 ")


def test_plain_text_has_no_escape_codes_and_color_only_adds_them() -> None:
    state = opening()
    plain, painted = render.ansi(state), render.ansi(state, color=True)
    assert "\x1b" not in plain and str(state) == plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


@pytest.mark.parametrize("variant", ["duo", "to_go", "classic"])
def test_pictures_of_whole_games(variant: str) -> None:
    for state in (State(variant), finished(variant)):
        root = ElementTree.fromstring(render.svg(state))
        assert root.tag == f"{SVG}svg"
        texts = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
        assert {"a", "1", str(state.variant.height)} <= set(texts)
        assert {drawing.number(score) for score in state.scores()} <= set(texts)
        title = root.findtext(f"{SVG}title")
        assert title is not None and title == f"{state.variant.title}, ply {state.ply}: {drawing.status(state)}"
        assert render.rgb_array(state).any()
        assert render.ansi(state)
    assert "won" in title or "tie" in title


def test_svg_draws_every_piece_in_hand() -> None:
    state = State("duo")
    root = ElementTree.fromstring(render.svg(state))
    paths = [path for path in root.iter(f"{SVG}path") if path.get("stroke") == "#faf9f6"]
    assert len(paths) == 2 * 21
    assert sum(path.get("d", "").count("M") for path in paths) == 2 * 89


# Linear RGB as seen without long, middle or short wave cones (Machado, Oliveira, Fernandes 2009, severity 1).
VISION = {
    "normal": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("names", [("purple", "orange"), ("blue", "green"), ("blue", "yellow", "red", "green")])
def test_colors_differ_for_everybody(vision: str, names: tuple[str, ...]) -> None:
    linear = (np.array([drawing.PALETTE[name] for name in names] + [drawing.EMPTY]) / 255) ** 2.2
    seen = np.clip(linear @ np.array(VISION[vision]).T, 0, 1) ** (1 / 2.2) * 255
    distances = np.linalg.norm(seen[:, None] - seen[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    assert distances.min() > 60
