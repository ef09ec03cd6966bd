"""Effects of every kind but `sql`, beside the script's, and what their tables have to hold after what was applied. Pure.

They come before the script's effect, so that each attempt that fails has their changes to roll back. An event of the kind `sums` has the
set-based ones alone, but `set`: those are written for many events at once, also of one object.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from zlib import crc32

from tests.chaos.shop import VOUCHER_TABLES

PARTS = 3    # of an object: a state, an order and a code each
PRICE = 700  # minor units

TABLES = [
    "CREATE TABLE journal (seq BIGINT AUTO_INCREMENT PRIMARY KEY, object VARBINARY(255) NOT NULL, event VARBINARY(255) NOT NULL)",
    "CREATE TABLE total (object VARBINARY(255) PRIMARY KEY, amount BIGINT NOT NULL DEFAULT 0)",
    "CREATE TABLE latest (object VARBINARY(255) PRIMARY KEY, event VARBINARY(255) NULL)",
    "CREATE TABLE state (part VARBINARY(255) PRIMARY KEY, amount BIGINT NULL, version BIGINT NOT NULL, by_event VARBINARY(255) NOT NULL,"
    " gone_by VARBINARY(255) NULL)",
    "CREATE TABLE claim (part VARBINARY(255) PRIMARY KEY, event VARBINARY(255) NULL)", *VOUCHER_TABLES]


@dataclass
class Kept:
    """What the tables hold."""

    journal: list[tuple[str, str]] = field(default_factory=list)                     # object and event, in order
    totals: dict[str, int] = field(default_factory=dict)                             # by object: `add`
    latest: dict[str, str] = field(default_factory=dict)                             # its event by object: `set`
    states: dict[str, tuple[str, int | None, bool]] = field(default_factory=dict)    # by part: event, amount, is gone: `upsert`
    claims: dict[str, str] = field(default_factory=dict)                             # the event that was first, by part: `decide`
    given: dict[str, str] = field(default_factory=dict)                              # part by code: the handler
    finished: set[str] = field(default_factory=set)                                  # parts that the handler gave one


@dataclass(frozen=True)
class Applied:
    event: str
    deletes: bool = False
    has_turn: bool = True  # it has the effects that run one event at a time


@dataclass(frozen=True)
class Said:
    """What an event's body says, by its name alone."""

    amount: int
    version: int  # some are equal, and they come in any order
    part: str


def said_by(event: str, unit: str) -> Said:
    dice = crc32(event.encode())
    return Said(dice % 997 + 1, dice // 1000 % 5, f"{unit}/{dice // 10_000 % PARTS}")


def parts_of(unit: str) -> list[str]:
    return [f"{unit}/{number}" for number in range(PARTS)]


def rows(objects: Iterable[str]) -> Iterator[str]:
    """Statements that make what is changed."""
    for unit in objects:
        yield f"INSERT INTO total (object) VALUES ('{unit}')"
        yield f"INSERT INTO latest (object) VALUES ('{unit}')"
        for number, part in enumerate(parts_of(unit)):
            yield f"INSERT INTO claim (part) VALUES ('{part}')"
            yield f"INSERT INTO voucher_order VALUES ('{part}', '{unit}', 1, {PRICE}, 'EUR', 'PENDING', NULL)"
            yield f"INSERT INTO voucher VALUES ('{unit}-{number}', '{unit}', NULL)"


def together(source: str, types: list[str], gone: str) -> list[dict]:
    """What is written for many events at once. `gone`: the one of the types that deletes a state."""
    newer = [{"version": ":version"}, {"by_event": ":event_id"}]
    state = {"table": "state", "key": {"part": ":part"}, "newer": newer}
    said = {"part": "/data/object/part", "version": {"pointer": "/data/object/version", "as": "int64"}}
    amount = {"amount": {"pointer": "/data/object/amount", "as": "int64"}}
    return [
        {"name": "count", "when": {"source": source, "type": types}, "let": amount,
         "insert": {"table": "journal", "row": {"object": ":object", "event": ":event_id"}},
         "add": {"table": "total", "key": {"object": ":object"}, "column": "amount", "by": ":amount"}},
        {"name": "keep-state", "when": {"source": source, "type": [each for each in types if each != gone]}, "let": {**said, **amount},
         "upsert": {**state, "row": {"amount": ":amount"}, "tombstone": "gone_by"}},
        {"name": "end-state", "when": {"source": source, "type": gone}, "let": said,
         "upsert": {**state, "row": {"amount": None}, "tombstone": {"gone_by": ":event_id"}}}]


def in_turn(source: str, types: list[str]) -> list[dict]:
    """The first event of a part claims it, and gets its code; a second run of that one would be noticed."""
    price = {"amount": {"value": str(PRICE), "as": "int64"}, "currency": {"value": "EUR"}}
    order = {"reference": "/data/object/part", "transaction": "/data/object/part"}  # each event tells of the one payment
    first = "SELECT IF(event IS NULL, 'done', IF(event = :event_id, 'park', 'ignore')) FROM claim WHERE part = :part FOR UPDATE"
    return [
        {"name": "note", "when": {"source": source, "type": types},
         "set": {"table": "latest", "key": {"object": ":object"}, "row": {"event": ":event_id"}}},
        {"name": "claim", "when": {"source": source, "type": types}, "let": {"part": "/data/object/part"}, "decide": {"select": first},
         "set": {"table": "claim", "key": {"part": ":part"}, "row": {"event": ":event_id"}}},
        {"name": "give-voucher", "when": {"source": source, "type": types}, "let": {**order, **price},
         "handler": "give_vouchers"}]


def differences(applied: Mapping[str, list[Applied]], kept: Kept) -> Iterator[str]:
    """`applied`: by object, in order."""
    journal: dict[str, list[str]] = defaultdict(list)
    for unit, event in kept.journal:
        journal[unit].append(event)
    for unit in applied.keys() | journal.keys():
        events = [each.event for each in applied.get(unit, [])]
        yield from _compare(f"the journal of {unit}", journal[unit], events)
        yield from _compare(f"the total of {unit}", kept.totals.get(unit), sum(said_by(event, unit).amount for event in events))
        turns = [each.event for each in applied.get(unit, []) if each.has_turn]
        yield from _compare(f"the latest event of {unit}", kept.latest.get(unit), turns[-1] if turns else None)
        yield from _of_parts(unit, applied.get(unit, []), kept)


def _of_parts(unit: str, events: list[Applied], kept: Kept) -> Iterator[str]:
    newest: dict[str, tuple[bool, int, str]] = {}
    first: dict[str, str] = {}
    for each in events:
        said = said_by(each.event, unit)
        rank = (each.deletes, said.version, each.event)
        newest[said.part] = max(rank, newest.get(said.part, rank))
        if each.has_turn:
            first.setdefault(said.part, each.event)
    for part in parts_of(unit):
        yield from _compare(f"the state of {part}", kept.states.get(part), _state(newest.get(part), unit))
        yield from _compare(f"the claim of {part}", kept.claims.get(part), first.get(part))
    codes = {code: part for code, part in kept.given.items() if code.startswith(f"{unit}-")}
    yield from _compare(f"the parts of {unit} with a code", sorted(codes.values()), sorted(first))
    yield from _compare(f"the parts of {unit} that are finished", sorted(kept.finished & {*parts_of(unit)}), sorted(first))
    yield from _compare(f"the codes that {unit} gave away", sorted(codes), [f"{unit}-{number}" for number in range(len(first))])


def _state(newest: tuple[bool, int, str] | None, unit: str) -> tuple[str, int | None, bool] | None:
    if newest is None:
        return None
    is_gone, _, event = newest
    return event, None if is_gone else said_by(event, unit).amount, is_gone


def _compare(what: str, found: object, wanted: object) -> Iterator[str]:
    if found != wanted:
        yield f"{what}: {found}, wanted {wanted}"
