"""What the adapters do when an action is not legal."""

import warnings
from typing import Literal, get_args

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
