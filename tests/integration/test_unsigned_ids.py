"""Who holds one captured delivery can send it again with other headers, and other fields that nobody signs: it stays one event."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets

import pytest

from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.provider import Answer, Provider

SECRET = "one secret for all of them"
ADYEN_KEY = secrets.token_hex(32)
JSON = ("Content-Type", "application/json")
Headers = list[tuple[str, str]]


def told(name: str, **when: object) -> dict:
    return {"name": f"tell-{name}", "when": {"source": name, **when},
            "insert": {"table": "wallet_entry", "row": {"event": ":event_id", "customer": ":source", "amount": 1}}}


@pytest.fixture
def merchants(pipeline: Pipeline) -> Pipeline:
    pipeline.secrets |= {"TEST_SECRET": SECRET, "TEST_ADYEN": ADYEN_KEY}
    keys = {"keys": [{"id": "a", "value": {"env": "TEST_SECRET"}}]}
    pipeline.config["sources"] = [
        {"name": name, "recipe": name, "principal": name, **keys} for name in ("razorpay", "shopify", "github")]
    pipeline.config["sources"].append(
        {"name": "adyen", "recipe": "adyen", "principal": "adyen", "with": {"merchant_account": "Shop", "environment": "live"},
         "keys": [{"id": "a", "value": {"env": "TEST_ADYEN"}}]})
    pipeline.log.create(f"{pipeline.topic}.originals", partitions=3)
    pipeline.config["effects"] = [
        told("razorpay"), told("shopify", type="orders/paid", trust="type"), told("github", type="sponsorship.created", trust="type"),
        told("adyen")]
    return pipeline


@pytest.fixture
def ingress(merchants: Pipeline) -> Program:
    return merchants.ingress()


@pytest.fixture
def provider(merchants: Pipeline, ingress: Program) -> Provider:
    return merchants.provider(ingress)


def deliver(provider: Provider, name: str, body: bytes, headers: Headers) -> None:
    answer: Answer = provider.post(body, [JSON, *headers], path=f"/v1/webhooks/{name}")
    assert answer.status == 200


def hmac_of(body: bytes) -> bytes:
    return hmac.new(SECRET.encode(), body, hashlib.sha256).digest()


def razorpay(body: bytes, event: str) -> Headers:
    return [("X-Razorpay-Signature", hmac_of(body).hex()), ("X-Razorpay-Event-Id", event)]


def shopify(body: bytes, topic: str, webhook: str) -> Headers:
    return [("X-Shopify-Hmac-SHA256", base64.b64encode(hmac_of(body)).decode()), ("X-Shopify-Topic", topic),
            ("X-Shopify-Shop-Domain", "shop.example.com"), ("X-Shopify-API-Version", "2026-10"), ("X-Shopify-Webhook-Id", webhook)]


def github(body: bytes, delivery: str) -> Headers:
    return [("X-Hub-Signature-256", f"sha256={hmac_of(body).hex()}"), ("X-GitHub-Event", "sponsorship"), ("X-GitHub-Delivery", delivery)]


def expect_sources(pipeline: Pipeline, *sources: str) -> None:
    """The effects that there were, by source."""
    pipeline.consumer()
    pipeline.ledger.expect_ledger_rows(len(sources))
    pipeline.expect_caught_up()
    assert sorted(source for _, source, _ in pipeline.ledger.entries()) == sorted(sources)


def test_a_new_id_is_no_new_event(merchants: Pipeline, ingress: Program, provider: Provider) -> None:
    payment = b'{"event":"payment.captured","payload":{"payment":{"entity":{"id":"pay_1"}}},"created_at":1795257998}'
    for number in range(3):
        deliver(provider, "razorpay", payment, razorpay(payment, f"evt_{number}"))
    sponsor = b'{"action":"created","sponsorship":{"node_id":"S_1"}}'
    for number in range(3):
        deliver(provider, "github", sponsor, github(sponsor, f"delivery-{number}"))
    order = b'{"id":1,"updated_at":"2026-11-21T10:46:38Z"}'
    for number in range(3):
        deliver(provider, "shopify", order, shopify(order, "orders/paid", f"webhook-{number}"))
    expect_sources(merchants, "razorpay", "github", "shopify")
    for source in ("razorpay", "github", "shopify"):
        ingress.expect_metric(2, "sluice_ingress_same_body_other_id_total", source=source)
    deliver(provider, "razorpay", payment, razorpay(payment, "evt_2"))
    ingress.expect_metric(2, "sluice_ingress_same_body_other_id_total", source="razorpay")


def test_without_redis_the_inbox_says_the_same(merchants: Pipeline) -> None:
    """Every delivery is published then, and the unique key decides."""
    merchants.config["redis"]["urls"] = ["redis://127.0.0.1:1/0"]
    provider = merchants.provider(merchants.ingress())
    payment = b'{"event":"payment.captured","payload":{"payment":{"entity":{"id":"pay_1"}}},"created_at":1795257998}'
    for number in range(3):
        deliver(provider, "razorpay", payment, razorpay(payment, f"evt_{number}"))
    assert merchants.log.count(merchants.topic) == 3
    expect_sources(merchants, "razorpay")


def test_another_topic_runs_what_its_effects_name_and_no_more(merchants: Pipeline, provider: Provider) -> None:
    """Topics share bodies, so each has an event of its own; under topics that no effect names nothing runs."""
    order = b'{"id":1,"updated_at":"2026-11-21T10:46:38Z"}'
    for topic in ("orders/create", "orders/paid", "orders/paid", "orders/made-up", "orders/create"):
        deliver(provider, "shopify", order, shopify(order, topic, secrets.token_hex(8)))
    expect_sources(merchants, "shopify")
    assert {record.text("sluice-trust") for record in merchants.log.read(merchants.topic)} == {"type"}


def adyen_delivery(live: str, **unsigned: object) -> bytes:
    signed = "881::Shop:order-1:1130:EUR:AUTHORISATION:true"
    code = base64.b64encode(hmac.new(bytes.fromhex(ADYEN_KEY), signed.encode(), hashlib.sha256).digest()).decode()
    item = {"amount": {"currency": "EUR", "value": 1130}, "eventCode": "AUTHORISATION", "merchantAccountCode": "Shop",
            "merchantReference": "order-1", "pspReference": "881", "success": "true", "additionalData": {"hmacSignature": code}, **unsigned}
    return json.dumps({"live": live, "notificationItems": [{"NotificationRequestItem": item}]}).encode()


def test_the_mode_that_a_delivery_says_counts_for_nothing(merchants: Pipeline) -> None:
    answers = merchants.provider(merchants.ingress())
    for body in (adyen_delivery("true"), adyen_delivery("false"), adyen_delivery("true", eventDate="2020-01-01T00:00:00Z", reason="x")):
        answer = answers.post(body, [JSON], path="/v1/webhooks/adyen")
        assert (answer.status, answer.body) == (200, b"[accepted]")
    expect_sources(merchants, "adyen")
    assert {record.text("sluice-livemode") for record in merchants.log.read(merchants.topic)} == {"true"}


def expect_refused(pipeline: Pipeline, sentence: str) -> None:
    consumer = pipeline.consumer(start=False).start()
    assert consumer.wait_end() != 0
    assert sentence in consumer.errors()


def test_an_effect_that_reads_what_nobody_signed_has_to_say_so(merchants: Pipeline) -> None:
    forgeable = {"name": "loyalty", "when": {"source": "adyen"}, "let": {"shopper": "/additionalData/shopperReference"},
                 "insert": {"table": "wallet_entry", "row": {"event": ":event_id", "customer": ":shopper", "amount": 1}}}
    merchants.config["effects"] = [forgeable]
    expect_refused(merchants, ":shopper reads /additionalData/shopperReference, which source 'adyen' does not sign")
    forgeable["when"]["trust"] = "fields"
    merchants.consumer()


def test_an_effect_without_its_types_is_refused(merchants: Pipeline) -> None:
    merchants.config["effects"] = [told("shopify", trust="type")]
    expect_refused(merchants, "trust: type needs type")
