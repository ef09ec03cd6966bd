"""Compares what the provider was told, what Kafka holds and what the ledger says. Pure: no I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from deploy.demo.ledger import Ledger
from deploy.demo.topic import Record
from deploy.demo.traffic import Traffic

SETTLED = {"done", "ignored"}


@dataclass(frozen=True)
class Check:
    what: str
    ok: bool
    detail: str = ""


def money_moved(body: dict) -> tuple[str, int] | None:
    """Customer and amount, worked out from the event alone; None for events that move no money."""
    thing = body.get("data", {}).get("object", {})
    if body["type"] == "payment_intent.succeeded":
        return thing["customer"], thing["amount"]
    if body["type"] == "charge.refunded":
        before = body["data"]["previous_attributes"]["amount_refunded"]
        return thing["customer"], before - thing["amount_refunded"]
    return None


def expected_entries(records: Iterable[Record]) -> dict[str, tuple[str, int]]:
    """By event id, however often the event lies in the log."""
    moved = {record.id: money_moved(record.body) for record in records}
    return {event: move for event, move in moved.items() if move}


def expected_balances(records: Iterable[Record], customers: Iterable[str]) -> dict[str, int]:
    balances = Counter(dict.fromkeys(customers, 0))
    for customer, amount in expected_entries(records).values():
        balances[customer] += amount
    return dict(balances)


def judge(traffic: Traffic, records: list[Record], ledger: Ledger, customers: list[str]) -> list[Check]:
    published = {record.id for record in records}
    refused = {attempt.id for attempt in traffic.attempts if not attempt.genuine}
    genuine = {attempt.id for attempt in traffic.attempts if attempt.genuine}
    invoices = {record.id for record in records if record.body["type"] == "invoice.payment_failed"}
    entries = expected_entries(records)
    return [
        _nothing("every genuine event was answered 2xx, and no other", genuine ^ traffic.accepted_ids),
        _nothing("every event answered 2xx is in Kafka", traffic.accepted_ids - published),
        _nothing("nothing forged or stale is in Kafka or in the inbox",
                 refused & (published | {event for event, _ in ledger.inbox})),
        _same("every published event has exactly one inbox row", Counter(published), Counter(e for e, _ in ledger.inbox)),
        _nothing("every inbox row is done or ignored", [row for row in ledger.inbox if row[1] not in SETTLED]),
        _same("every payment and refund was booked exactly once",
              Counter((event, *move) for event, move in entries.items()), Counter(ledger.entries)),
        _same("every failed invoice asks for exactly one email", Counter(invoices), Counter(ledger.emails)),
        _same("every wallet holds the sum of its events", expected_balances(records, customers), ledger.balances)]


def _nothing(what: str, exceptions: Iterable[object]) -> Check:
    exceptions = list(exceptions)
    detail = f"{len(exceptions)} exceptions, first {exceptions[0]}" if exceptions else ""
    return Check(what, not exceptions, detail)


def _same(what: str, expected: dict, found: dict) -> Check:
    different = [key for key in {*expected, *found} if expected.get(key, 0) != found.get(key, 0)]
    detail = "" if not different else (f"{len(different)} differences, first {different[0]}: "
                                       f"expected {expected.get(different[0])}, found {found.get(different[0])}")
    return Check(what, not different, detail)
