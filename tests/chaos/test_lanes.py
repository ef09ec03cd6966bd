"""A lane's faults follow the plan, and leave as much peace between them as it asks for when a server was long in coming back."""

from __future__ import annotations

import threading

import pytest

from tests.chaos import lanes
from tests.chaos.plan import Fault

LASTS = 5.0  # seconds that each fault takes here


class Clock:
    """A story whose time passes by being waited for."""

    def __init__(self) -> None:
        self.now = 0.0
        self.over, self.closed = threading.Event(), threading.Event()
        self.over.set()
        self.closed.set()

    def pause_until(self, moment: float) -> bool:
        self.now = max(self.now, moment)
        return True


def began(monkeypatch: pytest.MonkeyPatch, *faults: Fault) -> list[float]:
    moments: list[float] = []

    def act(_site: object, _fault: Fault, story: Clock) -> None:
        moments.append(story.now)
        story.now += LASTS

    monkeypatch.setattr(lanes, "action_of", lambda _: act)
    lanes.LaneRunner("nothing to mend", faults, None, Clock()).run()
    return moments


def test_a_fault_comes_when_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    assert began(monkeypatch, Fault(1.0, "x", "kill", 0.0, {"rest": 2.0}), Fault(20.0, "x", "kill", 0.0, {"rest": 2.0})) == [2.0, 20.0]


def test_a_late_fault_leaves_its_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert began(monkeypatch, Fault(3.0, "x", "kill", 0.0, {"rest": 2.0}), Fault(4.0, "x", "kill", 0.0, {"rest": 2.0})) == [3.0, 10.0]


def test_without_a_rest_a_late_fault_comes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert began(monkeypatch, Fault(3.0, "x", "kill", 0.0), Fault(4.0, "x", "kill", 0.0)) == [3.0, 8.0]
