"""What the tests of lanes share: an object's events as they stand in MySQL, and effects that fail as long as told."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from tests.support.events import Event
from tests.support.pipeline import Pipeline
from tests.support.records import PRINCIPAL, PROVIDER
from tests.support.wait import LONG_ENOUGH, wait_for


def key_of(event: Event) -> str:
    """The record key of its object."""
    return f"{PROVIDER}/{PRINCIPAL}/{event.object or event.id}"


def lane_key_of(event: Event) -> bytes:
    return hashlib.sha256(key_of(event).encode()).digest()


@dataclass(frozen=True)
class Lane:
    """One object's own row."""

    gen: int
    due: object
    sent: bool
    unfinished: int


def lane_of(pipeline: Pipeline, event: Event) -> Lane | None:
    rows = pipeline.ledger.query("SELECT generation, wakeup_due, wakeup_sent, unfinished FROM lane WHERE lane_key = %s",
                                 lane_key_of(event))
    return Lane(rows[0][0], rows[0][1], bool(rows[0][2]), rows[0][3]) if rows else None


def waiting_in(pipeline: Pipeline, event: Event) -> list[str]:
    """The statuses of the object's unfinished events, in order."""
    rows = pipeline.ledger.query("SELECT status FROM lane_event WHERE lane_key = %s ORDER BY position",
                                 lane_key_of(event))
    return [status for (status,) in rows]


def expect_lane(pipeline: Pipeline, event: Event, *statuses: str, within: float = LONG_ENOUGH) -> None:
    """The object's events wait as told; none: nothing of it is unfinished."""
    def stands() -> bool:
        found = waiting_in(pipeline, event)
        assert found == list(statuses), f"{event.object}: {found}"
        lane = lane_of(pipeline, event)
        assert (lane.unfinished if lane else 0) == len(statuses), f"{event.object}: {lane}"
        return True
    wait_for(stands, f"{event.object} to hold {statuses}", within)


def expect_nothing_owed(pipeline: Pipeline, within: float = LONG_ENOUGH, *, of: Event | None = None) -> None:
    """Every wakeup and every DLQ record that was owed is with the broker. `of`: wakeups of its object alone, where the database
    has lanes of other tests, whose sweeper may have been ended half-way."""
    def paid() -> bool:
        wakeups = [(key, gen) for key, gen in pipeline.ledger.query("SELECT object_key, generation FROM lane WHERE wakeup_sent = 0")
                 if of is None or key.endswith(f"/{of.object}".encode())]
        dead_letters = pipeline.ledger.query("SELECT id FROM dead_letter WHERE dlq_sent = 0 AND closed_at IS NULL")
        assert not wakeups and not dead_letters, f"owed: {wakeups} {dead_letters}"
        return True
    wait_for(paid, "the debts to be paid", within)


def expect_lanes_at_rest(pipeline: Pipeline, within: float = LONG_ENOUGH) -> None:
    """Nothing waits for time: what is unfinished waits for an operator. Nothing is owed either."""
    def at_rest() -> bool:
        awake = pipeline.ledger.query("SELECT object_key, generation, wakeup_due FROM lane WHERE wakeup_due IS NOT NULL")
        assert not awake, f"{len(awake)} lanes wait for time: {awake[:5]}"
        return True
    wait_for(at_rest, "the lanes to come to rest", within, every=0.2)
    expect_nothing_owed(pipeline, within)


def open_dead_letters(pipeline: Pipeline) -> list[tuple[str, str]]:
    """(event id, error class) of what on-call has to look at."""
    rows = pipeline.ledger.query("SELECT event_id, error_class FROM dead_letter WHERE closed_at IS NULL ORDER BY id")
    return [(event.decode(), error_class.decode()) for event, error_class in rows]
