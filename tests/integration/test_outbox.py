"""Messages of effects: in the event's own transaction, sent after it, at least once, in order per key, one idempotency key each."""

from __future__ import annotations

import copy
import json
import signal
from collections import defaultdict

import pytest

from tests.support import failpoints
from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.kafka_log import LogRecord
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.program import Program
from tests.support.records import put, put_again
from tests.support.wait import wait_for

BOTH = pytest.mark.databases("mysql", "mariadb")

TELLING = {
    "name": "credit-wallet", "when": {"source": SOURCE, "type": "payment_intent.succeeded"},
    "let": {"customer": "/data/object/customer", "amount": {"pointer": "/data/object/amount", "as": "int64"}},
    "insert": {"table": "wallet_entry", "row": {"event": ":event_id", "customer": ":customer", "amount": ":amount"}},
    "add": {"table": "wallet", "key": {"customer": ":customer"}, "column": "balance", "by": ":amount", "missing": "park"},
    "send": {"to": "credits", "key": ":customer",
             "body": {"customer": ":customer", "amount": ":amount", "event": ":event_id", "kind": "credited"}}}


@pytest.fixture
def telling(pipeline: Pipeline) -> Pipeline:
    """Its effects tell a topic of each credit."""
    pipeline.config["effects"] = [copy.deepcopy(TELLING)]
    pipeline.config["destinations"] = {"credits": {"kafka": {"topic": credits_of(pipeline)}}}
    pipeline.log.create(credits_of(pipeline), partitions=3)
    return pipeline


def credits_of(pipeline: Pipeline) -> str:
    return f"{pipeline.name}.credits"


def relay(pipeline: Pipeline, failpoint: str = "") -> Program:
    return pipeline.consumer(failpoint, start=not failpoint, role="relay")


def messages(pipeline: Pipeline) -> list[LogRecord]:
    return pipeline.log.read(credits_of(pipeline))


def unsent(pipeline: Pipeline) -> int:
    [(count,)] = pipeline.ledger.query("SELECT COUNT(*) FROM outbox WHERE slot IS NOT NULL")
    return count


def expect_all_sent(pipeline: Pipeline) -> None:
    wait_for(lambda: unsent(pipeline) == 0, "all messages to be sent")


def some_payments(pipeline: Pipeline, customers: int = 3, each: int = 5) -> list[Event]:
    """In order for each customer, who is the object of all their payments."""
    events = []
    for _ in range(customers):
        customer, intent = fresh_id("cus"), fresh_id("pi")
        pipeline.ledger.open_wallet(customer)
        events += [payment(customer, number + 1, intent=intent) for number in range(each)]
    return events


def expect_told(pipeline: Pipeline, events: list[Event], *, once: bool = True) -> None:
    """Every event, in order for each customer; twice only under the key that the first message had."""
    told: dict[bytes, list[int]] = defaultdict(list)
    keys: dict[str, set[str]] = defaultdict(set)
    first: set[str] = set()
    for record in sorted(messages(pipeline), key=lambda record: (record.partition, record.offset)):
        body = json.loads(record.value)
        keys[body["event"]].add(record.text("idempotency-key"))
        if record.text("idempotency-key") in first:
            assert not once, f"{body} was told twice"
            continue
        first.add(record.text("idempotency-key"))
        told[record.key].append(body["amount"])
    assert set(keys) == {event.id for event in events}
    assert all(len(of_one) == 1 for of_one in keys.values()), keys
    assert all(amounts == sorted(amounts) for amounts in told.values()), told


@BOTH
def test_message_leaves_once_with_all_it_says(telling: Pipeline) -> None:
    customer = fresh_id("cus")
    telling.ledger.open_wallet(customer)
    event = payment(customer, 8888)
    put(telling, event)
    put_again(telling, event)
    telling.consumer()
    telling.ledger.expect_applied(event)
    assert messages(telling) == [], "nobody has sent it yet"
    relay(telling)
    expect_all_sent(telling)
    [record] = messages(telling)
    assert record.key == customer.encode()
    assert json.loads(record.value) == {"customer": customer, "amount": 8888, "event": event.id, "kind": "credited"}
    assert record.text("content-type") == "application/json" and len(record.text("idempotency-key")) == 64
    assert (record.text("sluice-event-id"), record.text("sluice-event-type")) == (event.id, "payment_intent.succeeded")
    assert (record.text("sluice-source"), record.text("sluice-effect")) == (SOURCE, "credit-wallet")


@BOTH
def test_event_that_is_rolled_back_tells_nothing(telling: Pipeline) -> None:
    event = payment(fresh_id("cus"), 1)  # who has no wallet: it is parked
    put(telling, event)
    telling.consumer()
    telling.ledger.expect_status(event, "dead")
    assert unsent(telling) == 0


@BOTH
def test_relays_share_the_work_and_keep_the_order(telling: Pipeline) -> None:
    events = some_payments(telling, customers=20, each=10)
    put(telling, *events)
    telling.consumer()
    first, second = relay(telling), relay(telling)
    telling.ledger.expect_applied(*events)
    expect_all_sent(telling)
    expect_told(telling, events)
    sent = [one.metric("sluice_relay_messages_total", destination="credits", result="sent") for one in (first, second)]
    assert sum(sent) == len(events)


def test_commit_wakes_the_relay_beside_it(telling: Pipeline) -> None:
    events = some_payments(telling, customers=2, each=1)
    telling.consumer("consumer.relay_waits=error", role="both")  # it never looks by itself
    for event in events:  # the first may be found by the look of the start
        put(telling, event)
        telling.ledger.expect_applied(event)
        expect_all_sent(telling)
    expect_told(telling, events)


@pytest.mark.parametrize("point", failpoints.WAITING["message"])
@pytest.mark.databases("mysql", "mariadb", in_turn=True)
def test_killed_relay_is_replaced(telling: Pipeline, point: str) -> None:
    events = some_payments(telling)
    put(telling, *events)
    telling.consumer()
    telling.ledger.expect_applied(*events)
    victim = telling.consumer(start=False, role="relay").start(f"{point}=kill@2")
    assert victim.wait_end() == -signal.SIGKILL, victim.story()
    relay(telling)
    expect_all_sent(telling)
    expect_told(telling, events, once=False)


@BOTH
def test_message_that_the_topic_refuses_holds_its_key_alone(telling: Pipeline) -> None:
    telling.log.configure(credits_of(telling), **{"max.message.bytes": "2000"})
    telling.config["effects"][0]["let"]["note"] = {"pointer": "/data/object/note", "optional": True}
    telling.config["effects"][0]["send"]["body"]["note"] = ":note"
    held, free = fresh_id("cus"), fresh_id("cus")
    telling.ledger.open_wallet(held, free)
    intent = fresh_id("pi")

    def noted(customer: str, amount: int, note: str, intent: str) -> Event:
        return snapshot("payment_intent.succeeded", {"id": intent, "customer": customer, "amount": amount, "note": note})

    large = noted(held, 1, "x" * 10_000, intent)
    behind = noted(held, 2, "", intent)
    other = noted(free, 3, "", fresh_id("pi"))
    put(telling, large, behind, other)
    telling.consumer()
    program = relay(telling)
    program.expect_metric(1, "sluice_relay_messages_total", destination="credits", result="refused")
    wait_for(lambda: len(messages(telling)) == 1, "the other customer's message")
    [record] = messages(telling)
    assert record.key == free.encode()
    states = telling.ledger.query("SELECT state FROM outbox WHERE message_key = %s ORDER BY id", held.encode())
    assert [state for (state,) in states] == ["refused", "waiting"]


def test_topic_refuses_no_message_for_its_neighbours(telling: Pipeline) -> None:
    """They travel in one batch, which is too large for the topic."""
    telling.config["destinations"]["credits"]["kafka"]["topic"] = narrow = f"{telling.name}.narrow"
    telling.log.create(narrow, partitions=1)
    telling.log.configure(narrow, **{"max.message.bytes": "8000"})
    telling.config["effects"][0]["let"]["note"] = {"pointer": "/data/object/note"}
    telling.config["effects"][0]["send"] |= {"body": {"note": ":note"}, "key": None}
    customer = fresh_id("cus")
    telling.ledger.open_wallet(customer)
    sizes = [3000] * 10 + [20_000] + [3000] * 10
    events = [snapshot("payment_intent.succeeded", {"id": fresh_id("pi"), "customer": customer, "amount": 1, "note": "x" * size})
              for size in sizes]
    put(telling, *events)
    telling.consumer()
    wait_for(lambda: unsent(telling) == len(events), "all to be applied")
    program = relay(telling)
    program.expect_metric(1, "sluice_relay_messages_total", destination="credits", result="refused")
    wait_for(lambda: unsent(telling) == 1, "all but the large one to be sent")
    assert len(telling.log.read(narrow)) == 20


def test_unknown_destination_is_refused_at_the_start(telling: Pipeline) -> None:
    telling.config["effects"][0]["send"]["to"] = "nobody"
    consumer = telling.consumer(start=False)
    assert consumer.start().wait_end() == 2
    assert "'nobody' is no destination; there are: credits" in consumer.errors()
