"""The Gymnasium environments: conventions, rewards, masks, observations."""

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import blokus_env  # noqa: F401  # registers
from blokus_env.adapters.protocol import IllegalActionError
from blokus_env.game import BlokusGame
from blokus_env.observation import plane_names as game_plane_names
from blokus_env.puzzles import PUZZLES, PuzzleEnv
from blokus_env.puzzles.observation import plane_names, vector_names
from tests.puzzles.reference import DOUBLE, TINY, pentomino_solution, solo_solution

IDS = {
    "blokus_env/PuzzleSolo-v0": {},
    "blokus_env/PuzzleTetromino-v0": {},
    "blokus_env/PuzzlePentomino-v0": {"no_edge_contact": True},
}


def played(env, seed=0):
    """A random episode: rewards and the last info."""
    _, info = env.reset(seed=seed)
    rewards, rng, done = [], np.random.default_rng(seed), False
    while not done:
        mask = env.get_wrapper_attr("action_masks")()
        assert mask.dtype == bool and np.array_equal(mask, info["action_mask"])
        assert np.array_equal(np.flatnonzero(mask), env.get_wrapper_attr("legal_actions")())
        _, reward, done, truncated, info = env.step(int(rng.choice(np.flatnonzero(mask))))
        assert not truncated
        rewards.append(reward)
    assert not info["action_mask"].any() and not len(env.get_wrapper_attr("legal_actions")())
    return rewards, info


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("options", [{}, {"mask_in_obs": True, "observation": "compact"}], ids=["planes", "compact"])
def test_check_env(name, options):
    env = gymnasium.make(name, on_illegal="random", **IDS[name], **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", IDS)
def test_a_random_episode_pays_half_the_share(name):
    env = gymnasium.make(name, **IDS[name])
    rewards, info = played(env)
    outcome = info["outcome"]
    assert sum(rewards) == pytest.approx(outcome["share"] / 2) and not outcome["solved"]
    assert outcome["pieces"] == len(rewards) == env.unwrapped.position.ply
    assert outcome["squares"] == round(outcome["share"] * env.unwrapped.puzzle.num_squares)
    assert "dead_end" not in info
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_the_ids_are_those_of_the_registry():
    assert {row.gymnasium_id for row in PUZZLES.values()} == set(IDS)


@pytest.mark.parametrize("solution", [solo_solution(), pentomino_solution()], ids=["solo", "pentomino"])
def test_a_solution_pays_one(solution):
    no_edge_contact = solution.puzzle.no_edge_contact or None
    env = PuzzleEnv(solution.puzzle.name, no_edge_contact, dead_ends="stop", on_illegal="raise")
    env.reset(seed=0)
    rewards = []
    for color, cells in solution.moves:
        _, reward, terminated, _, info = env.step(env.position.action_of(color, cells))
        rewards.append(reward)
        assert not info["dead_end"]
    assert terminated and sum(rewards) == pytest.approx(1.0) and rewards[-1] > 0.5
    assert info["outcome"]["solved"] and info["outcome"]["share"] == 1.0
    assert info["outcome"].get("singles_last", 4) == 4


def test_completion_weighs():
    for completion in (0.0, 1.0):
        env = PuzzleEnv(DOUBLE, completion=completion)
        env.reset()
        state = env.position
        rewards = []
        for text in ("blue a1,b1,c1,d1", "blue a2,b2", "blue c2,d2", "blue e1,e2", "blue f1,f2"):
            rewards.append(env.step(state.parse(text))[1])
        assert sum(rewards) == pytest.approx(1.0)
        assert rewards[0] == pytest.approx((1 - completion) / 3)


def test_dead_ends_stop_an_episode():
    found = {}
    for dead_ends in ("ignore", "report", "stop"):
        env = PuzzleEnv("tetromino", dead_ends=dead_ends)
        env.reset()
        for text in ("blue b1,c1,d1,e1", "red a2,b2,a3,b3"):
            _, reward, terminated, truncated, info = env.step(env.position.parse(text))
        assert reward == pytest.approx(0.5 * 4 / 80) and not truncated
        found[dead_ends] = (terminated, info.get("dead_end"), bool(info["action_mask"].any()), "outcome" in info)
    assert found == {
        "ignore": (False, None, True, False),
        "report": (False, True, True, False),
        "stop": (True, True, False, True),
    }


def test_illegal_actions():
    env = PuzzleEnv(TINY)
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    with pytest.warns(RuntimeWarning, match="illegal action 0"):
        observation, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (-1.0, True, False) and info["illegal_action"] == 0
    assert env.observation_space.contains(observation) and not info["action_mask"].any() and "outcome" in info
    env = PuzzleEnv(TINY, on_illegal="raise")
    env.reset()
    env.step(0)
    with pytest.raises(IllegalActionError, match="blue has no 1 left"):
        env.step(0)
    assert env.position.ply == 1
    runs = []
    for _ in range(2):
        env = PuzzleEnv(TINY, on_illegal="random")
        env.reset(seed=4)
        env.step(0)
        info = env.step(0)[4]
        assert info["illegal_action"] == 0 and env.position.actions[1] == info["random_action"]
        runs.append(info["random_action"])
    assert runs[0] == runs[1]


def test_observations_have_names():
    env = PuzzleEnv("tetromino", no_edge_contact=True)
    env.reset()
    observation, *_ = env.step(env.position.parse("red a8,b8,a7,b7"))
    planes = dict(zip(plane_names(env.puzzle), observation, strict=True))
    assert planes["occupied_2"].sum() == 4 and planes["occupied_2"][0, 0] == 1 and planes["occupied_0"].sum() == 0
    assert planes["forbidden_0"].sum() == 4 and planes["forbidden_2"].sum() == 8 and planes["forbidden_2"][0, 2] == 1
    assert not planes["left_2_O"].any() and (planes["left_1_O"] == 1).all()
    compact = PuzzleEnv("tetromino", no_edge_contact=True, observation="compact")
    compact.reset()
    small, *_ = compact.step(compact.position.parse("red a8,b8,a7,b7"))
    assert np.array_equal(small["board"], observation[:8])
    assert np.array_equal(small["pieces"], observation[8:, 0, 0]) and len(vector_names(env.puzzle)) == 20
    free = PuzzleEnv("tetromino")
    free.reset()
    observation, *_ = free.step(free.position.parse("red a8,b8,a7,b7"))
    assert dict(zip(plane_names(free.puzzle), observation, strict=True))["forbidden_2"].sum() == 4


def test_the_solo_game_is_seen_as_classic_relative_to_the_color_to_move():
    env = PuzzleEnv("solo")
    observation, _ = env.reset()
    observation, *_ = env.step(int(env.legal_actions()[-1]))
    planes = dict(zip(game_plane_names(env.puzzle.variant), observation, strict=True))
    assert planes["color_1"].all() and planes["occupied_3"].sum() == 5 and not planes["occupied_0"].any()
    assert len(planes) > len(game_plane_names(BlokusGame("classic").variant))


@pytest.mark.parametrize("name", IDS)
def test_copies_and_pickles_go_on_alike(name):
    env = PuzzleEnv(gymnasium.spec(name).kwargs["name"], **IDS[name])
    env.reset(seed=0)
    for _ in range(5):
        env.step(int(env.legal_actions()[len(env.legal_actions()) // 2]))
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    action = int(env.legal_actions()[7])
    expected = env.step(action)
    for twin in twins:
        assert twin.position.ply == 5
        observation, reward, *_ = twin.step(action)
        assert np.array_equal(observation, expected[0]) and reward == expected[1]


def test_vector_environments_by_gymnasium():
    envs = gymnasium.make_vec("blokus_env/PuzzleTetromino-v0", 3, "sync", dead_ends="report")
    _, infos = envs.reset(seed=0)
    for _ in range(25):
        actions = np.array([envs.single_action_space.sample(mask) for mask in infos["action_mask"]])
        *_, infos = envs.step(actions)
    assert infos["action_mask"].shape == (3, 4_196)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "hexomino"}, "'solo', 'tetromino', 'pentomino'"),
        ({"name": "solo", "no_edge_contact": True}, "does not apply to 'solo'"),
        ({"start": "fixed"}, "does not apply to 'pentomino'"),
        ({"name": "solo", "start": "center"}, "'any_corner', 'fixed'"),
        ({"observation": "pixels"}, "'planes', 'compact'"),
        ({"dead_ends": "maybe"}, "ignore, report, stop"),
        ({"completion": 2}, "from 0 to 1"),
        ({"on_illegal": "ignore"}, "lose"),
        ({"render_mode": "svg"}, "rgb_array"),
    ],
)
def test_wrong_options_name_the_right_ones(options, message):
    with pytest.raises(ValueError, match=message):
        PuzzleEnv(**options)


@pytest.mark.slow
def test_maskable_ppo_learns_from_it():
    sb3_contrib = pytest.importorskip("sb3_contrib")
    model = sb3_contrib.MaskablePPO("MlpPolicy", PuzzleEnv(TINY, on_illegal="raise"), n_steps=64, batch_size=64, seed=0)
    model.learn(128)
