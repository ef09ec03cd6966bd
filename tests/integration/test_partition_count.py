"""The topic gets another number of partitions: keys stay where they are, or nothing is read until somebody has looked."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.chart.chart import LEAST, rendered
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.kafka_log import java_partition
from tests.support.lanes import expect_lane, key_of
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.records import put, record_of
from tests.support.wait import stays, wait_for

BOTH = pytest.mark.databases("mysql", "mariadb")
PAGE = "docs/upgrade.md"


@pytest.fixture
def customer(pipeline: Pipeline) -> str:
    name = fresh_id("cus")
    pipeline.ledger.open_wallet(name)
    return name


def round_of(customer: str, units: list[str], amount: int = 1) -> list[Event]:
    return [payment(customer, amount, intent=unit) for unit in units]


def moved(pipeline: Pipeline) -> str:
    """A key's unit that lies elsewhere with twice as many partitions."""
    units = (fresh_id("pi") for _ in range(1000))
    return next(unit for unit in units if java_partition(f"stripe/acct_main/{unit}".encode(), 2 * pipeline.partitions)
                >= pipeline.partitions)


def expect_in_their_partitions(pipeline: Pipeline, events: list[Event], partitions: int) -> None:
    lies_in = {record.text("ce_id"): record.partition for record in pipeline.log.read(pipeline.topic)}
    assert {event.id: lies_in[event.id] for event in events} == {
        event.id: java_partition(key_of(event).encode(), partitions) for event in events}


def test_a_running_ingress_leaves_keys_where_they_are(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    units = [fresh_id("pi") for _ in range(12)]
    before, after = round_of("cus_1", units), round_of("cus_1", units)
    for event in before:
        provider.deliver(event).expect(200)
    assert ingress.metric("sluice_ingress_partitions_changed") == 0
    pipeline.log.grow(pipeline.topic, 2 * pipeline.partitions)
    wait_for(lambda: ingress.metric("sluice_ingress_partitions_changed") == 1, "the ingress to notice")
    for event in after:
        provider.deliver(event).expect(200)
    expect_in_their_partitions(pipeline, before + after, pipeline.partitions)
    assert ingress.ready() and PAGE in ingress.decisions("partitions_changed")[0]["why"]


@BOTH
def test_consumers_stand_still_until_somebody_has_looked(pipeline: Pipeline, customer: str) -> None:
    unit = moved(pipeline)
    first, second = round_of(customer, [unit, unit])
    running = pipeline.consumer()
    put(pipeline, first)
    pipeline.ledger.expect_applied(first)
    pipeline.log.grow(pipeline.topic, 2 * pipeline.partitions)
    assert running.wait_end() == 1, "only a new process can go on"
    [line] = running.decisions("partitions_changed")
    assert PAGE in line["reason"] and "over 3 partitions so far and would now be spread over 6" in line["reason"]

    anew = pipeline.consumer(start=False).start()
    anew.expect_not_ready("kafka", PAGE, "kafka.partitions to 3")
    put(pipeline, second)
    stays(lambda: not_applied(pipeline, second), 1)
    anew.expect_metric(1, "sluice_consumer_partitions_changed")
    assert len(anew.decisions("partitions_changed")) == 1 and not anew.decisions("assigned")

    said = json.loads(pipeline.ctl("doctor", "--only", "kafka,mysql", "--json").stdout)
    [finding] = [finding for finding in said["findings"] if finding["check"] == "kafka.partitions"]
    assert finding["level"] == "fail" and PAGE in finding["sentence"], finding
    pipeline.config["kafka"]["partitions"] = pipeline.partitions  # what the sentence says
    pinned = pipeline.consumer()
    pipeline.ledger.expect_applied(first, second)
    assert pinned.metric("sluice_consumer_partitions_changed") == 0


def not_applied(pipeline: Pipeline, event: Event) -> None:
    assert pipeline.ledger.status(event) is None


@BOTH
def test_a_topic_that_grows_under_a_pinned_number_harms_nobody(pipeline: Pipeline, customer: str) -> None:
    """Nothing stands still, also for processes that start afterwards."""
    pipeline.config["kafka"]["partitions"] = pipeline.partitions
    units = [fresh_id("pi") for _ in range(9)]
    consumer, ingress = pipeline.consumer(), pipeline.ingress()
    early, late = round_of(customer, units), round_of(customer, units)
    for event in early:
        pipeline.provider(ingress).deliver(event).expect(200)
    pipeline.log.grow(pipeline.topic, 2 * pipeline.partitions)
    second, fresh = pipeline.consumer(), pipeline.ingress()
    for event in late:
        pipeline.provider(fresh).deliver(event).expect(200)
    pipeline.ledger.expect_applied(*early, *late)
    pipeline.ledger.expect_each_objects_order(early + late)
    expect_in_their_partitions(pipeline, early + late, pipeline.partitions)
    assert not any(program.decisions("partitions_changed") for program in (consumer, second, ingress, fresh))


def test_a_grown_topics_used_partitions_are_shared_fairly(pipeline: Pipeline, customer: str) -> None:
    pipeline.config["kafka"]["partitions"] = pipeline.partitions
    pipeline.log.grow(pipeline.topic, 2 * pipeline.partitions)
    used = set(range(pipeline.partitions))
    first = pipeline.consumer()
    pipeline.consumer()

    def fair() -> bool:
        strategy, shares = pipeline.log.group(pipeline.group)
        return strategy == "roundrobin" and sorted(len(share & used) for share in shares) == [1, 2]
    wait_for(fair, "both to have used partitions")
    events = round_of(customer, [fresh_id("pi") for _ in range(9)] * 3)
    put(pipeline, *events)
    pipeline.ledger.expect_applied(*events)
    pipeline.ledger.expect_each_objects_order(events)
    assert first.running


def test_events_where_none_belong_stop_those_who_would_read_them(pipeline: Pipeline, customer: str) -> None:
    """Somebody else's producer spreads keys over all partitions."""
    pipeline.config["kafka"]["partitions"] = pipeline.partitions
    running = pipeline.consumer()
    early, late = round_of(customer, [moved(pipeline)] * 2)
    put(pipeline, early)
    pipeline.ledger.expect_applied(early)
    pipeline.log.grow(pipeline.topic, 2 * pipeline.partitions)
    key, value, headers = record_of(late)
    astray = java_partition(key, 2 * pipeline.partitions)
    pipeline.log.append(pipeline.topic, value, key=key, headers=headers, partition=astray)
    anew = pipeline.consumer(start=False).start()
    anew.expect_not_ready(f"partition {astray} has events", PAGE)
    anew.expect_metric(1, "sluice_consumer_partitions_changed")
    assert anew.stop() == 0
    if running.ended_within(0):  # it may not have been given the new partition yet
        assert running.wait_end() == 1
    not_applied(pipeline, late)


def test_fewer_than_pinned_is_not_ready(pipeline: Pipeline) -> None:
    pipeline.config["kafka"]["partitions"] = 2 * pipeline.partitions
    for program in (pipeline.ingress(start=False), pipeline.consumer(start=False)):
        program.start().expect_not_ready("partitions 3, below the 6 of kafka.partitions")
    pipeline.log.grow(pipeline.topic, 2 * pipeline.partitions)
    for program in pipeline.programs:
        program.ready()


def test_topics_refuses_another_number(pipeline: Pipeline) -> None:
    for number in (2, 6):
        said = pipeline.ctl("topics", "--apply", "--partitions", str(number), "--replication", "1")
        assert said.returncode == 1 and "break the order of an object's events" in said.stdout and PAGE in said.stdout, said.stdout
    assert len(pipeline.log.ends(pipeline.topic)) == pipeline.partitions
    pipeline.config["kafka"]["partitions"] = 2
    assert "should have" not in pipeline.ctl("topics").stdout, "more than are used is no fault"


def test_the_charts_job_fails_a_release_that_changes_the_number(pipeline: Pipeline) -> None:
    """Another number is another Job, and that one fails; nothing else of the release differs."""
    def job_with(partitions: int) -> dict:
        config = {name: part for name, part in pipeline.config.items() if name not in ("listen", "operations")}
        given = {"image": LEAST["image"], "config": config, "topics": {"mode": "job", "partitions": partitions, "replication": 1},
                 "consumer": {"replicas": 1}}
        [job] = [each for each in rendered(given).objects if each["kind"] == "Job" and "-topics-" in each["metadata"]["name"]]
        return job

    def run(job: dict) -> subprocess.CompletedProcess[str]:
        return pipeline.ctl(*job["spec"]["template"]["spec"]["containers"][0]["args"])

    pipeline.log.configure(pipeline.topic, max_message_bytes=str(2 << 20))
    before, after = job_with(pipeline.partitions), job_with(2 * pipeline.partitions)
    assert PAGE not in run(before).stdout
    refused = run(after)
    assert before["metadata"]["name"] != after["metadata"]["name"], "a Job that has run is not run again"
    assert refused.returncode == 1 and PAGE in refused.stdout and len(pipeline.log.ends(pipeline.topic)) == pipeline.partitions


@BOTH
def test_the_way_to_more_partitions_keeps_each_objects_order(pipeline: Pipeline, customer: str) -> None:
    """docs/upgrade.md: a new topic, the ingress first, the consumers when the old one is read. An object is in trouble all the time."""
    late, units = fresh_id("cus"), [fresh_id("pi") for _ in range(9)]
    pipeline.config["effects"].append(WANTS_A_ROW)
    pipeline.config["consumer"] = {"in_place": "0s"}
    unit = fresh_id("in")

    def events() -> list[Event]:
        return [*round_of(customer, units), paid_invoice(late, unit=unit)]

    rounds = [events() for _ in range(3)]
    old = [pipeline.consumer(), pipeline.retry_role()]
    ingress = pipeline.ingress()
    deliver(pipeline, ingress, rounds[0])
    pipeline.config["kafka"] |= {"topic": f"{pipeline.name}.webhooks.v2", "originals_topic": f"{pipeline.topic}.originals"}
    pipeline.ctl("topics", "--apply", "--partitions", "6", "--replication", "1").check_returncode()
    fresh = pipeline.ingress()
    assert ingress.stop() == 0
    deliver(pipeline, fresh, [*rounds[1], rounds[0][0]])  # one that was redelivered over the switch
    pipeline.expect_caught_up()
    for start, program in ((pipeline.consumer, old[0]), (pipeline.retry_role, old[1])):
        start()
        assert program.stop() == 0, program.story()
    deliver(pipeline, fresh, rounds[2])
    pipeline.ledger.expect_applied(*[event for each in rounds for event in each[:-1]])
    expect_lane(pipeline, rounds[0][-1], "retry", "parked", "parked")
    pipeline.ledger.open_wallet(late)
    all_events = [event for each in rounds for event in each]
    pipeline.ledger.expect_applied(*all_events)
    pipeline.ledger.expect_each_objects_order(all_events)
    assert len(pipeline.log.ends(pipeline.config["kafka"]["topic"])) == 6


def deliver(pipeline: Pipeline, ingress: Program, events: list[Event]) -> None:
    provider = pipeline.provider(ingress)
    for event in events:
        provider.deliver(event).expect(200)
