"""The search agent: information-set Monte Carlo tree search with the heuristic as prior and in its playouts."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.blockers import search_kernels as search
from agents.blockers.heuristic_kernels import WORK_DTYPE
from agents.blockers.weights import weights_for
from blockers_env import kernels
from blockers_env.policies import GAME_IS_OVER, some_actions
from blockers_env.tables import STATE_DTYPE

CHUNK = 32  # simulations between two looks at the clock
MOST_NODES = 400_000  # of a tree; a full tree grows no further, but goes on to count


@dataclass(frozen=True)
class Settings:
    """How the search weighs; `search_kernels.SETTINGS_DTYPE` says what each number means."""

    exploration: float = 1.0
    temperature: float = 0.5
    first_play: float = 0.1
    noise: float = 0.5
    margin_weight: float = 0.3
    margin_scale: float = 3.0

    def record(self, tie_break: str) -> NDArray[np.void]:
        """For the kernels, an array of length 1."""
        out = np.zeros(1, search.SETTINGS_DTYPE)
        for name, value in self.__dict__.items():
            out[name] = value
        out["fewest_captures"] = tie_break == "fewest_captures"
        return out


@dataclass(frozen=True)
class Findings:
    """What a search found at its root."""

    actions: NDArray[np.int32]  # [n] that were tried
    visits: NDArray[np.int32]  # [n]
    values: NDArray[np.float32]  # [n] mean utility to the player to move, 0 … 1
    simulations: int
    nodes: int

    @property
    def best(self) -> int:
        """The action with the most visits; among equals the one of the higher value."""
        return int(self.actions[np.lexsort((self.actions, -self.values, -self.visits))[0]])


class ISMCTSAgent:
    """Searches anew for each move, with a budget of simulations or of seconds, of which exactly one is given.

    Whatever it is given, what is hidden from the player to move never reaches the search. With a budget of simulations
    it plays the same again for the same `rng`; with seconds that depends on the machine. Nothing is kept from one move
    to the next, so that one agent may play many games, also in several threads.

    Acting stops before the budget is spent when no other move can come to more visits any more: that changes no choice
    of a number of simulations.

    Args:
        simulations: of each move, at least 1.
        seconds: of wall-clock time, for each move, above 0.
        settings: how the search weighs.

    Raises:
        ValueError: for no budget, two, or one that is not positive and finite, or no number.
    """

    def __init__(
        self, simulations: int | None = None, seconds: float | None = None, settings: Settings | None = None
    ) -> None:
        if (simulations is None) == (seconds is None):
            raise ValueError(f"got simulations={simulations!r} and seconds={seconds!r}: expected exactly one budget")
        self.simulations = None if simulations is None else _checked_simulations(simulations)
        self.seconds = None if seconds is None else _checked_seconds(seconds)
        self.settings = settings or Settings()
        self.name = f"ismcts:{self.simulations}" if self.seconds is None else f"ismcts:{self.seconds:g}s"

    def act(self, view: Any, rng: np.random.Generator) -> int:
        """A legal action of the player to move in `view`. Raises ValueError if the view knows none."""
        legal = some_actions(view)
        if len(legal) == 1:
            return int(legal[0])
        return self.search(view.options, view.tables, view.records, rng, whole=False).best

    def act_batch(self, batch: Any, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """Legal actions int32[k] of the players to move in `games` int64[k], one after the other, as `act` does."""
        ids = batch.legal_ids(games)
        actions = ids[:, 0].copy() if ids.size else np.empty(len(games), np.int32)
        for i in np.flatnonzero(batch.num_legal[games] != 1).tolist():
            root = batch.records[games[i] : games[i] + 1]
            actions[i] = self.search(batch.options, batch.tables, root, rng, whole=False).best
        return actions

    def search(
        self, options: Any, tables: Any, root: NDArray[np.void], rng: np.random.Generator, whole: bool = True
    ) -> Findings:
        """Search for the player to move from a position, a record array of length 1 (`view.records`).

        Unless it is to spend the `whole` budget it ends once the best move is settled. Raises ValueError if the game is
        over.
        """
        player, root = int(root["turn"][0]), root.copy()
        if player < 0:
            raise ValueError(GAME_IS_OVER)
        kernels.hide_one(tables.record, root, player)
        tree = _Tree(options, tables, root, self._most_nodes(), self.settings, rng)
        tree.grow(0)  # so that compiling does not count
        start = time.perf_counter()
        while count := self._next_chunk(tree.simulations, time.perf_counter() - start):
            tree.grow(count)
            if not whole and tree.lead() > self._left(tree.simulations, time.perf_counter() - start):
                break
        return tree.findings()

    def _most_nodes(self) -> int:
        return MOST_NODES if self.simulations is None else min(MOST_NODES, self.simulations + 1)

    def _left(self, done: int, elapsed: float) -> float:
        """How many simulations are left after `done` of them in `elapsed` seconds; of seconds, at the speed so far."""
        if self.seconds is None:
            assert self.simulations is not None
            return self.simulations - done
        return max(0.0, (self.seconds - elapsed) * done / elapsed)

    def _next_chunk(self, done: int, elapsed: float) -> int:
        """How many simulations to do next, 0 at the end of the budget; one is done in any case."""
        if self.seconds is not None and done == 0:
            return 1
        left = self._left(done, elapsed)
        return min(CHUNK, math.ceil(left))


class _Tree:
    """The tree of one search and its working memory."""

    def __init__(
        self,
        options: Any,
        tables: Any,
        root: NDArray[np.void],
        most_nodes: int,
        settings: Settings,
        rng: np.random.Generator,
    ) -> None:
        self.tables, self.root, self.simulations, self.used = tables, root, 0, 1
        self.nodes = np.zeros(most_nodes, search.NODE_DTYPE)
        self._weights, self._settings = weights_for(options), settings.record(options.tie_break)
        self._work, self._state = np.zeros(1, WORK_DTYPE), np.zeros(1, STATE_DTYPE)
        self._child_at = np.zeros(search.NUM_KEYS, np.int32)
        self._word = rng.integers(0, 2**64, 1, np.uint64)

    def grow(self, count: int) -> None:
        """Do so many simulations."""
        scratch = self.tables.workspace.scratch
        self.used = search.simulate(
            self.tables.record, self.root, self._state, scratch, self._work, self.nodes, self.used, self._word, count,
            self._weights, self._settings, self._child_at,
        )  # fmt: skip
        self.simulations += count

    def lead(self) -> int:
        """How many visits the most visited move is ahead of the others."""
        return int(search.lead(self.nodes))

    def findings(self) -> Findings:
        """What was found at the root."""
        most = self.tables.num_actions
        actions, visits, values = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.float32)
        count = search.root_moves(self.tables.record, self.root, self.nodes, actions, visits, values)
        return Findings(actions[:count], visits[:count], values[:count], self.simulations, self.used)


def _checked_simulations(simulations: object) -> int:
    if not isinstance(simulations, (int, np.integer)) or isinstance(simulations, bool) or simulations < 1:
        raise ValueError(f"got simulations={simulations!r}: expected a whole number of at least 1")
    return int(simulations)


def _checked_seconds(seconds: object) -> float:
    if not isinstance(seconds, (int, float, np.integer, np.floating)) or isinstance(seconds, bool):
        raise ValueError(f"got seconds={seconds!r}: expected a number above 0")
    if not 0 < seconds < math.inf:
        raise ValueError(f"got seconds={seconds!r}: expected a finite number above 0")
    return float(seconds)


def parse_budget(text: str) -> dict[str, Any]:
    """The arguments that a budget means: "2000" simulations, "1s" or "0.5s" seconds. Raises ValueError."""
    if re.fullmatch(r"[-+]?[0-9]+", text, re.ASCII):
        return {"simulations": int(text)}
    if re.fullmatch(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)s", text, re.ASCII):
        return {"seconds": float(text[:-1])}
    raise ValueError(f'budget {text!r}: expected simulations such as "2000", or seconds such as "1s"')
