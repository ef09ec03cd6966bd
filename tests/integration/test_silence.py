"""How many events come from each source is counted, and a silence that is strange for it is seen."""

from __future__ import annotations

import json

import pytest

from tests.integration.test_polled_source import POLLED, polled
from tests.support.events import payment
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.program import Program
from tests.support.records import put_records, record_of
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

SILENT = "sluice_consumer_source_silent_seconds"
STRANGE_AFTER = "sluice_consumer_source_strange_after_seconds"
DISABLED_IN = "sluice_consumer_source_disabled_in_seconds"
NINE_DAYS = 9 * 86_400  # Stripe's, by its recipe


def counted(pipeline: Pipeline) -> dict[str, int]:
    rows = pipeline.ledger.query("SELECT source, SUM(events) FROM source_traffic GROUP BY source")
    return {source.decode(): int(events) for source, events in rows}


def is_counted(pipeline: Pipeline, consumer: Program, events: int) -> bool:
    """And more only where a MySQL session came after its partitions, as on a busy machine: then all may be read again."""
    found = counted(pipeline)
    assert set(found) <= {SOURCE}, found
    return found.get(SOURCE, 0) == events or (found.get(SOURCE, 0) > events and bool(consumer.decisions("read_again")))


def expect_counted(pipeline: Pipeline, consumer: Program, events: int) -> None:
    wait_for(lambda: is_counted(pipeline, consumer, events), f"{events} events to be counted")


def usual_weeks(pipeline: Pipeline, *, silent_minutes: int, an_hour: int = 600) -> None:
    """Four weeks of the source, the newest event so long ago."""
    pipeline.ledger.run(f"""
        INSERT INTO source_traffic (source, hour, events, last_at)
        WITH RECURSIVE ago AS (SELECT 0 AS hours UNION ALL SELECT hours + 1 FROM ago WHERE hours < 700),
             newest AS (SELECT UTC_TIMESTAMP(6) - INTERVAL {silent_minutes} MINUTE AS at)
        SELECT '{SOURCE}', DATE_FORMAT(at - INTERVAL hours HOUR, '%Y-%m-%d %H:00:00'), {an_hour}, at - INTERVAL hours HOUR FROM ago, newest""")


def listed(pipeline: Pipeline) -> tuple[int, dict]:
    answer = pipeline.ctl("source", "list", "--json")
    assert answer.returncode in (0, 1), answer.stderr
    return answer.returncode, {line["source"]: line for line in json.loads(answer.stdout)["sources"]}


def test_what_providers_send_is_counted_by_source(pipeline: Pipeline) -> None:
    pipeline.config["sources"].append(POLLED)
    consumer = pipeline.consumer()
    put_records(pipeline, *(record_of(payment()) for _ in range(5)), polled(payment()))
    expect_counted(pipeline, consumer, 5)
    put_records(pipeline, *(record_of(payment()) for _ in range(3)))
    pipeline.expect_caught_up()
    consumer.ask_to_stop()
    assert consumer.wait_end() == 0
    assert is_counted(pipeline, consumer, 8), "what was counted is written before the end"


def test_a_server_that_is_away_costs_no_count(pipeline: Pipeline) -> None:
    consumer = pipeline.consumer()
    pipeline.ledger.run("RENAME TABLE source_traffic TO moved_away")
    put_records(pipeline, *(record_of(payment()) for _ in range(4)))
    wait_for(lambda: consumer.metric("sluice_consumer_traffic_failures_total") > 0, "a write to fail")
    pipeline.ledger.run("RENAME TABLE moved_away TO source_traffic")
    expect_counted(pipeline, consumer, 4)


def test_nothing_else_waits_for_the_table(pipeline: Pipeline) -> None:
    """As where its rights were not given: housekeeping does all the rest first, and says what it lacks."""
    pipeline.make_database()
    pipeline.ledger.run("RENAME TABLE source_traffic TO moved_away")
    consumer = pipeline.consumer()
    consumer.expect_metric(7, "sluice_consumer_inbox_days_ahead")
    wait_for(lambda: consumer.metric("sluice_consumer_housekeeping_failures_total") > 0, "housekeeping to say so")
    assert "source_traffic" in consumer.decisions("housekeeping_failed")[0]["reason"]


def test_a_strange_silence_is_told_and_ends(pipeline: Pipeline) -> None:
    retry = pipeline.retry_role()
    usual_weeks(pipeline, silent_minutes=20)
    wait_for(lambda: retry.metric(SILENT, source=SOURCE) >= 1200, "the silence to be told")
    assert retry.metric(STRANGE_AFTER, source=SOURCE) == 900, "150 of 600 an hour"
    assert NINE_DAYS - 3600 < retry.metric(DISABLED_IN, source=SOURCE) <= NINE_DAYS - 1200
    status, lines = listed(pipeline)
    assert status == 1 and lines[SOURCE]["strange"] and lines[SOURCE]["strange_after_s"] == 900
    assert "strangely silent" in pipeline.ctl("source", "list").stdout
    pipeline.consumer()
    put_records(pipeline, record_of(payment()))
    wait_for(lambda: retry.metric(SILENT, source=SOURCE) < 600, "the silence to end")
    status, lines = listed(pipeline)
    assert status == 0 and not lines[SOURCE]["strange"]


def test_a_source_is_learned_for_a_week(pipeline: Pipeline) -> None:
    retry = pipeline.retry_role()
    pipeline.consumer()
    assert listed(pipeline)[1][SOURCE]["newest_at"] is None
    assert "none in 12 weeks" in pipeline.ctl("source", "list").stdout
    put_records(pipeline, record_of(payment()))
    wait_for(lambda: retry.metric(STRANGE_AFTER, source=SOURCE) == float("inf"), "the source to be told")
    status, lines = listed(pipeline)
    assert status == 0 and lines[SOURCE]["newest_at"] and lines[SOURCE]["strange_after_s"] is None


def test_every_process_tells_it_and_none_without_mysql(pipeline: Pipeline) -> None:
    usual_weeks(pipeline, silent_minutes=20)
    told = [pipeline.retry_role(), pipeline.retry_role()]
    for retry in told:
        retry.expect_metric(900, STRANGE_AFTER, source=SOURCE)
    pipeline.ledger.run("RENAME TABLE source_traffic TO moved_away")
    for retry in told:
        retry.expect_metric(0, STRANGE_AFTER, source=SOURCE)
        retry.expect_metric(float("inf"), DISABLED_IN, source=SOURCE)
    wait_for(lambda: told[0].metric("sluice_consumer_sweep_failures_total") > 0, "the sweep to say so")
