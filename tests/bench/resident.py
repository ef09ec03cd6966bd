"""The resident set of a process: one reading, and a series of them in the background."""

from __future__ import annotations

import re
import statistics
import time
from pathlib import Path

from tests.bench.beside import Beside
from tests.bench.cells import Untrue

EVERY = 10.0  # seconds

Samples = list[tuple[float, int]]  # seconds since the beginning, KiB


def resident_kib(process: int) -> int:
    """Counted page by page: the figure of /proc/<pid>/status may lag behind. Untrue when there is no such process."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        raise Untrue(f"process {process} is gone") from None
    found = re.search(r"^Rss:\s+(\d+) kB$", text, re.MULTILINE)
    if not found:
        raise Untrue(f"process {process} has no memory left")
    return int(found[1])


class Watch(Beside):
    """Reads the resident set of `process` every so often on a thread of its own, inside the block."""

    def __init__(self, process: int, every: float = EVERY) -> None:
        super().__init__()
        self.samples: Samples = []
        self.failure: Untrue | None = None
        self._process, self._every = process, every
        self._began = time.monotonic()

    def _run(self) -> None:
        try:
            while not self.ended.is_set():
                self.samples.append((time.monotonic() - self._began, resident_kib(self._process)))
                self.ended.wait(self._every)
        except Untrue as failure:
            self.failure = failure


def summary(samples: Samples) -> dict:
    """KiB. Slopes by least squares; the drift is what the slope of the last half comes to in an hour, as a share of its mean."""
    last = samples[len(samples) // 2:]
    values = [value for _, value in samples]
    mean = statistics.fmean(value for _, value in last)
    slope = slope_per_hour(last)
    return {"first": values[0], "last": values[-1], "low": min(values), "high": max(values), "mean_last_half": mean,
            "slope": slope_per_hour(samples), "slope_last_half": slope, "drift": slope / mean}


def slope_per_hour(samples: Samples) -> float:
    seconds, values = zip(*samples, strict=True)
    return statistics.linear_regression(seconds, values).slope * 3600
