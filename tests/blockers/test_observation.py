"""Observations say what the slow reference knows."""

import numpy as np
import pytest

from blockers_env.game import BlockersGame
from blockers_env.observation import board_plane_names, plane_names, vector_names
from blockers_env.policies import policy
from blockers_env.tiles import TILE_NAMES
from blockers_env.variants import Options
from tests.blockers.positions import IDS, OPTIONS, random_state
from tests.blockers.reference import BOARD, Reference, matches, splits

Proofs = dict[int, set[int]]  # of each color the tiles that its latest skipped turn proved to be in the pile


class Table:
    """The reference, and what every player relates to itself."""

    def __init__(self, slow: Reference, player: int) -> None:
        self.slow, self.player = slow, player
        players = slow.players
        self.seats = [(player + i) % players for i in range(players)]
        self.colors = [self.seats[j % players] + j // players * players for j in range(slow.colors)]

    def unseen(self, color: int) -> list[int]:
        return self.slow.racks[color] + self.slow.piles[color]

    def planes(self) -> dict[str, np.ndarray]:
        slow, found = self.slow, {}
        for j, color in enumerate(self.colors):
            found[f"tiles_{j}"] = [slow.board.get(square) == color for square in BOARD]
            found[f"unseen_{j}"] = [sum(matches(tile, square) for tile in self.unseen(color)) for square in BOARD]
        kinds = {"digit": range(9), "letter": range(9, 18), "symbol": range(18, 27), "wild": range(27, 28)}
        for kind, tiles in kinds.items():
            found[kind] = [slow.faces.get(square, -1) in tiles for square in BOARD]
        found["takeable"] = [square in slow.board and not splits(slow.board, square) for square in BOARD]
        for k, color in enumerate(slow.own(self.player)):
            rack = [] if slow.closed[color] else slow.racks[color]
            found[f"rack_{k}"] = [sum(matches(tile, square) for tile in rack) for square in BOARD]
        return {name: np.array(values).reshape(9, 9) for name, values in found.items()}

    def numbers(self, tiles: int, skips: list[int], proofs: Proofs) -> dict[str, int]:
        slow, found = self.slow, {}
        for k, color in enumerate(slow.own(self.player)):
            found |= {f"rack_{k}_{TILE_NAMES[tile]}": tile in slow.racks[color] for tile in range(tiles)}
        for j, color in enumerate(self.colors):
            found |= {f"unseen_{j}_{TILE_NAMES[tile]}": tile in self.unseen(color) for tile in range(tiles)}
            if color not in slow.own(self.player):
                found |= {f"in_pile_{j}_{TILE_NAMES[tile]}": tile in proofs[color] for tile in range(tiles)}
            found[f"rack_size_{j}"], found[f"pile_size_{j}"] = len(slow.racks[color]), len(slow.piles[color])
            found[f"groups_{j}"] = slow.num_groups(color)
        for i, seat in enumerate(self.seats):
            for j, color in enumerate(self.colors):
                found[f"captured_{i}_{j}"] = sum((p, c) == (seat, color) for p, c, _ in slow.captured)
            found[f"skips_{i}"], found[f"turns_left_{i}"] = skips.count(seat), slow.turns_left[seat]
            found[f"to_move_{i}"] = seat == slow.player and not slow.is_over()
            found[f"seat_{i}"] = i == self.player
        return found


def playable(slow: Reference, player: int, color: int) -> set[int]:
    """The tiles that nobody has seen and that could be played now."""
    unseen = slow.racks[color] + slow.piles[color]
    return {tile for tile in unseen if any(slow.fits(player, color, tile, square) for square in BOARD)}


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_observations_are_the_reference(options: Options) -> None:
    game = BlockersGame(options, observation="compact")
    greedy, rng = policy("greedy"), np.random.default_rng(8)
    for seed in (3, 5):
        position = game.new(seed)
        slow = Reference(position.deal().tolist(), options.as_dict())
        proofs: Proofs = {color: set() for color in range(slow.colors)}
        while not position.is_over:
            action = greedy.act(position.view(position.player), rng)
            color, tile = position.action_color(action), int(position.tables.tile[action])
            if slow.piles[color]:
                proofs[color] = set()
            position.push(action)
            for player in slow.play(color, tile, divmod(int(position.tables.square[action]), 9)):
                for own in slow.own(player):
                    if not slow.closed[own]:
                        proofs[own] = playable(slow, player, own) | proofs[own]
            for own in proofs:
                proofs[own] &= set(slow.piles[own])
            if position.ply % 7 == 0 or position.skipped or position.is_over:
                for player in range(options.num_players):
                    check(options, position.observe(player), Table(slow, player), slow.skipped, proofs)


def check(options: Options, seen: dict[str, np.ndarray], table: Table, skips: list[int], proofs: Proofs) -> None:
    planes = dict(zip(board_plane_names(options), seen["board"], strict=True))
    expected = table.planes()
    assert set(planes) == set(expected)
    for name, values in expected.items():
        assert np.array_equal(planes[name], values), name
    numbers = dict(zip(vector_names(options), seen["pieces"].tolist(), strict=True))
    assert numbers == table.numbers(options.num_tiles, skips, proofs)


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_planes_are_compact_spread_out(options: Options) -> None:
    state = random_state(options, options.num_turns // 2, seed=1)
    boards = len(board_plane_names(options))
    for player in range(options.num_players):
        view = state.view(player)
        seen, parts = view.observe(layout="planes"), view.observe(layout="compact")
        assert len(seen) == len(plane_names(options))
        assert np.array_equal(seen[:boards], parts["board"])
        assert (seen[boards:] == parts["pieces"][:, None, None]).all()


def test_full_state_tells_hidden_parts_apart() -> None:
    game = BlockersGame(num_players=2)
    assert len({game.new(seed).full_state().tobytes() for seed in range(50)}) == 50
    seen = set()
    for action in game.new(1).legal_actions():
        position = game.new(1)
        position.push(int(action))
        seen.add(position.full_state().tobytes())
    assert len(seen) == len(game.new(1).legal_actions())


def test_unknown_layouts_are_refused() -> None:
    with pytest.raises(ValueError, match="observation='grid' is unknown: choose one of 'planes', 'compact'"):
        BlockersGame(observation="grid")
