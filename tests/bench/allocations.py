"""Heap allocations by thread, as the preloaded counter writes them down (allocations/counting.cpp)."""

from __future__ import annotations

import struct
from pathlib import Path

from tests.bench.building import tool

SLOT = struct.Struct("=QQQ")


def preloaded(file: Path) -> dict[str, str]:
    """The environment of a program whose allocations are counted in `file`."""
    file.unlink(missing_ok=True)
    return {"LD_PRELOAD": str(tool("libcount_allocations.so")), "COUNT_ALLOCATIONS": str(file)}


def by_thread(file: Path) -> dict[int, int]:
    return {thread: count for thread, count, _ in SLOT.iter_unpack(file.read_bytes()) if thread}
