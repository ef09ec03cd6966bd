"""What a stage came to."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Tally:
    """Numbers of tests, as the runner itself wrote them down."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    @property
    def executed(self) -> int:
        return self.passed + self.failed

    def __str__(self) -> str:
        skipped = f", {self.skipped} SKIPPED" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


@dataclass(frozen=True)
class Outcome:
    """`note` says why a stage did not run, or what there is to say besides its tally. `busy`: processor time of all it started."""

    stage: str
    ok: bool
    seconds: float = 0.0
    tally: Tally | None = None
    note: str = ""
    ran: bool = True
    busy: float = 0.0

    def __str__(self) -> str:
        word = ("ok" if self.ok else "FAILED") if self.ran else ("SKIPPED" if self.ok else "NOT RUN")
        said = ", ".join(part for part in (str(self.tally or ""), self.note) if part)
        return f"{word:8}{self.stage:16}{self.seconds:6.0f} s{self.busy:6.0f} s busy  {said}".rstrip()


def read_junit(file: Path) -> Tally:
    """ctest writes one testsuite, pytest a list of them. No file: nothing was executed."""
    if not file.exists():
        return Tally()
    tally = Tally()
    for suite in ElementTree.parse(file).getroot().iter("testsuite"):
        number = {name: int(suite.get(name) or 0) for name in ("tests", "failures", "errors", "skipped", "disabled")}
        failed = number["failures"] + number["errors"]
        skipped = number["skipped"] + number["disabled"]
        tally += Tally(number["tests"] - failed - skipped, failed, skipped)
    return tally
