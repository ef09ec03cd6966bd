"""SECURITY.md lists the rights of each role on Kafka: under these and no others all of it works, and nobody else writes commands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from tests.support.effects import SOURCE, parks_without_a_wallet
from tests.support.event_list import EventList
from tests.support.events import fresh_id, paid_invoice, payment
from tests.support.guarded_kafka import HOT, ROLES, TOLD, GuardedKafka
from tests.support.hot_commands import HotCommands
from tests.support.lanes import expect_lane
from tests.support.pipeline import Pipeline
from tests.support.servers import Servers
from tests.support.wait import wait_for


@pytest.fixture
def guarded(servers: Servers) -> Iterator[GuardedKafka]:
    kafka = GuardedKafka(servers)
    yield kafka
    servers.drop(kafka.server)


@pytest.fixture
def listing() -> Iterator[EventList]:
    it = EventList()
    yield it
    it.close()


@pytest.fixture
def denied(guarded: GuardedKafka, new_pipeline: Callable[..., Pipeline]) -> Pipeline:
    """Nothing is allowed yet."""
    pipeline = new_pipeline(kafka=guarded.server).promise_database()
    pipeline.config["consumer"] = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}, "pod_rate": 1}
    pipeline.config["effects"].append(parks_without_a_wallet())
    pipeline.config["effects"].append({"name": "tell", "when": {"source": SOURCE, "type": "invoice.paid"},
                                       "send": {"to": "shop", "body": {"event": ":event_id"}}})
    pipeline.config["destinations"] = {"shop": {"kafka": {"topic": TOLD}}}
    pipeline.log.create("any", partitions=1)
    pipeline.log.create(TOLD, partitions=1)
    return pipeline


@pytest.fixture
def strict(denied: Pipeline, guarded: GuardedKafka) -> Pipeline:
    guarded.allow(denied.topic, denied.group)
    return denied


def test_rights_of_the_list_are_enough(strict: Pipeline, guarded: GuardedKafka) -> None:
    strict.config["callbacks"] = {"record": "all"}
    guarded.as_user(strict, "sluice-topics")
    made = strict.ctl("topics", "--apply", "--partitions", "2")
    assert made.returncode == 0, made.stderr
    guarded.as_user(strict, "sluice-ingress")
    provider = strict.provider(strict.ingress())
    guarded.as_user(strict, "sluice-consumer")
    strict.consumer()
    guarded.as_user(strict, "sluice-retry")
    retry_role = strict.retry_role()
    customer = fresh_id("cus")
    event = paid_invoice(customer)
    provider.deliver(event)
    expect_lane(strict, event, "dead")
    strict.ledger.open_wallet(customer)
    guarded.as_user(strict, "sluicectl")
    retried = strict.ctl("dlq", "retry", event.id, "--operator", "kim", "--reason", "wallet made", "--apply")
    assert retried.returncode == 0, retried.stderr
    strict.ledger.expect_applied(event)
    wait_for(lambda: strict.ledger.query("SELECT verdict FROM callback") == [(b"accepted",)], "the callback on record")
    guarded.as_user(strict, "sluice-relay")
    strict.consumer(role="relay").expect_metric(1, "sluice_relay_messages_total", destination="shop", result="sent")
    guarded.as_user(strict, "sluicectl")
    shown = strict.ctl("event", "show", event.id)
    assert shown.returncode == 0 and "not authorized" not in shown.stdout.lower(), shown.stdout + shown.stderr
    found = {line["check"]: line for line in json.loads(strict.ctl("doctor", "--only", "kafka", "--json").stdout)["findings"]}
    bad = [line for line in found.values() if line["level"] == "fail"]
    assert not bad and found["kafka.retry_group"]["level"] == found["kafka.group"]["level"] == found["kafka.destination"]["level"] == "ok", found
    wait_for(lambda: retry_role.metric("sluice_consumer_pods_wanted") == 1, "the rate of events to be measured", within=90)


def test_poller_publishes_and_quarantines(strict: Pipeline, guarded: GuardedKafka, listing: EventList) -> None:
    strict.create_topics()
    strict.polls(listing, since="1d")
    good, bad = payment(), payment()
    listing.add(good, bad, ago=1200)
    listing.spoil(bad, type=None)
    guarded.as_user(strict, "sluice-poller")
    strict.poll_once()
    assert [record.text("ce_id") for record in strict.log.read(strict.topic)] == [good.id]
    assert len(strict.log.read(strict.quarantine)) == 1


def test_commands_of_hot_accounts_are_accepted_and_booked(strict: Pipeline, guarded: GuardedKafka) -> None:
    commands = HotCommands(strict)
    strict.config["command"].update(topic=HOT, group=f"{strict.group}-command")
    commands.list("big")
    commands.open("big", 100)
    guarded.as_user(strict, "sluice-topics")
    made = strict.ctl("topics", "--apply", "--partitions", "2")
    assert made.returncode == 0 and HOT in made.stdout, made.stdout + made.stderr
    guarded.as_user(strict, "sluice-command")
    commands.start("serve")
    assert commands.charge("big", key="k1").status == 202
    guarded.as_user(strict, "sluice-booker")
    commands.start("book")
    assert commands.response_of("k1")["status"] == 200
    wait_for(lambda: commands.state("of-nobody") == "absent", "what the group has booked to be known")
    assert guarded.refusal_of_write("sluice-booker", HOT) == "TOPIC_AUTHORIZATION_FAILED"
    guarded.as_user(strict, "sluicectl")
    found = {line["check"]: line["level"] for line in json.loads(strict.ctl("doctor", "--only", "kafka", "--json").stdout)["findings"]}
    assert found["kafka.hot"] == "ok"


@pytest.mark.parametrize(("role", "group"), [("consumer", ""), ("retry", ".retry")])
def test_readiness_names_the_right_that_a_group_lacks(denied: Pipeline, guarded: GuardedKafka, role: str, group: str) -> None:
    """It is where on-call looks, long after the client has logged it once."""
    denied.create_topics()
    guarded.allow(denied.topic, denied.group, without="group")
    guarded.as_user(denied, f"sluice-{role}")
    program = denied.consumer(start=False, role="main" if role == "consumer" else role).start()
    program.expect_not_ready(f"needs Read on group {denied.group}{group} (SECURITY.md): ", "Group authorization failed")
    guarded.allow(denied.topic, denied.group)
    program.ready()


@pytest.mark.parametrize("role", [role for role in ROLES if role != "sluicectl"])
def test_nobody_but_the_operators_account_writes_commands(strict: Pipeline, guarded: GuardedKafka, role: str) -> None:
    strict.create_topics()
    assert guarded.refusal_of_write(role, strict.commands) == "TOPIC_AUTHORIZATION_FAILED"


def test_operators_account_writes_no_webhooks(strict: Pipeline, guarded: GuardedKafka) -> None:
    strict.create_topics()
    assert guarded.refusal_of_write("sluicectl", strict.topic) == "TOPIC_AUTHORIZATION_FAILED"
    assert guarded.refusal_of_write("sluicectl", strict.commands) is None
