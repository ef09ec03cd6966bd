"""An object whose head fails for an hour while thousands of its events arrive: they wait in MySQL, nobody else notices, and
they are applied in order soon after the head succeeds."""

from __future__ import annotations

import os
import time

import pytest

from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.lanes import expect_lane, lane_of
from tests.support.pipeline import Pipeline
from tests.support.records import put
from tests.support.wait import wait_for

FOLLOWERS = int(os.environ.get("SLUICE_FOLLOWERS", "1000"))  # the bar is 10,000
AT_A_TIME = 500
MEGABYTES = 24  # that a process may grow by while they arrive and drain
CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
EXTRA_EFFECTS = [WANTS_A_ROW]


def arrive(bench: Pipeline, followers: list[Event]) -> None:
    """Not faster than they are parked, as in an hour: what was read ahead would be memory too, up to consumer.buffer."""
    for first in range(0, len(followers), AT_A_TIME):
        some = followers[first:first + AT_A_TIME]
        wanted = lane_of(bench, some[0]).unfinished + len(some)
        put(bench, *some)
        wait_for(lambda wanted=wanted: lane_of(bench, some[0]).unfinished == wanted, "all to wait", within=60)


@pytest.mark.databases("mysql", "mariadb")
def test_thousands_of_followers_wait_in_mysql_and_drain_in_order(bench: Pipeline, record_property) -> None:
    late, customer, unit = fresh_id("cus"), fresh_id("cus"), fresh_id("in")
    bench.ledger.open_wallet(customer)
    head, others = paid_invoice(late, unit=unit), [payment(customer, 1) for _ in range(50)]
    followers = [paid_invoice(late, unit=unit) for _ in range(FOLLOWERS)]
    put(bench, head)
    main, retry = bench.consumer(), bench.retry_role()
    expect_lane(bench, head, "retry")
    before = {process: process.resident_kib for process in (main, retry)}
    started = time.monotonic()
    arrive(bench, followers[:FOLLOWERS // 2])
    put(bench, *others)
    arrive(bench, followers[FOLLOWERS // 2:])
    bench.ledger.expect_applied(*others, within=60)
    bench.expect_caught_up()
    parked = time.monotonic()
    # The head has failed for an hour: it is at the last tier.
    bench.ledger.run("UPDATE lane_event SET attempts = 5, first_failed_at = first_failed_at - INTERVAL 1 HOUR WHERE status = 'retry'")
    bench.ledger.open_wallet(late)
    wait_for(lambda: bench.ledger.balance(late) > 0, "the head to be applied", within=300)
    first = time.monotonic()
    bench.ledger.expect_applied(head, *followers, within=300)
    last = time.monotonic()
    bench.ledger.expect_each_objects_order([head, *followers])
    expect_lane(bench, head)
    for name, value in {"parked_per_second": FOLLOWERS / (parked - started), "drained_per_second": FOLLOWERS / (last - first)}.items():
        record_property(name, round(value))
        print(f"{name}: {value:.0f}")
    grown = {process.label: process.resident_kib - before[process] for process in before}
    print(grown)
    assert max(grown.values()) < MEGABYTES * 1024, grown
