"""What becomes of an event behind Kafka, in the trace of its request: tries, transactions, dead letters, commands."""

from __future__ import annotations

import secrets

from tests.support.collector import CLIENT, CONSUMER, Collector, Span, hanging, traced
from tests.support.commands import RETRY, SKIP, entry_of, expect_answer, send
from tests.support.dead_letter import dead_letter_of
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.lanes import expect_lane
from tests.support.pipeline import PATH, Pipeline
from tests.support.program import Program
from tests.support.records import put, put_records, record_of
from tests.support.wait import wait_for

AT_ONCE = {"in_place": "0s", "dead_letter_budget": {"events": 0}}


def record_in_trace(pipeline: Pipeline, event: Event, flags: str = "00"):
    """A record of `event`, and the trace and span that it names."""
    trace, span = secrets.token_hex(16), secrets.token_hex(8)
    return record_of(event, secret=pipeline.secret, traceparent=f"00-{trace}-{span}-{flags}"), trace, span


def tries(pipeline: Pipeline, collector: Collector, event: Event) -> list[Span]:
    return collector.named(f"process {pipeline.topic}", cloudevents_event_id=event.id)


def wait_for_fate(pipeline: Pipeline, collector: Collector, event: Event, fate: str, times: int = 1) -> list[Span]:
    def found() -> list[Span]:
        spans = [span for span in tries(pipeline, collector, event) if span.attributes["sluice.disposition"] == fate]
        assert len(spans) >= times, [span.attributes["sluice.disposition"] for span in tries(pipeline, collector, event)]
        return spans
    return wait_for(found, f"{times} tries of {event.id} that end {fate}")


def doomed(pipeline: Pipeline) -> Event:
    """Dies at its second try, as long as its customer has no wallet."""
    pipeline.config["effects"].append({**WANTS_A_ROW, "retry": {"attempts": 2}})
    pipeline.config["consumer"] = dict(AT_ONCE)
    return paid_invoice(fresh_id("cus"))


def test_one_trace_from_request_to_commit(pipeline: Pipeline, collector: Collector) -> None:
    traced(pipeline, collector)
    pipeline.ledger.open_wallet("cus_1")
    pipeline.consumer()
    provider = pipeline.provider(pipeline.ingress())
    event = payment("cus_1", 100)
    provider.deliver(event).expect(200)
    [process] = wait_for_fate(pipeline, collector, event, "done")
    transaction = wait_for(lambda: [span for span in collector.named("transaction") if span.parent == process.id],
                           "its transaction")[0]
    send_, request = collector.wait_for_span(f"send {pipeline.topic}"), collector.wait_for_span(f"POST {PATH}")
    assert (process.kind, transaction.kind) == (CONSUMER, CLIENT)
    assert process.parent == send_.id and send_.parent == request.id and request.parent == ""
    assert {process.trace, transaction.trace, send_.trace} == {request.trace}
    assert process.began <= transaction.began <= transaction.ended <= process.ended
    assert (request.service, process.service) == ("sluice-ingress", "sluice-consumer")
    [record] = pipeline.log.read(pipeline.topic)
    assert process.attributes == {
        "messaging.system": "kafka", "messaging.operation.name": "process", "messaging.operation.type": "process",
        "messaging.destination.name": pipeline.topic, "messaging.destination.partition.id": str(record.partition),
        "messaging.kafka.offset": record.offset, "messaging.consumer.group.name": pipeline.group,
        "sluice.source": "stripe-eu", "cloudevents.event_id": event.id, "cloudevents.event_type": event.type,
        "sluice.disposition": "done", "sluice.attempts": 0}


def test_a_shared_transaction_is_linked_both_ways(pipeline: Pipeline, collector: Collector) -> None:
    pipeline.partitions = 1
    traced(pipeline, collector, ratio=0)
    pipeline.config["consumer"] = {"workers": 1}
    pipeline.ledger.open_wallet("cus_1")
    events = [payment("cus_1", 100 + number) for number in range(40)]
    kept = {}
    records = []
    for number, event in enumerate(events):
        record, trace, span = record_in_trace(pipeline, event, "01" if number % 4 == 0 else "00")
        records.append(record)
        if number % 4 == 0:
            kept[event.id] = (trace, span)
    put_records(pipeline, *records)
    pipeline.consumer()
    pipeline.ledger.expect_applied(*events)
    told = wait_for(lambda: len(found := collector.named(f"process {pipeline.topic}")) == len(kept) and found, "the kept ones")
    shared = {(span.trace, span.id): span for span in collector.named("transaction") if not span.parent}
    assert shared, "40 events that wait are not applied one by one"
    for span in told:
        assert (span.trace, span.parent) == kept[span.attributes["cloudevents.event_id"]]
        for link in span.links:
            assert (span.trace, span.parent) in shared[link].links
            assert shared[link].attributes["messaging.batch.message_count"] > 1
    assert sum(len(span.links) for span in shared.values()) == sum(len(span.links) for span in told) > 0


def test_what_is_not_kept_and_goes_well_is_not_told(pipeline: Pipeline, collector: Collector) -> None:
    traced(pipeline, collector, ratio=0)
    pipeline.ledger.open_wallet("cus_1")
    silent, told = payment("cus_1", 100), payment("cus_1", 200)
    put_records(pipeline, record_in_trace(pipeline, silent)[0], record_in_trace(pipeline, told, "01")[0])
    pipeline.consumer()
    wait_for_fate(pipeline, collector, told, "done")
    pipeline.ledger.expect_applied(silent, told)
    assert not tries(pipeline, collector, silent)


def test_a_death_is_told_unsampled_and_what_became_of_it(pipeline: Pipeline, collector: Collector) -> None:
    """Try, retry, death, dead letter, an operator's retry and its success: one trace, which nobody kept."""
    event = doomed(traced(pipeline, collector, ratio=0))
    record, trace, publish = record_in_trace(pipeline, event)
    put_records(pipeline, record)
    pipeline.consumer(role="both")
    dead_letter_of(pipeline, event)
    [first] = wait_for_fate(pipeline, collector, event, "retried")
    [death] = wait_for_fate(pipeline, collector, event, "dead")
    dead_letter = collector.wait_for_span(f"send {pipeline.dlq}")
    assert dead_letter.kind == CLIENT and dead_letter.attributes["sluice.reason"] == "exhausted"
    assert first.failed and death.failed and not dead_letter.failed
    assert first.attributes["error.type"] == "retried" and death.attributes["error.type"] == "exhausted"
    assert first.attributes["sluice.attempts"] == 1 and death.attributes["sluice.attempts"] == 2

    customer = event.customer
    pipeline.ledger.open_wallet(customer)
    entry = entry_of(pipeline, event)
    expect_answer(pipeline, send(pipeline, RETRY, event), "carried_out")
    pipeline.ledger.expect_applied(event)
    command = collector.wait_for_span(f"process {pipeline.commands}")
    [success] = wait_for_fate(pipeline, collector, event, "done")
    assert command.attributes["sluice.action"] == "retry" and command.attributes["sluice.answer"] == "carried_out"
    assert command.attributes.get("sluice.dead_letter", entry) == entry and not command.failed
    for span in (first, death, dead_letter, command, success):
        assert (span.trace, span.parent, span.flags) == (trace, publish, 0)
    [dead] = pipeline.log.read(pipeline.dlq)
    assert dead.text("traceparent") == f"00-{trace}-{publish}-00", "every hop keeps the first one"


def test_a_skip_and_a_refusal_are_told(pipeline: Pipeline, collector: Collector) -> None:
    event = doomed(traced(pipeline, collector, ratio=0))
    record, trace, publish = record_in_trace(pipeline, event)
    put_records(pipeline, record)
    pipeline.consumer(role="both")
    dead_letter_of(pipeline, event)
    expect_answer(pipeline, send(pipeline, SKIP, event), "carried_out")
    expect_lane(pipeline, event)
    skip = collector.wait_for_span(f"process {pipeline.commands}", sluice_action="skip")
    assert (skip.trace, skip.parent) == (trace, publish)
    expect_answer(pipeline, send(pipeline, SKIP, event), "refused", "finished")
    refusal = collector.wait_for_span(f"process {pipeline.commands}", sluice_answer="refused")
    assert refusal.failed and refusal.attributes["error.type"] == "finished"
    assert refusal.parent == "" and refusal.trace != trace, "what it was about is gone"


def test_an_entry_of_the_quarantine_is_in_its_requests_trace(pipeline: Pipeline, collector: Collector) -> None:
    traced(pipeline, collector, ratio=0)
    provider = pipeline.provider(pipeline.ingress())
    body = b"hello"
    assert provider.post(body, provider.headers(body)).status == 200
    pipeline.retry_role()
    send_ = collector.wait_for_span(f"send {pipeline.quarantine}")
    entry = collector.wait_for_span(f"process {pipeline.quarantine}")
    assert (entry.trace, entry.parent) == (send_.trace, send_.id)
    assert entry.attributes["sluice.reason"] and entry.attributes["sluice.dead_letter"] > 0


def test_a_collector_that_hangs_delays_no_event(pipeline: Pipeline, collector: Collector) -> None:
    collector.behaviour = hanging
    traced(pipeline, collector)
    pipeline.ledger.open_wallet("cus_1")
    events = [payment("cus_1", 100 + number) for number in range(50)]
    put(pipeline, *events)
    consumer: Program = pipeline.consumer()
    pipeline.ledger.expect_applied(*events)
    wait_for(lambda: collector.requests > 0, "the collector to be asked")
    assert consumer.stop() == 0, consumer.story()
