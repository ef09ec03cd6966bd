"""What happened in a run: counts, and incidents that should not have been. Thread-safe."""

from __future__ import annotations

import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Story:
    """`over` ends the faults; `closed` ends the threads, with which the processes that they started die."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.crashes: Counter[str] = Counter()   # cycles, by the failpoint that killed
        self.incidents: list[str] = []
        self.is_unfinished = False               # the harness or a server failed: nothing can be said of the programs
        self.over = threading.Event()
        self.closed = threading.Event()
        self.began = time.monotonic()
        self._lock = threading.Lock()

    def count(self, what: str, number: int = 1) -> None:
        with self._lock:
            self.counts[what] += number

    def crashed(self, failpoint: str) -> None:
        with self._lock:
            self.crashes[failpoint] += 1

    def incident(self, what: str) -> None:
        with self._lock:
            self.incidents.append(f"at {self.now:.2f} s: {what}")

    def failed(self, what: str) -> None:
        """Not the fault of what is tested."""
        self.is_unfinished = True
        self.incident(what)

    @contextmanager
    def attended(self, name: str) -> Iterator[None]:
        """For a whole thread: one that an exception ends would be missed by nobody, and what it did not try would pass."""
        try:
            yield
        except Exception:  # noqa: BLE001 - shown in the verdict
            self.incident(f"{name} has ended early:\n{traceback.format_exc()}")

    @property
    def now(self) -> float:
        """Seconds since the first event."""
        return time.monotonic() - self.began

    def pause(self, seconds: float) -> bool:
        """Lets time pass; False when the faults are over before that."""
        return not self.over.wait(max(seconds, 0))

    def pause_until(self, moment: float) -> bool:
        return self.pause(moment - self.now)
