"""States that differ in hidden parts alone look the same to the player, in everything that a player can ask for."""

import pickle

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from blockers_env import State
from blockers_env.game import BlockersGame, BlockersPosition
from blockers_env.observation import LAYOUTS
from blockers_env.policies import POLICIES
from blockers_env.tables import STATE_DTYPE
from blockers_env.variants import Options
from blokus_env.adapters.aec import GameAECEnv
from tests.blockers.positions import IDS, OPTIONS, random_state, same_records


def altered(state: State, player: int, rng: np.random.Generator) -> State:
    """A copy in which unseen tiles of others are mixed between rack and pile, and the own piles are shuffled."""
    options, records = state.options, state.records.copy()
    for color in range(options.num_colors):
        deal, drawn = records["deal"][0, color], int(records["drawn"][0, color])
        own = options.owner(color) == player
        tiles = state.pile(color) if own else state.unseen(color)
        places = [place for place in range(options.num_tiles) if deal[place] in tiles]
        deal[places] = rng.permutation(tiles)
        if not own and drawn < options.num_tiles:
            records["rack"][0, color] = sum(1 << int(deal[place]) for place in places if place < drawn)
    other = state.copy()
    other._set(records)
    return other


def positions(options: Options, part: float, layout: str, player: int) -> tuple[BlockersPosition, BlockersPosition]:
    """Two positions that `player` cannot tell apart."""
    game = BlockersGame(options, observation=layout)
    state = random_state(options, int(part * options.num_turns), seed=int(100 * part))
    other = altered(state, player, np.random.default_rng(player))
    return BlockersPosition.of(game, state), BlockersPosition.of(game, other)


@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_nothing_hidden_is_seen(options: Options, layout: str, part: float) -> None:
    for player in range(options.num_players):
        one, other = positions(options, part, layout, player)
        assert one != other and not np.array_equal(one.full_state(), other.full_state())
        assert data_equivalence(one.observe(player), other.observe(player))
        for mode in ("ansi", "rgb_array", "svg"):
            assert data_equivalence(one.render(mode, player), other.render(mode, player)), mode
        views = one.view(player), other.view(player)
        assert same_records(views[0].records, views[1].records)
        assert pickle.dumps(views[0]) == pickle.dumps(views[1])
        assert str(views[0]) == str(views[1]) and views[0]._repr_svg_() == views[1]._repr_svg_()
        assert np.array_equal(views[0].legal_actions(), views[1].legal_actions())
        if player != one.player:
            assert len(views[0].legal_actions()) == 0 and not views[0].is_legal(int(one.legal_actions()[0]))
        for color in range(options.num_colors):
            assert views[0].rack(color) == views[1].rack(color)
            hidden = options.owner(color) != player and one.pile_count(color)
            assert (views[0].rack(color) is None) == bool(hidden)


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_masks_and_observations_of_environments(options: Options) -> None:
    for player in range(options.num_players):
        envs = []
        for position in positions(options, 0.5, "compact", player):
            env = GameAECEnv(position.game)
            env.reset(seed=1)
            env._position, env.agent_selection = position, f"player_{position.player}"
            env._forget()
            envs.append(env)
        agent = f"player_{player}"
        assert data_equivalence(*(env.observe(agent) for env in envs))
        assert data_equivalence(*(env.infos[agent] for env in envs))
        assert envs[0].observe(agent)["action_mask"].any() == (player == envs[0].position.player)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_agents_act_alike(options: Options, name: str) -> None:
    for part in (0.2, 0.5, 0.8):
        state = random_state(options, int(part * options.num_turns), seed=3)
        other = altered(state, state.player, np.random.default_rng(4))
        acts = [
            [POLICIES[name].act(one.view(one.player), np.random.default_rng(seed)) for seed in range(10)]
            for one in (state, other)
        ]
        assert acts[0] == acts[1]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_own_rack_and_known_racks_are_seen(layout: str) -> None:
    """What a player does know shows: another own rack, or another move of an opponent."""
    game = BlockersGame(Options(num_players=2), observation=layout)
    one, two = game.new(1), game.new(2)
    assert not data_equivalence(one.observe(0), two.observe(0))
    assert one.render("ansi", 0) != two.render("ansi", 0)
    assert not np.array_equal(one.render("rgb_array", 0), two.render("rgb_array", 0))
    others = []
    for index in (0, 5):
        other = one.copy()
        other.push(int(one.legal_actions()[index]))
        others.append(other.observe(1))
    assert not data_equivalence(*others)


def test_a_view_is_read_only_and_knows_its_player_alone() -> None:
    view = random_state(Options(num_players=3), 20, seed=2).view(1)
    assert not hasattr(view, "push") and not hasattr(view, "pile") and not hasattr(view, "deal")
    with pytest.raises(ValueError, match="view of player 1"):
        view.observe(2)
    with pytest.raises(ValueError, match="player 3 does not exist"):
        State(num_players=3).view(3)
    known = view.records["deal"][0]
    assert (known[[0, 2]] == -1).all() and (known[1][int(view.records["drawn"][0, 1]) :] == -1).all()
    other = pickle.loads(pickle.dumps(view))
    assert same_records(other.records, view.records) and other.viewer == 1 and other.rack(1) == view.rack(1)


def test_records_have_no_gaps() -> None:
    """Else what lies between two fields would differ from state to state, and between equal views."""
    assert STATE_DTYPE.itemsize == sum(STATE_DTYPE[name].itemsize for name in STATE_DTYPE.names)


# Chance: fixed by the seed at reset, whatever the players do


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_players_choices_do_not_change_the_piles(options: Options) -> None:
    games = []
    for choices in (1, 2):
        state, rng = State(options, seed=11), np.random.default_rng(choices)
        deal = state.deal()
        while not state.is_over:
            state.push(int(rng.choice(state.legal_actions())))
            assert np.array_equal(state.deal(), deal)
            for color in range(options.num_colors):
                drawn = set(deal[color, : options.num_tiles - state.pile_count(color)].tolist())
                played = set(range(options.num_tiles)) - set(state.unseen(color))
                assert set(state.rack(color)) == drawn - played
        games.append((deal, state.actions))
    assert np.array_equal(games[0][0], games[1][0]) and games[0][1] != games[1][1]
    assert not np.array_equal(State(options, seed=12).deal(), games[0][0])


def test_piles_are_shuffled_uniformly() -> None:
    """Every tile comes first about equally often, for every color."""
    game, number = BlockersGame(num_players=2), 5600
    deals = game.batch(number, seed=3).records["deal"][:, :2]
    for color in (0, 1):
        for place in (0, 4, 5, 27):
            counts = np.bincount(deals[:, color, place], minlength=28)
            chi = ((counts - number / 28) ** 2 / (number / 28)).sum()
            assert abs(chi - 27) < 5 * np.sqrt(2 * 27)
    assert (deals[:, 0] == deals[:, 1]).mean() < 0.05


def test_environments_deal_by_their_seed() -> None:
    envs = [GameAECEnv(BlockersGame()) for _ in range(3)]
    for env, seed in zip(envs, (5, 5, 6), strict=True):
        env.reset(seed=seed)
    deals = [env.position.deal() for env in envs]
    assert np.array_equal(deals[0], deals[1]) and not np.array_equal(deals[0], deals[2])
    envs[0].step(int(envs[0].legal_actions("player_0")[0]))
    for env in envs[:2]:
        env.reset()  # the next game of the same environment
    assert np.array_equal(envs[0].position.deal(), envs[1].position.deal())
    assert not np.array_equal(envs[0].position.deal(), deals[0])
