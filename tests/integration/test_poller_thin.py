"""A list whose pages are known by tokens: Stripe's thin events, which are walked in windows of time."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator

import pytest

from tests.support.event_list import EventList
from tests.support.events import Event, fresh_id, payment, thin
from tests.support.pipeline import POLLED, SOURCE, Pipeline
from tests.support.thin_list import ThinList
from tests.support.wait import wait_for

DAY = 86400.0
MINUTES = 60.0
OLD = 20 * MINUTES  # older than the overlap
NOTES_METERS = {
    "name": "note-meter", "when": {"source": SOURCE, "type": "v1.billing.meter.error_report_triggered"},
    "let": {"meter": "/related_object/id"},
    "sql": [{"run": "INSERT INTO wallet_entry (event, customer, amount) VALUES (:event_id, :meter, 1)", "rows": {1: "done"}}]}


@pytest.fixture
def thin_listing() -> Iterator[ThinList]:
    running = ThinList()
    yield running
    running.close()


@pytest.fixture
def polling(pipeline: Pipeline, thin_listing: ThinList) -> Pipeline:
    pipeline.polls(thin_listing, list="thin_events", since="1d", budget=100)
    pipeline.config["effects"].append(NOTES_METERS)
    return pipeline


def some(number: int) -> list[Event]:
    return [thin() for _ in range(number)]


def complete_until(pipeline: Pipeline) -> object:
    ((until,),) = pipeline.ledger.query("SELECT complete_until FROM poll_walk WHERE source = %s", POLLED)
    return until


def ids(*events: Event) -> list[str]:
    return sorted(event.id for event in events)


def expect_noted_once(pipeline: Pipeline, *events: Event) -> None:
    for event in events:
        pipeline.ledger.expect_status(event, "done")
        pipeline.ledger.expect_ledger_rows(1, event)


def test_events_become_rows_and_a_second_run_publishes_nothing_twice(polling: Pipeline, thin_listing: ThinList) -> None:
    """A burst of one second is on three pages."""
    thin_listing.add(*some(230), ago=OLD)
    thin_listing.add(*some(3), ago=OLD / 2)
    polling.consumer()
    polling.poll_once()
    polling.ledger.expect_ledger_rows(233)
    assert sum(one.parameter("page") is not None for one in thin_listing.asked) == 2
    before = len(thin_listing.asked)
    thin_listing.add(*some(2), ago=4 * MINUTES)
    polling.poll_once()
    assert len(thin_listing.asked) <= before + 5, "what is complete is not asked for again"
    assert polling.published() == ids(*thin_listing.events)


def test_an_event_by_webhook_and_by_list_is_applied_once(polling: Pipeline, thin_listing: ThinList) -> None:
    """The list fills in what the webhook only points to."""
    both, list_alone, webhook_alone = some(3)
    thin_listing.add(both, list_alone, ago=OLD)
    provider = polling.provider(polling.ingress())
    polling.consumer()
    for event in (thin_listing.events[0], webhook_alone):
        provider.deliver(event).expect(200)
    polling.ledger.expect_ledger_rows(2)
    thin_listing.filled_in(thin_listing.events[0], developer_message_summary="no meter")
    polling.poll_once()
    expect_noted_once(polling, both, list_alone, webhook_alone)


def test_what_becomes_visible_late_is_read(polling: Pipeline, thin_listing: ThinList) -> None:
    thin_listing.add(thin(), ago=2 * MINUTES, visible_in=1 * MINUTES)
    thin_listing.add(*some(2), ago=1 * MINUTES)
    polling.poll_once()
    assert len(polling.published()) == 2
    thin_listing.pass_time(1 * MINUTES)
    polling.poll_once()
    assert set(polling.published()) == set(ids(*thin_listing.events))


def test_killed_before_the_last_page_of_a_window_it_is_read_again(polling: Pipeline, thin_listing: ThinList) -> None:
    """The tokens of the one that died are taken no more."""
    thin_listing.add(thin(), ago=OLD)
    polling.poll_once()
    thin_listing.add(*some(350), ago=2 * MINUTES)
    victim = polling.poller(start=False)
    victim.expect_clean_end = False
    thin_listing.fail(lambda _: victim.signal(signal.SIGKILL), of="page")
    victim.start()
    wait_for(lambda: not victim.running, "the list to end the poller that asks for a second page")
    assert polling.published() != ids(*thin_listing.events)
    thin_listing.expire()
    polling.consumer()
    polling.poll_once()
    expect_noted_once(polling, *thin_listing.events[:5])
    polling.ledger.expect_ledger_rows(351)


def test_a_token_that_is_refused_begins_its_window_again(polling: Pipeline, thin_listing: ThinList) -> None:
    thin_listing.add(*some(230), ago=OLD)
    thin_listing.fail(400, 404, of="page")
    program = polling.poll_once()
    assert len(program.decisions("poll_place_gone")) == 2
    assert polling.published() == ids(*thin_listing.events)


def test_a_list_that_takes_none_of_its_tokens_is_trouble(polling: Pipeline, thin_listing: ThinList) -> None:
    thin_listing.add(*some(150), ago=OLD)
    thin_listing.fail(*[400] * 11, of="page")
    program = polling.poll_once(ends_with=1)
    assert "page URL" in program.story()
    polling.poll_once()
    assert polling.published() == ids(*thin_listing.events)


def test_the_list_of_another_account_is_not_read(polling: Pipeline, thin_listing: ThinList) -> None:
    """As after a key was changed: it does not know the event that the checkpoint has passed."""
    ours = thin()
    thin_listing.add(ours, ago=OLD)
    polling.poll_once()
    before = complete_until(polling)
    thin_listing.withdraw(ours)
    thin_listing.add(*some(3), ago=OLD / 2)
    program = polling.poll_once(ends_with=1)
    assert "of another account" in program.story()
    assert polling.published() == ids(ours) and complete_until(polling) == before


def test_the_checkpoint_of_another_list_is_not_gone_on_from(polling: Pipeline, thin_listing: ThinList, listing: EventList) -> None:
    polling.config["sources"][-1]["poll"] |= {"list": "events", "url": listing.url}
    listing.add(payment(fresh_id("cus"), 1), ago=OLD)
    polling.poll_once()
    polling.config["sources"][-1]["poll"] |= {"list": "thin_events", "url": thin_listing.url}
    thin_listing.add(*some(3), ago=OLD / 2)
    program = polling.poll_once(ends_with=1)
    assert "was poll.list changed" in program.story()
    assert len(polling.published()) == 1


def test_a_gap_is_reported_and_the_walk_goes_on(polling: Pipeline, thin_listing: ThinList) -> None:
    thin_listing.add(thin(), ago=OLD)
    polling.poll_once()
    polling.ledger.run("UPDATE poll_walk SET complete_until = complete_until - INTERVAL 40 DAY")
    thin_listing.add(*some(3), ago=25 * DAY)
    program = polling.poll_once()
    assert program.decisions("poll_gap")
    assert set(polling.published()) == set(ids(*thin_listing.events))


def test_what_is_missing_is_found(polling: Pipeline, thin_listing: ThinList) -> None:
    thin_listing.add(*some(150), ago=DAY)
    missing, known = some(2)
    thin_listing.add(missing, ago=2 * DAY)
    thin_listing.add(known, ago=2 * DAY - 60)
    polling.consumer()
    polling.provider(polling.ingress()).deliver(thin_listing.events[1]).expect(200)
    polling.ledger.expect_ledger_rows(1)
    repair = ("--from", "3d", "--apply", "--operator", "ada", "--reason", "a test", "--before-first", "--json")
    done = polling.reconcile(*repair)
    report = json.loads(done.stdout)
    assert (done.returncode, report["listed"], report["injected"]) == (1, 152, 151), done.stdout[:800] + done.stderr
    expect_noted_once(polling, missing, known)
    polling.ledger.expect_ledger_rows(152)
    assert polling.reconcile(*repair).returncode == 0


def test_one_account_has_two_lists(polling: Pipeline, thin_listing: ThinList, listing: EventList) -> None:
    """Neither misses what stands in the other."""
    customer = fresh_id("cus")
    polling.ledger.open_wallet(customer)
    thin_source = polling.config["sources"][-1]
    thin_source["name"] = "stripe-eu-thin"
    polling.polls(listing, since="3d", budget=100)
    thin_source["poll"]["since"] = "3d"
    listing.add(*(payment(customer, 1) for _ in range(3)), ago=1.5 * DAY)
    thin_listing.add(*some(3), ago=1.5 * DAY)
    polling.consumer()
    polling.poll_once()
    polling.ledger.expect_applied(*listing.events)
    expect_noted_once(polling, *thin_listing.events)
    for source in (POLLED, "stripe-eu-thin"):
        done = polling.reconcile("--source", source, "--from", "3d", "--json")
        report = json.loads(done.stdout)
        assert (done.returncode, report["listed"], report["not_there"]) == (0, 3, 0), done.stdout[:800] + done.stderr
