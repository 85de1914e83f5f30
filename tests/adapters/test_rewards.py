"""Rewards from scores and places."""

import numpy as np
import pytest

from blokus_env.adapters.rewards import REWARD_NAMES, make_reward


def final(name, scores, teams=None, places=None):
    scores = np.array(scores, dtype=float)
    teams = tuple(range(scores.shape[-1])) if teams is None else teams
    if places is None:
        places = (scores[..., None, :] > scores[..., :, None]).sum(-1)
    return make_reward(name).final(scores, np.array(places), teams).tolist()


PAIRS = (0, 1, 0, 1)


@pytest.mark.parametrize(
    ("name", "scores", "teams", "expected"),
    [
        ("win", [5, 3], None, [1, -1]),
        ("win", [3, 5], None, [-1, 1]),
        ("win", [4, 4], None, [0, 0]),
        ("win", [5, 3, 1], None, [1, -1, -1]),
        ("win", [5, 5, 1], None, [0, 0, -1]),
        ("win", [2, 2, 2], None, [0, 0, 0]),
        ("win", [1, 9, 9, 9], None, [-1, 0, 0, 0]),
        ("win", [7, 2, 7, 2], PAIRS, [1, -1, 1, -1]),
        ("win", [2, 7, 2, 7], PAIRS, [-1, 1, -1, 1]),
        ("win", [7, 7, 7, 7], PAIRS, [0, 0, 0, 0]),
        ("score", [-5, 3], None, [-5, 3]),
        ("score", [7, 2, 7, 2], PAIRS, [7, 2, 7, 2]),
        ("rank", [5, 3], None, [1, -1]),
        ("rank", [4, 4], None, [0, 0]),
        ("rank", [5, 3, 1], None, [1, 0, -1]),
        ("rank", [5, 5, 1], None, [0.5, 0.5, -1]),
        ("rank", [5, 1, 1], None, [1, -0.5, -0.5]),
        ("rank", [4, 3, 2, 1], None, [1, 1 / 3, -1 / 3, -1]),
        ("rank", [4, 3, 3, 1], None, [1, 0, 0, -1]),
        ("rank", [2, 2, 2, 2], None, [0, 0, 0, 0]),
        ("rank", [7, 2, 7, 2], PAIRS, [1, -1, 1, -1]),
        ("rank", [3, 3, 2, 1], (0, 0, 1, 2), [1, 1, 0, -1]),
        ("margin", [5, 3], None, [2, -2]),
        ("margin", [5, 3, 1], None, [2, -2, -4]),
        ("margin", [5, 5, 1], None, [0, 0, -4]),
        ("margin", [7, 2, 7, 2], PAIRS, [5, -5, 5, -5]),
        ("margin", [3, 3, 2, 1], (0, 0, 1, 2), [1, 1, -1, -2]),
        ("dense_margin", [5, 3], None, [0, 0]),
    ],
)
def test_table(name, scores, teams, expected):
    assert final(name, scores, teams) == pytest.approx(expected)
    batch = [[scores, scores], [scores, scores]]
    assert np.allclose(final(name, batch, teams), [[expected, expected], [expected, expected]])


def test_win_follows_places_not_scores():
    assert final("win", [4, 4], places=[0, 1]) == [1, -1]
    assert final("rank", [4, 4, 4], places=[2, 0, 1]) == [-1, 1, 0]


def test_places_may_leave_gaps_within_teams():
    assert final("rank", [7, 2, 7, 2], PAIRS, places=[0, 2, 0, 2]) == [1, -1, 1, -1]


def test_team_names_are_arbitrary():
    assert final("margin", [7, 2, 7, 2], (9, 4, 9, 4)) == [5, -5, 5, -5]


def test_dense_margin_is_the_potential():
    reward = make_reward("dense_margin")
    assert reward.is_dense and reward.is_zero_sum
    assert reward.potential(np.array([5.0, 3.0, 1.0]), (0, 1, 2)).tolist() == [2, -2, -4]
    assert make_reward("win").potential(np.array([5.0, 3.0]), (0, 1)).tolist() == [0, 0]


def test_weights():
    reward = make_reward({"win": 0.5, "dense_margin": 0.25})
    scores, places = np.array([5.0, 3.0]), np.array([0, 1])
    assert reward.final(scores, places, (0, 1)).tolist() == [0.5, -0.5]
    assert reward.potential(scores, (0, 1)).tolist() == [0.5, -0.5]
    assert make_reward(reward) is reward
    assert not make_reward({"score": 1, "win": 1}).is_zero_sum


@pytest.mark.parametrize("wrong", ["wins", {"win": 1, "wins": 2}, {}])
def test_unknown_names_are_refused_with_the_known_ones(wrong):
    with pytest.raises(ValueError, match="unknown") as error:
        make_reward(wrong)
    assert all(name in str(error.value) for name in REWARD_NAMES)
