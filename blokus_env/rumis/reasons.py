"""Why an action is illegal, in words that name the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blokus_env.rumis.state import State


def why_illegal(state: State, action: int) -> str:
    """The rule that an action of the color to move breaks."""
    if state.is_over:
        return f"the game is over: action {action} cannot be played (R7)"
    if not 0 <= action < state.tables.num_actions:
        return no_such_action(state, action)
    color, stone = state.color, state.piece_names[state.tables.piece[action]]
    what = f"action {action} ({state.text(action)}) of {state.color_names[color]}"
    if stone not in state.left(color):
        return f"{what}: stone already placed, no {stone} is left (B2)"
    broken = _badly_laid(state, action)
    if broken:
        return f"{what}: {broken}"
    if not state.records["plays"][0, color]:
        return f"{what}: a color's first stone must touch a stone on the table and the base (R2)"
    return f"{what}: no face touches a stone of its own color (R3)"


def _badly_laid(state: State, action: int) -> str:
    """What is wrong with how the stone would lie, if anything is."""
    name = state.options.plan.board.cell_text
    heights, limits = state.heights().astype(int), state.limits().astype(int)
    stacks = state.tables.stacks(action)
    first, (first_low, _) = next(iter(stacks.items()))
    for cell, (low, _) in stacks.items():
        if heights[cell] - low != heights[first] - first_low:
            there = f"{name(first)} is {heights[first]} high and {name(cell)} {heights[cell]}"
            return f"not every cube would rest on the base or on a cube, {there} (R1)"
    for cell, (_, count) in stacks.items():
        if heights[cell] + count > limits[cell]:
            return f"{name(cell)} would be {heights[cell] + count} high, the limit is {limits[cell]} (R4)"
    return ""


def no_such_action(state: State, action: int) -> str:
    """That an id does not exist, and which do."""
    return f"action {action} does not exist: expected 0 … {state.tables.num_actions - 1}"
