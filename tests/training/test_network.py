"""The placement network: its head against an image computed in full, and the mover's view of the board."""

import numpy as np
import pytest
import torch as th
from torch.nn import functional as F

from agents.games import make_game
from agents.learning.layout import BoardLayout, corner_cells
from agents.learning.network import PlacementNetwork
from blokus_env.adapters.toy import ToyGame
from blokus_env.game import BlokusGame
from blokus_env.variants import VARIANTS, tiny_variant

GAMES = {
    "duo": BlokusGame("duo", observation="compact"),
    "classic": BlokusGame("classic", observation="compact"),
    "tiny": BlokusGame(tiny_variant(), observation="compact"),
}


def position(game: BlokusGame, plies: int = 6, games: int = 8) -> tuple[th.Tensor, th.Tensor]:
    """Observations after some random plies."""
    rng, batch = np.random.default_rng(0), game.batch(games)
    for _ in range(plies):
        alive = np.flatnonzero(batch.player >= 0)
        batch.step(alive, game.policy("random").act_batch(batch, alive, rng))
    observation = batch.observe(np.flatnonzero(batch.player >= 0))
    return th.from_numpy(observation["board"]), th.from_numpy(observation["pieces"])


def pairs(rows: int, actions: int, count: int = 500) -> tuple[th.Tensor, th.Tensor]:
    th.manual_seed(0)
    return th.randint(rows, (count,)), th.randint(actions, (count,))


@pytest.mark.parametrize("name", GAMES)
def test_head_reads_an_image_of_placements(name: str) -> None:
    """The logits are those of an image: 1x1 convolution + vector + fixed kernels over the two maps, read by index."""
    game, layout = GAMES[name], BoardLayout.of(GAMES[name])
    network = PlacementNetwork(layout, channels=8, blocks=1)
    for parameter in network.parameters():
        th.nn.init.normal_(parameter, std=0.3)
    board, pieces = position(game)
    rows, actions = pairs(len(board), layout.num_actions)
    logits, _ = network(board, pieces, rows, actions)

    cells, vector, view = network.encode(board, pieces)
    head, size = network.head, (layout.height, layout.width)
    image = (head.origin(cells) + head.vector(vector)[:, None]).transpose(1, 2).unflatten(2, size)
    maps = head.maps(cells).transpose(1, 2).unflatten(2, size)
    image = image + F.conv2d(F.pad(maps, (1, 5, 1, 5)), th.from_numpy(kernels(game)))
    orientation, row, column = layout.placements()[view[rows], actions].T
    th.testing.assert_close(logits, image[rows, orientation, row, column], atol=1e-4, rtol=1e-4)


def kernels(game: BlokusGame) -> np.ndarray:
    """Kernels float32[orientations, 2, 7, 7] of own and corner cells, with the origin at (1, 1)."""
    kernels = np.zeros((len(game.orientation_cells), 2, 7, 7), np.float32)
    for kernel, cells in zip(kernels, game.orientation_cells, strict=True):
        own = {(int(r), int(c)) for r, c in cells}
        for role, members in enumerate((own, corner_cells(own))):
            for r, c in members:
                kernel[role, r + 1, c + 1] = 1
    return kernels


@pytest.mark.parametrize("name", GAMES)
def test_every_color_sees_its_start_where_color_0_does(name: str) -> None:
    game, layout = GAMES[name], BoardLayout.of(GAMES[name])
    starts = [row * layout.width + column for ((row, column),) in game.variant.starts["fixed"]]
    for color, start in enumerate(starts):
        assert layout.cell_index[layout.color_view[color], starts[0]] == start


@pytest.mark.parametrize("name", GAMES)
def test_turning_the_board_with_the_color_changes_nothing(name: str) -> None:
    """Color c sees a position as color 0 sees the turned one, and rates an action as its turned counterpart."""
    game, layout = GAMES[name], BoardLayout.of(GAMES[name])
    network = PlacementNetwork(layout, channels=8, blocks=1)
    for parameter in network.parameters():
        th.nn.init.normal_(parameter, std=0.3)
    board, pieces = position(game)
    colors, num_colors = layout.colors, game.variant.num_colors
    pieces[:, colors] = 0
    for module in (network.trunk.vector, network.head.vector, network.value.layers[0]):
        module.weight.data[:, module.in_features - layout.vector_size :][:, colors] = 0  # the color's only other effect
    rows, actions = pairs(len(board), layout.num_actions)
    for color in range(num_colors):
        turns = game.rotations(color)
        mine, first = pieces.clone(), pieces.clone()
        mine[:, colors.start + color] = 1
        first[:, colors.start] = 1
        turned = th.rot90(board, -turns, (2, 3))
        counterparts = th.from_numpy(game.rotated_actions(turns))[actions].long()
        for left, right in zip(
            network(board, mine, rows, actions), network(turned, first, rows, counterparts), strict=True
        ):
            th.testing.assert_close(left, right, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", [name for name in VARIANTS if VARIANTS[name].board.image.is_full])
def test_the_view_is_that_of_the_color_to_move(name: str) -> None:
    game = BlokusGame(name, observation="compact")
    layout, batch, games = BoardLayout.of(game), game.batch(4), np.arange(4)
    network = PlacementNetwork(layout, channels=4, blocks=0)
    for _ in range(7):
        observation = batch.observe(games)
        _, _, view = network.encode(th.from_numpy(observation["board"]), th.from_numpy(observation["pieces"]))
        assert view.tolist() == layout.color_view[batch.color].tolist()
        batch.step(games, game.policy("random").act_batch(batch, games, np.random.default_rng(0)))


def test_corner_cells() -> None:
    assert corner_cells({(0, 0)}) == {(-1, -1), (-1, 1), (1, -1), (1, 1)}
    assert corner_cells({(0, 0), (0, 1), (1, 0)}) == {(-1, -1), (-1, 2), (1, 2), (2, 1), (2, -1)}


@pytest.mark.parametrize("name", [*VARIANTS, "rumis", "blockers"])
def test_footprints_are_where_pieces_lie(name: str) -> None:
    """What an action changes in the planes of the board is what its footprint says."""
    game = make_game(name)
    layout, position, rng = BoardLayout.of(game), game.new(3), np.random.default_rng(5)
    size, kinds = layout.num_cells, layout.num_kinds
    footprint, beyond = layout.footprints()[0], size * layout.num_maps
    for _ in range(6):
        action, player = int(rng.choice(position.legal_actions())), position.player
        own = footprint[action][footprint[action] < beyond]
        own = own[own % layout.num_maps < kinds]  # the role OWN
        pixels = {(int(each) % kinds, int(each) // layout.num_maps) for each in own}
        before = position.observe(player)["board"].reshape(-1, size)
        position.push(action)
        after = position.observe(player)["board"].reshape(-1, size)
        changed = {(plane % kinds, place) for plane, place in zip(*np.nonzero(before != after), strict=True)}
        assert pixels and pixels <= {(int(kind), int(place)) for kind, place in changed}
        if name in VARIANTS and VARIANTS[name].board.image.is_full:
            assert len(pixels) == len(position.tables.cells(action))


def test_corners_of_a_footprint_are_where_the_color_may_attach() -> None:
    game = make_game("trigon")
    layout, position = BoardLayout.of(game), game.new(0)
    action = int(position.legal_actions()[100])
    position.push(action)
    attach = position.observe(0)["board"][4:6].reshape(2, -1)  # attach_0_up and attach_0_down
    footprint = layout.footprints()[0][action]
    corners = footprint[(footprint < layout.num_cells * 4) & (footprint % 4 >= 2)]
    assert {(e % 2, e // 4) for e in corners.tolist()} == set(
        zip(*map(np.ndarray.tolist, attach.nonzero()), strict=True)
    )


def test_layout_needs_the_compact_observation_and_places() -> None:
    with pytest.raises(ValueError, match="compact"):
        BoardLayout.of(BlokusGame("duo"))
    with pytest.raises(ValueError, match="have no place"):
        BoardLayout.of(ToyGame((0, 1)))
