"""kill -9 of the poller at every step: another one goes on, and each event of the list is applied exactly once."""

from __future__ import annotations

import signal

import pytest

from tests.support import failpoints
from tests.support.event_list import EventList
from tests.support.events import Event, fresh_id, payment
from tests.support.pipeline import POLLED, Pipeline
from tests.support.wait import wait_for

POINTS = [point for point in failpoints.in_source("poller", failpoints.OUTLET) if point != failpoints.OF_A_GAP]
DAY = 86400.0
OLD = 1200.0  # seconds: older than the overlap


@pytest.fixture
def polling(pipeline: Pipeline, listing: EventList) -> Pipeline:
    pipeline.polls(listing, since="1d")
    return pipeline


def end_of(pipeline: Pipeline, failpoint: str) -> int:
    victim = pipeline.poller(start=False)
    victim.expect_clean_end = False
    victim.start(failpoint)
    wait_for(lambda: not victim.running, f"{failpoint} to end the poller")
    assert victim.hit_failpoints()
    return victim.exit_code or 0


def fresh_list(pipeline: Pipeline, listing: EventList, number: int) -> list[Event]:
    """Only these events are in the list from now on, and nobody has read of it: one pipeline is enough for many crashes."""
    age, customer = OLD + (len(POINTS) - number) * 60, fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    pipeline.ledger.run("DELETE FROM poll_walk")
    listing.forget_before(age + 30)
    listing.add(*(payment(customer, 1) for _ in range(230)), ago=age)
    return listing.events[-230:]


@pytest.mark.parametrize("hit", (1, 2))
def test_killed_and_replaced(polling: Pipeline, listing: EventList, hit: int) -> None:
    """At each step in turn, at its first and at its second hit, while a consumer runs."""
    polling.consumer()
    for number, point in enumerate(POINTS):
        events = fresh_list(polling, listing, number)
        assert end_of(polling, f"{point}=kill@{hit}") == -signal.SIGKILL, f"{point} was never hit"
        polling.poll_once()
        polling.ledger.expect_applied(*events)


def test_a_step_that_fails_is_taken_again(polling: Pipeline, listing: EventList) -> None:
    polling.consumer()
    for number, point in enumerate(point for point in POINTS if "ack" in point or "produce" in point or "claim" in point):
        events = fresh_list(polling, listing, number)
        program = polling.poll_once(f"{point}=error@1")
        assert point in program.hit_failpoints()
        polling.ledger.expect_applied(*events)


def test_a_page_that_is_not_kept_is_asked_for_again(polling: Pipeline, listing: EventList) -> None:
    """The next one was asked for already."""
    listing.add(payment("cus_1", 1), ago=OLD)
    polling.poll_once()
    listing.add(*(payment("cus_1", 1) for _ in range(250)), ago=OLD / 2)
    polling.poll_once("poller.after_claim=error@1")
    assert set(polling.published()) == {event.id for event in listing.events}


def test_a_restart_in_the_middle_costs_a_page(pipeline: Pipeline, listing: EventList) -> None:
    """Where the events begin is not searched for again, and no page but the one that was on its way is asked for twice."""
    pipeline.polls(listing, since="1d")
    for second in range(600):
        listing.add(payment("cus_1", 1), ago=OLD - second)
    pipeline.poll_once()
    whole = len(listing.asked)
    pipeline.ledger.run("DELETE FROM poll_walk")
    listing.asked.clear()
    assert end_of(pipeline, f"poller.after_page=kill@{whole - 2}") == -signal.SIGKILL
    pipeline.poll_once()
    assert len(listing.asked) <= whole + 1


def test_a_gap_is_not_forgotten_by_a_crash(polling: Pipeline, listing: EventList) -> None:
    listing.add(*(payment("cus_1", 1) for _ in range(230)), ago=OLD)
    polling.poll_once()
    polling.ledger.run("UPDATE poll_walk SET at_id = 'evt_gone', at_created = at_created - INTERVAL 40 DAY,"
                       " complete_until = complete_until - INTERVAL 40 DAY")
    assert end_of(polling, f"{failpoints.OF_A_GAP}=kill") == -signal.SIGKILL
    polling.poll_once()
    ((gap,),) = polling.ledger.query("SELECT gap_from IS NOT NULL FROM poll_walk WHERE source = %s", POLLED)
    assert gap
