"""The Gymnasium vector adapter: resets of all modes, masks, seats, rewards, illegal actions."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

import blokus_env  # noqa: F401  # registers
from blokus_env.adapters.protocol import GAME_OVER, IllegalActionError
from blokus_env.adapters.rewards import make_reward
from blokus_env.adapters.single import SinglePlayerEnv
from blokus_env.adapters.slots import MaskFormat
from blokus_env.adapters.toy import HighestPolicy, ToyGame
from blokus_env.adapters.vector import GameVectorEnv

TWO = ToyGame((0, 1), deal=(0, 4, 7, 2, 3, 6))
GAMES = {"three": ToyGame(), "two": ToyGame((0, 1)), "pairs": ToyGame((0, 1, 0, 1))}
MODES = tuple(AutoresetMode)


class Lowest(HighestPolicy):
    """Plays the lowest card."""

    name = "lowest"

    def act(self, view, rng):
        return int(view.legal_actions()[0])

    def act_batch(self, batch, games, rng):
        return batch.legal_ids(games)[:, 0]


def started(game, num_envs=3, **options):
    env = GameVectorEnv(game, num_envs, **options)
    observations, infos = env.reset(seed=5)
    return env, observations, infos


def draw(infos, rng):
    """A legal action of each slot by its dense mask."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", GAMES)
def test_random_play_in_all_modes(game, mode):
    env, observations, infos = started(GAMES[game], 4, autoreset_mode=mode, opponents="random")
    rng, ended = np.random.default_rng(0), 0
    was_over = np.zeros(4, bool)
    while ended < 40:
        assert observations in env.observation_space
        assert infos["action_mask"].any(1).all()
        if mode is AutoresetMode.DISABLED and was_over.any():
            observations, infos = env.reset(options={"reset_mask": was_over})
            was_over[:] = False
            continue
        observations, rewards, terminated, truncated, infos = env.step(draw(infos, rng))
        assert not truncated.any() and not (terminated & was_over).any()
        assert (rewards[~terminated] == 0).all()
        for slot in np.flatnonzero(terminated):
            ended += 1
            last = infos["final_info"] if mode is AutoresetMode.SAME_STEP else infos
            outcome = last["outcome"][slot]
            scores, places = np.array(outcome["scores"]), np.array(outcome["places"])
            assert rewards[slot] == make_reward("win").final(scores, places, env.game.teams)[outcome["seat"]]
            assert (env.player[slot] == GAME_OVER) == (mode is not AutoresetMode.SAME_STEP)
        if mode is AutoresetMode.NEXT_STEP:
            assert (rewards[was_over] == 0).all() and (env.player[was_over] != GAME_OVER).all()
        if mode is not AutoresetMode.SAME_STEP:
            was_over = terminated.copy()


def test_a_hand_made_game_as_the_single_environment_plays_it():
    for seat in (0, 1):
        single = SinglePlayerEnv(TWO, Lowest(), seat=seat, reward="dense_margin")
        single.reset(seed=0)
        env = GameVectorEnv(TWO, 1, opponents=Lowest(), reward="dense_margin", seat=seat)
        _, infos = env.reset(seed=0)
        done = False
        while not done:
            action = int(np.flatnonzero(single.action_masks())[0])
            assert np.array_equal(infos["action_mask"][0], single.action_masks())
            observation, reward, done, _, info = single.step(action)
            observations, rewards, terminated, _, infos = env.step([action])
            assert rewards[0] == reward and terminated[0] == done
            assert np.array_equal(observations[0], observation)
        for key in ("places", "scores"):
            assert infos["outcome"][0][key] == info["outcome"][key]


@pytest.mark.parametrize("mask_format", MaskFormat.__args__)
@pytest.mark.parametrize("mode", MODES)
def test_masks_of_all_formats_say_the_same(mask_format, mode):
    game = GAMES["two"]
    env, _, infos = started(game, 3, mask_format=mask_format, autoreset_mode=mode)
    dense, _, expected = started(game, 3, autoreset_mode=mode)
    rng = np.random.default_rng(1)
    for _ in range(12):
        assert np.array_equal(as_dense(infos["action_mask"], mask_format, game.num_actions), expected["action_mask"])
        if (env.player == GAME_OVER).any() and mode is AutoresetMode.DISABLED:
            over = env.player == GAME_OVER
            _, infos = env.reset(options={"reset_mask": over})
            _, expected = dense.reset(options={"reset_mask": over})
            continue
        actions = draw(expected, rng)
        infos, expected = env.step(actions)[4], dense.step(actions)[4]


def as_dense(masks, mask_format, num_actions):
    if mask_format == "dense":
        return masks
    if mask_format == "packed":
        return np.unpackbits(masks, axis=1, bitorder="little")[:, :num_actions]
    out = np.zeros((len(masks), num_actions), np.int8)
    for row, ids in zip(out, masks, strict=True):
        row[ids[ids >= 0]] = 1
    return out


def test_the_same_seed_gives_the_same_games():
    runs = []
    for _ in range(2):
        env, observations, infos = started(GAMES["three"], 4, opponents=["random", "highest"], seat="random")
        rng, seen = np.random.default_rng(2), [observations]
        for _ in range(20):
            observations, _, _, _, infos = env.step(draw(infos, rng))
            seen.append(observations)
        runs.append(np.stack(seen))
    assert np.array_equal(*runs)


def test_what_is_returned_belongs_to_the_caller():
    env, observations, infos = started(GAMES["two"])
    rng = np.random.default_rng(3)
    for _ in range(6):
        kept = [observations.copy(), *(value.copy() for value in infos.values())]
        before = (observations, *infos.values())
        observations, _, _, _, infos = env.step(draw(infos, rng))
        assert all(np.array_equal(mine, copy) for mine, copy in zip(before, kept, strict=True))


def test_illegal_actions():
    env, _, infos = started(TWO, 2, on_illegal="raise", seat=0, opponents="highest")
    legal, wrong = np.array([0, 0]), np.array([0, 2])  # player 0 holds 0, 4 and 7
    with pytest.raises(IllegalActionError, match=r"slots 1 \(action 2\)"):
        env.step(wrong)
    _, rewards, terminated, _, _ = env.step(legal)
    assert not terminated.any()

    env, _, infos = started(TWO, 2, on_illegal="lose", seat=0, opponents="highest")
    with pytest.warns(RuntimeWarning, match="illegal action 2"):
        _, rewards, terminated, _, infos = env.step(wrong)
    assert rewards.tolist() == [0, -1] and terminated.tolist() == [False, True]
    assert infos["illegal_action"].tolist() == [-1, 2] and "outcome" not in infos
    _, rewards, terminated, _, infos = env.step([4, 99])  # a new game in slot 1
    assert rewards.tolist() == [0, 0] and not terminated.any() and env.player.tolist() == [0, 0]

    env, _, infos = started(TWO, 2, on_illegal="random", seat=0, opponents="highest")
    _, _, terminated, _, infos = env.step(wrong)
    assert not terminated.any() and infos["random_action"][1] in (0, 4, 7) and infos["random_action"][0] == -1


def test_wrong_use_is_refused():
    with pytest.raises(ValueError, match="num_envs=0"):
        GameVectorEnv(TWO, 0)
    with pytest.raises(ValueError, match="'SameStep'"):
        GameVectorEnv(TWO, 1, autoreset_mode="sometimes")
    with pytest.raises(ValueError, match="dense, ids, packed"):
        GameVectorEnv(TWO, 1, mask_format="bits")
    env = GameVectorEnv(TWO, 2, autoreset_mode="Disabled")
    with pytest.raises(ResetNeeded):
        env.step([0, 0])
    with pytest.raises(ValueError, match="one int"):
        env.reset(seed=[1, 2])
    env.reset(seed=1)
    with pytest.raises(ValueError, match="chooses no slot"):
        env.reset(options={"reset_mask": np.zeros(2, bool)})
    with pytest.raises(ValueError, match="bool array"):
        env.reset(options={"reset_mask": [True, False]})


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_make_vec(mode):
    env = gymnasium.make_vec(
        "blokus_env/Duo-v0", num_envs=8, vectorization_mode="vector_entry_point", autoreset_mode=mode, mask_format="ids"
    )
    observations, infos = env.reset(seed=0)
    rng, ended = np.random.default_rng(0), 0
    while ended < 8:
        ids = infos["action_mask"]
        actions = ids[np.arange(8), rng.integers((ids >= 0).sum(1))]
        observations, _, terminated, _, infos = env.step(actions)
        ended += terminated.sum()
    assert observations in env.observation_space and env.metadata["autoreset_mode"] == AutoresetMode(mode)
    env.close()


def test_statistics_wrapper_of_gymnasium():
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(GameVectorEnv(GAMES["two"], 3, mask_format="dense"))
    _, infos = env.reset(seed=0)
    rng, lengths = np.random.default_rng(4), []
    while len(lengths) < 9:
        infos = env.step(draw(infos, rng))[4]
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert max(lengths) <= 3
