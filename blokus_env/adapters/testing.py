"""Conformance: what every game must satisfy to work behind the adapters.

``check_game(game)`` runs all checks; `CHECKS` has them by name, to parametrize tests. Each raises ``AssertionError``.
They play short random games, in PettingZoo, Gymnasium and Stable-Baselines3 and without.
"""

from __future__ import annotations

import copy
import os
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env as gymnasium_check_env
from gymnasium.utils.env_checker import data_equivalence
from numpy.typing import NDArray
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from stable_baselines3.common.env_checker import check_env as sb3_check_env

from .aec import GameAECEnv, wrap
from .errors import IllegalActionError, OnIllegal
from .protocol import GAME_OVER, BatchPosition, Game, Position
from .rewards import margin
from .sb3 import SelfPlayVecEnv
from .single import SinglePlayerEnv
from .toy import LoopBatch, RandomPolicy, ToyGame

__all__ = ["CHECKS", "LoopBatch", "RandomPolicy", "Redeal", "ToyGame", "check_game"]

Redeal: TypeAlias = Callable[[Any, int, np.random.Generator], Position]
"""Takes a position, a player and a generator; returns a copy in which what the player can't know is drawn anew."""

CYCLES = 40


def check_game(game: Game, redeal: Redeal | None = None) -> None:
    """Run all checks on `game`; see `check_hidden_information` for `redeal`."""
    for check in CHECKS.values():
        check(game)
    check_hidden_information(game, redeal)


def check_protocol(game: Game) -> None:
    """The objects have the members of the protocol, with the types that it wants."""
    assert isinstance(game, Game), "the game lacks members of protocol.Game"
    assert len(game.teams) == game.num_players
    position, batch = game.new(0), game.batch(2, 0)
    assert isinstance(position, Position), "the position lacks members of protocol.Position"
    assert isinstance(batch, BatchPosition), "the batch lacks members of protocol.BatchPosition"
    players = game.num_players
    _assert_array(position.legal_actions(), np.int32, (len(position.legal_actions()),))
    _assert_array(position.full_state(), np.uint8, game.state_space.shape)
    _assert_array(position.player_scores(), np.float64, (players,))
    _assert_array(position.places(), np.int64, (players,))
    assert game.policy("random").name == "random"
    pickle.loads(pickle.dumps(game))


def check_positions(game: Game) -> None:
    """Masks, ids, observations and scores of a random game agree at every ply; arrays handed out never change."""
    kept: list[tuple[Any, Any]] = []
    for position in _random_game(game, 1):
        ids = position.legal_actions()
        mask = np.full(game.num_actions, 7, dtype=np.int8)
        position.write_mask(mask)
        assert np.array_equal(np.flatnonzero(mask), ids) and mask.max() <= 1, "write_mask differs from legal_actions"
        assert position.is_over == (position.player == GAME_OVER) == (len(ids) == 0), "a player to move has no action"
        for player in range(game.num_players):
            observation = position.observe(player)
            assert game.observation_space.contains(observation), f"observation of {player} is outside of its space"
            kept.append((observation, copy.deepcopy(observation)))
        state = position.full_state()
        assert game.state_space.contains(state), "full_state is outside of state_space"
        kept.extend([(state, state.copy()), (ids, ids.copy())])
        _check_scores(game, position.player_scores(), position.places())
    assert all(data_equivalence(now, then) for now, then in kept), "an array that was handed out has changed"


def check_illegal_actions(game: Game) -> None:
    """Illegal ids raise `IllegalActionError` and change nothing."""
    for position in _random_game(game, 2):
        before = pickle.dumps(position.full_state())
        mask = np.zeros(game.num_actions, dtype=np.int8)
        position.write_mask(mask)
        wrong = [-1, game.num_actions, *np.flatnonzero(mask == 0)[:2].tolist()]
        for action in wrong:
            assert not position.is_legal(action), f"is_legal({action}) says yes"
            try:
                position.push(action)
            except IllegalActionError:
                continue
            raise AssertionError(f"push({action}) did not raise IllegalActionError")
        assert pickle.dumps(position.full_state()) == before, "an illegal push has changed the position"


def check_batch(game: Game, num_games: int = 4) -> None:
    """A batch is the same as single games with the same actions.

    A batch of a game with chance needs ``position(game)``, a copy of one game; others start all games alike.
    """
    rng = np.random.default_rng(3)
    batch = game.batch(num_games, 3)
    single: Callable[[int], Position] = getattr(batch, "position", lambda index: game.new(index))
    positions = [single(index) for index in range(num_games)]
    while True:
        _compare(game, batch, positions)
        live = np.flatnonzero(batch.player != GAME_OVER)
        live = live[rng.random(len(live)) < 0.8] if len(live) > 1 else live
        if not len(live):
            if (batch.player == GAME_OVER).all():
                break
            continue
        actions = game.policy("random").act_batch(batch, live, rng)
        assert batch.is_legal(live, actions).all(), "the random policy plays illegal actions"
        batch.step(live, actions)
        for index, action in zip(live, actions, strict=True):
            positions[index].push(int(action))
    _check_batch_reset(game, batch)


def check_pettingzoo(game: Game) -> None:
    """PettingZoo's api, seed and state tests; spaces are stable."""
    with _quiet():
        for reward in ("win", "dense_margin"):
            api_test(wrap(GameAECEnv(game, reward=reward)), num_cycles=CYCLES)
        seed_test(lambda: wrap(GameAECEnv(game)), num_cycles=CYCLES)
        env = wrap(GameAECEnv(game, on_illegal="random"))  # state_test samples without mask
        state_test(env, turn_based_aec_to_parallel(wrap(GameAECEnv(game))), num_cycles=CYCLES)
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)


def check_render(game: Game) -> None:
    """PettingZoo's render test (without a screen), and SVG if the game draws it."""
    driver = os.environ.get("SDL_VIDEODRIVER")
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    try:
        with _quiet():
            render_test(lambda render_mode: wrap(GameAECEnv(game, render_mode=render_mode)))
    finally:
        del os.environ["SDL_VIDEODRIVER"]
        if driver is not None:
            os.environ["SDL_VIDEODRIVER"] = driver
    for player in (None, 0):
        assert isinstance(game.new(0).render("ansi", player), str)


def check_gymnasium(game: Game) -> None:
    """Gymnasium's and Stable-Baselines3's check_env, which sample without mask."""
    answers: tuple[OnIllegal, ...] = ("lose", "random")
    for on_illegal in answers:
        for mask_in_obs in (False, True):
            with _quiet():
                env = SinglePlayerEnv(game, on_illegal=on_illegal, mask_in_obs=mask_in_obs)
                gymnasium_check_env(env, skip_render_check=True)
                if _sb3_takes(env.observation_space):
                    sb3_check_env(env)


def check_copies(game: Game) -> None:
    """Pickles and deep copies of running environments go on like the original."""
    for clone in (copy.deepcopy, _pickled):
        aec, single = GameAECEnv(game), SinglePlayerEnv(game, reward="dense_margin")
        many = SelfPlayVecEnv(game, 3, ("self", "random"))
        aec.reset(seed=4)
        single.reset(seed=4)
        many.reset()
        for play in (_play_aec, _play_single, _play_many):
            env = {_play_aec: aec, _play_single: single, _play_many: many}[play]
            play(env, 2)
            other = clone(env)
            assert data_equivalence(play(env, 6), play(other, 6)), f"a copy of {type(env).__name__} goes on otherwise"


def check_rewards(game: Game) -> None:
    """Dense rewards sum to the final margin, in every adapter."""
    aec = GameAECEnv(game, reward="dense_margin")
    aec.reset(seed=5)
    total = dict.fromkeys(aec.possible_agents, 0.0)
    rng = np.random.default_rng(5)
    while not any(aec.terminations.values()):
        aec.step(int(rng.choice(aec.legal_actions(aec.agent_selection))))
        total = {agent: value + aec.rewards[agent] for agent, value in total.items()}
    last = aec.position
    expected = margin(last.player_scores(), last.places(), game.teams)
    assert np.allclose(list(total.values()), expected), "rewards of the AEC environment don't sum to the margin"
    _check_many_rewards(game)


def check_hidden_information(game: Game, redeal: Redeal | None = None) -> None:
    """What a player sees, and may do, does not depend on what is hidden.

    Games that start differently with other seeds need `redeal`.
    """
    states = [game.new(seed).full_state() for seed in range(5)]
    if redeal is None:
        assert all(np.array_equal(state, states[0]) for state in states), "this game has chance: give redeal"
        return
    rng = np.random.default_rng(6)
    differ = False
    for position in _random_game(game, 6):
        for player in range(game.num_players):
            other = redeal(position, player, rng)
            differ |= not np.array_equal(position.full_state(), other.full_state())
            assert data_equivalence(position.observe(player), other.observe(player)), "observe shows what is hidden"
            assert position.render("ansi", player) == other.render("ansi", player), "render shows what is hidden"
            if player == position.player:
                ids, others = (one.view(player).legal_actions() for one in (position, other))
                assert np.array_equal(ids, others), "legal actions depend on what is hidden"
    assert differ, "redeal has changed nothing"


CHECKS: dict[str, Callable[[Game], None]] = {
    "protocol": check_protocol,
    "positions": check_positions,
    "illegal_actions": check_illegal_actions,
    "batch": check_batch,
    "pettingzoo": check_pettingzoo,
    "render": check_render,
    "gymnasium": check_gymnasium,
    "copies": check_copies,
    "rewards": check_rewards,
}
"""All checks that need nothing but a game."""


def _random_game(game: Game, seed: int) -> Iterator[Position]:
    """Yield one running position before each ply and at the end."""
    rng = np.random.default_rng(seed)
    position = game.new(seed)
    while True:
        yield position
        if position.is_over:
            return
        ply = position.ply
        position.push(int(rng.choice(position.legal_actions())))
        assert position.ply == ply + 1


def _assert_array(array: NDArray[Any], dtype: type, shape: tuple[int, ...] | None) -> None:
    assert array.dtype == dtype and array.shape == shape, f"{array.dtype}{array.shape} should be {dtype}{shape}"


def _check_scores(game: Game, scores: NDArray[np.float64], places: NDArray[np.int64]) -> None:
    assert places.min() == 0, "nobody is first"
    for one in range(game.num_players):
        for two in range(game.num_players):
            if game.teams[one] == game.teams[two]:
                assert scores[one] == scores[two] and places[one] == places[two], "team-mates differ"
            elif scores[one] > scores[two]:
                assert places[one] < places[two], "a better score has no better place"


def _compare(game: Game, batch: BatchPosition, positions: list[Position]) -> None:
    games = np.arange(batch.num_games, dtype=np.int64)[::-1].copy()
    ids, packed, dense = batch.legal_ids(games), batch.packed_masks(games), batch.dense_masks(games)
    _assert_array(ids, np.int32, (len(games), max(len(position.legal_actions()) for position in positions)))
    _assert_array(packed, np.uint8, (len(games), (game.num_actions + 7) // 8))
    _assert_array(dense, np.int8, (len(games), game.num_actions))
    assert np.array_equal(packed, np.packbits(dense, axis=1, bitorder="little")), "packed and dense masks differ"
    scores, places = batch.player_scores(games), batch.places(games)
    players = np.arange(len(games)) % game.num_players
    seen = batch.observe(games, players)
    for row, index in enumerate(games):
        position = positions[index]
        legal = position.legal_actions()
        assert batch.player[index] == position.player and batch.num_legal[index] == len(legal)
        assert np.array_equal(ids[row][ids[row] >= 0], legal), "legal_ids differ"
        assert np.array_equal(np.flatnonzero(dense[row]), legal), "dense masks differ"
        assert np.array_equal(scores[row], position.player_scores()), "scores differ"
        assert np.array_equal(places[row], position.places()), "places differ"
        assert _same_row(seen, row, position.observe(int(players[row]))), "observations of given players differ"
    live = games[batch.player[games] != GAME_OVER]
    if len(live):
        seen = batch.observe(live)
        for row, index in enumerate(live):
            assert _same_row(seen, row, positions[index].observe(positions[index].player)), "observations differ"


def _same_row(stacked: Any, row: int, single: Any) -> bool:
    if isinstance(single, dict):
        return all(_same_row(stacked[key], row, part) for key, part in single.items())
    return stacked.dtype == single.dtype and np.array_equal(stacked[row], single)


def _check_batch_reset(game: Game, batch: BatchPosition) -> None:
    games = np.array([1, 0], dtype=np.int64)
    batch.reset(games)
    assert (batch.player[games] != GAME_OVER).all(), "reset has not started the games"
    assert (batch.player[2:] == GAME_OVER).all(), "reset has started other games"
    everything = np.arange(batch.num_games, dtype=np.int64)
    seen = []
    for _ in range(2):
        batch.seed(7)
        batch.reset(everything)
        seen.append(batch.observe(everything))
    assert data_equivalence(seen[0], seen[1]), "seed does not restart the chance"
    illegal = np.full(2, game.num_actions, dtype=np.int32)
    assert not batch.is_legal(games, illegal).any() and not batch.is_legal(games, -illegal).any()


def _sb3_takes(space: gymnasium.Space[Any]) -> bool:
    nested = isinstance(space, gymnasium.spaces.Dict) and any(
        isinstance(part, gymnasium.spaces.Dict) for part in space.spaces.values()
    )
    return not nested


def _quiet() -> warnings.catch_warnings[Any]:
    """Silence what the libraries say about dict observations and unmasked samples."""
    return warnings.catch_warnings(action="ignore")


def _pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


def _play_aec(env: Any, plies: int) -> list[Any]:
    seen = []
    for _ in range(plies):
        agent = env.agent_selection
        legal = env.legal_actions(agent)
        env.step(int(legal[len(legal) // 2]) if len(legal) else None)
        if not env.agents:
            env.reset()
        seen.append([env.last(), env.agent_selection])
    return seen


def _play_single(env: Any, steps: int) -> list[Any]:
    seen = []
    for _ in range(steps):
        legal = env.legal_actions()
        seen.append(env.step(int(legal[len(legal) // 2])))
        if seen[-1][2]:
            seen.append(env.reset())
    return seen


def _play_many(env: Any, steps: int) -> list[Any]:
    return [(*env.step(env.action_masks().argmax(1)), env.player, env.sign) for _ in range(steps)]


def _check_many_rewards(game: Game) -> None:
    env = SelfPlayVecEnv(game, 3, ("self", "random"), seed=8)
    env.reset()
    total = np.zeros((3, game.num_players))
    for _ in range(10_000):
        _, _, dones, infos = env.step(env.action_masks().argmax(1))
        total += env.reward_by_player
        for slot in np.flatnonzero(dones):
            outcome = infos[slot]["outcome"]
            expected = margin(np.array(outcome["scores"]), np.array(outcome["places"]), game.teams)
            assert np.allclose(total[slot], expected), "rewards of the batch environment don't sum to the margin"
            total[slot] = 0
        if dones.any():
            return
    raise AssertionError("no game has ended")
