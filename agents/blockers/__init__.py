"""Agents for Blockers besides the built-in random and greedy ones: a heuristic, and a search over what is hidden.

Nothing is loaded before it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.base import Agent

DEFAULT_BUDGET = "1s"
NAMES = ("heuristic", f"ismcts:{DEFAULT_BUDGET}")


def make(spec: str) -> Agent | None:
    """The agent that `spec` means: "heuristic", or "ismcts" with a budget as in "ismcts:1s"; None for other names.

    Raises ValueError for a budget that is none.
    """
    name, colon, budget = spec.partition(":")
    if spec == "heuristic":
        from agents.blockers.heuristic import HeuristicAgent

        return HeuristicAgent()
    if name == "ismcts":
        from agents.blockers.ismcts import ISMCTSAgent, parse_budget

        try:
            return ISMCTSAgent(**parse_budget(budget if colon else DEFAULT_BUDGET))
        except ValueError as error:
            raise ValueError(f'agent "{spec}": {error}') from None
    return None
