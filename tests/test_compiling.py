"""Compiling: announced once, also possible where nothing can be written beside the source and there is no home."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import blokus_env
from blokus_env.cache import cache_folder, is_writable
from blokus_env.cli import app
from blokus_env.compiling import announce, steps

PROGRAM = """
import numpy as np
from numba import config
from blokus_env import kernels
print(kernels.random_word(np.ones(1, np.uint64)) > 0, config.CACHE_DIR)
"""


def test_announced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("BLOKUS_ENV_CACHE", str(tmp_path / "new"))
    source = tmp_path / "kernels.py"
    source.write_text("one")
    assert announce("duo", source, "layout") and not announce("duo", source, "layout")
    assert capsys.readouterr().err.count("compiling duo") == 1
    source.write_text("other")
    assert announce("duo", source, "layout") and announce("duo", source, "other layout")


def test_announced_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BLOKUS_ENV_CACHE", str(tmp_path / "file" / "below"))
    source = tmp_path / "kernels.py"
    source.touch()
    assert announce("duo", source, "") and announce("duo", source, "")


def test_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BLOKUS_ENV_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "blokus_env"
    monkeypatch.delenv("XDG_CACHE_HOME")

    def no_home(self: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", no_home)
    assert is_writable(cache_folder())


@pytest.mark.slow
def test_a_read_only_installation_without_a_home(tmp_path: Path) -> None:
    package = tmp_path / "site" / "blokus_env"
    shutil.copytree(Path(blokus_env.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__pycache__").touch()  # a file where the folder would be: nobody can write there, not even root
    kept = {name: os.environ[name] for name in ("PATH",)}
    environment = {**kept, "HOME": "/dev/null", "TMPDIR": str(tmp_path), "PYTHONPATH": str(tmp_path / "site")}
    for _ in range(2):  # the second finds what the first has compiled
        result = subprocess.run(
            [sys.executable, "-B", "-c", PROGRAM],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        works, _, folder = result.stdout.strip().partition(" ")
        assert works == "True" and Path(folder).is_relative_to(tmp_path)
    assert list(Path(folder).rglob("*.nbi"))


def test_warm_goes_through_all_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    result = CliRunner().invoke(app, ["warm", "duo"])
    assert result.exit_code == 0, result.output
    assert "duo: ready after" in result.output
    assert [what for what, _ in steps("duo")] == ["one game", "many games", "built-in opponents", "counting"]
    refused = CliRunner().invoke(app, ["warm", "duo", "chess"])
    assert refused.exit_code == 2 and "chess" in refused.output
