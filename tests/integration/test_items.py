"""Deliveries that carry several events: one record each in the order of the delivery, the whole once, one answer."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets

import pytest

from tests.support.kafka_log import LogRecord
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.provider import Answer, Provider

SECRET = "gocardless secret of a test"
ADYEN_KEY = secrets.token_hex(32)


def payment_event(number: int, payment: str = "PM1", **more: object) -> dict:
    return {"id": f"EV{number}", "created_at": "2026-11-21T10:46:38.000Z", "resource_type": "payments",
            "action": "confirmed", "links": {"payment": payment}, **more}


class GoCardless:
    """Signs whole deliveries."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider

    def deliver(self, *events: dict, path: str = "/v1/webhooks/gocardless") -> Answer:
        body = json.dumps({"events": list(events), "meta": {"webhook_id": "WB1"}}, indent=1).encode()
        signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        return self.provider.post(body, [("Content-Type", "application/json"), ("Webhook-Signature", signature)], path=path)


@pytest.fixture
def batches(pipeline: Pipeline) -> Pipeline:
    pipeline.secrets |= {"TEST_GOCARDLESS": SECRET, "TEST_ADYEN": ADYEN_KEY}
    pipeline.config["sources"] += [
        {"name": "gocardless", "recipe": "gocardless", "principal": "gocardless", "keys": [{"id": "g", "value": {"env": "TEST_GOCARDLESS"}}]},
        {"name": "adyen", "recipe": "adyen", "principal": "adyen", "with": {"merchant_account": "TestMerchant", "environment": "live"},
         "keys": [{"id": "a", "value": {"env": "TEST_ADYEN"}}]}]
    pipeline.log.create(f"{pipeline.topic}.originals", partitions=3)
    return pipeline


@pytest.fixture
def ingress(batches: Pipeline) -> Program:
    return batches.ingress()


@pytest.fixture
def gocardless(batches: Pipeline, ingress: Program) -> GoCardless:
    return GoCardless(batches.provider(ingress))


def records_of(pipeline: Pipeline) -> list[LogRecord]:
    return sorted(pipeline.log.read(pipeline.topic), key=lambda record: (record.partition, record.offset))


def test_each_event_is_a_record_and_the_whole_is_kept_once(batches: Pipeline, gocardless: GoCardless) -> None:
    events = [payment_event(number, f"PM{number % 3}") for number in range(10)]
    answer = gocardless.deliver(*events)
    assert (answer.status, answer.body) == (204, b"")
    records = records_of(batches)
    assert sorted(record.text("ce_id") for record in records) == sorted(event["id"] for event in events)
    for record in records:
        assert json.loads(record.value) == events[int(record.text("sluice-item"))]
        assert record.key == f"gocardless/gocardless/{record.text('ce_subject')}".encode()
        assert record.text("ce_type") == "payments.confirmed"
        assert len(record.text("sluice-keys") or "") == 16, "one place of the id"
    [original] = batches.log.read(f"{batches.topic}.originals")
    assert {record.text("sluice-original") for record in records} == {hashlib.sha256(original.value).hexdigest()}
    assert json.loads(original.value)["events"] == events
    assert original.text("http-webhook-signature")
    for payment in ("PM0", "PM1", "PM2"):
        items = [int(record.text("sluice-item")) for record in records if record.text("ce_subject") == payment]
        assert items == sorted(items), "the order of the delivery"


def test_events_that_are_known_are_not_published_again(batches: Pipeline, gocardless: GoCardless) -> None:
    assert gocardless.deliver(payment_event(1), payment_event(2)).status == 204
    assert gocardless.deliver(payment_event(2), payment_event(3), payment_event(1)).status == 204
    assert sorted(record.text("ce_id") for record in records_of(batches)) == ["EV1", "EV2", "EV3"]
    assert gocardless.deliver(payment_event(3), payment_event(2)).status == 204
    assert len(records_of(batches)) == 3
    assert len(batches.log.read(f"{batches.topic}.originals")) == 2, "nothing new, nothing kept"


def test_an_event_that_cannot_be_read_is_put_aside_alone(batches: Pipeline, gocardless: GoCardless) -> None:
    assert gocardless.deliver(payment_event(1), {"id": "EV2"}, payment_event(3)).status == 204
    assert [record.text("ce_id") for record in records_of(batches)] == ["EV1", "EV3"]
    [aside] = batches.log.read(batches.quarantine)
    assert json.loads(aside.value) == {"id": "EV2"}
    assert aside.text("sluice-quarantine-reason") == "missing_pointer"
    assert aside.text("sluice-quarantine-detail").endswith(" is missing")
    [original] = batches.log.read(f"{batches.topic}.originals")
    assert (aside.text("sluice-item"), aside.text("sluice-original")) == ("1", hashlib.sha256(original.value).hexdigest())


def test_no_list_is_put_aside_whole(batches: Pipeline, gocardless: GoCardless) -> None:
    body = b'{"events": {}}'
    signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    assert gocardless.provider.post(body, [("Webhook-Signature", signature)], path="/v1/webhooks/gocardless").status == 204
    assert [record.value for record in batches.log.read(batches.quarantine)] == [body]


def test_an_empty_delivery_is_put_aside_too(batches: Pipeline, gocardless: GoCardless) -> None:
    """No success without something that Kafka holds."""
    assert gocardless.deliver().status == 204
    assert [json.loads(record.value)["events"] for record in batches.log.read(batches.quarantine)] == [[]]


@pytest.mark.parametrize("death", ["after_produce=kill@1", "before_ack_handled=kill@1", "after_produce=kill@4"],
                         ids=["the whole is handed over", "the whole is in Kafka", "some events are handed over"])
def test_killed_in_the_middle_of_a_delivery(batches: Pipeline, death: str) -> None:
    """So far it came, and nobody was answered: delivered again, each event is applied once."""
    batches.config["effects"].append({
        "name": "count-payment", "when": {"source": "gocardless"}, "let": {"payment": "/links/payment"},
        "insert": {"table": "wallet_entry", "row": {"event": ":event_id", "customer": ":payment", "amount": 1}}})
    events = [payment_event(number, f"PM{number}") for number in range(6)]
    dying = batches.ingress(f"ingress.{death}")
    assert GoCardless(batches.provider(dying)).deliver(*events).status == 0
    if death.startswith("before_ack_handled"):
        assert len(batches.log.read(f"{batches.topic}.originals")) == 1 and not batches.log.read(batches.topic)
    assert GoCardless(batches.provider(batches.ingress())).deliver(*events).status == 204
    batches.consumer()
    batches.ledger.expect_ledger_rows(6)
    batches.expect_caught_up()
    assert sorted(event for event, _, _ in batches.ledger.entries()) == [event["id"] for event in events]


def test_a_bad_signature_gets_what_the_provider_wants(batches: Pipeline, gocardless: GoCardless) -> None:
    answer = gocardless.provider.post(b'{"events": []}', [("Webhook-Signature", "0" * 64)], path="/v1/webhooks/gocardless")
    assert answer.status == 498
    batches.expect_nothing_published()


def test_success_waits_for_every_event(batches: Pipeline) -> None:
    """The first report is taken for lost: no success, and the next delivery brings only what is not confirmed."""
    program = batches.ingress("ingress.before_ack_handled=error@2")
    gocardless = GoCardless(batches.provider(program))
    events = [payment_event(1), payment_event(2), payment_event(3)]
    assert gocardless.deliver(*events).status == 503
    assert gocardless.deliver(*events).status == 204
    published = [record.text("ce_id") for record in records_of(batches)]
    assert set(published) == {"EV1", "EV2", "EV3"}
    assert len(published) == 4, "one was in doubt; the others were confirmed"


def test_without_the_topic_of_originals_the_ingress_is_not_ready(batches: Pipeline) -> None:
    batches.config["kafka"]["originals_topic"] = f"{batches.name}.nowhere"
    batches.ingress(start=False).start().expect_not_ready(f"{batches.name}.nowhere")


def adyen_item(reference: str, value: int = 1130, **more: object) -> dict:
    item = {"amount": {"currency": "EUR", "value": value}, "eventCode": "AUTHORISATION", "eventDate": "2026-11-21T11:33:18+01:00",
            "merchantAccountCode": "TestMerchant", "merchantReference": "order:1", "pspReference": reference, "success": "true", **more}
    signed = ":".join([reference, "", "TestMerchant", "order:1", str(value), "EUR", "AUTHORISATION", "true"])
    code = base64.b64encode(hmac.new(bytes.fromhex(ADYEN_KEY), signed.encode(), hashlib.sha256).digest()).decode()
    return {"NotificationRequestItem": {**item, "additionalData": {"hmacSignature": code}}}


def deliver_to_adyen(provider: Provider, *items: dict) -> Answer:
    body = json.dumps({"live": "true", "notificationItems": list(items)}).encode()
    return provider.post(body, [("Content-Type", "application/json")], path="/v1/webhooks/adyen")


def test_every_item_must_be_right(batches: Pipeline, gocardless: GoCardless) -> None:
    forged = adyen_item("881")
    forged["NotificationRequestItem"]["amount"]["value"] = 1
    assert deliver_to_adyen(gocardless.provider, adyen_item("880"), forged).status == 401
    batches.expect_nothing_published()
    answer = deliver_to_adyen(gocardless.provider, adyen_item("880"), adyen_item("881", value=5))
    assert (answer.status, answer.body) == (200, b"[accepted]")
    records = records_of(batches)
    assert sorted(record.text("ce_id") for record in records) == ["880.AUTHORISATION.true", "881.AUTHORISATION.true"]
    assert {record.text("sluice-livemode") for record in records} == {"true"}
    assert all(json.loads(record.value)["additionalData"]["hmacSignature"] for record in records)


def test_effects_see_one_event_each(batches: Pipeline, gocardless: GoCardless) -> None:
    batches.config["effects"].append({
        "name": "count-payment", "when": {"source": "gocardless"},
        "let": {"payment": "/links/payment"},
        "insert": {"table": "wallet_entry", "row": {"event": ":event_id", "customer": ":payment", "amount": 1}}})
    assert gocardless.deliver(payment_event(1), payment_event(2, "PM2"), payment_event(3)).status == 204
    batches.consumer()
    batches.ledger.expect_ledger_rows(3)
    assert sorted(batches.ledger.entries()) == [("EV1", "PM1", 1), ("EV2", "PM2", 1), ("EV3", "PM1", 1)]
