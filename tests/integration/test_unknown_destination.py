"""Messages whose destination is not in the file: for a day a relay with a newer file may know it, then they wait for a person."""

from __future__ import annotations

import pytest

from tests.integration.test_outbox import expect_all_sent, some_payments
from tests.integration.test_outbox_url import applied, entries, expect_said, order, receiver, relay, states, telling  # noqa: F401
from tests.support.pipeline import Pipeline
from tests.support.receiver import Receiver

BOTH = pytest.mark.databases("mysql", "mariadb")


def test_destination_that_is_gone_from_the_file_is_told(telling: Pipeline, receiver: Receiver) -> None:
    [event] = some_payments(telling, customers=1, each=1)
    applied(telling, event)
    telling.config["effects"] = []
    telling.config["destinations"] = {"others": telling.config["destinations"]["credits"]}
    expect_said(relay(telling), "destination_unknown", "messages wait, and the file has no such destination; after a day without a try they are refused")
    assert states(telling) == {"waiting": 1}, "a relay with a newer file may know it"


@BOTH
def test_messages_for_a_destination_that_is_gone_for_a_day_wait_for_a_person(telling: Pipeline, receiver: Receiver) -> None:
    applied(telling, *some_payments(telling, customers=3, each=1))
    known = telling.config["destinations"]["credits"]
    telling.config["effects"], telling.config["destinations"] = [], {"others": known}
    telling.ledger.run("UPDATE outbox SET due_at = due_at - INTERVAL 23 HOUR LIMIT 1")
    telling.ledger.run("UPDATE outbox SET due_at = due_at - INTERVAL 25 HOUR WHERE due_at > UTC_TIMESTAMP() - INTERVAL 1 HOUR")
    telling.ledger.run("INSERT INTO outbox (destination, idempotency_key, body, effect, source, event_id, event_type, event_day, dedup_key, slot, state,"
                       " finished_at) VALUES ('others', UNHEX(SHA2(1, 256)), '{}', 'e', 's', 'e', 't', '2026-01-01', UNHEX(SHA2(1, 256)), NULL, 'sent', '2026-01-01')")
    old = relay(telling)
    old.expect_metric(1, "sluice_relay_messages_purged_total")  # which it deletes after that
    assert states(telling) == {"waiting": 3}, "somebody has tried one less than a day ago"
    assert old.stop() == 0
    telling.ledger.run("UPDATE outbox SET due_at = due_at - INTERVAL 2 HOUR")
    old = relay(telling)
    refused = entries(telling, 3)
    assert states(telling) == {"refused": 3}
    assert old.stop() == 0
    telling.config["destinations"] = {"credits": known}
    relay(telling)
    telling.retry_role()
    skipped, *retried = refused.values()
    order(telling, "skip", skipped)
    for entry in retried:
        order(telling, "retry", entry)
    expect_all_sent(telling)
    assert states(telling) == {"sent": 2, "skipped": 1}
    receiver.expect(2)
