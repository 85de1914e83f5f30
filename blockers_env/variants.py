"""The options of the game: one frozen row that says which rules are in force. RULES.md has the rules by number."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

SCORINGS = ("sheet", "official", "uptown")
TIE_BREAKS = ("shared", "fewest_captures")
COLOR_NAMES = ("blue", "yellow", "red", "green", "purple")
RACK_SIZES = range(1, 9)
NAME, TITLE, VERSION = "blockers", "Blockers", 0
HISTORY = ("first version",)  # what each version of the environments changed
DESCRIPTIONS: dict[str, tuple[Sequence[Any], str]] = {
    "num_players": ((4, 2, 3, 5), "players, each with a color"),
    "two_colors": ((False, True), "two players with two colors each (D1 to D6)"),
    "scoring": (SCORINGS, "points besides groups: most captures or tiles left (S2), most captures (S3), none (S4)"),
    "tie_break": (TIE_BREAKS, "equal points share the place (S5), or fewest captured tiles win (S6)"),
    "wild": ((True, False), "whether each color has its wild tile (T1)"),
    "rack_size": ((5, *(size for size in RACK_SIZES if size != 5)), "tiles on a rack (T3)"),
    "capture_own_other_color": ((True, False), "with two colors, whether the own other color may be captured (D3)"),
}
"""Of each option its values, the default first, and what it means."""


@dataclass(frozen=True)
class Options:
    """Which rules are in force.

    Args:
        num_players: 2, 3, 4 or 5.
        two_colors: two players with two colors each (D1 to D6).
        scoring: "sheet" (S2), "official" (S3) or "uptown" (S4).
        tie_break: "shared" or "fewest_captures" (S6).
        wild: whether each color has its wild tile (T1); False also makes the game a turn shorter.
        rack_size: tiles on a rack, 1 … 8.
        capture_own_other_color: with two colors, whether a player may capture tiles of the own other color (D3).

    Raises:
        ValueError: for an unknown value, or options that do not go together.
    """

    num_players: int = 4
    two_colors: bool = False
    scoring: str = "sheet"
    tie_break: str = "shared"
    wild: bool = True
    rack_size: int = 5
    capture_own_other_color: bool = True

    def __post_init__(self) -> None:
        for name, (allowed, _) in DESCRIPTIONS.items():
            _check(name, getattr(self, name), allowed)
        if self.two_colors and self.num_players != 2:
            raise ValueError(f"two_colors=True is a game of two: got num_players={self.num_players}, expected 2")
        if not self.two_colors and not self.capture_own_other_color:
            raise ValueError("capture_own_other_color=False means nothing without two_colors=True")

    @property
    def colors_each(self) -> int:
        """Colors of a player."""
        return 2 if self.two_colors else 1

    @property
    def num_colors(self) -> int:
        """Colors in the game."""
        return self.num_players * self.colors_each

    @property
    def color_names(self) -> tuple[str, ...]:
        """Names of the colors; player p has color p, and color p + num_players if it has two."""
        return COLOR_NAMES[: self.num_colors]

    @property
    def num_tiles(self) -> int:
        """Tiles of a color."""
        return 28 if self.wild else 27

    @property
    def turns_each(self) -> int:
        """Turns that a player has in a game (E1)."""
        return self.colors_each * (self.num_tiles - self.rack_size + 1)

    @property
    def num_turns(self) -> int:
        """Turns of a whole game, skipped ones included."""
        return self.num_players * self.turns_each

    @property
    def actions_per_color(self) -> int:
        """Distinct pairs of a tile of one color and a square."""
        return 27 * 9 + (81 if self.wild else 0)

    @property
    def num_actions(self) -> int:
        """Actions of a player."""
        return self.colors_each * self.actions_per_color

    def owner(self, color: int) -> int:
        """The player whose color it is."""
        return color % self.num_players

    def colors_of(self, player: int) -> tuple[int, ...]:
        """The colors of a player."""
        return tuple(range(player, self.num_colors, self.num_players))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def changed(self) -> dict[str, Any]:
        """The options that are not the defaults."""
        defaults = Options()
        return {name: value for name, value in asdict(self).items() if value != getattr(defaults, name)}


def make_options(options: Options | Mapping[str, Any] | None = None, **changes: Any) -> Options:
    """Options from options (or a mapping of them) and changes. Raises ValueError for an unknown name or value."""
    if not isinstance(options, Options | Mapping | None):
        raise ValueError(f"options={options!r} is not possible: expected Options, a mapping of options, or None")
    base = options if isinstance(options, Options) else Options(**_known(options or {}))
    return replace(base, **_known(changes)) if changes else base


def _known(options: Mapping[str, Any]) -> dict[str, Any]:
    names = Options.__dataclass_fields__
    unknown = [name for name in options if name not in names]
    if unknown:
        raise ValueError(f"unknown option {unknown[0]!r}: choose among {', '.join(names)}")
    return dict(options)


def _check(name: str, value: object, allowed: Any) -> None:
    """Raise ValueError unless `value` is one of `allowed`, of the same type (True is no number of players)."""
    if type(value) is not type(allowed[0]) or value not in allowed:
        raise ValueError(f"{name}={value!r} is not possible: choose one of {', '.join(map(repr, allowed))}")
