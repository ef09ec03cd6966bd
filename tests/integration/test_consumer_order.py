"""Effects of one object happen in partition order; objects do not wait for each other."""

from __future__ import annotations

import pytest

from tests.support.dead_letter import dead_letter_of
from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.lanes import expect_lane, lane_of
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.records import hold_key, put, put_records, record_of
from tests.support.wait import stays, wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")


@pytest.fixture
def customer(bench: Pipeline) -> str:
    """With an empty wallet."""
    name = fresh_id("cus")
    bench.ledger.open_wallet(name)
    return name


def interleaved(customer: str, count: int, objects: int) -> list[Event]:
    units = [fresh_id("pi") for _ in range(objects)]
    return [payment(customer, number + 1, intent=units[number % objects]) for number in range(count)]


def test_backlog_is_applied_in_batches_and_in_order(bench: Pipeline, customer: str) -> None:
    """Several objects interleaved, twins side by side as after a Redis flush."""
    events = interleaved(customer, 120, objects=4)
    records = [record_of(event) for event in events]
    twins = [twin for record in records[:10] for twin in [record] * 4]
    put_records(bench, *twins, *records[10:])
    consumer = bench.consumer()
    bench.ledger.expect_applied(*events)
    bench.expect_caught_up()
    bench.ledger.expect_each_objects_order(events)
    consumer.expect_duplicates(30)
    transactions = consumer.metric("sluice_consumer_batch_events_count")
    small = consumer.metric("sluice_consumer_batch_events_bucket", le="5")
    assert small < transactions, f"each of {transactions} transactions had five events or fewer: nothing was batched"


def test_order_holds_over_crashes(bench: Pipeline, customer: str) -> None:
    bench.config["consumer"] = {"batch": 3}
    bench.config["kafka"]["options"] = QUICKLY_GONE
    events = interleaved(customer, 30, objects=1)
    put(bench, *events)
    for hit in (2, 3):
        bench.consumer(start=False).start(f"consumer.after_commit=kill@{hit}").wait_end()
    bench.consumer()
    bench.ledger.expect_applied(*events)
    bench.ledger.expect_each_objects_order(events)


def test_troubled_event_in_a_batch_costs_its_neighbours_nothing(bench: Pipeline, customer: str) -> None:
    """One bad event among fifty: it goes to the DLQ, its object's later events wait behind it, all others are applied."""
    good = interleaved(customer, 50, objects=10)
    bad = snapshot("payment_intent.succeeded", {"id": good[3].object, "customer": customer, "amount": "none"})
    put(bench, *good[:25], bad, *good[25:])
    bench.consumer()
    behind = [event for event in good[25:] if event.object == bad.object]
    others = [event for event in good if event not in behind]
    bench.ledger.expect_applied(*others)
    dead_letter_of(bench, bad)
    expect_lane(bench, bad, "dead", *["parked"] * len(behind))
    bench.expect_caught_up()
    bench.ledger.expect_applied(*others)
    bench.ledger.expect_each_objects_order(others)


def test_key_that_somebody_holds_is_waited_for_and_delays_no_other_object(bench: Pipeline, customer: str) -> None:
    """Somebody holds an event's key, as a zombie would: it waits, longer than a lock wait time-out, and nothing is counted,
    though a failure would enter its lane at once; events of other objects in the same worker pass."""
    bench.config["consumer"] = {"in_place": "0s", "workers": 1}
    keyed = payment(customer, 7)
    with bench.ledger.session() as blocker, blocker.cursor() as cursor:
        hold_key(cursor, keyed)
        put(bench, keyed)
        consumer = bench.consumer()
        wait_for(lambda: keyed.id in {line["event"] for line in consumer.decisions("contended")}, "it to wait")
        free = interleaved(customer, 40, objects=40)
        put(bench, *free)
        turns = 10.0  # seconds; it waits one for its lock, in turns, as long as it is held
        wait_for(lambda: all(bench.ledger.status(event) == "done" for event in free), "the others", within=turns)

        def nothing_happened() -> None:
            assert keyed.id not in bench.ledger.statuses()
        stays(nothing_happened, during=1)
        blocker.rollback()
    bench.ledger.expect_applied(keyed, *free)
    bench.expect_caught_up()
    assert lane_of(bench, keyed) is None, "a lost lock was counted"


def test_lock_that_a_batch_does_not_get_undoes_the_batch(bench: Pipeline, customer: str) -> None:
    """1205 in the middle: what the batch did before is not committed, what comes after is not left out."""
    holder = fresh_id("cus")
    bench.ledger.open_wallet(holder)
    free = interleaved(customer, 60, objects=60)
    waiting = interleaved(holder, 4, objects=4)
    mixed = [event for number, each in enumerate(waiting) for event in [*free[number * 15:number * 15 + 15], each]]
    with bench.ledger.session() as blocker, blocker.cursor() as cursor:
        cursor.execute("SELECT * FROM wallet WHERE customer = %s FOR UPDATE", holder.encode())
        put(bench, *mixed)
        consumer = bench.consumer(role="both")
        wait_for(lambda: all(bench.ledger.status(event) == "done" for event in free), "the others")
        assert "done" not in {bench.ledger.status(event) for event in waiting}, "committed without its effects"
        assert consumer.metric("sluice_consumer_rollbacks_total", why="lost_lock") > 0, "no batch met the lock"
        blocker.rollback()
    bench.ledger.expect_applied(*free, *waiting)
    bench.expect_caught_up()


def test_paused_partition_is_read_on_after_a_rebalance(bench: Pipeline, customer: str) -> None:
    """The client keeps a pause over a rebalance, while what was read ahead is forgotten: nobody would ever resume it."""
    bench.config["consumer"] = {"buffer": "1MiB"}
    events = [payment(customer, number + 1).with_content(statement="x" * 40_000) for number in range(60)]
    with bench.ledger.session() as blocker, blocker.cursor() as cursor:
        cursor.execute("SELECT * FROM wallet WHERE customer = %s FOR UPDATE", customer.encode())
        put(bench, *events)
        consumer = bench.consumer(role="both")
        wait_for(lambda: consumer.decisions("paused"), "reading to be paused")
        second = bench.consumer()
        assert second.stop() == 0
        blocker.rollback()
    bench.ledger.expect_applied(*events)
    bench.expect_caught_up()


def test_reading_pauses_when_workers_cannot_keep_up(bench: Pipeline, customer: str) -> None:
    """More than `buffer` is read while everything waits for one lock: nothing is lost over pause and resume."""
    bench.config["consumer"] = {"buffer": "1MiB"}
    events = [payment(customer, number + 1).with_content(statement="x" * 40_000) for number in range(60)]
    with bench.ledger.session() as blocker, blocker.cursor() as cursor:
        cursor.execute("SELECT * FROM wallet WHERE customer = %s FOR UPDATE", customer.encode())
        put(bench, *events)
        consumer = bench.consumer(role="both")
        wait_for(lambda: consumer.decisions("paused"), "reading to be paused")
        blocker.rollback()
    bench.ledger.expect_applied(*events)
    bench.expect_caught_up()
    wait_for(lambda: consumer.decisions("resumed"), "its log to say so")
