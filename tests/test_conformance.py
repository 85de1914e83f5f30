"""Every ruleset of the registry, in every layout of observations, passes the checks that all games must pass."""

import pytest

from blokus_env.adapters.testing import CHECKS, check_hidden_information
from blokus_env.game import BlokusGame
from blokus_env.observation import LAYOUTS
from blokus_env.variants import VARIANTS


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", VARIANTS)
def test_conformance(name: str, layout: str, check: str) -> None:
    CHECKS[check](BlokusGame(name, observation=layout))


@pytest.mark.parametrize("name", VARIANTS)
def test_nothing_is_hidden(name: str) -> None:
    check_hidden_information(BlokusGame(name))


def test_conformance_with_another_shared_color() -> None:
    for check in ("protocol", "positions", "batch", "copies"):
        CHECKS[check](BlokusGame("classic_3", shared_color="blue", observation="compact"))
