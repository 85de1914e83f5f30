"""The search agent: information-set Monte Carlo tree search with the heuristic as prior and in its playouts."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.blockers import search_kernels as search
from agents.blockers.heuristic_kernels import WORK_DTYPE
from agents.blockers.weights import weights_for
from blockers_env import kernels
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

    It is given a view, or makes one: what is hidden from the player to move never reaches the search. With a budget of
    simulations it plays the same again for the same `rng`; with seconds that depends on the machine.

    Args:
        simulations: of each move.
        seconds: of wall-clock time, for each move.
        settings: how the search weighs.

    Raises:
        ValueError: for no budget, two, or one that is not positive.
    """

    def __init__(
        self, simulations: int | None = None, seconds: float | None = None, settings: Settings | None = None
    ) -> None:
        if (simulations is None) == (seconds is None):
            raise ValueError(f"got simulations={simulations} and seconds={seconds}: expected exactly one budget")
        if not (simulations if seconds is None else seconds) > 0:  # type: ignore[operator]
            raise ValueError(f"got simulations={simulations} and seconds={seconds}: expected a budget above 0")
        self.simulations, self.seconds = simulations, seconds
        self.settings = settings or Settings()
        self.name = f"ismcts:{simulations}" if seconds is None else f"ismcts:{seconds:g}s"
        self._nodes = np.zeros(min(MOST_NODES, (simulations or MOST_NODES) + 1), search.NODE_DTYPE)
        self._work, self._state = np.zeros(1, WORK_DTYPE), np.zeros(1, STATE_DTYPE)
        self._child_at = np.zeros(search.NUM_KEYS, np.int32)

    def act(self, view: Any, rng: np.random.Generator) -> int:
        """A legal action of the player to move in `view`."""
        legal = view.legal_actions()
        return int(legal[0]) if len(legal) == 1 else self.search(view.options, view.tables, view.records, rng).best

    def act_batch(self, batch: Any, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
        """Legal actions int32[k] of the players to move in `games` int64[k], one search after the other."""
        players = batch.player[games].tolist()
        out = np.empty(len(games), np.int32)
        for i, (game, player) in enumerate(zip(games.tolist(), players, strict=True)):
            records = batch.records[game : game + 1].copy()
            kernels.hide_one(batch.tables.record, records, player)
            out[i] = self.search(batch.options, batch.tables, records, rng).best
        return out

    def search(self, options: Any, tables: Any, root: NDArray[np.void], rng: np.random.Generator) -> Findings:
        """Search from a position as the player to move sees it, a record array of length 1, within the budget."""
        word = rng.integers(0, 2**64, 1, np.uint64)
        weights, settings = weights_for(options), self.settings.record(options.tie_break)
        nodes, scratch = self._nodes, tables.workspace.scratch
        nodes[0] = np.zeros(1, search.NODE_DTYPE)[0]
        used, done, start = 1, 0, time.perf_counter()
        while count := self._next_chunk(done, start):
            used = search.simulate(
                tables.record, root, self._state, scratch, self._work, nodes, used, word, count, weights, settings,
                self._child_at,
            )  # fmt: skip
            done += count
        return self._findings(tables, root, done, used)

    def _next_chunk(self, done: int, start: float) -> int:
        """How many simulations to do next, 0 at the end of the budget; the first chunk is done in any case."""
        if self.seconds is None:
            return min(CHUNK, (self.simulations or 0) - done)
        return CHUNK if done == 0 or time.perf_counter() - start < self.seconds else 0

    def _findings(self, tables: Any, root: NDArray[np.void], done: int, used: int) -> Findings:
        most = tables.num_actions
        actions, visits, values = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.float32)
        count = search.root_moves(tables.record, root, self._nodes, actions, visits, values)
        return Findings(actions[:count], visits[:count], values[:count], done, used)


def parse_budget(text: str) -> dict[str, Any]:
    """The arguments that a budget means: "2000" simulations, "1s" or "0.5s" seconds. Raises ValueError."""
    try:
        return {"seconds": float(text[:-1])} if text.endswith("s") else {"simulations": int(text)}
    except ValueError:
        raise ValueError(f'budget {text!r}: expected simulations such as "2000", or seconds such as "1s"') from None
