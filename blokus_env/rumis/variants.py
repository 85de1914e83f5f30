"""The options of the game: one frozen row that says which rules are in force. docs/rumis.md has the rules by number."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from blokus_env.rumis.buildings import BUILDINGS, Building, building

NAME, TITLE, VERSION = "rumis", "Rumis", 0
HISTORY = ("first version",)  # what each version of the environments changed
PLAYERS = (2, 3, 4)
COLOR_NAMES = ("blue", "yellow", "red", "green")


@dataclass(frozen=True)
class Options:
    """Which rules are in force.

    Args:
        num_players: 2, 3 or 4.
        building: "tower", "corner", "steps", "pyramid", or a `Building` of one's own.
        two_colors: two players with two colors each; the best single color of each counts (R6).
        out_after_pass: a color that cannot place when its turn comes is out for good (R7); else it is tried again at
            its every turn.

    Raises:
        ValueError: for an unknown value, or options that do not go together.
    """

    num_players: int = 4
    building: str | Building = "tower"
    two_colors: bool = False
    out_after_pass: bool = False

    def __post_init__(self) -> None:
        for name in ("two_colors", "out_after_pass"):
            _check(name, getattr(self, name), (False, True))
        _check("num_players", self.num_players, PLAYERS)
        found = building(self.building)
        if BUILDINGS.get(found.name) == found:
            object.__setattr__(self, "building", found.name)
        if self.two_colors and self.num_players != 2:
            raise ValueError(f"two_colors=True is a game of two: got num_players={self.num_players}, expected 2")

    @property
    def plan(self) -> Building:
        """The building itself."""
        return building(self.building)

    @property
    def num_colors(self) -> int:
        """Colors in the game; they move in turn."""
        return 2 * self.num_players if self.two_colors else self.num_players

    @property
    def color_names(self) -> tuple[str, ...]:
        """Names of the colors; player p has color p, and color p + 2 if it has two."""
        return COLOR_NAMES[: self.num_colors]

    @property
    def levels(self) -> int:
        """The greatest height of any square."""
        return max(self.plan.limits(self.num_colors).values())

    @property
    def title(self) -> str:
        """The name of the game and its building."""
        return f"{TITLE} {self.plan.title}"

    def owner(self, color: int) -> int:
        """The player whose color it is."""
        return color % self.num_players

    def colors_of(self, player: int) -> tuple[int, ...]:
        """The colors of a player."""
        return tuple(range(player, self.num_colors, self.num_players))

    def as_dict(self) -> dict[str, Any]:
        """For JSON; a registered building by its name, another one with its plan and caps."""
        content = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        if isinstance(self.building, Building):
            content["building"] = asdict(self.building)
        return content

    def changed(self) -> dict[str, Any]:
        """The options that are not the defaults."""
        defaults = Options()
        names = [entry.name for entry in fields(self)]
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(defaults, name)}


def make_options(options: Options | Mapping[str, Any] | None = None, **changes: Any) -> Options:
    """Options from options (or a mapping of them, as of `as_dict`) and changes.

    Raises ValueError for an unknown name or value.
    """
    base = options if isinstance(options, Options) else Options(**_known(options or {}))
    return replace(base, **_known(changes)) if changes else base


def _known(options: Mapping[str, Any]) -> dict[str, Any]:
    names = [entry.name for entry in fields(Options)]
    unknown = [name for name in options if name not in names]
    if unknown:
        raise ValueError(f"unknown option {unknown[0]!r}: choose among {', '.join(names)}")
    content = dict(options)
    if isinstance(content.get("building"), Mapping):
        content["building"] = Building(**content["building"])
    return content


def _check(name: str, value: object, allowed: Any) -> None:
    """Raise ValueError unless `value` is one of `allowed`, of the same type (True is no number of players)."""
    if type(value) is not type(allowed[0]) or value not in allowed:
        raise ValueError(f"{name}={value!r} is not possible: choose one of {', '.join(map(repr, allowed))}")
