"""The search for Blockers: budgets, repeatability, utilities and values of every seat, what it finds."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from agents.blockers import ismcts, make
from agents.blockers.heuristic import HeuristicAgent
from agents.blockers.ismcts import CHUNK, Findings, ISMCTSAgent, Settings, parse_budget
from blockers_env import State
from blockers_env.batch import Batch
from blockers_env.variants import SCORINGS, TIE_BREAKS, Options
from tests.blockers.positions import IDS, OPTIONS, SKIPPING, from_text, random_state, setup
from tests.blockers.test_determinize import greedy_state

TWO = Options(num_players=2)
SHARE = Settings(margin_weight=0.0)  # the utility is the share of the win


def search(agent: ISMCTSAgent, state: State, seed: int = 0, whole: bool = True) -> Findings:
    view = state.view(state.player)
    return agent.search(view.options, view.tables, view.records, np.random.default_rng(seed), whole)


def act(agent: Any, state: State, seed: int = 0) -> int:
    return int(agent.act(state.view(state.player), np.random.default_rng(seed)))


# Budgets


@pytest.mark.parametrize(
    "budget",
    [
        {},
        {"simulations": 10, "seconds": 1.0},
        *({"simulations": value} for value in (0, -1, 2.5, 2.0, math.nan, True, "10", [10])),
        *({"seconds": value} for value in (0, 0.0, -1.0, math.nan, math.inf, -math.inf, True, "1", np.float32("inf"))),
    ],
    ids=str,
)
def test_what_is_no_budget_is_refused(budget: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^got .*: expected"):
        ISMCTSAgent(**budget)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2000", {"simulations": 2000}),
        ("1s", {"seconds": 1.0}),
        ("0.25s", {"seconds": 0.25}),
        (".5s", {"seconds": 0.5}),
    ],
)
def test_budgets_as_text(text: str, expected: dict[str, Any]) -> None:
    assert parse_budget(text) == expected
    agent = make(f"ismcts:{text}")
    assert isinstance(agent, ISMCTSAgent)
    assert {name: getattr(agent, name) for name in expected} == expected
    again = make(agent.name)
    assert isinstance(again, ISMCTSAgent) and (again.simulations, again.seconds) == (agent.simulations, agent.seconds)


@pytest.mark.parametrize(
    "text", ["", "s", "0", "-5", "0s", "-1s", "nan", "nans", "infs", "1e3", "1.5", "1_0", " 5", "5 ", "1 s", "2m", "٣"]
)
def test_what_is_no_budget_as_text_is_refused_with_the_agents_name(text: str) -> None:
    with pytest.raises(ValueError, match=r'^agent "ismcts:.*": .*expected'):
        make(f"ismcts:{text}")


def test_without_a_budget_it_searches_for_a_second() -> None:
    agent = make("ismcts")
    assert isinstance(agent, ISMCTSAgent) and agent.seconds == 1.0 and agent.name == "ismcts:1s"


@pytest.mark.parametrize("simulations", [1, CHUNK - 1, CHUNK, CHUNK + 1, 200, np.int64(5)])
def test_a_whole_search_does_all_its_simulations(simulations: int) -> None:
    findings = search(ISMCTSAgent(simulations), random_state(TWO, 10, 1))
    assert findings.simulations == findings.visits.sum() == simulations
    assert 1 < findings.nodes <= simulations + 1


def test_seconds_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    now = [100.0]
    monkeypatch.setattr(ismcts, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    grow = ismcts._Tree.grow

    def slow(tree: Any, count: int) -> None:
        grow(tree, count)
        done.append(count)
        now[0] += 7.0 if not count else count * 0.001  # the first call compiles; then a simulation takes 1 ms

    monkeypatch.setattr(ismcts._Tree, "grow", slow)
    findings = search(ISMCTSAgent(seconds=0.5), random_state(TWO, 10, 1))
    assert done[:2] == [0, 1] and max(done) == CHUNK
    assert 500 <= findings.simulations <= 501 and now[0] == pytest.approx(107.5, abs=0.0015)
    done.clear()
    assert search(ISMCTSAgent(seconds=1e-9), random_state(TWO, 10, 1)).simulations == 1


# The same again


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_a_seed_repeats_the_search_whatever_the_agent_did_before(options: Options) -> None:
    state, used = random_state(options, options.num_turns // 3, 3), ISMCTSAgent(150)
    for other in (random_state(TWO, 30, 1), random_state(OPTIONS[-2], 20, 2), state):
        act(used, other, seed=9)
    found = [search(agent, state, seed=4) for agent in (used, ISMCTSAgent(150), pickle.loads(pickle.dumps(used)))]
    for one in found[1:]:
        assert np.array_equal(one.actions, found[0].actions) and np.array_equal(one.visits, found[0].visits)
        assert np.array_equal(one.values, found[0].values)
    assert not np.array_equal(search(used, state, seed=5).values, found[0].values)


def test_one_agent_searches_in_several_threads() -> None:
    agent = ISMCTSAgent(400)
    states = [random_state(options, 20, seed) for seed, options in enumerate(OPTIONS)]
    alone = [search(agent, state).values.tolist() for state in states]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda state: search(agent, state).values.tolist(), states)) == alone


def test_agents_are_small_when_they_are_saved() -> None:
    agent = ISMCTSAgent(seconds=2.0, settings=SHARE)
    assert len(pickle.dumps(agent)) < 1000
    other = deepcopy(agent)
    assert (other.seconds, other.simulations, other.name, other.settings) == (2.0, None, "ismcts:2s", SHARE)


@pytest.mark.parametrize("options", OPTIONS, ids=IDS)
def test_ending_early_changes_no_choice(options: Options) -> None:
    agent, saved = ISMCTSAgent(200), 0
    for seed in range(4):
        state = random_state(options, options.num_turns * (seed + 1) // 6, seed)
        whole, early = search(agent, state), search(agent, state, whole=False)
        assert whole.best == early.best
        if len(state.legal_actions()) > 1:
            assert act(agent, state) == whole.best
        saved += whole.simulations - early.simulations
    assert saved >= 0


def test_the_root_is_left_as_it_was() -> None:
    state = random_state(Options(num_players=3), 20, 1)
    view = state.view(state.player)
    before = view.records.tobytes()
    ISMCTSAgent(50).act(view, np.random.default_rng(0))
    assert view.records.tobytes() == before


# Utilities: those of the scoring and the tie-break in force, for every seat


def slow_utility(state: State, player: int, settings: Settings) -> float:
    """Of a finished game, in plain Python."""
    captured = [
        sum(
            len(state.captured(seat, color))
            for color in range(state.options.num_colors)
            if state.options.owner(color) != seat
        )
        for seat in range(state.options.num_players)
    ]
    tie_break = state.options.tie_break == "fewest_captures"
    keys = [points + (count / 1000 if tie_break else 0) for points, count in zip(state.points(), captured, strict=True)]
    winners = [seat for seat, place in enumerate(state.places()) if place == 0]
    won = 1 / len(winners) if player in winners else 0
    margin = min(key for seat, key in enumerate(keys) if seat != player) - keys[player]
    close = 0.5 + 0.5 * math.tanh(margin / settings.margin_scale)
    return (1 - settings.margin_weight) * won + settings.margin_weight * close


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("players", [2, 3, 5, "two colors"])
def test_values_of_the_last_turn_are_its_utilities(players: Any, scoring: str, tie_break: str) -> None:
    """After the last turn nothing is open: the value of each move is what the game then is worth, in any seat."""
    two_colors = players == "two colors"
    options = Options(2 if two_colors else players, two_colors, scoring, tie_break)
    values = set()
    for seat in range(options.num_players):
        state = random_state(options, 30 + 8 * seat, seed=seat)
        records = state.records.copy()
        records["turn"], records["turns"] = seat, options.num_turns - 1
        records["captured"][0, :, : options.num_colors] &= 0b101010101  # some fewer, so that ties come up
        state._set(records)
        findings = search(ISMCTSAgent(300), state)
        for action, value in zip(findings.actions.tolist(), findings.values.tolist(), strict=True):
            after = state.copy()
            after.push(action)
            assert after.is_over
            assert value == pytest.approx(slow_utility(after, seat, Settings()), abs=1e-5)
            values.add(round(value, 4))
        worths = [slow_utility(_after(state, action), seat, Settings()) for action in state.legal_actions().tolist()]
        chosen = slow_utility(_after(state, findings.best), seat, Settings())
        assert chosen > max(worths) - 0.05 and max(worths) > min(worths)
    assert len(values) > 2


def _after(state: State, action: int) -> State:
    other = state.copy()
    other.push(action)
    return other


def exact(state: State) -> np.ndarray:
    """The share of the win of each player, if all know everything and each does its best."""
    if state.is_over:
        first = state.places() == 0
        return first / first.sum()
    player, best = state.player, None
    for action in state.legal_actions().tolist():
        state.push(action)
        value = exact(state)
        state.pop()
        if best is None or value[player] > best[player]:
            best = value
        if best[player] == 1:
            break
    assert best is not None
    return best


ENDINGS = [
    Options(num_players=2),
    Options(num_players=2, scoring="official", tie_break="fewest_captures"),
    Options(num_players=2, two_colors=True, scoring="uptown"),
    Options(num_players=3, scoring="uptown"),
]


@pytest.mark.parametrize("options", ENDINGS, ids=str)
def test_two_turns_before_the_end_it_plays_what_is_exactly_best(options: Options) -> None:
    """The piles are empty, so that every rack is known: all lines can be counted."""
    decisive, agent = 0, ISMCTSAgent(1500, settings=SHARE)
    for seed in range(12):
        state, rng, heuristic = State(options, seed=seed), np.random.default_rng(seed), HeuristicAgent()
        while state.turns < options.num_turns - 2:
            wild = rng.random() < 0.3
            state.push(int(rng.choice(state.legal_actions())) if wild else act(heuristic, state))
        values = {}
        for action in state.legal_actions().tolist():
            values[action] = exact(_after(state, action))[state.player]
        if min(values.values()) < max(values.values()):
            decisive += 1
            assert values[act(agent, state, seed)] == pytest.approx(max(values.values()))
    assert decisive >= 3


# Positions set up by hand: the last turn, or a sure thing


def last_turn(board: str, options: Options, rack: list[str], player: int = 0, **more: Any) -> State:
    """A position with one turn to go, that of `player`; letters are colors, P, Q, R …"""
    return setup(options, from_text(board, "PQRST"), {player: rack}, player=player, turns=options.num_turns - 1, **more)


JOIN = """
    P.P......
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    Q.Q......
"""


@pytest.mark.parametrize("agent", ["heuristic", "ismcts:200"])
@pytest.mark.parametrize(("player", "square"), [(0, "A2"), (1, "I2")])
def test_a_sure_win_in_one_is_found(agent: str, player: int, square: str) -> None:
    """Joining makes one group against two; whatever else makes two or three."""
    state = last_turn(JOIN, Options(num_players=2, scoring="uptown"), ["2", "E", "#4", "9", "F"], player)
    action = act(make(agent), state)
    assert state.text(action) == f"2@{square}"
    assert _after(state, action).outcome().winners == (player,)


CAPTURE = """
    PQP......
    .........
    .........
    .........
    .........
    .........
    .........
    .........
    Q.QQ.....
"""


@pytest.mark.parametrize("agent", ["heuristic", "ismcts:200"])
@pytest.mark.parametrize("scoring", SCORINGS)
def test_a_capture_that_pays_is_taken(agent: str, scoring: str) -> None:
    """Q's lone tile parts the own groups: replacing it saves a group, whatever it costs."""
    state = last_turn(CAPTURE, Options(num_players=2, scoring=scoring), ["2", "E", "#4", "9", "F"])
    action = act(make(agent), state)
    assert state.text(action) == "2@A2"


GROW_OR_TAKE = """
    PP.......
    Q........
    .........
    .........
    .........
    .........
    .........
    ........R
    ....QQ.RR
"""


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
def test_the_tie_break_in_force_is_weighed(tie_break: str) -> None:
    """A capture leads to a tie of three in points; with fewest captures it is lost, and growing shares the win."""
    options = Options(num_players=3, scoring="official", tie_break=tie_break)
    captured = {(0, 2): 1, (1, 0): 1, (2, 0): 1}  # one more of another color costs no point
    state = last_turn(GROW_OR_TAKE, options, ["1", "3", "#8", "E", "F"], captured=captured)
    findings = search(ISMCTSAgent(600, settings=SHARE), state)
    values = {state.text(a): v for a, v in zip(findings.actions.tolist(), findings.values.tolist(), strict=True)}
    assert values["3@A3"] == pytest.approx(1 / 2)
    assert values["1@B1"] == pytest.approx(1 / 3 if tie_break == "shared" else 0, abs=1e-6)
    assert state.text(findings.best) == "3@A3"


# Who may search, and when


@pytest.mark.parametrize("name", ["heuristic", "ismcts:50"])
def test_without_anything_to_choose_there_is_one_clear_error(name: str) -> None:
    agent, rng = make(name), np.random.default_rng(0)
    state = random_state(TWO, 10, 0)
    with pytest.raises(ValueError, match=r"does not know the actions of player 0: give it view\(0\)"):
        agent.act(state.view(1), rng)
    over = random_state(TWO, 99, 0)
    with pytest.raises(ValueError, match="the game is over"):
        agent.act(over.view(0), rng)
    with pytest.raises(ValueError, match="the game is over"):
        ISMCTSAgent(5).search(over.options, over.tables, over.records, rng)


def test_skipped_turns_are_met_in_the_search() -> None:
    agent, rng, skips = ISMCTSAgent(40), np.random.default_rng(0), 0
    for seed in range(6):
        state = greedy_state(SKIPPING, seed, 70)
        while not state.is_over:
            state.push(agent.act(state.view(state.player), rng))
        skips += sum(state.skips)
    assert skips > 0


def test_batches_are_searched_one_after_the_other() -> None:
    agent = ISMCTSAgent(60)
    for options in (Options(num_players=3), OPTIONS[7], SKIPPING):
        batch, games, rng = Batch(options, 5, seed=3), np.arange(5), np.random.default_rng(0)
        for _ in range(options.num_turns - 3):
            batch.step(games, batch.random_actions(games, rng.integers(0, 2**64, 1, np.uint64)))
            games = np.flatnonzero(batch.player >= 0)
        one, two = np.random.default_rng(7), np.random.default_rng(7)
        together = agent.act_batch(batch, games, one)
        views = [batch.position(game).view(int(batch.player[game])) for game in games.tolist()]
        assert together.dtype == np.int32 and together.tolist() == [agent.act(view, two) for view in views]
        assert one.random() == two.random()
        assert agent.act_batch(batch, games[:0], one).tolist() == []
