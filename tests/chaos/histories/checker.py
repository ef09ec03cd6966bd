"""The order that lanes promise, compared with what a history left behind. Pure.

Each check yields sentences, one for each difference. `is_drained`: operators have seen to what was dead, nothing waits any more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime

from tests.chaos.histories import kinds
from tests.chaos.histories.facts import DeadLetter, Facts, Inbox, Waiting
from tests.chaos.histories.plan import History, Planned
from tests.chaos.histories.script import ASKS, CASE, DEFERS, KINDS

UNFINISHED = ("deferred", "retry", "parked")


class Told:
    """The plan and the facts by event and by object."""

    def __init__(self, plan: History, facts: Facts) -> None:
        self.planned = {event.id: event for event in plan.events}
        self.of_object: dict[str, list[str]] = defaultdict(list)  # in partition order, the first of each
        for unit, event in dict.fromkeys(facts.log):
            self.of_object[unit].append(event)
        self.inbox: dict[str, list[Inbox]] = defaultdict(list)
        for row in facts.inbox:
            self.inbox[row.event].append(row)
        self.waiting: dict[str, list[Waiting]] = defaultdict(list)
        for row in sorted(facts.waiting, key=lambda each: each.position):
            self.waiting[row.object].append(row)
        self.waits = {row.event: row for row in facts.waiting}
        self.place = {event: number for number, event in enumerate(facts.applied)}
        self.applied_at = facts.applied_at
        self.first_deferral = {attempt.event: attempt.at for attempt in reversed(facts.attempts) if attempt.what == DEFERS}
        self.cases: dict[str, list[DeadLetter]] = defaultdict(list)
        for entry in facts.dead_letters:
            if entry.error_class == CASE:
                self.cases[entry.event].append(entry)

    def lets_pass(self, event: str, at: datetime | None = None) -> bool:
        """Whether it was a case that others need not wait for, at that moment or now."""
        def was_open(case: DeadLetter) -> bool:
            return case.closed_at is None if at is None else case.opened_at <= at and (case.closed_at is None or at <= case.closed_at)
        return KINDS[self.planned[event].kind].lets_cases_pass and any(map(was_open, self.cases[event]))

    def status(self, event: str) -> str:
        rows = self.inbox.get(event, [])
        return rows[0].status if rows else "missing"


def differences(plan: History, facts: Facts, *, is_drained: bool = False) -> list[str]:
    told = Told(plan, facts)
    checks = (
        iter(facts.incidents), _rows(plan, told), _effects(facts, told), _order(told), _stranded(told), _lanes(facts, told),
        _healthy(facts, told), _deaths(facts, told), _cases(facts, told),
        _dead_letters(facts, told), _kinds(facts, told), iter(facts.behind), _all_is_done(told) if is_drained else iter(()))
    return [difference for check in checks for difference in check]


def _rows(plan: History, told: Told) -> Iterator[str]:
    for event in plan.events:
        rows = told.inbox.get(event.id, [])
        if len(rows) != 1:
            yield f"{_name(event)} has {len(rows)} inbox rows"
        if event.id not in told.of_object[event.object]:
            yield f"{_name(event)} is not in the log"


def _effects(facts: Facts, told: Told) -> Iterator[str]:
    """Once each, of those that are done; of all events of an object without trouble."""
    times = Counter(facts.applied)
    for event in told.planned.values():
        wanted = int(told.status(event.id) == "done")
        if times[event.id] != wanted:
            yield f"{_name(event)} is {told.status(event.id)} and was applied {times[event.id]} times"
    yield from (f"{event} was applied and nobody sent it" for event in times.keys() - told.planned.keys())


def _order(told: Told) -> Iterator[str]:
    """No event is applied before an earlier one of its object, but past one that was deferred or is a case that lets it pass."""
    for events in told.of_object.values():
        for number, later in enumerate(events):
            if later in told.place:
                yield from _passed(told, events[:number], later)


def _passed(told: Told, earlier: list[str], later: str) -> Iterator[str]:
    for event in earlier:
        if _was_finished_before(told, event, later) or _may_have_been_passed(told, event, later):
            continue
        yield f"{_name(told.planned[later])} was applied before {_name(told.planned[event])}, which is {told.status(event)}"


def _was_finished_before(told: Told, event: str, later: str) -> bool:
    if event in told.place:
        return told.place[event] < told.place[later]
    row, at = told.inbox.get(event, [None])[0], told.applied_at.get(later)
    return row is not None and row.status == "skipped" and (row.finished_at is None or at is None or row.finished_at <= at)


def _may_have_been_passed(told: Told, event: str, later: str) -> bool:
    deferral, at = told.first_deferral.get(event), told.applied_at[later]
    was_deferred = KINDS[told.planned[event].kind].can_be_passed and deferral is not None and deferral < at
    return was_deferred or told.lets_pass(event, at)


def _stranded(told: Told) -> Iterator[str]:
    """After healing only what is dead waits, and what stands behind it. Nothing stands behind a case that lets others pass."""
    for unit, rows in told.waiting.items():
        statuses = [row.status for row in rows if not (row.status == "dead" and told.lets_pass(row.event))]
        if statuses and statuses[0] != "dead":
            yield f"{unit} is stranded: {' '.join(statuses)}"
        places = [told.of_object[unit].index(row.event) for row in rows if row.event in told.of_object[unit]]
        if places != sorted(places) or len(places) != len(rows):
            yield f"the events of {unit} wait in another order than they came: {[row.event for row in rows]}"


def _lanes(facts: Facts, told: Told) -> Iterator[str]:
    known = {lane.object: lane for lane in facts.lanes}
    for unit, lane in known.items():
        if lane.unfinished != len(told.waiting[unit]):
            yield f"{unit} counts {lane.unfinished} unfinished events and has {len(told.waiting[unit])}"
        if not lane.is_sent:
            yield f"{unit} owes a wakeup"
        if lane.is_due:
            yield f"{unit} is to be woken for ever: nothing of it waits for time"
    for unit, rows in told.waiting.items():
        if rows and unit not in known:
            yield f"{unit} has {len(rows)} unfinished events and no lane"
    for event, rows in told.inbox.items():
        waits = told.waits.get(event)
        if (waits.status if waits else None) != (rows[0].status if rows[0].status in (*UNFINISHED, "dead") else None):
            yield f"the inbox says that {event} is {rows[0].status}, its lane: {waits.status if waits else 'finished'}"


def _healthy(facts: Facts, told: Told) -> Iterator[str]:
    """Others' trouble is no trouble of theirs."""
    troubled = {event.object for event in told.planned.values() if not event.is_well}
    for lane in facts.lanes:
        if lane.object not in troubled:
            yield f"{lane.object} has a lane, and nothing of it ever failed"


def _deaths(facts: Facts, told: Told) -> Iterator[str]:
    """Nobody dies without a reason, nor is skipped; what is open is what is dead."""
    died = Counter(dead_letter.event for dead_letter in facts.dead_letters)
    still_open = Counter(dead_letter.event for dead_letter in facts.dead_letters if dead_letter.closed_as is None)
    for event in told.planned.values():
        status, wanted = told.status(event.id), int(told.status(event.id) == "dead")
        if still_open[event.id] != wanted:
            yield f"{_name(event)} is {status} and has {still_open[event.id]} open entries"
        if died[event.id] > len(told.cases[event.id]) and not event.can_die:
            yield f"{_name(event)} died without a reason: {[dead_letter for dead_letter in facts.dead_letters if dead_letter.event == event.id]}"
    superseded = {dead_letter.event for dead_letter in facts.dead_letters if dead_letter.closed_as == "superseded"}
    for event in told.planned.values():
        if told.status(event.id) == "skipped" and event.id not in facts.skipped | superseded \
                and not (event.is_superseded_when_dead and event.can_die):
            yield f"{_name(event)} was skipped and nobody asked for it"
    for dead_letter in facts.dead_letters:
        if dead_letter.closed_as == "superseded" and not told.planned[dead_letter.event].is_superseded_when_dead:
            yield f"{_name(told.planned[dead_letter.event])} was skipped as superseded"


def _cases(facts: Facts, told: Told) -> Iterator[str]:
    """One entry for each time that the rule asked, of its kind and class. Only a person ends it."""
    asked = Counter(attempt.event for attempt in facts.attempts if attempt.what == ASKS)
    for event, cases in told.cases.items():
        if len(cases) > asked[event]:
            yield f"{_name(told.planned[event])} asked {asked[event]} times and was {len(cases)} cases"
    for entry in facts.dead_letters:
        if (entry.kind == "case") != (entry.error_class == CASE):
            yield f"{_name(told.planned[entry.event])} has an entry of kind {entry.kind} and class {entry.error_class}"
        if entry.kind == "case" and entry.closed_as not in (None, "retried", "skipped"):
            yield f"{_name(told.planned[entry.event])} was a case that nobody ended: {entry.closed_as}"


def _dead_letters(facts: Facts, told: Told) -> Iterator[str]:
    """Each death that stood long enough is in the DLQ, and none owes."""
    reported = Counter(dead_letter.event for dead_letter in facts.dead_letters if dead_letter.is_sent)
    for event, count in reported.items():
        if facts.sent_dead_letters.get(event, 0) < count:
            yield f"{event} has {count} deaths that were reported and {facts.sent_dead_letters.get(event, 0)} DLQ records"
    for dead_letter in facts.dead_letters:
        if dead_letter.closed_as is None and not dead_letter.is_sent:
            yield f"{dead_letter.event} owes a DLQ record"
    for event in facts.sent_dead_letters:
        if not any(dead_letter.event == event for dead_letter in facts.dead_letters):
            yield f"the DLQ has a record of {event}, which has no entry"
    for rows in told.inbox.values():
        if rows[0].status == "dead" and rows[0].dlq_sent != 1:
            yield f"{rows[0].event} is dead and its inbox row owes a DLQ record"


def _kinds(facts: Facts, told: Told) -> Iterator[str]:
    applied: dict[str, list[kinds.Applied]] = {event.object: [] for event in told.planned.values()}
    for event in filter(None, map(told.planned.get, facts.applied)):
        kind = KINDS[event.kind]
        applied[event.object].append(kinds.Applied(event.id, kind.deletes, kind.has_script))
    return kinds.differences(applied, facts.kept)


def _all_is_done(told: Told) -> Iterator[str]:
    for event in told.planned.values():
        if told.status(event.id) not in ("done", "skipped"):
            yield f"{_name(event)} is {told.status(event.id)} after all was seen to"


def _name(event: Planned) -> str:
    return f"{event.id} of {event.object} ({event.kind}{':' * bool(event.script)}{event.script})"
