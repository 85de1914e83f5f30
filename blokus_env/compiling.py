"""Compiled kernels: a word before a ruleset compiles for the first time, and compiling beforehand.

Numba compiles a function when it is first called with a kind of record, and keeps the result beside the source or in
the user's cache folder. A small file in our cache folder remembers that this has begun, so that the word is said once.
"""

import contextlib
import hashlib
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding

from blokus_env.cache import cache_folder


def announce(name: str, source: Path, layout: Any) -> bool:
    """Say on standard error that a ruleset compiles, unless it has done so before; returns whether it was said.

    `source` is the file with the kernels, `layout` what the compiled code depends on besides, such as dtypes.
    """
    text = [source.read_text(encoding="utf-8"), str(source), layout, numba.__version__, platform.python_version()]
    key = hashlib.sha256(repr([*text, binding.get_host_cpu_name()]).encode()).hexdigest()[:16]
    marker = cache_folder() / f"{key}.compiled"  # rulesets whose records are alike share their kernels
    with contextlib.suppress(OSError):
        if marker.exists():
            return False
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()
    print(
        f"blokus_env: compiling {name} once for this machine; functions take some seconds each when first called "
        "(`blokus-env warm` compiles all of them beforehand)",
        file=sys.stderr,
    )
    return True


def steps(name: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """What compiles everything that a ruleset needs, part by part: what it is, and a call."""
    import numpy as np

    from blokus_env.batch import Batch, random_word_state
    from blokus_env.counting import divide
    from blokus_env.game import BlokusGame

    def one_game() -> None:
        position = game.new(0)
        action = int(position.legal_actions()[0])
        position.push(action)
        position.is_legal(action)
        position.legal_actions(0)
        position.scores()
        position.write_mask(np.zeros(game.num_actions, np.int8))
        position.observe(0)

    def batch() -> None:
        many = Batch(name, 2)
        games, rng = many.all_games, random_word_state(0)
        actions = many.random_actions(games, rng)
        many.is_legal(games, actions)
        many.step(games, actions)
        for call in (many.legal_ids, many.packed_masks, many.dense_masks, many.observe, many.scores):
            call(games)

    def policies() -> None:
        position, rng = game.new(0), np.random.default_rng(0)
        for policy in ("random", "largest", "greedy"):
            game.policy(policy).act(position.view(0), rng)
            game.policy(policy).act_batch(game.batch(2), np.arange(2), rng)

    game = BlokusGame(name, observation="compact")
    yield "one game", one_game
    yield "many games", batch
    yield "built-in opponents", policies
    yield "counting", lambda: divide(name, 1)
