"""Consumers come, go and freeze: partitions move, nothing is lost, nothing counts twice."""

from __future__ import annotations

import threading

import pytest

from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.pipeline import QUICKLY_GONE, SOURCE, Pipeline
from tests.support.program import Program
from tests.support.records import hold_key, put
from tests.support.wait import LONG_ENOUGH, wait_for

EXTRA_TABLES = ["CREATE TABLE note (event VARBINARY(255) NOT NULL)"]
EXTRA_EFFECTS = [
    {"name": "take-time", "when": {"source": SOURCE, "type": "charge.updated"}, "within": "20s",
     "sql": [{"run": "INSERT INTO note (event) SELECT :event_id FROM sluice_meta WHERE SLEEP(3) = 0 LIMIT 1", "rows": {1: "done"}}]}]


class Load:
    """Records in the background until the end of the `with`; nine objects of one customer."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.events: list[Event] = []
        self._customer = fresh_id("cus")
        self._units = [fresh_id("pi") for _ in range(9)]
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        pipeline.ledger.open_wallet(self._customer)
        self.put_one()

    def __enter__(self) -> Load:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def goes_on(self, more: int = 30) -> None:
        wanted = len(self.events) + more
        wait_for(lambda: len(self.events) >= wanted, "more records")

    def put_one(self) -> None:
        number = len(self.events)
        event = payment(self._customer, number + 1, intent=self._units[number % 9])
        put(self.pipeline, event)
        self.events.append(event)

    def expect_applied_in_order(self, within: float = LONG_ENOUGH) -> None:
        self.pipeline.ledger.expect_applied(*self.events, within=within)
        self.pipeline.ledger.expect_each_objects_order(self.events)
        self.pipeline.expect_caught_up()

    def _run(self) -> None:
        while not self._stop.wait(0.005):
            self.put_one()


@pytest.fixture
def load(bench: Pipeline) -> Load:
    bench.config["kafka"]["options"] = QUICKLY_GONE
    return Load(bench)


def test_members_join_and_leave_under_load(bench: Pipeline, load: Load) -> None:
    """A second one comes and goes; then a third takes over from the first."""
    first = bench.consumer()
    with load:
        load.goes_on()
        second = bench.consumer()
        load.goes_on()
        assert second.stop() == 0
        load.goes_on()
        bench.consumer()
        load.goes_on()
        assert first.stop() == 0
        load.goes_on()
    load.expect_applied_in_order()
    assert len(first.decisions("assigned")) > 1 and second.decisions("done"), "partitions never moved"


def test_what_moves_leaves_the_hands_of_its_former_owner(bench: Pipeline) -> None:
    """Somebody holds the keys of all events while a second member joins: of what moved to it the first one keeps nothing,
    or both would work on the same objects."""
    customer = fresh_id("cus")
    bench.ledger.open_wallet(customer)
    events = [payment(customer, number + 1) for number in range(40)]
    with bench.ledger.session() as blocker, blocker.cursor() as cursor:
        for event in events:
            hold_key(cursor, event)
        put(bench, *events)
        first = bench.consumer()
        wait_for(lambda: len(in_work(first)) == bench.partitions, "the first one to have events of all partitions")
        second = bench.consumer()
        wait_for(lambda: in_work(second), "the second one to have some")
        wait_for(lambda: not in_work(first) & in_work(second), "the first one to let go of them")
        blocker.rollback()
    bench.ledger.expect_applied(*events)
    bench.expect_caught_up()


def in_work(consumer: Program) -> set[str]:
    """Partitions of which it holds unfinished events."""
    unfinished = consumer.metrics().named("sluice_consumer_unfinished_events")
    return {sample.labels["partition"] for sample in unfinished if sample.value > 0}


def test_zombie_is_absorbed(bench: Pipeline, load: Load) -> None:
    """SIGSTOP past the session time-out with a second member active, then SIGCONT: late work does no harm."""
    zombie, second = bench.consumer(), bench.consumer()
    bench.expect_caught_up()
    zombie.pause()  # outside of a transaction: what it still fetches it works on when it wakes up
    with load:
        load.goes_on(100)
        wait_for(lambda: all_applied(bench, load.events[:100]), "the second one to take all partitions over")
        zombie.resume()
        load.goes_on()
    load.expect_applied_in_order()
    wait_for(lambda: zombie.decisions("assignment_lost"), "it to learn that it has lost its partitions")
    assert second.running


def all_applied(pipeline: Pipeline, events: list[Event]) -> bool:
    statuses = pipeline.ledger.statuses()
    return all(event.id in statuses for event in events)


def test_zombie_inside_a_transaction(bench: Pipeline, load: Load) -> None:
    """Frozen before COMMIT, its locks held: what meets them waits, in memory or in its lane, and the effect is there once."""
    bench.retry_role()
    zombie = bench.consumer(start=False).start("consumer.before_commit=stop@2")
    with load:
        wait_for(lambda: zombie.frozen, "the freeze")
        successor = bench.consumer()
        wait_for(lambda: successor.metric("webhook_processed_total", result="contended") > 0, "it to meet the locks")
        zombie.resume()
        load.goes_on()
    load.expect_applied_in_order()


def test_killed_member_is_replaced(bench: Pipeline, load: Load) -> None:
    first = bench.consumer()
    bench.consumer()
    with load:
        load.goes_on()
        first.kill()
        load.goes_on()
        bench.consumer()
    load.expect_applied_in_order()


def test_rebalance_that_begins_during_the_drain_does_not_spoil_the_end(bench: Pipeline) -> None:
    """One member drains, its event still at work, when another leaves: it has to give back what it is about to leave."""
    bench.config["kafka"]["options"] = {**QUICKLY_GONE, "debug": "cgrp"}
    members = [bench.consumer(), bench.consumer()]
    slow = snapshot("charge.updated", {"id": fresh_id("ch")})
    put(bench, slow)
    wait_for(lambda: any(in_work(one) for one in members), "one of them to work on it")
    member, other = members if in_work(members[0]) else reversed(members)
    member.ask_to_stop()
    other.ask_to_stop()
    wait_for(lambda: hears_of_a_rebalance(member), "its group to rebalance")
    assert member.wait_end() == 0 and other.wait_end() == 0
    assert not [line for line in member.decisions("librdkafka") if line["facility"] == "COMMITFAIL"]
    assert not member.decisions("commit_failed")
    bench.consumer()
    bench.ledger.expect_status(slow, "done")


def hears_of_a_rebalance(member: Program) -> bool:
    """A heartbeat was answered so after its drain began."""
    lines = member.log_lines()
    drained = next((number for number, line in enumerate(lines) if line["decision"] == "draining"), len(lines))
    return any("rebalance in progress" in line.get("message", "") for line in lines[drained:])
