"""The toy game passes the conformance checks, and broken games do not."""

from dataclasses import dataclass

import numpy as np
import pytest
from gymnasium import spaces

from blokus_env.adapters.testing import CHECKS, check_game, check_hidden_information
from blokus_env.adapters.toy import ToyGame, ToyPosition

GAMES = {"three": ToyGame(), "two": ToyGame((0, 1)), "pairs": ToyGame((0, 1, 0, 1))}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("game", GAMES)
def test_toy(game, check):
    CHECKS[check](GAMES[game])


@pytest.mark.parametrize("game", GAMES)
def test_toy_hides_hands(game):
    check_hidden_information(GAMES[game], ToyPosition.redeal)


def test_all_at_once():
    check_game(ToyGame(), ToyPosition.redeal)


def test_chance_needs_redeal():
    with pytest.raises(AssertionError, match="redeal"):
        check_hidden_information(ToyGame())
    check_hidden_information(ToyGame(deal=(0, 1, 2, 3, 4, 5, 6, 7, 8)))


class DictPosition(ToyPosition):
    def observe(self, player):
        return {"all": super().observe(player), "ply": np.array([self.ply], dtype=np.uint8)}


@dataclass(frozen=True)
class DictGame(ToyGame):
    """With a dict observation."""

    @property
    def observation_space(self):
        return spaces.Dict({"all": super().observation_space, "ply": spaces.Box(0, 99, (1,), np.uint8)})

    def new(self, seed):
        position = super().new(seed)
        position.__class__ = DictPosition
        return position


@pytest.mark.parametrize("check", CHECKS)
def test_dict_observations(check):
    CHECKS[check](DictGame())


def broken(**methods):
    """A toy game whose positions have other methods."""
    broken_position = type("BrokenPosition", (ToyPosition,), methods)

    class BrokenGame(ToyGame):
        def new(self, seed):
            position = super().new(seed)
            position.__class__ = broken_position
            return position

    return BrokenGame()


def write_all(self, out):
    out[:] = 1


def forgetful_write(self, out):
    out[self.legal_actions()] = 1


def leak(self, player):
    return self.hands.ravel()[: len(ToyPosition.observe(self, player))].astype(np.uint8)


def accept_all(self, action):
    self.ply += 1


@pytest.mark.parametrize(
    ("check", "methods"),
    [
        ("positions", {"write_mask": write_all}),
        ("positions", {"write_mask": forgetful_write}),
        ("positions", {"observe": leak}),
        ("positions", {"places": lambda self: np.zeros(3, dtype=np.int64)}),
        ("illegal_actions", {"push": accept_all}),
        ("protocol", {"player_scores": lambda self: np.zeros(3, dtype=np.float32)}),
    ],
)
def test_broken_games_are_found(check, methods):
    with pytest.raises(AssertionError):
        CHECKS[check](broken(**methods))


def test_leaks_are_found():
    with pytest.raises(AssertionError, match="hidden"):
        check_hidden_information(broken(observe=leak), ToyPosition.redeal)
