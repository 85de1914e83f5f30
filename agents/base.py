"""What an agent is, and agents by name."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from blokus_env.adapters.protocol import BatchPosition, Game, Policy

POLICY_SUFFIX = ".zip"
GAME_AGENTS = {"blockers": "agents.blockers"}  # game → module with `NAMES` and `make(spec)`, its own agent or None


class Agent(Protocol):
    """Chooses actions from what its seat may know; any `Policy` of a game is one.

    Everything random comes from `rng`.
    """

    @property
    def name(self) -> str:
        """Name for tables."""
        ...

    def act(self, view: Any, rng: np.random.Generator) -> int:
        """A legal action of the player to move in `view`."""
        ...

    def act_batch(self, batch: BatchPosition, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """Legal actions int32[k] of the players to move in `games` int64[k], none of which is over."""
        ...


class BuiltInAgent:
    """A policy that comes with the game, by its name."""

    policy_name = "random"

    def __init__(self, game: Game):
        self._policy: Policy = game.policy(self.policy_name)

    @property
    def name(self) -> str:
        """The policy's name."""
        return self._policy.name

    def act(self, view: Any, rng: np.random.Generator) -> int:
        """A legal action of the player to move in `view`."""
        return int(self._policy.act(view, rng))

    def act_batch(self, batch: BatchPosition, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """Legal actions int32[k] of the players to move in `games` int64[k]."""
        return self._policy.act_batch(batch, games, rng)


class RandomAgent(BuiltInAgent):
    """Plays any legal action, all equally likely."""

    policy_name = "random"


class LargestAgent(BuiltInAgent):
    """Plays a piece of the largest size that fits, chosen at random."""

    policy_name = "largest"


class GreedyAgent(BuiltInAgent):
    """Plays the largest size; then the most own new corners minus opponents' corners that are left; ties at random."""

    policy_name = "greedy"


def make_agent(spec: str, game: Game, device: str = "auto") -> Agent:
    """The agent that `spec` means: a built-in policy's name, or the path of a saved model (its file or its folder).

    Some games have agents of their own: Blockers "heuristic", and "ismcts" with a budget as in "ismcts:1s" (seconds)
    or "ismcts:2000" (simulations). A path may end with ":sampled" to draw from the policy instead of taking its most
    probable action. Raises ValueError for anything else.
    """
    path, _, mode = spec.partition(":") if ":" in spec else (spec, "", "")
    if looks_like_path(path):
        from agents.policy import PolicyAgent  # loads torch

        if mode not in ("", "sampled"):
            raise ValueError(f'agent "{spec}": after a path only ":sampled" may follow')
        file = Path(path) / f"model{POLICY_SUFFIX}" if Path(path).is_dir() else Path(path)
        if not file.is_file():
            raise ValueError(f'agent "{spec}": there is no saved model at {file}')
        agent = PolicyAgent(file, deterministic=not mode, device=device)
        agent.check(game)
        return agent
    more = ""
    if game.name in GAME_AGENTS:
        module = importlib.import_module(GAME_AGENTS[game.name])
        own: Agent | None = module.make(spec)
        if own is not None:
            return own
        more = f", {', '.join(map(repr, module.NAMES))}"
    try:
        return game.policy(spec)
    except ValueError as error:
        raise ValueError(
            f'agent "{spec}" is neither a saved model nor a policy of {game.name}: {error}{more}'
        ) from None


def is_agent(spec: str, game: Game) -> bool:
    """Whether `make_agent` knows an agent of that name for the game."""
    try:
        make_agent(spec, game)
    except ValueError:
        return False
    return True


def looks_like_path(spec: str) -> bool:
    """Whether `spec` is meant as the path of a model rather than a name."""
    return spec.endswith(POLICY_SUFFIX) or "/" in spec or Path(spec).is_dir()
