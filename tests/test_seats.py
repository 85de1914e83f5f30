"""Who places, who scores, who wins together: players, colors and teams are three things."""

import numpy as np
import pytest

from blokus_env import State, env, variant
from blokus_env.game import BlokusGame
from blokus_env.variants import VARIANTS
from tests.playing import random_state

FOUR = ("blue", "yellow", "red", "green")


def first_games(name: str, count: int, **options: str) -> list[State]:
    """Random games to their ends."""
    return [random_state(name, "any_corner", 999, seed, **options) for seed in range(count)]


def turns(state: State) -> list[tuple[int, int, int | None]]:
    """Color, player and team before each action of a game."""
    state, found = state.copy(), []
    while state.ply:
        state.pop()
        found.append((state.color, state.player, state.team))
    return found[::-1]


def test_two_players_have_two_colors_each() -> None:
    state = random_state("classic_2", "any_corner", 999, 3)
    assert all((player, team) == (color % 2, color % 2) for color, player, team in turns(state))
    scores = state.scores()
    assert state.player_scores().tolist() == [scores[0] + scores[2], scores[1] + scores[3]]
    assert state.outcome().player_scores == tuple(state.player_scores())


def test_teams_share_their_scores_and_their_rewards() -> None:
    for seed in range(3):
        state = random_state("classic_teams", "any_corner", 999, seed)
        assert all((player, team) == (color, color % 2) for color, player, team in turns(state))
        scores, of_player = state.scores(), state.player_scores().tolist()
        assert of_player[:2] == [scores[0] + scores[2], scores[1] + scores[3]]
        assert of_player[2:] == of_player[:2]
        places = state.places().tolist()
        assert places[:2] == places[2:] and min(places) == 0 and max(places) <= 1


@pytest.mark.parametrize("reward", ["win", "margin", "rank", "score", "dense_margin"])
def test_rewards_of_a_team_are_one(reward: str) -> None:
    game = env("classic_teams", reward=reward)
    game.reset(seed=1)
    actions, total = iter(random_state("classic_teams", "any_corner", 999, 1).actions), np.zeros(4)
    for agent in game.agent_iter():
        _, gained, termination, _, _ = game.last()
        total[game.unwrapped.possible_agents.index(agent)] += gained
        game.step(None if termination else next(actions))
    state = random_state("classic_teams", "any_corner", 999, 1)
    margin = state.player_scores()[0] - state.player_scores()[1]
    expected = {
        "score": state.player_scores()[:2],
        "win": np.sign([margin, -margin]),
        "rank": np.sign([margin, -margin]),
    }
    assert total[:2].tolist() == list(expected.get(reward, [margin, -margin]))
    assert total[2:].tolist() == total[:2].tolist()


@pytest.mark.parametrize("shared", FOUR)
def test_the_shared_color_is_played_in_turn_and_counts_for_nobody(shared: str) -> None:
    own = [name for name in FOUR if name != shared]
    for state in first_games("classic_3", 3, shared_color=shared):
        plays = 0
        for color, player, team in turns(state):
            assert team == player
            if state.color_names[color] == shared:
                assert player == plays % 3
                plays += 1
            else:
                assert player == own.index(state.color_names[color])
        assert plays > 3
        scores = dict(zip(state.color_names, state.scores().tolist(), strict=True))
        assert state.player_scores().tolist() == [scores[name] for name in own]
        assert len(state.scores()) == 4  # shown, not counted


def test_a_player_whose_color_is_blocked_still_plays_the_shared_one() -> None:
    found = 0
    for seed in range(12):
        state = State("classic_3")
        rng, blocked_when = np.random.default_rng(seed), {}
        while not state.is_over:
            for player in range(3):
                if state.is_blocked(player):
                    blocked_when.setdefault(player, state.ply)
            if state.color == 3 and state.player in blocked_when:
                assert len(state.legal_actions()) > 0
                assert len(state.legal_actions(state.player)) == 0
                found += 1
            state.push(int(rng.choice(state.legal_actions())))
    assert found > 0


def test_nobody_is_terminated_before_the_end() -> None:
    game = env("classic_3")
    game.reset(seed=0)
    for action in random_state("classic_3", "any_corner", 999, 2).actions:
        assert len(game.unwrapped.agents) == 3
        assert not any(game.unwrapped.terminations.values())
        game.step(action)
    assert all(game.unwrapped.terminations.values())


@pytest.mark.parametrize("name", VARIANTS)
def test_seats_of_a_batch_are_those_of_single_games(name: str) -> None:
    game, count = BlokusGame(name), 5
    batch, singles, rng = game.batch(count, 0), [game.new(0) for _ in range(count)], np.random.default_rng(1)
    for _ in range(100):
        assert batch.player.tolist() == [single.player for single in singles]
        assert batch.color.tolist() == [single.color for single in singles]
        running = np.flatnonzero(batch.player >= 0)
        if not len(running):
            break
        actions = np.array([rng.choice(singles[g].legal_actions()) for g in running], np.int32)
        batch.step(running, actions)
        for g, action in zip(running, actions.tolist(), strict=True):
            singles[g].push(action)
    assert (batch.player == -1).all()


@pytest.mark.parametrize("name", [name for name, row in VARIANTS.items() if row.num_colors == 4])
def test_skipped_players_are_named(name: str) -> None:
    """One entry for each color that was passed over, by the player who would have placed its piece."""
    state, rng, skipped = State(name), np.random.default_rng(4), 0
    while not state.is_over:
        before = state.color
        state.push(int(rng.choice(state.legal_actions())))
        if not state.is_over:
            passed = (state.color - before - 1) % 4
            assert len(state.skipped) == passed
            if name in ("classic", "classic_teams", "trigon"):
                assert state.skipped == tuple((before + 1 + k) % 4 for k in range(passed))
            skipped += passed
    assert skipped > 0


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: State("classic", shared_color="green"), "shared_color='green' does not apply to 'classic'"),
        (lambda: State("classic_3", shared_color="pink"), "choose one of 'green', 'blue', 'yellow', 'red'"),
        (
            lambda: State("junior", scoring="advanced"),
            "scoring='advanced' is unknown for 'junior': choose one of 'basic'",
        ),
        (lambda: State("trigon", start="fixed"), "start='fixed' is unknown for 'trigon': choose one of 'any_start'"),
        (lambda: State("classic_2", start="either"), "choose one of 'any_corner', 'fixed'"),
        (lambda: BlokusGame("duo", shared_color="purple"), "no color is shared there"),
        (lambda: env("trigon_3", observation="pixels"), "choose one of 'planes', 'compact'"),
        (lambda: env("trigon_3", color="red"), "color"),
        (lambda: variant("classic_4"), "unknown variant 'classic_4': choose one of 'duo', "),
    ],
)
def test_options_that_do_not_exist_are_refused(make: object, says: str) -> None:
    with pytest.raises((ValueError, TypeError), match=says):
        make()  # type: ignore[operator]
