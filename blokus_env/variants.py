"""The registry of rulesets: one frozen row each. Rules are cited by their ids in RULES.md."""

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blokus_env.geometry import (
    Board,
    hexagon_board,
    octagon,
    octagon_board,
    quarter_board,
    segment_board,
    square_board,
)
from blokus_env.pieces import (
    HALF_SQUARE_PIECES,
    POLYIAMOND_PIECES,
    POLYOMINO_PIECES,
    SEGMENT_PIECES,
    Cell,
    Piece,
    pieces_named,
)

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
EDGE_CONTACT = Contact(forbids=(), attaches=("edge",))  # C3
JUNCTION_CONTACT = Contact(forbids=(), attaches=("corner",))  # N2: segments share an intersection or nothing


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
PLACED = Scoring(per_placed=1.0)  # S5
RAW_POINTS = Scoring(per_placed=1.0, all_placed=15.0, single_last=5.0)  # what was achieved: squares placed and bonuses


@dataclass(frozen=True)
class Seating:
    """Who plays, scores and wins with whom."""

    owners: tuple[tuple[int, ...], ...]  # owners[color][k % len]: the player who places the color's k-th piece
    scoring_colors: tuple[tuple[int, ...], ...]  # the colors whose points count for each player (S4)
    teams: tuple[int, ...]  # the team of each player


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
    sharings: Mapping[str, Seating] = field(default_factory=dict)  # option `shared_color`; the row has the first
    raw_points: Scoring = RAW_POINTS
    piece_values: tuple[float, ...] | None = None  # squares that each piece counts; None: its cells
    contact: Contact = CORNER_CONTACT
    free_piece: str | None = None  # a piece that may go on any of `free_cells` at any time
    free_cells: tuple[Cell, ...] = ()
    opening_plays: int = 0  # a color's first plays must be the free piece (C1)
    covers_all_starts: bool = False  # whether the first piece covers all of its color's start cells, not just one (G2)
    later_wins_ties: bool = False  # whether of equal scores the later player's is better (C5)
    version: int = 0
    history: tuple[str, ...] = ("first version",)  # what each version changed

    def __hash__(self) -> int:
        return hash((self.name, self.version, self.board, self.pieces))

    def __reduce__(self) -> tuple[Any, ...]:
        registered = VARIANTS.get(self.name)
        if registered is not None and registered.with_shared_color(self.shared_color) == self:
            return variant, (self.name, self.shared_color)
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
    def is_one_color_each(self) -> bool:
        """Whether player i has color i, alone."""
        alone = tuple((i,) for i in range(self.num_colors))
        return self.owners == alone and self.scoring_colors == alone and self.teams == tuple(range(self.num_colors))

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

    @property
    def shared_color(self) -> str | None:
        """The color whose pieces all players place in turn; None where there is none."""
        return next((name for name, seating in self.sharings.items() if seating.owners == self.owners), None)

    def with_shared_color(self, shared_color: str | None) -> "Variant":
        """This ruleset with another color shared by all players.

        Raises ValueError for a color that does not exist, and where no color is shared.
        """
        if shared_color is None:
            return self
        if not self.sharings:
            raise ValueError(f"shared_color={shared_color!r} does not apply to {self.name!r}: no color is shared there")
        name = _option(self, "shared_color", shared_color, self.sharings)
        if name == self.shared_color:
            return self
        seating = self.sharings[name]
        owners, scoring_colors, teams = seating.owners, seating.scoring_colors, seating.teams
        return dataclasses.replace(self, owners=owners, scoring_colors=scoring_colors, teams=teams)

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


def _one_color_each(colors: int) -> Seating:
    alone = tuple((i,) for i in range(colors))
    return Seating(owners=alone, scoring_colors=alone, teams=tuple(range(colors)))


TWO_COLORS_EACH = Seating(owners=((0,), (1,), (0,), (1,)), scoring_colors=((0, 2), (1, 3)), teams=(0, 1))
PAIRS = Seating(  # the first color's player with the third's, the second's with the fourth's
    owners=((0,), (1,), (2,), (3,)),
    scoring_colors=((0, 2), (1, 3), (0, 2), (1, 3)),
    teams=(0, 1, 0, 1),
)


def _sharing(shared: int) -> Seating:
    """Three players with a color each; they place the pieces of the fourth in turn, and its points count for nobody."""
    own = [color for color in range(4) if color != shared]
    owners = tuple((0, 1, 2) if color == shared else (own.index(color),) for color in range(4))
    return Seating(owners, tuple((color,) for color in own), (0, 1, 2))


def _seated(seating: Seating, **row: Any) -> Variant:
    """A row of the registry with these seats, and one of each piece unless it says otherwise."""
    row.setdefault("piece_counts", (1,) * len(row["pieces"]))
    owners, scoring_colors, teams = seating.owners, seating.scoring_colors, seating.teams
    return Variant(owners=owners, scoring_colors=scoring_colors, teams=teams, **row)


ADVANCED_OR_BASIC = {"advanced": ADVANCED, "basic": BASIC}
DUO_STARTS = ((4, 4), (9, 9))
CORNERS = ((0, 0), (0, 19), (19, 19), (19, 0))  # clockwise from the upper left
FOUR_COLORS = ("blue", "yellow", "red", "green")
JUNIOR_PIECES = pieces_named(POLYOMINO_PIECES, "1 2 I3 V3 I4 L4 O T4 Z4 I5 L5 P")
CALLISTO_ONCE = ("T5", "U", "W", "X")  # of the 1×1 there are three, of every other piece two
CALLISTO_PIECES = tuple(  # no letter is used twice among these, except T
    Piece(piece.name if piece.name[0] == "T" else piece.name[0], piece.cells)
    for piece in pieces_named(POLYOMINO_PIECES, "1 2 I3 V3 L4 O T4 Z4 T5 U W X")
)
NEXOS_STARTS = ((4, 4), (4, 20), (20, 20), (20, 4))  # intersections, clockwise from the upper left
GEMBLOQ_BOARD = quarter_board(28, 56, 1)
GEMBLOQ_STARTS = "b27 bb27 bb1 b1"
TRIGON_STARTS = "r15 r4 j12 j7 z12 z7"
TRIGON_3_STARTS = "p14 p3 h11 h6 x11 x6"


def _duo_board(name: str, title: str, color_names: tuple[str, ...], **changes: Any) -> Variant:
    row = {
        "pieces": POLYOMINO_PIECES,
        "starts": {"either": (DUO_STARTS,) * 2, "fixed": tuple((cell,) for cell in DUO_STARTS)},
        "scorings": ADVANCED_OR_BASIC,
    }
    names = {"name": name, "title": title, "color_names": color_names}
    return _seated(_one_color_each(2), board=square_board(14), **names, **{**row, **changes})


def _classic(name: str, title: str, seating: Seating, **changes: Any) -> Variant:
    return _seated(
        seating,
        name=name,
        title=title,
        board=square_board(20),
        pieces=POLYOMINO_PIECES,
        color_names=FOUR_COLORS,
        starts={"any_corner": (CORNERS,) * 4, "fixed": tuple((corner,) for corner in CORNERS)},
        scorings=ADVANCED_OR_BASIC,
        **changes,
    )


def _trigon(name: str, title: str, edge: int, starts: str, colors: int, seating: Seating) -> Variant:
    board = hexagon_board(edge)
    cells = tuple(board.parse_cell(text) for text in starts.split())
    return _seated(
        seating,
        name=name,
        title=title,
        board=board,
        pieces=POLYIAMOND_PIECES,
        color_names=FOUR_COLORS[:colors],
        starts={"any_start": (cells,) * colors},
        scorings=ADVANCED_OR_BASIC,
    )


def _callisto(name: str, title: str, size: int, top: int, color_names: tuple[str, ...], seating: Seating) -> Variant:
    board, inset = octagon_board(size, top), (size - 6) // 2
    center = {(row + inset, column + inset) for row, column in octagon(6, 2)}
    counts = {"1": 3, **dict.fromkeys(CALLISTO_ONCE, 1)}
    return _seated(
        seating,
        name=name,
        title=title,
        board=board,
        pieces=CALLISTO_PIECES,
        piece_counts=tuple(counts.get(piece.name, 2) for piece in CALLISTO_PIECES),
        piece_values=tuple(float(piece.size) if piece.size > 1 else 0.0 for piece in CALLISTO_PIECES),
        color_names=color_names,
        starts={"anywhere": ((),) * len(color_names)},
        scorings={"placed": PLACED},
        raw_points=PLACED,
        contact=EDGE_CONTACT,
        free_piece="1",
        free_cells=tuple(sorted(board.cell_set - center)),
        opening_plays=2,
        later_wins_ties=True,
    )


def _nexos(name: str, title: str, seating: Seating) -> Variant:
    around = ((-1, 0), (0, -1), (0, 1), (1, 0))
    placed = Scoring(per_placed=1.0, all_placed=10.0)
    return _seated(
        seating,
        name=name,
        title=title,
        board=segment_board(13),
        pieces=SEGMENT_PIECES,
        color_names=FOUR_COLORS,
        starts={"fixed": tuple(tuple((r + dr, c + dc) for dr, dc in around) for r, c in NEXOS_STARTS)},
        scorings={"placed": placed},
        raw_points=placed,
        contact=JUNCTION_CONTACT,
    )


def _gembloq(
    name: str, title: str, board: Board, starts: str, color_names: tuple[str, ...], seating: Seating
) -> Variant:
    """`starts` names the leftmost quarter in the lower row of each color's start square."""
    return _seated(
        seating,
        name=name,
        title=title,
        board=board,
        pieces=HALF_SQUARE_PIECES,
        piece_values=tuple(piece.size / 4 for piece in HALF_SQUARE_PIECES),
        color_names=color_names,
        starts={"fixed": tuple(_square_from(board.parse_cell(text)) for text in starts.split())},
        scorings={"placed": PLACED},
        raw_points=PLACED,
        covers_all_starts=True,
    )


def _square_from(cell: Cell) -> tuple[Cell, ...]:
    """The quarters of a square, from the left one in its lower row."""
    row, column = cell
    return ((row - 1, column), (row - 1, column + 1), cell, (row, column + 1))


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
    _duo_board("duo", "Blokus Duo", ("purple", "orange")),
    _duo_board("to_go", "Blokus To Go", ("blue", "green")),
    _duo_board(
        "junior",
        "Blokus Junior",
        ("green", "orange"),
        pieces=JUNIOR_PIECES,
        piece_counts=(2,) * len(JUNIOR_PIECES),
        scorings={"basic": BASIC},
        raw_points=PLACED,
    ),
    _classic("classic", "Blokus Classic", _one_color_each(4)),
    _classic("classic_2", "Blokus Classic for 2", TWO_COLORS_EACH),
    _classic(
        "classic_3",
        "Blokus Classic for 3",
        _sharing(3),
        sharings={FOUR_COLORS[color]: _sharing(color) for color in (3, 0, 1, 2)},
    ),
    _classic("classic_teams", "Blokus Classic in teams", PAIRS),
    _trigon("trigon", "Blokus Trigon", 9, TRIGON_STARTS, 4, _one_color_each(4)),
    _trigon("trigon_2", "Blokus Trigon for 2", 9, TRIGON_STARTS, 4, TWO_COLORS_EACH),
    _trigon("trigon_3", "Blokus Trigon for 3", 8, TRIGON_3_STARTS, 3, _one_color_each(3)),
    _callisto("callisto", "Callisto", 20, 6, FOUR_COLORS, _one_color_each(4)),
    _callisto("callisto_2", "Callisto for 2", 16, 2, ("blue", "green"), _one_color_each(2)),
    _callisto("callisto_2_4", "Callisto for 2, four colors", 20, 6, FOUR_COLORS, TWO_COLORS_EACH),
    _callisto("callisto_3", "Callisto for 3", 20, 2, FOUR_COLORS[:3], _one_color_each(3)),
    _nexos("nexos", "Nexos", _one_color_each(4)),
    _nexos("nexos_2", "Nexos for 2", TWO_COLORS_EACH),
    _gembloq("gembloq", "GembloQ", GEMBLOQ_BOARD, GEMBLOQ_STARTS, FOUR_COLORS, _one_color_each(4)),
    _gembloq("gembloq_2", "GembloQ for 2", quarter_board(22, 44, 13), "n21 ad1", ("blue", "green"), _one_color_each(2)),
    _gembloq("gembloq_2_4", "GembloQ for 2, four colors", GEMBLOQ_BOARD, GEMBLOQ_STARTS, FOUR_COLORS, TWO_COLORS_EACH),
    _gembloq(
        "gembloq_3", "GembloQ for 3", quarter_board(26, 52, 13), "z1 b19 ax19", FOUR_COLORS[:3], _one_color_each(3)
    ),
)

VARIANTS: Mapping[str, Variant] = MappingProxyType({row.name: row for row in _ROWS})
"""All registered rulesets by name."""


def variant(name: str | Variant, shared_color: str | None = None) -> Variant:
    """Look a ruleset up by name; a `Variant` is handed through.

    `shared_color` names the color that the three players of "classic_3" share. Raises ValueError for an unknown name,
    or an option that the ruleset does not have.
    """
    if isinstance(name, Variant):
        return name.with_shared_color(shared_color)
    if name not in VARIANTS:
        raise ValueError(f"unknown variant {name!r}: choose one of {', '.join(map(repr, VARIANTS))}")
    return VARIANTS[name].with_shared_color(shared_color)
