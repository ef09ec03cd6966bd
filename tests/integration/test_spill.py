"""Kafka is away and the ingress answers success all the same: what it answered for lies synced in a journal, and gets to Kafka once
and in order, whatever happens to the process and its disk."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from deploy.stack import Kafka
from tests.support import failpoints
from tests.support.crowd import at_once
from tests.support.events import Event, fresh_id, payment
from tests.support.faulty_disk import FaultyDisk
from tests.support.pipeline import PATH, SOURCE, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.servers import Servers
from tests.support.wait import wait_for

POINTS = [point for point in failpoints.in_source(failpoints.SPILL) if not failpoints.SPILL_ANYWHERE.startswith(f"{point}=")]


@pytest.fixture(scope="module")
def broker(servers: Servers) -> Iterator[Kafka]:
    kafka = servers.own_kafka("kafka-that-goes")
    yield kafka
    servers.drop(kafka)


class Spilling:
    """One ingress with a journal, a provider, and a Kafka that comes and goes."""

    def __init__(self, pipeline: Pipeline, kafka: Kafka) -> None:
        self.pipeline, self.kafka = pipeline, kafka
        self.disk = FaultyDisk(pipeline.folder / "disk")
        pipeline.config["spill"] = {"path": str(self.disk.folder), "max": "64MiB"}
        pipeline.config["sources"][0]["answer_within"] = "2s"
        self.ingress = pipeline.ingress(start=False)
        self.ingress.environment |= self.disk.environment
        self.ingress.failpoints_always = failpoints.SPILL_ANYWHERE
        self.provider: Provider | None = None

    def start(self, points: str = "") -> Spilling:
        self.ingress.start(points)
        return self

    def ready(self) -> Spilling:
        self.ingress.ready()
        self.provider = self.provider or self.pipeline.provider(self.ingress)
        return self

    def deliver(self, *events: Event) -> None:
        assert self.provider
        for event in events:
            self.provider.deliver(event)

    def expect_spilled(self, records: int) -> None:
        wait_for(lambda: self.ingress.metric("sluice_ingress_spill_records") == records, f"{records} records in the journal")

    def expect_drained(self) -> None:
        wait_for(lambda: self.ingress.metric("sluice_ingress_spill_records") == 0 and not self.disk.segments, "the journal to be empty")

    def kafka_hangs(self) -> None:
        """It answers nothing until it comes, and then what it was sent before, too."""
        self.kafka.pause()

    def kafka_goes(self) -> None:
        self.kafka.kill()

    def kafka_comes(self) -> None:
        """As it is wanted, also where it never went."""
        if self.kafka.running:
            return self.kafka.resume()
        self.kafka.start()
        self.kafka.wait_ready()

    def expect_order(self) -> None:
        """Each object's events came into the log as they were delivered, where only the first record of each counts."""
        assert self.provider
        first_seen = list(dict.fromkeys(record.text("ce_id") for record in self.pipeline.log.read(self.pipeline.topic)))
        objects: dict[str, list[str]] = {}
        for event in self.provider.accepted:
            objects.setdefault(event.object, []).append(event.id)
        for ids in objects.values():
            assert [event for event in first_seen if event in ids] == ids

    def expect_exactly_once(self) -> None:
        self.pipeline.consumer()
        self.pipeline.expect_exactly_once()


@pytest.fixture
def spilling(new_pipeline: Callable[..., Pipeline], broker: Kafka) -> Iterator[Spilling]:
    broker.resume()
    pipeline = new_pipeline(kafka=broker).prepare()
    pipeline.ledger.open_wallet("cus_1")
    made = Spilling(pipeline, broker)
    yield made
    made.kafka_comes()


def same_object(count: int) -> list[Event]:
    """Events of one payment, which have an order."""
    intent = fresh_id("pi")
    return [payment("cus_1", 1, intent=intent) for _ in range(count)]


def test_kafka_goes_and_comes(spilling: Spilling) -> None:
    spilling.start().ready()
    assert spilling.provider
    spilling.deliver(*same_object(3))
    spilling.kafka_goes()
    events = [payment("cus_1", 10) for _ in range(20)] + same_object(10)
    at_once([lambda event=event: spilling.deliver(event) for event in events[:20]])
    spilling.deliver(*events[20:])
    for delivery in spilling.provider.deliveries:
        delivery.expect(200)
    spilling.expect_spilled(30)
    assert spilling.ingress.metric("sluice_ingress_decisions_total", decision="accepted") == 33
    spilling.kafka_comes()
    spilling.expect_drained()
    spilling.deliver(*same_object(2))
    spilling.expect_order()
    spilling.expect_exactly_once()


@pytest.mark.timeout(7200)
def test_a_long_outage(spilling: Spilling) -> None:
    """SLUICE_SPILL_RECORDS says of how many webhooks."""
    count = int(os.environ.get("SLUICE_SPILL_RECORDS", "1000"))
    spilling.ingress.config["spill"]["max"] = "100GiB"
    spilling.start().ready()
    spilling.kafka_goes()
    attempts = spilling.pipeline.folder / "attempts.jsonl"
    began = time.monotonic()
    sent = spilling.pipeline.ctl_within(7000, "send", "--source", SOURCE, "--url", f"http://127.0.0.1:{spilling.ingress.port}{PATH}", "--quiet",
                                        "--count", str(count), "--concurrency", "32", "--customers", "1000", "--events", str(attempts))
    assert sent.returncode == 0, sent.stdout + sent.stderr
    taken = time.monotonic() - began
    spilling.expect_spilled(count)
    size = sum(segment.stat().st_size for segment in spilling.disk.segments)
    spilling.kafka_comes()
    began = time.monotonic()
    wait_for(lambda: spilling.ingress.metric("sluice_ingress_spill_records") == 0, "the journal to be empty", 3600)
    drained = time.monotonic() - began
    print(f"{count} webhooks taken in {taken:.0f} s, {size / count:.0f} bytes each on disk; drained in {drained:.0f} s")
    objects: dict[str, list[str]] = {}
    for line in map(json.loads, attempts.read_text().splitlines()):
        objects.setdefault(line["object"], []).append(line["id"])
    first_seen = {event: at for at, event in enumerate(dict.fromkeys(record.text("ce_id") for record in spilling.pipeline.log.read(spilling.pipeline.topic, 600)))}
    assert len(first_seen) == count
    assert all(ids == sorted(ids, key=first_seen.__getitem__) for ids in objects.values())


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_each_step(spilling: Spilling, point: str) -> None:
    """Of the journal and of its drain; the provider retries what had no answer."""
    spilling.start(f"{point}=kill@1").ready()
    assert spilling.provider
    spilling.kafka_hangs()
    spilling.deliver(*same_object(3), payment("cus_1", 10))
    if spilling.ingress.running:
        spilling.kafka_comes()
    assert spilling.ingress.wait_end() == -signal.SIGKILL, f"{point} was never hit"
    spilling.kafka_comes()
    spilling.start().ready()
    spilling.provider.retry_refused()
    spilling.expect_drained()
    spilling.expect_exactly_once()


@pytest.mark.parametrize("point", POINTS)
def test_fails_at_each_step(spilling: Spilling, point: str) -> None:
    spilling.start(f"{point}=error@2").ready()
    assert spilling.provider
    spilling.kafka_hangs()
    spilling.deliver(*same_object(3), payment("cus_1", 10))
    spilling.kafka_comes()
    wait_for(lambda: spilling.ingress.metric("sluice_ingress_spill_records") == 0, "the journal to be empty")
    spilling.provider.retry_refused()
    spilling.expect_drained()
    spilling.expect_exactly_once()


@pytest.mark.parametrize("garbage", [False, True], ids=["rest lost", "rest is garbage"])
@pytest.mark.parametrize("point", ["ingress.spill_before_names_are_synced", "ingress.spill_before_sync", "ingress.spill_before_answer", "ingress.spill_before_remove"])
def test_power_is_lost(spilling: Spilling, point: str, garbage: bool) -> None:
    """What was written and not synced is gone or is something else, and removed files are there again."""
    spilling.start(f"{point}=kill@{4 if point in ('ingress.spill_before_sync', 'ingress.spill_before_answer') else 1}").ready()
    assert spilling.provider
    spilling.kafka_hangs()
    spilling.deliver(*same_object(3), *[payment("cus_1", 10) for _ in range(3)])
    if spilling.ingress.running:
        spilling.kafka_comes()
    assert spilling.ingress.wait_end() == -signal.SIGKILL, f"{point} was never hit"
    spilling.disk.lose_power(garbage=garbage)
    spilling.kafka_comes()
    spilling.start().ready()
    spilling.expect_drained()
    assert spilling.ingress.metric("sluice_ingress_spill_damaged_bytes_total") == 0
    spilling.expect_order()
    spilling.provider.retry_refused()
    spilling.expect_exactly_once()


@pytest.mark.parametrize(("call", "how"), [("sync", "EIO"), ("write", "EIO"), ("names", "EIO")])
def test_a_disk_that_fails_once_is_never_trusted_again(spilling: Spilling, call: str, how: str) -> None:
    spilling.start().ready()
    assert spilling.provider
    spilling.kafka_hangs()
    if call != "names":
        spilling.deliver(payment("cus_1", 10))
        spilling.expect_spilled(1)
    spilling.disk.fails(call, how)
    spilling.provider.deliver(payment("cus_1", 20)).expect(503)
    assert spilling.ingress.metric("sluice_ingress_spill_broken") == 1
    spilling.disk.works()
    spilling.provider.deliver(payment("cus_1", 30)).expect(503)
    spilling.ingress.decisions("spill_broken")
    spilling.kafka_comes()
    spilling.expect_drained() if call != "names" else None
    spilling.provider.retry_refused()
    spilling.expect_exactly_once()


def test_a_full_disk_is_refused_and_may_have_room_again(spilling: Spilling) -> None:
    spilling.start().ready()
    assert spilling.provider
    spilling.kafka_hangs()
    spilling.deliver(payment("cus_1", 10))
    spilling.disk.fails("write", "ENOSPC")
    spilling.provider.deliver(payment("cus_1", 20)).expect(503)
    assert spilling.ingress.metric("sluice_ingress_spill_refused_total", reason="full") == 1
    assert spilling.ingress.metric("sluice_ingress_spill_broken") == 0
    spilling.disk.works()
    spilling.provider.deliver(payment("cus_1", 30)).expect(200)
    spilling.kafka_comes()
    spilling.expect_drained()
    spilling.provider.retry_refused()
    spilling.expect_exactly_once()


def test_a_slow_disk_is_refused_in_time(spilling: Spilling) -> None:
    """What it wrote too late for the answer is drained all the same: the provider's retry is a duplicate."""
    spilling.start().ready()
    assert spilling.provider
    spilling.kafka_hangs()
    spilling.disk.fails("sync", "slow 3000")
    late = spilling.provider.deliver(payment("cus_1", 10)).expect(503)
    assert late.last.seconds < 2.9, "answer_within is 2 s"
    assert spilling.ingress.metric("sluice_ingress_spill_refused_total", reason="slow") == 1
    spilling.disk.works()
    spilling.kafka_comes()
    spilling.expect_drained()
    spilling.provider.retry_refused()
    spilling.expect_exactly_once()


def test_started_again_while_kafka_is_away(spilling: Spilling) -> None:
    """It takes webhooks at once, as it knows from its journal that Kafka was there; a second outage changes nothing."""
    spilling.start().ready()
    spilling.kafka_goes()
    spilling.deliver(*same_object(2))
    spilling.ingress.stop()
    assert spilling.ingress.decisions("spill_left")[0]["records"] == 2
    spilling.start().ready()
    assert spilling.provider
    spilling.ingress.expect_degraded("kafka")
    spilling.expect_spilled(2)
    spilling.provider.deliver(payment("cus_1", 10)).expect(200)
    spilling.kafka_comes()
    spilling.expect_drained()
    spilling.kafka_goes()
    spilling.deliver(*same_object(2))
    spilling.kafka_comes()
    spilling.expect_drained()
    spilling.expect_order()
    spilling.expect_exactly_once()


def test_an_empty_journal_promises_nothing(spilling: Spilling) -> None:
    """A pod whose brokers are misspelt must not get traffic."""
    spilling.kafka_goes()
    spilling.start()
    spilling.ingress.expect_not_ready("kafka")


def test_a_source_is_removed_with_records_in_the_journal(spilling: Spilling) -> None:
    spilling.start().ready()
    spilling.kafka_goes()
    spilling.deliver(payment("cus_1", 10))
    spilling.ingress.stop()
    gone = spilling.ingress.config["sources"][0]
    spilling.ingress.config["sources"] = [{**gone, "name": "another", "path": "/v1/webhooks/another"}]
    spilling.start()
    spilling.kafka_comes()
    spilling.ready().expect_drained()
    spilling.expect_exactly_once()


def test_too_large_for_the_topic_while_it_waits(spilling: Spilling) -> None:
    """It stays until the topic takes it, and what is of other objects goes on."""
    spilling.start().ready()
    assert spilling.provider
    large = payment("cus_1", 10).with_content(description="x" * 3000)
    spilling.kafka_goes()
    spilling.deliver(large, payment("cus_1", 20))
    spilling.ingress.stop()
    spilling.kafka_comes()
    spilling.pipeline.log.configure(spilling.pipeline.topic, **{"max.message.bytes": "2000"})
    spilling.start().ready()
    wait_for(lambda: spilling.ingress.decisions("spill_stuck"), "the ingress to say what is stuck")
    spilling.expect_spilled(1)
    spilling.pipeline.log.configure(spilling.pipeline.topic, **{"max.message.bytes": "100000"})
    spilling.expect_drained()
    spilling.expect_exactly_once()


def test_a_folder_that_does_not_last_is_refused(pipeline: Pipeline) -> None:
    pipeline.config["spill"] = {"path": "/dev/shm"}
    ingress = pipeline.ingress(start=False).start()
    ingress.expect_clean_end = False
    assert ingress.wait_end() == 2
    assert "tmpfs" in ingress.errors() and "persistent volume" in ingress.errors()


def test_a_folder_has_one_process(spilling: Spilling) -> None:
    spilling.start().ready()
    second = spilling.pipeline.ingress(start=False).start(failpoints.SPILL_ANYWHERE)
    second.expect_clean_end = False
    assert second.wait_end() == 2
    assert "held by another process" in second.errors()
