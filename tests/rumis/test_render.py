"""Pictures: pixels where they must be, text that matches the position, SVG that is well-formed."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from blokus_env import drawing
from blokus_env.rumis import render
from blokus_env.rumis.drawing import newest_cubes, placement_map, status
from blokus_env.rumis.game import RumisGame
from blokus_env.rumis.scene import Dot, Number, Polygon, from_above, isometric
from blokus_env.rumis.state import State
from blokus_env.rumis.variants import Options
from tests.rumis.positions import REGISTERED, cubes_on, name_of, random_state

SVG = "{http://www.w3.org/2000/svg}"


def opening() -> State:
    state = State(num_players=2)
    state.push("a1,b1,b1+1")
    state.push("c1,d1,c2,d2")
    return state


def test_ansi() -> None:
    lines = render.ansi(opening()).splitlines()
    assert lines[0] == "Rumis Tower, ply 2: blue to move"
    assert lines[1].split() == list("abcde") == lines[6].split()
    assert lines[4].split() == ["2", "·4", "·4", "y1", "y1", "·4", "2"]
    assert lines[5].split() == ["1", "B1", "B2", "y1", "y1", "·4", "1"]
    assert lines[-2] == "> B blue   -8  2 I3 I4 L4 O T4 Z4 A B P"
    assert lines[-1] == "  Y yellow -6  2 I3 V3 I4 L4 T4 Z4 A B P"


def test_plain_text_has_no_escape_codes_and_color_only_adds_them() -> None:
    for state in (opening(), State(building="corner")):
        plain, painted = render.ansi(state), render.ansi(state, color=True)
        assert "\x1b" not in plain and str(state) == plain
        assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain != painted


def test_scores_and_ends_in_words() -> None:
    state = random_state(Options(num_players=3, out_after_pass=True), 999, seed=2)
    assert status(state).endswith("won") or status(state).startswith("tie: ")
    assert render.ansi(state).count("(out)") == 3
    assert "to move (player 0)" in status(State(num_players=2, two_colors=True))


@pytest.mark.parametrize("options", REGISTERED, ids=name_of)
def test_scenes_show_what_can_be_seen(options: Options) -> None:
    state = random_state(options, 14, seed=5)
    cubes, colors = cubes_on(state), [drawing.PALETTE[name] for name in state.color_names]
    view = isometric(state, 30)
    tops = sum((r, c, z + 1) not in cubes for r, c, z in cubes)
    fills = [shape.fill for shape in view.shapes if isinstance(shape, Polygon)]
    assert sum(fill in colors for fill in fills) == tops  # the faces that look up have the colors themselves
    sides = sum(((r + 1, c, z) not in cubes) + ((r, c + 1, z) not in cubes) for r, c, z in cubes)
    assert len(fills) == len(options.plan.board.cell_set) + tops + sides
    points = np.array([point for shape in view.shapes if isinstance(shape, Polygon) for point in shape.points])
    assert (points >= -1e-9).all() and (points <= np.array([view.width, view.height]) + 1e-9).all()
    above = from_above(state, 30)
    numbers = {shape.center: shape.value for shape in above.shapes if isinstance(shape, Number)}
    for row, column in options.plan.board.cell_set:
        shown = numbers[(column + 0.5) * 30, (row + 0.5) * 30]
        assert shown == (state.heights()[row, column] or state.limits()[row, column])


def test_the_newest_stone_has_dots() -> None:
    state = opening()
    assert newest_cubes(state) == {(3, 2, 0), (3, 3, 0), (2, 2, 0), (2, 3, 0)}
    dots = [shape for shape in from_above(state, 30).shapes if isinstance(shape, Dot)]
    assert len(dots) == 4
    assert not newest_cubes(State())


def test_stones_are_told_apart() -> None:
    state = random_state(Options(num_players=3), 15, seed=1)
    labels = placement_map(state)
    assert set(labels) == set(cubes_on(state)) and set(labels.values()) == set(range(15))
    forgotten = State(num_players=3)
    forgotten._set(state.records, None)
    assert placement_map(forgotten) == {cube: -1 - color for cube, color in cubes_on(state).items()}


def test_rgb_array_has_even_sides_and_the_frame_of_the_color_to_move() -> None:
    state = opening()
    for size in (8, 13, 30):
        picture = render.rgb_array(state, cube_pixels=size)
        assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
        assert picture.shape[0] % 2 == picture.shape[1] % 2 == 0
        assert tuple(picture[0, 0]) == tuple(picture[-1, -1]) == drawing.PALETTE["blue"]
    state.push(int(state.legal_actions()[0]))
    assert tuple(render.rgb_array(state)[0, 0]) == drawing.PALETTE["yellow"]
    over = random_state(Options(num_players=2), 999, seed=0)
    assert tuple(render.rgb_array(over)[0, 0]) == drawing.GREY
    with pytest.raises(ValueError, match="at least 8"):
        render.rgb_array(state, cube_pixels=7)


def test_rgb_array_paints_squares_in_the_colors_that_are_seen() -> None:
    state = random_state(Options(num_players=4), 17, seed=3)
    picture, unit = render.rgb_array(state, cube_pixels=40), 48
    views = [isometric(state, 40), from_above(state, unit)]
    frame, paper = 6, 20
    height = round(max(view.height for view in views))
    left, top = frame + 2 * paper + views[0].width, frame + paper + (height - views[1].height) / 2
    colors = [drawing.PALETTE[name] for name in state.color_names]
    for row, column in np.ndindex(4, 5):
        pixel = picture[round(top + row * unit + unit * 0.84), round(left + column * unit + unit * 0.22)]
        owner = state.top()[row, column]
        assert tuple(pixel) == (colors[owner] if owner >= 0 else drawing.EMPTY), (row, column)


@pytest.mark.parametrize("options", REGISTERED, ids=name_of)
def test_svg_of_whole_games(options: Options) -> None:
    for plies in (0, 9, 999):
        state = random_state(options, plies, seed=6)
        root = ElementTree.fromstring(render.svg(state))
        assert root.tag == f"{SVG}svg"
        texts = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
        assert {"a", "1", str(options.plan.rows)} <= set(texts)
        assert {drawing.number(score) for score in state.scores()} <= set(texts)
        assert root.findtext(f"{SVG}title") == f"{options.title}, ply {state.ply}: {status(state)}"


def test_render_of_the_position() -> None:
    position = RumisGame().new()
    assert position.render("ansi") == str(position)
    assert position.render("svg") == position._repr_svg_()
    assert np.array_equal(position.render("rgb_array", 0), render.rgb_array(position))
    with pytest.raises(ValueError, match="render mode 'human' is unknown: choose one of 'ansi', 'rgb_array', 'svg'"):
        position.render("human")
