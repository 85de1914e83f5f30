"""The game under its names: PettingZoo, Gymnasium, Stable-Baselines3, `scripts.evaluate`."""

import json
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from stable_baselines3.common.vec_env import VecEnv

import blokus_env
from blokus_env import SelfPlayVecEnv, rumis_v0
from blokus_env.rumis import variants
from scripts import evaluate


def play(env) -> dict[str, float]:
    env.reset(seed=7)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
    return total


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pettingzoo(players: int) -> None:
    env = blokus_env.env("rumis", num_players=players, building="tower", reward="rank")
    assert env.possible_agents == [f"player_{player}" for player in range(players)]
    assert sum(play(env).values()) == pytest.approx(0)
    assert env.metadata["name"] == "rumis_v0"


def test_the_module() -> None:
    env = rumis_v0.raw_env(num_players=2, two_colors=True, building="steps", observation="compact")
    env.reset(seed=1)
    assert env.game.options.num_colors == 4 and env.game.options.building == "steps"
    assert rumis_v0.env(num_players=2).unwrapped.game.num_players == 2
    assert {"rumis", "rumis_v0"} <= set(blokus_env.__all__)
    assert blokus_env.rumis.rumis_v0 is rumis_v0
    assert variants.VERSION == 0


def test_public_names_are_there() -> None:
    for name in blokus_env.rumis.__all__:
        assert getattr(blokus_env.rumis, name) is not None
    assert set(blokus_env.rumis.__all__) <= set(dir(blokus_env.rumis))
    assert blokus_env.rumis.State(num_players=2).ply == 0
    with pytest.raises(AttributeError, match="no attribute 'tower_v0'"):
        _ = blokus_env.rumis.tower_v0


def test_import_loads_no_kernel() -> None:
    code = "import sys, blokus_env.rumis; found = {'numba', 'pettingzoo'} & set(sys.modules); assert not found, found"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_gymnasium() -> None:
    env = gymnasium.make("blokus_env/Rumis-v0", num_players=3, opponents="greedy", seat="rotate", reward="margin")
    rng = np.random.default_rng(0)
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            assert env.observation_space.contains(observation)
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            observation, _, terminated, _, info = env.step(action)
        assert len(info["outcome"]["places"]) == 3


def test_gymnasium_vector() -> None:
    options = {"num_players": 2, "building": "corner"}
    envs = gymnasium.make_vec("blokus_env/Rumis-v0", num_envs=4, vectorization_mode="vector_entry_point", **options)
    observation, info = envs.reset(seed=0)
    assert observation["board"].shape[0] == 4 and observation["board"].shape[2:] == (7, 7)
    for _ in range(20):
        actions = np.array([int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in info["action_mask"]])
        observation, _, _, _, info = envs.step(actions)
    assert envs.observation_space.contains(observation)


def test_batched_self_play() -> None:
    env = SelfPlayVecEnv(
        "rumis", num_envs=6, num_players=2, opponents=["self", "greedy"], reward="dense_margin", seed=3
    )
    other = blokus_env.rumis.SelfPlayVecEnv(
        6, num_players=2, opponents=["self", "greedy"], reward="dense_margin", seed=3
    )
    assert isinstance(env, VecEnv)
    first, second = env.reset(), other.reset()
    rng, ended = np.random.default_rng(0), 0
    for _ in range(40):
        assert all(np.array_equal(first[key], second[key]) for key in first)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()])
        first, _, dones, _ = env.step(actions)
        second, *_ = other.step(actions)
        ended += dones.sum()
    assert ended > 0


def test_evaluate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    arguments = "--env rumis --option num_players=2 --option building=steps --agents greedy random --games 40 --seed 1"
    assert evaluate.main([*arguments.split(), "--json", str(path)]) == 0
    assert capsys.readouterr().out.startswith("rumis: 40 games")
    greedy, random = json.loads(path.read_text())["agents"]
    assert greedy["wins"] > random["wins"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--start fixed", "rumis has no option 'start'"),
        ("--option num_players=9", "num_players=9 is not possible"),
        ("--option num_players", "'num_players' is no NAME=VALUE"),
    ],
)
def test_evaluate_refuses(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        evaluate.main(["--env", "rumis", "--agents", "greedy", "random", *arguments.split()])
    assert message in capsys.readouterr().err
