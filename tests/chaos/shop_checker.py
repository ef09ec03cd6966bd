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


def messages(facts: Facts, applied: Iterable[Event]) -> Iterator[str]:
    """Each event that was applied is told and taken, under one key, and no other is; each as the outbox has it, and of a key in its order."""
    applied = [event for event in applied if event[1].book == "bookings"]
    if facts.unsent:
        yield f"{facts.unsent} messages were not sent"
    wanted = {(destination, record.id) for record, effect in applied
              for destination in ((shop.TOLD, shop.BEGUN) if effect.begins else (shop.TOLD,))}
    for what in wanted - {(message.destination, message.event) for message in facts.messages if message.is_taken}:
        yield f"nobody was told: {what}"
    keys: dict[tuple[str, str], set[str]] = defaultdict(set)
    for message in facts.messages:
        keys[message.destination, message.event].add(message.idempotency)
    for what in (keys.keys() - wanted) if not facts.before_cut else ():
        yield f"of an event that was not applied: {what}"
    for what, found in keys.items():
        if len(found) > 1:
            yield f"{what} came under {len(found)} keys"
    yield from _as_written(facts)
    if not facts.restored and not facts.before_cut:  # rows that were lost are there again in another order
        yield from _in_order(facts)
        yield from _written_in_order(facts, applied)


def _as_written(facts: Facts) -> Iterator[str]:
    """What came under a key is what the outbox has under it."""
    rows = {message.idempotency: message for message in facts.outbox}
    for message in facts.messages:
        row = rows.get(message.idempotency)
        if row is None:
            if not message.idempotency or not (facts.restored or facts.before_cut):
                yield f"{message} came, and the outbox has nothing under its key"
        elif (row.destination, row.event) != (message.destination, message.event) or (message.key and row.key != message.key):
            yield f"{message} came, and the outbox has {row} under its key"


def _in_order(facts: Facts) -> Iterator[str]:
    """Of a message that came again the first that was taken counts."""
    places = {message.idempotency: place for place, message in enumerate(facts.outbox)}
    last: dict[tuple[str, str], int] = {}
    for idempotency in dict.fromkeys(message.idempotency for message in facts.messages if message.is_taken):
        if (place := places.get(idempotency)) is None:
            continue  # said above
        row = facts.outbox[place]
        if place < last.get((row.destination, row.key), -1):
            yield f"{row} came after a later one of its key"
        last[row.destination, row.key] = max(place, last.get((row.destination, row.key), -1))


def _written_in_order(facts: Facts, applied: Iterable[Event]) -> Iterator[str]:
    """Of an object as its events were applied: `applied` is in the order of each partition."""
    places = {message.event: place for place, message in enumerate(facts.outbox) if message.destination == shop.TOLD}
    last: dict[str, int] = {}
    for record, _ in applied:
        place = places.get(record.id, -1)
        if place < last.get(record.object_key, -1):
            yield f"the message of {record.id} was written before that of an earlier event of {record.object_key}"
        last[record.object_key] = place


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
