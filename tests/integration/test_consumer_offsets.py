"""What MySQL holds and what Kafka says are two things: the consumer compares them, and goes by what MySQL holds."""

from __future__ import annotations

import signal

import pytest

from tests.support import failpoints
from tests.support.events import Event, fresh_id, payment
from tests.support.older_copy import cut_sessions, put_copy_back, take_copy
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.servers import Servers
from tests.support.wait import stays, wait_for

UNIT = "pi_one"  # most events of these tests are of one object: one partition, known offsets


@pytest.fixture
def customer(pipeline: Pipeline) -> str:
    name = fresh_id("cus")
    pipeline.ledger.open_wallet(name)
    return name


def some(customer: str, count: int = 10) -> list[Event]:
    return [payment(customer, number + 1, intent=UNIT) for number in range(count)]


def partition_of_unit(pipeline: Pipeline) -> int:
    [partition] = [number for number, end in pipeline.log.ends(pipeline.topic).items() if end > 0]
    return partition


def applied_offsets(pipeline: Pipeline) -> dict[int, int]:
    """By partition, of the topic's newest life."""
    rows = pipeline.ledger.query(
        "SELECT partition_no, MAX(next_offset) FROM applied_offset WHERE group_id = %s AND topic_id ="
        " (SELECT topic_id FROM applied_offset ORDER BY updated_at DESC LIMIT 1) GROUP BY partition_no",
        pipeline.group.encode())
    return dict(rows)


@pytest.mark.databases("mysql", "mariadb")
def test_applied_offsets_reach_the_log_s_end_and_kafka_never_knows_more(pipeline: Pipeline, customer: str) -> None:
    pipeline.consumer()
    events = []
    for number in range(20):
        events += [payment(customer, number + 1) for _ in range(5)]
        put(pipeline, *events[-5:])
        # In this order: what is committed later may be more.
        committed = pipeline.log.committed(pipeline.group, pipeline.topic)
        applied = applied_offsets(pipeline)
        ahead = {part: offset for part, offset in committed.items() if offset > applied.get(part, 0)}
        assert not ahead, f"Kafka's {committed} is ahead of MySQL's {applied}"
    pipeline.expect_caught_up()
    assert applied_offsets(pipeline) == pipeline.log.ends(pipeline.topic)
    pipeline.ledger.expect_applied(*events)


@pytest.mark.databases("mysql", "mariadb")
def test_offsets_wait_for_the_commit(pipeline: Pipeline, customer: str) -> None:
    """COMMIT takes long: until it is done neither MySQL nor Kafka says that an event is."""
    consumer = pipeline.consumer("consumer.before_commit=delay:3000@1")
    events = some(customer)
    put(pipeline, *events)
    wait_for(lambda: consumer.metric("sluice_consumer_unfinished_events") > 0, "events in work")

    def nobody_is_ahead() -> None:
        # In this order: what is committed later may be more.
        kafkas = sum(max(offset, 0) for offset in pipeline.log.committed(pipeline.group, pipeline.topic).values())
        claimed = sum(applied_offsets(pipeline).values())
        held = len(pipeline.ledger.statuses())
        assert kafkas <= held and claimed <= held, f"Kafka's {kafkas}, claimed {claimed}, in the inbox {held}"
    stays(nobody_is_ahead, during=2.5)
    pipeline.ledger.expect_applied(*events)
    pipeline.expect_caught_up()


@pytest.mark.parametrize("running", [True, False], ids=["under way", "between two runs"])
def test_restored_older_copy_is_caught_up_with(pipeline: Pipeline, customer: str, running: bool) -> None:
    """Kafka's offsets are ahead of what MySQL holds: the consumer seeks back."""
    consumer = pipeline.consumer()
    before, after = some(customer), some(customer)
    put(pipeline, *before)
    pipeline.expect_caught_up()
    take_copy(pipeline)
    put(pipeline, *after)
    pipeline.expect_caught_up()
    if not running:
        consumer.stop()
    put_copy_back(pipeline)
    put(pipeline, last := payment(customer, 1, intent=UNIT))
    if not running:
        consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(*before, *after, last)
    pipeline.expect_caught_up()
    assert {(line["known"], line["to"]) for line in consumer.decisions("seek_back")} == {(20, 10)}
    assert applied_offsets(pipeline) == {partition_of_unit(pipeline): 21}


def test_what_was_read_before_a_seek_back_is_not_run_after_it(pipeline: Pipeline, customer: str) -> None:
    """Events of one object keep coming while the consumer seeks back: none goes before those that it reads again."""
    first = pipeline.consumer()
    put(pipeline, *(before := some(customer, 2)))
    pipeline.expect_caught_up()
    take_copy(pipeline)
    put(pipeline, *(lost := some(customer)))
    pipeline.expect_caught_up()
    assert first.stop() == 0
    put_copy_back(pipeline)
    pipeline.config["consumer"] = {"workers": 1}
    consumer = pipeline.consumer(start=False).start("consumer.after_absorb=delay:400;consumer.after_seek_back=delay:2000")
    later: list[Event] = []

    def go_on() -> int:
        put(pipeline, event := payment(customer, 1, intent=UNIT))
        later.append(event)
        return len(later)
    wait_for(lambda: go_on() and consumer.decisions("seek_back"), "the seek back")
    wait_for(lambda: go_on() and len(pipeline.ledger.statuses()) > len(before) + len(lost), "what came later to be applied")
    pipeline.ledger.expect_applied(*before, *lost, *later)
    pipeline.ledger.expect_each_objects_order([*before, *lost, *later])


@pytest.mark.parametrize("point", failpoints.WAITING["seek back"])
def test_killed_after_a_seek_back(pipeline: Pipeline, customer: str, point: str) -> None:
    pipeline.config["kafka"]["options"] = QUICKLY_GONE
    first = pipeline.consumer()
    put(pipeline, *(before := some(customer)))
    pipeline.expect_caught_up()
    take_copy(pipeline)
    put(pipeline, *(lost := some(customer)))
    pipeline.expect_caught_up()
    assert first.stop() == 0
    put_copy_back(pipeline)
    victim = pipeline.consumer(start=False).start(f"{point}=kill@1")
    wait_for(lambda: not victim.running, "the victim to die")
    assert victim.exit_code == -signal.SIGKILL and point in victim.hit_failpoints()
    pipeline.consumer()
    pipeline.ledger.expect_applied(*before, *lost)
    pipeline.ledger.expect_each_objects_order([*before, *lost])


def test_seek_back_shows_as_lag(pipeline: Pipeline, customer: str) -> None:
    """What consumers are scaled by goes by committed offsets: they go back as soon as something is read again."""
    pipeline.config["consumer"] = {"batch": 1}
    pipeline.consumer("consumer.before_commit=delay:200@p1")
    put(pipeline, *(before := some(customer, 2)))
    pipeline.expect_caught_up()
    take_copy(pipeline)
    put(pipeline, *(after := some(customer, 10)))
    pipeline.expect_caught_up()
    put_copy_back(pipeline)
    put(pipeline, last := payment(customer, 1, intent=UNIT))
    partition = partition_of_unit(pipeline)
    wait_for(lambda: 2 < pipeline.log.committed(pipeline.group, pipeline.topic)[partition] < 12, "the committed offset to go back")
    pipeline.ledger.expect_applied(*before, *after, last)
    pipeline.expect_caught_up()


@pytest.mark.databases("mysql", "mariadb")
def test_session_that_a_proxy_moved_is_given_up(new_pipeline, servers: Servers, database) -> None:
    """The session lives on, on a server that lacks the last transactions: nothing is claimed there before that is known."""
    own = servers.own_database("mariadb" if database is servers.databases.get("mariadb") else "mysql", "moved")
    pipeline: Pipeline = new_pipeline(database=own).prepare()
    pipeline.ledger.open_wallet(customer := fresh_id("cus"))
    consumer = pipeline.consumer()
    put(pipeline, *(before := some(customer)))
    pipeline.expect_caught_up()
    take_copy(pipeline)
    put(pipeline, *(lost := some(customer)))
    pipeline.expect_caught_up()
    with own.connect(admin=True, database=None) as admin, admin.cursor() as cursor:
        cursor.execute("SET GLOBAL server_id = 4711")
    put_copy_back(pipeline, cut=False)
    put(pipeline, last := payment(customer, 1, intent=UNIT))
    pipeline.ledger.expect_applied(*before, *lost, last)
    pipeline.expect_caught_up()
    assert (20, 10) in {(line["known"], line["to"]) for line in consumer.decisions("seek_back")}
    assert [line for line in consumer.decisions("database_trouble") if "moved" in line["reason"]]
    pipeline.end_programs()
    servers.drop(own)


@pytest.mark.databases("mariadb")
def test_galera_node_is_refused(new_pipeline, servers: Servers) -> None:
    own = servers.own_database("mariadb", "galera", **{"wsrep_on": "ON", "binlog_format": "ROW"})
    pipeline: Pipeline = new_pipeline(database=own).prepare()
    pipeline.consumer(start=False).start().expect_not_ready("Galera")
    assert "mysql.primary" in pipeline.ctl("doctor").stdout
    pipeline.end_programs()
    servers.drop(own)


def test_empty_copy_is_filled_from_the_log_s_start(pipeline: Pipeline, customer: str) -> None:
    """No applied offset at all although Kafka has a committed one."""
    take_copy(pipeline)
    consumer = pipeline.consumer()
    events = some(customer)
    put(pipeline, *events)
    pipeline.expect_caught_up()
    consumer.stop()
    put_copy_back(pipeline)
    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(*events)
    assert {line["to"] for line in consumer.decisions("seek_back")} == {0}


def test_offsets_ahead_of_ours_skip_nothing(pipeline: Pipeline, customer: str) -> None:
    """Somebody's row claims more than Kafka has stored: we go on from our own position."""
    consumer = pipeline.consumer()
    first = some(customer, 3)
    put(pipeline, *first)
    pipeline.expect_caught_up()
    consumer.stop()
    pipeline.ledger.run(f"INSERT INTO applied_offset SELECT group_id, topic_id, partition_no, 'a-zombie', 1000,"
                        f" updated_at FROM applied_offset WHERE partition_no = {partition_of_unit(pipeline)} LIMIT 1")
    second = some(customer, 3)
    put(pipeline, *second)
    pipeline.consumer()
    pipeline.ledger.expect_applied(*first, *second)


def test_offsets_lost_are_read_again(pipeline: Pipeline, customer: str) -> None:
    """A group whose offsets are gone starts at the log's start: the inbox absorbs what was applied."""
    consumer = pipeline.consumer()
    events = some(customer)
    put(pipeline, *events)
    pipeline.expect_caught_up()
    assert consumer.stop() == 0
    pipeline.log.forget_offsets(pipeline.group)
    consumer = pipeline.consumer()
    pipeline.expect_caught_up()
    pipeline.ledger.expect_applied(*events)
    consumer.expect_duplicates(len(events))


def consumer_after_a_gap(pipeline: Pipeline, customer: str, *, mysql_holds: int = 4) -> Program:
    """Of nine events Kafka has dropped three before they were read; the six others are applied."""
    consumer = pipeline.consumer()
    first, lost, last = some(customer, 4), some(customer, 3), some(customer, 2)
    put(pipeline, *first)
    pipeline.expect_caught_up()
    consumer.stop()
    pipeline.ledger.run(f"UPDATE applied_offset SET next_offset = {mysql_holds} WHERE next_offset = 4")
    put(pipeline, *lost, *last)
    pipeline.log.truncate(pipeline.topic, partition_of_unit(pipeline), before=7)
    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(*first, *last)
    pipeline.expect_caught_up()
    return consumer


def test_records_that_kafka_dropped_unread_raise_an_alarm(pipeline: Pipeline, customer: str) -> None:
    """The log starts above what was applied: that is said, as a line and as a count, and the rest is applied."""
    consumer = consumer_after_a_gap(pipeline, customer)
    lines = consumer.decisions("gap")  # once for each assignment until what comes after it is committed
    assert {(line["partition"], line["from"], line["to"]) for line in lines} == {(partition_of_unit(pipeline), 4, 7)}
    consumer.expect_metric(3 * len(lines), "sluice_consumer_gap_events_total")


def test_what_mysql_lacks_below_the_logs_start_is_sought_once(pipeline: Pipeline, customer: str) -> None:
    """MySQL has lost commits of records that Kafka has dropped since: no seek brings them back, and the rest is applied."""
    consumer = consumer_after_a_gap(pipeline, customer, mysql_holds=2)
    assert [line["to"] for line in consumer.decisions("seek_back")] == [7]
    assert {(line["from"], line["to"]) for line in consumer.decisions("gap")} >= {(2, 7)}


def test_gap_under_way_raises_an_alarm(pipeline: Pipeline, customer: str) -> None:
    """The log's start passes our position while we read: librdkafka would jump over that without a word."""
    pipeline.config["kafka"]["options"] = {"fetch.wait.max.ms": 10}
    consumer = pipeline.consumer()
    first, lost, last = some(customer, 4), some(customer, 3), some(customer, 2)
    put(pipeline, *first)
    pipeline.expect_caught_up()
    partition = partition_of_unit(pipeline)
    consumer.pause()
    stays(lambda: consumer.frozen, during=0.5)  # until the fetch that was under way has been answered
    put(pipeline, *lost)
    pipeline.log.truncate(pipeline.topic, partition, before=7)
    consumer.resume()
    [line] = wait_for(lambda: consumer.decisions("gap"), "the alarm")
    put(pipeline, *last)
    pipeline.ledger.expect_applied(*first, *last)
    pipeline.expect_caught_up()
    assert (line["partition"], line["from"], line["to"]) == (partition, 4, 7)
    consumer.expect_metric(3, "sluice_consumer_gap_events_total")
    assert not consumer.decisions("kafka_consumer_error")


@pytest.mark.slow
def test_topic_made_anew_starts_over(pipeline: Pipeline, customer: str) -> None:
    """Same name, another life: its offsets and claims mean nothing any more, whether we run meanwhile or not."""
    consumer = pipeline.consumer()
    events = some(customer)
    put(pipeline, *events)
    pipeline.expect_caught_up()
    consumer.stop()
    remake_topic(pipeline)
    fresh = some(customer, 3)
    put(pipeline, *fresh)
    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(*events, *fresh)
    pipeline.expect_caught_up()
    assert applied_offsets(pipeline) == {partition_of_unit(pipeline): 3}

    consumer.expect_clean_end = False
    remake_topic(pipeline)
    newest = some(customer, 2)
    put(pipeline, *newest)
    assert consumer.wait_end() == 1, "only a new process can go on"
    assert consumer.decisions("topic_replaced")
    pipeline.consumer()
    pipeline.ledger.expect_applied(*events, *fresh, *newest)
    pipeline.expect_caught_up()


def remake_topic(pipeline: Pipeline) -> None:
    pipeline.log.delete(pipeline.topic)
    pipeline.log.create(pipeline.topic, partitions=pipeline.partitions)


def test_missing_topic_is_said_and_mends_itself(pipeline: Pipeline, customer: str) -> None:
    pipeline.log.delete(pipeline.topic)
    consumer = pipeline.consumer(start=False).start()
    answers: set[int] = set()

    def says_so() -> bool:
        status, text = ask(consumer)
        answers.add(status)
        return pipeline.topic in text and "sluicectl topics" in text
    wait_for(says_so, "the sentence about the topic", every=0.001)
    assert 200 not in answers, "it was ready before it could do anything"
    pipeline.log.create(pipeline.topic, partitions=pipeline.partitions)
    consumer.ready()
    events = some(customer, 2)
    put(pipeline, *events)
    pipeline.ledger.expect_applied(*events)


def ask(program: Program) -> tuple[int, str]:
    try:
        return program.get("/readyz")
    except OSError:
        return 0, ""


def test_idle_consumer_keeps_its_session(pipeline: Pipeline, customer: str) -> None:
    """Sessions cut while nothing happens are noticed with the next event, and nothing is said to be wrong before."""
    consumer = pipeline.consumer()
    put(pipeline, first := payment(customer, 1))
    pipeline.expect_caught_up()
    cut_sessions(pipeline)
    stays(lambda: consumer.get("/readyz")[0] == 200, during=0.2)
    put(pipeline, second := payment(customer, 2))
    pipeline.ledger.expect_applied(first, second)
    consumer.ready()
