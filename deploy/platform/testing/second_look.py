"""Tests that are known to be unsteady (tests/unsteady.txt) run once more, alone, when they failed beside others.

Whether the machine was too slow or the product has a race is for a person to find out: the run does not stop for it, but its
summary names them, and the log shows how they failed. A failure of any other test is final.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from deploy.platform.testing.outcome import Outcome, Tally
from deploy.platform.testing.stages import Stage

UNSTEADY = Path(__file__).parents[3] / "tests" / "unsteady.txt"
TESTS_FAILED = "exit code 1"  # pytest's own word for it; anything else has another cause

Run = Callable[[Stage], Outcome]


def second_look(stage: Stage, first: Outcome, run: Run, known: frozenset[str] | None = None) -> Outcome:
    """`first`, or what became of its failed tests alone when all of them are `known` and passed then."""
    names = failed_tests(stage.junit) if stage.alone and stage.junit else []
    if first.ok or first.note != TESTS_FAILED or not names or first.tally is None or stage.junit is None:
        return first
    if not {name.partition("[")[0] for name in names} <= (known_unsteady() if known is None else known):
        return first
    again = Stage(f"{stage.name} alone", stage.alone, stage.junit.with_name(f"{stage.junit.stem}-alone.xml"))
    second = run(again)
    if not second.ok or second.tally is None or second.tally.failed or second.tally.passed < len(names):
        return first
    tally = Tally(first.tally.passed + len(names), 0, first.tally.skipped)
    return replace(first, ok=True, seconds=first.seconds + second.seconds, tally=tally,
                   note=f"UNSTEADY, passed only alone: {', '.join(names)}")


def known_unsteady(path: Path = UNSTEADY) -> frozenset[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line.split()[0] for line in lines if line and not line.startswith("#"))


def failed_tests(junit: Path) -> list[str]:
    if not junit.exists():
        return []
    cases = ElementTree.parse(junit).getroot().iter("testcase")
    return sorted({case.get("name", "") for case in cases if case.find("failure") is not None or case.find("error") is not None})
