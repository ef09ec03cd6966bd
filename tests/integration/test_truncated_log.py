"""A log that was cut below what was read: an unclean election, a restored disk. What is accepted after that is never skipped."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from deploy.stack import SqlServer
from tests.support import failpoints
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.older_copy import cut_sessions, put_copy_back, take_copy
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.servers import Servers
from tests.support.three_brokers import ThreeBrokers
from tests.support.wait import wait_for

GAP = "sluice_consumer_gap_events_total"
POINTS = failpoints.WAITING["log cut"]


@pytest.fixture
def one_partition(new_pipeline) -> Pipeline:
    return new_pipeline(partitions=1).prepare()


def customer_of(pipeline: Pipeline) -> str:
    pipeline.ledger.open_wallet(name := fresh_id("cus"))
    return name


def some(customer: str, count: int) -> list[Event]:
    return [payment(customer, number + 1) for number in range(count)]


def applied(pipeline: Pipeline) -> int:
    [(offset,)] = pipeline.ledger.query("SELECT MAX(next_offset) FROM applied_offset")
    return offset


def as_if_cut(pipeline: Pipeline, customer: str, *, read: int) -> list[Event]:
    """Three events, and a group that had read `read` of them."""
    consumer = pipeline.consumer()
    events = some(customer, 3)
    put(pipeline, *events)
    pipeline.expect_caught_up()
    assert consumer.stop() == 0
    pipeline.log.commit(pipeline.group, pipeline.topic, {0: read})
    pipeline.ledger.run(f"UPDATE applied_offset SET next_offset = {read}")
    return events


def expect_read_anew(pipeline: Pipeline, consumer: Program, events: list[Event]) -> None:
    pipeline.ledger.expect_applied(*events)
    pipeline.expect_caught_up()
    wait_for(lambda: consumer.decisions("log_truncated"), "the alarm")
    assert consumer.metric(GAP) > 0
    assert applied(pipeline) == pipeline.log.ends(pipeline.topic)[0], "an applied offset of the lost log stands"


@pytest.mark.databases("mysql", "mariadb")
def test_log_that_ends_below_the_committed_offset_is_read_anew(one_partition: Pipeline) -> None:
    customer = customer_of(one_partition)
    events = as_if_cut(one_partition, customer, read=50)
    put(one_partition, *(after := some(customer, 3)))
    consumer = one_partition.consumer()
    expect_read_anew(one_partition, consumer, [*events, *after])
    [line] = consumer.decisions("log_truncated")
    assert (line["position"], line["log_end"]) == (50, 6) and consumer.metric(GAP) == 44


def test_lost_commits_are_read_again_after_a_cut_too(one_partition: Pipeline) -> None:
    """An applied offset from before the cut would say that MySQL holds more than it does."""
    pipeline, customer = one_partition, customer_of(one_partition)
    events = as_if_cut(pipeline, customer, read=50)
    consumer = pipeline.consumer()
    pipeline.expect_caught_up()
    wait_for(lambda: applied(pipeline) == 3, "the applied offset to be of the log that there is")
    take_copy(pipeline)
    put(pipeline, lost := payment(customer, 7))
    pipeline.expect_caught_up()
    assert consumer.stop() == 0
    put_copy_back(pipeline)
    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(*events, lost)
    wait_for(lambda: {(line["known"], line["to"]) for line in consumer.decisions("seek_back")} == {(4, 3)}, "its log to say so")


@pytest.mark.databases("mysql", "mariadb")
@pytest.mark.parametrize("read", [50, 5], ids=["ahead", "outgrown"])
def test_fail_over_that_brings_applied_offsets_of_the_lost_log_back_loses_nothing(one_partition: Pipeline, read: int) -> None:
    """The copy of MySQL has the applied offset from before the cut still, and nothing of what was applied since."""
    pipeline, customer = one_partition, customer_of(one_partition)
    events = as_if_cut(pipeline, customer, read=read)
    take_copy(pipeline)
    consumer = pipeline.consumer()
    pipeline.expect_caught_up()
    wait_for(lambda: applied(pipeline) == 3, "the applied offset to be of the log that there is")
    put(pipeline, *(since := some(customer, 4)))
    pipeline.ledger.expect_applied(*events, *since)
    pipeline.expect_caught_up()
    put_copy_back(pipeline)
    pipeline.ledger.expect_applied(*events, *since, within=60)  # who is idle asks each 20 s whether its session is there
    pipeline.expect_caught_up()
    assert any("before the log was cut" in line["reason"] for line in consumer.decisions("seek_back"))
    wait_for(lambda: applied(pipeline) == pipeline.log.ends(pipeline.topic)[0], "the lost log's applied offset to be gone")


@pytest.mark.databases("mysql", "mariadb")
def test_applied_offset_of_the_lost_log_is_not_believed_on_another_server(new_pipeline, servers: Servers, database: SqlServer) -> None:
    """It lies between what is applied and what was read since the cut, so its number alone does not give it away."""
    own = servers.own_database(database.name.lower(), f"cut-{database.name.lower()}")
    pipeline: Pipeline = new_pipeline(database=own, partitions=1).prepare()
    pipeline.config["consumer"] = {"in_place": "60s"}
    pipeline.config["effects"].append(WANTS_A_ROW)
    customer, late = customer_of(pipeline), fresh_id("cus")
    events = as_if_cut(pipeline, customer, read=5)
    take_copy(pipeline)
    consumer = pipeline.consumer()
    put(pipeline, lost := payment(customer, 4))
    wait_for(lambda: applied(pipeline) == 4, "what comes after the cut to be applied")
    put(pipeline, held := paid_invoice(late), *(behind := some(customer, 2)))
    pipeline.ledger.expect_applied(*events, lost, *behind)
    assert applied(pipeline) == 4
    pipeline.ledger.run("SET GLOBAL server_id = 4713")
    put_copy_back(pipeline)
    pipeline.ledger.open_wallet(late)
    pipeline.ledger.expect_applied(*events, lost, held, *behind, within=60)
    pipeline.expect_caught_up()
    assert any("before the log was cut" in line["reason"] for line in consumer.decisions("seek_back"))
    pipeline.end_programs()
    servers.drop(own)


@pytest.mark.parametrize("point", POINTS)
def test_killed_while_applied_offsets_are_forgotten(one_partition: Pipeline, point: str) -> None:
    customer = customer_of(one_partition)
    one_partition.config["kafka"]["options"] = QUICKLY_GONE
    events = as_if_cut(one_partition, customer, read=50)
    victim = one_partition.consumer(start=False).start(f"{point}=kill@1")
    wait_for(lambda: not victim.running, "the victim to die")
    assert victim.exit_code == -signal.SIGKILL and point in victim.hit_failpoints()
    expect_read_anew(one_partition, one_partition.consumer(), events)


def test_forgetting_fails_once_and_the_same_process_goes_on(one_partition: Pipeline) -> None:
    customer = customer_of(one_partition)
    events = as_if_cut(one_partition, customer, read=50)
    expect_read_anew(one_partition, one_partition.consumer(";".join(f"{point}=error@1" for point in POINTS)), events)


# With real brokers: the third one is made the leader without what only the second one has.


@pytest.fixture(scope="module")
def brokers(servers: Servers) -> Iterator[ThreeBrokers]:
    brokers = ThreeBrokers(servers, "three-brokers")
    yield brokers
    brokers.stop()


@pytest.fixture
def pipeline(new_pipeline, brokers: ThreeBrokers) -> Iterator[Pipeline]:
    pipeline = new_pipeline(kafka=brokers.first, partitions=1)
    yield brokers.prepare_shared(pipeline, pipeline.topic)
    brokers.bring_back()


@pytest.mark.parametrize("running, options", [(True, {"session.timeout.ms": 45_000}), (True, QUICKLY_GONE), (False, QUICKLY_GONE)],
                         ids=["a member all the time", "given the partition anew", "between two runs"])
def test_unclean_election_skips_nothing_that_is_accepted_after_it(pipeline: Pipeline, brokers: ThreeBrokers,
                                                                  running: bool, options: dict) -> None:
    """By the time that somebody looks, the log has grown past what was read before."""
    pipeline.config["kafka"]["options"] = options
    customer = customer_of(pipeline)
    consumer = pipeline.consumer()
    put(pipeline, *(kept := some(customer, 5)))
    pipeline.expect_caught_up(within=60)
    brokers.leave_third_behind(pipeline.topic)
    put(pipeline, *(gone := some(customer, 10)))
    pipeline.expect_caught_up(within=60)
    if running:
        consumer.pause()
    else:
        assert consumer.stop() == 0
    brokers.elect_third(pipeline.topic)
    assert pipeline.log.ends(pipeline.topic) == {0: 5}, "the election was clean"
    pipeline.log.close()
    put(pipeline, *(after := some(customer, 20)))
    if running:
        consumer.resume()
    else:
        consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(*kept, *gone, *after, within=60)
    pipeline.expect_caught_up(within=60)
    expect_read_anew(pipeline, consumer, [*kept, *gone, *after])


def test_fail_over_of_mysql_beside_a_cut_holds_nobody(pipeline: Pipeline, brokers: ThreeBrokers) -> None:
    """Of the cut partition an event is still under way, so it is not read, and the client seeks nothing in it."""
    pipeline.config["kafka"]["options"] = {"session.timeout.ms": 45_000}
    pipeline.config["consumer"] = {"in_place": "60s"}
    pipeline.config["effects"].append(WANTS_A_ROW)
    customer, late = customer_of(pipeline), fresh_id("cus")
    consumer = pipeline.consumer()
    put(pipeline, *(kept := some(customer, 5)), held := paid_invoice(late))
    wait_for(lambda: len(pipeline.ledger.statuses()) == 5, "all but one to be applied", within=60)
    brokers.leave_third_behind(pipeline.topic)
    put(pipeline, *(gone := some(customer, 10)))
    pipeline.ledger.expect_applied(*kept, *gone, within=60)
    consumer.pause()
    brokers.elect_third(pipeline.topic)
    pipeline.log.close()
    put(pipeline, *(after := some(customer, 20)))
    consumer.resume()
    wait_for(lambda: consumer.decisions("log_start_unknown"), "the cut to be seen", within=60)
    cut_sessions(pipeline)
    wait_for(lambda: pipeline.ledger.status(after[-1]) == "done", "what came after the cut to be applied")
    pipeline.ledger.open_wallet(late)
    pipeline.ledger.expect_applied(*kept, held, *gone, *after, within=60)
