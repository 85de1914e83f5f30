"""Which seat the learner takes."""

from __future__ import annotations

from typing import Literal, TypeAlias

SeatRule: TypeAlias = int | Literal["random", "rotate"]


def check_seat(seat: SeatRule, num_players: int) -> None:
    """Raise ``ValueError`` unless `seat` is ``"random"``, ``"rotate"`` or a player."""
    known = seat in ("random", "rotate") if isinstance(seat, str) else 0 <= seat < num_players
    if not known:
        raise ValueError(f'seat={seat!r} is unknown; choose "random", "rotate" or a player, 0 … {num_players - 1}')
