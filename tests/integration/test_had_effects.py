"""Which effects an event had stands in the inbox, written with its end, by whichever way it got there."""

from __future__ import annotations

import json

import pytest

from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment, unmatched
from tests.support.lanes import expect_lane
from tests.support.pipeline import Pipeline
from tests.support.records import put, put_records, record_of
from tests.support.trouble import dedup_key_of

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"in_place": "0s"}
ALSO = {"name": "thank", "when": {"source": "stripe-eu", "type": "payment_intent.succeeded"},
        "insert": {"table": "thanks", "row": {"event": ":event_id"}}}
EXTRA_TABLES = ["CREATE TABLE thanks (seq BIGINT AUTO_INCREMENT PRIMARY KEY, event VARBINARY(255) NOT NULL)"]
EXTRA_EFFECTS = [WANTS_A_ROW, ALSO]


def had_by(pipeline: Pipeline, event: Event) -> list[str] | None:
    row = pipeline.ledger.inbox_row(event)
    assert row is not None
    return None if row["had_effects"] is None else json.loads(row["had_effects"])


def test_events_of_a_batch_and_those_alone_keep_what_they_had(bench: Pipeline) -> None:
    customer, late = fresh_id("cus"), fresh_id("cus")
    bench.ledger.open_wallet(customer)
    together = [payment(customer, 1), unmatched(), payment(customer, 2), paid_invoice(customer)]
    put(bench, *together)
    bench.consumer()
    bench.ledger.expect_applied(*together)
    assert [had_by(bench, event) for event in together] == [
        ["credit-wallet", "thank"], [], ["credit-wallet", "thank"], ["wants-a-row"]]
    alone = payment(late, 3)
    put(bench, alone)
    expect_lane(bench, alone, "deferred")
    assert had_by(bench, alone) is None, "nobody knows yet what it will have had"


def test_events_of_a_lane_keep_what_they_had_in_either_role(bench: Pipeline) -> None:
    late, unit = fresh_id("cus"), fresh_id("in")
    line = [paid_invoice(late, unit=unit) for _ in range(2)]
    put_records(bench, *(record_of(event, sluice_dedup_key=dedup_key_of(event.id).hex()) for event in line))
    bench.consumer()
    expect_lane(bench, line[0], "retry", "parked")
    assert [had_by(bench, event) for event in line] == [None, None]
    bench.ledger.open_wallet(late)
    bench.retry_role()
    bench.ledger.expect_applied(*line)
    assert [had_by(bench, event) for event in line] == [["wants-a-row"], ["wants-a-row"]]
    shown = bench.ctl("event", "show", line[0].id, "--json", "--no-kafka")
    assert json.loads(shown.stdout)["events"][0]["had_effects"] == ["wants-a-row"]


def test_event_that_is_applied_past_a_deferred_one_keeps_what_it_had(bench: Pipeline) -> None:
    """In its lane, by the main role."""
    late, customer, intent = fresh_id("cus"), fresh_id("cus"), fresh_id("pi")
    bench.ledger.open_wallet(customer)
    waits, passes = payment(late, 1, intent=intent), payment(customer, 2, intent=intent)
    put(bench, waits)
    bench.consumer()
    expect_lane(bench, waits, "deferred")
    put(bench, passes)
    bench.ledger.expect_status(passes, "done")
    assert (had_by(bench, waits), had_by(bench, passes)) == (None, ["credit-wallet", "thank"])
