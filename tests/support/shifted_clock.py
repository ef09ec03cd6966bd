"""A wall clock that stands somewhere else, for one program."""

from __future__ import annotations

import struct
import time
from pathlib import Path

from tests.support.preloaded import build_library

SOURCE = Path(__file__).with_suffix(".cpp")


def clock_at(moment: float) -> dict[str, str]:
    """The environment of a process whose wall clock starts at `moment`."""
    return {"LD_PRELOAD": str(build_library(SOURCE)), "SHIFTED_CLOCK_SECONDS": str(int(moment - time.time()))}


class ClockFile:
    """A clock that can be stepped while the program runs."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.step(0)

    def step(self, seconds: int) -> None:
        """How far the clock is off from now on. The file stays the same one: programs have it mapped."""
        with self._file.open("r+b" if self._file.exists() else "wb") as handle:
            handle.write(struct.pack("=q", seconds))

    def environment(self, library: Path) -> dict[str, str]:
        return {"LD_PRELOAD": str(library), "SHIFTED_CLOCK_FILE": str(self._file)}
