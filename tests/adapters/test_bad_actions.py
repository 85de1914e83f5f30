"""Actions that are no ids, from learners and from opponents: one clear error, and nothing is played."""

import numpy as np
import pytest

from blokus_env import IllegalActionError, duo_v0
from blokus_env.adapters.rewards import make_reward
from blokus_env.adapters.sb3 import SelfPlayVecEnv
from blokus_env.adapters.single import SinglePlayerEnv
from blokus_env.adapters.vector import GameVectorEnv
from blokus_env.game import BlokusGame


class Plays:
    """A policy that always plays the same, in batches an array of it."""

    name = "stubborn"

    def __init__(self, action):
        self.action = action

    def act(self, view, rng):
        return self.action

    def act_batch(self, batch, games, rng):
        return np.full(len(games), self.action)


@pytest.mark.parametrize("wrong", [60.7, "60", None, [60]])
def test_single_games_refuse_what_is_no_whole_number(wrong):
    env = SinglePlayerEnv(BlokusGame("duo"), on_illegal="lose", seat=0)
    env.reset(seed=0)
    with pytest.raises(IllegalActionError, match="expected a whole number"):
        env.step(wrong)
    assert env._position.ply == 0
    if wrong is not None:
        aec = duo_v0.raw_env()
        aec.reset(seed=0)
        with pytest.raises(IllegalActionError, match="expected a whole number"):
            aec.step(wrong)


@pytest.mark.parametrize("wrong", [[60.9, 60.9], ["60", "60"], [60, 60, 60], [2**32 + 60, 60], [None, None]])
def test_batches_refuse_what_is_no_action_id(wrong):
    env = SelfPlayVecEnv(BlokusGame("duo"), num_envs=2)
    env.reset()
    with pytest.raises(IllegalActionError):
        env.step(np.array(wrong))
    env = GameVectorEnv(BlokusGame("duo"), num_envs=2, on_illegal="raise")
    env.reset(seed=0)
    with pytest.raises(IllegalActionError):
        env.step(np.array(wrong))


@pytest.mark.parametrize("wrong", [0, -1, 13_729, 10**6, 2**40, 60.5])
def test_an_opponents_illegal_action_is_its_own(wrong):
    env = SelfPlayVecEnv(BlokusGame("duo"), num_envs=2, opponents=[Plays(wrong)], seat=0)
    env.reset()
    with pytest.raises(IllegalActionError, match="opponent stubborn"):
        env.step(env.action_masks().argmax(axis=1))
    single = SinglePlayerEnv(BlokusGame("duo"), Plays(wrong), seat=0)
    single.reset(seed=0)
    with pytest.raises(IllegalActionError, match=r"the opponent stubborn \(player 1\)"):
        single.step(int(single.legal_actions()[0]))
    with pytest.raises(Exception, match="call reset"):
        single.step(0)


@pytest.mark.parametrize("indices", [[2], [-3], [10**6]])
def test_masks_of_games_that_do_not_exist(indices):
    env = SelfPlayVecEnv(BlokusGame("duo"), num_envs=2)
    env.reset()
    with pytest.raises(IndexError, match=r"0 … 1"):
        env.action_masks(indices)


def test_rewards_are_finite():
    with pytest.raises(ValueError, match="finite"):
        make_reward({"win": float("nan")})
