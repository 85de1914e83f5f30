"""How strong the learner is: matches against named opponents, as rows for a log and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.arena import AgentResult, play_match
from agents.base import make_agent
from agents.learning.policies import PlacementPolicy
from agents.policy import PolicyAgent
from blokus_env.adapters.protocol import Game

MODES = ("argmax", "sampled")


def evaluate(
    policy: PlacementPolicy,
    game: Game,
    opponents: Sequence[str],
    num_games: int,
    opening_plies: int,
    seed: int,
    modes: Sequence[str] = MODES,
) -> dict[str, dict[str, AgentResult]]:
    """The learner's results by opponent and by mode of play."""
    results: dict[str, dict[str, AgentResult]] = {}
    for opponent in opponents:
        rival = make_agent(opponent, game)
        results[opponent] = {}
        for mode in modes:
            learner = PolicyAgent(policy, deterministic=mode == "argmax")
            match = play_match(game, [learner, rival], num_games, opening_plies, seed)
            results[opponent][mode] = match.agents[0]
    return results


def as_rows(results: dict[str, dict[str, AgentResult]]) -> dict[str, Any]:
    """For a JSON log: opponent, mode, then figures."""
    return {
        opponent: {
            mode: {
                "games": result.games,
                "wins": result.wins,
                "ties": result.ties,
                "win_rate": round(result.win_rate.mean, 4),
                "low": round(result.win_rate.low, 4),
                "high": round(result.win_rate.high, 4),
                "margin": round(result.margin.mean, 2),
                "by_seat": [round(seat.wins / seat.games, 4) for seat in result.seats],
            }
            for mode, result in modes.items()
        }
        for opponent, modes in results.items()
    }


def as_table(results: dict[str, dict[str, AgentResult]], trained_with: Sequence[str] = ()) -> str:
    """Win rates by opponent, as text."""
    lines = [
        f"{'against':<24}{'play':<9}{'games':>6}{'wins':>8}  {'95 % interval':<16}{'ties':>7}{'margin':>9}  by seat"
    ]
    for opponent, modes in results.items():
        for mode, result in modes.items():
            note = "" if opponent in trained_with else " (never met)"
            interval = f"{result.win_rate.low:.1%} to {result.win_rate.high:.1%}"
            seats = ", ".join(f"{seat.wins / seat.games:.0%}" for seat in result.seats)
            lines.append(
                f"{opponent + note:<24}{mode:<9}{result.games:>6}{result.win_rate.mean:>8.1%}  {interval:<16}"
                f"{result.ties / result.games:>7.1%}{result.margin.mean:>+9.1f}  {seats}"
            )
    return "\n".join(lines)
