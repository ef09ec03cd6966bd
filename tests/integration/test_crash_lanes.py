"""kill -9 while events wait in lanes, and failures of single steps: nothing is stranded, everything is there once."""

from __future__ import annotations

import random

import pytest

from tests.support import failpoints
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.lanes import expect_lane, expect_nothing_owed, open_dead_letters
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.records import put
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"in_place": "0s"}
EXTRA_EFFECTS = [WANTS_A_ROW]
LETTER_STEPS = ["consumer.before_dlq_produce", "consumer.after_dlq_ack", "consumer.after_dlq_sent"]
DEATH_STEPS = [*failpoints.WAITING["death"], *LETTER_STEPS]
STEPS_OF_BOTH = [step for group in ("main role", "either role", "retry role") for step in failpoints.WAITING[group]]


@pytest.fixture
def late(bench: Pipeline) -> str:
    """A customer whose wallet is not there yet; consumers that die are out of their group soon."""
    bench.config["kafka"]["options"] = QUICKLY_GONE
    return fresh_id("cus")


def line_of(customer: str, count: int) -> list[Event]:
    """Events of one object; each wants another try as long as the customer has no wallet."""
    unit = fresh_id("in")
    return [paid_invoice(customer, unit=unit) for _ in range(count)]


def waiting_line(bench: Pipeline, customer: str, count: int) -> list[Event]:
    """Its first event waits in the lane, those behind it too; a main role runs."""
    line = line_of(customer, count)
    put(bench, *line)
    bench.consumer()
    expect_lane(bench, line[0], "retry", *["parked"] * (count - 1))
    expect_nothing_owed(bench)
    return line


def expect_line_applied(bench: Pipeline, line: list[Event]) -> None:
    bench.ledger.expect_applied(*line)
    bench.ledger.expect_each_objects_order(line)
    expect_lane(bench, line[0])


@pytest.mark.parametrize("step", DEATH_STEPS)
def test_dead_letter_of_an_event_that_died_in_its_lane_is_never_lost(bench: Pipeline, late: str, step: str) -> None:
    bench.config["effects"].remove(WANTS_A_ROW)
    bench.config["effects"].append({**WANTS_A_ROW, "retry": {"attempts": 2}})
    line = waiting_line(bench, late, 2)
    bench.retry_role(start=False).start(f"{step}=kill").wait_end()
    bench.retry_role()
    bench.ledger.expect_status(line[0], "dead")
    expect_nothing_owed(bench)
    expect_lane(bench, line[0], "dead", "parked")
    dead_letters = [dead_letter for dead_letter in bench.log.read(bench.dlq) if dead_letter.text("ce_id") == line[0].id]
    assert dead_letters and {dead_letter.text("sluice-error-class") for dead_letter in dead_letters} == {"exhausted"}
    assert open_dead_letters(bench).count((line[0].id, "exhausted")) == 1
    assert bench.ledger.inbox_row(line[0])["dlq_sent"] == 1


@pytest.mark.parametrize("step", LETTER_STEPS)
def test_dead_letter_of_a_conflict_is_never_lost(bench: Pipeline, late: str, step: str) -> None:
    """It has no place in a lane: its entry alone says that a DLQ record is owed."""
    bench.ledger.open_wallet(late)
    event = payment(late, 100)
    other = event.with_content(amount=999)
    put(bench, event, other)
    bench.consumer(start=False).start(f"{step}=kill").wait_end()
    bench.consumer()
    bench.expect_caught_up()
    bench.ledger.expect_applied(event)
    expect_nothing_owed(bench)
    dead_letters = [dead_letter for dead_letter in bench.log.read(bench.dlq) if dead_letter.text("ce_id") == event.id]
    assert dead_letters and {dead_letter.value for dead_letter in dead_letters} == {other.body}
    assert open_dead_letters(bench).count((event.id, "conflict")) == 1


def test_each_step_fails_once_and_the_same_process_goes_on(bench: Pipeline, late: str) -> None:
    process = bench.consumer(";".join(f"{step}=error@1" for step in STEPS_OF_BOTH), role="both")
    line = line_of(late, 4)
    put(bench, *line)
    expect_lane(bench, line[0], "retry", "parked", "parked", "parked")
    wait_for(lambda: len(process.decisions("retried")) >= 3, "the head to be tried again")
    bench.ledger.open_wallet(late)
    expect_line_applied(bench, line)
    bench.expect_caught_up()
    expect_nothing_owed(bench)
    assert process.stop() == 0
    assert set(STEPS_OF_BOTH) <= process.hit_failpoints()


def test_both_roles_killed_at_random_again_and_again(bench: Pipeline, late: str) -> None:
    """Every step may be a process's last one, and each may fail before; wallets open while that goes on."""
    bench.config["consumer"] = {**CONSUMER, "batch": 3}
    customers = [late, *(fresh_id("cus") for _ in range(5))]
    units = {customer: (fresh_id("in"), fresh_id("pi")) for customer in customers}
    events = [make for number in range(10) for customer in customers for make in (
        paid_invoice(customer, unit=units[customer][0]), payment(customer, number + 1, intent=units[customer][1]))]
    random.Random(late).shuffle(events)
    put(bench, *events)
    dice = ";".join(f"{step}=kill@p0.02;{step}=error@p0.05" for step in failpoints.in_source("consumer"))
    victim = bench.consumer(start=False, role="both")
    for customer in customers:
        victim.start(dice)
        wait_for(lambda: not victim.running or bench.ledger.status(events[-1]) is not None, "a crash", every=0.1)
        bench.ledger.open_wallet(customer)
        wait_for(lambda: not victim.running or is_all_done(bench, events), "a crash", within=10, every=0.1)
        victim.end_by_force()
    bench.consumer(role="both")
    bench.ledger.expect_applied(*events, within=60)
    bench.ledger.expect_each_objects_order([event for event in events if event.type == "invoice.paid"])
    for customer in customers:
        expect_lane(bench, next(event for event in events if event.customer == customer))
    bench.expect_caught_up()
    expect_nothing_owed(bench)


def is_all_done(bench: Pipeline, events: list[Event]) -> bool:
    statuses = bench.ledger.statuses()
    return all(statuses.get(event.id) == "done" for event in events)
