"""Text from outside in logs and spans: one JSON object in each line, whatever it is made of."""

from __future__ import annotations

import pytest

from tests.support.collector import Collector, traced
from tests.support.events import fresh_id, payment, snapshot
from tests.support.pipeline import PATH, Pipeline
from tests.support.records import put_records, record_of
from tests.support.wait import wait_for

QUOTES = '"},{"level":"error","decision":"made_up"}\\u000a\\'


def test_ids_and_types_of_events(pipeline: Pipeline, collector: Collector) -> None:
    """As far as the ingress reads an event at all: printable, and not too long."""
    traced(pipeline, collector)
    ingress, consumer = pipeline.ingress(), pipeline.consumer()
    event = snapshot(f"type{QUOTES}", {"id": fresh_id("pi")}, event_id=f"{fresh_id('evt')}{QUOTES}")
    pipeline.provider(ingress).deliver(event).expect(200)
    for program, decision in ((ingress, "accepted"), (consumer, "ignored")):
        wait_for(lambda: program.decisions(decision), f"a line of {program.label}")
        [line] = program.decisions(decision)
        assert (line["event"], line["type"], line["level"]) == (event.id, event.type, "info")
        assert not program.decisions("made_up")
    for name in (f"POST {PATH}", f"process {pipeline.topic}"):
        span = collector.wait_for_span(name, cloudevents_event_id=event.id)
        assert span.attributes["cloudevents.event_type"] == event.type


RAW = {
    "no UTF-8": (b"evt_\xff\xc3(\xed\xa0\x80\xf5", "evt_\ufffd\ufffd(\ufffd\ufffd\ufffd\ufffd"),
    "controls": (b"evt_\x00\x01\x07\b\t\n\r\x1b[2J\x7f\xc2\x85\"\\", 'evt_\x00\x01\x07\b\t\n\r\x1b[2J\x7f\x85"\\'),
    "other lines": ("evt_\u2028\u2029\u202e\U0001f4a3".encode(), "evt_\u2028\u2029\u202e\U0001f4a3")}


@pytest.mark.parametrize("what", RAW)
def test_bytes_of_a_record(pipeline: Pipeline, collector: Collector, what: str) -> None:
    """Whoever may write to the topic may put anything into a record."""
    raw, shown = RAW[what]
    traced(pipeline, collector)
    consumer = pipeline.consumer()
    key, body, headers = record_of(payment("cus_1", 100))
    put_records(pipeline, (key + raw, body, [(name, raw if name == "ce_id" else value) for name, value in headers]))
    span = collector.wait_for_span(f"process {pipeline.topic}")
    assert span.attributes["cloudevents.event_id"] == shown
    wait_for(lambda: [line for line in consumer.log_lines() if line.get("event") == shown], "the event's line")


def test_an_id_that_fits_nowhere(pipeline: Pipeline, collector: Collector) -> None:
    """No table takes it and no line repeats it; its trace is told all the same."""
    traced(pipeline, collector)
    consumer = pipeline.consumer()
    key, body, headers = record_of(payment("cus_1", 100))
    put_records(pipeline, (key, body, [(name, b'"' * 10_000 if name == "ce_id" else value) for name, value in headers]))
    span = collector.wait_for_span(f"process {pipeline.topic}", sluice_disposition="dead")
    assert span.attributes["error.type"] == "undecodable" and "cloudevents.event_id" not in span.attributes
    wait_for(lambda: consumer.decisions("dead"), "the event's line")
    assert consumer.decisions("dead")[0]["trace"] == span.trace


def test_what_a_refused_client_sends(pipeline: Pipeline) -> None:
    ingress = pipeline.ingress()
    provider = pipeline.provider(ingress)
    for fields in ([("Stripe-Signature", 't="},{"a":"b')], [("Stripe-Signature", "t=1,v1=\x80\xff")], []):
        assert provider.post(b"{}", [("Content-Type", 'application/"json'), *fields]).status == 400
    wait_for(lambda: len(ingress.decisions("refused_signature") + ingress.decisions("gate_refused")) == 3, "three lines")
