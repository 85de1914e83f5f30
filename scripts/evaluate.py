"""Play matches between agents: `python -m scripts.evaluate --env duo --agents greedy random --games 200`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.arena import AgentResult, MatchResult

EXAMPLES = """examples:
  python -m scripts.evaluate --env duo --agents greedy random --games 200
  python -m scripts.evaluate --env duo --agents runs/duo/model.zip greedy --games 1000 --json result.json
  python -m scripts.evaluate --env classic --agents greedy random --games 100
  python -m scripts.evaluate --env blockers --option num_players=2 --agents heuristic ismcts:0.1s --games 20
  python -m scripts.evaluate --env rumis --option num_players=2 --option building=pyramid --agents greedy random

Every game starts with random plies. Each such opening is played with all rotations of the seats; if there are more
seats than agents, the last agent takes the rest. A game counts once for each seat that an agent held in it.
"""


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.evaluate",
        description="Play matches between agents, and give results with 95 % intervals.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--env", default="duo", help="ruleset, such as duo, classic or blockers (default: duo)")
    parser.add_argument("--start", help="start rule (default: the ruleset's)")
    parser.add_argument("--scoring", help="scoring (default: the ruleset's)")
    parser.add_argument(
        "--option",
        action="append",
        type=named_value,
        default=[],
        metavar="NAME=VALUE",
        help="another option of the ruleset, such as num_players=2; may be given several times",
    )
    parser.add_argument(
        "--agents",
        nargs="+",
        required=True,
        metavar="AGENT",
        help="random, largest, greedy, or a saved model: its file or its run's folder, "
        'with ":sampled" after it to draw from the policy; in Blockers also heuristic, and ismcts with a budget '
        "a move, such as ismcts:1s or ismcts:2000 (simulations)",
    )
    parser.add_argument("--games", type=int, default=200, help="at least so many games (default: 200)")
    parser.add_argument("--opening-plies", type=int, default=2, metavar="N", help="random plies at first (default: 2)")
    parser.add_argument("--seed", type=int, default=0, help="of everything random (default: 0)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to FILE, too")
    parser.add_argument("--device", default="auto", help="for models: auto, cpu or cuda (default: auto)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="PyTorch's threads (default: 1)")
    return parser


def named_value(text: str) -> tuple[str, Any]:
    """An option from "num_players=2": numbers and true or false as in JSON, anything else is text."""
    name, separator, value = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=VALUE")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = make_parser()
    args = parser.parse_args(argv)
    try:
        result = play(args)
        if args.json:
            args.json.write_text(json.dumps(result.as_dict(), indent=2) + "\n")
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    print(as_text(result))
    return 0


def play(args: Any) -> MatchResult:
    """The match that the command line asks for."""
    from agents.arena import play_match
    from agents.base import looks_like_path, make_agent
    from agents.games import make_game, merged

    if any(looks_like_path(agent) for agent in args.agents):
        import torch as th

        th.set_num_threads(args.threads)
    game = make_game(args.env, **merged(args.start, args.scoring, dict(args.option)))
    agents = [make_agent(agent, game, args.device) for agent in args.agents]
    return play_match(game, agents, args.games, args.opening_plies, args.seed)


def as_text(result: MatchResult) -> str:
    """The results as a table."""
    width = max(len("agent"), *(len(agent.name) for agent in result.agents))
    lines = [
        f"{result.game}: {result.num_games} games, {result.openings} openings of {result.opening_plies} random plies, "
        f"seats rotated, seed {result.seed}",
        "",
        f"{'agent':<{width}}{'games':>7}{'wins':>7}{'ties':>6}{'losses':>8}{'wins %':>8}  {'95 % interval':<14}"
        f"{'score':>8}{'margin':>8}  {'95 % interval':<16}  wins by seat",
    ]
    return "\n".join(lines + [_row(agent, width) for agent in result.agents])


def _row(agent: AgentResult, width: int) -> str:
    rate, margin = agent.win_rate, agent.margin
    seats = ", ".join(f"{seat.wins / seat.games:.0%}" for seat in agent.seats)
    rates, margins = f"{rate.low:.1%}-{rate.high:.1%}", f"{margin.low:+.1f} to {margin.high:+.1f}"
    return (
        f"{agent.name:<{width}}{agent.games:>7}{agent.wins:>7}{agent.ties:>6}{agent.losses:>8}{rate.mean:>8.1%}"
        f"  {rates:<14}{agent.score:>8.1f}{margin.mean:>+8.1f}  {margins:<16}  {seats}"
    )


if __name__ == "__main__":
    sys.exit(main())
