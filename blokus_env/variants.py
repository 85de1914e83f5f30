"""The registry of rulesets: one frozen row each. Rules are cited by their ids in RULES.md."""

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blokus_env.geometry import Board, square_board
from blokus_env.pieces import POLYOMINO_PIECES, Cell, Piece

Starts = tuple[tuple[Cell, ...], ...]  # start cells of each color


@dataclass(frozen=True)
class Contact:
    """What a placed piece does to its own color's cells around it: some become forbidden, some may carry the next
    piece.

    Each field names some of "edge", "corner": the cells that share an edge, or just a corner point, with the piece.
    """

    forbids: tuple[str, ...]
    attaches: tuple[str, ...]


CORNER_CONTACT = Contact(forbids=("edge",), attaches=("corner",))  # B5


@dataclass(frozen=True)
class Scoring:
    """Points of a color: for the squares placed and the squares left, and bonuses (S1, S2, S5)."""

    per_placed: float = 0.0  # points for each square placed
    per_left: float = 0.0  # points for each square in an unplaced piece
    all_placed: float = 0.0  # bonus when every piece is placed
    single_last: float = 0.0  # further bonus when the last one placed was the single square

    @functools.cached_property
    def weights(self) -> NDArray[np.float64]:
        """The four numbers for the kernels, float64 [4]."""
        return np.array([self.per_placed, self.per_left, self.all_placed, self.single_last])


ADVANCED = Scoring(per_left=-1.0, all_placed=15.0, single_last=5.0)  # S1
BASIC = Scoring(per_left=-1.0)  # S2
RAW_POINTS = Scoring(per_placed=1.0, all_placed=15.0, single_last=5.0)  # what was achieved: squares placed and bonuses


@dataclass(frozen=True)
class Variant:
    """A ruleset as data. Colors are numbered in playing order, players by seat."""

    name: str
    title: str
    board: Board
    pieces: tuple[Piece, ...]
    piece_counts: tuple[int, ...]  # how many of each piece a color has
    color_names: tuple[str, ...]
    starts: Mapping[str, Starts]  # option `start` → start cells of each color (B4); the first is the default
    scorings: Mapping[str, Scoring]  # option `scoring`; the first is the default
    owners: tuple[tuple[int, ...], ...]  # owners[color][k % len]: the player who places the color's k-th piece
    scoring_colors: tuple[tuple[int, ...], ...]  # the colors whose points count for each player (S4)
    teams: tuple[int, ...]  # the team of each player
    raw_points: Scoring = RAW_POINTS
    piece_values: tuple[float, ...] | None = None  # squares that each piece counts; None: its cells
    contact: Contact = CORNER_CONTACT
    free_piece: str | None = None  # a piece that may go on any of `free_cells` at any time
    free_cells: tuple[Cell, ...] = ()
    opening_plays: int = 0  # a color's first plays must be the free piece
    version: int = 0
    history: tuple[str, ...] = ("first version",)  # what each version changed

    def __hash__(self) -> int:
        return hash((self.name, self.version, self.board, self.pieces))

    def __reduce__(self) -> tuple[Any, ...]:
        if VARIANTS.get(self.name) is self:
            return variant, (self.name,)
        return Variant, tuple(getattr(self, field.name) for field in dataclasses.fields(self))

    @property
    def module_name(self) -> str:
        """The name under which PettingZoo users import it: "duo_v0"."""
        return f"{self.name}_v{self.version}"

    @property
    def gymnasium_id(self) -> str:
        """Its id in Gymnasium's registry: "blokus_env/Duo-v0"."""
        camel = "".join(part.capitalize() for part in self.name.split("_"))
        return f"blokus_env/{camel}-v{self.version}"

    @property
    def num_colors(self) -> int:
        """Number of colors."""
        return len(self.color_names)

    @property
    def num_players(self) -> int:
        """Number of seats."""
        return len(self.teams)

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self.board.height

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self.board.width

    @property
    def piece_names(self) -> tuple[str, ...]:
        """Names of the pieces, in table order."""
        return tuple(piece.name for piece in self.pieces)

    @property
    def values(self) -> tuple[float, ...]:
        """Squares that each piece counts in the score."""
        return self.piece_values or tuple(float(piece.size) for piece in self.pieces)

    @property
    def num_pieces(self) -> int:
        """Pieces of one color, all kinds together."""
        return sum(self.piece_counts)

    @property
    def num_squares(self) -> int:
        """Cells in all pieces of one color."""
        return sum(piece.size * count for piece, count in zip(self.pieces, self.piece_counts, strict=True))

    def owner(self, color: int, play: int) -> int:
        """The player who places a color's piece number `play` (0, 1, …)."""
        owners = self.owners[color]
        return owners[play % len(owners)]

    def start_option(self, start: str | None) -> str:
        """The name of a start rule, the default for None.

        Raises ValueError for a name that the variant does not have.
        """
        return _option(self, "start", start, self.starts)

    def scoring_option(self, scoring: str | None) -> str:
        """The name of a scoring, the default for None. Raises ValueError for a name that the variant does not have."""
        return _option(self, "scoring", scoring, self.scorings)


def _option(variant: Variant, what: str, value: str | None, allowed: Mapping[str, object]) -> str:
    if value is None:
        return next(iter(allowed))
    if value not in allowed:
        raise ValueError(
            f"{what}={value!r} is unknown for {variant.name!r}: choose one of {', '.join(map(repr, allowed))}"
        )
    return value


def _duo(name: str, title: str, color_names: tuple[str, ...]) -> Variant:
    upper_left, lower_right = (4, 4), (9, 9)
    either = (upper_left, lower_right)
    return Variant(
        name=name,
        title=title,
        board=square_board(14),
        pieces=POLYOMINO_PIECES,
        piece_counts=(1,) * len(POLYOMINO_PIECES),
        color_names=color_names,
        starts={"either": (either, either), "fixed": ((upper_left,), (lower_right,))},
        scorings={"advanced": ADVANCED, "basic": BASIC},
        owners=((0,), (1,)),
        scoring_colors=((0,), (1,)),
        teams=(0, 1),
    )


def _classic() -> Variant:
    corners = ((0, 0), (0, 19), (19, 19), (19, 0))
    return Variant(
        name="classic",
        title="Blokus Classic",
        board=square_board(20),
        pieces=POLYOMINO_PIECES,
        piece_counts=(1,) * len(POLYOMINO_PIECES),
        color_names=("blue", "yellow", "red", "green"),
        starts={"any_corner": (corners,) * 4, "fixed": tuple((corner,) for corner in corners)},
        scorings={"advanced": ADVANCED, "basic": BASIC},
        owners=((0,), (1,), (2,), (3,)),
        scoring_colors=((0,), (1,), (2,), (3,)),
        teams=(0, 1, 2, 3),
    )


def tiny_variant(size: int = 5, largest: int = 3) -> Variant:
    """A small two-player game for tests and experiments, not in the registry: pieces of up to `largest` squares."""
    pieces = tuple(piece for piece in POLYOMINO_PIECES if piece.size <= largest)
    first, second = (1, 1), (size - 2, size - 2)
    return Variant(
        name=f"tiny{size}",
        title=f"Tiny {size}×{size}",
        board=square_board(size),
        pieces=pieces,
        piece_counts=(1,) * len(pieces),
        color_names=("purple", "orange"),
        starts={"fixed": ((first,), (second,)), "either": ((first, second),) * 2},
        scorings={"advanced": ADVANCED, "basic": BASIC},
        owners=((0,), (1,)),
        scoring_colors=((0,), (1,)),
        teams=(0, 1),
    )


_ROWS = (
    _duo("duo", "Blokus Duo", ("purple", "orange")),
    _duo("to_go", "Blokus To Go", ("blue", "green")),
    _classic(),
)

VARIANTS: Mapping[str, Variant] = MappingProxyType({row.name: row for row in _ROWS})
"""All registered rulesets by name."""


def variant(name: str | Variant) -> Variant:
    """Look a ruleset up by name; a `Variant` is handed through. Raises ValueError for an unknown name."""
    if isinstance(name, Variant):
        return name
    if name not in VARIANTS:
        raise ValueError(f"unknown variant {name!r}: choose one of {', '.join(map(repr, VARIANTS))}")
    return VARIANTS[name]
