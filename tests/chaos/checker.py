"""Equality of what the provider was told, what Kafka holds, and what the ledger and the dead letters say. Pure.

Each check yields sentences, one for each difference; no sentence at all is the verdict that everybody wants.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator

from tests.chaos import shop_checker
from tests.chaos.cut_log import applied_twice, without_lost
from tests.chaos.effects import Effect, State, effect_of
from tests.chaos.facts import DeadLetter, Entry, Facts, InboxRow, Published, digest
from tests.chaos.workload import content_of
from tests.support.pipeline import POLLED

SETTLED = ("done", "ignored", "dead", "parked")


class Log:
    """The main topic by event: the record that came first decides what an event is."""

    def __init__(self, records: list[Published]) -> None:
        self.of_event: dict[str, list[Published]] = defaultdict(list)
        for record in sorted(records, key=lambda each: (each.partition, each.offset)):
            self.of_event[record.dedup_key].append(record)
        self.at = {(record.partition, record.offset): record for record in records}
        self.first = {key: found[0] for key, found in self.of_event.items()}
        self.first_of_id = {record.id: record for record in self.first.values()}
        self.effects = {key: effect_of(json.loads(record.body)) for key, record in self.first.items()}

    def behind_the_dead(self, rows: dict[str, list[InboxRow]]) -> set[str]:
        """Events that wait for an operator, because one before them in their object is dead."""
        quarantined: set[str] = set()
        behind: set[str] = set()
        for key, record in self.first.items():  # in the order of each partition
            if record.object_key in quarantined:
                behind.add(key)
            elif not self.effects[key].lets_pass and any(row.status == "dead" for row in rows.get(key, [])):
                quarantined.add(record.object_key)
        return behind

    def with_status(self, status: str, rows: dict[str, list[InboxRow]]) -> list[tuple[Published, Effect]]:
        """In the order of each partition."""
        return [(record, self.effects[key]) for key, record in self.first.items()
                if any(row.status == status for row in rows.get(key, []))]


def differences(facts: Facts) -> list[str]:
    return [*applied_twice(facts), *_differences(without_lost(facts) if facts.before_cut else facts)]


def _differences(facts: Facts) -> list[str]:
    log = Log(facts.records)
    rows: dict[str, list[InboxRow]] = defaultdict(list)
    for row in facts.inbox:
        rows[row.dedup_key].append(row)
    applied = log.with_status("done", rows)
    checks = (
        _incidents(facts), _nothing_foreign(facts, log), _told_is_held(facts, log), _listed_is_held(facts), _one_row_each(log, rows),
        _fates(facts, log, rows), _conflicts(facts, log), _ledger(facts, applied), _wallets(facts), _mails(facts, log, rows),
        _receipts(facts, log, rows), _newest(facts, applied), shop_checker.lasts(facts, applied),
        shop_checker.orders(facts, [(log.first[key], effect) for key, effect in log.effects.items()], applied),
        shop_checker.messages(facts, applied), shop_checker.cases(facts, log.with_status("dead", rows)), _order(facts, log), _revisions(facts, log), _offsets(facts), _callbacks(facts))
    return [difference for check in checks for difference in check]


def _incidents(facts: Facts) -> Iterator[str]:
    yield from facts.incidents


def _nothing_foreign(facts: Facts, log: Log) -> Iterator[str]:
    """Promise: what was never authentic is nowhere."""
    for sentence in facts.told.believed:
        yield f"a request that nobody honest sent was answered 2xx: {sentence}"
    held = [("Kafka", record.body, record.id) for record in facts.records]
    held += [("the quarantine", body, key) for key, body in facts.quarantined]
    held += [("the DLQ", dead_letter.body, dead_letter.id) for dead_letter in facts.dead_letters]
    authentic = facts.told.authentic | facts.shown.authentic
    for place, body, name in held:
        if digest(body) not in authentic:
            yield f"{place} holds a body that the provider never signed: {name} {body[:200]!r}"
    ids = {record.id for record in facts.records}
    for row in facts.inbox:
        if row.dedup_key not in log.first:
            yield f"the inbox has a row of an event that Kafka does not hold: {row}"
    for entry in (*facts.entries, *facts.bookings):
        if entry.event not in ids:
            yield f"the ledger has an entry of an event that Kafka does not hold: {entry}"


def _told_is_held(facts: Facts, log: Log) -> Iterator[str]:
    """Promise 1: a 2xx was never sent for an event that Kafka does not hold."""
    contents = {content_of(record.body) for record in facts.records}
    for content, event_type in facts.told.accepted.items():
        if content not in contents:
            yield f"{content[0]} ({event_type}) was answered 2xx and is not in Kafka"
    kept = {digest(body) for _, body in facts.quarantined}
    for body in facts.told.accepted_unreadable - kept:
        yield f"an unreadable body (SHA-256 {body}) was answered 2xx and is not in the quarantine topic"


def _listed_is_held(facts: Facts) -> Iterator[str]:
    """No walk passes over an event, and none goes back."""
    contents = {content_of(record.body) for record in facts.records}
    for content, event_type in facts.shown.contents.items():
        if content not in contents:
            yield f"{content[0]} ({event_type}) was listed and is not in Kafka"
    for request in facts.shown.refused:
        yield f"the list was asked what no honest client asks: {request}"
    for until, was in facts.walked_back:
        yield f"the checkpoint went back from {was} to {until}"
    for source in facts.gaps:
        yield f"the walk of {source} has a gap, and the list forgot nothing"
    kept = {digest(body) for _, body in facts.quarantined}
    for body in facts.shown.unreadable - kept:
        yield f"an unreadable event (SHA-256 {body}) was listed and is not in the quarantine topic"


def _one_row_each(log: Log, rows: dict[str, list[InboxRow]]) -> Iterator[str]:
    """Promise 2: every event of the log is in the inbox once, settled, as the record that came first."""
    for key, record in log.first.items():
        found = rows.get(key, [])
        if len(found) != 1:
            yield f"{_place(record)} has {len(found)} inbox rows: it is lost" if not found else \
                f"{_place(record)} has {len(found)} inbox rows: {found}"
            continue
        if found[0].digest != record.digest:
            yield f"{_place(record)} came first, but another content was taken: {found[0]}"
        if found[0].status not in SETTLED:
            yield f"{_place(record)} is not settled: {found[0]}"


def _fates(facts: Facts, log: Log, rows: dict[str, list[InboxRow]]) -> Iterator[str]:
    """What each event deserves; dead ones are in the DLQ, and nothing is there that is not dead. Nothing passes a dead one."""
    behind = log.behind_the_dead(rows)
    dead_letters: dict[str, list[DeadLetter]] = defaultdict(list)
    for dead_letter in facts.dead_letters:
        dead_letters[dead_letter.id].append(dead_letter)
    for key, record in log.first.items():
        for row in rows.get(key, []):
            wanted = ("parked",) if key in behind else _statuses(log.effects[key])
            if row.status not in wanted:
                yield f"{_place(record)} is {row.status} ({row.error}), wanted {' or '.join(wanted)}"
            if row.status == "dead":
                yield from _is_visible(record, row, dead_letters[record.id])
            elif row.dlq_sent is not None:
                yield f"{_place(record)} is {row.status} and owes or has sent a dead letter: {row}"
    for found in dead_letters.values():
        for dead_letter in found:
            yield from _deserves_its_dead_letter(dead_letter, facts, log, rows)


def _statuses(effect: Effect) -> tuple[str, ...]:
    return {"moves": ("done",), "mail": ("done",), "ignored": ("ignored",), "dead": ("dead",),
            "receipt": ("done", "dead"), "order": ("done", "dead"), "case": ("dead",)}[effect.fate]


def _is_visible(record: Published, row: InboxRow, dead_letters: list[DeadLetter]) -> Iterator[str]:
    if row.dlq_sent != 1:
        yield f"{_place(record)} is dead and its dead letter was never acknowledged: {row}"
    if not any(dead_letter.error_class != "conflict" for dead_letter in dead_letters):
        yield f"{_place(record)} is dead and the DLQ does not hold it: {row}"


def _deserves_its_dead_letter(dead_letter: DeadLetter, facts: Facts, log: Log, rows: dict[str, list[InboxRow]]) -> Iterator[str]:
    conflict = dead_letter.error_class == "conflict"
    record = log.at.get((dead_letter.partition, dead_letter.offset)) if conflict else log.first_of_id.get(dead_letter.id)
    if record is None:
        yield f"the DLQ holds what Kafka does not: {dead_letter}"
    elif conflict:
        if _says_the_same(record, log.first[record.dedup_key]):
            yield f"the DLQ calls a record a conflict whose content came first: {dead_letter}"
    elif not facts.restored and not any(row.status == "dead" for row in rows.get(record.dedup_key, [])):
        yield f"the DLQ holds an event that is not dead: {dead_letter}"


def _conflicts(facts: Facts, log: Log) -> Iterator[str]:
    """A record with another content under a known id is in the DLQ, each of them."""
    buried = {(dead_letter.partition, dead_letter.offset) for dead_letter in facts.dead_letters if dead_letter.error_class == "conflict"}
    for found in log.of_event.values():
        for record in found[1:]:
            if not _says_the_same(record, found[0]) and (record.partition, record.offset) not in buried:
                yield f"{_place(record)} conflicts with offset {found[0].offset} and is not in the DLQ: it is lost"


def _says_the_same(record: Published, first: Published) -> bool:
    """The list may render an event otherwise than the webhook does."""
    return record.digest == first.digest or (record.source == POLLED) != (first.source == POLLED)


def _ledger(facts: Facts, applied: list[tuple[Published, Effect]]) -> Iterator[str]:
    """Promise 2: the effect of every applied event is there exactly once."""
    for name, (entries, _) in _books(facts).items():
        wanted = Counter((record.id, effect.customer, effect.amount) for record, effect in applied if effect.amount and effect.book == name)
        found = Counter((entry.event, entry.customer, entry.amount) for entry in entries)
        for what in wanted | found:
            if wanted[what] != found[what]:
                yield f"the {name} has {found[what]} entries of {what}, wanted {wanted[what]}"


def _wallets(facts: Facts) -> Iterator[str]:
    """A transaction was never half there."""
    for name, (entries, found) in _books(facts).items():
        sums: Counter[str] = Counter()
        for entry in entries:
            sums[entry.customer] += entry.amount
        for customer in found.keys() | sums.keys():
            if found.get(customer, 0) != sums[customer]:
                yield f"wallet {customer} holds {found.get(customer)}, its entries of the {name} add up to {sums[customer]}"


def _books(facts: Facts) -> dict[str, tuple[list[Entry], dict[str, int]]]:
    """Entries and sums."""
    return {"ledger": (facts.entries, facts.wallets), "bookings": (facts.bookings, facts.booked)}


def _mails(facts: Facts, log: Log, rows: dict[str, list[InboxRow]]) -> Iterator[str]:
    wanted = Counter(log.first[key].id for key, effect in log.effects.items()
                     if effect.fate == "mail" and any(row.status == "done" for row in rows.get(key, [])))
    found = Counter(facts.mails)
    for event in wanted | found:
        if wanted[event] != found[event]:
            yield f"{found[event]} emails are asked for by {event}, wanted {wanted[event]}"


def _receipts(facts: Facts, log: Log, rows: dict[str, list[InboxRow]]) -> Iterator[str]:
    """Of all events with one number exactly one is applied, unless each stands behind a dead one."""
    behind = log.behind_the_dead(rows)
    done: dict[str, list[str]] = defaultdict(list)
    for key, effect in log.effects.items():
        if effect.fate == "receipt" and key not in behind:
            done[effect.number] += [row.id for row in rows.get(key, []) if row.status == "done"]
    for number, events in done.items():
        if len(events) != 1 or facts.receipts.get(number) != events[0]:
            yield f"receipt {number} is of {facts.receipts.get(number)}, applied: {events}"


def _newest(facts: Facts, applied: list[tuple[Published, Effect]]) -> Iterator[str]:
    """Each row of a state shows the newest of the events that were applied, in whatever order they were."""
    wanted: dict[str, State] = {}
    for _, effect in applied:
        if state := effect.state:
            wanted[state.row] = max(state, wanted.get(state.row, state), key=lambda each: each.rank)
    for row in wanted.keys() | facts.newest.keys():
        shown = wanted[row].shown if row in wanted else None
        if facts.newest.get(row, ()) not in (None, shown):
            yield f"the row of {row} shows {facts.newest.get(row)}, the newest event that was applied is {shown}"


def _order(facts: Facts, log: Log) -> Iterator[str]:
    """Promise 3: the effects of one object happened in the order of its partition."""
    for before, entry in _successive(facts, log):
        first, second = (log.first_of_id[each.event] for each in (before, entry))
        if first.offset > second.offset:
            yield f"{second.object_key}: {_place(first)} was applied before {_place(second)} (entries {before.seq}, {entry.seq})"


def _revisions(facts: Facts, log: Log) -> Iterator[str]:
    """No object gets old and new effects in turns."""
    for before, entry in _successive(facts, log):
        if before.revision > entry.revision:
            record = log.first_of_id[entry.event]
            yield f"{record.object_key}: {_place(record)} was applied by effects of revision {entry.revision}, after {before}"


def _successive(facts: Facts, log: Log) -> Iterator[tuple[Entry, Entry]]:
    """Of each book and object."""
    for entries, _ in _books(facts).values():
        last: dict[str, Entry] = {}
        for entry in sorted(entries, key=lambda each: each.seq):
            if (record := log.first_of_id.get(entry.event)) is None:
                continue
            if record.object_key in last:
                yield last[record.object_key], entry
            last[record.object_key] = entry


def _callbacks(facts: Facts) -> Iterator[str]:
    """Each record of the main topic is on record once, and what is not there is not. What a log lost may be."""
    if facts.callbacks is None:
        return
    found = Counter((callback.partition, callback.offset, callback.dedup_key) for callback in facts.callbacks)
    wanted = Counter((record.partition, record.offset, record.dedup_key) for record in facts.records)
    for place in wanted | found:
        is_lost = bool(facts.before_cut) and not wanted[place]
        if wanted[place] != found[place] and not is_lost:
            yield f"{found[place]} callbacks are on record of the event at {place}, wanted {wanted[place]}"


def _offsets(facts: Facts) -> Iterator[str]:
    """Kafka's committed offsets are never ahead of MySQL, and in the end at the end."""
    for partition, end in facts.ends.items():
        committed, applied = facts.committed.get(partition, -1), facts.applied.get(partition, -1)
        if end > 0 and committed != end:
            yield f"partition {partition} is committed up to {committed}, its end is {end}"
        if committed > max(applied, 0):
            yield f"partition {partition} is committed up to {committed}, MySQL knows of {applied}"


def _place(record: Published) -> str:
    return f"{record.id} at {record.partition}/{record.offset}"
