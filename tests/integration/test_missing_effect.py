"""A deploy under way: events that wait are bound to effects by name, and not every process knows each of them."""

from __future__ import annotations

import pytest

from tests.support.commands import RETRY, expect_answer, send
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice
from tests.support.lanes import expect_lane, expect_nothing_owed, lane_of, open_dead_letters
from tests.support.pipeline import Pipeline
from tests.support.records import put
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
EXTRA_EFFECTS = [WANTS_A_ROW]


@pytest.fixture
def line(bench: Pipeline) -> list[Event]:
    """Waits for an effect whose customer has a wallet by now."""
    customer, unit = fresh_id("cus"), fresh_id("in")
    events = [paid_invoice(customer, unit=unit) for _ in range(3)]
    put(bench, *events)
    bench.consumer()
    expect_lane(bench, events[0], "retry", "parked", "parked")
    expect_nothing_owed(bench)
    bench.ledger.open_wallet(customer)
    return events


def without_the_effect(pipeline: Pipeline, **consumer: str) -> None:
    pipeline.config["effects"] = [effect for effect in pipeline.config["effects"] if effect["name"] != WANTS_A_ROW["name"]]
    pipeline.config["consumer"] |= consumer


def test_process_without_the_effect_leaves_the_event_to_one_that_has_it(bench: Pipeline, line: list[Event]) -> None:
    effects = list(bench.config["effects"])
    without_the_effect(bench)
    old = bench.retry_role()
    wait_for(lambda: old.metric("sluice_consumer_wakeups_total", what="resent") >= 2, "the wakeup to go round")
    before = lane_of(bench, line[0])
    assert before.unfinished == 3 and not open_dead_letters(bench)
    assert old.stop() == 0
    bench.config["effects"] = effects
    bench.retry_role()
    bench.ledger.expect_applied(*line)
    bench.ledger.expect_each_objects_order(line)
    expect_lane(bench, line[0])
    assert bench.ledger.query("SELECT COUNT(*) FROM dead_letter") == [(0,)], "nothing was counted"


def test_effect_that_is_gone_for_good_ends_in_the_hands_of_an_operator(bench: Pipeline, line: list[Event]) -> None:
    """Whose retry matches anew against what is configured now: no effect wants the event any more."""
    without_the_effect(bench, effects_grace="1s")
    bench.retry_role()
    expect_lane(bench, line[0], "dead", "parked", "parked")
    assert open_dead_letters(bench) == [(line[0].id, "effect_gone")]
    command = send(bench, RETRY, line[0])
    expect_answer(bench, command, "carried_out")
    bench.ledger.expect_status(line[0], "ignored")
    bench.ledger.expect_ledger_rows(0, line[0])
