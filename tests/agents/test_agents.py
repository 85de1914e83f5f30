"""Agents: legal play, alone and in batches; saved models; names."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.base import GreedyAgent, LargestAgent, RandomAgent, make_agent
from agents.learning.config import TrainConfig
from agents.learning.trainer import Budget, make_env, make_model
from agents.policy import PolicyAgent
from blokus_env.game import BlokusGame

DUO = BlokusGame("duo", observation="compact")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = TrainConfig(num_envs=2, channels=8, blocks=1)
    game, env = make_env(config)
    path = tmp_path_factory.mktemp("run") / "model.zip"
    made = make_model(config, game, env, Budget("timesteps", 1), "cpu")
    for parameter in made.policy.network.head.parameters():
        parameter.data *= 3  # away from near uniform play
    made.save(path)
    return path


def agents(model: Path) -> list[Any]:
    built_in = [kind(DUO) for kind in (RandomAgent, LargestAgent, GreedyAgent)]
    return [*built_in, PolicyAgent(model, device="cpu"), PolicyAgent(model, deterministic=False, device="cpu")]


def test_agents_play_legal_actions_to_the_end(model: Path) -> None:
    for agent in agents(model):
        rng, position = np.random.default_rng(0), DUO.new(0)
        while not position.is_over:
            position.push(agent.act(position.view(position.player), rng))
        batch = DUO.batch(4)
        while len(games := np.flatnonzero(batch.player >= 0)):
            actions = agent.act_batch(batch, games, rng)
            assert actions.shape == games.shape and batch.is_legal(games, actions).all()
            batch.step(games, actions)


def test_largest_plays_five_squares_first() -> None:
    for kind in (LargestAgent, GreedyAgent):
        position = DUO.new(0)
        action = kind(DUO).act(position.view(0), np.random.default_rng(0))
        assert len(position.action_cells(action)) == 5


def test_a_model_acts_alike_alone_in_batches_and_on_planes(model: Path) -> None:
    agent, rng = PolicyAgent(model, device="cpu"), np.random.default_rng(0)
    planes = BlokusGame("duo", observation="planes")
    position, batches = DUO.new(0), (DUO.batch(1), planes.batch(1))
    one = np.zeros(1, np.int64)
    for _ in range(8):
        action = agent.act(position.view(position.player), rng)
        for batch in batches:
            assert agent.act_batch(batch, one, rng)[0] == action
            batch.step(one, np.array([action], np.int32))
        position.push(action)


def test_sampled_play_follows_the_probabilities(model: Path) -> None:
    agent, rng = PolicyAgent(model, deterministic=False, device="cpu"), np.random.default_rng(0)
    view = DUO.new(0).view(0)
    ids, probabilities = agent.probabilities(view)
    assert probabilities.sum() == pytest.approx(1, abs=1e-5)
    batch, games = DUO.batch(4000), np.arange(4000)
    drawn = agent.act_batch(batch, games, rng)
    counts = (drawn[:, None] == ids).sum(0)
    assert counts.sum() == 4000
    order = np.argsort(probabilities)  # groups of similar probability, so that each is drawn often
    groups = np.array_split(order, 40)
    expected = np.array([probabilities[group].sum() for group in groups]) * 4000
    seen = np.array([counts[group].sum() for group in groups])
    chi_square = ((seen - expected) ** 2 / expected).sum()
    assert abs(chi_square - 39) < 4 * np.sqrt(2 * 39)


def test_agents_by_name_and_path(model: Path) -> None:
    assert [make_agent(name, DUO).name for name in ("random", "largest", "greedy")] == ["random", "largest", "greedy"]
    file, folder, sampled = (
        make_agent(spec, DUO, "cpu") for spec in (str(model), str(model.parent), f"{model}:sampled")
    )
    assert isinstance(file, PolicyAgent) and isinstance(folder, PolicyAgent) and file.deterministic
    assert isinstance(sampled, PolicyAgent) and not sampled.deterministic


def test_one_clear_error_for_other_agents(model: Path) -> None:
    for spec, message in (
        ("gready", "neither a saved model nor a policy of duo.*'greedy'"),
        ("nowhere/model.zip", "no saved model at nowhere/model.zip"),
        (f"{model}:best", 'only ":sampled"'),
    ):
        with pytest.raises(ValueError, match=message):
            make_agent(spec, DUO)
    with pytest.raises(ValueError, match="trained for duo with 13729 actions, not for classic"):
        make_agent(str(model), BlokusGame("classic", observation="compact"))
