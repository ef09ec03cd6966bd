"""What subscriptions and orders have to show after the events that were applied. Pure: sentences, as those of checker.py."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from tests.chaos import shop
from tests.chaos.effects import Effect
from tests.chaos.facts import Facts, Published

Event = tuple[Published, Effect]


def lasts(facts: Facts, applied: Iterable[Event]) -> Iterator[str]:
    """`applied` in the order of each partition: a subscription shows its last creation."""
    wanted: dict[str, str] = {}
    for record, effect in applied:
        if effect.begins:
            wanted[record.object_key.rpartition("/")[2]] = record.id
    for unit in wanted.keys() | facts.lasts.keys():
        if facts.lasts.get(unit, "") not in (None, wanted.get(unit)):
            yield f"subscription {unit} was last set by {facts.lasts.get(unit)}, wanted {wanted.get(unit)}"


def orders(facts: Facts, known: Iterable[Event], applied: Iterable[Event]) -> Iterator[str]:
    """Of all events that pay an order one is applied, and the order has its codes: the lowest, each once."""
    done: dict[str, list[str]] = {effect.number: [] for _, effect in known if effect.fate == "order"}
    for record, effect in applied:
        if effect.fate == "order":
            done[effect.number].append(record.id)
    for order in done.keys() | facts.orders.keys():
        events = done.get(order, [])
        if len(events) != 1 or facts.orders.get(order) != (events[0], "GIVEN"):
            yield f"order {order} is {facts.orders.get(order)}, applied: {events}"
    yield from _codes(facts, done)


def _codes(facts: Facts, paid: Iterable[str]) -> Iterator[str]:
    """Codes of an order that is not compared have no name behind them."""
    given = Counter(order for order in facts.codes.values() if order is not None)
    wanted = Counter({order: shop.quantity_of(order) for order in paid})
    for order in given | wanted:
        if given[order] != wanted[order]:
            yield f"order {order} has {given[order]} codes, wanted {wanted[order]}"
    taken: dict[str, list[str]] = defaultdict(list)
    for code in sorted(facts.codes):
        taken[code.rpartition("-")[0]].append(code)
    for product, codes in taken.items():
        if codes != [shop.code_name(product, number) for number in range(len(codes))]:
            yield f"codes of {product} were given away that are not the lowest: {codes}"


def cases(facts: Facts, dead: Iterable[Event]) -> Iterator[str]:
    """Each event that is for a person is one entry, of its class."""
    classes = {"order": shop.PAID_TWICE, "case": shop.OTHER_AMOUNT}
    wanted = Counter((record.id, classes[effect.fate]) for record, effect in dead if effect.fate in classes)
    found = Counter(facts.cases)
    for what in wanted | found:
        if wanted[what] != found[what]:
            yield f"{found[what]} cases are {what}, wanted {wanted[what]}"
