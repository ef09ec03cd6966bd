"""Stripe events as Stripe writes them: two-space JSON, whole objects in snapshots, references only in thin ones."""

from __future__ import annotations

import itertools
import json
import secrets
import time
from dataclasses import dataclass, field, replace

CANARY = "canary-7f3d"  # stands in every body: no log and no metric may ever show it

_numbers = itertools.count(1)
_run = secrets.token_hex(4)


def fresh_id(prefix: str) -> str:
    """An id that no other event of any test has."""
    return f"{prefix}_{_run}{next(_numbers):06d}"


@dataclass(frozen=True)
class Event:
    """What the provider knows of an event; `body` is what goes over the wire."""

    id: str
    type: str
    body: bytes
    object: str = ""        # id of the payment object, the ordering unit
    customer: str = ""
    effect: int = 0         # what it shall do to the customer's balance
    tags: dict = field(default_factory=dict, compare=False)

    def redelivered(self) -> Event:
        """The same event as a redelivery carries it: `pending_webhooks` moved on, the rest is equal."""
        document = json.loads(self.body)
        if "pending_webhooks" in document:
            document["pending_webhooks"] += 1
        return replace(self, body=printed(document))

    def with_content(self, **changes: object) -> Event:
        """The same id with another object inside: what no honest provider sends."""
        document = json.loads(self.body)
        document["data"]["object"].update(changes)
        return replace(self, body=printed(document))

    def with_body(self, body: bytes) -> Event:
        return replace(self, body=body)


def printed(document: dict) -> bytes:
    return json.dumps(document, indent=2, ensure_ascii=False).encode()


def snapshot(event_type: str, obj: dict, *, event_id: str | None = None, previous: dict | None = None,
             created: int | None = None, customer: str = "", effect: int = 0, ordered_by: str | None = None) -> Event:
    """Any snapshot event; `obj` is its data.object."""
    event_id = event_id or fresh_id("evt")
    data: dict = {"object": {"description": CANARY, **obj}}
    if previous is not None:
        data["previous_attributes"] = previous
    document = {
        "id": event_id, "object": "event", "api_version": "2025-09-30.clover",
        "created": int(time.time()) if created is None else created, "data": data, "livemode": False,
        "pending_webhooks": 1, "request": {"id": fresh_id("req"), "idempotency_key": None}, "type": event_type}
    unit = obj["id"] if ordered_by is None else ordered_by
    return Event(event_id, event_type, printed(document), unit, customer, effect)


def payment(customer: str = "cus_1", amount: int = 1000, *, intent: str | None = None,
            event_id: str | None = None, created: int | None = None) -> Event:
    """payment_intent.succeeded: adds `amount` to the customer's wallet."""
    obj = {"id": intent or fresh_id("pi"), "object": "payment_intent", "amount": amount, "amount_received": amount,
           "currency": "eur", "customer": customer, "status": "succeeded"}
    return snapshot("payment_intent.succeeded", obj, event_id=event_id, created=created, customer=customer,
                    effect=amount)


def refund(customer: str = "cus_1", *, total: int, before: int = 0, intent: str | None = None,
           charge: str | None = None) -> Event:
    """charge.refunded: `amount_refunded` is a running total, `before` what it was."""
    intent = intent or fresh_id("pi")
    obj = {"id": charge or fresh_id("ch"), "object": "charge", "amount": 100_000, "amount_refunded": total,
           "currency": "eur", "customer": customer, "payment_intent": intent, "refunded": False}
    return snapshot("charge.refunded", obj, previous={"amount_refunded": before}, customer=customer,
                    effect=before - total, ordered_by=intent)


def failed_invoice(customer: str = "cus_1", *, attempt: int = 1) -> Event:
    """invoice.payment_failed: asks for an email."""
    obj = {"id": fresh_id("in"), "object": "invoice", "amount_due": 4900, "attempt_count": attempt,
           "currency": "eur", "customer": customer, "customer_email": "someone@example.test"}
    return snapshot("invoice.payment_failed", obj, customer=customer)


def paid_invoice(customer: str, *, unit: str | None = None) -> Event:
    """invoice.paid, for effects that a test adds: worth 1."""
    obj = {"id": unit or fresh_id("in"), "object": "invoice", "customer": customer}
    return snapshot("invoice.paid", obj, customer=customer, effect=1)


def unmatched() -> Event:
    """An event that no effect is interested in."""
    return snapshot("product.created", {"id": fresh_id("prod"), "object": "product", "name": "Tea"})


def thin(event_type: str = "v1.billing.meter.error_report_triggered", *, related: str | None = None) -> Event:
    """A thin event: no object, a reference to one."""
    related = related or fresh_id("mtr")
    event_id = fresh_id("evt")
    document = {
        "id": event_id, "object": "v2.core.event", "type": event_type, "livemode": False,
        "created": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + ".123Z", "reason": None, "context": None,
        "related_object": {"id": related, "type": "billing.meter", "url": f"/v1/billing/meters/{related}"},
        "changes": None, "note": CANARY}
    return Event(event_id, event_type, printed(document), related)
