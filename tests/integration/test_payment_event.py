"""`body: payment_event`: a topic gets a protobuf PaymentEvent with the facts of the payment."""

from __future__ import annotations

import json

import pytest

from tests.integration.test_outbox import expect_all_sent, relay, unsent
from tests.support.kafka_log import LogRecord
from tests.support.payment_event import decoded
from tests.support.pipeline import Pipeline
from tests.support.shop import SAYS, new_order, open_shop, pay
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

TELL = {"name": "tell", "when": {"payment": "paid"}, "send": {"to": "payments", "key": ":reference", "body": "payment_event"}}


@pytest.fixture
def shop(pipeline: Pipeline) -> Pipeline:
    pipeline.config["destinations"] = {"payments": {"kafka": {"topic": f"{pipeline.name}.payments"}}}
    pipeline.log.create(f"{pipeline.name}.payments", partitions=3)
    open_shop(pipeline, TELL)
    return pipeline


def told(shop: Pipeline) -> list[LogRecord]:
    return shop.log.read(f"{shop.name}.payments")


def shown(shop: Pipeline, *words: str) -> dict:
    done = shop.ctl(*words, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_every_provider_tells_the_same_facts_in_the_same_way(shop: Pipeline) -> None:
    ingress = shop.ingress()
    orders = {source: new_order(shop) for source in SAYS}
    for source, order in orders.items():
        pay(shop, ingress, source, order)
    shop.consumer()
    relay(shop)
    wait_for(lambda: len(told(shop)) == len(SAYS), "a message of each provider")
    expect_all_sent(shop)
    for record in told(shop):
        event = decoded(record.value)
        order = orders[event["source"]]
        assert record.key == order.encode()
        assert (record.text("content-type"), record.text("sluice-message-type")) == ("application/x-protobuf", "sluice.v1.PaymentEvent")
        assert len(record.text("idempotency-key")) == 64 and record.text("sluice-event-id") == event["event_id"]
        currency = "USD" if event["source"] == "stripe" else "CNY"
        assert {name: event[f"payment.{name}"] for name in ("kind", "reference", "amount", "currency")} == {
            "kind": "paid", "reference": order, "amount": "8888", "currency": currency}, event
        assert event["payment.transaction"] and "payment.refund" not in event and "body" not in event
        [(kafka_topic, partition, offset, at)] = shop.ledger.query(
            "SELECT topic, partition_no, offset_no, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', received_at) FROM inbox WHERE event_id = %s",
            event["event_id"].encode())
        assert event["record.topic"].encode() == kafka_topic
        assert (int(event.get("record.partition", 0)), int(event.get("record.offset", 0))) == (partition, offset)
        assert int(event["received_at.seconds"]) * 10**6 + int(event.get("received_at.nanos", 0)) // 1000 == at


def test_event_that_waited_says_the_same(shop: Pipeline) -> None:
    """From its lane, under an effect that waits for a row."""
    shop.config["effects"] = [TELL, {"name": "pay-order", "when": {"payment": "paid"}, "set": {
        "table": "shop_order", "key": {"no": ":reference"}, "row": {"status": "PAID"}, "missing": "defer"}}]
    pay(shop, shop.ingress(), "alipay", "O-later")
    shop.consumer()
    shop.retry_role()
    wait_for(lambda: shop.ledger.query("SELECT COUNT(*) FROM lane_event") == [(1,)], "the event in its lane")
    assert unsent(shop) == 0, "it is rolled back with its event"
    shop.ledger.run("INSERT INTO shop_order (no, amount) VALUES ('O-later', 8888)")
    wait_for(lambda: unsent(shop) == 1, "the message")
    [(body, topic, partition, offset)] = shop.ledger.query(
        "SELECT body, topic, partition_no, offset_no FROM outbox JOIN inbox USING (event_id)")
    event = decoded(body)
    assert (event["record.topic"].encode(), int(event.get("record.partition", 0)), int(event.get("record.offset", 0))) == (
        topic, partition, offset)
    assert event["payment.reference"] == "O-later" and event["payment.amount"] == "8888"


def test_people_see_json_with_what_is_secret_masked(shop: Pipeline) -> None:
    shop.config["effects"] = [{**TELL, "when": {"source": "stripe", "payment": "paid"}, "send": {**TELL["send"], "provider_body": True}}]
    card = "4242424242424242"
    order = new_order(shop, currency="USD")
    sets = (SAYS["stripe"][2], f"/data/object/metadata/card={card}")
    sample = ["effects", "test", "--sample", SAYS["stripe"][0], "--source", "stripe", "--set", f"{SAYS['stripe'][1]}={order}",
              *(word for each in sets for word in ("--set", each))]
    [trial] = shown(shop, *sample)["trials"]
    [sent] = [statement for statement in trial["effects"][0]["statements"] if "outbox" in statement["statement"]]
    said = json.loads(sent["bound"][0])
    assert said["payment"]["amount"] == "8888" and said["body"]["data"]["object"]["metadata"]["order_id"] == order, said
    assert "record" not in said, "a trial has none"
    assert card not in json.dumps(trial)
    people = shop.ctl(*sample).stdout
    assert ":payment_event's amount = 8888" in people and "let     :body of the message" in people and card not in people, people

    shop.log.configure(f"{shop.name}.payments", **{"max.message.bytes": "300"})
    pay(shop, shop.ingress(), "stripe", order, *sets)
    shop.consumer()
    relay(shop).expect_metric(1, "sluice_relay_messages_total", destination="payments", result="refused")
    [(number,)] = shop.ledger.query("SELECT id FROM outbox WHERE state = 'refused'")
    [(entry, dedup_key)] = shop.ledger.query("SELECT dead_letter.id, outbox.dedup_key FROM dead_letter JOIN outbox ON offset_no = outbox.id")
    for json_of, people_of in ((shown(shop, "outbox", "show", str(number))["body"], ("outbox", "show", str(number))),
                               (shown(shop, "dlq", "show", str(entry))["entries"][0]["payload"], ("dlq", "show", str(entry)))):
        event = json.loads(json_of)
        assert event["payment"]["reference"] == order and event["dedup_key"] == dedup_key.hex() and event["record"]["topic"] == shop.topic
        assert event["body"]["type"] == SAYS["stripe"][0] and card not in json_of
        text = shop.ctl(*people_of).stdout
        assert order in text and card not in text and "\\x" not in text


def test_url_is_refused_at_the_start(shop: Pipeline) -> None:
    shop.config["destinations"]["payments"] = {"http": {"url": "https://shop.example/"}}
    consumer = shop.consumer(start=False)
    assert consumer.start().wait_end() == 2
    assert "payment_event is for topics" in consumer.errors()
