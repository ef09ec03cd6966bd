"""Which of the customers' events stand in the list from the beginning, and which come later. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deploy.examples.subscriptions.plan import Customer, Event
from deploy.examples.subscriptions.plan import plan as lives

FEWEST = 8  # customers: from then on there are pages enough to kill a poller between them


@dataclass(frozen=True)
class Plan:
    customers: int
    past: list[Event]
    new: list[Event]


def plan(count: int, seed: int, now: int) -> Plan:
    """The last quarter of the customers is new."""
    customers = lives(count, seed, now)
    known = count - count // 4
    return Plan(count, _events(customers[:known]), _events(customers[known:]))


def just_happened(events: list[Event], now: int) -> list[Event]:
    """All in the last minute, in the order of their times; those of one customer in seconds of their own."""
    oldest, newest = min(event.at for event in events), max(event.at for event in events)
    return [replace(event, at=now - 50 + (event.at - oldest) * 45 // max(newest - oldest, 1)) for event in events]


def _events(customers: list[Customer]) -> list[Event]:
    return [event for who in customers for event in who.events]
