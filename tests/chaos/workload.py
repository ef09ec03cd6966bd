"""What the provider has to tell: a stream of webhooks, the same for the same plan. Pure.

Every event has an id that says which run it is of. Bodies are Stripe's in shape; `created` is handed in.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.chaos import shop
from tests.chaos.plan import Plan
from tests.support.events import CANARY, Event, printed

# In 1000 webhooks. What is left to 1000 are payments.
SHARES = {"refund": 130, "mail": 40, "ignored": 30, "thin": 30, "receipt": 60, "subscription": 120, "order": 50, "dead": 30,
          "behind": 10, "unreadable": 20, "conflict": 30, "forged": 30, "forged_twin": 15, "tampered": 15, "stale": 20, "again": 90, "twin": 60}
LATE = "_late"  # ends the names of objects whose events come through the source that a roll-out brings
RECEIPTS = 40  # different numbers: two events of one number cannot both be applied


@dataclass(frozen=True)
class Webhook:
    """One thing the provider does: `kind` is genuine, again (a redelivery of what was delivered before), twin (two workers
    at once), forged (signed with a wrong secret), tampered (changed after it was signed) or stale (stamped days ago)."""

    kind: str
    event: Event
    is_first: bool = False  # of its event, which the account's list has as well

    @property
    def honest(self) -> bool:
        return self.kind in ("genuine", "again", "twin")


class Workload:
    """An endless iterator of webhooks. `created` may be moved on between them."""

    def __init__(self, plan: Plan, created: int) -> None:
        self._dice = Random(f"{plan.seed}/workload")
        self._run = f"{plan.seed:x}"
        self.created = created
        self._numbers = itertools.count(1)
        self.customers = [f"cus_{self._run}_{number}" for number in range(plan.customers)]
        self._objects = [f"pi_{self._run}_{number}" for number in range(plan.objects)]
        if plan.has_late_source:
            self._objects[::4] = [f"{unit}{LATE}" for unit in self._objects[::4]]
        self._dead_objects: list[str] = []
        self._told: list[Event] = []   # genuine ones with an object inside

    @property
    def subscriptions(self) -> list[str]:
        return [_of_kind("sub", unit) for unit in self._objects]

    def __iter__(self) -> Iterator[Webhook]:
        while True:
            yield self.next_webhook()

    def next_webhook(self) -> Webhook:
        kind = self._dice.choices([*SHARES, "payment"], [*SHARES.values(), 1000 - sum(SHARES.values())])[0]
        if kind in ("again", "conflict", "forged_twin") and not self._told:
            kind = "payment"
        return getattr(self, f"_{kind}")()

    # events that are the provider's own

    def _payment(self) -> Webhook:
        return self._genuine("payment_intent.succeeded", {"amount": self._amount(), "status": "succeeded"})

    def _refund(self) -> Webhook:
        """Running totals: what counts is the difference."""
        before = self._amount()
        unit = self._dice.choice(self._objects)
        obj = {"id": f"ch_{self._run}_{next(self._numbers)}", "amount_refunded": before + self._amount(), "payment_intent": unit}
        return self._genuine("charge.refunded", obj, unit=unit, previous={"amount_refunded": before})

    def _mail(self) -> Webhook:
        return self._genuine("invoice.payment_failed", {"customer_email": "someone@example.test"})

    def _ignored(self) -> Webhook:
        return self._genuine("product.created", {"name": "Tea"})

    def _receipt(self) -> Webhook:
        """Its effect has a unique key of its own, and a number that others have as well: all but one are dead."""
        number = f"R-{self._dice.randrange(RECEIPTS)}"
        return self._genuine("invoice.paid", {"number": number}, unit=f"in_{self._run}_{next(self._numbers)}")

    def _subscription(self) -> Webhook:
        """Of an item the greatest version stays, whatever came when, and one that ended stays so."""
        unit = self._dice.choice(self.subscriptions)
        kind = self._dice.choices((shop.BEGINS, shop.CHANGES, shop.ENDS), (3, 12, 1))[0]
        obj = {"amount": self._amount(), "version": self._dice.randrange(100), "item": f"{unit}/{self._dice.randrange(4)}"}
        return self._genuine(kind, obj, unit=unit)

    def _order(self) -> Webhook:
        """Orders are paid more than once, some with another amount: those are for a person, and nothing waits behind them."""
        order = shop.order_name(self._dice.randrange(shop.ORDERS))
        amount = shop.price_of(order) + (self._dice.random() < 0.15)
        return self._genuine(shop.PAYS, {"order": order, "amount": amount}, unit=_of_kind("cs", self._dice.choice(self._objects)))

    def _dead(self) -> Webhook:
        """Of an object of its own: an operator would have to let its later events go on."""
        unit = f"pi_{self._run}_dead_{next(self._numbers)}"
        self._dead_objects.append(unit)
        return self._genuine("payment_intent.succeeded", {"amount": "a lot"}, unit=unit)

    def _behind(self) -> Webhook:
        """A payment that stands behind a dead one; the provider may well be heard in another order."""
        unit = self._dice.choice(self._dead_objects) if self._dead_objects else None
        return self._genuine("payment_intent.succeeded", {"amount": self._amount()}, unit=unit)

    def _thin(self) -> Webhook:
        number = next(self._numbers)
        document = {"id": f"evt_{self._run}_{number}", "object": "v2.core.event", "type": "v1.billing.meter.no_meter_found",
                    "livemode": False, "created": "2026-11-21T10:00:00.123Z", "reason": None, "note": CANARY,
                    "related_object": {"id": self._dice.choice(self._objects), "type": "billing.meter", "url": "/v1/x"}}
        return Webhook("genuine", Event(document["id"], document["type"], printed(document), document["related_object"]["id"]))

    def _unreadable(self) -> Webhook:
        """Authentic, and no JSON."""
        name = f"unreadable_{self._run}_{next(self._numbers)}"
        return Webhook("genuine", Event(name, "unreadable", f'{{"id": "{name}", "type": '.encode()))

    def _conflict(self) -> Webhook:
        """An id that was used before, with another object inside."""
        return Webhook("genuine", self._dice.choice(self._told).with_content(amount=self._amount() + 100_000))

    # the same ones again

    def _again(self) -> Webhook:
        return Webhook("again", self._dice.choice(self._told))

    def _twin(self) -> Webhook:
        return Webhook("twin", self._payment().event)

    # what others send

    def _forged(self) -> Webhook:
        return Webhook("forged", self._foreign("payment_intent.succeeded", {"amount": 666_000}))

    def _forged_twin(self) -> Webhook:
        """The id of an event that exists."""
        return Webhook("forged", self._dice.choice(self._told).with_content(amount=666_001))

    def _tampered(self) -> Webhook:
        return Webhook("tampered", self._foreign("payment_intent.succeeded", {"amount": 666_002}))

    def _stale(self) -> Webhook:
        return Webhook("stale", self._foreign("payment_intent.succeeded", {"amount": 666_003}))

    # making them

    def _amount(self) -> int:
        return self._dice.randrange(1, 1000)

    def _genuine(self, event_type: str, obj: dict, *, unit: str | None = None, previous: dict | None = None) -> Webhook:
        event = self._event(event_type, obj, unit, previous)
        self._told.append(event)
        return Webhook("genuine", event, is_first=True)

    def _foreign(self, event_type: str, obj: dict) -> Event:
        return self._event(event_type, obj, None, None)

    def _event(self, event_type: str, obj: dict, unit: str | None, previous: dict | None) -> Event:
        number = next(self._numbers)
        unit = unit or self._dice.choice(self._objects)
        customer = self._dice.choice(self.customers)
        data: dict = {"object": {"id": unit, "description": CANARY, "customer": customer, "currency": "eur", **obj}}
        if previous is not None:
            data["previous_attributes"] = previous
        document = {
            "id": f"evt_{self._run}_{number}", "object": "event", "api_version": "2025-09-30.clover", "created": self.created,
            "data": data, "livemode": False, "pending_webhooks": 1, "request": {"id": f"req_{number}"}, "type": event_type}
        return Event(document["id"], event_type, printed(document), unit, customer)


def _of_kind(prefix: str, unit: str) -> str:
    """Another object beside a payment."""
    return prefix + unit.removeprefix("pi")


def content_of(body: bytes) -> tuple[str, str] | None:
    """Event id, and what the event says whatever delivery it came with; None for a body that is unreadable."""
    try:
        document = json.loads(body)
    except ValueError:
        return None
    said = document.get("data") or document.get("related_object")
    return document["id"], json.dumps([document["type"], said], sort_keys=True)
