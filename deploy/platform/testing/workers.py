"""How many files of integration tests run at the same time."""

from __future__ import annotations

import os
from pathlib import Path

EACH = 2.5  # GiB: Kafka, MySQL, MariaDB and Redis of a worker, and what a test starts beside them
MOST = 6    # deploy/stack/server.py has ports for eight, and one more run beside these


def workers(cores: int, free: float) -> int:
    """Four for two cores: three keep them busy for half of the time, since servers of tests do not wait for the disk.
    Fewer where `free` GiB do not suffice, but two."""
    return max(2, min(cores * 2, int(free / EACH), MOST))


def here() -> int:
    return workers(len(os.sched_getaffinity(0)), available(Path("/proc/meminfo").read_text()))


def available(meminfo: str) -> float:
    """GiB."""
    kib = next(line.split()[1] for line in meminfo.splitlines() if line.startswith("MemAvailable:"))
    return int(kib) / (1 << 20)
