"""What makes a session of runs fail, though each of them ended equal, and what a run fails by that nobody was told."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import chain
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.chaos.__main__ import LONG, all_hit, command_points
from tests.chaos.commands.callers import CallerThread, Log
from tests.chaos.commands.run import OVERTAKEN_CALLS
from tests.chaos.commands.service import ChaosService, executes
from tests.chaos.commands.told import IN_MYSQL
from tests.chaos.story import Story
from tests.support.executing import Called

OPTIONS = argparse.Namespace(commands=True, poller=False)
POINTS = set(chain(*command_points().values()))


def test_a_long_session_fails_in_which_no_fence_refused_a_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert all_hit(POINTS | {OVERTAKEN_CALLS}, LONG, OPTIONS)
    assert not all_hit(POINTS, LONG, OPTIONS)
    assert OVERTAKEN_CALLS in capsys.readouterr().out
    assert all_hit(POINTS, LONG - 1, OPTIONS), "one short run may have no such call"


@pytest.fixture
def service() -> Iterator[ChaosService]:
    service = ChaosService(7, "")
    service.is_well = True
    yield service
    service.close()


def call(service: ChaosService, fence: int) -> int:
    headers = {"Idempotency-Key": "k", "Sluice-Fence": str(fence), "Sluice-Command": IN_MYSQL}
    try:
        return urlopen(Request(service.url, json.dumps({"refund": "k1"}).encode(), headers)).status
    except HTTPError as refused:
        return refused.code


def test_calls_count_as_overtaken_that_come_under_a_lower_fence(service: ChaosService) -> None:
    assert [call(service, fence) for fence in (2, 1, 1)] == [200, 409, 409]
    assert service.overtaken == 2


def test_calls_that_the_service_is_late_with_show_nothing_of_their_owner(service: ChaosService) -> None:
    service.fences["k"] = 2  # since it came
    late = SimpleNamespace(service=service, called=Called("k", 1, {"sluice-command": IN_MYSQL}, b""), say=lambda status, _: said.append(status))
    said: list[int] = []
    executes(late)
    assert (said, service.overtaken) == ([409], 0)


def test_callers_that_fail_are_an_incident() -> None:
    story = Story()
    caller = CallerThread(3, 7, [], (["small-0"], ["hot-0"]), Log(""), story)
    caller.start()
    caller.join(30)
    assert [("caller-3" in one, "IndexError" in one) for one in story.incidents] == [(True, True)], "it has no port to choose"
