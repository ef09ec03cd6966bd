"""Events that are read from a provider's list are applied once, and none is passed over."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from tests.support.event_list import EventList
from tests.support.events import Event, fresh_id, payment, unmatched
from tests.support.pipeline import POLLED, Pipeline
from tests.support.shifted_clock import clock_at
from tests.support.wait import wait_for

MINUTES = 60.0
OLD = 20 * MINUTES  # older than the overlap: the checkpoint passes it at once


@pytest.fixture
def customer(pipeline: Pipeline) -> str:
    name = fresh_id("cus")
    pipeline.ledger.open_wallet(name)
    return name


@pytest.fixture
def polling(pipeline: Pipeline, listing: EventList) -> Pipeline:
    pipeline.polls(listing, since="1d")
    return pipeline


def some(number: int, customer: str) -> list[Event]:
    return [payment(customer, 1) for _ in range(number)]


def checkpoint(pipeline: Pipeline) -> tuple[str | None, datetime]:
    ((place, until),) = pipeline.ledger.query("SELECT at_id, complete_until FROM poll_walk WHERE source = %s", POLLED)
    return place.decode() if place else None, until.replace(tzinfo=UTC)


def test_events_of_the_list_become_rows(polling: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(250, customer), ago=OLD)
    polling.consumer()
    polling.poll_once()
    assert polling.published() != []
    polling.ledger.expect_applied(*listing.events)
    polling.ledger.expect_balance(customer, 250)
    assert checkpoint(polling)[0] == listing.events[-1].id


def test_a_second_run_asks_for_what_is_new_and_publishes_nothing_twice(polling: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(120, customer), ago=OLD)
    polling.poll_once()
    asked = len(listing.asked)
    polling.poll_once()
    assert len(listing.asked) == asked + 1 and listing.asked[-1].parameter("ending_before") == listing.events[-1].id
    listing.add(*some(3, customer), ago=OLD / 2)
    polling.poll_once()
    assert sorted(polling.published()) == sorted(event.id for event in listing.events)


def test_what_becomes_visible_late_is_read(polling: Pipeline, listing: EventList, customer: str) -> None:
    """It stands before events that were read already, and is younger than the overlap as they are read."""
    listing.add(*some(2, customer), ago=OLD)
    late = payment(customer, 1)
    listing.add(late, ago=2 * MINUTES, visible_in=1 * MINUTES)
    listing.add(*some(2, customer), ago=1 * MINUTES)
    polling.poll_once()
    assert len(polling.published()) == 4
    listing.pass_time(1 * MINUTES)
    polling.poll_once()
    polling.expect_published(late)
    assert len(set(polling.published())) == 5


def test_our_own_clock_does_not_say_what_is_old_enough(polling: Pipeline, listing: EventList, customer: str) -> None:
    """Ours is ten minutes ahead: by it, the events would be older than the overlap."""
    late = payment(customer, 1)
    listing.add(late, ago=2 * MINUTES, visible_in=1 * MINUTES)
    listing.add(*some(2, customer), ago=1 * MINUTES)
    ahead = clock_at(time.time() + 10 * MINUTES)
    for _ in range(2):
        polling.poll_once(environment=ahead)
    listing.pass_time(1 * MINUTES)
    polling.poll_once(environment=ahead)
    polling.expect_published(late)


def test_a_burst_of_one_second_over_a_border_of_pages_is_read_whole(polling: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(99, customer), ago=OLD)
    listing.add(*some(230, customer), ago=OLD / 2)
    listing.add(*some(99, customer), ago=OLD / 4)
    polling.poll_once()
    assert sorted(polling.published()) == sorted(event.id for event in listing.events)


def test_an_empty_list_skips_nothing_that_comes_later(polling: Pipeline, listing: EventList, customer: str) -> None:
    polling.poll_once()
    listing.add(*some(3, customer), ago=30)
    polling.poll_once()
    assert len(polling.published()) == 3


def test_the_next_page_is_asked_for_while_this_one_is_kept(polling: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(1, customer), ago=OLD)
    polling.poll_once()
    before, asked = checkpoint(polling), len(listing.asked)
    listing.add(*some(250, customer), ago=OLD / 2)
    poller = polling.poller("poller.before_move=delay:600000@1")
    last_of_the_first = listing.events[100].id
    wait_for(lambda: last_of_the_first in [one.parameter("ending_before") for one in listing.asked[asked:]], "the second page to be asked for")
    assert checkpoint(polling) == before
    poller.kill()
    polling.poll_once()
    assert len(set(polling.published())) == 251


def test_since_now_leaves_what_was_before(pipeline: Pipeline, listing: EventList, customer: str) -> None:
    pipeline.polls(listing)
    listing.add(*some(5, customer), ago=OLD)
    pipeline.poll_once()
    assert pipeline.published() == []
    listing.add(*some(2, customer), ago=10)
    pipeline.poll_once()
    assert len(pipeline.published()) == 2


def test_an_event_by_webhook_and_by_list_is_applied_once(polling: Pipeline, listing: EventList, customer: str) -> None:
    both, list_alone, webhook_alone = some(3, customer)
    listing.add(both, list_alone, ago=OLD)
    provider = polling.provider(polling.ingress())
    polling.consumer()
    for event in (listing.events[0], webhook_alone):
        provider.deliver(event).expect(200)
    polling.poll_once()
    polling.ledger.expect_applied(*listing.events, webhook_alone)
    polling.ledger.expect_balance(customer, 3)


def test_the_records_say_that_they_were_read(polling: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(payment(customer, 1), ago=OLD)
    polling.poll_once()
    (record,) = polling.log.read(polling.topic)
    assert record.text("sluice-trust") == "api" and record.text("sluice-source") == POLLED


def test_types_that_are_not_wanted_are_left_out(pipeline: Pipeline, listing: EventList, customer: str) -> None:
    pipeline.polls(listing, since="1d", types=["payment_intent.*"])
    wanted = payment(customer, 1)
    listing.add(unmatched(), wanted, unmatched(), ago=OLD)
    program = pipeline.poll_once()
    assert pipeline.published() == [wanted.id]
    assert checkpoint(pipeline)[0] == listing.events[-1].id, program.story()


def test_a_poller_that_runs_reads_what_comes(polling: Pipeline, listing: EventList, customer: str) -> None:
    listing.add(*some(2, customer), ago=OLD)
    poller = polling.poller()
    polling.consumer()
    polling.ledger.expect_balance(customer, 2)
    listing.add(*some(2, customer), ago=1)
    polling.ledger.expect_balance(customer, 4)
    poller.expect_metric(4, "sluice_poller_events_total", source=POLLED, result="published")
    poller.expect_metric(1, "sluice_poller_leading", source=POLLED)


def test_only_one_of_two_pollers_asks(polling: Pipeline, listing: EventList, customer: str) -> None:
    first = polling.poller()
    second = polling.poller()
    first.expect_metric(1, "sluice_poller_leading", source=POLLED)
    wait_for(lambda: second.decisions("poll_standby"), "the second one to stand by")
    first.stop()
    second.expect_metric(1, "sluice_poller_leading", source=POLLED)
    listing.add(*some(3, customer), ago=10)
    wait_for(lambda: len(polling.published()) == 3, "the second one to read")
