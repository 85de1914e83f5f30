"""Folders for what is made once and kept: tables, and compiled kernels."""

import contextlib
import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """`$BLOKUS_ENV_CACHE`, else `blokus_env` in the user's cache folder, else among temporary files (no home)."""
    if "BLOKUS_ENV_CACHE" in os.environ:
        return Path(os.environ["BLOKUS_ENV_CACHE"])
    if "XDG_CACHE_HOME" in os.environ:
        return Path(os.environ["XDG_CACHE_HOME"]) / "blokus_env"
    with contextlib.suppress(RuntimeError):  # no home folder is known
        return Path("~/.cache").expanduser() / "blokus_env"
    return temporary_folder()


def temporary_folder() -> Path:
    """A folder of this user among the temporary files."""
    return Path(tempfile.gettempdir()) / f"blokus_env-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def is_writable(folder: Path) -> bool:
    """Whether files can be made there, as permissions alone do not say."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
