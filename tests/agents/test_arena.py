"""Matches: seats, openings, counts and intervals."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.arena import mean_interval, play_match, play_openings, rate_interval, seatings
from agents.base import GreedyAgent, LargestAgent, RandomAgent
from blokus_env.adapters.protocol import GAME_OVER
from blokus_env.adapters.toy import HighestPolicy, RandomPolicy, ToyGame
from blokus_env.game import BlokusGame

DUO = BlokusGame("duo", observation="compact")


class Recorder(RandomPolicy):
    """Plays at random and notes in which seats, and how often."""

    def __init__(self, name: str) -> None:
        self.name = name  # type: ignore[misc]
        self.seats: list[int] = []

    def act_batch(self, batch: Any, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        self.seats += batch.player[games].tolist()
        return super().act_batch(batch, games, rng)


@pytest.mark.parametrize(
    ("agents", "players", "expected"),
    [
        (2, 2, [(0, 1), (1, 0)]),
        (1, 2, [(0, 0)]),
        (2, 4, [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]),
        (4, 4, [(0, 1, 2, 3), (3, 0, 1, 2), (2, 3, 0, 1), (1, 2, 3, 0)]),
    ],
)
def test_seatings(agents: int, players: int, expected: list[tuple[int, ...]]) -> None:
    assert [tuple(row) for row in seatings(agents, players).tolist()] == expected


@pytest.mark.parametrize("teams", [(0, 1), (0, 1, 2), (0, 1, 0, 1)])
def test_every_agent_plays_in_all_seats_and_games_add_up(teams: tuple[int, ...]) -> None:
    first, second = Recorder("first"), Recorder("second")
    result = play_match(ToyGame(teams), [first, second], 20, opening_plies=1)
    players = len(teams)
    assert result.num_games == result.openings * players >= 20
    assert set(first.seats) == set(second.seats) == set(range(players))
    for agent, held in zip(result.agents, (1, players - 1), strict=True):
        assert agent.wins + agent.ties + agent.losses == agent.games == result.num_games * held
        assert sum(seat.games for seat in agent.seats) == agent.games
        assert sum(seat.wins for seat in agent.seats) == agent.wins
        assert agent.win_rate.low <= agent.win_rate.mean == agent.wins / agent.games <= agent.win_rate.high


def test_two_sides_of_a_match_mirror_each_other() -> None:
    one, other = play_match(DUO, [GreedyAgent(DUO), RandomAgent(DUO)], 40, seed=3).agents
    assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
    assert one.margin.mean == pytest.approx(-other.margin.mean)
    assert one.score - other.score == pytest.approx(one.margin.mean)
    assert one.win_rate.low > 0.85  # greedy beats random
    assert len(one.seats) == 2


def test_the_same_agent_on_both_sides_breaks_even_exactly() -> None:
    """Chance is alike in both rotations: a deterministic agent wins as often as it loses against itself."""
    result = play_match(ToyGame((0, 1)), [HighestPolicy(), HighestPolicy()], 40, opening_plies=0)
    one = result.agents[0]
    assert one.wins == one.losses
    assert one.margin.mean == 0


def test_a_seed_gives_the_same_match_again() -> None:
    agents = [LargestAgent(DUO), RandomAgent(DUO)]
    assert play_match(DUO, agents, 10, seed=1) == play_match(DUO, agents, 10, seed=1)
    assert play_match(DUO, agents, 10, seed=1) != play_match(DUO, agents, 10, seed=2)


def test_openings_are_the_same_for_the_same_draws() -> None:
    draws = np.random.default_rng(0).random((3, 5))
    boards = []
    for _ in range(2):
        batch = DUO.batch(5)
        play_openings(batch, draws)
        boards.append(batch.boards(np.arange(5)))
        assert (batch.ply == 3).all()
    np.testing.assert_array_equal(*boards)
    assert len({board.tobytes() for board in boards[0]}) == 5


def test_openings_longer_than_the_game() -> None:
    batch = ToyGame((0, 1)).batch(3, 0)
    play_openings(batch, np.zeros((50, 3)))
    assert (batch.player == GAME_OVER).all()


def test_matches_refuse_what_cannot_be_played() -> None:
    with pytest.raises(ValueError, match="2 players"):
        play_match(DUO, [RandomAgent(DUO)] * 3, 10)
    with pytest.raises(ValueError, match="at least one game"):
        play_match(DUO, [RandomAgent(DUO)], 0)


def test_rate_interval_counts_openings() -> None:
    alike = np.repeat(np.random.default_rng(0).integers(0, 2, (100, 1)), 2, axis=1).astype(float)
    independent = np.random.default_rng(0).integers(0, 2, (100, 2)).astype(float)
    narrow, wide = rate_interval(independent), rate_interval(alike)
    assert wide.high - wide.low == pytest.approx((narrow.high - narrow.low) * 2**0.5, rel=0.1)
    certain = rate_interval(np.ones((200, 2)))
    assert certain.mean == certain.high == 1 and 0.985 < certain.low < 1


def test_intervals_cover_the_truth_about_95_times_in_100() -> None:
    rng = np.random.default_rng(1)
    covered = {"rate": 0, "mean": 0}
    for _ in range(400):
        strength = rng.beta(3, 2, size=(60, 1))  # openings differ
        wins = (rng.random((60, 2)) < strength).astype(float)
        rate, mean = rate_interval(wins), mean_interval(wins)
        covered["rate"] += rate.low <= 0.6 <= rate.high
        covered["mean"] += mean.low <= 0.6 <= mean.high
    assert 0.92 * 400 <= covered["rate"] <= 0.99 * 400
    assert 0.91 * 400 <= covered["mean"] <= 0.99 * 400
