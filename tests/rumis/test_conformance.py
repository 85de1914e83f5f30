"""The game passes the checks that all games must pass, with all its rules and layouts."""

import pytest

from blokus_env.adapters.testing import CHECKS, check_hidden_information
from blokus_env.rumis.game import RumisGame
from blokus_env.rumis.observation import LAYOUTS
from blokus_env.rumis.variants import Options
from tests.rumis.positions import OPTIONS, name_of

SMALL = [OPTIONS[2], OPTIONS[4], OPTIONS[5]]  # quick games with skipped turns


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("options", [Options(num_players=2), *SMALL], ids=name_of)
def test_conformance(options: Options, layout: str, check: str) -> None:
    CHECKS[check](RumisGame(options, layout))


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("options", [Options(), Options(num_players=3, building="pyramid")], ids=name_of)
def test_conformance_of_larger_games(options: Options, check: str) -> None:
    CHECKS[check](RumisGame(options))


def test_nothing_is_hidden() -> None:
    check_hidden_information(RumisGame())
