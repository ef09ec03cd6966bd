"""An event whose own statement ends its session each time is taken for the cause: it waits in its lane, and others go on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
from pymysql.err import OperationalError

from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.lanes import expect_lane, expect_nothing_owed
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.records import put
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"workers": 1}
LONG = 30.0  # seconds: whatever is at work for so long is found
EXTRA_TABLES = ["CREATE TABLE pace (charge VARBINARY(64) PRIMARY KEY, seconds DOUBLE NOT NULL)",
                "CREATE TABLE note (event VARBINARY(255) NOT NULL)"]
EXTRA_EFFECTS = [
    {"name": "take-note", "when": {"source": SOURCE, "type": "charge.updated"}, "within": "60s", "let": {"charge": "/data/object/id"},
     "sql": [{"run": "INSERT INTO note (event) SELECT :event_id FROM pace WHERE charge = :charge AND SLEEP(seconds) = 0", "rows": {1: "done"}}]}]


class Killer:
    """Ends each session whose statement sleeps, as a server does that this statement brings down."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._ended = threading.Event()
        self.killed: set[int] = set()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(0.05):
            # MySQL's list refuses statements that hold bytes, and a session may be gone already.
            with suppress(OperationalError):
                for number, in self._pipeline.ledger.query(
                        "SELECT id FROM information_schema.processlist WHERE db = %s AND state = 'User sleep'", self._pipeline.name):
                    self.killed.add(number)
                    self._pipeline.ledger.run(f"KILL {number}")


@pytest.fixture
def killer(bench: Pipeline) -> Iterator[Killer]:
    killer = Killer(bench)
    yield killer
    killer.end()


@pytest.fixture
def customer(bench: Pipeline) -> str:
    name = fresh_id("cus")
    bench.ledger.open_wallet(name)
    return name


def deadly(pipeline: Pipeline, count: int) -> list[Event]:
    """Events of one object whose effect is at work until its session ends."""
    unit = fresh_id("ch")
    pipeline.ledger.query("INSERT INTO pace VALUES (%s, %s)", unit.encode(), LONG)
    return [snapshot("charge.updated", {"id": unit, "amount": number}) for number in range(count)]


def failures(pipeline: Pipeline, event: Event) -> int:
    rows = pipeline.ledger.query("SELECT lane_event.attempts FROM lane_event JOIN inbox USING (dedup_key) WHERE event_id = %s", event.id.encode())
    return rows[0][0] if rows else 0


def test_event_that_ends_its_session_each_time_costs_its_object_alone(bench: Pipeline, customer: str, killer: Killer) -> None:
    poison = deadly(bench, 2)
    others = [payment(customer, 1) for _ in range(40)]
    put(bench, *others[:20], *poison, *others[20:])
    consumer = bench.consumer()
    bench.ledger.expect_applied(*others)
    expect_lane(bench, poison[0], "retry", "parked")
    assert failures(bench, poison[0]) == 1 and len(killer.killed) >= 3, killer.killed
    later = [payment(customer, 1) for _ in range(20)]
    put(bench, *later)
    bench.ledger.expect_applied(*others, *later)
    consumer.ready()
    bench.expect_caught_up()


def test_lane_that_ends_its_session_each_time_keeps_no_other_waiting(bench: Pipeline, killer: Killer) -> None:
    """One worker of the retry role has both, and an operator's order for the one."""
    poison = deadly(bench, 1)
    late = fresh_id("cus")
    put(bench, *poison, waits := payment(late, 1))
    bench.consumer(role="both")
    wait_for(lambda: failures(bench, poison[0]) >= 2 or None, "a second failure, in its lane", within=60)
    bench.ledger.open_wallet(late)
    bench.ledger.expect_applied(waits)
    assert bench.ledger.status(poison[0]) == "retry"
    killer.end()
    bench.ledger.query("UPDATE pace SET seconds = 0")
    bench.ledger.expect_applied(*poison)
    assert len(bench.ledger.query("SELECT event FROM note WHERE event = %s", poison[0].id.encode())) == 1
    expect_nothing_owed(bench)
