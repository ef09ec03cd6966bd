"""The topic that dead letters go to may be missing, or be asked for more than it is used to."""

from __future__ import annotations

import pytest

from tests.support.dead_letter import dead_letter_of
from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.lanes import expect_lane, expect_no_debt
from tests.support.pipeline import Pipeline
from tests.support.records import put

UNIT = fresh_id("pi")


@pytest.fixture
def customer(pipeline: Pipeline) -> str:
    """With an empty wallet."""
    name = fresh_id("cus")
    pipeline.ledger.open_wallet(name)
    return name


def odd_payment(customer: str, **more: object) -> Event:
    return snapshot("payment_intent.succeeded", {"id": UNIT, "customer": customer, "amount": "none", **more})


def test_missing_dlq_topic_settles_nothing_and_holds_only_its_own(pipeline: Pipeline, customer: str) -> None:
    """The dead event stays owed, its offset and those of its followers wait, others go on; all is mended once the topic
    is there."""
    pipeline.log.delete(pipeline.dlq)
    consumer = pipeline.consumer(start=False).start()
    consumer.expect_not_ready(pipeline.dlq)
    odd = [odd_payment(customer) for _ in range(4)]
    put(pipeline, *odd)
    pipeline.ledger.expect_status(odd[0], "dead")
    free = [payment(customer, number + 1) for number in range(20)]
    put(pipeline, *free)
    pipeline.ledger.expect_applied(*free, within=8)
    committed = pipeline.log.committed(pipeline.group, pipeline.topic)
    [first] = {record.partition for record in pipeline.log.read(pipeline.topic) if record.text("ce_id") == odd[0].id}
    assert committed[first] <= 0, "the dead event was settled before its letter"
    pipeline.log.create(pipeline.dlq, partitions=pipeline.partitions)
    dead_letter_of(pipeline, odd[0])
    consumer.ready()
    pipeline.expect_caught_up()
    expect_lane(pipeline, odd[0], "dead", "parked", "parked", "parked")
    expect_no_debt(pipeline)


def test_large_event_becomes_a_larger_dead_letter(pipeline: Pipeline, customer: str) -> None:
    """A body of the largest size that the ingress takes by default, with topics as `sluicectl topics` makes them."""
    pipeline.log.configure(pipeline.topic, max_message_bytes=str(2 << 20))
    pipeline.log.configure(pipeline.dlq, max_message_bytes=str(3 << 20))
    event = odd_payment(customer, filler="x" * ((1 << 20) - 1000))
    put(pipeline, event)
    pipeline.consumer()
    assert dead_letter_of(pipeline, event).value == event.body
    pipeline.expect_caught_up()
