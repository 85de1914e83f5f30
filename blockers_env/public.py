"""What everybody at the table can see, as methods on a state record: the common part of `State` and `View`."""

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blockers_env import kernels
from blockers_env.tables import POSITION, Tables
from blockers_env.tiles import ACTION_TEXT, NUM_SQUARES, SIZE, SQUARE_NAMES, TILE_NAMES, parse_square, parse_tile
from blockers_env.variants import TITLE, Options
from blokus_env.adapters.protocol import IllegalActionError


class Public:
    """A position as far as it is public. Colors, players and tiles are indices; see `tiles` for the text of tiles."""

    __slots__ = ("_history", "_legal", "_records", "is_over", "options", "player", "skipped", "tables")

    options: Options
    tables: Tables
    player: int  # to move, `GAME_OVER` (−1) when the game is over
    is_over: bool  # whether all turns are gone (E1)
    skipped: tuple[int, ...]  # players whose turn the latest action left without a move, in order (P5)
    _records: NDArray[np.void]  # length 1; replaced, never changed, so that copies share it
    _history: list[int]
    _legal: NDArray[np.int32] | None

    # Who and where --------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The name of the game."""
        return TITLE

    @property
    def ply(self) -> int:
        """Actions played so far by all players."""
        return int(self._records["ply"][0])

    @property
    def turns(self) -> int:
        """Turns gone, skipped ones included."""
        return int(self._records["turns"][0])

    @property
    def skips(self) -> tuple[int, ...]:
        """How many turns of each player were skipped (P5)."""
        return tuple(self._records["skips"][0, : self.options.num_players].tolist())

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
        """Names of the colors."""
        return self.options.color_names

    @property
    def records(self) -> NDArray[np.void]:
        """The record for the kernels, an array of length 1. Read only."""
        return self._records

    def board(self) -> NDArray[np.int8]:
        """The color on each square, int8 [9, 9], −1 where empty; row A is the top row."""
        board: NDArray[np.int8] = self._records["color"][0, POSITION].reshape(SIZE, SIZE)
        return board

    def faces(self) -> NDArray[np.int8]:
        """The tile on each square, int8 [9, 9], −1 where empty."""
        faces: NDArray[np.int8] = self._records["face"][0, POSITION].reshape(SIZE, SIZE)
        return faces

    def may_be_taken(self) -> NDArray[np.bool_]:
        """The squares whose tile could be captured without splitting its group (C2), bool [9, 9]."""
        scratch, board = self.tables.workspace.scratch, self.board().ravel()
        out = [board[i] >= 0 and kernels.can_take_one(self._records, scratch, POSITION[i]) for i in range(NUM_SQUARES)]
        return np.array(out, np.bool_).reshape(SIZE, SIZE)

    def last_square(self) -> tuple[int, int] | None:
        """Row and column of the newest tile, None at the start."""
        if not self._history:
            return None
        row, column = divmod(int(self.tables.square[self._history[-1]]), SIZE)
        return row, column

    # Tiles: lists of tile numbers, ascending -------------------------------------------------------------------------

    def unseen(self, color: int) -> list[int]:
        """The tiles of a color that nobody has played: those on its rack and in its pile."""
        return _tiles(self._every_tile & ~int(self._records["played"][0, self._color(color)]))

    def captured(self, player: int, color: int) -> list[int]:
        """The tiles of a color that lie before their captor (C3)."""
        return _tiles(int(self._records["captured"][0, checked_player(self.options, player), self._color(color)]))

    def num_captured(self) -> NDArray[np.int64]:
        """How many tiles each player has captured of each color, int64 [players, colors]."""
        players, colors = self.options.num_players, self.options.num_colors
        counts: NDArray[np.int64] = np.bitwise_count(self._records["captured"][0, :players, :colors]).astype(np.int64)
        return counts

    def rack_count(self, color: int) -> int:
        """How many tiles are on a color's rack."""
        color = self._color(color)
        return int(self._records["drawn"][0, color]) - int(self._records["played"][0, color]).bit_count()

    def pile_count(self, color: int) -> int:
        """How many tiles are in a color's pile."""
        return self.options.num_tiles - int(self._records["drawn"][0, self._color(color)])

    def is_closed(self, color: int) -> bool:
        """Whether a color's rack could not be refilled: it plays no more (D5)."""
        return self.rack_count(color) < self.options.rack_size

    def rack(self, color: int) -> list[int] | None:
        """The tiles on a color's rack; None if they are not known here."""
        color = self._color(color)
        if self._records["rack"][0, color] == 0 and self.rack_count(color):
            return None
        return _tiles(int(self._records["rack"][0, color]))

    def _color(self, color: int) -> int:
        return checked_index("color", color, self.options.num_colors)

    @property
    def _every_tile(self) -> int:
        return (1 << self.options.num_tiles) - 1

    # Actions --------------------------------------------------------------------------------------------------------

    def legal_actions(self) -> NDArray[np.int32]:
        """Legal actions of the player to move, int32, ascending; empty when the game is over."""
        return self._legal_now().copy()

    def _legal_now(self) -> NDArray[np.int32]:
        """The legal actions of the player to move, kept until the position changes."""
        if self._legal is None:
            self._legal = self._list(self.player) if self.player >= 0 else np.zeros(0, np.int32)
        return self._legal

    def _list(self, player: int) -> NDArray[np.int32]:
        work = self.tables.workspace
        count = kernels.legal_one(self.tables.record, self._records, work.scratch, player, work.ids)
        return work.ids[:count].copy()

    def is_legal(self, action: int) -> bool:
        """Whether the player to move may play an action; False for ids that do not exist and when the game is over."""
        action = self._id(action)
        if self.is_over or not 0 <= action < self.tables.num_actions:
            return False
        scratch = self.tables.workspace.scratch
        return bool(kernels.is_legal_one(self.tables.record, self._records, scratch, self.player, action))

    def action_color(self, action: int, player: int | None = None) -> int:
        """The color that an action of a player plays; of the player to move if None."""
        return self._player(player) + self.options.num_players * int(self.tables.which[self._checked(action)])

    def text(self, action: int, player: int | None = None) -> str:
        """An action as tile and square, "7@C7"; with two colors also the color, "red:7@C7".

        The color is that of `player`, or of the player to move. Raises `IllegalActionError` for an action that does not
        exist.
        """
        action = self._checked(action)
        tile, square = self.tables.tile[action], self.tables.square[action]
        text = f"{TILE_NAMES[tile]}@{SQUARE_NAMES[square]}"
        if not self.options.two_colors:
            return text
        return f"{self.color_names[self.action_color(action, player)]}:{text}"

    def parse(self, text: str) -> int:
        """The action of the player to move with this text; capitals do not matter.

        Raises `IllegalActionError` if the tile does not match the square, or the color is not the player's; ValueError
        if it is no text of an action.
        """
        match = ACTION_TEXT.fullmatch(text.strip()) if isinstance(text, str) else None
        if match is None or (match[1] is not None) != self.options.two_colors:
            example = "red:7@C7" if self.options.two_colors else "7@C7"
            raise ValueError(f"{text!r} is no action: expected a tile and a square such as {example!r}")
        which = 0
        if match[1] is not None:
            own = [self.color_names[color] for color in self.options.colors_of(self._player(None))]
            if match[1].lower() not in own:
                raise IllegalActionError(f"{text!r}: the colors of the player to move are {' and '.join(own)} (D1)")
            which = own.index(match[1].lower())
        tile, square = parse_tile(match[2]), parse_square(match[3])
        action = self.tables.action_of.get((which, tile, square))
        if action is None:
            raise IllegalActionError(f"{text!r}: tile {TILE_NAMES[tile]} does not match {SQUARE_NAMES[square]} (T2)")
        return action

    def _id(self, action: object) -> int:
        """From an index of any integer type. Raises `IllegalActionError`."""
        try:
            return operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            raise IllegalActionError(f"action {action!r} is no action id") from None

    def _checked(self, action: int) -> int:
        action = self._id(action)
        if not 0 <= action < self.tables.num_actions:
            raise IllegalActionError(self._no_such_action(action))
        return action

    def _no_such_action(self, action: int) -> str:
        return f"action {action} does not exist: expected 0 … {self.tables.num_actions - 1}"

    def _player(self, player: int | None) -> int:
        """A player, by default the one to move, or the one whose turn came last."""
        if player is not None:
            return checked_player(self.options, player)
        return self.player if self.player >= 0 else (self.turns - 1) % self.options.num_players

    # Scores ----------------------------------------------------------------------------------------------------------

    def groups(self) -> NDArray[np.int64]:
        """The number of groups of each color (G3), int64 [colors]."""
        out = np.zeros(self.options.num_colors, np.int64)
        kernels.groups_one(self._records, self.tables.workspace.scratch, out)
        return out

    def points(self) -> NDArray[np.int64]:
        """Points of each player by the scoring in force, int64 [players], fewest win; at any ply, as if the game ended
        now without further skips (S1).
        """
        points: NDArray[np.int64] = self._standing()[0]
        return points

    def scores(self) -> NDArray[np.float64]:
        """Points of each player as float64 [players]; fewest win."""
        return self.points().astype(np.float64)

    def tiles_left(self) -> NDArray[np.int64]:
        """Own tiles that each player has left at the end, int64 [players]; before, the fewest possible (S2)."""
        left: NDArray[np.int64] = self._standing()[2]
        return left

    def player_scores(self) -> NDArray[np.float64]:
        """Minus the points, so that more is better, float64 [players]."""
        return -self.scores()

    def places(self) -> NDArray[np.int64]:
        """The place of each player, int64 [players]: 0 is first, ties as the tie-break says (S5, S6)."""
        points, captured, _ = self._standing()
        return places_of(self.options, points, captured)

    def _standing(self) -> NDArray[np.int64]:
        """Points, captured tiles and tiles left of each player, int64 [3, players]."""
        out = np.zeros((3, self.options.num_players), np.int64)
        kernels.score_one(self.tables.record, self._records, self.tables.workspace.scratch, *out)
        return out

    # Looks -----------------------------------------------------------------------------------------------------------

    @property
    def _viewer(self) -> int | None:
        """The player who looks; None: one who sees all."""
        return None

    def __str__(self) -> str:
        from blockers_env import render

        return render.ansi(self, self._viewer)

    def _repr_svg_(self) -> str:
        from blockers_env.svg import svg

        return svg(self, self._viewer)


def places_of(options: Options, points: NDArray[np.int64], captured: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places int64 [..., players] from points and captured tiles, int64 [..., players] each (S5, S6)."""
    key: NDArray[Any] = points * 1000
    if options.tie_break == "fewest_captures":
        key = key + captured
    places: NDArray[np.int64] = (key[..., None, :] < key[..., :, None]).sum(-1)
    return places


def checked_index(what: str, value: object, number: int) -> int:
    """A whole number 0 … number − 1 as int. Raises ValueError for anything else."""
    if not isinstance(value, (int, np.integer)) or not 0 <= value < number:
        raise ValueError(f"{what} {value!r} does not exist: expected 0 … {number - 1}")
    return int(value)


def checked_player(options: Options, player: object) -> int:
    """A seat of the game as int. Raises ValueError for anything else."""
    return checked_index("player", player, options.num_players)


def _tiles(word: int) -> list[int]:
    """The numbers of the set bits."""
    return [tile for tile in range(word.bit_length()) if word >> tile & 1]
