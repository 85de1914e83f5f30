"""What the adapters do when an action is not legal."""

import operator
import warnings
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

OnIllegal = Literal["lose", "raise", "random"]
"""``"lose"``: the game ends and the offender gets −1; ``"raise"``: nothing happens but the error; ``"random"``: a legal
action is drawn instead."""

ILLEGAL_REWARD = -1.0


class IllegalActionError(ValueError):
    """The action is not legal in this position. The position stays as it was."""


def check_on_illegal(on_illegal: str) -> None:
    """Raise ``ValueError`` unless `on_illegal` is one of `OnIllegal`."""
    if on_illegal not in get_args(OnIllegal):
        raise ValueError(f"on_illegal={on_illegal!r} is unknown; choose one of {', '.join(get_args(OnIllegal))}")


def warn_lost(agent: str, action: int) -> None:
    """Warn that `agent` ended the game by an illegal action."""
    warnings.warn(
        f"{agent} chose the illegal action {action}: the game is over and {agent} gets {ILLEGAL_REWARD:g}. "
        'Choose among legal_actions() or by the action mask, or set on_illegal="random" or "raise".',
        RuntimeWarning,
        stacklevel=4,
    )


def action_id(action: Any) -> int:
    """An action id as an int. Raises `IllegalActionError` for anything that is no whole number, as 60.7 or "60"."""
    try:
        return operator.index(action)
    except TypeError:
        raise IllegalActionError(f"action {action!r} is no action id: expected a whole number") from None


def action_ids(actions: Any, count: int, whose: str) -> NDArray[np.int32]:
    """Action ids as int32 [count]; what is too large for that becomes −1, which is never legal.

    Raises `IllegalActionError` for anything but `count` whole numbers.
    """
    ids = np.asarray(actions)
    if ids.dtype.kind not in "iu" or ids.size != count:
        got = f"{ids.dtype} of shape {ids.shape}"
        raise IllegalActionError(f"expected {count} whole numbers as {whose}, one for each game, got {got}")
    ids = ids.reshape(count)
    fits = (ids >= 0) & (ids <= np.iinfo(np.int32).max)
    return np.where(fits, ids, -1).astype(np.int32)
