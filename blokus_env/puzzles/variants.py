"""The solo puzzles as data (P1 … P4 in RULES.md): boards, pieces, and what counts as solved."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from blokus_env.geometry import Board
from blokus_env.pieces import POLYOMINO_PIECES, Piece
from blokus_env.variants import FOUR_COLORS, VARIANTS, Contact, Scoring, Variant

FREE = Contact(forbids=(), attaches=())  # P2, P3
NO_EDGE_CONTACT = Contact(forbids=("edge",), attaches=())  # P4


@dataclass(frozen=True)
class Puzzle:
    """A task for one player: place every piece of every color.

    `variant` has board, pieces, colors and contact. Where `in_turn`, colors move in turn by the rules of the game (P1);
    elsewhere any piece of any color may be placed at any time (P2, P3).
    """

    name: str
    variant: Variant
    in_turn: bool
    rules: tuple[str, ...]  # their numbers in RULES.md
    task: str  # one sentence

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.variant.title

    @property
    def gymnasium_id(self) -> str:
        """Its id in Gymnasium's registry."""
        return f"blokus_env/Puzzle{self.name.capitalize()}-v{self.variant.version}"

    @property
    def num_pieces(self) -> int:
        """Pieces of all colors."""
        return self.variant.num_colors * self.variant.num_pieces

    @property
    def num_squares(self) -> int:
        """Squares of all pieces."""
        return self.variant.num_colors * self.variant.num_squares

    @property
    def num_cells(self) -> int:
        """Cells of the board."""
        return len(self.variant.board.cell_set)

    @property
    def spare(self) -> int:
        """Cells that stay empty when every piece is placed; 0 where the pieces fill the board."""
        return self.num_cells - self.num_squares

    @property
    def no_edge_contact(self) -> bool:
        """Whether pieces of equal color must not share an edge though there are no turns (P4)."""
        return not self.in_turn and "edge" in self.variant.contact.forbids

    def with_no_edge_contact(self, wanted: bool) -> Puzzle:
        """This puzzle with or without P4. Raises ValueError where that is no option."""
        if self.in_turn:
            if wanted:
                raise ValueError(f"no_edge_contact does not apply to {self.name!r}: the rules of the game hold (B5)")
            return self
        contact = NO_EDGE_CONTACT if wanted else FREE
        rules = tuple(rule for rule in self.rules if rule != "P4") + ("P4",) * wanted
        return dataclasses.replace(self, variant=dataclasses.replace(self.variant, contact=contact), rules=rules)


def packing(
    name: str,
    board: Board,
    pieces: tuple[Piece, ...],
    piece_counts: tuple[int, ...] | None = None,
    color_names: tuple[str, ...] = FOUR_COLORS,
    no_edge_contact: bool = False,
    rules: tuple[str, ...] = (),
) -> Puzzle:
    """A puzzle of filling a board with the pieces of all colors, without turns.

    Raises ValueError if the pieces have not as many squares as the board has cells.
    """
    counts = piece_counts or (1,) * len(pieces)
    squares = len(color_names) * sum(piece.size * count for piece, count in zip(pieces, counts, strict=True))
    if squares != len(board.cell_set):
        raise ValueError(f"{name!r}: pieces of {squares} squares cannot fill a board of {len(board.cell_set)} cells")
    size = f"{board.height} × {board.width}"
    variant = Variant(
        name=f"puzzle_{name}",
        title=f"{name.capitalize()} puzzle",
        board=board,
        pieces=pieces,
        piece_counts=counts,
        color_names=color_names,
        starts={"anywhere": ((),) * len(color_names)},
        scorings={"placed": Scoring(per_placed=1.0)},
        owners=((0,),) * len(color_names),
        scoring_colors=(tuple(range(len(color_names))),),
        teams=(0,),
        raw_points=Scoring(per_placed=1.0),
        contact=NO_EDGE_CONTACT if no_edge_contact else FREE,
    )
    task = f"Fill the {size} board with {len(color_names) * sum(counts)} pieces of {len(color_names)} colors."
    return Puzzle(name, variant, in_turn=False, rules=rules, task=task)


def _pieces_of(size: int) -> tuple[Piece, ...]:
    return tuple(piece for piece in POLYOMINO_PIECES if piece.size == size)


SOLO = Puzzle(
    "solo",
    dataclasses.replace(
        VARIANTS["classic"],
        name="puzzle_solo",
        title="Solo puzzle",
        owners=((0,),) * 4,
        scoring_colors=((0, 1, 2, 3),),
        teams=(0,),
    ),
    in_turn=True,
    rules=("P1",),
    task="Place all 84 pieces on the 20 × 20 board by the rules of the game, the four colors in turn.",
)

_ROWS = (
    SOLO,
    packing("tetromino", Board(8, 10), _pieces_of(4), rules=("P2",)),
    packing("pentomino", Board(15, 16), _pieces_of(5), rules=("P3",)),
)

PUZZLES: Mapping[str, Puzzle] = MappingProxyType({row.name: row for row in _ROWS})
"""All puzzles by name."""


def puzzle(name: str | Puzzle, no_edge_contact: bool | None = None) -> Puzzle:
    """Look a puzzle up by name; a `Puzzle` is handed through. `no_edge_contact` chooses P4; None: as the row has it.

    Raises ValueError for an unknown name, and for P4 where it is no option.
    """
    if not isinstance(name, Puzzle):
        if name not in PUZZLES:
            raise ValueError(f"unknown puzzle {name!r}: choose one of {', '.join(map(repr, PUZZLES))}")
        name = PUZZLES[name]
    return name if no_edge_contact is None else name.with_no_edge_contact(no_edge_contact)
