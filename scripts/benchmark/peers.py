"""Other environments, in exactly the loop of `aec/V`, where they are installed."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from scripts.benchmark.measure import Benchmark, Measurement, Work
from scripts.benchmark.python_loops import pettingzoo_games, pettingzoo_moves

PETTINGZOO = {  # name: module and function
    "chess": ("pettingzoo.classic.chess_v6", "raw_env"),
    "connect_four": ("pettingzoo.classic.connect_four_v3", "raw_env"),
    "go": ("pettingzoo.classic.go_v5", "raw_env"),
    "blokus-rl": ("blokus_rl", "BlokusEnv"),
}
QUICK = ("chess", "connect_four", "blokus-rl")
OPEN_SPIEL = ("chess", "go", "hex")


def open_spiel_moves(name: str) -> Work:
    """Random play in a game of OpenSpiel, with its mask and observation tensor at each move."""
    game = import_module("pyspiel").load_game(name)
    rng = random.Random(1)

    def work(count: int) -> int:
        moves = 0
        while moves < count:
            state = game.new_initial_state()
            while not state.is_terminal():
                state.observation_tensor(state.current_player())
                legal = np.asarray(state.legal_actions_mask()).nonzero()[0]
                state.apply_action(int(legal[int(rng.random() * len(legal))]))
                moves += 1
        return moves

    return work


def blokus_gym_moves() -> Work:
    """Random play in `blokus-gym`'s Duo, by its own list of possible moves."""
    env: Any = import_module("blokus_gym.envs.blokus_env").BlokusDuoEnv()
    rng = random.Random(1)

    def work(count: int) -> int:
        moves = 0
        while moves < count:
            env.reset()
            done = False
            while not done:
                legal = env.ai_possible_indexes()
                done = env.step(rng.choice(legal))[2] if legal else True
                moves += 1
        return moves

    return work


def measurements(everything: bool) -> list[Measurement]:
    """All of them, or the quick ones."""
    found: list[Measurement] = []

    def add(name: str, unit: str, make: Callable[..., Work], *arguments: Any) -> None:
        found.append(Benchmark(name, unit, lambda: make(*arguments)))

    def play(what: Callable[[Any], Work], module: str, function: str) -> Work:
        return what(getattr(import_module(module), function)())

    for name, place in PETTINGZOO.items():
        if everything or name in QUICK:
            add(f"peer/{name}", "steps/s", play, pettingzoo_moves, *place)
    add("peer_games/blokus-rl", "games/s", play, pettingzoo_games, *PETTINGZOO["blokus-rl"])
    if everything:
        for name in OPEN_SPIEL:
            add(f"peer/open_spiel_{name}", "steps/s", open_spiel_moves, name)
        add("peer/blokus-gym", "steps/s", blokus_gym_moves)
    return found
