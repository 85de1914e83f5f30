"""One game, in the spirit of python-chess: `State(num_players=2, seed=7)`, `legal_actions()`, `push`, `pop`,
`outcome()`; what a player may know of it: `state.view(player)`; and a state that agrees with that: `determinize`.
"""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from blockers_env import kernels
from blockers_env.observation import check_layout, observe
from blockers_env.public import Public, checked_player
from blockers_env.tables import tables
from blockers_env.tiles import SQUARE_NAMES, TILE_NAMES
from blockers_env.variants import NAME, Options, make_options
from blokus_env.adapters.protocol import GAME_OVER, IllegalActionError, Observation

P = TypeVar("P", bound=Public)

# Not part of equality: how the position came about
HISTORY_FIELDS = ("deal", "order", "drawn", "ply")


@dataclass(frozen=True)
class Outcome:
    """How a finished game ended."""

    points: tuple[int, ...]  # of each player; fewest win
    places: tuple[int, ...]  # of each player; 0 is the first place (S5, S6)

    @property
    def winners(self) -> tuple[int, ...]:
        """The players in the first place."""
        return tuple(player for player, place in enumerate(self.places) if place == 0)

    @property
    def is_tie(self) -> bool:
        """Whether more than one player is in the first place."""
        return len(self.winners) > 1


class State(Public):
    """A running game, hidden parts and all.

    Args:
        options: rules in force, as `Options` or a mapping; None: the defaults.
        seed: shuffles the piles, the only chance of the game; an integer of at least 0, or None for another game each
            time.
        deal: the piles instead, for each color the order in which its tiles are drawn, int [colors, tiles].
        changes: options by name, over `options`: `State(num_players=2)`.

    Raises:
        ValueError: for options that do not exist or do not go together, a seed or a deal that is none.
    """

    __slots__ = ("_past", "seed")

    def __init__(
        self,
        options: Options | None = None,
        *,
        seed: int | None = 0,
        deal: Sequence[Sequence[int]] | NDArray[Any] | None = None,
        **changes: Any,
    ) -> None:
        self.options = make_options(options, **changes)
        self.tables = tables(self.options)
        self.seed = seed if deal is None else None
        self._past: list[NDArray[np.void]] = []  # the record before each action; empty: to be replayed
        self._history = []
        records = self.tables.new_states(1)
        if deal is None:
            kernels.reset_one(self.tables.record, records, random_word_state(seed))
        else:
            kernels.deal_one(self.tables.record, records, _checked_deal(self.options, deal))
        self._set(records)

    def _set(self, records: NDArray[np.void], before: NDArray[np.void] | None = None) -> None:
        """Go to a position; `before` is the one that the latest action was played in."""
        self._records, self._legal = records, None
        self.player = int(records["turn"][0])
        self.is_over = self.player == GAME_OVER
        self.skipped = ()
        if before is not None:
            turns, players = int(before["turns"][0]), self.options.num_players
            self.skipped = tuple(turn % players for turn in range(turns + 1, int(records["turns"][0])))

    # Hidden parts ----------------------------------------------------------------------------------------------------

    def deal(self) -> NDArray[np.int8]:
        """The order in which each color's tiles are drawn, int8 [colors, tiles]; the first ones are the first rack."""
        deal: NDArray[np.int8] = self._records["deal"][0, : self.options.num_colors, : self.options.num_tiles].copy()
        return deal

    def pile(self, color: int) -> list[int]:
        """The tiles in a color's pile, the next one first."""
        color = self._color(color)
        deal: list[int] = self.deal()[color].tolist()
        return deal[self.options.num_tiles - self.pile_count(color) :]

    def rack(self, color: int) -> list[int]:
        """The tiles on a color's rack, ascending."""
        return super().rack(color) or []

    def legal_actions(self, player: int | None = None) -> NDArray[np.int32]:
        """Legal actions, int32, ascending; of the player to move, or of any player as if it were its turn."""
        if player is None or player == self.player:
            return super().legal_actions()
        return self._list(checked_player(self.options, player))

    # Playing ---------------------------------------------------------------------------------------------------------

    def push(self, action: int | str) -> None:
        """Play an action, an id or its text.

        Raises `IllegalActionError`, which names the rule; the state stays as it was.
        """
        if type(action) is not int:
            action = self._action_id(action)
        work = self.tables.workspace
        after = np.empty_like(self._records)
        count = kernels.ILLEGAL
        if self.player >= 0 and 0 <= action < self.tables.num_actions:
            count = kernels.push_one(self.tables.record, self._records, after, work.scratch, action, work.ids)
        if count == kernels.ILLEGAL:
            raise IllegalActionError(self._why_illegal(action))
        before = self._records
        self._past.append(before)
        self._history.append(action)
        self._set(after, before)
        self._legal = work.ids[:count].copy()

    def pop(self) -> int:
        """Take the latest action back and return it. Raises IndexError at the start of the game."""
        if not self._history:
            raise IndexError("there is no action to take back: the game is at its start")
        if len(self._past) < len(self._history):
            self._past = self._replayed()._past
        records = self._past.pop()
        self._set(records, self._past[-1] if self._past else None)
        return self._history.pop()

    def _replayed(self) -> "State":
        """The same game, played again from its deal."""
        other = State(self.options, deal=self.deal())
        for action in self._history:
            State.push(other, action)
        return other

    def _action_id(self, action: object) -> int:
        """From an index of any integer type, or a text."""
        if isinstance(action, str):
            if self.is_over:
                raise IllegalActionError(f"the game is over: {action!r} cannot be played (E1)")
            return self.parse(action)
        try:
            return operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            raise IllegalActionError(f"action {action!r} is neither an action id nor a move text") from None

    def _why_illegal(self, action: int) -> str:
        """The rule that an action of the player to move breaks."""
        if self.is_over:
            return f"the game is over: action {action} cannot be played (E1)"
        if not 0 <= action < self.tables.num_actions:
            return self._no_such_action(action)
        color, tile, square = self.action_color(action), int(self.tables.tile[action]), int(self.tables.square[action])
        what = f"action {action} ({self.text(action)}) of {self.color_names[color]}"
        if self.is_closed(color):
            return f"{what}: its rack is closed (D5)"
        if tile not in self.rack(color):
            return f"{what}: tile {TILE_NAMES[tile]} is not on the rack (P1)"
        owner = int(self.board().flat[square])
        where = f"{SQUARE_NAMES[square]} holds a tile of {self.color_names[owner]}"
        if owner == color:
            return f"{what}: {where} itself (C1)"
        if self.options.owner(owner) == self.player and not self.options.capture_own_other_color:
            return f"{what}: {where}, the own other color (D3)"
        return f"{what}: {where}, whose group would split (C2)"

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if not self.is_over:
            return None
        return Outcome(tuple(self.points().tolist()), tuple(self.places().tolist()))

    # Copies and views ------------------------------------------------------------------------------------------------

    def copy(self) -> "State":
        """An independent copy, with its history."""
        other: State = self._copy_as(type(self))
        return other

    def _copy_as(self, kind: "type[State]") -> Any:
        other = _public_copy(self, kind, self._records)
        other._past, other.seed = self._past.copy(), self.seed
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "State":
        return self.copy()

    def view(self, player: int) -> "View":
        """What an agent in a seat may know: no other's rack and no pile is in it."""
        return View._of(self, checked_player(self.options, player))

    @staticmethod
    def determinize(view: "View", rng: np.random.Generator) -> "State":
        """As the function `determinize`."""
        return determinize(view, rng)

    def _comparable(self) -> tuple[Any, ...]:
        record = self._records[0]
        fields = [record[name].tobytes() for name in record.dtype.names or () if name not in HISTORY_FIELDS]
        return (self.options, *(tuple(self.pile(color)) for color in range(self.options.num_colors)), *fields)

    def __eq__(self, other: object) -> bool:
        """Same options, same position with its hidden parts; how it came about does not matter."""
        if not isinstance(other, State):
            return NotImplemented
        return self._comparable() == other._comparable()

    def __hash__(self) -> int:
        return hash(self._comparable())

    def __getstate__(self) -> dict[str, Any]:
        names = ("options", "seed", "skipped", "_records", "_history")
        return {name: getattr(self, name) for name in names}

    def __setstate__(self, content: dict[str, Any]) -> None:
        self.options, self.tables = content["options"], tables(content["options"])
        self.seed, self._history, self._past = content["seed"], content["_history"].copy(), []
        self._set(content["_records"])
        self.skipped = content["skipped"]

    def __repr__(self) -> str:
        options = "".join(f" {name}={value!r}" for name, value in self.options.changed().items())
        return f"<State {NAME}{options} ply={self.ply}>"


class View(Public):
    """What one player knows: all that is public, the own racks, and racks of others whose piles are empty.

    Nothing hidden is in it, also not in `records`, which kernels may use: racks that are not known are 0 there and
    `deal` is −1. It is read-only.
    """

    __slots__ = ("viewer",)

    viewer: int  # the player whose view it is

    @classmethod
    def _of(cls, state: State, player: int) -> "View":
        records = state._records.copy()
        kernels.hide_one(state.tables.record, records, player)
        view = _public_copy(state, cls, records)
        view.viewer = player
        if player != state.player:
            view._legal = None
        return view

    @property
    def _viewer(self) -> int | None:
        return self.viewer

    def _list(self, player: int) -> NDArray[np.int32]:
        return super()._list(player) if player == self.viewer else np.zeros(0, np.int32)

    def legal_actions(self) -> NDArray[np.int32]:
        """Legal actions of the viewer if it is to move, int32, ascending; else none, as nobody else's rack is known."""
        return super().legal_actions()

    def is_legal(self, action: int) -> bool:
        """Whether the viewer is to move and may play an action."""
        return self.player == self.viewer and super().is_legal(action)

    def observe(self, player: int | None = None, layout: str = "compact") -> Observation:
        """The observation of the viewer (`player`, if given, must be the viewer); see `observation.py`."""
        if player not in (None, self.viewer):
            raise ValueError(f"this is the view of player {self.viewer}: it does not know what player {player} sees")
        check_layout(layout)
        return observe(self.tables, self._records, self.viewer, layout)

    def determinize(self, rng: np.random.Generator) -> State:
        """A full state that agrees with the view; see the function `determinize`."""
        return determinize(self, rng)

    def __getstate__(self) -> dict[str, Any]:
        names = ("options", "player", "is_over", "skipped", "_records", "_history", "viewer")
        return {name: getattr(self, name) for name in names}

    def __setstate__(self, content: dict[str, Any]) -> None:
        for name, value in content.items():
            setattr(self, name, value)
        self.tables, self._legal = tables(self.options), None

    def __repr__(self) -> str:
        return f"<View of player {self.viewer} ply={self.ply}>"


def determinize(view: View, rng: np.random.Generator) -> State:
    """A full state drawn uniformly among those that agree with all that the player of the view knows (H5).

    That is: among all deals (orders of every pile) for which the game so far would have gone as it went, each is
    equally likely. They have the same unseen sets and counts, every tile was on the rack when it was played, and no
    skipped turn could have been played (H4). The state has its history and can be taken back.
    """
    if not isinstance(view, View):
        raise ValueError(f"{view!r} is no view of a player: expected state.view(player)")
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng={rng!r} is no random generator: expected numpy.random.default_rng(seed)")
    records = view._records.copy()
    kernels.redeal_one(view.tables.record, records, view.tables.workspace.scratch, _word_state(rng), view.viewer)
    state = _public_copy(view, State, records)
    state._legal = None
    state._past, state.seed = [], None
    return state


def random_word_state(seed: int | None) -> NDArray[np.uint64]:
    """A generator for kernels that starts from a seed, or anywhere for None: uint64 [1]. Raises ValueError."""
    if seed is not None and (not isinstance(seed, (int, np.integer)) or seed < 0):
        raise ValueError(f"seed={seed!r} is not possible: expected an integer of at least 0")
    return _word_state(np.random.default_rng(seed))


def _word_state(rng: np.random.Generator) -> NDArray[np.uint64]:
    return rng.integers(0, 2**64, 1, np.uint64)


def _public_copy(source: Public, kind: type[P], records: NDArray[np.void]) -> P:
    other = kind.__new__(kind)
    other.options, other.tables = source.options, source.tables
    other.player, other.is_over, other.skipped = source.player, source.is_over, source.skipped
    other._records, other._legal, other._history = records, source._legal, source._history.copy()
    return other


def _checked_deal(options: Options, deal: Sequence[Sequence[int]] | NDArray[Any]) -> NDArray[np.int8]:
    array = np.asarray(deal)
    shape, every = (options.num_colors, options.num_tiles), np.arange(options.num_tiles)
    if array.shape != shape or not (np.sort(array, axis=1) == every).all():
        raise ValueError(
            f"deal is no order of all tiles of each color: expected {shape[0]} rows, each with 0 … {shape[1] - 1} once"
        )
    return array.astype(np.int8)
