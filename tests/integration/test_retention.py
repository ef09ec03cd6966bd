"""The inbox forgets by whole days, never a day too early, and says so before it does."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.pipeline import Pipeline
from tests.support.records import digest, put, put_again
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

DAY = 86_400


def day(offset: int) -> datetime:
    return datetime.now(UTC) + timedelta(days=offset)


def partitions(pipeline: Pipeline, table: str) -> set[str]:
    rows = pipeline.ledger.query("SELECT partition_name FROM information_schema.partitions"
                                 " WHERE table_schema = %s AND table_name = %s", pipeline.name, table)
    return {name for name, in rows}


def test_partitions_are_made_seven_days_ahead(bench: Pipeline) -> None:
    consumer = bench.consumer()
    wanted = {f"p{day(ahead):%Y%m%d}" for ahead in range(8)} | {"p_undated", "p_newest"}
    for table in ("inbox", "event_payload"):
        wait_for(lambda table=table: wanted <= partitions(bench, table), f"the partitions of {table}: {sorted(wanted)}")
    wait_for(lambda: consumer.metric("sluice_consumer_inbox_days_ahead") >= 7, "the exported number of days ahead")


def too_old(pipeline: Pipeline) -> set[str | None]:
    return {letter.text("ce_id") for letter in pipeline.log.read(pipeline.dlq)
            if letter.text("sluice-error-class") == "too_old"}


def test_a_day_is_announced_a_day_before_it_goes(pipeline: Pipeline) -> None:
    """Events of an announced day are quarantined unless known, since their rows may be gone: applying them again would
    be a second effect. The day itself goes a day later."""
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    old_day = day(-30)
    pipeline.config["inbox"] = {"keep": "60d"}
    consumer = pipeline.consumer()
    known = old_payment(customer, 10)
    put(pipeline, known)
    pipeline.ledger.expect_applied(known)
    wait_for(lambda: consumer.decisions("housekeeping"), "the first round")
    consumer.stop()

    pipeline.config["inbox"] = {"keep": "8d"}
    give_partition(pipeline, old_day)
    consumer = pipeline.consumer()
    announced = f"{old_day + timedelta(days=1):%Y-%m-%d}"
    wait_for(lambda: dropped_before(pipeline) == announced, "the announcement")
    late, young = old_payment(customer, 1000), payment(customer, 1, created=int(time.time()) - 20 * DAY)
    put(pipeline, late, young)
    put_again(pipeline, known)
    pipeline.expect_caught_up()
    pipeline.ledger.expect_applied(known, young)
    assert too_old(pipeline) == {late.id}
    assert late.id not in pipeline.ledger.statuses()
    consumer.stop()

    pipeline.ledger.run("UPDATE sluice_meta SET written_at = written_at - INTERVAL 25 HOUR"
                        " WHERE name = 'dropped_before'")
    consumer = pipeline.consumer()
    for table in ("inbox", "event_payload"):
        wait_for(lambda table=table: f"p{old_day:%Y%m%d}" not in partitions(pipeline, table),
                 f"the day to go from {table}")
    assert set(pipeline.ledger.statuses()) == {young.id}
    put_again(pipeline, known)
    pipeline.expect_caught_up()
    assert pipeline.ledger.balance(customer) == 11, "a forgotten event was applied again"
    assert too_old(pipeline) == {late.id, known.id}


def old_payment(customer: str, amount: int) -> Event:
    return payment(customer, amount, created=int(time.time()) - 30 * DAY)


def give_partition(pipeline: Pipeline, old_day: datetime) -> None:
    """As it would be had the consumer run on that day."""
    today = f"p{day(0):%Y%m%d}"
    for table in ("inbox", "event_payload"):
        pipeline.ledger.run(
            f"ALTER TABLE {table} REORGANIZE PARTITION {today} INTO ("
            f" PARTITION p{old_day:%Y%m%d} VALUES LESS THAN ('{old_day + timedelta(days=1):%Y-%m-%d}'),"
            f" PARTITION {today} VALUES LESS THAN ('{day(1):%Y-%m-%d}'))")


def dropped_before(pipeline: Pipeline) -> str | None:
    rows = pipeline.ledger.query("SELECT value FROM sluice_meta WHERE name = 'dropped_before'")
    return rows[0][0].decode() if rows else None


def test_keep_that_kafka_outlives_is_refused(bench: Pipeline) -> None:
    """inbox.keep must exceed the topic's retention: else a record could come back after its row has gone."""
    bench.config["inbox"] = {"keep": "3d"}
    consumer = bench.consumer(start=False).start()
    consumer.expect_clean_end = False
    assert consumer.wait_end() != 0
    assert "inbox.keep" in consumer.errors() + consumer.out.read_text()


def test_undated_events_have_a_bucket_of_their_own(bench: Pipeline) -> None:
    """A body without a constant day: never dropped by day, deduplicated all the same."""
    customer = fresh_id("cus")
    bench.ledger.open_wallet(customer)
    provider = bench.provider(bench.ingress())
    event = payment(customer, 5)
    undated = event.with_body(event.body.replace(b'"created"', b'"created_elsewhere"'))
    provider.deliver(undated).expect(200)
    put_again(bench, undated)
    bench.consumer()
    row = bench.ledger.expect_status(undated, "done")
    assert str(row["event_day"]) == "1970-01-01"
    bench.expect_caught_up()
    bench.ledger.expect_applied(undated)


@pytest.mark.parametrize(("kept", "of_fine", "of_dead"), [("all", 1, 1), ("failed", 0, 1), ("none", 0, 0)])
def test_payloads_are_kept_as_configured(bench: Pipeline, kept: str, of_fine: int, of_dead: int) -> None:
    """Body and headers as received, for replays and disputes."""
    customer = fresh_id("cus")
    bench.ledger.open_wallet(customer)
    bench.config["inbox"] = {"payload": kept}
    fine = payment(customer, 5)
    dead = snapshot("payment_intent.succeeded", {"id": fresh_id("pi"), "customer": customer, "amount": "a lot"})
    put(bench, fine, dead)
    bench.consumer()
    bench.ledger.expect_status(fine, "done")
    bench.ledger.expect_status(dead, "dead")
    for event, count in ((fine, of_fine), (dead, of_dead)):
        rows = bench.ledger.query("SELECT body, headers FROM event_payload WHERE dedup_key = UNHEX(%s)",
                                  digest("stripe", "acct_main", "test", event.id))
        assert len(rows) == count
        for body, headers in rows:
            assert body == event.body
            [record] = [record for record in bench.log.read(bench.topic) if record.text("ce_id") == event.id]
            assert json.loads(headers) == [[name, value.decode()] for name, value in record.headers]
