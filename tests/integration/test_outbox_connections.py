"""Connections to a URL: none waits for another one, and none is made anew without need."""

from __future__ import annotations

import json

from tests.integration.test_outbox import expect_all_sent, some_payments
from tests.integration.test_outbox_url import applied, expect_in_order, receiver, relay, states, telling  # noqa: F401
from tests.support.events import fresh_id, payment
from tests.support.pipeline import Pipeline
from tests.support.receiver import Receiver, answers_after, answers_twice, refuses_soon
from tests.support.wait import wait_for


def test_connection_that_is_free_does_not_wait_for_the_slow_ones(telling: Pipeline, receiver: Receiver) -> None:
    """Of one slot's messages the first is answered when all have come, over two connections."""
    telling.config["destinations"]["credits"]["http"]["concurrency"] = 2
    telling.config["effects"][0]["send"].pop("key")  # the key is the event's object then
    customer = fresh_id("cus")
    telling.ledger.open_wallet(customer)
    events = [payment(customer, number + 1, intent=fresh_id("pi")) for number in range(12)]
    applied(telling, *events)
    telling.ledger.run("UPDATE outbox SET slot = 5")
    receiver.answer = lambda received, tries: answers_after(len(events)) if not receiver.received else 204
    relay(telling)
    expect_all_sent(telling)
    assert len(receiver.received) == len(events), "none was sent twice"


def test_connections_are_kept_from_call_to_call(telling: Pipeline, receiver: Receiver) -> None:
    telling.config["destinations"]["credits"]["http"]["concurrency"] = 8
    events = some_payments(telling, customers=24, each=6)
    applied(telling, *events)
    telling.ledger.run("UPDATE outbox SET slot = 5")
    relay(telling)
    expect_all_sent(telling)
    assert receiver.connections <= 8
    expect_in_order(receiver.received, customers=24, each=6)


def test_second_answer_is_not_that_of_the_next_message(telling: Pipeline, receiver: Receiver) -> None:
    """Every other message is answered twice with 204, and what comes next on the connection is refused."""
    telling.config["destinations"]["credits"]["http"]["concurrency"] = 1
    telling.make_database()
    insert(telling, 20, key="CONCAT('k', n)", slot=5)
    receiver.answer = lambda received, tries: answers_twice if json.loads(received.body)["n"] % 2 == 0 else 422
    relay(telling)
    wait_for(lambda: states(telling) == {"sent": 10, "refused": 10}, "each message to have its own answer")


def test_key_with_many_messages_hides_no_other(telling: Pipeline, receiver: Receiver) -> None:
    telling.make_database()
    insert(telling, 600, key="'busy'", slot=5)
    insert(telling, 1, key="'other'", slot=5)
    relay(telling)
    expect_all_sent(telling)
    arrived = [json.loads(one.body) for one in receiver.received]
    assert [each["key"] for each in arrived].index("other") < 20, "it need not wait for all of another key"
    assert [each["n"] for each in arrived if each["key"] == "busy"] == list(range(600))


def test_slot_whose_messages_are_all_refused_keeps_no_other_waiting(telling: Pipeline, receiver: Receiver) -> None:
    """A visit ends after five seconds: 60 refusals take 15 of them."""
    telling.config["destinations"]["credits"]["http"]["concurrency"] = 1
    telling.make_database()
    insert(telling, 60, key="CONCAT('bad', n)", slot=5)
    receiver.answer = lambda received, tries: refuses_soon if b"bad" in received.body else 204
    relay(telling)
    receiver.expect(1)
    insert(telling, 1, key="'good'", slot=6)
    wait_for(lambda: any(b"good" in one.body for one in receiver.received), "the message of the other slot")
    assert len(receiver.received) < 60


def insert(pipeline: Pipeline, count: int, *, key: str, slot: int) -> None:
    """Messages as effects write them; `key` is an expression of n, their number from 0 on."""
    numbers = " UNION ALL ".join(f"SELECT {number} AS n" for number in range(count))
    pipeline.ledger.run("INSERT INTO outbox (destination, message_key, idempotency_key, body, effect, source, event_id, event_type, event_day,"
                        f" dedup_key, slot) SELECT 'credits', {key}, UNHEX(SHA2(CONCAT({key}, n), 256)), JSON_OBJECT('key', {key}, 'n', n), 'e', 's',"
                        f" 'e', 't', '2026-11-27', UNHEX(SHA2(n, 256)), {slot} FROM ({numbers}) AS numbers ORDER BY n")
