"""Dead ends: positions from which a puzzle is proved to be unsolvable, in words.

What is proved is sound, not complete: `None` promises nothing. `kernels.dead_end` has the arguments.
"""

from blokus_env.puzzles import kernels

REASONS: dict[int, str | None] = {
    kernels.NO_DEAD_END: None,
    kernels.PIECE_WITHOUT_PLACE: "a piece in hand has no place left",
    kernels.TOO_MANY_HOLES: "more cells than may stay empty can never be covered",
}
