"""The PettingZoo adapter, with a toy game whose deal is known."""

import copy
import pickle
import sys
import warnings

import numpy as np
import pytest

from blokus_env.adapters.aec import GameAECEnv, wrap
from blokus_env.adapters.protocol import IllegalActionError
from blokus_env.adapters.toy import ToyGame

THREE = ToyGame((0, 1, 2), deal=(1, 5, 6, 2, 3, 9, 0, 4, 8))
"""Card c scores c // 3 + 1; then c % 3 players miss their turn. Hands 1 5 6, 2 3 9, 0 4 8."""


def started(**options):
    env = GameAECEnv(THREE, **options)
    env.reset(seed=1)
    return env


def test_names_and_metadata():
    env = started()
    assert env.metadata["name"] == "toy_v0" == str(env)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert {"render_modes", "is_parallelizable", "render_fps"} <= set(env.metadata)


def test_skips_are_told_to_everybody_until_their_own_decision():
    env = started()
    env.step(1)  # player 1 misses a turn
    assert env.agent_selection == "player_2"
    assert [env.infos[agent]["skipped"] for agent in env.agents] == [("player_1",)] * 3
    env.step(8)  # players 0 and 1 miss theirs, so player 2 decides again
    assert env.agent_selection == "player_2"
    assert env.infos["player_2"]["skipped"] == ("player_0", "player_1")
    assert env.infos["player_1"]["skipped"] == ("player_1", "player_0", "player_1")
    env.step(4)  # player 0 misses one more
    assert env.agent_selection == "player_1"
    env.step(3)
    assert env.infos["player_1"]["skipped"] == ()
    assert env.infos["player_0"]["skipped"] == ("player_1", "player_0", "player_1", "player_0")


def test_end_is_simultaneous():
    env = started()
    for card in (1, 8, 4, 3, 0):
        assert not any(env.terminations.values())
        env.step(card)
    assert all(flag is True for flag in env.terminations.values()) and len(env.terminations) == 3
    assert not any(env.truncations.values())
    # card 1 gives 1 point, 3 gives 2, and 8 4 0 give 3 + 2 + 1
    assert env.rewards == {"player_0": -1.0, "player_1": -1.0, "player_2": 1.0}
    seen = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert terminated is True and truncated is False
        assert not observation["action_mask"].any() and len(env.legal_actions(agent)) == 0
        seen.append((agent, reward))
        env.step(None)
    assert seen == [("player_0", -1.0), ("player_1", -1.0), ("player_2", 1.0)]
    assert env.agents == []


def test_masks_and_ids():
    env = started()
    for agent, ids in (("player_0", [1, 5, 6]), ("player_1", []), ("player_2", [])):
        legal, mask = env.legal_actions(agent), env.observe(agent)["action_mask"]
        assert legal.dtype == np.int32 and legal.tolist() == ids
        assert mask.dtype == np.int8 and np.flatnonzero(mask).tolist() == ids
        assert np.array_equal(env.infos[agent]["action_mask"], mask)
    with pytest.raises(ValueError, match="read-only"):
        env.legal_actions("player_0")[0] = 3


def test_arrays_handed_out_never_change():
    env = started()
    kept = [env.observe("player_0")["action_mask"], env.infos["player_0"]["action_mask"], env.legal_actions("player_0")]
    kept += [env.infos["player_1"]["action_mask"], env.observe("player_0")["observation"], env.state()]
    before = copy.deepcopy(kept)
    env.step(6)
    assert all(np.array_equal(now, then) for now, then in zip(kept, before, strict=True))


def test_spoiling_an_observation_spoils_nothing_else():
    env = started()
    env.observe("player_0")["action_mask"][:] = 1
    assert np.flatnonzero(env.observe("player_0")["action_mask"]).tolist() == [1, 5, 6]


def test_masks_are_fresh_arrays_that_stay_as_they_were():
    env = started()
    env.step(6)
    masks = [
        env.last()[0]["action_mask"],
        env.last()[4]["action_mask"],
        env.observe(env.agent_selection)["action_mask"],
    ]
    first = masks[0].copy()
    masks[1][:] = 0
    env.step(int(env.legal_actions(env.agent_selection)[0]))
    assert first.any() and (masks[0] == first).all() and (masks[2] == first).all()


def test_dense_margin_gives_the_change_since_the_own_last_decision():
    env = started(reward="dense_margin")
    env.step(6)  # 3 points
    assert env.rewards == {"player_0": 3.0, "player_1": -3.0, "player_2": -3.0}
    assert env.last()[1] == -3.0
    env.step(3)  # 2 points for player 1
    assert env.rewards == {"player_0": -2.0, "player_1": 2.0, "player_2": 0.0}
    assert env.last()[1] == -3.0
    env.step(0)  # 1 point for player 2
    assert env.agent_selection == "player_0" and env.last()[1] == 1.0


def test_illegal_loses():
    env = started(reward="margin")
    env.step(6)
    with pytest.warns(RuntimeWarning, match="player_1 chose the illegal action 0") as warned:
        env.step(0)
    assert len(warned) == 1
    assert env.rewards == {"player_0": 0.0, "player_1": -1.0, "player_2": 0.0}
    assert all(env.terminations.values()) and not any(env.truncations.values())
    assert env.infos["player_1"]["illegal_action"] == 0 and "illegal_action" not in env.infos["player_0"]
    for _ in env.agent_iter():
        assert not env.last()[0]["action_mask"].any()
        env.step(None)


def test_illegal_raises_and_nothing_changes():
    env = started(on_illegal="raise")
    before = env.state()
    for action in (0, -1, 99):
        with pytest.raises(IllegalActionError):
            env.step(action)
    assert env.agent_selection == "player_0" and np.array_equal(env.state(), before)
    env.step(6)
    assert env.agent_selection == "player_1"


def test_illegal_draws_another():
    drawn = set()
    for seed in range(20):
        env = GameAECEnv(THREE, on_illegal="random")
        env.reset(seed=seed)
        env.step(0)
        info = env.infos["player_0"]
        assert info["illegal_action"] == 0 and info["random_action"] in (1, 5, 6)
        drawn.add(info["random_action"])
        again = GameAECEnv(THREE, on_illegal="random")
        again.reset(seed=seed)
        again.step(0)
        assert again.infos["player_0"]["random_action"] == info["random_action"]
    assert drawn == {1, 5, 6}


def test_the_note_about_an_illegal_action_lasts_until_the_next_decision():
    env = GameAECEnv(ToyGame((0, 1), deal=(0, 3, 6, 1, 2, 4)), on_illegal="random")
    env.reset(seed=0)
    env.step(5)
    assert env.agent_selection == "player_1"
    env.step(2)  # both miss a turn
    assert env.agent_selection == "player_0" and "illegal_action" in env.infos["player_0"]
    env.step(int(env.legal_actions("player_0")[0]))
    assert "illegal_action" not in env.infos["player_0"]


def test_wrapped_environment_passes_illegal_ids_through():
    env = wrap(GameAECEnv(THREE, on_illegal="raise"))
    with pytest.raises(AssertionError, match="reset"):
        env.step(1)
    env.reset()
    with pytest.raises(IllegalActionError):
        env.step(0)
    with pytest.raises(AssertionError, match="action space"):
        env.step(99)
    assert env.legal_actions("player_0").tolist() == [1, 5, 6]


def test_none_is_refused_for_the_living():
    env = started()
    with pytest.raises(ValueError, match="player_0 is to move"):
        env.step(None)


def test_reset_with_a_seed_starts_all_chance_anew():
    env = GameAECEnv(ToyGame())
    states = []
    for seed in (5, None, 5, None):
        env.reset(seed=seed, options={"ignored": 1})
        states.append(env.state())
    assert np.array_equal(states[0], states[2]) and np.array_equal(states[1], states[3])
    assert not np.array_equal(states[0], states[1])


def test_copies_of_a_running_environment_are_independent():
    env = wrap(GameAECEnv(THREE))
    env.reset()
    env.step(6)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.agent_selection == "player_1"
        other.step(3)
        assert other.agent_selection == "player_2" and env.agent_selection == "player_1"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"on_illegal": "ignore"}, "lose, raise, random"),
        ({"render_mode": "text"}, "ansi, rgb_array, human"),
        ({"reward": "money"}, "win, score"),
    ],
)
def test_wrong_options_name_the_right_ones(options, message):
    with pytest.raises(ValueError, match=message):
        GameAECEnv(THREE, **options)


def test_render():
    assert "h" in started(render_mode="ansi").render()
    assert started(render_mode="rgb_array").render().dtype == np.uint8
    with pytest.raises(ValueError, match="render_mode"):
        started().render()


def test_window_without_pygame(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match="pip install pygame-ce"):
        started(render_mode="human")


def test_window(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = started(render_mode="human")
    env.step(6)
    assert env.render() is None
    copy.deepcopy(env).step(3)
    env.close()
    env.close()


def test_legal_play_warns_of_nothing():
    env = started()
    with warnings.catch_warnings(action="error"):
        while not any(env.terminations.values()):
            env.step(int(env.legal_actions(env.agent_selection)[0]))
