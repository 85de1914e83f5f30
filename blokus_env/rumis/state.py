"""One game: `State(num_players=3)`, `legal_actions()`, `push`, `pop`, `outcome()`."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from blokus_env.adapters.protocol import GAME_OVER, IllegalActionError
from blokus_env.rumis import kernels, seats
from blokus_env.rumis.pieces import STONES
from blokus_env.rumis.reasons import no_such_action, why_illegal
from blokus_env.rumis.tables import STATE_DTYPE, tables
from blokus_env.rumis.text import action_text, parse_action
from blokus_env.rumis.variants import NAME, Options, make_options

S = TypeVar("S", bound="State")
EMPTY = -1  # on `board` and `top`


@dataclass(frozen=True)
class Outcome:
    """How a finished game ended."""

    scores: tuple[float, ...]  # of each color
    player_scores: tuple[float, ...]  # of each player: its best color (R6)
    places: tuple[int, ...]  # of each player; 0 is the first place, equal scores share one (S3)

    @property
    def winners(self) -> tuple[int, ...]:
        """The players in the first place."""
        return tuple(player for player, place in enumerate(self.places) if place == 0)

    @property
    def is_tie(self) -> bool:
        """Whether more than one player is in the first place."""
        return len(self.winners) > 1


class State:
    """A running game.

    Actions are ids (see `Tables`) or, in `push`, their text (see `text`). Colors and players are indices in playing
    order. Squares are (row, column), row 0 is the top row; level 0 is the lowest.

    Args:
        options: rules in force, as `Options` or a mapping; None: the defaults.
        changes: options by name, over `options`: `State(num_players=2, building="steps")`.

    Raises:
        ValueError: for options that do not exist or do not go together.
    """

    __slots__ = (
        "_history",
        "_legal",
        "_past",
        "_records",  # length 1; replaced by `push`, never changed, so that copies and views share it
        "color",
        "is_over",
        "options",
        "player",
        "skipped",
        "tables",
    )

    def __init__(self, options: Options | Mapping[str, Any] | None = None, **changes: Any) -> None:
        self.options = make_options(options, **changes)
        self.tables = tables(self.options)
        self._past: list[NDArray[np.void]] = []  # the record before each action
        self._history: list[int] = []
        records = self.tables.new_states(1)
        kernels.reset_one(self.tables.record, records)
        self._set(records, None)

    def _set(self, records: NDArray[np.void], before: int | None) -> None:
        """Go to a position, reached by an action of color `before`."""
        color, colors = int(records["turn"][0]), self.options.num_colors
        self._records = records
        self._legal: NDArray[np.int32] | None = None
        self.color = color  # to move, −1 when the game is over
        self.is_over = color < 0  # whether no color can place a stone (R7)
        self.player = GAME_OVER if color < 0 else self.options.owner(color)  # to move, `GAME_OVER` (−1) at the end
        self.skipped: tuple[int, ...] = ()  # players whom the latest action left without a placement, in order (R7)
        if before is not None and color >= 0:
            steps = range(1, (color - before - 1) % colors + 1)
            self.skipped = tuple(self.options.owner((before + step) % colors) for step in steps)

    # Who and where --------------------------------------------------------------------------------------------------

    @property
    def ply(self) -> int:
        """Stones placed so far by all colors."""
        return int(self._records["ply"][0])

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions played so far."""
        return tuple(self._history)

    @property
    def last_action(self) -> int | None:
        """The latest action, None at the start."""
        return self._history[-1] if self._history else None

    @property
    def color_names(self) -> tuple[str, ...]:
        """Names of the colors in playing order."""
        return self.options.color_names

    @property
    def piece_names(self) -> tuple[str, ...]:
        """Names of the stones."""
        return tuple(stone.name for stone in STONES)

    def is_out(self, color: int) -> bool:
        """Whether a color is out for good, which happens with `out_after_pass` only (R7)."""
        return bool(int(self._records["out"][0]) >> color & 1)

    def left(self, color: int) -> list[str]:
        """Names of the stones that a color has in hand."""
        word = int(self._records["left"][0, color])
        return [name for k, name in enumerate(self.piece_names) if word >> k & 1]

    @property
    def records(self) -> NDArray[np.void]:
        """The record for the kernels, an array of length 1. Read only."""
        return self._records

    def board(self) -> NDArray[np.int8]:
        """The color of each cube, int8 [levels, rows, columns], −1 where none is."""
        plan, levels = self.options.plan, self.options.levels
        squares = np.arange(plan.rows * plan.columns, dtype=np.uint64)
        board = np.full((levels, len(squares)), EMPTY, np.int8)
        for color in range(self.options.num_colors):
            words = self._records["own"][0, color, :levels, None]
            board[(words >> squares & np.uint64(1)).astype(bool)] = color
        return board.reshape(levels, plan.rows, plan.columns)

    def heights(self) -> NDArray[np.uint8]:
        """How many cubes lie on each square, uint8 [rows, columns]."""
        plan = self.options.plan
        heights: NDArray[np.uint8] = self._records["height"][0, : plan.rows * plan.columns]
        return heights.reshape(plan.rows, plan.columns).copy()

    def limits(self) -> NDArray[np.uint8]:
        """How high each square may be built, uint8 [rows, columns], 0 outside of the ground plan (R4)."""
        return self.tables.limits.copy()

    def top(self) -> NDArray[np.int8]:
        """The color that is seen from above on each square, int8 [rows, columns], −1 where none is (R5)."""
        highest = np.maximum(self.heights().astype(np.int64) - 1, 0)
        top: NDArray[np.int8] = np.take_along_axis(self.board(), highest[None], 0)[0]
        return top

    # Actions --------------------------------------------------------------------------------------------------------

    def legal_actions(self, color: int | None = None) -> NDArray[np.int32]:
        """Legal actions, int32, ascending; of the color to move, or of any color as if it were its turn."""
        if color is not None and not 0 <= color < self.options.num_colors:
            raise ValueError(f"color {color!r} does not exist: expected 0 … {self.options.num_colors - 1}")
        if color is not None and color != self.color:
            return self._list(color)
        return self._legal_now().copy()

    def _legal_now(self) -> NDArray[np.int32]:
        """The legal actions of the color to move, kept until the position changes."""
        if self._legal is None:
            self._legal = self._list(self.color) if self.color >= 0 else np.zeros(0, np.int32)
        return self._legal

    def _list(self, color: int) -> NDArray[np.int32]:
        work = self.tables.workspace
        count = (
            0
            if self.is_out(color)
            else kernels.legal_one(self.tables.record, self._records, work.scratch, color, work.ids)
        )
        return work.ids[:count].copy()

    def is_legal(self, action: int) -> bool:
        """Whether the color to move may play an action; False for ids that do not exist and when the game is over."""
        if self.is_over or not 0 <= action < self.tables.num_actions:
            return False
        scratch = self.tables.workspace.scratch
        return bool(kernels.is_legal_one(self.tables.record, self._records, scratch, self.color, int(action)))

    def push(self, action: int | str) -> None:
        """Play an action, an id or its text.

        Raises `IllegalActionError`, which names the rule; the state stays as it was.
        """
        if type(action) is not int:
            action = self._action_id(action)
        work = self.tables.workspace
        after = np.empty(1, STATE_DTYPE)
        count = kernels.ILLEGAL
        if self.color >= 0 and 0 <= action < self.tables.num_actions:
            _, count = kernels.push_one(self.tables.record, self._records, after, work.scratch, action, work.ids)
        if count == kernels.ILLEGAL:
            raise IllegalActionError(why_illegal(self, action))
        self._past.append(self._records)
        self._history.append(action)
        self._set(after, self.color)
        self._legal = work.ids[:count].copy()

    def _action_id(self, action: object) -> int:
        """From an index of any integer type, or a text."""
        if isinstance(action, str):
            if self.is_over:
                raise IllegalActionError(f"the game is over: {action!r} cannot be played (R7)")
            return self.parse(action)
        try:
            return operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            raise IllegalActionError(f"action {action!r} is neither an action id nor a move text") from None

    def pop(self) -> int:
        """Take the latest action back and return it. Raises IndexError at the start of the game."""
        if not self._history:
            raise IndexError("there is no action to take back: the game is at its start")
        records = self._past.pop()
        self._set(records, int(self._past[-1]["turn"][0]) if self._past else None)
        return self._history.pop()

    def action_cells(self, action: int) -> NDArray[np.int64]:
        """The cubes that an action adds, int64 [k, 3] of (row, column, level within the stone), sorted.

        Raises `IllegalActionError` for an action that does not exist.
        """
        return np.array(self.tables.cubes(self._checked(action)))

    def text(self, action: int) -> str:
        """An action as the cubes that it adds, such as "b2,b2+1,c2+1".

        Raises `IllegalActionError` for an action that does not exist.
        """
        return action_text(self.tables, self._checked(action))

    def parse(self, text: str) -> int:
        """The action with this text; the order of its cubes does not matter.

        Raises `IllegalActionError` if a cube lies off the plan or the cubes are no stone, ValueError if it is no text
        of cubes.
        """
        return parse_action(self.tables, text)

    def _checked(self, action: int) -> int:
        if not 0 <= action < self.tables.num_actions:
            raise IllegalActionError(no_such_action(self, action))
        return int(action)

    # Scores ----------------------------------------------------------------------------------------------------------

    def scores(self) -> NDArray[np.float64]:
        """Points of each color (R5), float64 [colors]; at any ply, as if the game ended now."""
        out = np.zeros(self.options.num_colors)
        kernels.score_one(self.tables.record, self._records, out)
        return out

    def player_scores(self) -> NDArray[np.float64]:
        """Points of each player, float64 [players]: those of its best color (R6)."""
        return seats.player_scores(self.options, self.scores())

    def places(self) -> NDArray[np.int64]:
        """The place of each player, int64 [players]: 0 is first, equal scores share a place (S3)."""
        return seats.places(self.options, self.scores())

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if not self.is_over:
            return None
        scores, players, places = self.scores(), self.player_scores(), self.places()
        return Outcome(tuple(scores.tolist()), tuple(players.tolist()), tuple(places.tolist()))

    # Copies and views ------------------------------------------------------------------------------------------------

    def copy(self) -> "State":
        """An independent copy, with its history."""
        return self._copy_as(type(self))

    def _copy_as(self, kind: "type[S]") -> "S":
        other = kind.__new__(kind)
        other.options, other.tables = self.options, self.tables
        other.color, other.player, other.is_over, other.skipped = self.color, self.player, self.is_over, self.skipped
        other._records, other._legal = self._records, self._legal
        other._past, other._history = self._past.copy(), self._history.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self: S, memo: dict[int, Any]) -> S:
        return self._copy_as(type(self))

    def view(self, player: int) -> "ReadOnly":
        """What an agent in a seat may know: in a game of perfect information the state, read-only."""
        return self._view(player, StateView)

    def _view(self, player: int, kind: "type[S]") -> "S":
        if not 0 <= player < self.options.num_players:
            raise ValueError(f"player {player!r} does not exist: expected 0 … {self.options.num_players - 1}")
        return self._copy_as(kind)

    def _comparable(self) -> tuple[Any, ...]:
        record = self._records[0]
        return (self.options, *(record[name].tobytes() for name in STATE_DTYPE.names or ()))

    def __eq__(self, other: object) -> bool:
        """Same options, same position; how it came about does not matter."""
        if not isinstance(other, State):
            return NotImplemented
        return self._comparable() == other._comparable()

    def __hash__(self) -> int:
        return hash(self._comparable())

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self.options, "actions": self._history.copy()}

    def __setstate__(self, content: dict[str, Any]) -> None:
        State.__init__(self, content["options"])
        for action in content["actions"]:
            State.push(self, action)

    # Looks -----------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        from blokus_env.rumis import render

        return render.ansi(self)

    def __repr__(self) -> str:
        options = "".join(f" {name}={value!r}" for name, value in self.options.changed().items())
        return f"<State {NAME}{options} ply={self.ply}>"

    def _repr_svg_(self) -> str:
        from blokus_env.rumis.svg import svg

        return svg(self)


class ReadOnly(State):
    """What makes a view of a state: it can be looked at and copied, not changed."""

    __slots__ = ()

    def push(self, action: int | str) -> None:
        """Refused. Raises TypeError."""
        raise TypeError("a view is read-only: play on view.copy()")

    def pop(self) -> int:
        """Refused. Raises TypeError."""
        raise TypeError("a view is read-only: take back on view.copy()")

    def copy(self) -> State:
        """A state like this one to play on."""
        return self._copy_as(
            next(k for k in type(self).__mro__ if issubclass(k, State) and not issubclass(k, ReadOnly))
        )

    __copy__ = copy


class StateView(ReadOnly):
    """A state that an agent may look at and copy, not change."""

    __slots__ = ()
