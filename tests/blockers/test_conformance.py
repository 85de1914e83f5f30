"""The game passes the checks that all games must pass, in every layout of observations."""

import numpy as np
import pytest

from blockers_env.game import BlockersGame, BlockersPosition
from blockers_env.observation import LAYOUTS
from blockers_env.variants import Options
from blokus_env.adapters.testing import CHECKS, check_hidden_information
from tests.blockers.positions import SKIPPING

RULES = {
    "two players": Options(num_players=2),
    "default": Options(),
    "two colors": Options(num_players=2, two_colors=True, tie_break="fewest_captures"),
    "small racks": SKIPPING,
}


def redeal(position: BlockersPosition, player: int, rng: np.random.Generator) -> BlockersPosition:
    return position.redeal(player, rng)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rules", ["default", "two colors"])
def test_conformance(rules: str, layout: str, check: str) -> None:
    CHECKS[check](BlockersGame(RULES[rules], observation=layout))


@pytest.mark.parametrize("check", ["protocol", "positions", "illegal_actions", "batch", "copies", "rewards"])
@pytest.mark.parametrize("rules", ["two players", "small racks"])
def test_conformance_of_other_rules(rules: str, check: str) -> None:
    CHECKS[check](BlockersGame(RULES[rules], observation="compact"))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rules", RULES)
def test_hidden_information(rules: str, layout: str) -> None:
    check_hidden_information(BlockersGame(RULES[rules], observation=layout), redeal)
