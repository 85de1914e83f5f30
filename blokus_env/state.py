"""One game, in the spirit of python-chess: `State("duo")`, `legal_actions()`, `push`, `pop`, `outcome()`."""

import operator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from blokus_env import kernels
from blokus_env.adapters.protocol import GAME_OVER, IllegalActionError
from blokus_env.pieces import Cell
from blokus_env.reasons import no_such_action, why_illegal
from blokus_env.seats import seats
from blokus_env.tables import tables
from blokus_env.variants import Scoring, Variant, variant

S = TypeVar("S", bound="State")
NOT_PART_OF_EQUALITY = ("attach", "num_attach")  # a list in no particular order; `cell` says the same


@dataclass(frozen=True)
class Outcome:
    """How a finished game ended."""

    scores: tuple[float, ...]  # of each color
    player_scores: tuple[float, ...]  # of each player: the colors that count for it
    places: tuple[int, ...]  # of each player; 0 is the first place, equal scores share one (S3)
    teams: tuple[int, ...]  # of each player

    @property
    def winners(self) -> tuple[int, ...]:
        """The players in the first place."""
        return tuple(player for player, place in enumerate(self.places) if place == 0)

    @property
    def is_tie(self) -> bool:
        """Whether more than one player, or team, is in the first place."""
        return len({self.teams[player] for player in self.winners}) > 1


class State:
    """A running game of one of the rulesets.

    Actions are ids (see `Tables`) or, in `push`, their text. Colors and players are indices in playing order.

    Args:
        name: a registered variant ("duo", "classic_2", "trigon", …) or a `Variant`.
        start: start rule (B4), for example "either" or "fixed" in Duo; None: the variant's default.
        scoring: "advanced" (S1) or "basic" (S2); None: the variant's default.
        shared_color: the color that the three players of "classic_3" share; None: the variant's default.

    Raises:
        ValueError: for an unknown name or option, or an option that the variant does not have.
    """

    __slots__ = (
        "_history",
        "_legal",
        "_past",
        "_records",  # length 1; replaced by `push`, never changed, so that copies and views share it
        "_seats",
        "color",
        "is_over",
        "player",
        "scoring",
        "skipped",
        "tables",
        "variant",
    )

    def __init__(
        self,
        name: str | Variant = "duo",
        start: str | None = None,
        scoring: str | None = None,
        shared_color: str | None = None,
    ) -> None:
        self.variant = variant(name, shared_color)
        self.tables = tables(self.variant, self.variant.start_option(start))
        self.scoring = self.variant.scoring_option(scoring)
        self._seats = seats(self.variant)
        self.is_over = False  # whether no color can place a piece (B7)
        self.color = 0  # to move, −1 when the game is over
        self.player = self.variant.owner(0, 0)  # to move, `GAME_OVER` (−1) when the game is over
        self.skipped: tuple[int, ...] = ()  # players whom the latest action left without a placement, in order (B6)
        self._records = self.tables.new_states(1)
        self._past: list[NDArray[np.void]] = []  # the record before each action
        self._history: list[int] = []
        self._legal: NDArray[np.int32] | None = None
        kernels.reset_one(self.tables.record, self._records)

    # Who and where --------------------------------------------------------------------------------------------------

    @property
    def start(self) -> str:
        """The start rule in force."""
        return self.tables.start

    @property
    def team(self) -> int | None:
        """The team of the player to move, None when the game is over."""
        return None if self.is_over else self.variant.teams[self.player]

    @property
    def ply(self) -> int:
        """Pieces placed so far by all colors."""
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
        return self.variant.color_names

    @property
    def piece_names(self) -> tuple[str, ...]:
        """Names of the pieces."""
        return self.variant.piece_names

    def is_blocked(self, color: int) -> bool:
        """Whether a color is known to be unable to move for good (found when its turn comes)."""
        return bool(int(self._records["blocked"][0]) >> color & 1)

    def left(self, color: int) -> list[str]:
        """Names of the pieces that a color has in hand, one entry a piece."""
        counts = self._records["left"][0, color]
        return [name for name, count in zip(self.piece_names, counts, strict=True) for _ in range(count)]

    @property
    def records(self) -> NDArray[np.void]:
        """The record for the kernels, an array of length 1. Read only."""
        return self._records

    def board(self) -> NDArray[np.int8]:
        """The color on each cell, int8 [H, W], −1 where empty; row 0 is the top row."""
        board: NDArray[np.int8] = self._records["board"][0].reshape(self.variant.height, self.variant.width)
        return board.copy()

    def start_cells(self, color: int) -> tuple[Cell, ...]:
        """The start cells that the start rule gives a color (B4)."""
        return self.variant.starts[self.start][color]

    # Actions --------------------------------------------------------------------------------------------------------

    def legal_actions(self, color: int | None = None) -> NDArray[np.int32]:
        """Legal actions, int32, ascending; of the color to move, or of any color as if it were its turn."""
        if color is not None and not 0 <= color < self.variant.num_colors:
            raise ValueError(f"color {color!r} does not exist: expected 0 … {self.variant.num_colors - 1}")
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
        count = kernels.legal_one(self.tables.record, self._records, work.scratch, color, work.ids)
        return work.ids[:count].copy()

    def is_legal(self, action: int) -> bool:
        """Whether the color to move may play an action; False for ids that do not exist and when the game is over."""
        if self.is_over or not 0 <= action < self.tables.num_actions:
            return False
        return bool(kernels.is_legal_one(self.tables.record, self._records, self.color, int(action)))

    def push(self, action: int | str) -> None:
        """Play an action, an id or its text.

        Raises `IllegalActionError`, which names the rule; the state stays as it was.
        """
        if type(action) is not int:
            action = self._action_id(action)
        work = self.tables.workspace
        after = np.empty(1, self.tables.state_dtype)
        color, count = kernels.NO_COLOR, kernels.ILLEGAL
        if self.color >= 0 and 0 <= action < self.tables.num_actions:
            color, count = kernels.push_one(self.tables.record, self._records, after, work.scratch, action, work.ids)
        if count == kernels.ILLEGAL:
            raise IllegalActionError(why_illegal(self, action))
        self._past.append(self._records)
        self._history.append(action)
        self._set(after, color, self.color)
        self._legal = work.ids[:count].copy()

    def _set(self, records: NDArray[np.void], color: int, before: int | None) -> None:
        """Go to a position with this color to move, reached by an action of color `before`."""
        self._records, self._legal, self.color = records, None, color
        self.is_over = color < 0
        self.player = GAME_OVER if color < 0 else self._seats.player_of(color, records)
        self.skipped = ()
        if before is not None and color >= 0:
            colors = self.variant.num_colors
            missed = (color - before - 1) % colors
            if missed:
                between = ((before + step) % colors for step in range(1, missed + 1))
                self.skipped = tuple(self._seats.player_of(skipped, records) for skipped in between)

    def _action_id(self, action: object) -> int:
        """From an index of any integer type, or a text."""
        if isinstance(action, str):
            if self.is_over:
                raise IllegalActionError(f"the game is over: {action!r} cannot be played (B7)")
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
        self._set(records, int(records["turn"][0]), int(self._past[-1]["turn"][0]) if self._past else None)
        return self._history.pop()

    def action_cells(self, action: int) -> NDArray[np.int64]:
        """The cells that an action covers, int64 [k, 2] of (row, column), by row and column.

        Raises `IllegalActionError` for an action that does not exist.
        """
        return np.array(self._cells(action))

    def _cells(self, action: int) -> tuple[Cell, ...]:
        if not 0 <= action < self.tables.num_actions:
            raise IllegalActionError(no_such_action(self, action))
        return self.tables.cells(action)

    def text(self, action: int) -> str:
        """The cells of an action, from the bottom row up and from left to right: "f9,e10,f10,g10,f11".

        Raises `IllegalActionError` for an action that does not exist.
        """
        cells = sorted(self._cells(action), key=lambda cell: (-cell[0], cell[1]))
        return ",".join(self.variant.board.cell_text(cell) for cell in cells)

    def parse(self, text: str) -> int:
        """The action with this text; the order of its cells does not matter.

        Raises `IllegalActionError` if a cell lies off the board or the cells are no piece of the game, ValueError if it
        is no text of cells.
        """
        cells = [self.variant.board.parse_cell(part) for part in text.split(",")]
        for cell, part in zip(cells, text.split(","), strict=True):
            if cell not in self.variant.board.cell_set:
                raise IllegalActionError(f"{text!r}: {part.strip()} is off the board (B3)")
        action = self.tables.action_by_cells.get(tuple(sorted(cells)))
        if action is None:
            raise IllegalActionError(f"{text!r} is not the shape of any piece of {self.variant.name} (B2)")
        return action

    # Scores ----------------------------------------------------------------------------------------------------------

    def scores(self) -> NDArray[np.float64]:
        """Points of each color by the scoring in force (S1, S2, S5), float64 [colors]; at any ply, as if the game ended
        now.
        """
        return self._points(self.variant.scorings[self.scoring])

    def raw_points(self) -> NDArray[np.float64]:
        """Squares placed and bonuses of each color, float64 [colors] (S5)."""
        return self._points(self.variant.raw_points)

    def _points(self, scoring: Scoring) -> NDArray[np.float64]:
        out = np.zeros(self.variant.num_colors)
        kernels.score_one(self.tables.record, self._records, scoring.weights, out)
        return out

    def player_scores(self) -> NDArray[np.float64]:
        """The sum over the colors that count for each player, float64 [players] (S4)."""
        return self._seats.player_scores(self.scores())

    def places(self) -> NDArray[np.int64]:
        """The place of each player, int64 [players]: 0 is first, equal scores share a place, as do team-mates (S3)."""
        return self._seats.places(self.scores())

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if not self.is_over:
            return None
        scores, players, places = self.scores(), self.player_scores(), self.places()
        return Outcome(tuple(scores.tolist()), tuple(players.tolist()), tuple(places.tolist()), self.variant.teams)

    # Copies and views ------------------------------------------------------------------------------------------------

    def copy(self) -> "State":
        """An independent copy, with its history."""
        return self._copy_as(type(self))

    def _copy_as(self, kind: "type[S]") -> "S":
        other = kind.__new__(kind)
        other.variant, other.tables, other.scoring = self.variant, self.tables, self.scoring
        other._seats, other.color, other.player = self._seats, self.color, self.player
        other.is_over, other.skipped = self.is_over, self.skipped
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
        if not 0 <= player < self.variant.num_players:
            raise ValueError(f"player {player!r} does not exist: expected 0 … {self.variant.num_players - 1}")
        return self._copy_as(kind)

    def _comparable(self) -> tuple[Any, ...]:
        names = [name for name in self.tables.state_dtype.names or () if name not in NOT_PART_OF_EQUALITY]
        record = self._records[0]
        options = (self.variant.name, self.variant.owners, self.start, self.scoring)
        return (*options, *(record[name].tobytes() for name in names))

    def __eq__(self, other: object) -> bool:
        """Same ruleset and options, same position; how it came about does not matter."""
        if not isinstance(other, State):
            return NotImplemented
        return self._comparable() == other._comparable()

    def __hash__(self) -> int:
        return hash(self._comparable())

    def __getstate__(self) -> dict[str, Any]:
        return {"variant": self.variant, "start": self.start, "scoring": self.scoring, "actions": self._history.copy()}

    def __setstate__(self, content: dict[str, Any]) -> None:
        State.__init__(self, content["variant"], content["start"], content["scoring"])
        for action in content["actions"]:
            State.push(self, action)

    # Looks -----------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        from blokus_env import render

        return render.ansi(self)

    def __repr__(self) -> str:
        shared = f" shared_color={self.variant.shared_color!r}" if self.variant.sharings else ""
        return f"<State {self.variant.name} start={self.start!r} scoring={self.scoring!r}{shared} ply={self.ply}>"

    def _repr_svg_(self) -> str:
        from blokus_env.svg import svg

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
