"""Connections to a URL: none waits for another one, and none is made anew without need."""

from __future__ import annotations

from tests.integration.test_outbox import expect_all_sent, some_payments
from tests.integration.test_outbox_url import applied, expect_in_order, receiver, relay, telling  # noqa: F401
from tests.support.events import fresh_id, payment
from tests.support.pipeline import Pipeline
from tests.support.receiver import Receiver, answers_after


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
