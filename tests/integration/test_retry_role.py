"""The retry role's member: what it reads when, what it keeps, what it leaves alone."""

from __future__ import annotations

import json
import signal
from datetime import UTC, datetime, timedelta

import pytest

from tests.support import failpoints
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice
from tests.support.kafka_log import java_partition
from tests.support.lanes import expect_lane, expect_nothing_owed, lane_key_of, lane_of
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.wait import stays, wait_for

POLLS = "sluice_consumer_retry_polls_total"
REFUSED = "sluice_consumer_wakeups_refused_total"
PAUSED = "sluice_consumer_retry_partitions_paused"
UNFINISHED = "sluice_consumer_unfinished_events"
POLLS_IN_A_QUIET_SECOND = 20  # one each 50 ms


def wakeup(key: str, *, tier: str, due_in: float = 0, **headers: str) -> tuple[str, str, list[tuple[str, bytes]]]:
    """A wakeup of an object that never was in trouble; `headers` by name, "-" written as "_"."""
    due = datetime.now(UTC) + timedelta(seconds=due_in)
    said = {"sluice-generation": "7", "sluice-due-at": f"{due:%Y-%m-%dT%H:%M:%S.%fZ}"}
    said |= {name.replace("_", "-"): value for name, value in headers.items()}
    return tier, key, [(name, value.encode()) for name, value in said.items() if value]


def send(pipeline: Pipeline, *wakeups: tuple[str, str, list[tuple[str, bytes]]]) -> None:
    for tier, key, headers in wakeups:
        pipeline.log.append_all(pipeline.retry(tier), [
            (None, key.encode(), headers, java_partition(key.encode(), pipeline.wake_partitions))])


def committed(pipeline: Pipeline, tier: str) -> int:
    """Over all partitions, of the retry group."""
    offsets = pipeline.log.committed(f"{pipeline.group}.retry", pipeline.retry(tier))
    return sum(offset for offset in offsets.values() if offset > 0)


def expect_committed(pipeline: Pipeline, tier: str, count: int) -> None:
    wait_for(lambda: committed(pipeline, tier) == count, f"{count} records of {tier} to be committed")


def troubled(pipeline: Pipeline) -> Event:
    """An event that wants another try as long as its customer has no wallet; no role runs yet."""
    pipeline.config["effects"].append(WANTS_A_ROW)
    pipeline.config["consumer"] = {"in_place": "0s"}
    event = paid_invoice(fresh_id("cus"))
    put(pipeline, event)
    return event


def customer_of(event: Event) -> str:
    return json.loads(event.body)["data"]["object"]["customer"]


def open_wallet(pipeline: Pipeline, event: Event) -> None:
    pipeline.ledger.open_wallet(customer_of(event))


def attempts_at(pipeline: Pipeline, event: Event) -> int:
    """Of the object's first unfinished event."""
    return pipeline.ledger.query("SELECT attempts FROM lane_event WHERE lane_key = %s ORDER BY position LIMIT 1",
                                 lane_key_of(event))[0][0]


def unfinished(role: Program, pipeline: Pipeline, tier: str) -> float:
    return role.metric(UNFINISHED, topic=pipeline.retry(tier))


def test_is_quiet_while_nothing_comes_and_while_a_record_is_not_due(pipeline: Pipeline) -> None:
    role = pipeline.retry_role()
    send(pipeline, wakeup(fresh_id("pi"), tier="1h", due_in=3600))
    wait_for(lambda: role.metric(PAUSED) == 1, "the record to be kept")
    before = role.metric(POLLS)
    stays(lambda: None, during=1)
    assert role.metric(POLLS) - before < 3 * POLLS_IN_A_QUIET_SECOND


def test_record_that_is_not_due_holds_its_own_partition_only(pipeline: Pipeline) -> None:
    role = pipeline.retry_role()
    key = fresh_id("pi")
    send(pipeline, wakeup(key, tier="1h", due_in=3600))
    wait_for(lambda: role.metric(PAUSED) == 1, "the record to be kept")
    send(pipeline, wakeup(key, tier="5s"), wakeup(key, tier="30s"), wakeup(key, tier="1h"))
    expect_committed(pipeline, "5s", 1)
    expect_committed(pipeline, "30s", 1)
    assert committed(pipeline, "1h") == 0
    assert unfinished(role, pipeline, "1h") == 1, "the one behind it is not read"


def test_record_is_read_when_it_is_due_and_those_behind_it_after_it(pipeline: Pipeline) -> None:
    role = pipeline.retry_role()
    key = fresh_id("pi")
    send(pipeline, wakeup(key, tier="2m", due_in=2), *[wakeup(key, tier="2m") for _ in range(20)])
    wait_for(lambda: role.metric(PAUSED) == 1, "the record to be kept")
    assert committed(pipeline, "2m") == 0
    expect_committed(pipeline, "2m", 21)
    assert role.metric(PAUSED) == 0


def test_due_time_beyond_the_topics_delay_is_not_believed(pipeline: Pipeline) -> None:
    """A clock somewhere is a day ahead: the partition waits for the delay of its topic, and not for a day."""
    pipeline.retry_role()
    send(pipeline, wakeup(fresh_id("pi"), tier="5s", due_in=86_400))
    expect_committed(pipeline, "5s", 1)


@pytest.mark.parametrize("headers", [{"sluice_generation": ""}, {"sluice_due_at": ""}, {"sluice_generation": "-1"}, {"sluice_due_at": "soon"}])
def test_record_that_cannot_be_read_is_acknowledged_and_counted(pipeline: Pipeline, headers: dict[str, str]) -> None:
    role = pipeline.retry_role()
    send(pipeline, wakeup(fresh_id("pi"), tier="5s", **headers))
    expect_committed(pipeline, "5s", 1)
    role.expect_metric(1, REFUSED)


def test_kept_record_is_read_again_by_the_next_owner(pipeline: Pipeline) -> None:
    first = pipeline.retry_role()
    send(pipeline, wakeup(fresh_id("pi"), tier="2m", due_in=3))
    wait_for(lambda: first.metric(PAUSED) == 1, "the record to be kept")
    assert first.stop() == 0
    assert committed(pipeline, "2m") == 0
    pipeline.retry_role()
    expect_committed(pipeline, "2m", 1)


def test_kept_record_is_read_over_rebalances_by_the_same_process(pipeline: Pipeline) -> None:
    """Its partition was paused and comes back: the client keeps that over a rebalance, and nobody else would resume it."""
    first = pipeline.retry_role()
    key = fresh_id("pi")
    send(pipeline, wakeup(key, tier="2m", due_in=4))
    wait_for(lambda: first.metric(PAUSED) == 1, "the record to be kept")
    second = pipeline.retry_role()
    assert second.stop() == 0
    expect_committed(pipeline, "2m", 1)
    send(pipeline, wakeup(key, tier="2m"))
    expect_committed(pipeline, "2m", 2)


@pytest.mark.slow
def test_row_that_somebody_holds_costs_its_event_no_attempt(pipeline: Pipeline) -> None:
    """Waits for a lock are nobody's fault. The event is tried later, as often as it takes; others go on."""
    held, free = troubled(pipeline), paid_invoice(fresh_id("cus"))
    put(pipeline, free)
    pipeline.consumer()
    expect_lane(pipeline, held, "retry")
    with pipeline.ledger.session() as session, session.cursor() as cursor:
        cursor.execute("INSERT INTO wallet (customer, balance) VALUES (%s, 0)", (customer_of(held).encode(),))
        role = pipeline.retry_role()
        open_wallet(pipeline, free)
        pipeline.ledger.expect_applied(free)
        assert attempts_at(pipeline, held) == 1
        wait_for(lambda: role.metric("sluice_consumer_failed_attempts_total", how="contended") >= 2, "two waits for the lock", within=60)
        assert attempts_at(pipeline, held) == 1
        session.commit()
    pipeline.ledger.expect_applied(held, within=60)


def test_missing_topic_is_named_with_what_mends_it(pipeline: Pipeline) -> None:
    pipeline.group = "another"  # whose retry topics nobody made
    pipeline.config["kafka"]["group"] = "another"
    role = pipeline.retry_role(start=False).start()
    role.expect_not_ready(pipeline.retry("5s"), "sluicectl topics --apply")
    pipeline.log.create(*pipeline.wake_topics, partitions=pipeline.wake_partitions)
    role.ready()
    assert role.stop() == 0


def test_sweeper_wakes_a_lane_whose_wakeup_was_lost(pipeline: Pipeline) -> None:
    event = troubled(pipeline)
    pipeline.consumer()
    expect_lane(pipeline, event, "retry")
    expect_nothing_owed(pipeline)
    # Sent, says MySQL, and nobody will ever read it: as after a retry topic that was deleted.
    pipeline.ledger.run("UPDATE lane SET generation = generation + 1, wakeup_due = NOW(6) - INTERVAL 1 HOUR")
    open_wallet(pipeline, event)
    role = pipeline.retry_role()
    pipeline.ledger.expect_applied(event)
    expect_lane(pipeline, event)
    wait_for(lambda: role.metric("sluice_consumer_wakeups_total", what="reproduced") >= 1, "the sweep to be counted")


def test_sweeper_forgets_lanes_that_were_idle_for_long(pipeline: Pipeline) -> None:
    event = troubled(pipeline)
    pipeline.consumer(role="both")
    expect_lane(pipeline, event, "retry")
    open_wallet(pipeline, event)
    expect_lane(pipeline, event)
    pipeline.ledger.run("UPDATE lane SET updated_at = updated_at - INTERVAL 2 DAY")
    wait_for(lambda: lane_of(pipeline, event) is None, "the lane to be forgotten")


def test_both_roles_share_a_process_and_its_end(pipeline: Pipeline) -> None:
    process = pipeline.consumer(role="both")
    status, report = process.get("/readyz")
    assert status == 200 and "kafka: ok" in report and "retry_group: ok" in report
    assert process.stop() == 0
    assert {"stopped", "retry_stopped"} <= {line.get("decision") for line in process.log_lines()}


@pytest.mark.parametrize("point", failpoints.WAITING["wakeup finished"] + failpoints.WAITING["leaving"])
def test_killed_before_its_offsets_are_stored_it_is_replaced(pipeline: Pipeline, point: str) -> None:
    pipeline.config["kafka"]["options"] = QUICKLY_GONE
    victim = pipeline.retry_role(start=False).start(f"{point}=kill@1")
    send(pipeline, wakeup(fresh_id("pi"), tier="5s"))
    if point.endswith("revoke_commit"):  # it may die already as its second member joins the group
        wait_for(lambda: not victim.running or committed(pipeline, "5s") == 1, "it to die or to finish")
        if victim.running:
            victim.ask_to_stop()
    assert victim.wait_end() == -signal.SIGKILL
    pipeline.retry_role()
    expect_committed(pipeline, "5s", 1)


@pytest.mark.parametrize("point", failpoints.WAITING["sweeper"])
def test_sweeper_killed_after_it_woke_a_lane_is_replaced(pipeline: Pipeline, point: str) -> None:
    """The wakeup is there and MySQL does not know: the lane may be woken twice, and the event is applied once."""
    event = troubled(pipeline)
    pipeline.consumer()
    expect_lane(pipeline, event, "retry")
    expect_nothing_owed(pipeline)
    pipeline.ledger.run("UPDATE lane SET generation = generation + 1, wakeup_due = NOW(6) - INTERVAL 1 HOUR")
    open_wallet(pipeline, event)
    victim = pipeline.retry_role(start=False).start(f"{point}=kill@1")
    assert victim.wait_end() == -signal.SIGKILL
    pipeline.retry_role()
    pipeline.ledger.expect_applied(event)
    expect_lane(pipeline, event)
