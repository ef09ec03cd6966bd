"""One partition of the topic has no leader: it waits, and nothing else does; or it is not used, and means nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.events import Event, fresh_id, payment
from tests.support.kafka_log import java_partition
from tests.support.lanes import key_of
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.servers import Servers
from tests.support.two_brokers import TwoBrokers
from tests.support.wait import stays, wait_for

LONELY = 2  # the partition on the broker that goes away
WAITING = "sluice_consumer_partitions_waiting"
ASSIGNED = "sluice_consumer_partitions_assigned"  # of the last look: it may be a second old
CHANGED = "sluice_consumer_partitions_changed"


@pytest.fixture(scope="module")
def brokers(servers: Servers) -> Iterator[TwoBrokers]:
    brokers = TwoBrokers(servers, "two-brokers")
    yield brokers
    brokers.stop()


@pytest.fixture
def pipeline(new_pipeline, brokers: TwoBrokers) -> Iterator[Pipeline]:
    pipeline = new_pipeline(kafka=brokers.first)
    pipeline.config["kafka"]["options"] = QUICKLY_GONE
    yield brokers.prepare(pipeline, LONELY)
    brokers.bring_second_back()


@pytest.fixture
def customer(pipeline: Pipeline) -> str:
    name = fresh_id("cus")
    pipeline.ledger.open_wallet(name)
    return name


def partition_of(event: Event) -> int:
    return java_partition(key_of(event).encode(), 3)


def round_of(customer: str, units: list[str]) -> list[Event]:
    return [payment(customer, 1, intent=unit) for unit in units]


def of_both_kinds(events: list[Event]) -> tuple[list[Event], list[Event]]:
    """Those that can be read, and those that wait."""
    lonely = [event for event in events if partition_of(event) == LONELY]
    others = [event for event in events if partition_of(event) != LONELY]
    assert lonely and others
    return others, lonely


def expect_waiting(pipeline: Pipeline, consumer: Program, lonely: list[Event]) -> None:
    wait_for(lambda: consumer.metric(WAITING) == 1, "the partition to wait")
    statuses = pipeline.ledger.statuses()
    assert consumer.running and not [event for event in lonely if event.id in statuses]
    wait_for(lambda: {line["partition"] for line in consumer.decisions("log_start_unknown")} == {LONELY}, "its log to say so")


def has_none(consumer: Program) -> None:
    assert consumer.metric(WAITING) == 0, "it waits for what is another member's"


def test_only_the_partition_without_a_leader_waits(pipeline: Pipeline, brokers: TwoBrokers, customer: str) -> None:
    """It goes on where it was once it has one, and nothing of it is skipped or read twice."""
    units = [fresh_id("pi") for _ in range(30)]
    early, late = round_of(customer, units), round_of(customer, units)
    before = pipeline.consumer()
    put(pipeline, *early)
    pipeline.ledger.expect_applied(*early)
    pipeline.expect_caught_up()
    assert before.stop() == 0
    put(pipeline, *late)
    others, lonely = of_both_kinds(late)
    brokers.lose_second(pipeline.topic)

    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(*early, *others)
    expect_waiting(pipeline, consumer, lonely)
    wait_for(lambda: consumer.metric(ASSIGNED) == 2, "the others to be counted")
    more = [event for event in round_of(customer, units) if partition_of(event) != LONELY]
    put(pipeline, *more)
    pipeline.ledger.expect_applied(*early, *others, *more)  # also while it is asked for again and again

    brokers.bring_second_back()
    pipeline.ledger.expect_applied(*early, *late, *more)
    pipeline.ledger.expect_each_objects_order([*early, *late, *more])
    pipeline.expect_caught_up()
    assert consumer.metric(WAITING) == 0
    wait_for(lambda: consumer.metric(ASSIGNED) == 3, "all to be counted")
    consumer.expect_duplicates(0)
    assert consumer.metric("sluice_consumer_gap_events_total") == 0
    assert len(consumer.decisions("log_start_unknown")) <= 2, "said once for each reason"


def test_a_partition_that_waits_can_be_taken_away(pipeline: Pipeline, brokers: TwoBrokers, customer: str) -> None:
    """Others come until one of them is given it, then all but one end: who has it in the end reads it."""
    events = round_of(customer, [fresh_id("pi") for _ in range(30)])
    put(pipeline, *events)
    readable, lonely = of_both_kinds(events)
    brokers.lose_second(pipeline.topic)
    first = pipeline.consumer()
    pipeline.ledger.expect_applied(*readable)
    expect_waiting(pipeline, first, lonely)
    others = []
    while first.decisions("assigned")[-1]["waiting"] and len(others) < 5:  # who gets it is a matter of chance
        others.append(pipeline.consumer())
        wait_for(lambda: len(first.decisions("assigned")) > len(others), "partitions to be handed out anew")
    stays(lambda: has_none(first), during=3)  # it would ask for it again within two seconds
    wait_for(lambda: [each.metric(WAITING) for each in others].count(1) == 1, "another one to have it")
    for program in (first, *others[:-1]):
        assert program.stop() == 0
    expect_waiting(pipeline, others[-1], lonely)
    brokers.bring_second_back()
    pipeline.ledger.expect_applied(*events)
    pipeline.ledger.expect_each_objects_order(events)
    pipeline.expect_caught_up()



def test_an_unused_partition_that_cannot_be_read_is_no_change(pipeline: Pipeline, brokers: TwoBrokers) -> None:
    """Nobody knows whether events lie where none belong: consumers wait until it is known, and nobody is paged."""
    pipeline.config["kafka"]["partitions"] = LONELY
    brokers.lose_second(pipeline.topic)
    consumer = pipeline.consumer(start=False).start()
    consumer.expect_not_ready(f"the end of partition {LONELY} cannot be read")
    assert consumer.metric(CHANGED) == 0 and not consumer.decisions("partitions_changed")
    brokers.bring_second_back()
    consumer.ready()
    assert consumer.metric(CHANGED) == 0


def test_what_is_known_of_a_change_stays_known(pipeline: Pipeline, brokers: TwoBrokers) -> None:
    """Events lie where none belong; that their broker goes away mends nothing."""
    pipeline.config["kafka"]["partitions"] = LONELY
    pipeline.log.append(pipeline.topic, b"{}", partition=LONELY)
    consumer = pipeline.consumer(start=False).start()
    consumer.expect_not_ready(f"partition {LONELY} has events")
    brokers.lose_second(pipeline.topic)
    wait_for(lambda: "has events" not in consumer.get("/readyz")[1], "it to be without an answer")
    consumer.expect_metric(1, CHANGED)
