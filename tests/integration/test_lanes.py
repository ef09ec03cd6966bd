"""Order that survives failure: what cannot be applied waits in MySQL with those behind it, and holds nobody else."""

from __future__ import annotations

import copy

import pytest

from tests.support import failpoints
from tests.support.dead_letter import dead_letter_of
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment, snapshot
from tests.support.lanes import expect_lane, expect_nothing_owed, lane_of, open_dead_letters, waiting_in
from tests.support.pipeline import QUICKLY_GONE, SOURCE, Pipeline
from tests.support.records import put, put_again
from tests.support.wait import stays, wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

CONSUMER = {"in_place": "0s"}
EXTRA_EFFECTS = [
    WANTS_A_ROW,
    {"name": "open-wallet", "when": {"source": SOURCE, "type": "customer.created"},
     "let": {"customer": "/data/object/customer"},
     "sql": [{"run": "INSERT INTO wallet (customer, balance) VALUES (:customer, 0)", "rows": {1: "done"}}]}]

DIES_AT_ONCE = copy.deepcopy(WANTS_A_ROW)
DIES_AT_ONCE["sql"][0]["rows"][0] = "park"


@pytest.fixture
def customer(bench: Pipeline) -> str:
    """With an empty wallet."""
    name = fresh_id("cus")
    bench.ledger.open_wallet(name)
    return name


@pytest.fixture
def late(bench: Pipeline) -> str:
    """A customer whose wallet is not there yet."""
    return fresh_id("cus")


def line_of(customer: str, count: int) -> list[Event]:
    """Events of one object; each wants another try as long as the customer has no wallet."""
    unit = fresh_id("in")
    return [paid_invoice(customer, unit=unit) for _ in range(count)]


def odd_payment(customer: str, unit: str) -> Event:
    """One that cannot be applied."""
    return snapshot("payment_intent.succeeded", {"id": unit, "customer": customer, "amount": "a lot"})


def test_failed_head_holds_its_followers_in_mysql_and_nobody_else(bench: Pipeline, late: str, customer: str) -> None:
    line, other = line_of(late, 4), payment(customer, 5)
    put(bench, *line, other)
    bench.consumer()
    bench.ledger.expect_applied(other)
    expect_lane(bench, line[0], "retry", "parked", "parked", "parked")
    bench.expect_caught_up()
    retry = bench.retry_role()
    wait_for(lambda: len(retry.decisions("retried")) >= 2, "the head to be tried again")
    bench.ledger.expect_ledger_rows(0, line[0])
    bench.ledger.open_wallet(late)
    bench.ledger.expect_applied(*line, other)
    bench.ledger.expect_each_objects_order(line)
    expect_lane(bench, line[0])


def test_deferred_event_lets_followers_pass_and_is_applied_with_their_success(bench: Pipeline, late: str) -> None:
    """The wallet is made by a later event of the same object: nothing waits for a timer, no retry role runs."""
    unit = fresh_id("pi")
    deferred = payment(late, 50, intent=unit)
    opening = snapshot("customer.created", {"id": unit, "customer": late})
    put(bench, deferred)
    bench.consumer()
    expect_lane(bench, deferred, "deferred")
    bench.expect_caught_up()
    put(bench, opening)
    bench.ledger.expect_applied(deferred)
    bench.ledger.expect_status(opening, "done")
    expect_lane(bench, deferred)


def test_deferred_event_is_applied_when_what_it_waits_for_comes_from_elsewhere(bench: Pipeline, late: str) -> None:
    deferred = payment(late, 50)
    put(bench, deferred)
    bench.consumer(role="both")
    expect_lane(bench, deferred, "deferred")
    bench.ledger.open_wallet(late)
    bench.ledger.expect_applied(deferred)
    expect_lane(bench, deferred)


def test_dead_head_quarantines_its_lane_and_holds_nobody_else(bench: Pipeline, customer: str) -> None:
    unit = fresh_id("pi")
    dead, followers = odd_payment(customer, unit), [payment(customer, 1, intent=unit) for _ in range(3)]
    other = payment(customer, 7)
    put(bench, dead, *followers, other)
    bench.consumer(role="both")
    bench.ledger.expect_applied(other)
    expect_lane(bench, dead, "dead", "parked", "parked", "parked")
    assert dead_letter_of(bench, dead).text("sluice-error-class") == "park"
    assert (dead.id, "park") in open_dead_letters(bench)
    bench.expect_caught_up()
    put_again(bench, dead, 2)
    put_again(bench, followers[0])
    bench.expect_caught_up()
    assert waiting_in(bench, dead) == ["dead", "parked", "parked", "parked"]
    dead_letter_of(bench, dead)


def test_what_waits_is_counted(bench: Pipeline, late: str, customer: str) -> None:
    unit = fresh_id("pi")
    dead, followers = odd_payment(customer, unit), [payment(customer, 1, intent=unit) for _ in range(3)]
    put(bench, dead, *followers, payment(late, 5))
    consumer = bench.consumer(role="both")
    expect_lane(bench, dead, "dead", "parked", "parked", "parked")

    def counted() -> bool:
        assert consumer.metric("sluice_consumer_lanes", state="quarantined") >= 1
        assert consumer.metric("sluice_consumer_lanes", state="deferring") >= 1
        assert consumer.metric("sluice_consumer_lane_events", state="quarantined") >= 4
        assert consumer.metric("sluice_consumer_lane_oldest_seconds", state="quarantined") > 0
        assert consumer.metric("sluice_consumer_dlq_open", **{"class": "park"}) >= 1
        assert consumer.metric("sluice_consumer_dlq_oldest_seconds") > 0
        assert consumer.metric("sluice_consumer_wakeups_total", what="produced") >= 1
        return True
    wait_for(counted, "the metrics of lanes")
    put_again(bench, dead)
    wait_for(lambda: consumer.metric("sluice_consumer_duplicates_total", status="dead") == 1, "the duplicate to be counted")


def test_duplicates_of_waiting_events_are_settled_and_change_nothing(bench: Pipeline, late: str) -> None:
    line = line_of(late, 3)
    put(bench, *line)
    bench.consumer()
    expect_lane(bench, line[0], "retry", "parked", "parked")
    before = lane_of(bench, line[0])
    for event in line:
        put_again(bench, event, 2)
    bench.expect_caught_up()
    assert lane_of(bench, line[0]) == before
    expect_nothing_owed(bench, of=line[0])


MAIN_STEPS = failpoints.WAITING["main role"] + failpoints.WAITING["either role"]
RETRY_STEPS = failpoints.WAITING["retry role"] + failpoints.WAITING["either role"]


@pytest.mark.parametrize("step", MAIN_STEPS)
def test_main_role_killed_at_any_step_strands_nothing(bench: Pipeline, late: str, step: str) -> None:
    bench.config["kafka"]["options"] = QUICKLY_GONE
    line = line_of(late, 4)
    put(bench, *line)
    bench.consumer(start=False).start(f"{step}=kill").wait_end()
    bench.consumer()
    expect_lane(bench, line[0], "retry", "parked", "parked", "parked")
    expect_nothing_owed(bench, of=line[0])
    bench.expect_caught_up()
    bench.ledger.open_wallet(late)
    bench.retry_role()
    bench.ledger.expect_applied(*line)
    bench.ledger.expect_each_objects_order(line)
    expect_lane(bench, line[0])


@pytest.mark.parametrize("step", RETRY_STEPS)
def test_retry_role_killed_at_any_step_strands_nothing(bench: Pipeline, late: str, step: str) -> None:
    """The head fails once more under its eyes, so that every step is met; then it is killed at it."""
    bench.config["kafka"]["options"] = QUICKLY_GONE
    line = line_of(late, 4)
    put(bench, *line)
    bench.consumer()
    expect_lane(bench, line[0], "retry", "parked", "parked", "parked")
    expect_nothing_owed(bench, of=line[0])
    victim = bench.retry_role(start=False)
    victim.start(f"{step}=kill")
    if step in ("consumer.in_row_run", "consumer.after_row_commit"):
        bench.ledger.open_wallet(late)
    victim.wait_end()
    bench.ledger.run(f"INSERT IGNORE INTO wallet VALUES ('{late}', 0)")
    bench.retry_role()
    bench.ledger.expect_applied(*line)
    bench.ledger.expect_each_objects_order(line)
    expect_lane(bench, line[0])


def test_zombie_that_wakes_up_between_its_two_transactions_changes_nothing(bench: Pipeline, late: str) -> None:
    """It rolled back a failure, was stopped, lost its partitions; another one has applied the event by then."""
    bench.config["kafka"]["options"] = QUICKLY_GONE
    line = line_of(late, 3)
    put(bench, *line)
    bench.consumer()
    expect_lane(bench, line[0], "retry", "parked", "parked")
    zombie = bench.retry_role(start=False).start("consumer.between_row_transactions=stop@1")
    wait_for(lambda: zombie.frozen, "the zombie to stand still")
    bench.ledger.open_wallet(late)
    bench.retry_role()
    # Another of its threads may have been stopped with a lock in hand: the server ends its session after 30 s.
    bench.ledger.expect_applied(*line, within=60)
    zombie.resume()
    wait_for(lambda: zombie.get("/readyz")[0] == 200, "the zombie to be back")

    def nothing_changes() -> None:
        assert waiting_in(bench, line[0]) == []
    stays(nothing_changes, during=1)
    bench.ledger.expect_applied(*line)
    bench.ledger.expect_each_objects_order(line)


def test_batch_in_which_every_object_dies_is_not_rolled_back_whole_each_time(bench: Pipeline, late: str) -> None:
    """What a poisoned deploy looks like: 300 events of 100 objects in one batch, each head dead at once."""
    bench.config["effects"].remove(WANTS_A_ROW)
    bench.config["effects"].append(DIES_AT_ONCE)
    bench.config["consumer"] = {**CONSUMER, "workers": 1, "dead_letter_budget": {"events": 0, "pause_after": 0}}
    units = [fresh_id("in") for _ in range(100)]
    events = [paid_invoice(late, unit=unit) for _ in range(3) for unit in units]
    put(bench, *events)
    before = rows_written(bench)
    consumer = bench.consumer()
    bench.expect_caught_up()
    for event in events[:100]:
        assert waiting_in(bench, event) == ["dead", "parked", "parked"]
    assert rows_written(bench) - before < 30 * len(events)
    assert consumer.metric("sluice_consumer_rollbacks_total", why="lane") < 10


def rows_written(bench: Pipeline) -> int:
    """By the server, rolled back or not."""
    return int(bench.ledger.query("SHOW GLOBAL STATUS LIKE 'Handler_write'")[0][1])
