"""A roll-out that adds a source: events of a source that a process does not know wait for one that does."""

from __future__ import annotations

import copy

import pytest

from tests.support.commands import RETRY, entry_of, expect_answer, send
from tests.support.events import Event, fresh_id, payment
from tests.support.lanes import expect_lane, expect_nothing_owed, open_dead_letters
from tests.support.pipeline import Pipeline
from tests.support.records import put, put_records, record_of
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}


@pytest.fixture
def before(bench: Pipeline) -> dict:
    """The file before the roll-out: another account of the provider, with the same effects."""
    config = copy.deepcopy(bench.config)
    config["sources"][0] |= {"name": "stripe-us", "principal": "acct_us", "path": "/v1/webhooks/stripe-us"}
    for effect in config["effects"]:
        effect["when"]["source"] = "stripe-us"
    return config


@pytest.fixture
def payments(bench: Pipeline) -> list[Event]:
    """Two of one object, of the source that the roll-out adds."""
    customer, intent = fresh_id("cus"), fresh_id("pi")
    bench.ledger.open_wallet(customer)
    return [payment(customer, amount, intent=intent) for amount in (70, 7)]


def lane_error(pipeline: Pipeline) -> bytes:
    [(error_class,)] = pipeline.ledger.query("SELECT error_class FROM lane_event WHERE status = 'retry'")
    return error_class


def test_event_of_a_source_that_only_newer_processes_know_waits_for_one(bench: Pipeline, before: dict, payments: list[Event]) -> None:
    after, bench.config = bench.config, before
    customer = fresh_id("cus")
    bench.ledger.open_wallet(customer)
    known = [payment(customer, 1) for _ in range(3)]
    put_records(bench, *(record_of(event) for event in payments),
                *(record_of(event, source="stripe-us", principal="acct_us") for event in known))
    main, retry = bench.consumer(), bench.retry_role()
    bench.ledger.expect_applied(*known)
    expect_lane(bench, payments[0], "retry", "parked")
    assert lane_error(bench) == b"source_unknown"
    main.expect_metric(1, "sluice_consumer_lacking_total", **{"class": "source_unknown"})
    wait_for(lambda: retry.metric("sluice_consumer_wakeups_total", what="resent") >= 2, "the wakeup to go round")
    assert not open_dead_letters(bench), "nothing was counted"

    assert main.stop() == 0 and retry.stop() == 0
    bench.config = after
    bench.retry_role()
    bench.ledger.expect_applied(*payments)
    bench.ledger.expect_each_objects_order(payments)
    expect_lane(bench, payments[0])


def test_event_of_an_unknown_source_is_not_ignored_behind_a_deferred_one(bench: Pipeline, before: dict) -> None:
    """Of an object whose lane lets later events run."""
    customer, intent = fresh_id("cus"), fresh_id("pi")
    payments = [payment(customer, amount, intent=intent) for amount in (70, 7)]
    put(bench, payments[0])
    newer = bench.consumer()
    expect_lane(bench, payments[0], "deferred")
    assert newer.stop() == 0
    after, bench.config = bench.config, before
    put(bench, payments[1])
    bench.consumer()
    expect_lane(bench, payments[0], "deferred", "retry")
    bench.ledger.open_wallet(customer)
    bench.config = after
    bench.retry_role()
    bench.ledger.expect_applied(*payments)


def test_source_that_no_process_gets_to_know_ends_in_the_hands_of_an_operator(
        bench: Pipeline, before: dict, payments: list[Event]) -> None:
    """Who configures it and has the event tried again."""
    after, bench.config = bench.config, before
    bench.config["consumer"] |= {"effects_grace": "1s"}
    put(bench, *payments)
    main, retry = bench.consumer(), bench.retry_role()
    expect_lane(bench, payments[0], "dead", "parked")
    expect_nothing_owed(bench)
    assert open_dead_letters(bench) == [(payments[0].id, "source_unknown")]
    retry.expect_metric(1, "sluice_consumer_dead_letters_total", **{"class": "source_unknown"})
    assert main.stop() == 0 and retry.stop() == 0

    bench.config = after
    bench.retry_role()
    expect_answer(bench, send(bench, RETRY, payments[0]), "carried_out")
    bench.ledger.expect_applied(*payments)
    bench.ledger.expect_each_objects_order(payments)


@pytest.mark.parametrize("first", ["stripe-added", "stripe-eu"])
def test_copy_of_an_event_by_an_endpoint_that_is_added_is_never_let_in(bench: Pipeline, payments: list[Event], first: str) -> None:
    """A process of before the roll-out cannot tell that two names are endpoints of one account. To it they conflict,
    whichever of them brings the event first."""
    second = "stripe-eu" if first == "stripe-added" else "stripe-added"
    before = copy.deepcopy(bench.config)
    bench.config["sources"].append({**bench.config["sources"][0], "name": "stripe-added", "path": "/v1/webhooks/stripe-added"})
    after, event = bench.config, payments[0]
    put_records(bench, record_of(event, source=first))
    newer = bench.consumer()
    bench.ledger.expect_applied(event)
    assert newer.stop() == 0

    bench.config = before
    put_records(bench, record_of(event.with_content(amount=71), source=second, secret=bench.secret))
    older = bench.consumer(role="both")
    entry = entry_of(bench, event)
    expect_answer(bench, send(bench, RETRY, event, entry=entry), "refused", "conflict")
    assert older.stop() == 0

    bench.config = after
    bench.retry_role()
    expect_answer(bench, send(bench, RETRY, event, entry=entry), "refused", "finished")
    assert event.id not in dict(open_dead_letters(bench))
    bench.ledger.expect_applied(event)


def test_conflict_under_a_name_that_is_gone_is_let_in_by_who_looked(pipeline: Pipeline) -> None:
    """In a database of its own: the event has two inbox rows then."""
    pipeline.config["consumer"] = dict(CONSUMER)
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    event = payment(customer, 70)
    put_records(pipeline, record_of(event, source="stripe-before"))
    pipeline.consumer(role="both")
    pipeline.ledger.expect_applied(event)
    put(pipeline, event.with_content(amount=7))
    entry = entry_of(pipeline, event)
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=entry), "refused", "conflict")
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=entry, unverified=True), "carried_out")
    wait_for(lambda: pipeline.ledger.balance(customer) == 77, "both to be applied")
