"""The rules again, slow and obvious: dictionaries, sets and flood fills. Shares no code with the package."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Square = tuple[int, int]
BOARD = [(row, column) for row in range(9) for column in range(9)]
DIGITS, LETTERS, SYMBOLS, WILD = range(9), range(9, 18), range(18, 27), 27


def neighbors(square: Square) -> list[Square]:
    row, column = square
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in around if 0 <= r < 9 and 0 <= c < 9]


def groups(squares: Iterable[Square]) -> list[set[Square]]:
    """The connected parts of a set of squares."""
    left, found = set(squares), []
    while left:
        group, waiting = set(), [left.pop()]
        while waiting:
            square = waiting.pop()
            group.add(square)
            waiting += [other for other in neighbors(square) if other in left]
            left -= set(waiting)
        found.append(group)
    return found


def splits(board: dict[Square, int], square: Square) -> bool:
    """Whether taking the tile away leaves its color in more groups than before."""
    own = {other for other, color in board.items() if color == board[square]}
    return len(groups(own - {square})) > len(groups(own))


def matches(tile: int, square: Square) -> bool:
    row, column = square
    if tile in DIGITS:
        return column == tile
    if tile in LETTERS:
        return row == tile - 9
    if tile in SYMBOLS:
        return (row // 3, column // 3) == divmod(tile - 18, 3)
    return True


@dataclass
class Reference:
    """A game from given piles."""

    deal: Sequence[Sequence[int]]
    options: dict[str, Any]
    board: dict[Square, int] = field(default_factory=dict)
    faces: dict[Square, int] = field(default_factory=dict)
    skipped: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        size = self.options["rack_size"]
        self.players = self.options["num_players"]
        self.colors = len(self.deal)
        self.racks = [list(pile[:size]) for pile in self.deal]
        self.piles = [list(pile[size:]) for pile in self.deal]
        self.captured: list[tuple[int, int, int]] = []  # player, color, tile
        self.closed = [False] * self.colors
        self.turns_left = [len(self.deal[0]) * self.colors // self.players - self._last() for _ in range(self.players)]
        self.player = 0

    def _last(self) -> int:
        return (self.options["rack_size"] - 1) * self.colors // self.players

    def own(self, player: int) -> list[int]:
        return [color for color in range(self.colors) if color % self.players == player]

    def is_over(self) -> bool:
        return not any(self.turns_left)

    def legal(self, player: int) -> set[tuple[int, int, Square]]:
        """Color, tile and square of each legal play."""
        return set(self._plays(player))

    def _plays(self, player: int) -> Iterator[tuple[int, int, Square]]:
        for color in self.own(player):
            for tile in [] if self.closed[color] else self.racks[color]:
                for square in BOARD:
                    if self.fits(player, color, tile, square):
                        yield color, tile, square

    def fits(self, player: int, color: int, tile: int, square: Square) -> bool:
        if not matches(tile, square):
            return False
        if square not in self.board:
            return True
        other = self.board[square]
        if other == color or (other in self.own(player) and not self.options["capture_own_other_color"]):
            return False
        return not splits(self.board, square)

    def play(self, color: int, tile: int, square: Square) -> list[int]:
        """Play and pass on; returns the players that were skipped."""
        if square in self.board:
            self.captured.append((self.player, self.board[square], self.faces[square]))
        self.board[square], self.faces[square] = color, tile
        self.racks[color].remove(tile)
        if self.piles[color]:
            self.racks[color].append(self.piles[color].pop(0))
        else:
            self.closed[color] = True
        self._next()
        skipped = []
        while not self.is_over() and not any(True for _ in self._plays(self.player)):
            skipped.append(self.player)
            self._next()
        self.skipped += skipped
        return skipped

    def _next(self) -> None:
        self.turns_left[self.player] -= 1
        self.player = (self.player + 1) % self.players

    def num_groups(self, color: int) -> int:
        return len(groups(square for square, other in self.board.items() if other == color))

    def points(self, player: int) -> int:
        """At the end of the game."""
        own = self.own(player)
        counts = [sum(1 for p, c, _ in self.captured if (p, c) == (player, color)) for color in range(self.colors)]
        most = max(counts[color] for color in range(self.colors) if color not in own)
        left = max(len(self.racks[color]) + len(self.piles[color]) for color in own)
        extra = {"sheet": max(most, left), "official": most, "uptown": 0}[self.options["scoring"]]
        return sum(self.num_groups(color) for color in own) + extra

    def places(self) -> list[int]:
        keys = []
        for player in range(self.players):
            total = sum(1 for p, c, _ in self.captured if p == player and c not in self.own(player))
            keys.append((self.points(player), total if self.options["tie_break"] == "fewest_captures" else 0))
        return [sum(other < key for other in keys) for key in keys]
