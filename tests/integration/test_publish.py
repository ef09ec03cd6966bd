"""Kafka decides what was accepted: no success without its acknowledgement, and nothing lost while it is away."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from deploy.stack import Kafka
from deploy.stack.server import free_port
from tests.support.crowd import at_once
from tests.support.events import payment
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.servers import BROKER, Servers
from tests.support.tcp_proxy import TcpProxy
from tests.support.wait import stays, wait_for


@pytest.fixture(scope="module")
def broker(servers: Servers) -> Iterator[tuple[Kafka, TcpProxy]]:
    """A Kafka that this file breaks, and a second way to it: who comes by the proxy is sent back to the proxy."""
    behind = free_port()
    with TcpProxy(behind) as proxy:
        kafka = servers.own_kafka("kafka-to-break")
        kafka.kill()
        kafka.overrides |= {
            "listeners": f"PLAINTEXT://{kafka.address},VIA://127.0.0.1:{behind},CONTROLLER://127.0.0.1:{kafka.controller_port}",
            "advertised.listeners": f"PLAINTEXT://{kafka.address},VIA://127.0.0.1:{proxy.port}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,VIA:PLAINTEXT,CONTROLLER:PLAINTEXT"}
        yield kafka, proxy
        servers.drop(kafka)


@pytest.fixture
def own_kafka(broker: tuple[Kafka, TcpProxy]) -> Kafka:
    """It runs, whatever the last test did to it."""
    kafka, _ = broker
    if kafka.running:
        kafka.resume()
    else:
        kafka.start()
    kafka.wait_ready()
    return kafka


@pytest.fixture
def pipeline_there(new_pipeline: Callable[..., Pipeline], own_kafka: Kafka) -> Pipeline:
    return new_pipeline(kafka=own_kafka).prepare()


def test_broker_killed_is_refused_and_nothing_is_lost(pipeline_there: Pipeline, own_kafka: Kafka) -> None:
    pipeline = pipeline_there
    pipeline.ledger.open_wallet("cus_1")
    provider = pipeline.provider(pipeline.ingress())
    for _ in range(5):
        provider.deliver(payment("cus_1", 10)).expect(200)
    own_kafka.kill()
    refused = [provider.start(payment("cus_1", 10)) for _ in range(3)]
    at_once([delivery.attempt for delivery in refused])
    for delivery in refused:
        delivery.expect(503)
        assert int(delivery.last.headers["retry-after"]) >= 1
        assert delivery.last.seconds < 6, "answer_within is 4 s"
    own_kafka.start()
    own_kafka.wait_ready()
    provider.retry_refused()
    pipeline.consumer()
    pipeline.expect_exactly_once()


def test_while_the_broker_is_away_the_ingress_keeps_its_traffic(pipeline_there: Pipeline, own_kafka: Kafka) -> None:
    """It answers 503 with Retry-After, which what stands in front of it cannot, and is there when the broker is."""
    pipeline = pipeline_there
    ingress = pipeline.ingress()
    provider = pipeline.provider(ingress)
    known = provider.deliver(payment()).twice().expect(200)
    ingress.expect_metric(1, "sluice_ingress_decisions_total", decision="duplicate")
    own_kafka.kill()
    ingress.expect_degraded("kafka", own_kafka.address)
    assert ingress.metric("sluice_ready", concern="kafka") == 0
    refused = provider.deliver(payment()).expect(503)
    assert int(refused.last.headers["retry-after"]) >= 1
    assert known.attempt().status == 503, "Kafka may come back without it"
    own_kafka.start()
    own_kafka.wait_ready()
    wait_for(lambda: ingress.metric("sluice_ready", concern="kafka") == 1, "the ingress to say that all is well")
    provider.retry_refused()
    pipeline.expect_log_holds([refused.event])


def test_broker_that_is_away_is_looked_for_with_pauses(pipeline_there: Pipeline, own_kafka: Kafka) -> None:
    """Without pauses it would be thousands of connects a second from each ingress, and a third of a core."""
    pipeline = pipeline_there
    ingress = pipeline.ingress()
    pipeline.provider(ingress).deliver(payment("cus_1", 10)).expect(200)
    own_kafka.kill()
    ingress.expect_degraded("kafka", own_kafka.address)
    before = ingress.sleeps
    stays(lambda: expect_at_most(20_000, ingress.sleeps - before), during=8)


def expect_at_most(bound: int, count: int) -> None:
    assert count <= bound


def test_broker_paused_is_refused_in_time(pipeline_there: Pipeline, own_kafka: Kafka) -> None:
    """Accepted by nobody yet, it may still land later: a duplicate record, never a lost event."""
    pipeline = pipeline_there
    pipeline.ledger.open_wallet("cus_1")
    pipeline.config["sources"][0]["answer_within"] = "900ms"
    provider = pipeline.provider(pipeline.ingress())
    provider.deliver(payment("cus_1", 10)).expect(200)
    own_kafka.pause()
    try:
        delivery = provider.deliver(payment("cus_1", 20)).expect(503)
        assert delivery.last.seconds < 2, f"answer_within is 900 ms, it took {delivery.last.seconds:.1f} s"
    finally:
        own_kafka.resume()
    provider.retry_refused()
    pipeline.consumer()
    pipeline.expect_exactly_once()


def test_lost_produce_answer_is_no_success(pipeline_there: Pipeline, broker: tuple[Kafka, TcpProxy]) -> None:
    """The broker has appended it, nobody heard so: 503, and the provider's retry ends in one effect."""
    pipeline, (_, proxy) = pipeline_there, broker
    pipeline.ledger.open_wallet("cus_1")
    pipeline.config["sources"][0]["answer_within"] = "900ms"
    pipeline.config["kafka"]["brokers"] = [f"127.0.0.1:{proxy.port}"]
    provider = pipeline.provider(pipeline.ingress())
    provider.deliver(payment("cus_1", 10)).expect(200)
    proxy.hold_answers()
    lost = provider.deliver(payment("cus_1", 20)).expect(503)
    wait_for(lambda: lost.event.id in [record.text("ce_id") for record in pipeline.log.read(pipeline.topic)],
             "the broker to have appended it")
    proxy.let_go()
    provider.retry_refused()
    pipeline.consumer()
    pipeline.expect_exactly_once()


def test_missing_topic_is_said_and_mends_itself(new_pipeline) -> None:
    pipeline: Pipeline = new_pipeline()
    pipeline.log.create(pipeline.quarantine, pipeline.dlq)
    ingress = pipeline.ingress(start=False).start()
    ingress.expect_not_ready(pipeline.topic)
    pipeline.log.create(pipeline.topic)
    ingress.ready()
    pipeline.provider(ingress).deliver(payment()).expect(200)


def test_topic_that_vanishes_is_said_and_mends_itself(pipeline: Pipeline, ingress: Program) -> None:
    provider = pipeline.provider(ingress)
    provider.deliver(payment()).expect(200)
    pipeline.log.delete(pipeline.topic)
    refused = provider.deliver(payment())
    assert refused.last.status == 503, refused.last
    ingress.expect_not_ready(pipeline.topic)
    pipeline.log.create(pipeline.topic, partitions=pipeline.partitions)
    ingress.ready()
    provider.retry_refused()
    pipeline.expect_log_holds([refused.event])


def test_unreachable_broker_is_said_and_mends_itself(new_pipeline: Callable[..., Pipeline], own_kafka: Kafka) -> None:
    pipeline = new_pipeline(kafka=own_kafka)
    pipeline.create_topics()
    own_kafka.kill()
    ingress = pipeline.ingress(start=False).start()
    ingress.expect_not_ready("kafka", own_kafka.address)
    provider = pipeline.provider(ingress)
    delivery = provider.deliver(payment())
    assert delivery.last.status == 503
    own_kafka.start()
    own_kafka.wait_ready()
    ingress.ready()
    provider.retry_refused()
    pipeline.expect_log_holds([delivery.event])


def test_topic_below_configuration_is_refused(pipeline: Pipeline) -> None:
    """acks=all with one replica is acks=1: not what was asked for."""
    pipeline.config["kafka"].update(min_replication=2, min_insync=1)
    pipeline.ingress(start=False).start().expect_not_ready(pipeline.topic, "replication")


def test_requests_pile_up_to_a_bound_only(new_pipeline: Callable[..., Pipeline], own_kafka: Kafka) -> None:
    """While Kafka stands still, what cannot be answered in time is shed early, and memory stays."""
    pipeline = new_pipeline(kafka=own_kafka)
    pipeline.create_topics()
    ingress = pipeline.ingress()
    provider = pipeline.provider(ingress)
    provider.deliver(payment()).expect(200)
    before = ingress.resident_kib
    own_kafka.pause()
    try:
        deliveries = [provider.start(payment()) for _ in range(150)]
        at_once([delivery.attempt for delivery in deliveries])
    finally:
        own_kafka.resume()
    for delivery in deliveries:
        delivery.expect(503)
        assert delivery.last.seconds < 6
    assert ingress.resident_kib - before < 64 * 1024
    wait_for(lambda: provider.deliver(payment()).accepted, "service again")


@pytest.fixture
def second_node(servers: Servers, own_kafka: Kafka) -> Iterator[Kafka]:
    """Another broker of the same cluster; the first one stays its only controller."""
    port = free_port()
    node = Kafka(servers.folder / "kafka-second-node", port, node_id=2, cluster_id=own_kafka.cluster_id,
                 voters={own_kafka.node_id: own_kafka.controller_port},
                 overrides={**BROKER, "process.roles": "broker", "listeners": f"PLAINTEXT://127.0.0.1:{port}"})
    servers.own(node)
    yield node
    servers.drop(node)


def test_no_success_with_fewer_replicas_than_asked_for(own_kafka: Kafka, second_node: Kafka,
                                                       new_pipeline: Callable[..., Pipeline]) -> None:
    """Two in-sync replicas asked for, one there: the broker refuses, and so do we."""
    pipeline = new_pipeline(kafka=own_kafka)
    pipeline.log.create(pipeline.topic, pipeline.quarantine, replication=2, config={"min.insync.replicas": "1"})
    pipeline.config["kafka"].update(min_replication=2, min_insync=2)
    pipeline.config["sources"][0]["answer_within"] = "900ms"
    ingress = pipeline.ingress(start=False).start()
    ingress.expect_not_ready(pipeline.topic, "insync")
    for topic in (pipeline.topic, pipeline.quarantine):
        pipeline.log.configure(topic, min_insync_replicas="2")
    provider = pipeline.provider(ingress.ready())
    provider.deliver(payment()).expect(200)
    second_node.kill()
    for _ in range(3):
        provider.deliver(payment()).expect(503)
    second_node.start()
    second_node.wait_ready()
    provider.retry_refused()
    pipeline.expect_log_holds(provider.accepted)


def test_record_too_large_for_the_topic_is_no_success(pipeline: Pipeline) -> None:
    pipeline.log.configure(pipeline.topic, max_message_bytes="4096")
    provider = pipeline.provider(pipeline.ingress())
    event = payment()
    padded = event.with_body(event.body.replace(b'"livemode"', b'"pad": "' + b"x" * 10_000 + b'", "livemode"'))
    assert provider.deliver(padded).last.status in (413, 503)
    provider.deliver(payment()).expect(200)
