"""What the programs export: docs/metrics.md as data, and the names that the sources register."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
PAGE = TREE / "docs/metrics.md"
TARGET_LABELS = {"namespace", "job", "instance", "pod", "service", "container", "endpoint"}  # Prometheus adds them to each
_NAME = re.compile(r'"((?:sluice|webhook)_[a-z0-9_]+)"')
# How the sources register one: of what kind it is, by the call's name. `show` and `count` are the consumer's own.
_CALL = re.compile(r"\b(counter|gauge|histogram|show|count)\(\s*$")
_KIND = {"show": "gauge", "count": "counter"}
# What several programs have, each under a name of its own: common/telemetry/program.hpp.
_SHARED = re.compile(r'\b(counter|gauge)\(\s*program\.metric\("([a-z_]+)"\)')
# What a reader of events has, and one for the record of callbacks: consumer/offsets/purpose.hpp.
_PURPOSE = re.compile(r'\b(counter|gauge)\(\s*metric_of\(\w+, "([a-z_]+)"\)')
_PROGRAMS = ("sluice_ingress", "sluice_poller")
_PUBLISHING = (*_PROGRAMS, "sluice_command")
_TIERS = ("common", "ingress", "consumer", "poller", "command")


@dataclass(frozen=True)
class Metric:
    name: str
    kind: str
    labels: frozenset[str]
    always: bool  # exported from the start
    part: str     # heading of the page

    def series(self) -> set[str]:
        """Names that queries use."""
        if self.kind != "histogram":
            return {self.name}
        return {self.name + suffix for suffix in ("_bucket", "_sum", "_count")}


def rows(part: str = "") -> list[tuple[str, list[str]]]:
    """Heading and cells of each row of the page's tables whose first cell is a name."""
    found, heading = [], ""
    for line in PAGE.read_text().splitlines():
        if line.startswith("## "):
            heading = line[3:]
        elif line.startswith("| `"):
            found.append((heading, [cell.strip() for cell in line.strip("|").split("|")]))
    return [row for row in found if not part or row[0] == part]


def _words(cell: str) -> frozenset[str]:
    return frozenset(word.strip() for word in cell.split(",") if word.strip())


@cache
def ours() -> dict[str, Metric]:
    listed = {}
    for heading, cells in rows():
        if heading != "Of others":
            name, kind, labels, there, _ = cells
            assert there in ("always", "later"), cells
            listed[name.strip("`")] = Metric(name.strip("`"), kind, _words(labels), there == "always", heading)
    return listed


@cache
def of_others() -> dict[str, Metric]:
    """By name; their kind is told by the name alone."""
    return {cells[0].strip("`"): Metric(cells[0].strip("`"), "counter" if "_total" in cells[0] else "gauge", _words(cells[2]), False, part)
            for part, cells in rows("Of others")}


@cache
def by_series() -> dict[str, Metric]:
    return {series: metric for metric in (*ours().values(), *of_others().values()) for series in metric.series()}


def registered(tree: Path = TREE) -> dict[str, str]:
    """Name to kind, as the C++ sources say it."""
    found: dict[str, str] = {}
    for folder in _TIERS:
        for path in sorted((tree / folder).rglob("*.[ch]pp")):
            text = path.read_text()
            programs = _PUBLISHING if path.is_relative_to(tree / "ingress/publish") else _PROGRAMS
            found.update({f"{program}_{name}": kind for kind, name in _SHARED.findall(text) for program in programs})
            found.update({f"sluice_consumer_{kept}{name}": kind for kind, name in _PURPOSE.findall(text) for kept in ("", "callbacks_")})
            for match in _NAME.finditer(text):
                call = _CALL.search(text[:match.start()])
                if call:
                    found[match[1]] = _KIND.get(call[1], call[1])
    return found


@cache
def words() -> frozenset[str]:
    """Every string of the sources that could be a decision of the log."""
    texts = (path.read_text() for folder in _TIERS for path in (TREE / folder).rglob("*.cpp"))
    return frozenset(word for text in texts for word in re.findall(r'"([a-z][a-z_]*)"', text))
