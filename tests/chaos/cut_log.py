"""What a log that lost its end excuses: events whose records are gone may have been applied or not, but never twice. Pure.

Whoever elected a broker that lacked them lost them, and the alarm says so; no program of ours can bring them back. All that
they touched is left out of what the checker compares. What was accepted after the cut is not excused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from tests.chaos.effects import Effect, effect_of
from tests.chaos.facts import Entry, Facts, Published


def lost_records(facts: Facts) -> list[Published]:
    """Those that the log held before it was cut, and holds no more at their places."""
    held = {_place(record) for record in facts.records}
    return [record for record in facts.before_cut if _place(record) not in held]


def applied_twice(facts: Facts) -> Iterator[str]:
    """Lost or not: an event is applied once at most."""
    ids = {record.id for record in lost_records(facts)}
    for what, found in (("ledger entries", Counter(entry.event for entry in facts.entries)),
                        ("bookings", Counter(entry.event for entry in facts.bookings)),
                        ("emails", Counter(facts.mails)), ("inbox rows", Counter(row.id for row in facts.inbox))):
        for event in ids & found.keys():
            if found[event] > 1:
                yield f"{event} was lost with the end of a log, and has {found[event]} {what}"


def without_lost(facts: Facts) -> Facts:
    """The facts about all other events."""
    ids, keys = _touched(facts)
    touched = [record for record in facts.before_cut if record.dedup_key in keys]
    states = [state.row for record in touched if (state := _effect(record).state)]
    numbers = {_effect(record).number for record in touched}
    told = replace(facts.told, accepted={content: kind for content, kind in facts.told.accepted.items() if content[0] not in ids})
    shown = replace(facts.shown, contents={content: kind for content, kind in facts.shown.contents.items() if content[0] not in ids})
    return replace(
        facts, told=told, shown=shown, wallets=_sums_without(facts.wallets, facts.entries, ids), booked=_sums_without(facts.booked, facts.bookings, ids),
        records=[record for record in facts.records if record.dedup_key not in keys],
        dead_letters=[dead_letter for dead_letter in facts.dead_letters if dead_letter.id not in ids],
        inbox=[row for row in facts.inbox if row.dedup_key not in keys],
        entries=[entry for entry in facts.entries if entry.event not in ids],
        bookings=[entry for entry in facts.bookings if entry.event not in ids], mails=[mail for mail in facts.mails if mail not in ids],
        newest={**facts.newest, **dict.fromkeys(states)},
        lasts={**facts.lasts, **dict.fromkeys(record.object_key.rpartition("/")[2] for record in touched)},
        receipts={number: event for number, event in facts.receipts.items() if event not in ids},
        orders={order: found for order, found in facts.orders.items() if order not in numbers},
        codes={code: None if order in numbers else order for code, order in facts.codes.items()},
        cases=[case for case in facts.cases if case[0] not in ids])


def _sums_without(sums: dict[str, int], entries: list[Entry], ids: set[str]) -> dict[str, int]:
    left = dict(sums)
    for entry in entries:
        if entry.event in ids:
            left[entry.customer] = left.get(entry.customer, 0) - entry.amount
    return left


def _touched(facts: Facts) -> tuple[set[str], set[str]]:
    """Ids and keys of lost events, of those behind one that may be dead, and of those that want the same receipt or order."""
    lost, every = lost_records(facts), [*facts.records, *facts.before_cut]
    objects = {record.object_key for record in lost if _effect(record).fate in ("dead", "receipt")}
    numbers = {_effect(record).number for record in lost} - {""}
    keys = {record.dedup_key for record in lost}
    keys |= {record.dedup_key for record in every if record.object_key in objects or _effect(record).number in numbers}
    return {record.id for record in every if record.dedup_key in keys}, keys


def _effect(record: Published) -> Effect:
    return effect_of(json.loads(record.body))


def _place(record: Published) -> tuple[int, int, str, str]:
    return record.partition, record.offset, record.dedup_key, record.digest
