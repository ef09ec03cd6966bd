"""A webhook goes in, lies in Kafka as the wire format says, and its effect is in the database once."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime

import pytest

from tests.support.events import Event, failed_invoice, payment, refund, thin, unmatched
from tests.support.kafka_log import java_partition
from tests.support.pipeline import PRINCIPAL, SOURCE, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider


@pytest.mark.databases("mysql", "mariadb")
def test_event_is_applied_once(pipeline: Pipeline, provider: Provider, consumer: Program) -> None:
    pipeline.ledger.open_wallet("cus_1")
    event = payment("cus_1", 2500)
    provider.deliver(event).expect(200)
    pipeline.ledger.expect_balance("cus_1", 2500)
    pipeline.ledger.expect_ledger_rows(1, event)
    pipeline.expect_caught_up()


@pytest.mark.databases("mysql", "mariadb")
def test_repeated_delivery_is_answered_and_applied_once(pipeline: Pipeline, provider: Provider,
                                                        consumer: Program) -> None:
    pipeline.ledger.open_wallet("cus_1")
    event = payment("cus_1", 700)
    provider.deliver(event).twice().expect(200)
    provider.deliver(event).times(3).expect(200)
    pipeline.ledger.expect_ledger_rows(1)
    pipeline.ledger.expect_balance("cus_1", 700)
    pipeline.expect_published(event, times=1)


def test_mixed_traffic_ends_in_equality(pipeline: Pipeline, provider: Provider, consumer: Program) -> None:
    customers = [f"cus_{number}" for number in range(5)]
    pipeline.ledger.open_wallet(*customers)
    for number in range(60):
        provider.deliver(payment(customers[number % 5], 100 + number))
        if number % 6 == 0:
            provider.deliver(refund(customers[number % 5], total=30, before=10)).twice()
        if number % 10 == 0:
            provider.deliver(failed_invoice(customers[number % 5]))
            provider.deliver(unmatched())
    for delivery in provider.deliveries:
        delivery.expect(200)
    pipeline.expect_exactly_once()
    pipeline.expect_caught_up()


@pytest.mark.parametrize("make", [payment, refund, failed_invoice], ids=lambda make: make.__name__)
def test_snapshot_record_is_as_the_wire_format_says(pipeline: Pipeline, provider: Provider, make) -> None:
    event = make(total=5) if make is refund else make()
    provider.deliver(event).expect(200)
    expect_wire_format(pipeline, event)


def test_thin_record_is_as_the_wire_format_says(pipeline: Pipeline, provider: Provider) -> None:
    event = thin()
    provider.deliver(event).expect(200)
    expect_wire_format(pipeline, event)


def expect_wire_format(pipeline: Pipeline, event: Event) -> None:
    [record] = pipeline.log.read(pipeline.topic)
    assert record.value == event.body, "the body is not byte for byte what the provider sent"
    assert record.key == f"stripe/{PRINCIPAL}/{event.object}".encode()
    assert record.partition == java_partition(record.key, pipeline.partitions)
    names = [name for name, _ in record.separated]
    assert len(names) == len(set(names)), f"a header is there twice: {names}"
    for name, value in expected_headers(event).items():
        assert record.text(name) == value, name
    sent = json.loads(event.body)
    assert record.text("sluice-livemode") == str(sent["livemode"]).lower()
    expect_times(record.text("ce_time"), record.text("sluice-received-at"), sent["created"])
    assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}", record.text("traceparent") or "")
    assert re.fullmatch(r"[0-9a-f]{64}", record.text("sluice-digest") or "")
    assert record.text("http-stripe-signature") in signed_as(pipeline)


def signed_as(pipeline: Pipeline) -> set[str]:
    """Every Stripe-Signature that this test's providers sent, whatever the second."""
    sent = {hexed for provider in pipeline.providers for hexed in provider.signatures}
    [record] = pipeline.log.read(pipeline.topic)
    header = record.text("http-stripe-signature") or ""
    return {header} if header.partition(",v1=")[2] in sent else set()


def expected_headers(event: Event) -> dict[str, str]:
    return {
        "ce_specversion": "1.0", "ce_id": event.id, "ce_source": f"stripe/{PRINCIPAL}", "ce_type": event.type,
        "ce_subject": event.object, "content-type": "application/json; charset=utf-8",
        "sluice-source": SOURCE, "sluice-provider": "stripe", "sluice-principal": PRINCIPAL, "sluice-key": "current",
        "sluice-dedup-key": dedup_key("stripe", PRINCIPAL, False, event.id), "sluice-event-day": created(event)[:10]}


def created(event: Event) -> str:
    """The event's own time as RFC 3339."""
    value = json.loads(event.body)["created"]
    return value if isinstance(value, str) else datetime.fromtimestamp(value, UTC).isoformat()


def expect_times(ce_time: str | None, received_at: str | None, sent: int | str) -> None:
    occurred = datetime.fromisoformat(ce_time or "")
    wanted = datetime.fromisoformat(sent) if isinstance(sent, str) else datetime.fromtimestamp(sent, UTC)
    assert occurred == wanted
    received = datetime.fromisoformat(received_at or "")
    assert abs((datetime.now(UTC) - received).total_seconds()) < 60
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", received_at or "")


def dedup_key(provider: str, principal: str, livemode: bool, event_id: str) -> str:
    """SHA-256 over the parts, each with its length before it as eight bytes, big-endian."""
    digest = hashlib.sha256()
    for part in (provider, principal, "live" if livemode else "test", event_id):
        digest.update(len(part.encode()).to_bytes(8, "big") + part.encode())
    return digest.hexdigest()


def test_callers_trace_goes_on(pipeline: Pipeline, provider: Provider) -> None:
    event = payment()
    trace = "0af7651916cd43dd8448eb211c80319c"
    headers = [*provider.headers(event.body), ("traceparent", f"00-{trace}-b7ad6b7169203331-01"),
               ("tracestate", "vendor=1")]
    assert provider.post(event.body, headers).status == 200
    [record] = pipeline.log.read(pipeline.topic)
    assert (record.text("traceparent") or "").split("-")[1] == trace
    assert record.text("tracestate") == "vendor=1"


def test_events_of_one_object_share_a_partition_and_keep_their_order(pipeline: Pipeline, provider: Provider) -> None:
    events = [payment(intent="pi_same", amount=number + 1) for number in range(12)]
    events.insert(6, refund(total=3, intent="pi_same"))  # ordered by its payment intent
    for event in events:
        provider.deliver(event).expect(200)
    records = pipeline.log.read(pipeline.topic)
    assert len({record.partition for record in records}) == 1
    assert [record.text("ce_id") for record in records] == [event.id for event in events]


def test_inbox_row_says_where_the_event_came_from(pipeline: Pipeline, provider: Provider, consumer: Program) -> None:
    pipeline.ledger.open_wallet("cus_1")
    event = payment("cus_1")
    provider.deliver(event).expect(200)
    row = pipeline.ledger.expect_status(event, "done")
    [record] = pipeline.log.read(pipeline.topic)
    assert row["dedup_key"].hex() == record.text("sluice-dedup-key")
    assert row["content_digest"].hex() == record.text("sluice-digest")
    assert (row["topic"].decode(), row["partition_no"], row["offset_no"]) == (
        pipeline.topic, record.partition, record.offset)
    assert (row["source"].decode(), row["type"].decode()) == (SOURCE, event.type)
    assert row["object_key"] == record.key
    assert str(row["event_day"]) == created(event)[:10]
    assert row["finished_at"] >= row["received_at"]


def test_request_is_archived_as_received(pipeline: Pipeline, provider: Provider, consumer: Program) -> None:
    pipeline.ledger.open_wallet("cus_1")
    event = payment("cus_1")
    provider.deliver(event).expect(200)
    pipeline.ledger.expect_status(event, "done")
    [(headers, body)] = pipeline.ledger.query("SELECT headers, body FROM event_payload")
    assert body == event.body
    [record] = pipeline.log.read(pipeline.topic)
    assert [(name, value.encode()) for name, value in json.loads(headers)] == record.separated


def test_event_without_effect_is_ignored_and_counted(pipeline: Pipeline, provider: Provider,
                                                     consumer: Program) -> None:
    event = unmatched()
    provider.deliver(event).expect(200)
    pipeline.ledger.expect_status(event, "ignored")
    pipeline.expect_caught_up()


def test_two_ingresses_know_each_others_events(pipeline: Pipeline) -> None:
    first, second = (pipeline.provider(pipeline.ingress()) for _ in range(2))
    event = payment()
    first.deliver(event).expect(200)
    second.deliver(event).expect(200)
    pipeline.expect_published(event, times=1)


def test_authentic_but_unreadable_is_kept_and_answered(pipeline: Pipeline, provider: Provider) -> None:
    body = b'{"id": "evt_broken", "object": "event", "type": '
    assert provider.post(body, provider.headers(body)).status == 200
    assert pipeline.log.count(pipeline.topic) == 0
    [record] = pipeline.log.read(pipeline.quarantine)
    assert record.value == body
    assert record.text("sluice-source") == SOURCE
    assert record.text("sluice-quarantine-reason")
