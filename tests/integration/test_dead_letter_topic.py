"""The topic that dead letters go to may be missing, or be asked for more than it is used to."""

from __future__ import annotations

import pytest

from tests.support.dead_letter import dead_letter_of
from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.lanes import expect_lane, expect_nothing_owed, open_dead_letters
from tests.support.wait import wait_for
from tests.support.pipeline import Pipeline
from tests.support.records import put, put_records, record_of

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
    assert committed[first] <= 0, "the dead event was settled before its dead_letter"
    pipeline.log.create(pipeline.dlq, partitions=pipeline.partitions)
    dead_letter_of(pipeline, odd[0])
    consumer.ready()
    pipeline.expect_caught_up()
    expect_lane(pipeline, odd[0], "dead", "parked", "parked", "parked")
    expect_nothing_owed(pipeline)


def test_large_event_becomes_a_larger_dead_letter(pipeline: Pipeline, customer: str) -> None:
    """A body of the largest size that the ingress takes by default, with topics as `sluicectl topics` makes them."""
    pipeline.log.configure(pipeline.topic, max_message_bytes=str(2 << 20))
    pipeline.log.configure(pipeline.dlq, max_message_bytes=str(3 << 20))
    event = odd_payment(customer, filler="x" * ((1 << 20) - 1000))
    put(pipeline, event)
    pipeline.consumer()
    assert dead_letter_of(pipeline, event).value == event.body
    pipeline.expect_caught_up()


def test_event_that_the_topic_finds_too_large_goes_there_without_its_body(pipeline: Pipeline, customer: str) -> None:
    pipeline.log.configure(pipeline.dlq, max_message_bytes="20000")
    event = odd_payment(customer, filler="x" * 50_000)
    put(pipeline, event)
    pipeline.consumer()
    dead_letter = dead_letter_of(pipeline, event)
    assert dead_letter.value == b"" and dead_letter.text("sluice-body-left-out") == str(len(event.body))
    assert dead_letter.text("sluice-error-class") and dead_letter.text("ce_id") == event.id
    [[body]] = pipeline.ledger.query("SELECT body FROM lane_event")
    assert body == event.body, "MySQL keeps it"
    pipeline.expect_caught_up()


def test_record_that_the_topic_refuses_holds_nothing_but_itself(pipeline: Pipeline, customer: str) -> None:
    """Its headers alone are too large. Offsets go on, and so do the dead_letters of other events; it stays owed until it is taken."""
    pipeline.log.configure(pipeline.dlq, max_message_bytes="8000")
    refused, taken = odd_payment(customer), odd_payment(customer, id=fresh_id("pi"))
    free = [payment(customer, number + 1) for number in range(10)]
    put_records(pipeline, record_of(refused, http_x="x" * 20_000))
    put(pipeline, taken, *free)
    consumer = pipeline.consumer(role="both")
    dead_letter_of(pipeline, taken)
    pipeline.ledger.expect_applied(*free)
    pipeline.expect_caught_up()
    consumer.ready()
    assert pipeline.ledger.query("SELECT event_id FROM dead_letter WHERE dlq_sent = 0") == [(refused.id.encode(),)]
    assert not [dead_letter for dead_letter in pipeline.log.read(pipeline.dlq) if dead_letter.text("ce_id") == refused.id]
    assert (refused.id, "park") in open_dead_letters(pipeline) or (refused.id, "data") in open_dead_letters(pipeline)
    pipeline.log.configure(pipeline.dlq, max_message_bytes="100000")
    wait_for(lambda: [dead_letter for dead_letter in pipeline.log.read(pipeline.dlq) if dead_letter.text("ce_id") == refused.id] or None,
             "the sweeper to pay what is owed", within=60)
    expect_nothing_owed(pipeline)
