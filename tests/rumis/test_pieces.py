"""The stones and the ways to turn them."""

import dataclasses

import pytest

from blokus_env.rumis.pieces import STONES, orientations, turned, turns
from tests.rumis import reference

BY_NAME = {stone.name: stone for stone in STONES}


def test_eleven_stones_of_forty_cubes() -> None:
    assert [stone.name for stone in STONES] == "2 I3 V3 I4 L4 O T4 Z4 A B P".split()
    assert [stone.size for stone in STONES] == [2, 3, 3] + [4] * 8
    assert sum(stone.size for stone in STONES) == 40


def test_they_are_all_there_are() -> None:
    """Every way to join two, three or four cubes, up to rotation."""
    shapes = {reference.at_corner({(0, 0, 0)})}
    found = set()
    for _ in range(3):
        grown = {shape | {near} for shape in shapes for cube in shape for near in reference.faces(cube)}
        shapes = {min(reference.turned(frozenset(shape)), key=sorted) for shape in grown}
        shapes = {shape for shape in shapes if len(shape) > 1}
        found |= shapes
    found = {shape for shape in found if len(shape) in (2, 3, 4)}
    assert found == {min(reference.turned(frozenset(stone.cubes)), key=sorted) for stone in STONES}


def test_orientations_are_the_rotations() -> None:
    counts = dict(zip("2 I3 V3 I4 L4 O T4 Z4 A B P".split(), [3, 3, 12, 3, 24, 3, 12, 12, 12, 12, 8], strict=True))
    for name, stone in BY_NAME.items():
        found = orientations(stone)
        assert len(found) == len(set(found)) == counts[name]
        assert {frozenset(orientation.cubes) for orientation in found} == reference.ORIENTED[name]
    assert len(turns()) == 24 and len(turns(mirrored=True)) == 48


def test_mirror_images_are_other_stones() -> None:
    shapes = {name: set(orientations(stone)) for name, stone in BY_NAME.items()}
    assert not shapes["A"] & shapes["B"]
    for name, stone in BY_NAME.items():
        mirrored = set(orientations(dataclasses.replace(stone, mirrored=True)))
        expected = shapes["A"] | shapes["B"] if name in "AB" else shapes[name]
        assert mirrored == expected


@pytest.mark.parametrize("stone", STONES, ids=lambda stone: stone.name)
def test_stacks_say_everything(stone) -> None:
    for orientation in orientations(stone):
        again = [(r, c, low + k) for (r, c), (low, count) in orientation.stacks.items() for k in range(count)]
        assert tuple(sorted(again)) == orientation.cubes
        assert orientation.rows == 1 + max(r for r, _, _ in again)
        assert orientation.columns == 1 + max(c for _, c, _ in again)


def test_turns_keep_lengths() -> None:
    for turn in turns():
        assert sum(value**2 for value in turned([(1, 2, 3)], turn)[0]) == 14
