"""The inbox forgets by whole days, never a day too early, and says so before it does."""

from __future__ import annotations

import json
import signal
import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.support import failpoints
from tests.support.events import Event, fresh_id, payment, snapshot
from tests.support.lanes import open_dead_letters, waiting_in
from tests.support.pipeline import QUICKLY_GONE, Pipeline
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
    return {dead_letter.text("ce_id") for dead_letter in pipeline.log.read(pipeline.dlq)
            if dead_letter.text("sluice-error-class") == "too_old"}


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


def undated_payment(customer: str, amount: int) -> Event:
    event = payment(customer, amount)
    return event.with_body(event.body.replace(b'"created"', b'"created_elsewhere"'))


@pytest.mark.parametrize("busy", [False, True], ids=["in a batch", "alone"])
def test_an_undated_event_is_a_duplicate_long_after_its_row_is_gone(pipeline: Pipeline, busy: bool) -> None:
    """Its provider may send it again at any time, and nothing says that it is old."""
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    event = undated_payment(customer, 5)
    put(pipeline, event)
    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(event)
    consumer.stop()  # before the rows are old: its own sweep may be late
    pipeline.ledger.age_undated()
    pipeline.consumer()
    pipeline.ledger.expect_undated_swept()
    [(payloads,)] = pipeline.ledger.query("SELECT COUNT(*) FROM event_payload")
    assert payloads == 0
    if busy:  # its object is in trouble: what comes of it runs alone
        odd = snapshot("payment_intent.succeeded", {"id": event.object, "customer": customer, "amount": "a lot"})
        put(pipeline, odd)
        pipeline.ledger.expect_status(odd, "dead")
    put(pipeline, event)
    other = event.with_content(amount=7, amount_received=7)
    put(pipeline, other)
    wait_for(lambda: (event.id, "conflict") in open_dead_letters(pipeline) or None, "other content to be a conflict still")
    pipeline.expect_caught_up()
    assert waiting_in(pipeline, event) == (["dead"] if busy else []), "it waits behind the odd one as if it were new"
    assert pipeline.ledger.balance(customer) == 5
    pipeline.ledger.expect_ledger_rows(1, event)


@pytest.mark.parametrize("how", ["stop", "kill"])
@pytest.mark.parametrize("step", failpoints.WAITING["undated alone"])
def test_an_event_whose_row_goes_while_it_is_looked_for_is_known(pipeline: Pipeline, step: str, how: str) -> None:
    """It was in the inbox when we looked, and its INSERT would find nothing there."""
    if how == "kill":
        pipeline.config["kafka"]["options"] = QUICKLY_GONE
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    event = undated_payment(customer, 5)
    put(pipeline, event)
    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(event)
    consumer.stop()
    put(pipeline, event.with_content(amount=7, amount_received=7))
    consumer = pipeline.consumer(start=False).start(f"{step}={how}@1")
    wait_for(lambda: not consumer.running or consumer.frozen, "it to stand still")
    pipeline.ledger.run("INSERT INTO undated_key SELECT dedup_key, content_digest, source, DATE(received_at) FROM inbox",
                        "DELETE FROM event_payload", "DELETE FROM inbox")
    if how == "stop":
        consumer.resume()
    else:
        assert consumer.wait_end() == -signal.SIGKILL
        pipeline.consumer()
    wait_for(lambda: (event.id, "conflict") in open_dead_letters(pipeline) or None, "the other content to be a conflict")
    pipeline.expect_caught_up()
    assert pipeline.ledger.balance(customer) == 5


def test_undated_keys_go_where_that_is_configured(pipeline: Pipeline) -> None:
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    pipeline.config["inbox"] = {"keep": "30d", "keep_undated": "60d"}
    event, old = undated_payment(customer, 5), undated_payment(customer, 7)
    put(pipeline, event)
    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(event)
    wait_for(lambda: consumer.decisions("housekeeping") or None, "its own round to be over")
    pipeline.ledger.age_undated(40)
    put(pipeline, old)
    pipeline.ledger.expect_balance(customer, 12)
    pipeline.ledger.age_undated(40)
    consumer.stop()
    consumer = pipeline.consumer()
    pipeline.ledger.expect_undated_swept()
    wait_for(lambda: [line for line in consumer.decisions("housekeeping") if line["undated_deleted"] == 2] or None, "the round")
    assert pipeline.ledger.query("SELECT COUNT(*) FROM undated_key") == [(1,)]


@pytest.mark.parametrize("step", failpoints.WAITING["sweep of undated rows"])
def test_a_crash_in_the_sweep_forgets_nothing(pipeline: Pipeline, step: str) -> None:
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    events = [undated_payment(customer, 1) for _ in range(5)]
    put(pipeline, *events)
    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(*events)
    consumer.stop()  # before the rows are old: its own sweep may be late
    pipeline.ledger.age_undated()
    pipeline.consumer(start=False).start(f"{step}=kill").wait_end()
    put(pipeline, *events)
    pipeline.consumer()
    pipeline.ledger.expect_undated_swept()
    put(pipeline, *events)
    pipeline.expect_caught_up()
    assert pipeline.ledger.balance(customer) == 5


def test_a_row_that_is_finished_during_the_sweep_stays_until_the_next(pipeline: Pipeline) -> None:
    """Its key is not among those that were just written: were it deleted, the event would be in neither table."""
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    before, meanwhile = undated_payment(customer, 5), undated_payment(customer, 7)
    put(pipeline, before, meanwhile)
    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(before, meanwhile)
    consumer.stop()
    pipeline.ledger.age_undated()
    pipeline.ledger.run(f"UPDATE inbox SET status = 'retry' WHERE event_id = '{meanwhile.id}'")
    sweeper = pipeline.consumer(start=False).start("consumer.undated_remembered=stop@1")
    wait_for(lambda: sweeper.frozen, "the sweep to stand still")
    pipeline.ledger.run(f"UPDATE inbox SET status = 'done' WHERE event_id = '{meanwhile.id}'")
    sweeper.resume()
    wait_for(lambda: pipeline.ledger.statuses() == {meanwhile.id: "done"}, "the other row to go")
    put(pipeline, before, meanwhile)
    pipeline.expect_caught_up()
    assert pipeline.ledger.balance(customer) == 12


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
            assert json.loads(headers) == [[name, value.decode()] for name, value in record.separated]
