"""What must be set in Numba before kernels compile: names that hold across processes, and a folder that can be written.

Numba names a compiled function after its argument types, and a record type after a number that is handed out per
process (numba issue 7654). Two record types compiled to the cache by two processes may so get one name, and a third
process that loads both calls the wrong one: a crash. Here a record's part of the name is a hash of its fields instead.

Numba keeps compiled functions beside their source or else in the user's cache folder, and refuses to compile where it
can write to neither, as in a read-only installation without a home folder. Then they are kept among temporary files.

Modules with jitted functions that take records import this one first.
"""

import hashlib
from pathlib import Path

from numba.core import config
from numba.core.types import Record

from blokus_env.cache import cache_folder, is_writable, temporary_folder


def _mangling_args(record: Record) -> tuple[str, tuple[int, ...]]:
    """Name and parameters of a record type in compiled names."""
    digest = hashlib.sha256(record.name.encode()).digest()
    return "Record", (int.from_bytes(digest[:8], "big"),)


Record.mangling_args = property(_mangling_args)  # type: ignore[assignment, method-assign]

if not getattr(config, "CACHE_DIR", "") and not is_writable(Path(__file__).parent / "__pycache__"):
    numba_folder = cache_folder() / "numba"
    numba_folder = numba_folder if is_writable(numba_folder) else temporary_folder() / "numba"
    config.CACHE_DIR = str(numba_folder)  # type: ignore[attr-defined]
