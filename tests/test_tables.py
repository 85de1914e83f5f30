"""The tables' cache on disk may be damaged or absent."""

from pathlib import Path

import numpy as np
import pytest

from blokus_env import tables as tables_module
from blokus_env.variants import tiny_variant

TINY = tiny_variant()


def build() -> tables_module.Tables:
    return tables_module.tables.__wrapped__(TINY, "fixed")


def test_cache_is_written_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLOKUS_ENV_CACHE", str(tmp_path))
    first = build()
    assert len(list(tmp_path.glob("*.npz"))) == 1
    again = build()
    assert first.record.tobytes() == again.record.tobytes()
    assert np.array_equal(first.piece, again.piece)


@pytest.mark.parametrize("damage", ["empty", "short", "garbage"])
def test_damaged_cache_is_built_again(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLOKUS_ENV_CACHE", str(tmp_path))
    first = build()
    (file,) = tmp_path.glob("*.npz")
    whole = file.read_bytes()
    file.write_bytes({"empty": b"", "short": whole[: len(whole) // 2], "garbage": b"no tables here"}[damage])
    assert build().record.tobytes() == first.record.tobytes()
    assert file.read_bytes() == whole or len(file.read_bytes()) == len(whole)


def test_unwritable_cache_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BLOKUS_ENV_CACHE", str(tmp_path / "file"))
    assert build().num_actions > 0
