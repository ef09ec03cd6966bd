"""The rules of lanes that the model found to matter (tests/model: each, left out, has a counterexample), on real servers.

Where another file has the test, RULES says which; the others are here. What takes two owners inside one transaction
(run_under_lock, look_again) is met by the random histories (./run chaos --lanes).
"""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from tests.support.commands import RETRY, send
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment, snapshot
from tests.support.lanes import expect_lane, expect_nothing_owed, lane_key_of, lane_of, waiting_in
from tests.support.pipeline import QUICKLY_GONE, SOURCE, Pipeline
from tests.support.records import put, put_again
from tests.support.wait import stays, wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

RULES = {
    "followers_wait": "test_failed_head_holds_its_followers_in_mysql_and_nobody_else",
    "one_inbox_row": "test_duplicates_of_waiting_events_are_settled_and_change_nothing",
    "park_in_one_transaction": "test_main_role_killed_at_any_step_strands_nothing",
    "commit_before_produce": "test_main_role_killed_at_any_step_strands_nothing",
    "produce_before_ack": "test_main_role_killed_at_any_step_strands_nothing",
    "redelivery_pays": "test_main_role_killed_at_any_step_strands_nothing",
    "failure_starts_over": "test_zombie_of_the_main_role_writes_no_failure_of_an_applied_event",
    "run_under_lock": "./run chaos --lanes",
    "any_duplicate_pays": "test_duplicate_of_any_waiting_event_sends_what_the_lane_owes",
    "any_record_pays": "test_stale_wakeup_sends_what_the_lane_owes",
    "failure_is_verified": "test_zombie_that_wakes_up_between_its_two_transactions_changes_nothing",
    "pass_ends_armed": "test_retry_role_killed_at_any_step_strands_nothing",
    "deferred_before_dead_go": "test_deferred_event_before_a_dead_one_goes",
    "deferred_keep_lane": "test_event_behind_a_deferred_one_that_fails_stands_behind_it",
    "look_again": "./run chaos --lanes",
    "dead_holds": "test_dead_head_quarantines_its_lane_and_holds_nobody_else",
    "retry_in_turn": "test_retry_of_the_later_of_two_dead_ones_waits_for_the_earlier",
    "command_once": "test_killed_after_the_commit_the_command_counts_once",
    "command_arms": "test_retry_after_the_effect_was_mended_applies_the_line_in_order",
    "superseding_arms": "test_dead_event_that_may_be_superseded_gives_way_to_the_next",
    "dlq_before_mark": "test_dead_letter_of_an_event_that_died_in_its_lane_is_never_lost",
    "mark_names_death": "test_late_mark_of_the_first_death_is_none_of_the_second"}

CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
PARKS = copy.deepcopy(WANTS_A_ROW)
PARKS["sql"][0]["rows"][0] = "park"
PARKS |= {"name": "parks", "when": {"source": SOURCE, "type": "charge.captured"}}
GIVES_WAY = {**copy.deepcopy(PARKS), "name": "gives-way", "when": {"source": SOURCE, "type": "charge.updated"}, "after_dead": "skip_superseded"}
EXTRA_EFFECTS = [WANTS_A_ROW, PARKS, GIVES_WAY]


@pytest.fixture
def late(bench: Pipeline) -> str:
    """A customer whose wallet is not there yet."""
    return fresh_id("cus")


@pytest.fixture
def customer(bench: Pipeline) -> str:
    name = fresh_id("cus")
    bench.ledger.open_wallet(name)
    return name


def of_type(event_type: str, customer: str, unit: str) -> Event:
    return snapshot(event_type, {"id": unit, "customer": customer}, customer=customer, effect=1)


def test_each_rule_of_the_model_has_its_test() -> None:
    tree = Path(__file__).resolve().parents[2]
    text = "".join(file.read_text() for file in tree.glob("tests/integration/test_*.py"))
    missing = [rule for rule, test in RULES.items() if test.startswith("test_") and f"def {test}(" not in text]
    assert not missing
    names = (tree / "tests/model").glob("*.?pp")
    model = "".join(file.read_text() for file in names)
    assert all(rule in model for rule in RULES)


def test_zombie_of_the_main_role_writes_no_failure_of_an_applied_event(bench: Pipeline, late: str) -> None:
    """It has rolled back and is stopped; another owner applies the event; its second transaction must find that out."""
    bench.config["kafka"]["options"] = QUICKLY_GONE
    event, follower = (paid_invoice(late, unit="in_" + late) for _ in range(2))
    put(bench, event)
    zombie = bench.consumer(start=False).start("consumer.before_enter=stop@1")
    wait_for(lambda: zombie.frozen, "the zombie to stand still")
    bench.ledger.open_wallet(late)
    put(bench, follower)
    bench.consumer()
    bench.ledger.expect_applied(event, follower)
    zombie.resume()
    wait_for(lambda: zombie.get("/readyz")[0] == 200, "the zombie to be back")

    def nothing_changes() -> None:
        assert waiting_in(bench, event) == []
    stays(nothing_changes, during=1)
    bench.ledger.expect_applied(event, follower)


@pytest.mark.parametrize("which", [0, 2])
def test_duplicate_of_any_waiting_event_sends_what_the_lane_owes(bench: Pipeline, late: str, which: int) -> None:
    line = [paid_invoice(late, unit="in_" + late) for _ in range(3)]
    put(bench, *line)
    bench.consumer()
    expect_lane(bench, line[0], "retry", "parked", "parked")
    expect_nothing_owed(bench)
    owe(bench, line[0])
    put_again(bench, line[which])
    expect_nothing_owed(bench)


def owe(pipeline: Pipeline, event: Event) -> None:
    """As after a crash between the commit and the wakeup."""
    pipeline.ledger.run(f"UPDATE lane SET generation = generation + 1, wakeup_sent = 0 WHERE lane_key = x'{lane_key_of(event).hex()}'")


def test_stale_wakeup_sends_what_the_lane_owes(bench: Pipeline, late: str) -> None:
    event = paid_invoice(late)
    put(bench, event)
    bench.consumer()
    expect_lane(bench, event, "retry")
    expect_nothing_owed(bench)
    bench.ledger.run("UPDATE lane_event SET due_at = due_at + INTERVAL 1 DAY", "UPDATE lane SET wakeup_due = wakeup_due + INTERVAL 1 DAY")
    owe(bench, event)
    retry = bench.retry_role()  # whose first record is the wakeup of the generation before
    expect_nothing_owed(bench)
    wait_for(lambda: retry.metric("sluice_consumer_wakeups_total", what="stale") >= 1, "the stale wakeup to be counted")
    assert waiting_in(bench, event) == ["retry"]


def test_deferred_event_before_a_dead_one_goes(bench: Pipeline, late: str) -> None:
    unit = fresh_id("pi")
    deferred, dead = payment(late, 50, intent=unit), of_type("charge.captured", fresh_id("cus"), unit)
    put(bench, deferred, dead)
    bench.consumer(role="both")
    expect_lane(bench, deferred, "deferred", "dead")
    bench.ledger.open_wallet(late)
    bench.ledger.expect_applied(deferred)
    expect_lane(bench, deferred, "dead")


def test_event_behind_a_deferred_one_that_fails_stands_behind_it(bench: Pipeline, late: str) -> None:
    unit = fresh_id("pi")
    other = fresh_id("cus")
    deferred, failing, last = payment(late, 50, intent=unit), paid_invoice(other, unit=unit), paid_invoice(other, unit=unit)
    put(bench, deferred, failing, last)
    bench.consumer(role="both")
    expect_lane(bench, deferred, "deferred", "retry", "parked")
    bench.ledger.open_wallet(other)
    bench.ledger.expect_applied(failing, last)
    expect_lane(bench, deferred, "deferred")
    bench.ledger.open_wallet(late)
    bench.ledger.expect_applied(deferred)
    bench.ledger.expect_each_objects_order([failing, last])


def test_dead_event_that_may_be_superseded_gives_way_to_the_next(bench: Pipeline, late: str, customer: str) -> None:
    unit = fresh_id("ch")
    old, new = of_type("charge.updated", late, unit), of_type("charge.updated", customer, unit)
    put(bench, old)
    bench.consumer(role="both")
    expect_lane(bench, old, "dead")
    put(bench, new)
    bench.ledger.expect_applied(new)
    bench.ledger.expect_status(old, "skipped")
    expect_lane(bench, old)
    assert bench.ledger.query("SELECT closed_as FROM dead_letter WHERE event_id = %s", old.id.encode()) == [("superseded",)]


def test_late_mark_of_the_first_death_is_none_of_the_second(bench: Pipeline, late: str) -> None:
    """A process is stopped between the broker's report and the mark; an operator has the event run again, it dies again."""
    bench.config["kafka"]["options"] = QUICKLY_GONE
    event = of_type("charge.captured", late, fresh_id("ch"))
    put(bench, event)
    zombie = bench.consumer(start=False).start("consumer.after_dlq_ack=stop@1")
    wait_for(lambda: zombie.frozen, "the zombie to stand still")
    bench.retry_role()
    send(bench, RETRY, event)

    def died_again() -> bool:
        found = bench.ledger.query("SELECT closed_as, dlq_sent FROM dead_letter WHERE event_id = %s ORDER BY id", event.id.encode())
        assert len(found) == 2, found
        return found[1] == (None, 1)
    wait_for(died_again, "the second death and its record")
    zombie.resume()
    wait_for(lambda: zombie.get("/readyz")[0] == 200, "the zombie to be back")
    bench.expect_caught_up()
    expect_lane(bench, event, "dead")
    assert bench.ledger.inbox_row(event)["dlq_sent"] == 1
    dead_letters = [dead_letter for dead_letter in bench.log.read(bench.dlq) if dead_letter.text("ce_id") == event.id]
    assert len(dead_letters) >= 2, "each death has its record"
    assert lane_of(bench, event).unfinished == 1
