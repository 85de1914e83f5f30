"""Matches between agents, fair and with intervals.

Strong play favors some seats, and two deterministic agents know only a few games. So every match starts from
*openings*: a few random plies, drawn by seed. Each opening is played once with every rotation of the seats, with the
same chance.

An agent that meets more seats than there are agents takes all the rest: of A and B with four players, A has one seat
and B the other three, in each of the four rotations.

Intervals are 95 %. Games of one opening are not independent, so the opening is the unit: that of the mean margin is the
normal interval over openings' means; that of a rate is Wilson's with the *effective* number of games p (1 - p) / se²,
se from the openings' means, at least the number of openings, at most that of games. So they never have zero width.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent
from blokus_env.adapters.protocol import GAME_OVER, BatchPosition, Game
from blokus_env.adapters.rewards import margin, win

Z95 = 1.959964
MAX_BATCH = 256  # games side by side


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class SeatResult:
    """What an agent reached in one seat."""

    seat: int
    games: int
    wins: int
    ties: int
    losses: int
    margin: float


@dataclass(frozen=True)
class AgentResult:
    """What an agent reached. A game counts once for each seat that the agent held in it."""

    name: str
    games: int
    wins: int  # sole first place
    ties: int  # shared first place
    losses: int
    win_rate: Estimate
    points: Estimate  # a tie is half a win
    score: float
    margin: Estimate  # own score minus the best other team's
    seats: tuple[SeatResult, ...]


@dataclass(frozen=True)
class MatchResult:
    """Results of all agents of a match."""

    game: str
    num_games: int
    openings: int
    opening_plies: int
    seed: int
    agents: tuple[AgentResult, ...]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def play_match(
    game: Game, agents: Sequence[Agent], num_games: int, opening_plies: int = 2, seed: int = 0
) -> MatchResult:
    """Play at least `num_games` games: as many openings as that takes, each with all rotations of seats."""
    if not 1 <= len(agents) <= game.num_players:
        raise ValueError(f"{game.name} has {game.num_players} players; got {len(agents)} agents")
    if num_games < 1 or opening_plies < 0:
        raise ValueError(f"expected at least one game and no negative plies; got {num_games} and {opening_plies}")
    rotations = seatings(len(agents), game.num_players)
    openings = -(-num_games // len(rotations))
    scores = np.zeros((len(rotations), openings, game.num_players))
    places = np.zeros(scores.shape, np.int64)
    for start in range(0, openings, MAX_BATCH):
        part = slice(start, min(start + MAX_BATCH, openings))
        size = part.stop - part.start
        draws = np.random.default_rng((seed, start)).random((opening_plies, size))
        for index, seating in enumerate(rotations):
            rng = np.random.default_rng((seed, start, index))
            batch = game.batch(size, seed=(seed + start) % 2**31)
            play_openings(batch, draws)
            play_out(batch, [agents[i] for i in seating], rng)
            every = np.arange(size)
            scores[index, part], places[index, part] = batch.player_scores(every), batch.places(every)
    outcomes, margins = win(scores, places, game.teams), margin(scores, places, game.teams)
    results = tuple(
        _agent_result(agent.name, rotations == index, outcomes, scores, margins) for index, agent in enumerate(agents)
    )
    return MatchResult(game.name, openings * len(rotations), openings, opening_plies, seed, results)


def seatings(num_agents: int, num_players: int) -> NDArray[np.int64]:
    """The agent in each seat, int64[rotations, P]; the last agent takes all seats that are left."""
    first = np.minimum(np.arange(num_players), num_agents - 1)
    return np.array(list(dict.fromkeys(tuple(np.roll(first, turn).tolist()) for turn in range(num_players))))


def play_openings(batch: BatchPosition, draws: NDArray[np.float64]) -> None:
    """Play random plies in all games; `draws` float64[plies, N] in [0, 1) choose among the legal actions."""
    for draw in draws:
        games = np.flatnonzero(batch.player != GAME_OVER)
        if len(games):
            place = (draw[games] * batch.num_legal[games]).astype(np.int64)
            batch.step(games, batch.legal_ids(games)[np.arange(len(games)), place])


def play_out(batch: BatchPosition, agents: Sequence[Agent], rng: np.random.Generator) -> None:
    """Play all games to their ends with `agents[player]` in the seats."""
    while True:
        player = batch.player.copy()
        if (player == GAME_OVER).all():
            return
        for agent in {id(agent): agent for agent in agents}.values():
            seats = [seat for seat, other in enumerate(agents) if other is agent]
            games = np.flatnonzero(np.isin(player, seats))
            if len(games):
                batch.step(games, agent.act_batch(batch, games, rng))


def _agent_result(
    name: str, held: NDArray[np.bool_], outcomes: NDArray[Any], scores: NDArray[Any], margins: NDArray[Any]
) -> AgentResult:
    """One agent's results; `held`: bool[rotations, P], its seats; the other arrays: [rotations, openings, P]."""
    mask = np.broadcast_to(held[:, None, :], outcomes.shape)
    won, tied = outcomes == 1, outcomes == 0
    seats = tuple(
        _seat_result(seat, outcomes[held[:, seat], :, seat], margins[held[:, seat], :, seat])
        for seat in range(held.shape[1])
        if held[:, seat].any()
    )
    return AgentResult(
        name=name,
        games=int(mask.sum()),
        wins=int(won[mask].sum()),
        ties=int(tied[mask].sum()),
        losses=int((outcomes == -1)[mask].sum()),
        win_rate=rate_interval(_by_opening(won, held)),
        points=rate_interval(_by_opening(won + 0.5 * tied, held)),
        score=float(scores[mask].mean()),
        margin=mean_interval(_by_opening(margins, held)),
        seats=seats,
    )


def _seat_result(seat: int, outcomes: NDArray[Any], margins: NDArray[Any]) -> SeatResult:
    wins, ties, losses = (int((outcomes == value).sum()) for value in (1, 0, -1))
    return SeatResult(seat, outcomes.size, wins, ties, losses, float(margins.mean()))


def _by_opening(values: NDArray[Any], held: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Values [rotations, openings, P] of the seats held, as float64[openings, seats held over all rotations]."""
    rotation, seat = np.nonzero(held)
    return values[rotation, :, seat].T.astype(np.float64)


def rate_interval(values: NDArray[np.float64]) -> Estimate:
    """The rate of `values` float64[openings, games] in [0, 1]; see the module."""
    openings, games = len(values), values.size
    rate = float(values.mean())
    effective = float(games)
    if openings > 1 and 0 < rate < 1:
        variance = float(values.mean(1).var(ddof=1)) / openings
        if variance > 0:
            effective = min(max(rate * (1 - rate) / variance, openings), games)
    center = (rate + Z95**2 / (2 * effective)) / (1 + Z95**2 / effective)
    half = Z95 / (1 + Z95**2 / effective) * math.sqrt(rate * (1 - rate) / effective + Z95**2 / (4 * effective**2))
    return Estimate(rate, max(0.0, center - half), min(1.0, center + half))


def mean_interval(values: NDArray[np.float64]) -> Estimate:
    """The mean of `values` float64[openings, games]; of a single opening the interval is infinite."""
    means = values.mean(1)
    half = Z95 * float(means.std(ddof=1)) / math.sqrt(len(means)) if len(means) > 1 else math.inf
    return Estimate(float(means.mean()), float(means.mean()) - half, float(means.mean()) + half)
