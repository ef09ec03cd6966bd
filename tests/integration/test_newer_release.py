"""Statuses and kinds that only a newer release knows, beside it or after a rollback: nothing ends, and what has one is left alone."""

from __future__ import annotations

import json

import pytest

from tests.support import failpoints
from tests.support.commands import RETRY, expect_answer, send
from tests.support.effects import WANTS_A_ROW
from tests.support.events import fresh_id, paid_invoice, payment
from tests.support.lanes import expect_lane, expect_nothing_owed, lane_of, waiting_in
from tests.support.pipeline import Pipeline
from tests.support.records import put
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"in_place": "0s", "workers": 1}  # no other worker applies what one looks at
EXTRA_EFFECTS = [WANTS_A_ROW]
STATUSES = "'done', 'ignored', 'dead', 'retry', 'deferred', 'parked', 'skipped'"


@pytest.fixture
def newer(bench: Pipeline) -> Pipeline:
    """Its tables as a newer release has made them."""
    bench.ledger.run(f"ALTER TABLE inbox MODIFY status ENUM({STATUSES}, 'held_back') NOT NULL",
                     "ALTER TABLE lane_event MODIFY status ENUM('deferred', 'retry', 'dead', 'parked', 'held_back') NOT NULL",
                     "ALTER TABLE dead_letter MODIFY kind ENUM('dead', 'undecodable', 'unreadable', 'conflict', 'too_old', 'refunded') NOT NULL")
    return bench


def test_event_with_an_unknown_status_is_a_known_event(newer: Pipeline) -> None:
    customer = fresh_id("cus")
    newer.ledger.open_wallet(customer)
    event, other = payment(customer, 5), payment(customer, 7)
    put(newer, event)
    consumer = newer.consumer(role="both")
    newer.ledger.expect_applied(event)
    newer.ledger.run(f"UPDATE inbox SET status = 'held_back' WHERE event_id = '{event.id}'")
    put(newer, event, other)
    newer.ledger.expect_balance(customer, 5 + 7)
    newer.expect_caught_up()
    newer.ledger.expect_ledger_rows(1, event)
    assert json.loads(newer.ctl("event", "show", event.id, "--json").stdout)
    assert consumer.stop() == 0


def test_lane_whose_head_has_an_unknown_status_waits_for_who_knows_it(newer: Pipeline) -> None:
    late, unit = fresh_id("cus"), fresh_id("in")
    line = [paid_invoice(late, unit=unit) for _ in range(2)]
    put(newer, *line)
    main = newer.consumer()
    expect_lane(newer, line[0], "retry", "parked")
    expect_nothing_owed(newer)
    newer.ledger.run("UPDATE lane_event SET status = 'held_back' WHERE status = 'retry'")
    newer.ledger.open_wallet(late)
    retry = newer.retry_role()
    wait_for(lambda: len(retry.decisions("newer_status")) >= 2 or None, "its wakeup to go round", within=60)
    assert retry.metric("sluice_consumer_wakeups_total", what="resent") > 0
    line.append(paid_invoice(late, unit=unit))
    put(newer, line[2])
    expect_lane(newer, line[0], "held_back", "parked", "parked")
    assert lane_of(newer, line[0]).due is not None, "whoever knows the status is woken"
    newer.ledger.expect_ledger_rows(0, line[1])
    newer.ledger.run("UPDATE lane_event SET status = 'retry' WHERE status = 'held_back'")
    newer.ledger.expect_applied(*line, within=60)
    newer.ledger.expect_each_objects_order(line)
    assert main.stop() == 0 and retry.stop() == 0


def test_lane_whose_inbox_row_has_an_unknown_status_is_not_buried(newer: Pipeline) -> None:
    late = fresh_id("cus")
    event = paid_invoice(late)
    put(newer, event)
    newer.consumer()
    expect_lane(newer, event, "retry")
    newer.ledger.run(f"UPDATE inbox SET status = 'held_back' WHERE event_id = '{event.id}'")
    newer.ledger.open_wallet(late)
    retry = newer.retry_role()
    wait_for(lambda: retry.decisions("lacking") or None, "its wakeup to go round", within=60)
    expect_answer(newer, send(newer, RETRY, event), "refused", "newer")
    assert waiting_in(newer, event) == ["retry"]
    newer.ledger.expect_ledger_rows(0, event)
    newer.ledger.run(f"UPDATE inbox SET status = 'retry' WHERE event_id = '{event.id}'")
    newer.ledger.expect_applied(event, within=60)
    assert retry.stop() == 0


def test_status_that_a_newer_release_puts_back_meanwhile_buries_nothing(newer: Pipeline) -> None:
    """Between our change, which matched no row, and our look at why."""
    late = fresh_id("cus")
    event = paid_invoice(late)
    put(newer, event)
    newer.consumer()
    expect_lane(newer, event, "retry")
    newer.ledger.run(f"UPDATE inbox SET status = 'held_back' WHERE event_id = '{event.id}'")
    newer.ledger.open_wallet(late)
    [point] = failpoints.WAITING["status of a newer release"]
    retry = newer.retry_role(f"{point}=delay:2000@1")
    wait_for(lambda: point in retry.hit_failpoints(), "its status to be in the way", within=60)
    newer.ledger.run(f"UPDATE inbox SET status = 'retry' WHERE event_id = '{event.id}'")
    newer.ledger.expect_applied(event, within=60)
    assert not retry.decisions("dead")
    assert retry.stop() == 0


def test_entry_of_an_unknown_kind_is_shown_and_left_alone(newer: Pipeline) -> None:
    late = fresh_id("cus")
    newer.config["effects"].remove(WANTS_A_ROW)
    newer.config["effects"].append({**WANTS_A_ROW, "retry": {"attempts": 1}})
    event = paid_invoice(late)
    put(newer, event)
    both = newer.consumer(role="both")
    expect_lane(newer, event, "dead")
    expect_nothing_owed(newer)
    [[entry]] = newer.ledger.query("SELECT id FROM dead_letter WHERE event_id = %s", event.id.encode())
    records = newer.log.count(newer.dlq)  # one, or more where the sweeper was as fast as the visit
    newer.ledger.run(f"UPDATE dead_letter SET kind = 'refunded', dlq_sent = 0 WHERE id = {entry}")
    newer.ledger.open_wallet(late)
    assert "newer" in newer.ctl("dlq", "list").stdout
    for _ in range(2):  # before it looks at the second order, it has done what the lane owed after the first
        result = newer.ctl("dlq", "retry", str(entry), "--operator", "kim", "--reason", "try", "--apply", "--json")
        assert json.loads(result.stdout)["refusals"] == {"newer": 1}, result.stdout + result.stderr
    assert newer.log.count(newer.dlq) == records, "whoever wrote that kind knows what its record says"
    expect_lane(newer, event, "dead")
    newer.ledger.expect_ledger_rows(0, event)
    other = payment(late, 4)
    put(newer, other)
    newer.ledger.expect_applied(other)
    newer.expect_caught_up()
    newer.ledger.run(f"UPDATE dead_letter SET closed_at = UTC_TIMESTAMP(6), closed_as = 'closed' WHERE id = {entry}",
                     "DELETE FROM lane_event", "UPDATE lane SET unfinished = 0")
    assert both.stop() == 0
