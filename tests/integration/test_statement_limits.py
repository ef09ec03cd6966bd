"""Statements of effects have limits: a slow one, a locked table or a locked row costs those that touch it, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.lanes import expect_lane, expect_nothing_owed
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.records import put
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"workers": 1}
EXTRA_TABLES = ["CREATE TABLE pace (charge VARBINARY(64) PRIMARY KEY, seconds DOUBLE NOT NULL)",
                "CREATE TABLE note (event VARBINARY(255) NOT NULL, charge VARBINARY(64) NOT NULL)"]
# As slow for a charge as its row says; in its own table, so that a test can alter or lock that.
EXTRA_EFFECTS = [
    {"name": "take-note", "when": {"source": SOURCE, "type": "charge.updated"}, "within": "300ms",
     "let": {"charge": "/data/object/id"},
     "sql": [{"run": "INSERT INTO note (event, charge) SELECT :event_id, :charge FROM pace"
                     " WHERE charge = :charge AND SLEEP(seconds) = 0", "rows": {1: "done"}}]}]


@pytest.fixture
def customer(bench: Pipeline) -> str:
    name = fresh_id("cus")
    bench.ledger.open_wallet(name)
    return name


def notes_of(pipeline: Pipeline, count: int, *, seconds: float = 0) -> list[Event]:
    """Events of one object whose effect takes so long."""
    unit = fresh_id("ch")
    pipeline.ledger.query("INSERT INTO pace VALUES (%s, %s)", unit.encode(), seconds)
    return [snapshot("charge.updated", {"id": unit, "amount": number}) for number in range(count)]


def noted(pipeline: Pipeline) -> list[str]:
    return [event.decode() for event, in pipeline.ledger.query("SELECT event FROM note")]


def expect_noted(pipeline: Pipeline, *events: Event) -> None:
    """Each once, and in this order."""
    for event in events:
        pipeline.ledger.expect_status(event, "done")
    ids = [event.id for event in events]
    assert [event for event in noted(pipeline) if event in ids] == ids


def waits_because(pipeline: Pipeline, event: Event) -> tuple[int, str]:
    """Failures that counted, and the reason."""
    rows = pipeline.ledger.query("SELECT lane_event.attempts, lane_event.error_text FROM lane_event"
                                  " JOIN inbox USING (dedup_key) WHERE event_id = %s",
                                 event.id.encode())
    return rows[0][0], rows[0][1].decode()


def statements_of_effects(pipeline: Pipeline) -> int:
    [[count]] = pipeline.ledger.query("SELECT COUNT(*) FROM information_schema.processlist WHERE db = %s AND info LIKE"
                                      " 'INSERT INTO note%%'", pipeline.name)
    return count


@contextmanager
def holding(pipeline: Pipeline, statement: str, *parameters: object) -> Iterator[None]:
    """A session of somebody else that has run this, and keeps its locks."""
    with pipeline.ledger.session() as holder, holder.cursor() as cursor:
        cursor.execute(statement, parameters)
        yield
        holder.rollback()
        cursor.execute("UNLOCK TABLES")


def test_slow_effect_is_ended_on_the_server_and_costs_its_object_alone(bench: Pipeline, customer: str) -> None:
    slow = notes_of(bench, 3, seconds=600)
    others = [payment(customer, 1) for _ in range(40)]
    quick = notes_of(bench, 2)
    put(bench, *others[:20], *slow, *quick, *others[20:])
    consumer = bench.consumer()
    bench.ledger.expect_applied(*others)
    expect_noted(bench, *quick)
    expect_lane(bench, slow[0], "retry", "parked", "parked")
    attempts, reason = waits_because(bench, slow[0])
    assert attempts == 1 and "take-note" in reason and "within" in reason, reason
    assert statements_of_effects(bench) == 0, "a thread goes on for nobody"
    slowest = consumer.metric("sluice_consumer_effect_seconds_sum", effect="take-note")
    assert 0.3 <= slowest and consumer.metric("sluice_consumer_effect_seconds_count", effect="credit-wallet") >= len(others)
    bench.expect_caught_up()
    expect_nothing_owed(bench)


def test_slow_effect_is_counted_in_its_lane_and_applied_once_it_is_quick(bench: Pipeline, customer: str) -> None:
    slow = notes_of(bench, 2, seconds=600)
    bench.consumer(role="both")
    put(bench, *slow)
    wait_for(lambda: waits_because(bench, slow[0])[0] >= 3 if bench.ledger.status(slow[0]) else None, "three failures")
    assert bench.ledger.status(slow[0]) == "retry", "it is not dead by a time-out of three tries"
    others = [payment(customer, 1) for _ in range(20)]
    put(bench, *others)
    bench.ledger.expect_applied(*others)
    bench.ledger.query("UPDATE pace SET seconds = 0")
    expect_noted(bench, *slow)
    expect_lane(bench, slow[0])
    assert statements_of_effects(bench) == 0


def test_effect_that_never_gets_quick_ends_by_its_own_retry_policy(bench: Pipeline) -> None:
    bench.config["effects"][-1]["retry"] = {"attempts": 2}
    slow = notes_of(bench, 2, seconds=600)
    bench.consumer(role="both")
    put(bench, *slow)
    expect_lane(bench, slow[0], "dead", "parked")
    assert not {event.id for event in slow} & set(noted(bench))


def test_locked_row_costs_its_objects_alone_and_counts_for_nothing(bench: Pipeline, customer: str) -> None:
    """The wallet of forty objects is held. With a wait of a second for each, others of the worker would stand for forty."""
    held = fresh_id("cus")
    bench.ledger.open_wallet(held)
    blocked = [payment(held, 1) for _ in range(40)]
    behind = payment(held, 2, intent=blocked[0].object)
    others = [payment(customer, 1) for _ in range(40)]
    bench.consumer(role="both")
    with holding(bench, "SELECT * FROM wallet WHERE customer = %s FOR UPDATE", held.encode()):
        put(bench, *(event for pair in zip(blocked, others, strict=True) for event in pair), behind)
        bench.ledger.expect_applied(*others, within=15)
        expect_lane(bench, blocked[0], "retry", "parked")
        for event in blocked[1:]:
            expect_lane(bench, event, "retry")
        attempts, reason = waits_because(bench, blocked[0])
        assert attempts == 0 and "credit-wallet" in reason and "1205" in reason, reason
        bench.expect_caught_up()
    bench.ledger.expect_applied(*blocked, behind)
    bench.ledger.expect_each_objects_order([blocked[0], behind])
    expect_nothing_owed(bench)


@pytest.mark.databases("mysql")  # the minute that it waits for is of the process, not of the server
def test_effect_that_is_merely_slow_soon_has_its_full_time_again(bench: Pipeline) -> None:
    """After a lock that one waited for in vain, what takes over a tenth of a second goes to its lane, lock or not. It must not
    prolong that: it would never be applied at once again."""
    bench.config["effects"][-1]["within"] = "5s"
    held = fresh_id("cus")
    bench.ledger.open_wallet(held)
    blocked = payment(held, 1)
    bench.consumer()
    with holding(bench, "SELECT * FROM wallet WHERE customer = %s FOR UPDATE", held.encode()):
        put(bench, blocked)
        expect_lane(bench, blocked, "retry")
    events: list[Event] = []

    def next_is_applied_at_once() -> bool:
        events.extend(notes_of(bench, 1, seconds=0.15))
        put(bench, events[-1])
        wait_for(lambda: bench.ledger.status(events[-1]), "it to be taken in")
        return bench.ledger.status(events[-1]) == "done"
    wait_for(next_is_applied_at_once, "a slow effect to be applied by the main role", within=90, every=2)
    assert {waits_because(bench, event)[0] for event in events[:-1]} <= {0}, "the hurry was counted"
    bench.retry_role()
    bench.ledger.expect_applied(blocked)
    for event in events:
        expect_noted(bench, event)


def test_table_that_somebody_alters_holds_only_the_objects_that_touch_it(bench: Pipeline, customer: str) -> None:
    """As a DDL does that waits or works: its metadata lock used to stop all workers, with a thread on the server for each try."""
    bench.config["effects"][-1]["within"] = "5s"
    touching = [event for _ in range(6) for event in notes_of(bench, 2)]
    others = [payment(customer, 1) for _ in range(40)]
    bench.consumer(role="both")
    with holding(bench, "LOCK TABLES note WRITE"):
        put(bench, *touching[:6], *others[:20], *touching[6:], *others[20:])
        bench.ledger.expect_applied(*others, within=15)
        for event in touching[::2]:
            expect_lane(bench, event, "retry", "parked")
        assert waits_because(bench, touching[0])[0] == 0, "a lock was counted"
        bench.expect_caught_up()
    for event in touching[::2]:
        expect_lane(bench, event)
    for number in range(0, len(touching), 2):
        expect_noted(bench, *touching[number:number + 2])
