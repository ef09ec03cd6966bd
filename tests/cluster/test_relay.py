"""The relay's pods send what effects tell. More of them come when messages get old, and a policy lets them reach their receivers alone."""

from __future__ import annotations

import base64
import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator

import pytest

from tests.cluster.kube import Kube
from tests.cluster.ledger import effects
from tests.cluster.release import Release
from tests.cluster.servers import Servers
from tests.cluster.traffic import TYPES, send, start_sender, statuses
from tests.support.guarded_kafka import TOLD
from tests.support.kafka_log import KafkaLog
from tests.support.receiver import Receiver, answers_late, answers_soon
from tests.support.wait import wait_for

pytestmark = pytest.mark.timeout(600)

LEAST, MOST, THRESHOLD = 1, 3, 5  # pods, and seconds of age
SECRET = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
TELL = {"name": "tell", "when": {"source": "shop", "type": list(TYPES)},
        "send": [{"to": "shop", "body": {"event": ":event_id"}}, {"to": "mailer", "body": {"event": ":event_id"}}]}


def values(receiver: Receiver, address: str) -> dict:
    return {
        "config": {
            "effects": [*effects(), TELL],
            "destinations": {
                "shop": {"kafka": {"topic": TOLD}},
                "mailer": {"http": {"url": receiver.url, "allow": [f"{address}/32"], "timeout": "1s", "concurrency": 2,
                                    "secrets": [{"value": {"file": "/run/secrets/mailer/current"}}]}}}},
        "relay": {"autoscaling": {
            "enabled": True, "minReplicas": LEAST, "maxReplicas": MOST, "ageThreshold": THRESHOLD, "pollingInterval": 5,
            "fallback": {"failureThreshold": 3, "replicas": LEAST},
            "behavior": {"scaleUp": {"stabilizationWindowSeconds": 0, "policies": [{"type": "Pods", "value": 2, "periodSeconds": 15}]},
                         "scaleDown": {"stabilizationWindowSeconds": 15, "policies": [{"type": "Pods", "value": 2, "periodSeconds": 15}]}}}}}


@pytest.fixture(scope="module")
def receiver(servers: Servers) -> Iterator[Receiver]:
    receiver = Receiver(servers.address)
    yield receiver
    receiver.close()


@pytest.fixture(scope="module")
def topic(servers: Servers) -> Iterator[KafkaLog]:
    log = KafkaLog(servers.kafka.bootstrap)
    log.create(TOLD, partitions=3)
    yield log
    log.close()


@pytest.fixture(scope="module")
def release(new_release: Callable[[], Release], receiver: Receiver, topic: KafkaLog, servers: Servers) -> Release:
    made = new_release()
    made.kube.secret("mailer", current=SECRET)
    made.install(values(receiver, servers.address))
    start_sender(made)
    return made


@pytest.fixture(autouse=True)
def receiver_is_well(receiver: Receiver) -> None:
    receiver.answer = lambda received, tries: 204


def unsent(release: Release, destination: str) -> int:
    return release.ledger.run(f"SELECT COUNT(*) FROM outbox WHERE slot IS NOT NULL AND destination = '{destination}'")[0][0]


def expect_all_told(release: Release, receiver: Receiver, topic: KafkaLog, within: float = 120) -> None:
    """Each event by both ways, under one key each, and of each object in the order of its events."""
    release.expect_no_loss()
    for destination in ("shop", "mailer"):
        wait_for(lambda destination=destination: unsent(release, destination) == 0, f"all messages to {destination}", within, every=0.5)
    posted = [(one.key, json.loads(one.body)["event"]) for one in receiver.received if one.is_taken]
    written = [(record.text("idempotency-key"), json.loads(record.value)["event"]) for record in topic.read(TOLD)]
    order = [event.decode() for (event,) in release.ledger.run("SELECT event FROM booking ORDER BY seq")]
    objects = {event.decode(): unit for event, unit in release.ledger.run("SELECT event, object FROM booking")}
    for told in (posted, written):
        keys: dict[str, set[str]] = defaultdict(set)
        for key, event in told:
            keys[event].add(key)
        assert keys.keys() == release.accepted, f"{len(keys)} events were told, {len(release.accepted)} accepted"
        assert all(len(of_one) == 1 for of_one in keys.values())
        arrived: dict[bytes, list[str]] = defaultdict(list)
        for event in dict.fromkeys(event for _, event in told):
            arrived[objects[event]].append(event)
        if told is posted:  # records of a topic are in order within their partition
            assert all(events == [each for each in order if each in set(events)] for events in arrived.values())


def test_what_is_applied_is_told(release: Release, receiver: Receiver, topic: KafkaLog) -> None:
    assert statuses(send(release, 60)) == {200}
    expect_all_told(release, receiver, topic)
    assert all(one.is_signed_with(SECRET) for one in receiver.received)


def test_pods_come_when_messages_get_old_and_go_again(release: Release, kube: Kube, receiver: Receiver, topic: KafkaLog) -> None:
    wait_for(lambda: kube.wanted("relay") == LEAST, "one relay to begin with", within=120, every=1)
    receiver.answer = lambda received, tries: answers_late
    send(release, 60)
    wait_for(lambda: kube.wanted("relay") == kube.ready("relay") == MOST, "more relays, since messages get old", within=120, every=1)
    receiver.answer = lambda received, tries: 204
    expect_all_told(release, receiver, topic)
    wait_for(lambda: kube.wanted("relay") == LEAST, "one relay in the end", within=180, every=1)
    assert not kube.restarts()


def test_pods_that_are_killed_lose_nothing(release: Release, kube: Kube, receiver: Receiver, topic: KafkaLog) -> None:
    receiver.answer = lambda received, tries: answers_soon
    send(release, 80)
    for _ in range(3):
        before = len(receiver.received)
        for pod in kube.names("relay"):
            kube.delete("pod", pod, "--force", "--grace-period=0")
        wait_for(lambda before=before: len(receiver.received) > before or unsent(release, "mailer") == 0, "others to send on", within=90)
    receiver.answer = lambda received, tries: 204
    expect_all_told(release, receiver, topic)


def test_policy_lets_them_reach_their_receivers_alone(release: Release, receiver: Receiver, topic: KafkaLog) -> None:
    """Needs a cluster that enforces NetworkPolicies."""
    release.upgrade({"relay": {"egress": {"mailer": {"to": [{"ipBlock": {"cidr": "198.51.100.0/24"}}]}}}})
    send(release, 10)
    wait_for(lambda: release.ledger.run("SELECT COUNT(*) FROM outbox WHERE slot IS NOT NULL AND destination = 'mailer' AND error_text IS NOT NULL")[0][0] > 0,
             "the receiver to be out of reach", within=90, every=1)
    wait_for(lambda: unsent(release, "shop") == 0, "messages to the topic all the same", within=60, every=0.5)
    release.rollback()
    expect_all_told(release, receiver, topic)
