"""A lane that the retry role is at work on: the main role goes on with other objects and waits for none of its locks."""

from __future__ import annotations

import pytest

from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.lanes import expect_lane, expect_nothing_owed
from tests.support.lock_waits import sessions_that_wait_for_a_lock
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.wait import stays, wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"workers": 1, "in_place": "0s"}
VISIT = "consumer.in_row_run=delay:15000@1"  # its lane is locked, and its effects are done
EXTRA_TABLES = ["CREATE TABLE known_charge (charge VARBINARY(64) PRIMARY KEY)",
                "CREATE TABLE note (event VARBINARY(255) NOT NULL, charge VARBINARY(64) NOT NULL)"]
EXTRA_EFFECTS = [
    {"name": "take-note", "when": {"source": SOURCE, "type": "charge.updated"}, "let": {"charge": "/data/object/id"},
     "sql": [{"run": "INSERT INTO note (event, charge) SELECT :event_id, charge FROM known_charge WHERE charge = :charge",
              "rows": {1: "done", 0: "retry"}}]}]


class Charge:
    """An object that has an event applied, and one in its lane that the retry role has just begun to apply."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._id = fresh_id("ch")
        self.main = pipeline.consumer()
        self._known(True)
        put(pipeline, early := self.event())
        pipeline.ledger.expect_status(early, "done")
        self._known(False)
        put(pipeline, waits := self.event())
        expect_lane(pipeline, waits, "retry")
        self._sessions = {session for session, in pipeline.ledger.query(
            "SELECT id FROM information_schema.processlist WHERE db = %s AND user = %s", pipeline.name, pipeline.database.user)}
        visitor = pipeline.retry_role(VISIT)
        self._known(True)
        wait_for(lambda: "consumer.in_row_run" in visitor.hit_failpoints(), "the lane to be visited")
        self.early, self.waits = early, waits

    def _known(self, is_known: bool) -> None:
        self._pipeline.ledger.query("INSERT INTO known_charge VALUES (%s)" if is_known else "DELETE FROM known_charge WHERE charge = %s",
                                    self._id.encode())

    def event(self) -> Event:
        return snapshot("charge.updated", {"id": self._id, "nonce": fresh_id("n")})

    def main_role_waits_for_a_lock(self) -> bool:
        return bool(self._sessions & sessions_that_wait_for_a_lock(self._pipeline.ledger))

    def expect_main_role_waits_for_no_lock(self) -> None:
        assert not self.main_role_waits_for_a_lock()

    def expect_noted(self, *events: Event) -> None:
        """Each once, and in this order."""
        rows = self._pipeline.ledger.query("SELECT event FROM note WHERE charge = %s", self._id.encode())
        assert [event.decode() for event, in rows] == [event.id for event in events]


def held(consumer: Program, event: Event) -> list[str]:
    """Why the consumer put the event off."""
    return [line["reason"] for line in consumer.decisions("contended") if line["event"] == event.id]


def test_next_event_of_a_visited_lane_is_put_off_at_once(bench: Pipeline) -> None:
    """Each twentieth time it queues for the lane, which may be free for a moment at a time only."""
    charge = Charge(bench)
    bench.ledger.open_wallet(customer := fresh_id("cus"))
    put(bench, late := charge.event(), *(others := [payment(customer, 1) for _ in range(20)]))
    bench.ledger.expect_applied(*others)
    first, queued, *_ = wait_for(lambda: held(charge.main, late)[:2] if len(held(charge.main, late)) > 1 else None, "the event to queue")
    assert first == "its lane is being visited" and "1205" in queued, (first, queued)
    bench.ledger.expect_status(late, "done")
    charge.expect_noted(charge.early, charge.waits, late)
    expect_nothing_owed(bench)


def test_duplicate_of_a_visited_lane_is_put_off_at_once(bench: Pipeline) -> None:
    """Each twentieth time it queues, too: else it would hold its partition's offset until the lane is drained."""
    charge = Charge(bench)
    told = charge.main.metric("sluice_consumer_duplicates_total", status="done")
    put(bench, charge.early)
    wait_for(lambda: held(charge.main, charge.early), "the duplicate to be put off")
    stays(charge.expect_main_role_waits_for_no_lock, during=1.5)
    wait_for(charge.main_role_waits_for_a_lock, "the duplicate to queue")
    assert bench.ledger.status(charge.waits) == "retry", "the visit has ended: nothing was seen of it"
    bench.expect_caught_up()
    bench.ledger.expect_status(charge.waits, "done")
    charge.expect_noted(charge.early, charge.waits)
    charge.main.expect_metric(told + 1, "sluice_consumer_duplicates_total", status="done")
    expect_nothing_owed(bench)
