"""Public names, options that go together, actions and their text, environments by their ids."""

import itertools
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest

import blockers_env
from blockers_env import Batch, BlockersGame, IllegalActionError, Options, State, make_options
from blockers_env.tiles import SQUARE_NAMES, TILE_NAMES, squares_of
from blockers_env.variants import DESCRIPTIONS
from tests.blockers.positions import IDS, OPTIONS, random_state, setup

LOADED_WHEN_ASKED = ["numba", "pettingzoo", "torch", "stable_baselines3", "matplotlib", "pygame"]
EVERY_NAME_TWICE = """
import importlib, pkgutil, blockers_env
before = {name: getattr(blockers_env, name) for name in blockers_env.__all__}
for module in pkgutil.iter_modules(blockers_env.__path__):
    if module.name not in ("__main__", "vec_env"):
        importlib.import_module(f"blockers_env.{module.name}")
changed = [name for name, value in before.items() if getattr(blockers_env, name) is not value]
assert not changed, changed
"""


def run(code: str) -> None:
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_import_loads_little() -> None:
    run(f"import sys, blockers_env; found = set({LOADED_WHEN_ASKED}) & set(sys.modules); assert not found, found")


def test_public_names_stay_what_they_are() -> None:
    run(EVERY_NAME_TWICE)
    with pytest.raises(AttributeError, match="blockers_v9"):
        _ = blockers_env.blockers_v9
    assert set(blockers_env.__all__) <= set(dir(blockers_env))


# Options


def test_every_combination_is_a_game_or_one_clear_error() -> None:
    values = {name: allowed for name, (allowed, _) in DESCRIPTIONS.items() if name != "rack_size"}
    accepted = 0
    for row in itertools.product(*values.values()):
        options = dict(zip(values, row, strict=True))
        sensible = options["num_players"] == 2 if options["two_colors"] else options["capture_own_other_color"]
        if sensible:
            assert make_options(options).as_dict() == {**options, "rack_size": 5}
            accepted += 1
        else:
            with pytest.raises(ValueError, match="two_colors"):
                make_options(options)
    assert accepted == 4 * 3 * 2 * 2 + 3 * 2 * 2 * 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 6}, "num_players=6 is not possible: choose one of"),
        ({"num_players": True}, "num_players=True is not possible"),
        ({"rack_size": 0}, "rack_size=0 is not possible"),
        ({"rack_size": 9}, "rack_size=9 is not possible"),
        ({"scoring": "chess"}, "scoring='chess' is not possible: choose one of 'sheet', 'official', 'uptown'"),
        ({"tie_break": None}, "tie_break=None is not possible"),
        ({"wild": 1}, "wild=1 is not possible"),
        ({"players": 2}, "unknown option 'players': choose among num_players"),
        ({"two_colors": True}, "two_colors=True is a game of two: got num_players=4, expected 2"),
        ({"capture_own_other_color": False}, "capture_own_other_color=False means nothing without two_colors=True"),
    ],
)
def test_options_that_are_refused(options: dict[str, object], message: str) -> None:
    for make in (make_options, State, BlockersGame):
        with pytest.raises(ValueError, match=message):
            make(**options)
    with pytest.raises(ValueError, match=message):
        make_options(options)


@pytest.mark.parametrize("rack_size", range(1, 9))
def test_rack_sizes_make_games_of_fixed_length(rack_size: int) -> None:
    for wild, two_colors in itertools.product((True, False), (True, False)):
        options = Options(num_players=2, rack_size=rack_size, wild=wild, two_colors=two_colors)
        turns = (1 + two_colors) * (27 + wild - (rack_size - 1))
        state = random_state(options, 999, seed=rack_size)
        assert state.turns == options.num_turns == 2 * turns
        assert state.ply + sum(state.skips) == 2 * turns


# Actions


@pytest.mark.parametrize(
    ("options", "number"),
    [
        (Options(), 324),
        (Options(wild=False), 243),
        (Options(num_players=2, two_colors=True), 648),
        (Options(num_players=2, two_colors=True, wild=False), 486),
    ],
)
def test_actions_are_the_distinct_pairs(options: Options, number: int) -> None:
    game, state = BlockersGame(options), State(options)
    assert game.num_actions == options.num_actions == number
    pairs = []
    for which in range(options.colors_each):
        for tile in range(options.num_tiles):
            pairs += [(which, tile, square) for square in squares_of(tile)]
    tables = state.tables
    assert list(zip(tables.which.tolist(), tables.tile.tolist(), tables.square.tolist(), strict=True)) == pairs
    assert [tables.action_of[pair] for pair in pairs] == list(range(number))
    images = game.action_image
    assert len({tuple(image) for image in images.tolist()}) == number
    for action, (which, tile, square) in enumerate(pairs):
        assert images[action].tolist() == [28 * which + tile, *divmod(square, 9)]
        text = f"{TILE_NAMES[tile]}@{SQUARE_NAMES[square]}"
        assert state.text(action) == (f"{('blue', 'red')[which]}:{text}" if options.two_colors else text)
        for written in (state.text(action), state.text(action).upper(), f" {state.text(action).lower()} "):
            assert state.parse(written) == action


def test_the_wild_tile_matches_every_square_and_others_nine() -> None:
    assert [len(squares_of(tile)) for tile in range(28)] == [9] * 27 + [81]
    assert [SQUARE_NAMES[square] for square in squares_of(TILE_NAMES.index("7"))] == [f"{row}7" for row in "ABCDEFGHI"]
    assert [SQUARE_NAMES[square] for square in squares_of(TILE_NAMES.index("C"))] == [f"C{n}" for n in range(1, 10)]
    expected = [f"{row}{column}" for row in "DEF" for column in (7, 8, 9)]
    assert [SQUARE_NAMES[square] for square in squares_of(TILE_NAMES.index("#5"))] == expected


def test_full_racks_on_an_open_board_have_the_most_actions() -> None:
    state = setup(Options(num_players=2), {}, {0: ["1", "B", "#3", "D", "*"]})
    assert len(state.legal_actions()) == 117 == state.tables.most_legal


# State


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_push_and_pop_are_inverse(options: Options) -> None:
    state = random_state(options, 999, seed=6)
    again, kept = State(options, seed=6), []
    for action in state.actions:
        kept.append((again.copy(), again.legal_actions(), again.skipped))
        again.push(again.text(action))
    assert again == state and again.is_over and again.outcome() == state.outcome()
    state = pickle.loads(pickle.dumps(state))
    for action, (before, legal, skipped) in zip(reversed(again.actions), reversed(kept), strict=True):
        assert state.pop() == action
        assert state == before and hash(state) == hash(before) and state.skipped == skipped
        assert np.array_equal(state.legal_actions(), legal)
    with pytest.raises(IndexError, match="at its start"):
        state.pop()


def test_illegal_pushes_change_nothing() -> None:
    state = random_state(Options(num_players=2), 10, seed=1)
    before = pickle.dumps(state)
    for wrong in (-1, 324, 10**9, "1@A2", "7@C7x", next(a for a in range(324) if not state.is_legal(a))):
        with pytest.raises(ValueError):
            state.push(wrong)
    assert pickle.dumps(state) == before
    over = random_state(Options(num_players=2), 999, seed=1)
    with pytest.raises(IllegalActionError, match=r"the game is over.*\(E1\)"):
        over.push("1@A1")


def test_deals_are_checked() -> None:
    deal = State(num_players=2, seed=3).deal()
    assert State(num_players=2, deal=deal) == State(num_players=2, seed=3)
    deal[1, 0] = deal[1, 1]
    for wrong in (deal, deal[:1], [[0, 1], [1, 0]]):
        with pytest.raises(ValueError, match="deal is no order of all tiles of each color: expected 2 rows"):
            State(num_players=2, deal=wrong)


WRONG_INDICES = (-1, 2, 9, 10**30, 1.0, None, "red", [0])


@pytest.mark.parametrize("wrong", WRONG_INDICES, ids=repr)
def test_players_and_colors_that_do_not_exist(wrong: Any) -> None:
    """Also for the kernels, which check nothing: some of these would write where they must not."""
    game = BlockersGame(num_players=2)
    position, batch = game.new(3), game.batch(2)
    view = position.view(0)
    for ask in (
        position.view,
        position.observe,
        lambda player: position.captured(player, 0),
        lambda p: view.action_color(0, p),
    ):
        if not (wrong is None and ask not in (position.view, position.observe)):
            with pytest.raises(ValueError, match=r"player .* does not exist: expected 0 … 1"):
                ask(wrong)
    with pytest.raises(ValueError, match=r"color .* does not exist: expected 0 … 1"):
        position.captured(0, wrong)
    for name in ("rack", "pile", "unseen", "rack_count", "pile_count", "is_closed"):
        for one in (position, view):
            if hasattr(one, name):
                with pytest.raises(ValueError, match=r"color .* does not exist: expected 0 … 1"):
                    getattr(one, name)(wrong)
    if wrong is not None:
        with pytest.raises(ValueError, match="does not exist"):
            position.legal_actions(wrong)
        for mode in ("ansi", "rgb_array", "svg"):
            with pytest.raises(ValueError, match="does not exist"):
                position.render(mode, wrong)
    for players in ([0, 2], [-1, 0], [0], [[0, 1]]):
        with pytest.raises(ValueError, match="players="):
            batch.observe(batch.all_games, np.array(players))


@pytest.mark.parametrize("wrong", [1.0, 1.5, None, "7@C7", [1], b"1"], ids=repr)
def test_what_is_no_action_id(wrong: Any) -> None:
    for one in (State(num_players=2), State(num_players=2).view(0)):
        for ask in (one.is_legal, one.text, one.action_color):
            with pytest.raises(IllegalActionError, match="is no action id"):
                ask(wrong)
    assert State().text(np.int64(3)) == State().text(3)
    for text in (None, 5, b"7@C7", "", "7@", "10@A1", "#9@A1", "*@J1", "٣@A3", "red:7@C7", "7@C7;", "7 @C7"):
        with pytest.raises(ValueError, match=r"is no action: expected a tile and a square such as '7@C7'"):
            State().parse(text)


@pytest.mark.parametrize("seed", [-1, 1.5, "a", [1]], ids=repr)
def test_what_is_no_seed(seed: Any) -> None:
    for make in (lambda: State(seed=seed), lambda: BlockersGame().new(seed), lambda: Batch(None, 2, seed)):
        with pytest.raises(ValueError, match=r"seed=.* is not possible: expected an integer of at least 0"):
            make()


def test_without_a_seed_games_differ() -> None:
    assert len({State(seed=None) for _ in range(4)}) == 4 and State() == State(seed=0)


def test_what_is_no_view_and_no_generator() -> None:
    state = State(num_players=2)
    with pytest.raises(ValueError, match=r"is no view of a player: expected state.view\(player\)"):
        State.determinize(state, np.random.default_rng(0))  # type: ignore[arg-type]
    for wrong in (None, 5, np.random.RandomState(0)):
        with pytest.raises(ValueError, match="is no random generator"):
            state.view(0).determinize(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="observation='foo' is unknown"):
        state.view(0).observe(layout="foo")
    for options in (5, "duo", [("num_players", 2)]):
        with pytest.raises(ValueError, match="expected Options, a mapping of options, or None"):
            make_options(options)  # type: ignore[arg-type]


# Environments by name


def test_pettingzoo_module() -> None:
    from blockers_env import blockers_v0

    env = blockers_v0.env(num_players=3, two_colors=False, reward="margin")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert env.unwrapped.metadata["name"] == "blockers_v0" and len(env.possible_agents) == 3
    assert blockers_env.env(num_players=5).possible_agents[-1] == "player_4"


def test_gymnasium_ids() -> None:
    env = gymnasium.make("blockers_env/Blockers-v0", num_players=2, opponents="greedy", render_mode="rgb_array")
    _, info = env.reset(seed=3)
    done = False
    while not done:
        _, reward, done, _, info = env.step(env.action_space.sample(info["action_mask"]))
    assert env.render().dtype == np.uint8 and reward in (-1, 0, 1) and len(info["outcome"]["places"]) == 2
    many = gymnasium.make_vec("blockers_env/Blockers-v0", 8, "vector_entry_point", num_players=3, mask_format="ids")
    _, infos = many.reset(seed=3)
    for _ in range(30):
        _, _, terminated, _, infos = many.step(infos["action_mask"][:, 0])
    assert terminated.shape == (8,)


SEATS: list[dict[str, Any]] = [{"num_players": n} for n in (2, 3, 4, 5)] + [{"num_players": 2, "two_colors": True}]


@pytest.mark.parametrize("mask_format", ["ids", "packed", "dense"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("seats", SEATS, ids=lambda seats: ",".join(map(str, seats.values())))
def test_vector_environments_of_all_seats(seats: dict[str, Any], mode: str, mask_format: str) -> None:
    """Games end and begin again in all modes, with the same results from masks of all formats and any threads."""
    results = []
    for threads, masks in ((1, "ids"), (2, mask_format)):
        env = gymnasium.make_vec(
            "blockers_env/Blockers-v0",
            130,
            "vector_entry_point",
            opponents=["greedy", "random"],
            mask_format=masks,
            autoreset_mode=mode,
            num_threads=threads,
            **seats,
        )
        observations, infos = env.reset(seed=3)
        ended, rewards = 0, []
        for _ in range(60 if "two_colors" in seats else 32):
            row = infos["action_mask"]
            if masks == "ids":
                actions = row[:, 0]
            elif masks == "packed":
                actions = np.unpackbits(row, axis=1, bitorder="little").argmax(1)
            else:
                actions = row.argmax(1)
            observations, reward, terminated, _, infos = env.step(actions)
            assert env.observation_space.contains(observations)
            ended += int(terminated.sum())
            rewards.append(reward.tolist())
            if mode == "Disabled" and terminated.any():
                observations, infos = env.reset(options={"reset_mask": terminated})
        assert ended >= 130
        results.append(rewards)
    assert results[0] == results[1]


def test_stable_baselines_environment() -> None:
    from blockers_env import SelfPlayVecEnv

    env = SelfPlayVecEnv(8, num_players=3, opponents=["self", "greedy"], reward="dense_margin", seed=4)
    env.reset()
    assert set(env.observation_space.spaces) == {"board", "pieces"} and env.action_space.n == 324
    total, ended = np.zeros((8, 3)), 0
    for _ in range(100):
        masks = np.stack(env.env_method("action_masks"))
        _, _, dones, infos = env.step(masks.argmax(axis=1))
        total += env.reward_by_player
        for slot in np.flatnonzero(dones):
            scores = np.array(infos[slot]["outcome"]["scores"])
            others = [max(np.delete(scores, player)) for player in range(3)]
            assert np.allclose(total[slot], scores - others)
            total[slot] = 0
            ended += 1
    assert ended
