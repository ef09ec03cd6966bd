"""Which file of tests the next free worker takes: the longest that is left, so that at the end none works while the others are done.

xdist takes the one with the most tests, and the longest have few.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from xdist.scheduler import LoadFileScheduling

EACH_TEST = 2.0  # seconds, where nothing was measured


def measured(table: Path) -> dict[str, float]:
    """Lines of seconds and a file's name; # begins a remark."""
    lines = [line.split() for line in table.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {name: float(seconds) for seconds, name in lines}


def expected(scope: str, tests: int, seconds: Mapping[str, float]) -> float:
    """`scope` is a file as xdist names it."""
    return seconds.get(Path(scope).name, tests * EACH_TEST)


class LongestFirst(LoadFileScheduling):
    seconds: Mapping[str, float] = {}

    def _assign_work_unit(self, node: object) -> None:
        longest = max(self.workqueue, key=lambda scope: expected(scope, len(self.workqueue[scope]), self.seconds))
        self.workqueue.move_to_end(longest, last=False)
        super()._assign_work_unit(node)
