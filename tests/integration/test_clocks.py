"""How long an event waits in its lane is told by MySQL's clock: those of the processes may stand anywhere."""

from __future__ import annotations

import time

import pytest

from tests.support.events import fresh_id, payment
from tests.support.lanes import expect_lane, expect_nothing_owed
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.server_log import statements_logged
from tests.support.shifted_clock import clock_at
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"in_place": "0s"}
HOURS = 2 * 3600  # seconds


def with_clock_off(program: Program, seconds: int) -> Program:
    program.environment = {**program.environment, **clock_at(time.time() + seconds)}
    program.start().ready()
    return program


@pytest.mark.parametrize(("main", "retry"), [(HOURS, 0), (0, -HOURS)], ids=["puts off ahead of time", "wakes behind time"])
def test_event_that_waits_is_tried_as_soon_as_with_right_clocks(bench: Pipeline, main: int, retry: int) -> None:
    late = fresh_id("cus")
    event = payment(late, 5)
    put(bench, event)
    with_clock_off(bench.consumer(start=False), main)
    expect_lane(bench, event, "deferred")
    bench.ledger.open_wallet(late)
    with_clock_off(bench.retry_role(start=False), retry)
    bench.ledger.expect_applied(event)
    expect_lane(bench, event)
    expect_nothing_owed(bench, of=event)


def test_server_is_asked_for_its_time_again_and_again(pipeline: Pipeline) -> None:
    """Between two looks the machine's own clock counts on, and no two clocks run alike for a month."""
    pipeline.consumer()
    with statements_logged(pipeline, "SELECT UTC_TIMESTAMP(6)%") as asked:
        wait_for(lambda: len(asked()) > 4, "looks at the server's clock")
