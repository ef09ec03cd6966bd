"""kill -9 of the consumer at every step of events that do not wait: the next one goes on, every effect is there once.

The steps of those that wait in lanes: test_lanes.py and test_crash_lanes.py.
"""

from __future__ import annotations

import signal

import pytest

from tests.support import failpoints
from tests.support.events import fresh_id, payment, refund, snapshot, unmatched
from tests.support.lanes import expect_lane, expect_nothing_owed
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.records import put, put_again
from tests.support.wait import wait_for

BOTH = pytest.mark.databases("mysql", "mariadb")
POINTS = [point for point in failpoints.in_source("consumer") if point not in failpoints.of_waiting_events()]


class Story:
    """Events that take the consumer through every branch, and what must have become of them in the end."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.known_dead_letters = len(pipeline.log.read(pipeline.dlq))
        one, two, unit = fresh_id("cus"), fresh_id("cus"), fresh_id("pi")
        pipeline.ledger.open_wallet(one, two)
        self.applied = [payment(one, 10), payment(two, 20), refund(one, total=3), unmatched(),
                        *(payment(two, number, intent=unit) for number in range(1, 6))]
        self.dead = snapshot("payment_intent.succeeded", {"id": fresh_id("pi"), "customer": one, "amount": "a lot"})
        self.unreadable_key = f"stripe/acct_main/{fresh_id('pi')}".encode()

    def put_in(self) -> None:
        put(self.pipeline, *self.applied, self.dead)
        put_again(self.pipeline, self.applied[0])
        self.pipeline.log.append(self.pipeline.topic, b"no headers at all", key=self.unreadable_key)

    def expect_ended_well(self) -> None:
        ledger = self.pipeline.ledger
        ledger.expect_applied(*self.applied)
        ledger.expect_status(self.dead, "dead")
        self.pipeline.expect_caught_up()
        dead_letters = self.pipeline.log.read(self.pipeline.dlq)
        fresh = [dead_letter.text("ce_id") for dead_letter in dead_letters]
        assert self.dead.id in fresh and len(dead_letters) >= self.known_dead_letters + 2
        assert ledger.inbox_row(self.dead)["dlq_sent"] == 1
        expect_lane(self.pipeline, self.dead, "dead")
        expect_nothing_owed(self.pipeline)
        entries = ledger.query("SELECT kind FROM dead_letter WHERE closed_at IS NULL AND (event_id = %s OR object_key = %s)"
                               " ORDER BY id", self.dead.id, self.unreadable_key)
        assert sorted(kind for (kind,) in entries) == ["dead", "undecodable"]


@pytest.fixture
def story(bench: Pipeline) -> Story:
    bench.config["kafka"]["options"] = QUICKLY_GONE
    return Story(bench)


@pytest.mark.parametrize("point", POINTS)
def test_killed_and_replaced(bench: Pipeline, story: Story, point: str) -> None:
    story.put_in()
    victim = bench.consumer(start=False).start(f"{point}=kill@1")
    wait_for(lambda: not victim.running or caught_up(bench), "the victim to die or to finish", every=0.1)
    if victim.running:
        victim.stop()  # a failpoint of the shutdown
    assert victim.exit_code == -signal.SIGKILL, f"{point} was never hit\n{victim.story()}"
    assert point in victim.hit_failpoints()
    bench.consumer()
    story.expect_ended_well()


def caught_up(pipeline: Pipeline) -> bool:
    committed = pipeline.log.committed(pipeline.group, pipeline.topic)
    return all(committed[number] == end for number, end in pipeline.log.ends(pipeline.topic).items() if end > 0)


@BOTH
def test_each_step_fails_once_and_the_same_process_goes_on(bench: Pipeline, story: Story) -> None:
    story.put_in()
    consumer = bench.consumer(";".join(f"{point}=error@1" for point in POINTS))
    story.expect_ended_well()
    assert consumer.stop() == 0
    assert set(POINTS) <= consumer.hit_failpoints()


@BOTH
def test_killed_at_random_again_and_again(bench: Pipeline, story: Story) -> None:
    """Every step may be a consumer's last one, and each may fail before."""
    bench.config["consumer"] = {"batch": 3}
    story.put_in()
    units = [fresh_id("pi") for _ in range(7)]
    story.applied += (payment(story.applied[0].customer, number + 1, intent=units[number % 7]) for number in range(60))
    put(bench, *story.applied[-60:])
    dice = ";".join(f"{point}=kill@p0.03;{point}=error@p0.05" for point in POINTS)
    victim = bench.consumer(start=False)
    for _ in range(5):
        victim.start(dice)
        wait_for(lambda: not victim.running or caught_up(bench), "a crash", every=0.1)
        if victim.running:
            break
    victim.end_by_force()
    bench.consumer()
    story.expect_ended_well()
    bench.ledger.expect_each_objects_order(story.applied[-60:])
