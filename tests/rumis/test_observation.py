"""Observations mean what their names say, hold everything, and actions have an image."""

import numpy as np
import pytest

from blokus_env.rumis.game import RumisGame, RumisPosition
from blokus_env.rumis.observation import board_plane_names, plane_names, vector_names
from blokus_env.rumis.pieces import STONES, orientations
from blokus_env.rumis.variants import Options
from tests.rumis.positions import OPTIONS, REGISTERED, cubes_on, name_of
from tests.rumis.reference import faces

ALL = [*OPTIONS, *REGISTERED]


def position_of(options: Options, plies: int, seed: int, observation: str = "compact") -> RumisPosition:
    rng, position = np.random.default_rng(seed), RumisGame(options, observation).new()
    while position.ply < plies and not position.is_over:
        position.push(int(rng.choice(position.legal_actions())))
    return position


def touches(position: RumisPosition, color: int, square: tuple[int, int]) -> bool:
    """Whether a cube on top of a square touches what the color must touch."""
    cubes, level = cubes_on(position), int(position.heights()[square])
    near = {cubes[cube] for cube in faces((*square, level)) if cube in cubes}
    if color in cubes.values():
        return color in near
    return not cubes or (bool(near) and level == 0)


@pytest.mark.parametrize("options", ALL, ids=name_of)
@pytest.mark.parametrize("plies", [0, 1, 6, 17, 99])
def test_every_number_is_what_its_name_says(options: Options, plies: int) -> None:
    position = position_of(options, plies, seed=plies)
    colors, cubes = options.num_colors, cubes_on(position)
    for player in range(options.num_players):
        seen = position.observe(player)
        own = [color for color in options.colors_of(player)]
        turn = max(position.color, 0)
        first = next((turn + step) % colors for step in range(colors) if (turn + step) % colors in own)
        relative = [(first + j) % colors for j in range(colors)]
        expected = {"height": position.heights(), "room": position.limits() - position.heights()}
        expected["on_plan"] = position.limits() > 0
        for j, color in enumerate(relative):
            expected[f"top_{j}"] = position.top() == color
            expected[f"contact_{j}"] = np.array(
                [
                    [
                        position.heights()[r, c] < position.limits()[r, c] and touches(position, color, (r, c))
                        for c in range(options.plan.columns)
                    ]
                    for r in range(options.plan.rows)
                ]
            )
            for z in range(options.levels):
                plane = np.zeros(position.heights().shape, np.uint8)
                for (r, c, level), owner in cubes.items():
                    plane[r, c] |= (level, owner) == (z, color)
                expected[f"cube_{j}_{z}"] = plane
        for name, plane in zip(board_plane_names(options), seen["board"], strict=True):
            assert np.array_equal(plane, expected[name]), name
        numbers = {
            f"left_{j}_{name}": name in position.left(c)
            for j, c in enumerate(relative)
            for name in position.piece_names
        }
        numbers |= {f"out_{j}": position.is_out(c) for j, c in enumerate(relative)}
        numbers |= {f"to_move_{j}": c == position.color for j, c in enumerate(relative)}
        numbers |= {f"color_{i}": i == first for i in range(colors)}
        assert dict(zip(vector_names(options), seen["pieces"].tolist(), strict=True)) == numbers


@pytest.mark.parametrize("options", ALL, ids=name_of)
def test_planes_are_the_board_and_the_vector_spread_out(options: Options) -> None:
    compact, planes = position_of(options, 9, 2), position_of(options, 9, 2, "planes")
    assert len(set(plane_names(options))) == len(plane_names(options))
    for player in range(options.num_players):
        seen, spread = compact.observe(player), planes.observe(player)
        assert spread.dtype == np.uint8 and planes.game.observation_space.contains(spread)
        number = len(seen["board"])
        assert np.array_equal(spread[:number], seen["board"])
        assert np.array_equal(spread[number:], np.broadcast_to(seen["pieces"][:, None, None], spread[number:].shape))


@pytest.mark.parametrize("options", ALL, ids=name_of)
def test_the_mover_sees_everything(options: Options) -> None:
    """Color to move, cubes, hands and who is out can be read back, so that nothing else is needed."""
    position = position_of(options, 11, 5)
    if position.is_over:
        return
    seen = position.observe(position.player)
    board = dict(zip(board_plane_names(options), seen["board"], strict=True))
    numbers = dict(zip(vector_names(options), seen["pieces"].tolist(), strict=True))
    colors = options.num_colors
    first = next(i for i in range(colors) if numbers[f"color_{i}"])
    assert first == position.color
    for j in range(colors):
        color = (first + j) % colors
        assert position.left(color) == [name for name in position.piece_names if numbers[f"left_{j}_{name}"]]
        for z in range(options.levels):
            assert np.array_equal(board[f"cube_{j}_{z}"], position.board()[z] == color)


def test_full_state_tells_positions_apart() -> None:
    """Also those that differ in the color to move alone, or in who is out."""
    position = RumisGame(num_players=3).new()
    seen = {position.full_state().tobytes()}
    records = position.records.copy()
    for field, value in (("turn", 1), ("out", 1), ("left", 7)):
        changed = records.copy()
        changed[field] = value
        position._set(changed, None)
        seen.add(position.full_state().tobytes())
    assert len(seen) == 4


@pytest.mark.parametrize("options", ALL, ids=name_of)
def test_actions_have_an_image(options: Options) -> None:
    game = RumisGame(options)
    image, number = game.action_image, sum(len(orientations(stone)) for stone in STONES)
    assert image.shape == (game.num_actions, 3) and number == 104 == len(game.orientation_cells)
    assert (image >= 0).all() and (image < [number, options.plan.rows, options.plan.columns]).all()
    assert len({tuple(place) for place in image.tolist()}) == game.num_actions
    assert image.tolist() == sorted(image.tolist())  # ids go by orientation, row, column
    for action in range(0, game.num_actions, 7):
        orientation, row, column = image[action]
        squares = {(row + r, column + c) for r, c in game.orientation_cells[orientation].tolist()}
        assert squares == {(r, c) for r, c, _ in game.tables.cubes(action)}
    with pytest.raises(ValueError, match="observation='flat' is unknown"):
        RumisGame(options, observation="flat")
