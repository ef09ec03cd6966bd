"""What each seller's customers pay and get back, what is paid out, and the events that tell of it. Pure."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

FEWEST = 4  # payments of a seller


@dataclass(frozen=True)
class Entry:
    """What is booked once, and told once. `amount` is what the seller's balance changes by; a payout has no `payment`."""

    seller: str
    kind: str  # sale, refund, payout
    number: str
    payment: str | None
    amount: int


@dataclass(frozen=True)
class Event:
    """`again`: another event tells the same."""

    entry: Entry
    again: bool = False


@dataclass
class Seller:
    """A delivery is one event, or several. `later` holds deliveries that come when all others have come: of a batch a part, with
    something new. In each of `broken`, one item is not signed right, so nothing of it counts."""

    name: str
    currency: str
    endpoints: tuple[str, ...]  # sources of its one account
    deliveries: list[tuple[Event, ...]] = field(default_factory=list)
    later: list[tuple[Event, ...]] = field(default_factory=list)
    broken: list[tuple[Event, ...]] = field(default_factory=list)

    @property
    def entries(self) -> list[Entry]:
        return distinct(event.entry for event in chain(*self.deliveries, *self.later))

    @property
    def balance(self) -> int:
        return sum(entry.amount for entry in self.entries)


def distinct(entries: Iterable[Entry]) -> list[Entry]:
    return list(dict.fromkeys(entries))


def plan(count: int, seed: int) -> list[Seller]:
    """At least FEWEST payments each: from then on each kind of event is there."""
    dice = random.Random(seed)
    return [_at_stripe(Seller("north", "EUR", ("stripe-north", "stripe-north-2")), count, dice),
            _at_stripe(Seller("south", "GBP", ("stripe-south",)), count, dice),
            _at_adyen(Seller("east", "EUR", ("adyen-east",)), count, dice)]


def _at_stripe(seller: Seller, count: int, dice: random.Random) -> Seller:
    """One event in each delivery. Every account has the same numbers, so also the same ids of events."""
    for number in range(count):
        is_much_told = number % 3 == 2
        told = _payment(seller.name, f"pi_{number:04}", dice, refunds=int(is_much_told))
        seller.deliveries += [(event,) for event in (*told, *(replace(one, again=True) for one in told if is_much_told))]
    part = seller.balance * 2 // 5
    payouts = [Event(Entry(seller.name, "payout", f"po_{number}", None, -part)) for number in range(2)]
    seller.deliveries += [(event,) for event in (*payouts, replace(payouts[0], again=True))]
    return seller


def _at_adyen(seller: Seller, count: int, dice: random.Random) -> Seller:
    """Two payments in each batch, item by item in turns."""
    for number in range(0, count, 2):
        first, second, *others = (_payment(seller.name, f"psp{number:04}{name}", dice, refunds=3 if name == "a" else 0) for name in "abcde")
        turns = zip_longest(first, [*second, replace(second[0], again=True)])
        batch = tuple(event for events in turns for event in events if event)
        later, right, broken = others
        seller.deliveries.append(batch)
        seller.later.append((*batch[1:], *later))
        seller.broken.append((*right, *broken))
    return seller


def _payment(seller: str, number: str, dice: random.Random, *, refunds: int) -> list[Event]:
    """Oldest first. Half of it goes back, in so many parts."""
    amount = dice.randrange(600, 90_000)
    back = [Entry(seller, "refund", f"re_{number}_{part}", number, -(amount // 2 // refunds)) for part in range(refunds)]
    return [Event(entry) for entry in (Entry(seller, "sale", number, number, amount), *back)]
