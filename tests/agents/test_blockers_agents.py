"""All agents in Blockers: legal play for every number of players and option, and nothing hidden in their choices."""

import itertools
import pickle
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.arena import play_match
from agents.base import make_agent
from agents.blockers.heuristic import HeuristicAgent
from agents.learning.config import TrainConfig
from agents.learning.trainer import Budget, make_env, make_model
from agents.policy import PolicyAgent
from blockers_env.game import BlockersGame, BlockersPosition
from blockers_env.variants import SCORINGS, TIE_BREAKS, Options
from blokus_env.adapters.protocol import GAME_OVER
from tests.blockers.positions import IDS, OPTIONS, SKIPPING, random_state
from tests.blockers.test_hidden import altered

NAMES = ("random", "greedy", "heuristic", "ismcts:12")
SEATS: list[dict[str, Any]] = [{"num_players": n} for n in (2, 3, 4, 5)] + [{"num_players": 2, "two_colors": True}]
TRAINED: list[dict[str, Any]] = [{"num_players": 2}, {"num_players": 3}, {"num_players": 2, "two_colors": True}]


@pytest.fixture(scope="module", params=TRAINED, ids=str)
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[BlockersGame, Path]:
    config = TrainConfig(env="blockers", options=request.param, num_envs=2, channels=8, blocks=1)
    game, env = make_env(config)
    path = tmp_path_factory.mktemp("run") / "model.zip"
    made = make_model(config, game, env, Budget("timesteps", 1), "cpu")
    for parameter in made.policy.network.head.parameters():
        parameter.data *= 3  # away from near uniform play
    made.save(path)
    assert isinstance(game, BlockersGame)
    return game, path


def play(game: BlockersGame, agents: list[Any], seed: int) -> BlockersPosition:
    """A whole game with agents[player] in the seats; every action is checked by `push`."""
    position, rng = game.new(seed), np.random.default_rng(seed)
    while not position.is_over:
        action = agents[position.player].act(position.view(position.player), rng)
        assert type(action) is int
        position.push(action)
    return position


COMBINATIONS = list(itertools.product(SCORINGS, (True, False), (1, 5, 8)))


@pytest.mark.parametrize("seats", SEATS, ids=str)
def test_all_agents_play_all_options_to_the_end(seats: dict[str, Any]) -> None:
    for number, (scoring, wild, rack_size) in enumerate(COMBINATIONS):
        more = {"capture_own_other_color": number % 2 == 0} if "two_colors" in seats else {}
        options = Options(
            **seats, **more, scoring=scoring, wild=wild, rack_size=rack_size, tie_break=TIE_BREAKS[number % 2]
        )
        game = BlockersGame(options)
        table = [make_agent(NAMES[(seat + number) % 4], game) for seat in range(options.num_players)]
        end = play(game, table, number)
        assert end.turns == options.num_turns and end.ply == options.num_turns - sum(end.skips)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_batches_are_played_legally_to_the_end(options: Options, name: str) -> None:
    batch, rng = BlockersGame(options).batch(4, seed=2), np.random.default_rng(0)
    agent = make_agent(name, BlockersGame(options))
    while len(games := np.flatnonzero(batch.player != GAME_OVER)):
        actions = agent.act_batch(batch, games, rng)
        assert actions.shape == games.shape and actions.dtype == np.int32
        assert batch.is_legal(games, actions).all()
        batch.step(games, actions)


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_the_heuristic_acts_alike_alone_and_in_batches(options: Options) -> None:
    agent, rng = HeuristicAgent(), np.random.default_rng(0)
    batch = BlockersGame(options).batch(6, seed=5)
    while len(games := np.flatnonzero(batch.player != GAME_OVER)):
        actions = agent.act_batch(batch, games, rng)
        for game, action in zip(games.tolist(), actions.tolist(), strict=True):
            view = batch.position(game).view(int(batch.player[game]))
            assert agent.act(view, rng) == action
            legal, worths = agent.worths(view)
            assert np.array_equal(legal, view.legal_actions()) and np.isfinite(worths).all()
            assert action == legal[worths.argmax()]
        batch.step(games, actions)


@pytest.mark.parametrize("name", [*NAMES, "ismcts:100"])
@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_agents_act_alike_where_only_hidden_parts_differ(options: Options, name: str) -> None:
    """Given a view, in batches, and also if somebody hands them the state itself."""
    game = BlockersGame(options)
    agent = make_agent(name, game)
    for part in (0.1, 0.4, 0.7, 0.95):
        state = random_state(options, int(part * options.num_turns), seed=int(part * 100))
        if state.is_over:
            continue
        other = altered(state, state.player, np.random.default_rng(1))
        acts = []
        for one in (state, other):
            batch = game.batch(1)
            batch._states[:] = one.records
            batch.player[:] = one.player
            legal = one.legal_actions()
            batch.num_legal[:] = len(legal)
            batch._ids[0, : len(legal)] = legal
            alone = [agent.act(one.view(one.player), np.random.default_rng(seed)) for seed in range(4)]
            told = [agent.act(one, np.random.default_rng(seed)) for seed in range(4)]
            both = [agent.act_batch(batch, np.zeros(1, np.int64), np.random.default_rng(seed))[0] for seed in range(4)]
            acts.append((alone, told, both))
        assert acts[0] == acts[1]
        assert acts[0][0] == acts[0][1]


def test_hidden_parts_matter_to_who_may_know_them() -> None:
    """The test above can fail: another own rack makes another choice."""
    game = BlockersGame(num_players=2)
    for name in NAMES:
        agent = make_agent(name, game)
        acts = {agent.act(game.new(seed).view(0), np.random.default_rng(0)) for seed in range(8)}
        assert len(acts) > 2, name


def test_a_model_acts_alike_where_only_hidden_parts_differ(model: tuple[BlockersGame, Path]) -> None:
    game, path = model
    for deterministic in (True, False):
        agent = PolicyAgent(path, deterministic, device="cpu")
        for part in (0.1, 0.5, 0.9):
            state = random_state(game.options, int(part * game.options.num_turns), seed=3)
            other = altered(state, state.player, np.random.default_rng(1))
            views = [one.view(one.player) for one in (state, other)]
            for seed in range(5):
                one, two = (agent.act(view, np.random.default_rng(seed)) for view in views)
                assert one == two
            for first, second in zip(*(agent.probabilities(view) for view in views), strict=True):
                assert np.array_equal(first, second)


def test_a_model_acts_alike_alone_in_batches_and_on_planes(model: tuple[BlockersGame, Path]) -> None:
    game, path = model
    agent, rng = PolicyAgent(path, device="cpu"), np.random.default_rng(0)
    planes = BlockersGame(game.options, observation="planes")
    position, batches, one = game.new(4), (game.batch(1, 4), planes.batch(1, 4)), np.zeros(1, np.int64)
    for batch in batches:
        batch._states[:] = position.records
        legal = position.legal_actions()
        batch.num_legal[:], batch._ids[0, : len(legal)] = len(legal), legal
    for _ in range(10):
        action = agent.act(position.view(position.player), rng)
        for batch in batches:
            assert agent.act_batch(batch, one, rng)[0] == action
            batch.step(one, np.array([action], np.int32))
        position.push(action)


def test_a_model_is_refused_for_other_seats(model: tuple[BlockersGame, Path]) -> None:
    game, path = model
    for seats in SEATS:
        options = Options(**seats)
        if (options.num_players, options.two_colors) != (game.options.num_players, game.options.two_colors):
            with pytest.raises(ValueError, match="was trained for"):
                make_agent(str(path), BlockersGame(options, observation="compact"), "cpu")
    assert isinstance(make_agent(str(path), game, "cpu"), PolicyAgent)


@pytest.mark.parametrize("name", NAMES)
def test_agents_can_be_saved_and_copied(name: str) -> None:
    game = BlockersGame(num_players=2)
    agent, view = make_agent(name, game), game.new(3).view(0)
    expected = agent.act(view, np.random.default_rng(1))
    for other in (pickle.loads(pickle.dumps(agent)), deepcopy(agent)):
        assert other.name == agent.name and other.act(view, np.random.default_rng(1)) == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_view_that_is_not_to_move_is_refused(name: str) -> None:
    game, rng = BlockersGame(num_players=3), np.random.default_rng(0)
    agent = make_agent(name, game)
    with pytest.raises(ValueError, match=r"does not know the actions of player 0: give it view\(0\)"):
        agent.act(game.new(0).view(1), rng)
    over = BlockersPosition.of(game, random_state(game.options, 999, 0))
    with pytest.raises(ValueError, match="the game is over"):
        agent.act(over.view(0), rng)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("largest", "neither a saved model nor a policy of blockers"),
        ("heuristic:3", "neither a saved model nor a policy of blockers.*'heuristic', 'ismcts"),
        ("ISMCTS", "neither a saved model nor a policy of blockers"),
        ("ismcts:nans", "ismcts:nans.*expected"),
        ("nowhere/model.zip", "no saved model at nowhere/model.zip"),
    ],
)
def test_unknown_agents_are_refused_with_the_names_that_exist(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent(spec, BlockersGame(num_players=2))


def test_agents_play_as_opponents_of_environments() -> None:
    """Also where the batch shares its work among threads, with the same result."""
    from blockers_env.environments import vector_env

    rewards = []
    for threads in (1, 2):
        env = vector_env(
            num_envs=130, num_players=2, opponents=[HeuristicAgent()], mask_format="ids", num_threads=threads
        )
        env.reset(seed=3)
        total = np.zeros(130)
        for _ in range(30):
            step = env.step(env.action_masks()[:, 0])
            total += step[1]
        rewards.append(total.tolist())
    assert rewards[0] == rewards[1]


def test_strength_in_short_matches() -> None:
    two, four = BlockersGame(num_players=2), BlockersGame(num_players=4)

    def rate(game: BlockersGame, names: tuple[str, str], games: int) -> float:
        return play_match(game, [make_agent(name, game) for name in names], games, seed=4).agents[0].win_rate.mean

    assert rate(two, ("heuristic", "random"), 60) > 0.95
    assert rate(two, ("heuristic", "greedy"), 100) > 0.6
    assert rate(four, ("heuristic", "greedy"), 100) > 0.3
    assert rate(two, ("ismcts:150", "greedy"), 12) > 0.6
    assert rate(BlockersGame(SKIPPING), ("heuristic", "random"), 60) > 0.8
