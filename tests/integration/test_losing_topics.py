"""A topic whose settings lose what nobody has read yet: both programs say so, and what is there is read all the same."""

from __future__ import annotations

import pytest

from tests.support.events import fresh_id, payment
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.wait import wait_for

LOSING = [({"cleanup_policy": "compact"}, "cleanup.policy=compact"),
          ({"retention_bytes": "1048576"}, "retention.bytes=1048576"),
          ({"unclean_leader_election_enable": "true"}, "unclean.leader.election.enable=true")]
each_setting = pytest.mark.parametrize("setting, said", LOSING, ids=[said for _, said in LOSING])


def expect_ready_again(program: Program) -> None:
    wait_for(lambda: program.get("/readyz")[0] == 200, "it to be ready once the setting is mended")


@each_setting
def test_ingress_is_not_ready(pipeline: Pipeline, setting: dict[str, str], said: str) -> None:
    pipeline.log.configure(pipeline.topic, **setting)
    ingress = pipeline.ingress(start=False).start()
    ingress.expect_not_ready(pipeline.topic, said)
    pipeline.log.configure(pipeline.topic, cleanup_policy="delete")
    expect_ready_again(ingress)


@each_setting
def test_consumer_is_not_ready_and_reads_on(pipeline: Pipeline, setting: dict[str, str], said: str) -> None:
    """What is read cannot be lost any more."""
    pipeline.ledger.open_wallet(customer := fresh_id("cus"))
    put(pipeline, event := payment(customer, 5))
    pipeline.log.configure(pipeline.topic, **setting)
    consumer = pipeline.consumer(start=False).start()
    consumer.expect_not_ready(pipeline.topic, said)
    pipeline.ledger.expect_applied(event)
    wait_for(lambda: [line for line in consumer.decisions("topic_loses_events") if said in line["reason"]], "its log to say so")
    pipeline.log.configure(pipeline.topic, cleanup_policy="delete")
    expect_ready_again(consumer)


def test_consumer_tells_how_long_the_topic_is_kept(pipeline: Pipeline) -> None:
    """The alert before the retention ends compares the lag with it."""
    pipeline.log.configure(pipeline.topic, retention_ms="3600000")
    consumer = pipeline.consumer()
    wait_for(lambda: consumer.metric("sluice_consumer_retention_seconds", topic=pipeline.topic) == 3600, "the topic's hour")


def test_retry_role_guards_requests_and_commands(pipeline: Pipeline) -> None:
    role = pipeline.retry_role()
    pipeline.log.configure(pipeline.quarantine, retention_bytes="1048576")
    pipeline.log.configure(pipeline.commands, cleanup_policy="compact")
    wait_for(lambda: f"{pipeline.quarantine} has retention.bytes" in (report := role.get("/readyz")[1])
             and f"{pipeline.commands} has cleanup.policy" in report, "both to be named")


def test_doctor_fails_and_topics_names_it(pipeline: Pipeline) -> None:
    pipeline.make_database()
    pipeline.log.configure(pipeline.dlq, cleanup_policy="compact,delete")
    doctor = pipeline.ctl("doctor")
    assert doctor.returncode == 1 and "cleanup.policy=compact,delete" in doctor.stdout, doctor.stdout
    assert f"{pipeline.dlq} has cleanup.policy" in pipeline.ctl("topics").stdout


def test_topics_are_made_with_settings_that_lose_nothing(own_kafka_that_loses, new_pipeline) -> None:
    """Whatever the brokers take for a default."""
    pipeline: Pipeline = new_pipeline(kafka=own_kafka_that_loses)
    pipeline.ctl("topics", "--apply", "--partitions", "1", "--replication", "1").check_returncode()
    pipeline.ingress()


@pytest.fixture
def own_kafka_that_loses(servers):
    kafka = servers.own_kafka("kafka-that-loses", **{"log.retention.bytes": "1048576", "log.cleanup.policy": "compact",
                                                     "unclean.leader.election.enable": "true"})
    yield kafka
    servers.drop(kafka)
