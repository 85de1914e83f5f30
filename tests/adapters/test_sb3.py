"""The Stable-Baselines3 adapter: seats, rewards and signs, with deals that are known and with random ones."""

import copy
import pickle

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor

from blokus_env.adapters.protocol import GAME_OVER, IllegalActionError
from blokus_env.adapters.rewards import REWARD_NAMES, make_reward
from blokus_env.adapters.sb3 import SelfPlayVecEnv
from blokus_env.adapters.single import SinglePlayerEnv
from blokus_env.adapters.toy import HighestPolicy, ToyGame

TWO = ToyGame((0, 1), deal=(0, 4, 7, 2, 3, 6))
"""Card c scores c // 3 + 1; then c % 3 players miss their turn. Hands 0 4 7 and 2 3 6."""

GAMES = {"three": ToyGame(), "two": ToyGame((0, 1)), "pairs": ToyGame((0, 1, 0, 1))}


class Lowest(HighestPolicy):
    """Plays the lowest card."""

    name = "lowest"

    def act_batch(self, batch, games, rng):
        return batch.legal_ids(games)[:, 0]


def started(game, num_envs, opponents=("self",), **options):
    env = SelfPlayVecEnv(game, num_envs, opponents, **options)
    env.reset()
    return env


def random_actions(env, rng):
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in env.env_method("action_masks")])


def test_hand_made_game_against_oneself():
    env = started(TWO, 1)
    expected = [  # card, mover, reward, rewards of both, sign, next player
        (4, 0, 2, (2, -2), 1, 0),  # player 1 misses a turn
        (0, 0, 1, (1, -1), -1, 1),
        (2, 1, 1, (-1, 1), -1, 0),  # both miss a turn
        (7, 0, 3, (3, -3), 0, 0),  # the end; player 0 begins the next game
    ]
    for card, mover, reward, both, sign, player in expected:
        assert env.player.tolist() == [mover]
        _, rewards, dones, infos = env.step(np.array([card]))
        assert (env.mover[0], rewards[0], env.sign[0], env.player[0]) == (mover, reward, sign, player)
        assert tuple(env.reward_by_player[0]) == both
        assert dones[0] == (sign == 0)
    assert infos[0]["outcome"] == {"places": (0, 1), "scores": (6.0, 1.0), "seat": None, "opponent": "self"}


def test_hand_made_game_in_both_seats_against_another():
    env = started(TWO, 2, Lowest(), seat="rotate")
    assert env.player.tolist() == [0, 1]  # in slot 1 the opponent has played 0
    _, rewards, dones, infos = env.step(np.array([0, 3]))
    assert rewards.tolist() == [0, -4]  # 1 - 1; 2 - (1 + 2 + 3), the opponent's opening included
    assert dones.tolist() == [False, True] and env.sign.tolist() == [1, 0] and env.mover.tolist() == [0, 1]
    assert infos[1]["outcome"] == {"places": (0, 1), "scores": (6.0, 2.0), "seat": 1, "opponent": "lowest"}
    assert env.player.tolist() == [0, 0]  # slot 1 has gone on to seat 0
    _, rewards, dones, _ = env.step(np.array([7, 7]))
    assert rewards.tolist() == [3, 3] and env.sign.tolist() == [1, 1]
    _, rewards, dones, infos = env.step(np.array([4, 4]))
    assert rewards[0] == 2 and dones[0] and env.player[0] == 1  # slot 0 has gone on to seat 1
    assert rewards[1] == 2 and not dones[1]


@pytest.mark.parametrize("reward", [name for name in REWARD_NAMES if name != "score"])
@pytest.mark.parametrize("game", ["two", "pairs"])
def test_signed_returns_are_the_final_result_as_the_mover_sees_it(game, reward):
    game = GAMES[game]
    env = started(game, 4, ("self", "random"), reward=reward)
    assert env.is_zero_sum
    rng = np.random.default_rng(0)
    running = [[] for _ in range(4)]
    ended = 0
    while ended < 40:
        _, rewards, dones, infos = env.step(random_actions(env, rng))
        for slot in range(4):
            running[slot].append((rewards[slot], env.sign[slot], env.mover[slot]))
            if not dones[slot]:
                continue
            ended += 1
            outcome = infos[slot]["outcome"]
            scores, places = np.array(outcome["scores"]), np.array(outcome["places"])
            final = make_reward(reward).final(scores, places, game.teams)
            final = final + make_reward(reward).potential(scores, game.teams)
            value, past = 0.0, running[slot]
            for index in reversed(range(len(past))):
                step_reward, sign, mover = past[index]
                value = step_reward + sign * value
                if reward != "dense_margin" or index == 0:  # a dense reward has paid a part before
                    assert value == pytest.approx(final[mover])
                if outcome["seat"] is not None:
                    assert sign == (index != len(past) - 1) and game.teams[mover] == game.teams[outcome["seat"]]
            running[slot] = []


@pytest.mark.parametrize("reward", REWARD_NAMES)
@pytest.mark.parametrize("game", GAMES)
def test_rewards_of_all_players_sum_to_their_final_values(game, reward):
    game = GAMES[game]
    env = started(game, 3, ("self", "highest", "random"), reward=reward, seat="random")
    rng = np.random.default_rng(1)
    total, ended = np.zeros((3, game.num_players)), 0
    while ended < 30:
        _, rewards, dones, infos = env.step(random_actions(env, rng))
        assert rewards.dtype == np.float32 and env.reward_by_player.dtype == np.float32
        assert np.array_equal(rewards, env.reward_by_player[np.arange(3), env.mover])
        total += env.reward_by_player
        for slot in np.flatnonzero(dones):
            scores, places = (np.array(infos[slot]["outcome"][key]) for key in ("scores", "places"))
            final = make_reward(reward).final(scores, places, game.teams)
            assert np.allclose(total[slot], final + make_reward(reward).potential(scores, game.teams))
            total[slot] = 0
            ended += 1


def test_observations_belong_to_the_player_who_decides():
    game = ToyGame((0, 1, 2))
    env = SelfPlayVecEnv(game, 5, ("self", "random"))
    seen = env.reset()
    rng = np.random.default_rng(2)
    for _ in range(40):
        masks = env.action_masks()
        assert np.array_equal(seen[:, : game.num_actions], masks), "the observation begins with the own hand"
        assert np.array_equal(seen[:, -3:].argmax(1), env.player), "and ends with the own seat"
        before = seen.copy()
        following, _, dones, infos = env.step(random_actions(env, rng))
        assert np.array_equal(seen, before), "an observation that was handed out has changed"
        for slot in np.flatnonzero(dones):
            last = infos[slot]["terminal_observation"]
            assert env.observation_space.contains(last) and last[-3:].argmax() == env.mover[slot]
        seen = following


def test_seats_rotate_by_slot():
    env = started(ToyGame(), 4, "random")
    rng = np.random.default_rng(3)
    seats = [[] for _ in range(4)]
    while min(map(len, seats)) < 6:
        _, _, dones, infos = env.step(random_actions(env, rng))
        for slot in np.flatnonzero(dones):
            seats[slot].append(infos[slot]["outcome"]["seat"])
            assert env.mover[slot] == seats[slot][-1]
    for slot in range(4):
        steps = np.diff(seats[slot]) % 3
        assert seats[slot][0] in range(3) and (steps >= 1).all()
        assert (steps == 1).mean() > 0.5  # a game that ends before the learner's first decision is dropped


def test_fixed_seat_and_team_mates():
    env = started(ToyGame((0, 1, 0, 1)), 3, "random", seat=1)
    rng = np.random.default_rng(4)
    movers = set()
    for _ in range(60):
        env.step(random_actions(env, rng))
        movers |= set(env.mover.tolist())
    assert movers == {1, 3}, "the learner plays its whole team"


def test_weights_and_new_opponents():
    env = started(ToyGame(), 8, ("self", "random", "highest"), weights=(0, 1, 0))
    rng = np.random.default_rng(5)

    def names(steps):
        found = []
        for _ in range(steps):
            infos = env.step(random_actions(env, rng))[3]
            found.append([info["outcome"]["opponent"] for info in infos if info])
        return found

    assert {name for step in names(20) for name in step} == {"random"}
    env.set_opponents((Lowest(), "self"), weights=(1, 1))
    later = [name for step in names(40) for name in step]
    assert later[0] == "random", "running games keep their opponent"
    assert set(later[20:]) == {"lowest", "self"}


def test_set_opponents_before_the_first_reset():
    env = SelfPlayVecEnv(ToyGame(), 2)
    env.set_opponents("highest")
    env.reset()
    done = False
    while not done:
        _, _, dones, infos = env.step(env.action_masks().argmax(1))
        done = dones[0]
    assert infos[0]["outcome"]["opponent"] == "highest"


def test_mask_formats():
    game = ToyGame()
    envs = {name: started(game, 3, mask_format=name) for name in ("dense", "ids", "packed")}
    masks = {name: env.env_method("action_masks") for name, env in envs.items()}
    assert masks["dense"].dtype == bool and masks["dense"].shape == (3, game.num_actions)
    assert masks["ids"].dtype == np.int32 and masks["packed"].dtype == np.uint8
    for row in range(3):
        legal = np.flatnonzero(masks["dense"][row])
        assert masks["ids"][row].tolist() == legal.tolist()
    assert np.array_equal(np.packbits(masks["dense"], axis=1, bitorder="little"), masks["packed"])
    some = envs["dense"].env_method("action_masks", indices=[2, 0])
    assert np.array_equal(some, masks["dense"][[2, 0]])
    assert len(envs["dense"].env_method("action_masks", indices=1)) == 1
    assert envs["dense"].num_legal.tolist() == [3, 3, 3]


@pytest.mark.parametrize("wrong", [-1, 99, None])
def test_illegal_actions_name_slots_and_change_nothing(wrong):
    env = started(ToyGame(), 3)
    actions = random_actions(env, np.random.default_rng(6))
    masks = env.action_masks()
    actions[1] = int(np.flatnonzero(~masks[1])[0]) if wrong is None else wrong
    with pytest.raises(IllegalActionError, match=rf"slots 1 \(action {actions[1]}\)"):
        env.step(actions)
    assert np.array_equal(env.action_masks(), masks)
    env.step(random_actions(env, np.random.default_rng(6)))


def test_seeds():
    def play(env, seed=None):
        if seed is not None:
            env.seed(seed)
        rng = np.random.default_rng(7)
        seen = [env.reset()]
        for _ in range(20):
            observation, rewards, _, _ = env.step(random_actions(env, rng))
            seen += [observation, rewards, env.mover]
        return np.concatenate([np.ravel(part) for part in seen])

    options = {"opponents": ("self", "random"), "seat": "random"}
    one, two = SelfPlayVecEnv(ToyGame(), 4, seed=11, **options), SelfPlayVecEnv(ToyGame(), 4, seed=11, **options)
    first = play(one)
    assert np.array_equal(first, play(two))
    assert not np.array_equal(first, play(one)), "a reset without a seed goes on"
    assert np.array_equal(first, play(one, 11)), "a seed starts all anew"


def test_copies():
    env = started(ToyGame(), 3, ("self", "random", Lowest()))
    env.step(env.action_masks().argmax(1))
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        mine = copy.deepcopy(env)
        for _ in range(10):
            steps = [one.step(one.action_masks().argmax(1)) for one in (mine, other)]
            assert np.array_equal(steps[0][0], steps[1][0]) and np.array_equal(steps[0][1], steps[1][1])


def test_what_a_vec_env_must_have(recwarn):
    env = SelfPlayVecEnv(ToyGame(), 3)
    assert not recwarn.list
    assert env.has_attr("action_masks") and not env.has_attr("nothing")
    assert env.get_attr("render_mode") == [None] * 3 and env.get_attr("game", [0, 2]) == [env.game] * 2
    assert env.env_is_wrapped(VecMonitor) == [False] * 3
    env.set_attr("check", False)
    assert env.check is False
    with pytest.raises(ValueError, match="indices"):
        env.set_attr("check", True, indices=[0])
    with pytest.raises(AttributeError, match="action_masks"):
        env.env_method("render")
    with pytest.raises(RuntimeError, match="reset"):
        env.step_wait()
    assert env.reset_infos == [{}] * 3 and (env.mover == GAME_OVER).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": ()}, "empty"),
        ({"opponents": "strong"}, "random, highest"),
        ({"weights": (1, 2)}, "1 numbers"),
        ({"weights": (-1,)}, "≥ 0"),
        ({"seat": 3}, "0 … 2"),
        ({"reward": "money"}, "dense_margin"),
        ({"mask_format": "bits"}, "dense, ids, packed"),
    ],
)
def test_wrong_options_name_the_right_ones(options, message):
    with pytest.raises(ValueError, match=message):
        SelfPlayVecEnv(ToyGame(), 2, **options)


def test_a_seat_that_never_decides_is_refused():
    with pytest.raises(RuntimeError, match="before the learner's first decision"):
        started(TWO, 1, "highest", seat=1)


@pytest.fixture
def one_thread():
    """More threads only get into each other's way with nets this small."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_stock_maskable_ppo_learns_with_vec_monitor(one_thread):
    env = VecMonitor(SelfPlayVecEnv(ToyGame(), 8, ("random", "highest"), reward="win"), info_keywords=("outcome",))
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=2, seed=0)
    model.learn(400)
    assert len(model.ep_info_buffer) > 0 and "outcome" in model.ep_info_buffer[0]
    assert model.ep_info_buffer[0]["r"] in (-1, 0, 1)
    evaluate_policy(model, env, n_eval_episodes=10)


def test_stock_maskable_ppo_learns_with_the_single_environment(one_thread):
    model = MaskablePPO("MlpPolicy", SinglePlayerEnv(ToyGame(), on_illegal="raise"), n_steps=64, n_epochs=2, seed=0)
    model.learn(256)
    masked = MaskablePPO("MultiInputPolicy", SinglePlayerEnv(ToyGame(), mask_in_obs=True), n_steps=64, n_epochs=2)
    masked.learn(64)
