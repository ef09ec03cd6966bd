"""What happens to each customer, and the events in which Stripe will tell of it. Pure."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

FEWEST = 4
BEGAN_BEFORE = 3600  # seconds
STEP = 10  # seconds between two events of a customer


@dataclass(frozen=True)
class Event:
    """`places`: what stands in its object, by name; `at`: seconds since 1970. `again`: a second event tells the same."""

    type: str
    at: int
    places: dict[str, str | int]
    again: bool = False

    def options(self) -> list[str]:
        """Of `sluicectl send`."""
        places = {f"/data/object/{name}": value for name, value in self.places.items()} | {"/created": self.at}
        return ["--type", self.type, *(word for place, value in places.items() for word in ("--set", f"{place}={value}"))]


@dataclass
class Customer:
    """What has become of it when all is over, and the events that say so, oldest first."""

    id: str
    events: list[Event] = field(default_factory=list)
    status: str = "incomplete"  # of the subscription
    is_deleted: bool = False
    invoices: dict[str, str] = field(default_factory=dict)  # their status
    paid: dict[str, int] = field(default_factory=dict)  # by invoice
    failed: list[tuple[str, int]] = field(default_factory=list)  # invoice, attempt
    refunded: int = 0

    @property
    def subscription(self) -> str:
        return self.id.replace("cus_", "sub_")

    @property
    def balance(self) -> int:
        return sum(self.paid.values()) - self.refunded


def plan(count: int, seed: int, now: int) -> list[Customer]:
    """At least FEWEST: from then on each kind of event is there."""
    dice = random.Random(seed)
    return [_customer(number, dice, now - BEGAN_BEFORE) for number in range(count)]


class _Story:
    """Adds events to a customer, each later than the one before."""

    def __init__(self, customer: Customer, began: int) -> None:
        self.customer, self._at = customer, began

    def tell(self, kind: str, again: bool = False, **places: str | int) -> None:
        self._at += STEP
        self.customer.events.append(Event(kind, self._at, places, again))

    def subscription(self, kind: str, status: str) -> None:
        self.customer.status = status
        self.tell(f"customer.subscription.{kind}", id=self.customer.subscription, customer=self.customer.id, status=status)

    def invoice(self, name: str, amount: int, failures: int, is_paid: bool) -> None:
        who = self.customer
        for attempt in range(1, failures + 1):
            self.tell("invoice.payment_failed", again=attempt == 1, id=name, customer=who.id, attempt_count=attempt,
                      amount_due=amount, amount_remaining=amount)
            who.failed.append((name, attempt))
        if is_paid:
            self.tell("invoice.paid", again=True, id=name, customer=who.id, attempt_count=failures + 1,
                      amount_due=amount, amount_paid=amount)
            who.paid[name] = amount
        who.invoices[name] = "paid" if is_paid else "open"

    def refund(self, charge: str, total: int) -> None:
        """The running total of the charge, as Stripe has it."""
        self.tell("charge.refunded", again=True, id=charge, payment_intent=f"pi_of_{charge}", customer=self.customer.id,
                  amount_refunded=total)


def _customer(number: int, dice: random.Random, began: int) -> Customer:
    who = Customer(f"cus_demo{number:04}")
    story = _Story(who, began)
    story.tell("customer.created", id=who.id)
    story.subscription("created", "incomplete")
    story.subscription("updated", "active")
    story.invoice(f"in_demo{number:04}a", dice.randrange(500, 5000), failures=0, is_paid=True)
    story.subscription("updated", "past_due")
    story.invoice(f"in_demo{number:04}b", dice.randrange(500, 5000), failures=1 + number % 2, is_paid=number % 3 != 2)
    if number % 3 != 2:
        story.subscription("updated", "active")
    if number % 3 == 1:
        part = dice.randrange(1, 250)
        story.refund(f"ch_demo{number:04}", part)
        story.refund(f"ch_demo{number:04}", 2 * part)
        who.refunded = 2 * part
    if number % 2:
        story.subscription("deleted", "canceled")
    if number % 4 == 3:
        story.tell("customer.deleted", id=who.id)
        who.is_deleted = True
    return who
