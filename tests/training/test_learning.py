"""Learning itself: PPO on a tiny board, in less than a minute."""

import pytest

from agents.arena import play_match
from agents.base import make_agent
from agents.learning.budget import Budget
from agents.learning.buffers import IdDictRolloutBuffer
from agents.learning.callbacks import BudgetCallback
from agents.learning.config import TrainConfig
from agents.learning.trainer import make_model
from agents.policy import PolicyAgent
from blokus_env.adapters.sb3 import SelfPlayVecEnv
from blokus_env.game import BlokusGame
from blokus_env.variants import tiny_variant


@pytest.mark.slow
def test_self_play_alone_learns_a_tiny_board() -> None:
    """5x5, pieces of up to three squares. It meets random and greedy play only when it is examined."""
    game = BlokusGame(tiny_variant(), observation="compact")
    config = TrainConfig(num_envs=64, channels=32, blocks=3, seed=0)
    env = SelfPlayVecEnv(game, config.num_envs, ["self"], reward={"win": 1.0}, mask_format="ids", seed=0)
    budget = Budget("timesteps", 100_000)
    model = make_model(config, game, env, budget, "cpu")
    assert isinstance(model.rollout_buffer, IdDictRolloutBuffer)
    model.rollout_buffer.watch(env)
    points = {name: examine(model.policy, game, name) for name in ("random", "greedy")}
    assert points["random"] < 0.55 and points["greedy"] < 0.25  # before learning
    model.learn(2**62, BudgetCallback(budget, show=False))
    points = {name: examine(model.policy, game, name) for name in ("random", "greedy")}
    assert points["random"] > 0.7 and points["greedy"] > 0.45  # seeds 0 to 2: 0.83 to 0.90, 0.59 to 0.74


def examine(policy: object, game: BlokusGame, opponent: str) -> float:
    """Points of the learner in 400 games: a win is 1, a tie one half."""
    learner = PolicyAgent(policy)  # type: ignore[arg-type]
    return play_match(game, [learner, make_agent(opponent, game)], 400, opening_plies=0).agents[0].points.mean
