"""Random play is uniform, and its statistics are the known ones."""

import numpy as np
import pytest
from numpy.typing import NDArray

from blokus_env.game import BlokusGame

CHI_SQUARE_SIGMAS = 5.0


def chi_square_sigmas(counts: NDArray[np.int64]) -> float:
    """How far the χ² of these counts lies from its mean if all are equally likely, in standard deviations."""
    expected = counts.sum() / len(counts)
    freedom = len(counts) - 1
    return float((((counts - expected) ** 2 / expected).sum() - freedom) / np.sqrt(2 * freedom))


@pytest.mark.parametrize(("name", "plies"), [("duo", 0), ("duo", 5), ("duo", 14), ("duo", 22), ("classic", 30)])
def test_random_actions_are_uniform(name: str, plies: int) -> None:
    game = BlokusGame(name, start="fixed")
    copies, rounds = 1000, 40
    batch, games = game.batch(copies, seed=0), np.arange(copies)
    policy, rng = game.policy("random"), np.random.default_rng(plies)
    for _ in range(plies):
        same = int(rng.choice(batch.legal_ids(games[:1])[0]))
        batch.step(games, np.full(copies, same, np.int32))
    legal = batch.legal_ids(games[:1])[0]
    drawn = np.concatenate([policy.act_batch(batch, games, rng) for _ in range(rounds)])
    assert np.isin(drawn, legal).all()
    counts = np.bincount(np.searchsorted(legal, drawn), minlength=len(legal))
    assert abs(chi_square_sigmas(counts)) < CHI_SQUARE_SIGMAS


def random_games(name: str, start: str, count: int) -> tuple[NDArray[np.int64], float, NDArray[np.int64]]:
    """Plies of each game, legal actions on average over all plies, places."""
    game = BlokusGame(name, start=start)
    batch, policy, rng = game.batch(count, seed=1), game.policy("random"), np.random.default_rng(1)
    plies, legal = np.zeros(count, np.int64), 0
    while len(running := np.flatnonzero(batch.player >= 0)):
        legal += int(batch.num_legal[running].sum())
        plies[running] += 1
        batch.step(running, policy.act_batch(batch, running, rng))
    return plies, legal / plies.sum(), batch.places(np.arange(count))


def test_random_games_of_duo() -> None:
    plies, legal, places = random_games("duo", "fixed", 4000)
    assert plies.mean() == pytest.approx(27.1, abs=0.2)
    assert plies.std() == pytest.approx(2.2, abs=0.2)
    assert legal == pytest.approx(222, abs=3)
    ties = (places.sum(axis=1) == 0).mean()
    assert ties == pytest.approx(0.048, abs=0.015)
    assert ((places[:, 0] == 0).mean() - ties) == pytest.approx(0.544, abs=0.035)


def test_random_games_of_classic() -> None:
    plies, legal, places = random_games("classic", "fixed", 2000)
    assert plies.mean() == pytest.approx(59.0, abs=0.4)
    assert plies.std() == pytest.approx(2.9, abs=0.3)
    assert legal == pytest.approx(176, abs=3)
    first = places == 0
    wins = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    assert wins == pytest.approx([0.296, 0.264, 0.244, 0.196], abs=0.04)


@pytest.mark.parametrize("name", ["random", "greedy", "largest"])
def test_policies_play_legally_and_repeatably(name: str) -> None:
    game = BlokusGame("duo")
    policy = game.policy(name)
    assert policy.name == name

    def play(seed: int) -> list[int]:
        position, rng = game.new(0), np.random.default_rng(seed)
        actions = []
        while not position.is_over:
            action = int(policy.act(position.view(position.player), rng))
            assert position.is_legal(action)
            position.push(action)
            actions.append(action)
        return actions

    assert play(3) == play(3)
    assert play(3) != play(4)
