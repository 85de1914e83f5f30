"""From a variant to the arrays that the kernels read.

The board lies on a padded grid of bytes, row after row; a *position* is an index into it. An *orientation* is a list of
offsets from its origin. A *slot* is an orientation together with the one of its cells that lies on the attach cell; its
other cells are bits of a *mask*: the
*window* lists, for each kind of attach cell, the offsets that the bits stand for, most used ones first. The top bits of
a mask's first word stand for the pieces, so that one AND tells both whether the cells are free and whether the piece is
still there. The status of the first window cells (forbidden or not) selects a slot list from which the hopeless slots
are left out beforehand.
"""

import contextlib
import functools
import hashlib
import inspect
import os
import tempfile
import threading
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blokus_env import geometry
from blokus_env import pieces as pieces_module
from blokus_env.cache import cache_folder
from blokus_env.compiling import announce
from blokus_env.geometry import Orientation, neighbors, orientations
from blokus_env.pieces import Cell
from blokus_env.variants import Variant

STATUS_CELLS = 8  # 2^8 slot lists for each kind of cell: 4 are slower, 10 no faster
WORD = 64  # bits in a mask word
ALL_COLORS_SHIFT = 4  # cell byte: bit c = forbidden to color c, bit 4 + c = attach cell of color c


@dataclass(frozen=True, eq=False)
class Tables:
    """Everything derived from a variant and a start rule.

    `record` is a structured array of length 1 for the kernels. The other arrays are indexed by action id.
    """

    variant: Variant
    start: str
    record: NDArray[np.void]
    state_dtype: np.dtype[np.void]
    scratch_dtype: np.dtype[np.void]
    orientations: tuple[Orientation, ...]
    orientation_piece: NDArray[np.int64]  # [orientations] index of the piece
    orientation: NDArray[np.int64]  # [actions]
    row: NDArray[np.int64]  # [actions] row of the origin, 0 = top
    column: NDArray[np.int64]  # [actions] column of the origin
    piece: NDArray[np.int64]  # [actions]

    def __reduce__(self) -> tuple[Any, ...]:
        return tables, (self.variant, self.start)  # pickles and deep copies hold the names, not the arrays

    @property
    def num_actions(self) -> int:
        """Number of placements, and so of actions."""
        return len(self.orientation)

    def cells(self, action: int) -> tuple[Cell, ...]:
        """The (row, column) cells that an action covers, sorted."""
        return self._from_origin(action, self.orientations[self.orientation[action]].cells)

    def joints(self, action: int) -> tuple[Cell, ...]:
        """Positions besides its cells that an action covers (`Lattice.joints`), sorted."""
        return self._from_origin(action, self.orientations[self.orientation[action]].joints)

    def _from_origin(self, action: int, offsets: Iterable[Cell]) -> tuple[Cell, ...]:
        row, column = int(self.row[action]), int(self.column[action])
        return tuple((row + dr, column + dc) for dr, dc in offsets)

    @functools.cached_property
    def action_by_cells(self) -> dict[tuple[Cell, ...], int]:
        """The action that covers exactly these (sorted) cells."""
        return {self.cells(action): action for action in range(self.num_actions)}

    def new_states(self, count: int) -> NDArray[np.void]:
        """Zeroed state records; `kernels.init` fills them."""
        return np.zeros(count, self.state_dtype)

    def new_scratch(self) -> NDArray[np.void]:
        """Working memory for the kernels of one thread."""
        return np.zeros(1, self.scratch_dtype)

    @property
    def workspace(self) -> "Workspace":
        """The calling thread's working memory for single games."""
        try:
            return self._local.workspace  # type: ignore[no-any-return]
        except AttributeError:
            self._local.workspace = Workspace(self.new_scratch(), np.zeros(self.num_actions + 1, np.int32))
            return self._local.workspace  # type: ignore[no-any-return]

    @functools.cached_property
    def _local(self) -> threading.local:
        return threading.local()


@dataclass(frozen=True)
class Workspace:
    """Memory that kernels write to and that is read at once."""

    scratch: NDArray[np.void]
    ids: NDArray[np.int32]  # [actions + 1]


@functools.cache
def tables(variant: Variant, start: str | None = None) -> Tables:
    """The tables of a variant with one of its start rules, from the cache on disk where they are there.

    Raises ValueError for a start rule that the variant does not have.
    """
    start = variant.start_option(start)
    oriented = [
        (k, o) for k, piece in enumerate(variant.pieces) for o in orientations(variant.board.lattice, piece.cells)
    ]
    placed = [(i, origin) for i, (_, o) in enumerate(oriented) for origin in variant.board.placements(o)]
    orientation = np.array([i for i, _ in placed], np.int64)
    orientation_piece = np.array([k for k, _ in oriented], np.int64)
    fields = _cached(variant, start, lambda: _Builder(variant, start, oriented, placed).fields())
    record, state_dtype = _record(fields), _state_dtype(variant, fields)
    announce(variant.name, Path(__file__).with_name("kernels.py"), (record.dtype, state_dtype))
    return Tables(
        variant=variant,
        start=start,
        record=record,
        state_dtype=state_dtype,
        scratch_dtype=_scratch_dtype(fields),
        orientations=tuple(o for _, o in oriented),
        orientation_piece=orientation_piece,
        orientation=orientation,
        row=np.array([row for _, (row, _) in placed], np.int64),
        column=np.array([column for _, (_, column) in placed], np.int64),
        piece=orientation_piece[orientation],
    )


class _Builder:
    """Builds the kernel tables of one ruleset; each method makes a group of fields."""

    def __init__(
        self, variant: Variant, start: str, oriented: list[tuple[int, Orientation]], placed: list[tuple[int, Cell]]
    ) -> None:
        self.variant, self.start, self.oriented, self.placed = variant, start, oriented, placed
        self.board, self.lattice = variant.board, variant.board.lattice
        reach_rows = max(o.height for _, o in oriented)
        reach_columns = max(o.width for _, o in oriented)
        # A window reaches one piece's extent from the attach cell; edge and corner cells of a piece reach one further.
        self.pad_rows, self.stride = reach_rows, self.board.width + reach_columns
        self.front = reach_columns
        self.size = self.front + (self.board.height + 2 * reach_rows) * self.stride + reach_columns
        # Where a first piece must cover all of its color's start cells, each color's list begins with a virtual attach
        # cell beyond the grid, of a kind of its own, whose slots are the openings.
        self.virtual = [self.size + c for c in range(variant.num_colors)] if variant.covers_all_starts else []
        self.size += len(self.virtual)
        self.shapes = [self._surroundings(o) for _, o in oriented]

    def position(self, cell: Cell) -> int:
        """Index of a cell in the padded grid."""
        return self.front + (cell[0] + self.pad_rows) * self.stride + cell[1]

    def offset(self, cell: Cell) -> int:
        """Difference of two positions whose cells differ by this much."""
        return cell[0] * self.stride + cell[1]

    def _kind(self, orientation: Orientation, cell: Cell) -> int:
        """The kind of a cell of an orientation."""
        row, column = self.lattice.representative(orientation.kind)
        return self.lattice.kind(row + cell[0], column + cell[1])

    def _surroundings(self, orientation: Orientation) -> tuple[list[Cell], list[Cell]]:
        """Relative cells that a placed piece forbids to its color, and those that it makes attach cells."""
        own = set(orientation.cells)
        edge: set[Cell] = set()
        corner: set[Cell] = set()
        for row, column in own:
            for found, offsets in zip(
                (edge, corner), self._neighbors_of_kind[self._kind(orientation, (row, column))], strict=True
            ):
                found.update((row + dr, column + dc) for dr, dc in offsets)
        around = {"edge": edge - own, "corner": corner - own - edge}
        contact = self.variant.contact
        forbidden = set().union(*(around[name] for name in contact.forbids))
        attach = set().union(*(around[name] for name in contact.attaches)) - forbidden
        return sorted(forbidden), sorted(attach)

    @functools.cached_property
    def _neighbors_of_kind(self) -> list[tuple[geometry.Offsets, geometry.Offsets]]:
        return [neighbors(self.lattice, *self.lattice.representative(kind)) for kind in range(self.lattice.num_kinds)]

    def fields(self) -> dict[str, NDArray[Any]]:
        """All fields of the table record."""
        return {**self._grid(), **self._orientations(), **self._slots(), **self._actions(), **self._pieces()}

    def _grid(self) -> dict[str, NDArray[Any]]:
        board, variant = self.board, self.variant
        everyone = (1 << variant.num_colors) - 1
        cell0 = np.full(self.size, everyone, np.uint8)  # off the board is forbidden to all
        kind = np.zeros(self.size, np.uint8)
        board_index = np.zeros(self.size, np.int16)
        for row, column in board.positions:
            at = self.position((row, column))
            cell0[at] = 0
            kind[at] = self.lattice.kind(row, column)
            board_index[at] = row * board.width + column
        for color, at in enumerate(self.virtual):
            cell0[at] = 0
            kind[at] = self.lattice.num_kinds + color
        starts = [[self.position(cell) for cell in cells] for cells in variant.starts[self.start]]
        return {
            "cell0": cell0,
            "kind": kind,
            "board_index": board_index,
            **self._image(),
            **_ragged("start", starts, np.int32, width=self._most_starts),
            **_ragged("opening", [[at] for at in self.virtual] or starts, np.int32, width=self._most_starts),
            "starts_needed": np.array([len(starts[0]) if self.virtual else 1], np.int32),
        }

    @property
    def _most_starts(self) -> int:
        """Most start cells of a color under any start rule: tables of all of them have the same shape."""
        return max(len(cells) for option in self.variant.starts.values() for cells in option)

    def _image(self) -> dict[str, NDArray[Any]]:
        """Where cells stand in the observation. Rows of squares are copied whole; otherwise each cell has its pixel."""
        image = self.board.image
        rows = [self.position((row, 0)) for row in range(self.board.height)] if image.is_full else []
        places = {} if image.is_full else image.places
        pixels = [(plane * image.height + row) * image.width + column for plane, row, column in places.values()]
        return {
            "row_start": np.array(rows or [0], np.int32),
            "image_position": np.array([self.position(cell) for cell in places] or [0], np.int32),
            "image_pixel": np.array(pixels or [0], np.int32),
            "image_size": np.array([image.planes * image.height * image.width], np.int32),
        }

    def _orientations(self) -> dict[str, NDArray[Any]]:
        def offsets(cells: Iterable[Cell]) -> list[int]:
            return [self.offset(cell) for cell in cells]

        return {
            **_ragged("cover", [offsets(o.cells + o.joints) for _, o in self.oriented], np.int32),
            **_ragged("forbid", [offsets(forbidden) for forbidden, _ in self.shapes], np.int32),
            **_ragged("attach", [offsets(attach) for _, attach in self.shapes], np.int32),
            "piece": np.array([k for k, _ in self.oriented], np.int32),
        }

    def _slots(self) -> dict[str, NDArray[Any]]:
        slots: list[list[_Slot]] = [[] for _ in range(self.lattice.num_kinds + len(self.virtual))]
        for index, (piece, o) in enumerate(self.oriented):
            if self.variant.pieces[piece].name == self.variant.free_piece:
                continue
            covered = [self.offset(cell) for cell in o.cells + o.joints]
            for cell in o.cells:
                at = self.offset(cell)
                others = tuple(offset - at for offset in covered if offset != at)
                slots[self._kind(o, cell)].append(_Slot(piece, index, -at, others))
        for color, at in enumerate(self.virtual):
            slots[self.lattice.num_kinds + color] = self._openings(color, at)
        return _slot_fields(slots, len(self.variant.pieces))

    def _openings(self, color: int, at: int) -> list["_Slot"]:
        """The placements that cover all start cells of a color, as slots of its virtual attach cell."""
        starts = set(self.variant.starts[self.start][color])
        found = []
        for index, (row, column) in self.placed:
            piece, o = self.oriented[index]
            cells = [(row + dr, column + dc) for dr, dc in o.cells + o.joints]
            if starts.issubset(cells):
                others = tuple(self.position(cell) - at for cell in cells)
                found.append(_Slot(piece, index, self.position((row, column)) - at, others))
        return found

    def _actions(self) -> dict[str, NDArray[Any]]:
        moves = np.array([(i << 16) + self.position(origin) for i, origin in self.placed], np.uint32)
        assert self.size <= 1 << 16
        action_of = np.full((len(self.oriented), self.size), -1, np.int32)
        action_of[moves >> 16, moves & 0xFFFF] = np.arange(len(moves))
        free_piece, free_cells = self.variant.free_piece, set(self.variant.free_cells)
        free = [
            int(move)
            for move, (i, origin) in zip(moves, self.placed, strict=True)
            if self.variant.pieces[self.oriented[i][0]].name == free_piece and origin in free_cells
        ]
        return {"move_of": moves, "action_of": action_of, **_ragged("free_move", [free], np.uint32)}

    def _pieces(self) -> dict[str, NDArray[Any]]:
        variant = self.variant
        free = [k for k, piece in enumerate(variant.pieces) if piece.name == variant.free_piece]
        return {
            "count": np.array(variant.piece_counts, np.uint8),
            "value": np.array(variant.values, np.float64),
            "single": np.array([piece.size == 1 for piece in variant.pieces], np.uint8),
            "free_piece_bit": np.array([sum(1 << k for k in free)], np.uint32),
            "opening_plays": np.array([variant.opening_plays], np.int32),
            "attach_capacity": np.array([self._attach_capacity()], np.int32),
        }

    def _attach_capacity(self) -> int:
        """Most attach cells that a color can have at once, and one more, since `play` writes one past the count.

        A color's start cells leave its list at its first play. Later each piece adds at most its own attach cells, and
        no cell twice.
        """
        most = [0] * len(self.variant.pieces)
        for (piece, _), (_, attach) in zip(self.oriented, self.shapes, strict=True):
            most[piece] = max(most[piece], len(attach))
        added = sum(n * count for n, count in zip(most, self.variant.piece_counts, strict=True))
        return max(self._most_starts, min(len(self.board.cell_set), added)) + 1


@dataclass(frozen=True)
class _Slot:
    piece: int
    orientation: int
    origin: int  # offset of the origin from the attach cell
    others: tuple[int, ...]  # offsets of the other cells from the attach cell


def _slot_fields(slots: list[list[_Slot]], num_pieces: int) -> dict[str, NDArray[Any]]:
    """Windows, and for each kind and status the list of slots that it leaves, sorted by piece."""
    near = WORD - num_pieces  # window cells in the first word; the pieces are its top bits
    windows = []
    for of_kind in slots:
        used = Counter(cell for slot in of_kind for cell in slot.others)
        windows.append(sorted(used, key=lambda cell: (-used[cell], cell)))
    longest = max(1, max(map(len, windows)))
    num_words = 1 + max(0, -(-(longest - near) // WORD))
    most_cells = max(1, max(len(slot.others) for of_kind in slots for slot in of_kind))
    masks: list[NDArray[np.uint64]] = []
    moves: list[NDArray[np.uint32]] = []
    cells: list[NDArray[np.int16]] = []
    list_start = np.zeros((len(slots) << STATUS_CELLS, num_pieces + 1), np.int32)
    for kind, (of_kind, window) in enumerate(zip(slots, windows, strict=True)):
        of_kind = sorted(of_kind, key=lambda slot: (slot.piece, slot.orientation))
        bit = {cell: i if i < near else WORD + i - near for i, cell in enumerate(window)}
        whole = [sum(1 << bit[cell] for cell in slot.others) for slot in of_kind]
        slot_masks = _words(
            [mask | 1 << (near + slot.piece) for mask, slot in zip(whole, of_kind, strict=True)], num_words
        )
        # For sampling: cells that are known to be free by the status last, the rest by how often they are used.
        by_test = [sorted(slot.others, key=lambda cell: (bit[cell] < STATUS_CELLS, bit[cell])) for slot in of_kind]
        slot_cells = _padded(by_test, most_cells, np.int16)
        slot_moves = np.array([(slot.orientation << 16) + slot.origin for slot in of_kind], np.int64).astype(np.uint32)
        slot_pieces = np.array([slot.piece for slot in of_kind])
        status_bits = np.array([mask & ((1 << STATUS_CELLS) - 1) for mask in whole], np.int64)
        for status in range(1 << STATUS_CELLS):
            left = np.flatnonzero((status_bits & status) == 0)
            first = sum(map(len, moves))
            list_start[(kind << STATUS_CELLS) + status] = first + np.searchsorted(
                slot_pieces[left], range(num_pieces + 1)
            )
            masks.append(slot_masks[left])
            moves.append(slot_moves[left])
            cells.append(slot_cells[left])
    # Unused window entries point at the attach cell itself, which is free whenever its window is read.
    return {
        "window": np.array([window + [0] * (longest - len(window)) for window in windows], np.int32),
        "list_start": list_start,
        "slot_mask": np.concatenate(masks),
        "slot_move": np.concatenate(moves),
        "slot_cell": np.concatenate(cells),
    }


def _words(masks: Sequence[int], num_words: int) -> NDArray[np.uint64]:
    words = [[(mask >> (WORD * w)) & (2**WORD - 1) for w in range(num_words)] for mask in masks]
    return np.array(words, np.uint64).reshape(-1, num_words)


def _padded(rows: Sequence[Sequence[int]], width: int, dtype: Any) -> NDArray[Any]:
    """Rows of equal width; the last entry is repeated (0 in an empty row)."""
    return np.array([[*row, *[row[-1] if row else 0] * (width - len(row))] for row in rows], dtype).reshape(-1, width)


def _ragged(name: str, rows: Sequence[Sequence[int]], dtype: Any, width: int = 1) -> dict[str, NDArray[Any]]:
    """A padded array, at least `width` wide, and, as `num_<name>`, the length of each row."""
    width = max(1, width, *map(len, rows))
    return {name: _padded(rows, width, dtype), f"num_{name}": np.array([len(row) for row in rows], np.int32)}


def _record(fields: dict[str, NDArray[Any]]) -> NDArray[np.void]:
    record = np.zeros(1, np.dtype([(name, array.dtype, array.shape) for name, array in fields.items()], align=True))
    for name, array in fields.items():
        record[name][0] = array
    return record


def _state_dtype(variant: Variant, fields: dict[str, NDArray[Any]]) -> np.dtype[np.void]:
    """One running game. `attach` is in no particular order: it plays no part in equality."""
    colors, kinds = variant.num_colors, len(variant.pieces)
    assert colors <= ALL_COLORS_SHIFT and kinds <= 32 and fields["cell0"].size < 1 << 15
    return np.dtype(
        [
            (
                "cell",
                np.uint8,
                (fields["cell0"].size,),
            ),  # bit c: forbidden to color c; bit 4 + c: attach cell of color c
            ("board", np.int8, (variant.height * variant.width,)),  # color on each cell, −1 if empty
            ("attach", np.int16, (colors, int(fields["attach_capacity"][0]))),  # positions of attach cells
            ("num_attach", np.int16, (colors,)),
            ("available", np.uint32, (colors,)),  # bit k: piece k is in hand
            ("left", np.uint8, (colors, kinds)),  # how many of each piece are in hand
            ("plays", np.uint8, (colors,)),  # pieces placed
            ("single_last", np.uint8),  # bit c: color c's last piece was the single square
            ("blocked", np.uint8),  # bit c: color c can never move again
            ("turn", np.int8),  # color to move, −1 when the game is over
            ("ply", np.int16),
        ],
        align=True,
    )


def _scratch_dtype(fields: dict[str, NDArray[Any]]) -> np.dtype[np.void]:
    capacity = int(fields["attach_capacity"][0])
    return np.dtype(
        [
            ("status", np.int32, (capacity,)),  # slot list of each attach cell
            ("total", np.int32, (capacity,)),  # running total of list lengths
            ("local", np.uint64, (fields["slot_mask"].shape[1],)),
            ("move", np.uint32, (len(fields["move_of"]) + 1,)),  # `list_moves` writes one past the count
            ("bits", np.uint64, (-(-len(fields["move_of"]) // WORD),)),  # a set of actions, empty between calls
        ],
        align=True,
    )


@functools.cache
def _source_hash() -> str:
    """A hash of the code that tables depend on besides the variant."""
    text = Path(__file__).read_text(encoding="utf-8") + inspect.getsource(geometry) + inspect.getsource(pieces_module)
    return hashlib.sha256(text.encode()).hexdigest()


def _cached(variant: Variant, start: str, build: Any) -> dict[str, NDArray[Any]]:
    """Load the fields from the disk, or build and keep them. A cache that can't be read or written is done without."""
    key = hashlib.sha256(f"{variant!r} {start} {_source_hash()}".encode()).hexdigest()[:16]
    path = cache_folder() / f"{variant.name}-{key}.npz"
    with contextlib.suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile), np.load(path) as stored:
        return {name: stored[name] for name in stored.files}
    fields: dict[str, NDArray[Any]] = build()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            np.savez(file, **fields)  # type: ignore[arg-type]  # its stub has allow_pickle among the names
        os.replace(file.name, path)  # whole or not at all, also when two processes build at once
    return fields
