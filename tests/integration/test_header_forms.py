"""A record may say what its event is in one header or in many: it is the same event, whoever wrote it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from deploy.demo.packed_header import PACKED
from tests.support.dead_letter import dead_letter_of
from tests.support.effects import parks_without_a_wallet
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.kafka_log import LogRecord
from tests.support.lanes import expect_lane
from tests.support.operators import ask
from tests.support.pipeline import Pipeline
from tests.support.provider import Provider

FORMS = ("packed", "cloudevents")
HEADER_EFFECT = {
    "name": "keep-signature", "when": {"source": "stripe-eu", "type": "payment_intent.succeeded", "trust": "fields"},
    "let": {"signature": {"header": "Stripe-Signature"}},
    "sql": [{"run": "INSERT INTO email_request (event, customer, address) VALUES (:event_id, 'x', SUBSTR(:signature, 1, 2))",
             "rows": {1: "done"}}]}


@pytest.fixture
def writing(pipeline: Pipeline) -> Callable[[str], Provider]:
    """The way to an ingress that writes this form, and that no Redis tells what others have published."""
    pipeline.config["redis"] = {"urls": []}

    def provider(form: str) -> Provider:
        pipeline.config["kafka"]["headers"] = form
        return pipeline.provider(pipeline.ingress())
    return provider


def record_of(pipeline: Pipeline, event: Event) -> LogRecord:
    [record] = [record for record in pipeline.log.read(pipeline.topic) if record.text("ce_id") == event.id]
    return record


def test_packed_record_has_one_header_beside_its_trace_and_is_applied_once(pipeline: Pipeline, writing) -> None:
    pipeline.ledger.open_wallet("cus_1")
    provider, consumer = writing("packed"), pipeline.consumer()
    event = payment("cus_1", 7)
    provider.deliver(event).expect(200)
    pipeline.ledger.expect_applied(event)
    assert pipeline.ledger.balance("cus_1") == 7
    record = record_of(pipeline, event)
    assert [name for name, _ in record.headers] == [PACKED, "traceparent"]
    assert (record.text("ce_type"), record.text("ce_subject")) == (event.type, event.object)
    assert len(record.header(PACKED) or b"") < 600
    traced = [*provider.headers((second := payment("cus_1", 1)).body), ("traceparent", f"00-{'ab' * 16}-{'cd' * 8}-01"), ("tracestate", "a=1")]
    assert provider.post(second.body, traced).status == 200
    assert [name for name, _ in record_of(pipeline, second).headers] == [PACKED, "traceparent", "tracestate"]
    assert consumer.metric("webhook_processed_total", result="duplicate") == 0


@pytest.mark.parametrize("first", FORMS)
def test_redelivery_in_the_other_form_is_a_duplicate(pipeline: Pipeline, writing, first: str) -> None:
    pipeline.ledger.open_wallet("cus_1")
    event = payment("cus_1", 7)
    consumer = pipeline.consumer()
    for form in sorted(FORMS, key=lambda form: form != first):
        writing(form).deliver(event).expect(200)
    one, other = [record for record in pipeline.log.read(pipeline.topic) if record.text("ce_id") == event.id]
    assert [bool(record.header(PACKED)) for record in (one, other)] == [first == "packed", first != "packed"]
    assert [name for name, _ in one.separated] == [name for name, _ in other.separated]
    consumer.expect_duplicates(1)
    pipeline.ledger.expect_applied(event)
    assert pipeline.ledger.balance("cus_1") == 7


def test_dead_record_stays_packed_and_operators_see_and_retry_it(pipeline: Pipeline, writing) -> None:
    pipeline.config["effects"].append(parks_without_a_wallet())
    pipeline.config["consumer"] = {"in_place": "0s", "dead_letter_budget": {"events": 0}}
    customer = fresh_id("cus")
    event = paid_invoice(customer)
    provider = writing("packed")
    pipeline.consumer(role="both")
    provider.deliver(event).expect(200)
    dead_letter, origin = dead_letter_of(pipeline, event), record_of(pipeline, event)
    assert dead_letter.headers[:len(origin.headers)] == origin.headers
    assert [name for name, _ in origin.headers] == [PACKED, "traceparent"]
    assert dead_letter.text("kafka_dlt-original-topic") == pipeline.topic
    assert dead_letter.text("__connect.errors.offset") == str(origin.offset)
    [entry] = json.loads(pipeline.ctl("dlq", "show", event.id, "--json").stdout)["entries"]
    assert ["ce_id", event.id] in entry["headers"] and PACKED not in dict(entry["headers"])
    [life] = json.loads(pipeline.ctl("event", "show", event.id, "--json").stdout)["events"]
    assert life["steps"][0]["step"] == "provider" and life["steps"][0]["time"], "the time that only the record says"
    pipeline.ledger.open_wallet(customer)
    assert ask(pipeline, "retry", event)
    pipeline.ledger.expect_applied(event)
    expect_lane(pipeline, event)


def test_objects_keep_their_order_over_both_forms(pipeline: Pipeline, writing) -> None:
    pipeline.ledger.open_wallet("cus_1")
    pipeline.consumer()
    ways = [writing(form) for form in FORMS]
    events = [payment("cus_1", number + 1, intent="pi_same") for number in range(10)]
    for number, event in enumerate(events):
        ways[number % 2].deliver(event).expect(200)
    pipeline.ledger.expect_applied(*events)
    pipeline.ledger.expect_each_objects_order(events)
    packed = [bool(record.header(PACKED)) for record in pipeline.log.read(pipeline.topic)]
    assert packed == [True, False] * 5


def test_effects_read_request_headers_of_either(pipeline: Pipeline, writing) -> None:
    pipeline.config["effects"] = [HEADER_EFFECT]
    pipeline.consumer()
    events = [payment() for _ in FORMS]
    for form, event in zip(FORMS, events, strict=True):
        writing(form).deliver(event).expect(200)
    for event in events:
        pipeline.ledger.expect_status(event, "done")
    assert pipeline.ledger.query("SELECT address FROM email_request") == [("t=",)] * 2


def test_archive_says_the_same_of_either(pipeline: Pipeline, writing) -> None:
    pipeline.ledger.open_wallet("cus_1")
    pipeline.consumer()
    events = [payment() for _ in FORMS]
    for form, event in zip(FORMS, events, strict=True):
        writing(form).deliver(event).expect(200)
    for event in events:
        pipeline.ledger.expect_status(event, "done")
        [[kept]] = pipeline.ledger.query("SELECT headers FROM event_payload WHERE dedup_key = %s", pipeline.ledger.inbox_row(event)["dedup_key"])
        assert [(name, value.encode()) for name, value in json.loads(kept)] == record_of(pipeline, event).separated
