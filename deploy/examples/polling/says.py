"""What a list of events says, read from its oldest to its newest. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Says:
    """Of customers, subscriptions and paid invoices, by their ids."""

    customers: dict[str, str] = field(default_factory=dict)      # "there" or "deleted"
    subscriptions: dict[str, str] = field(default_factory=dict)  # status
    paid: dict[str, tuple[str, int]] = field(default_factory=dict)  # customer, amount; an invoice counts once

    @property
    def active(self) -> int:
        return sum(status == "active" for status in self.subscriptions.values())

    @property
    def sums(self) -> dict[str, int]:
        """By customer."""
        sums: dict[str, int] = {}
        for customer, amount in self.paid.values():
            sums[customer] = sums.get(customer, 0) + amount
        return sums


def read(bodies: Iterable[bytes]) -> Says:
    says = Says()
    for document in sorted(map(json.loads, bodies), key=lambda one: one["created"]):
        kind, thing = document["type"], document["data"]["object"]
        if kind.startswith("customer.subscription."):
            says.subscriptions[thing["id"]] = thing["status"]
        elif kind.startswith("customer."):
            says.customers[thing["id"]] = "deleted" if kind == "customer.deleted" else "there"
        elif kind == "invoice.paid":
            says.paid[thing["id"]] = (thing["customer"], thing["amount_paid"])
    return says
