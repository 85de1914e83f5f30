"""The registry of buildings and the options."""

import json

import pytest

from blokus_env.rumis.buildings import BUILDINGS, Building, building
from blokus_env.rumis.tables import tables
from blokus_env.rumis.variants import Options, make_options
from tests.rumis.positions import SMALL


@pytest.mark.parametrize(("colors", "height"), [(2, 4), (3, 6), (4, 8)])
def test_tower(colors: int, height: int) -> None:
    plan = BUILDINGS["tower"]
    assert plan.limits(colors) == {(row, column): height for row in range(4) for column in range(5)}
    assert plan.verified and len(plan.limits(colors)) * height == 40 * colors  # just room for all cubes


def test_every_building_has_a_source_and_says_if_it_is_unverified() -> None:
    assert [plan.name for plan in BUILDINGS.values() if plan.verified] == ["tower"]
    assert all(plan.source for plan in BUILDINGS.values())
    assert all(plan.source.startswith("No source") for plan in BUILDINGS.values() if not plan.verified)


def test_limits_of_the_other_buildings() -> None:
    corner, steps, pyramid = (BUILDINGS[name] for name in ("corner", "steps", "pyramid"))
    assert [(len(corner.limits(n)), set(corner.limits(n).values())) for n in (2, 3, 4)] == [
        (40, {2}),
        (40, {3}),
        (40, {4}),
    ]
    assert (6, 6) not in corner.limits(2) and (6, 3) in corner.limits(2)
    assert [list(steps.limits(3).values()).count(height) for height in range(1, 9)] == [4] * 8
    assert [list(pyramid.limits(2).values()).count(height) for height in (1, 2, 3, 4)] == [28, 20, 12, 4]


def test_caps_cut_what_is_printed() -> None:
    assert [SMALL.limits(n)[0, 2] for n in (2, 3, 4)] == [2, 3, 4]
    assert [SMALL.limits(n)[2, 1] for n in (2, 3, 4)] == [2, 2, 2]
    assert (2, 2) not in SMALL.limits(4) and len(SMALL.limits(4)) == 10


@pytest.mark.parametrize("name", BUILDINGS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_actions_are_what_fits_on_the_empty_plan_or_higher(name: str, players: int) -> None:
    """Each has an id exactly if it lies on the plan and within the limits when its lowest cube is on level 0."""
    options = Options(num_players=players, building=name)
    limits, table = options.plan.limits(players), tables(options)
    placed = {
        tuple((row + r, column + c, z) for r, c, z in orientation.cubes)
        for orientation in table.orientations
        for row in range(options.plan.rows)
        for column in range(options.plan.columns)
    }
    fitting = {cubes for cubes in placed if all(limits.get((r, c), 0) > z for r, c, z in cubes)}
    assert set(table.action_by_cubes) == fitting and len(fitting) == table.num_actions


def test_tables_are_small() -> None:
    table = tables(Options(building="pyramid"))
    assert table.record.nbytes < 32_000


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"plan": ("12", "1")}, "equally long rows"),
        ({"plan": ("19",)}, "digits 1 … 8"),
        ({"plan": ()}, "equally long rows"),
        ({"plan": ("...",)}, "1 … 64 squares"),
        ({"plan": ("1" * 13,) * 5}, "1 … 64 squares"),
        ({"caps": (4, 6)}, "for .2, 3, 4. colors"),
        ({"caps": (4, 6, 9)}, "expected heights 1 … 8"),
    ],
)
def test_malformed_buildings_are_refused(changes, message: str) -> None:
    row = {"name": "x", "title": "X", "plan": ("22",), **changes}
    with pytest.raises(ValueError, match=message):
        Building(**row)


def test_unknown_names_and_options_are_refused() -> None:
    for options, message in [
        ({"building": "castle"}, "unknown building 'castle': choose one of 'tower', 'corner', 'steps', 'pyramid'"),
        ({"num_players": 5}, "num_players=5 is not possible: choose one of 2, 3, 4"),
        ({"num_players": True}, "num_players=True is not possible"),
        ({"two_colors": True}, "two_colors=True is a game of two: got num_players=4"),
        ({"out_after_pass": 1}, "out_after_pass=1 is not possible"),
        ({"rounds": 3}, "unknown option 'rounds': choose among num_players, building"),
    ]:
        with pytest.raises(ValueError, match=message):
            make_options(**options)


def test_options_survive_json_with_buildings_of_ones_own() -> None:
    for options in (Options(), Options(num_players=2, building=SMALL, two_colors=True)):
        assert make_options(json.loads(json.dumps(options.as_dict()))) == options
    assert Options(building=BUILDINGS["steps"]) == Options(building="steps")
    assert Options(building=BUILDINGS["steps"]).as_dict()["building"] == "steps"
    assert building(SMALL) is SMALL
    assert make_options({"num_players": 3}, building="steps").changed() == {"num_players": 3, "building": "steps"}


def test_seats() -> None:
    options = Options(num_players=2, two_colors=True)
    assert (options.num_colors, options.levels) == (4, 8)  # the heights of four
    assert [options.owner(color) for color in range(4)] == [0, 1, 0, 1]
    assert options.colors_of(1) == (1, 3)
    assert options.color_names == ("blue", "yellow", "red", "green")
