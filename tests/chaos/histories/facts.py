"""What a history left behind: collected, not judged. `Facts` and the plan are all that the checker gets."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field, is_dataclass
from datetime import datetime

from confluent_kafka import KafkaException

from tests.chaos.histories.kinds import Kept
from tests.chaos.histories.script import beside
from tests.support.kafka_log import LogRecord
from tests.support.pipeline import Pipeline


@dataclass(frozen=True)
class Inbox:
    event: str
    status: str
    dlq_sent: int | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True)
class Attempt:
    """What an event came to at one run of its effects, by the letters of script.py; rolled back or not."""

    event: str
    what: str
    at: datetime | None = None


@dataclass(frozen=True)
class Waiting:
    """A row of lane_event."""

    object: str
    position: int
    status: str
    event: str


@dataclass(frozen=True)
class LaneRow:
    object: str
    unfinished: int
    is_sent: bool = True
    is_due: bool = False


@dataclass(frozen=True)
class DeadLetter:
    """An entry of dead_letter."""

    event: str
    error_class: str
    is_sent: bool
    closed_as: str | None
    kind: str = "dead"
    opened_at: datetime | None = None
    closed_at: datetime | None = None


@dataclass
class Facts:
    log: list[tuple[str, str]]        # object and event, each partition's in order
    inbox: list[Inbox]
    attempts: list[Attempt]           # in the order of time
    applied: list[str]                # events, in an order that is each object's
    applied_at: dict[str, datetime]
    kept: Kept = field(default_factory=Kept)
    lanes: list[LaneRow] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    dead_letters: list[DeadLetter] = field(default_factory=list)
    skipped: set[str] = field(default_factory=set)               # by operators
    sent_dead_letters: dict[str, int] = field(default_factory=dict)    # records of the DLQ by event
    behind: list[str] = field(default_factory=list)              # partitions that nobody has read to the end
    incidents: list[str] = field(default_factory=list)


def collect(pipeline: Pipeline, incidents: list[str], *, wants_offsets: bool) -> Facts:
    """Offsets are committed once a second: worth waiting for in the end only."""
    query = pipeline.ledger.query
    names = {(number, offset): event.decode() for number, offset, event in
             query("SELECT partition_no, offset_no, event_id FROM inbox")}
    return Facts(
        log=[(object_of(record), record.text("ce_id") or "") for record in pipeline.log.read(pipeline.topic)],
        inbox=[Inbox(event.decode(), status, sent, at) for event, status, sent, at in
               query("SELECT event_id, status, dlq_sent, finished_at FROM inbox")],
        attempts=[Attempt(event.decode(), what, at) for event, what, at in
                  query(f"SELECT event, what, at FROM {beside(pipeline.name)}.attempt ORDER BY seq")],
        applied=[event.decode() for (event,) in query("SELECT event FROM applied ORDER BY seq")],
        applied_at={event.decode(): at for event, at in query("SELECT event, at FROM applied")}, kept=kept(pipeline),
        lanes=[LaneRow(unit_of(key), unfinished, bool(sent), due is not None) for key, unfinished, sent, due in
               query("SELECT object_key, unfinished, wakeup_sent, wakeup_due FROM lane")],
        waiting=[Waiting(unit_of(key), position, status, names.get((number, offset), "?"))
                 for key, position, status, number, offset in query(
                     "SELECT lane.object_key, position, status, partition_no, offset_no FROM lane_event JOIN lane"
                     " USING (lane_key) ORDER BY lane_key, position")],
        dead_letters=[DeadLetter(event.decode(), error.decode(), bool(sent), *rest) for event, error, sent, *rest in
                      query("SELECT event_id, error_class, dlq_sent, closed_as, kind, opened_at, closed_at FROM dead_letter ORDER BY id")],
        skipped={event.decode() for (event,) in query(
            "SELECT event_id FROM operator_action JOIN inbox USING (event_day, dedup_key) WHERE action = 'skip' AND answer = 'carried_out'")},
        sent_dead_letters=dict(Counter(record.text("ce_id") or "" for record in pipeline.log.read(pipeline.dlq))),
        behind=behind(pipeline) if wants_offsets else [], incidents=incidents)


def kept(pipeline: Pipeline) -> Kept:
    def read(statement: str) -> list[tuple]:
        return [tuple(each.decode() if isinstance(each, bytes) else each for each in row) for row in pipeline.ledger.query(statement)]
    return Kept(
        journal=read("SELECT object, event FROM journal ORDER BY seq"), totals=dict(read("SELECT object, amount FROM total")),
        latest=dict(read("SELECT object, event FROM latest WHERE event IS NOT NULL")),
        states={part: (event, amount, bool(gone)) for part, event, amount, gone in
                read("SELECT part, by_event, amount, gone_by IS NOT NULL FROM state")},
        claims=dict(read("SELECT part, event FROM claim WHERE event IS NOT NULL")),
        given=dict(read("SELECT code, order_no FROM voucher WHERE order_no IS NOT NULL")),
        finished={part for (part,) in read("SELECT order_no FROM voucher_order WHERE status = 'GIVEN'")})


def object_of(record: LogRecord) -> str:
    return unit_of(record.key or b"")


def unit_of(key: bytes) -> str:
    return key.decode().rpartition("/")[2]


def behind(pipeline: Pipeline) -> list[str]:
    """Of both groups."""
    read = {pipeline.topic: pipeline.group} | dict.fromkeys(pipeline.wake_topics, f"{pipeline.group}.retry")
    found = []
    for topic, group in read.items():
        try:
            ends, committed = pipeline.log.ends(topic), pipeline.log.committed(group, topic)
        except KafkaException as error:  # a broker that is very busy
            return [f"the offsets of {topic} cannot be read: {error}"]
        found += [f"{topic}/{number} is committed up to {committed[number]}, its end is {end}"
                  for number, end in ends.items() if end > 0 and committed[number] != end]
    return found


def as_json(facts: Facts) -> str:
    return json.dumps(asdict(facts), default=_plain, indent=1)


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return sorted(value) if isinstance(value, set) else str(value)
