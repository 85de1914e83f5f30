"""Gives compiled functions that take records names that hold across processes.

Numba names a compiled function after its argument types, and a record type after a number that is handed out per
process (numba issue 7654). Two record types compiled to the cache by two processes may so get one name, and a third
process that loads both calls the wrong one: a crash. Here a record's part of the name is a hash of its fields instead.

Modules with jitted functions that take records import this one first.
"""

import hashlib

from numba.core.types import Record


def _mangling_args(record: Record) -> tuple[str, tuple[int, ...]]:
    """Name and parameters of a record type in compiled names."""
    digest = hashlib.sha256(record.name.encode()).digest()
    return "Record", (int.from_bytes(digest[:8], "big"),)


Record.mangling_args = property(_mangling_args)  # type: ignore[assignment, method-assign]
