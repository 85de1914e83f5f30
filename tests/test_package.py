"""The public names, and how little `import blokus_env` loads."""

import subprocess
import sys

import pytest

import blokus_env

LOADED_WHEN_ASKED = ["numba", "pettingzoo", "torch", "stable_baselines3", "matplotlib", "pygame"]
EVERY_NAME_TWICE = """
import importlib, pkgutil, blokus_env
before = {name: getattr(blokus_env, name) for name in blokus_env.__all__}
for module in pkgutil.iter_modules(blokus_env.__path__):
    if module.name not in ("__main__", "vec_env"):
        importlib.import_module(f"blokus_env.{module.name}")
changed = [name for name, value in before.items() if getattr(blokus_env, name) is not value]
assert not changed, changed
"""
MODULES_FIRST = """
import blokus_env.state, blokus_env.environments, blokus_env.counting, blokus_env.variants
assert callable(blokus_env.env) and callable(blokus_env.perft) and callable(blokus_env.variant)
"""


def run(code: str) -> None:
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_import_loads_little() -> None:
    run(f"import sys, blokus_env; found = set({LOADED_WHEN_ASKED}) & set(sys.modules); assert not found, found")


@pytest.mark.parametrize("code", [EVERY_NAME_TWICE, MODULES_FIRST], ids=["names first", "modules first"])
def test_public_names_stay_what_they_are(code: str) -> None:
    """A function must not be hidden by a module of the same name."""
    run(code)


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="chess_v0"):
        _ = blokus_env.chess_v0
    assert set(blokus_env.__all__) <= set(dir(blokus_env))
