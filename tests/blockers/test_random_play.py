"""Random play is uniform, and its statistics are the known ones; greedy play does what it says."""

import numpy as np
import pytest

from blockers_env import Batch, BlockersGame, Options, State, kernels
from blockers_env.batch import random_word_state
from blockers_env.policies import policy
from blockers_env.tables import tables
from tests.blockers.positions import IDS, OPTIONS, SKIPPING, random_state

SIGMAS = 5.0


def is_uniform(drawn: np.ndarray, legal: np.ndarray) -> bool:
    assert np.isin(drawn, legal).all()
    counts = np.bincount(np.searchsorted(legal, drawn), minlength=len(legal))
    mean, freedom = len(drawn) / len(legal), len(legal) - 1
    return bool(abs(((counts - mean) ** 2 / mean).sum() - freedom) < SIGMAS * np.sqrt(2 * freedom))


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
@pytest.mark.parametrize("part", [0.0, 0.5, 0.9])
def test_random_actions_are_uniform(options: Options, part: float) -> None:
    state = random_state(options, int(part * options.num_turns), seed=3)
    legal, scratch = state.legal_actions(), state.tables.workspace.scratch
    drawn = np.zeros(20_000, np.int32)
    kernels.sample_many(state.tables.record, state.records, scratch, random_word_state(1), state.player, drawn)
    assert is_uniform(drawn, legal)
    rng, random = np.random.default_rng(1), policy("random")
    assert is_uniform(np.array([random.act(state.view(state.player), rng) for _ in range(2000)]), legal)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_legal_actions_of_random_games(players: int) -> None:
    batch = Batch(Options(num_players=players), 500, seed=players)
    rng, legal = random_word_state(1), []
    while len(games := np.flatnonzero(batch.player >= 0)):
        legal.append(batch.num_legal[games])
        batch.step(games, batch.random_actions(games, rng))
    every = np.concatenate(legal)
    assert 37 <= every.mean() <= 50
    assert every.min() >= 7 and every.max() == 117
    assert len(every) == 500 * 24 * players


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_random_games_in_the_kernel(options: Options) -> None:
    table = tables(options)
    states, scratch = table.new_states(1), table.new_scratch()
    assert kernels.random_games(table.record, states, scratch, random_word_state(2), 20) <= 20 * options.num_turns
    assert (states["turn"][0], states["turns"][0]) == (kernels.GAME_OVER, options.num_turns)
    assert states["ply"][0] + states["skips"][0].sum() == options.num_turns


@pytest.mark.parametrize("mode", ["none", "dense", "packed"])
def test_random_steps_in_the_kernel(mode: str) -> None:
    """The rows that are written are those of the position, and games begin anew."""
    options, number = SKIPPING, 6
    game = BlockersGame(options, observation="compact")
    batch = game.batch(number, seed=3)
    table, listed = batch.tables, mode != "none"
    ids = np.zeros((number if listed else 0, 1 + table.most_legal), np.int16)
    dense = np.zeros((number if mode == "dense" else 0, table.num_actions), np.int8)
    packed = np.zeros((number if mode == "packed" else 0, -(-table.num_actions // 8)), np.uint8)
    shape = game.observation_space["board"].shape
    board = np.zeros((number, shape[0], 81), np.uint8)
    vector = np.zeros((number, *game.observation_space["pieces"].shape), np.uint8)
    rng, ended = random_word_state(4), 0
    for _ in range(260):
        arguments = (table.record, batch.records, table.new_scratch(), rng, 1, ids, dense, packed, board, vector)
        ended += kernels.random_steps(*arguments)
    assert ended >= number
    for index in range(number):
        position = batch.position(index)
        seen = position.observe(position.player)
        assert np.array_equal(board[index].reshape(shape), seen["board"])
        assert np.array_equal(vector[index], seen["pieces"])
        mask = np.zeros(table.num_actions, np.int8)
        position.write_mask(mask)
        if listed:
            assert np.array_equal(ids[index, 1 : 1 + ids[index, 0]], position.legal_actions())
        if mode == "dense":
            assert np.array_equal(dense[index], mask)
        if mode == "packed":
            assert np.array_equal(packed[index], np.packbits(mask, bitorder="little"))


def points_after(state: State, action: int) -> np.ndarray:
    other = state.copy()
    other.push(action)
    return other.points()


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_greedy_takes_the_fewest_points(options: Options) -> None:
    rng, greedy = np.random.default_rng(2), policy("greedy")
    for plies in range(options.num_turns // 5, options.num_turns - 1, 13):
        state = random_state(options, plies, seed=plies)
        if state.is_over:
            continue
        player, legal = state.player, state.legal_actions()
        own, other = np.zeros((2, len(legal)), np.int64)
        kernels.changes_one(state.tables.record, state.records, state.tables.workspace.scratch, legal, own, other)
        before, captor = state.points(), state.board().ravel()
        after = [points_after(state, action) for action in legal.tolist()]
        victims = [options.owner(captor[square]) for square in state.tables.square[legal]]
        assert own.tolist() == [points[player] - before[player] for points in after] or sum(state.skips)
        for action, points, victim, change in zip(legal, after, victims, other, strict=True):
            empty = captor[state.tables.square[action]] < 0
            expected = 0 if empty or victim == player else points[victim] - before[victim]
            assert change == expected
        keys = list(zip(own.tolist(), (-other).tolist(), strict=True))
        chosen = {greedy.act(state.view(player), rng) for _ in range(30)}
        assert chosen <= {int(action) for action, key in zip(legal, keys, strict=True) if key == min(keys)}


@pytest.mark.parametrize("scoring", ["sheet", "official", "uptown"])
def test_greedy_beats_random(scoring: str) -> None:
    game = BlockersGame(num_players=2, scoring=scoring)
    rng, both = np.random.default_rng(1), [game.policy("greedy"), game.policy("random")]
    wins = 0.0
    for first in (0, 1):
        batch = game.batch(200, seed=first)
        while len(games := np.flatnonzero(batch.player >= 0)):
            player = int(batch.player[games[0]])
            batch.step(games, both[player ^ first].act_batch(batch, games, rng))
        places = batch.places(batch.all_games)
        wins += (places[:, first] < places[:, 1 - first]).sum() + 0.5 * (places[:, 0] == places[:, 1]).sum()
    assert wins > 0.9 * 400


def test_greedy_prices_captures_by_the_scoring_in_force() -> None:
    """It beats the greedy policy that prices them by the other scoring."""
    results = {}
    for scoring, other in (("sheet", "official"), ("official", "sheet")):
        mine, theirs = (Batch(Options(num_players=2, scoring=name), 1, seed=0).tables for name in (scoring, other))
        points, rng = np.zeros(2), random_word_state(5)
        for seed in range(400):
            state = State(num_players=2, scoring=scoring, seed=seed)
            while not state.is_over:
                table = mine if state.player == seed % 2 else theirs
                scratch, legal = table.workspace.scratch, state.legal_actions()
                state.push(int(kernels.choose_greedy_one(table.record, state.records, scratch, rng, legal)))
            places = state.places()
            points[0] += 0.5 + 0.5 * np.sign(places[1 - seed % 2] - places[seed % 2])
        results[scoring] = points[0] / 400
    assert min(results.values()) > 0.55, results


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_policies_play_legally_and_repeatably(name: str) -> None:
    game = BlockersGame(num_players=3)
    player = game.policy(name)
    assert player.name == name

    def play(seed: int) -> list[int]:
        position, rng, actions = game.new(5), np.random.default_rng(seed), []
        while not position.is_over:
            action = player.act(position.view(position.player), rng)
            assert position.is_legal(action)
            position.push(action)
            actions.append(action)
        return actions

    assert play(3) == play(3)
    assert play(3) != play(4)
    with pytest.raises(ValueError, match="unknown policy"):
        game.policy("largest")
