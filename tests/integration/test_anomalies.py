"""What is strange about callbacks is found once, whoever wrote them, and nothing else is."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from random import Random

import pytest

from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.receiver import Receiver
from tests.support.records import put
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)


@pytest.fixture
def recorded(pipeline: Pipeline) -> Pipeline:
    pipeline.record_callbacks()
    return pipeline


def anomalies(pipeline: Pipeline, *filters: str) -> list[dict]:
    answer = pipeline.ctl("anomaly", "list", "--json", "--limit", "1000", *filters)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)["anomalies"]


def kinds(pipeline: Pipeline) -> Counter:
    return Counter(one["kind"] for one in anomalies(pipeline))


def of_object(unit: str) -> Event:
    """Of no payment, and with a content of its own."""
    return snapshot("charge.updated", {"id": fresh_id("ch"), "payment_intent": unit, "customer": "cus_1"}, ordered_by=unit)


def deliver(pipeline: Pipeline, *events: Event) -> None:
    provider = pipeline.provider(pipeline.ingress(threads=1))
    for event in events:
        provider.deliver(event).expect(200)
    pipeline.expect_recorded()


def test_a_burst_is_found_once_and_said(recorded: Pipeline) -> None:
    unit = fresh_id("pi")
    retry = recorded.retry_role()
    deliver(recorded, *(of_object(unit) for _ in range(12)), *(of_object(fresh_id("pi")) for _ in range(12)))
    assert kinds(recorded) == Counter(burst_minute=1, burst_hour=1)
    [burst] = anomalies(recorded, "--kind", "burst_hour")
    assert burst["subject"].endswith(f"/{unit}") and burst["callbacks"] == 12 and burst["source"] == SOURCE
    assert {line["subject"] for line in retry.decisions("anomaly")} == {burst["subject"]}
    retry.expect_metric(1, "sluice_consumer_anomalies_total", kind="burst_hour")


def test_limits_of_the_file_say_what_is_usual(recorded: Pipeline) -> None:
    recorded.config["callbacks"]["anomalies"] = {"per_minute": 20, "per_hour": 20}
    recorded.retry_role()
    unit = fresh_id("pi")
    deliver(recorded, *(of_object(unit) for _ in range(12)))
    assert not anomalies(recorded)


def test_deliveries_of_one_event_are_a_burst_and_their_copies_in_kafka_are_not(recorded: Pipeline) -> None:
    """What is read again after a restart is known."""
    retry = recorded.retry_role()
    provider = recorded.provider(recorded.ingress(threads=1))
    provider.deliver(of_object(fresh_id("pi"))).times(7).expect(200)
    recorded.expect_recorded()
    wait_for(lambda: kinds(recorded) == Counter(burst_minute=1), "the burst to be found")
    retry.stop()
    recorded.ledger.run("DELETE FROM applied_offset WHERE group_id LIKE '%.callbacks'")
    recorded.retry_role()
    recorded.expect_recorded()
    provider.deliver(payment()).expect(200)
    recorded.expect_recorded()
    assert kinds(recorded) == Counter(burst_minute=1)


def test_amounts_that_differ_and_a_payment_after_its_end(recorded: Pipeline) -> None:
    recorded.retry_role()
    differs, ended, usual = fresh_id("pi"), fresh_id("pi"), fresh_id("pi")

    def said(event_type: str, unit: str, amount: int) -> Event:
        return snapshot(event_type, {"id": unit, "customer": "cus_1", "amount": amount, "amount_received": amount, "currency": "eur"})
    deliver(recorded,
            said("payment_intent.succeeded", differs, 1000), said("payment_intent.succeeded", differs, 900),
            said("payment_intent.canceled", ended, 1000), said("payment_intent.succeeded", ended, 1000),
            said("payment_intent.succeeded", usual, 1000), said("payment_intent.succeeded", usual, 1000))
    found = {one["kind"]: one for one in anomalies(recorded)}
    assert found["amount_differs"]["subject"].endswith(differs)
    assert "pays 1000 EUR" in found["amount_differs"]["detail"] and "pays 900 EUR" in found["amount_differs"]["detail"]
    assert Counter(one["subject"].rpartition("/")[2] for one in anomalies(recorded) if one["kind"] != "same_body") <= Counter({differs: 1, ended: 1})


def test_one_body_under_several_ids(recorded: Pipeline) -> None:
    recorded.retry_role()
    document = json.loads(payment("cus_1", 5, intent="pi_same").body)
    bodies = []
    for _ in range(2):
        document["id"] = fresh_id("evt")
        bodies.append(json.dumps(document).encode())
    provider = recorded.provider(recorded.ingress(threads=1))
    for body in bodies:
        assert provider.post(body, provider.headers(body)).status == 200
    recorded.expect_recorded()
    [one] = anomalies(recorded, "--kind", "same_body")
    assert one["callbacks"] == 2 and document["id"] in one["detail"]


def test_one_address_that_fails_at_several_sources(recorded: Pipeline) -> None:
    first = recorded.config["sources"][0]
    recorded.config["sources"] += [{**first, "name": name, "principal": name, "path": f"/v1/webhooks/{name}"} for name in ("two", "three", "four")]
    recorded.retry_role()
    provider = recorded.provider(recorded.ingress(threads=1))
    body = payment().body

    def fail_at(*names: str) -> None:
        for name in names:
            assert provider.post(body, provider.headers(body, secret="whsec_nobodys"), path=f"/v1/webhooks/{name}").status == 400
    fail_at("two", "three")
    wait_for(lambda: recorded.ledger.query("SELECT COUNT(*) FROM callback") == [(2,)], "both on record")
    recorded.expect_recorded()
    assert not anomalies(recorded)
    fail_at("four")
    [one] = wait_for(lambda: anomalies(recorded, "--kind", "failing_client"), "the address to be found")
    assert one["subject"] == "127.0.0.1" and "four" in one["detail"]


def test_a_destination_is_told_once(recorded: Pipeline) -> None:
    receiver = Receiver()
    try:
        recorded.config["destinations"] = {"alarms": {"http": {"url": receiver.url, "allow": ["127.0.0.0/8"]}}}
        recorded.config["callbacks"]["anomalies"] = {"tell": "alarms", "per_hour": 100}
        recorded.retry_role()
        recorded.consumer(role="relay")
        unit = fresh_id("pi")
        deliver(recorded, *(of_object(unit) for _ in range(20)))
        wait_for(lambda: receiver.received, "the message")
        assert recorded.ledger.query("SELECT COUNT(*) FROM outbox") == [(1,)]
        told = json.loads(receiver.received[0].body)
        assert told["anomaly"] == "burst_minute" and told["subject"].endswith(unit)
    finally:
        receiver.close()


def test_an_unknown_destination_is_refused(recorded: Pipeline) -> None:
    recorded.config["callbacks"]["anomalies"] = {"tell": "nobody"}
    retry = recorded.retry_role(start=False)
    retry.start("")
    assert retry.wait_end() == 2
    assert "callbacks.anomalies.tell is 'nobody'" in retry.errors()
    assert "not a known" not in retry.errors()


@pytest.mark.parametrize("place", ["consumer.after_callbacks_insert", "consumer.after_callbacks_commit"])
def test_known_anomalies_among_many_are_found_once_although_recorders_die(recorded: Pipeline, place: str) -> None:
    """Two processes share the logs, and one of them dies and comes back: each object has its anomaly, and no other has one."""
    strange = [fresh_id("pi") for _ in range(15)]
    events = [of_object(unit) for unit in strange for _ in range(7)]
    events += [of_object(fresh_id("pi")) for _ in range(100)]
    provider = recorded.provider(recorded.ingress(threads=2))
    for index, event in enumerate(events):
        provider.deliver(event).expect(200)
        if index == 60:
            dying = recorded.retry_role(start=False)
            dying.start(f"{place}=kill@2")
            recorded.retry_role()
    if dying.running and not dying.ended_within(20):
        dying.stop()
    assert dying.wait_end() in (0, -signal.SIGKILL)
    recorded.retry_role()
    recorded.expect_recorded(60)
    found = Counter(one["subject"].rpartition("/")[2] for one in anomalies(recorded) if one["kind"] == "burst_minute")
    assert found == Counter(strange)
    assert set(kinds(recorded)) == {"burst_minute"}


@pytest.mark.timeout(3600)
def test_strange_objects_among_many_although_recorders_come_and_go(recorded: Pipeline) -> None:
    """SLUICE_CALLBACKS says among how many callbacks, SLUICE_SEED which. One in a thousand objects is strange, five at least."""
    total, seed = int(os.environ.get("SLUICE_CALLBACKS", "3000")), int(os.environ.get("SLUICE_SEED", "7"))
    dice = Random(seed)
    strange = [fresh_id("pi") for _ in range(max(total // 1000, 5))]
    share, left = max(total // 20, 1), list(strange)
    roles = [recorded.retry_role(), recorded.retry_role()]
    for begun in range(0, total, share):
        now, left = left[:-(-len(strange) // 20)], left[-(-len(strange) // 20):]
        events = [of_object(unit) for unit in now for _ in range(7)]
        events += [of_object(fresh_id("pi")) for _ in range(share - len(events))]
        dice.shuffle(events)
        for at in range(0, len(events), 5000):
            put(recorded, *events[at:at + 5000])
        fated = dice.choice(roles)
        fated.kill() if dice.random() < 0.7 else fated.stop()
        fated.start()
        if begun == total // 2 // share * share:
            roles.append(recorded.retry_role())
    recorded.expect_recorded(3000)
    found = Counter(one["subject"].rpartition("/")[2] for one in anomalies(recorded, "--kind", "burst_minute"))
    print(f"{len(strange)} strange objects among {total} callbacks, seed {seed}: {len(found)} found")
    assert found == Counter(strange)
    assert set(kinds(recorded)) == {"burst_minute"}
