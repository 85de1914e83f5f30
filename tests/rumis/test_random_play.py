"""Random play is uniform; the other policies do what they say."""

import numpy as np
import pytest

from blokus_env.rumis import kernels
from blokus_env.rumis.batch import random_word_state
from blokus_env.rumis.game import RumisGame
from blokus_env.rumis.pieces import STONES
from blokus_env.rumis.policies import POLICIES, policy
from blokus_env.rumis.state import State
from blokus_env.rumis.variants import Options
from tests.rumis.positions import REGISTERED, name_of, random_state

SIGMAS = 5.0


def is_uniform(drawn: np.ndarray, legal: np.ndarray) -> bool:
    assert np.isin(drawn, legal).all()
    counts = np.bincount(np.searchsorted(legal, drawn), minlength=len(legal))
    mean, freedom = len(drawn) / len(legal), len(legal) - 1
    return bool(abs(((counts - mean) ** 2 / mean).sum() - freedom) < SIGMAS * np.sqrt(2 * max(freedom, 1)))


@pytest.mark.parametrize("options", REGISTERED, ids=name_of)
@pytest.mark.parametrize("plies", [0, 5, 14])
def test_random_actions_are_uniform(options: Options, plies: int) -> None:
    state = random_state(options, plies, seed=3)
    legal, drawn = state.legal_actions(), np.zeros(20_000, np.int32)
    scratch, record = state.tables.workspace.scratch, state.tables.record
    kernels.sample_many(record, state.records, scratch, random_word_state(1), state.color, drawn)
    assert is_uniform(drawn, legal)
    rng, random = np.random.default_rng(1), policy("random")
    assert is_uniform(np.array([random.act(state.view(state.player), rng) for _ in range(4 * len(legal))]), legal)
    batch, copies = RumisGame(options).batch(1000), np.arange(1000)
    for action in state.actions:
        batch.step(copies, np.full(1000, action))
    assert is_uniform(np.concatenate([random.act_batch(batch, copies, rng) for _ in range(8)]), legal)


def worth(state: State, action: int, name: str) -> int:
    """What a policy says that it maximizes, from before and after."""
    color, player, after = state.color, state.player, state.copy()
    after.push(action)
    size = STONES[state.tables.piece[action]].size
    if name == "largest":
        return size
    changed = after.heights() != state.heights()
    done = int((changed & (after.heights() == after.limits())).sum())
    others = [c for c in range(state.options.num_colors) if state.options.owner(c) != player]
    lost = sum(int(((state.top() == other) & (after.top() == color)).sum()) for other in others)
    return 3 * size + 3 * done + lost


@pytest.mark.parametrize("options", REGISTERED, ids=name_of)
@pytest.mark.parametrize("name", ["largest", "greedy"])
def test_policies_choose_the_best_alike(options: Options, name: str) -> None:
    rng = np.random.default_rng(2)
    for plies in (3, 10, 16):
        state = random_state(options, plies, seed=plies)
        legal = state.legal_actions().tolist()
        values = [worth(state, action, name) for action in legal]
        best = {action for action, value in zip(legal, values, strict=True) if value == max(values)}
        draws = 25 * len(best)
        chosen = [policy(name).act(state.view(state.player), rng) for _ in range(draws)]
        assert set(chosen) == best
        batch = RumisGame(options).batch(draws)
        for action in state.actions:
            batch.step(batch.all_games, np.full(draws, action))
        assert set(policy(name).act_batch(batch, batch.all_games, rng).tolist()) == best


@pytest.mark.parametrize("name", POLICIES)
def test_policies_play_repeatably(name: str) -> None:
    game = RumisGame(num_players=2)

    def play(seed: int) -> tuple[int, ...]:
        position, rng = game.new(), np.random.default_rng(seed)
        while not position.is_over:
            position.push(game.policy(name).act(position.view(position.player), rng))
        return position.actions

    assert play(3) == play(3) != play(4)
    assert game.policy(name).name == name


def test_strength() -> None:
    """Greedy wins nearly always against random, with two and with four."""
    for players, at_least in ((2, 0.9), (4, 0.7)):
        game, number, rng = RumisGame(num_players=players), 200, np.random.default_rng(0)
        batch, seat = game.batch(number), np.arange(number) % players
        while len(games := np.flatnonzero(batch.player >= 0)):
            own = batch.player[games] == seat[games]
            for name, group in (("greedy", games[own]), ("random", games[~own])):
                if len(group):
                    batch.step(group, game.policy(name).act_batch(batch, group, rng))
        assert (batch.places(batch.all_games)[np.arange(number), seat] == 0).mean() > at_least


def test_unknown_policies_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown policy 'best': choose one of 'random', 'largest', 'greedy'"):
        policy("best")
