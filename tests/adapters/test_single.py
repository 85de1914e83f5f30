"""The Gymnasium adapter, with a toy game whose deal is known."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from blokus_env.adapters.protocol import IllegalActionError
from blokus_env.adapters.single import SinglePlayerEnv
from blokus_env.adapters.toy import HighestPolicy, ToyGame

TWO = ToyGame((0, 1), deal=(0, 4, 7, 2, 3, 6))
"""Card c scores c // 3 + 1; then c % 3 players miss their turn. Hands 0 4 7 and 2 3 6."""


class Lowest(HighestPolicy):
    """Plays the lowest card."""

    name = "lowest"

    def act(self, view, rng):
        return int(view.legal_actions()[0])


def started(game=TWO, **options):
    env = SinglePlayerEnv(game, **{"opponents": Lowest(), "seat": 0, **options})
    env.reset(seed=0)
    return env


def test_opponents_play_inside_the_step():
    env = started(reward="dense_margin")
    _, reward, terminated, truncated, info = env.step(0)  # 1 point; then 2 for 1 point, and both miss a turn
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info["skipped"] == (0, 1) and info["seat"] == 0
    _, reward, terminated, _, info = env.step(7)  # 3 points, the other misses a turn
    assert (reward, terminated, info["skipped"]) == (3.0, False, (1,))
    _, reward, terminated, _, info = env.step(4)
    assert (reward, terminated) == (2.0, True)
    assert info["outcome"] == {"places": (0, 1), "scores": (6.0, 1.0)}
    assert not env.action_masks().any() and len(env.legal_actions()) == 0
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_the_opening_of_opponents_and_the_end_count():
    env = started(seat=1, reward="dense_margin")
    assert env.action_masks().nonzero()[0].tolist() == [2, 3, 6]
    _, reward, terminated, _, info = env.step(3)  # 0; 3; then 4 (we miss a turn) and 7 end the game
    assert terminated and reward == 2.0 - 6.0 and info["outcome"]["places"] == (0, 1)


def test_win_is_paid_at_the_end():
    env = started(seat=1)
    assert env.step(3)[1] == -1.0


def test_a_seat_that_never_decides_is_refused():
    env = SinglePlayerEnv(TWO, opponents="highest", seat=1)  # 7, 4 and 0 with skips end the game at once
    with pytest.raises(RuntimeError, match="before the learner's first decision"):
        env.reset(seed=0)


def test_seats_rotate_and_restart():
    env = SinglePlayerEnv(ToyGame())
    seats = [env.reset(seed=seed)[1]["seat"] for seed in (3, None, None, None, 3, None, 4)]
    assert seats == [0, 1, 2, 0, 0, 1, 1]


def test_random_seats_restart():
    env = SinglePlayerEnv(ToyGame(), seat="random")
    runs = []
    for _ in range(2):
        runs.append([env.reset(seed=9 if game == 0 else None)[1]["seat"] for game in range(20)])
    assert runs[0] == runs[1] and set(runs[0]) == {0, 1, 2}


def test_opponents_by_seat():
    class Recorder(Lowest):
        def __init__(self, name):
            self.name, self.seats = name, set()

        def act(self, view, rng):
            self.seats.add(view.player)
            return super().act(view, rng)

    first, second = Recorder("first"), Recorder("second")
    env = SinglePlayerEnv(ToyGame(), opponents=[first, second], seat=1)
    for seed in range(10):
        env.reset(seed=seed)
        done = False
        while not done:
            done = env.step(env.legal_actions()[0])[2]
    assert first.seats == {2} and second.seats == {0}


def test_illegal_actions():
    env = started()
    with pytest.warns(RuntimeWarning, match="illegal action 2"):
        observation, reward, terminated, truncated, info = env.step(2)
    assert (reward, terminated, truncated) == (-1.0, True, False) and info["illegal_action"] == 2
    assert env.observation_space.contains(observation) and not info["action_mask"].any()
    env = started(on_illegal="raise")
    with pytest.raises(IllegalActionError):
        env.step(2)
    env.step(0)
    env = started(on_illegal="random")
    info = env.step(2)[4]
    assert info["illegal_action"] == 2 and info["random_action"] in (0, 4, 7)


def test_masks():
    env = started(mask_in_obs=True)
    observation, info = env.reset(seed=0)
    assert observation["action_mask"].dtype == np.int8 and info["action_mask"].dtype == np.int8
    assert env.action_masks().dtype == bool
    assert np.flatnonzero(observation["action_mask"]).tolist() == [0, 4, 7] == env.legal_actions().tolist()
    assert np.array_equal(env.action_masks(), info["action_mask"])
    assert "legal_actions" not in info


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_vector_environments(mode):
    env = SyncVectorEnv([lambda: SinglePlayerEnv(ToyGame()) for _ in range(3)], autoreset_mode=mode)
    _, infos = env.reset(seed=1)
    for _ in range(30):
        masks = infos["action_mask"]
        actions = np.array([env.single_action_space.sample(mask) for mask in masks])
        _, _, _, _, infos = env.step(actions)
        if "action_mask" not in infos:
            infos["action_mask"] = infos["final_info"]["action_mask"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, '"random", "rotate" or a player, 0 … 1'),
        ({"seat": "first"}, "rotate"),
        ({"opponents": []}, "empty"),
        ({"opponents": ["random", "random"]}, "has 2 entries; give 1"),
        ({"opponents": "strong"}, "random, highest"),
        ({"on_illegal": "ignore"}, "lose"),
    ],
)
def test_wrong_options_name_the_right_ones(options, message):
    with pytest.raises(ValueError, match=message):
        SinglePlayerEnv(TWO, **options)


def test_what_is_no_policy_is_refused():
    with pytest.raises(TypeError, match="act"):
        SinglePlayerEnv(TWO, opponents=3)


def test_render():
    assert "p" not in started(render_mode="ansi").render()
    assert started(render_mode="rgb_array").render().shape[2] == 3
