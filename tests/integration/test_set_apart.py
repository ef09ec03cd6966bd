"""Events that our own tables refuse: each is set apart where people see it, in its object's order, and nothing else waits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support import failpoints
from tests.support.commands import SKIP, expect_answer, send
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.lanes import expect_lane, expect_nothing_owed, key_of, open_dead_letters, waiting_in
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.records import put
from tests.support.wait import stays, wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

CONSUMER = {"in_place": "0s"}
EXTRA_EFFECTS = [WANTS_A_ROW]
REFUSAL = 9999  # a code that means nothing to us


@pytest.fixture
def customer(bench: Pipeline) -> str:
    name = fresh_id("cus")
    bench.ledger.open_wallet(name)
    return name


@contextmanager
def refusing(pipeline: Pipeline, table: str, condition: str, when: str = "INSERT") -> Iterator[None]:
    """While this lasts the table takes no such row."""
    name = f"refuse_{table}_{when.lower()}"
    pipeline.ledger.run(f"CREATE TRIGGER {name} BEFORE {when} ON {table} FOR EACH ROW IF {condition} THEN"
                        f" SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = {REFUSAL}, MESSAGE_TEXT = 'not this one'; END IF")
    try:
        yield
    finally:
        pipeline.ledger.run(f"DROP TRIGGER {name}")


def line_of(customer: str, count: int) -> list[Event]:
    """Events of one object."""
    unit = fresh_id("pi")
    return [payment(customer, number + 1, intent=unit) for number in range(count)]


def order(pipeline: Pipeline, action: str, event: Event, code: int = 0) -> dict:
    """What an operator does about the event's entry, by sluicectl."""
    rows = pipeline.ledger.query("SELECT id FROM dead_letter WHERE event_id = %s AND closed_at IS NULL", event.id.encode())
    result = pipeline.ctl("dlq", action, str(rows[0][0]), "--operator", "kim", "--reason", "the table is mended", "--apply", "--json")
    assert result.returncode == code, result.stdout + result.stderr
    return json.loads(result.stdout)


def error_of(pipeline: Pipeline, event: Event) -> str:
    [[text]] = pipeline.ledger.query("SELECT error_text FROM dead_letter WHERE event_id = %s ORDER BY id DESC LIMIT 1", event.id.encode())
    return text.decode()


def is_set_apart(pipeline: Pipeline, event: Event) -> None:
    wait_for(lambda: (event.id, "set_apart") in open_dead_letters(pipeline) or None, "the event to be set apart")


def test_an_inbox_row_that_somebody_deleted_stops_nobody(bench: Pipeline, customer: str) -> None:
    """Its payload is there still. The event counts as new: it is applied once more, which is why docs say never to do that."""
    event = payment(customer, 5)
    put(bench, event)
    bench.consumer()
    bench.ledger.expect_applied(event)
    bench.ledger.run(f"DELETE FROM inbox WHERE event_id = '{event.id}'")
    others = line_of(customer, 3)
    put(bench, event, *others)
    bench.ledger.expect_ledger_rows(2, event)
    bench.ledger.expect_balance(customer, 5 + 5 + 1 + 2 + 3)
    bench.expect_caught_up()
    assert open_dead_letters(bench).count((event.id, "set_apart")) == 0


def test_refused_event_holds_its_object_and_is_applied_once_when_the_table_takes_it(bench: Pipeline, customer: str) -> None:
    line, others = line_of(customer, 3), line_of(customer, 3)
    bench.consumer(role="both")
    with refusing(bench, "inbox", f"NEW.event_id = '{line[0].id}'"):
        put(bench, *line, *others)
        is_set_apart(bench, line[0])
        bench.ledger.expect_balance(customer, 1 + 2 + 3)
        expect_lane(bench, line[0], "dead", "parked", "parked")
        bench.expect_caught_up()
        expect_nothing_owed(bench)
        assert f"({REFUSAL})" in error_of(bench, line[0])
        assert order(bench, "retry", line[0], code=1)["refusals"] == {"impossible": 1}
        expect_lane(bench, line[0], "dead", "parked", "parked")
    [dead_letter] = [dead_letter for dead_letter in bench.log.read(bench.dlq) if dead_letter.text("ce_id") == line[0].id]
    assert dead_letter.value == line[0].body and dead_letter.text("sluice-error-class") == "set_apart"
    put(bench, line[0])  # the provider sends it again, before anybody acts
    expect_lane(bench, line[0], "dead", "parked", "parked", "parked")
    assert order(bench, "retry", line[0])["carried_out"] == 1
    bench.ledger.expect_balance(customer, 2 * (1 + 2 + 3))
    bench.ledger.expect_each_objects_order(line)
    # The second copy finds its event done, and is somebody's to look at: it must not run again.
    expect_lane(bench, line[0], "dead")
    assert order(bench, "skip", line[0])["carried_out"] == 1
    expect_lane(bench, line[0])
    put(bench, line[0])
    bench.expect_caught_up()
    bench.ledger.expect_ledger_rows(1, line[0])
    bench.ledger.expect_status(line[0], "done")


def test_a_payload_that_is_refused_is_all_that_is_missing(bench: Pipeline, customer: str) -> None:
    """The event has its inbox row: from the start what comes again is a duplicate."""
    line = line_of(customer, 2)
    bench.consumer(role="both")
    with refusing(bench, "event_payload", f"LOCATE('{line[0].id}', NEW.body) > 0"):
        put(bench, line[0], line[1], line[0])
        is_set_apart(bench, line[0])
        bench.ledger.expect_status(line[0], "dead")
        expect_lane(bench, line[0], "dead", "parked")
        bench.expect_caught_up()
        assert order(bench, "retry", line[0])["carried_out"] == 1
        bench.ledger.expect_applied(*line)
    bench.ledger.expect_each_objects_order(line)


def test_a_record_that_is_refused_holds_its_object_all_the_same(bench: Pipeline, customer: str) -> None:
    line = line_of(customer, 2)
    bench.consumer(role="both")
    with (refusing(bench, "inbox", f"NEW.event_id = '{line[0].id}'"),
          refusing(bench, "lane_event", f"LOCATE('{line[0].id}', NEW.body) > 0")):
        put(bench, *line)
        is_set_apart(bench, line[0])
        expect_lane(bench, line[0], "dead", "parked")
        assert "its headers and body could not be stored either: Kafka has them" in error_of(bench, line[0])
        assert order(bench, "skip", line[0])["carried_out"] == 1
        bench.ledger.expect_balance(customer, 2)
    expect_lane(bench, line[0])
    bench.expect_caught_up()


def test_where_not_even_its_lane_takes_it_the_entry_says_so(bench: Pipeline, customer: str) -> None:
    line = line_of(customer, 2)
    bench.consumer(role="both")
    with (refusing(bench, "inbox", f"NEW.event_id = '{line[0].id}'"), refusing(bench, "lane_event", "TRUE")):
        put(bench, line[0])
        is_set_apart(bench, line[0])
        assert "later events of its object do not wait for it" in error_of(bench, line[0])
        put(bench, line[1])
        bench.ledger.expect_applied(line[1])
        expect_nothing_owed(bench)
        bench.expect_caught_up()
    put(bench, line[0])  # under its own key, whoever comes first
    bench.ledger.expect_balance(customer, 1 + 2)
    assert order(bench, "retry", line[0], code=1)["refusals"] == {"finished": 1}
    assert not [event for event, _ in open_dead_letters(bench) if event == line[0].id]
    bench.ledger.expect_ledger_rows(1, line[0])


def test_where_no_table_takes_its_record_the_entry_says_that_kafka_has_it(bench: Pipeline, customer: str) -> None:
    event, other = payment(customer, 1), payment(customer, 2)
    bench.consumer(role="both")
    with (refusing(bench, "inbox", f"NEW.event_id = '{event.id}'"), refusing(bench, "lane_event", "TRUE"),
          refusing(bench, "dead_letter", "LENGTH(NEW.body) > 0")):
        put(bench, event, other)
        is_set_apart(bench, event)
        assert "later events of its object do not wait for it; its headers and body could not be stored either: Kafka has them" in error_of(bench, event)
        bench.ledger.expect_balance(customer, 2)
        bench.expect_caught_up()
    assert order(bench, "retry", event, code=1)["refusals"] == {"unreadable": 1}
    assert order(bench, "close", event)["carried_out"] == 1
    put(bench, event)
    bench.ledger.expect_balance(customer, 1 + 2)


def test_event_that_is_refused_in_its_lane_dies_there_and_the_others_go_on(bench: Pipeline) -> None:
    """The retry role: the row that says how it ended is what MySQL does not take."""
    late, healthy = fresh_id("cus"), fresh_id("cus")
    line = [paid_invoice(late, unit=fresh_id("in")) for _ in range(1)] + [paid_invoice(healthy, unit=fresh_id("in"))]
    put(bench, *line)
    bench.consumer(role="both")
    for event in line:
        expect_lane(bench, event, "retry")
    with refusing(bench, "inbox", f"NEW.event_id = '{line[0].id}' AND NEW.status = 'done'", when="UPDATE"):
        bench.ledger.open_wallet(late, healthy)
        is_set_apart(bench, line[0])
        expect_lane(bench, line[0], "dead")
        bench.ledger.expect_applied(line[1])
        expect_nothing_owed(bench)
        bench.ledger.expect_ledger_rows(0, line[0])
    assert order(bench, "retry", line[0])["carried_out"] == 1
    bench.ledger.expect_applied(line[0])


def test_a_table_that_takes_nothing_is_the_databases_trouble(bench: Pipeline, customer: str) -> None:
    """A budget says so: what it does not cover waits where it is, and is applied once the table is mended."""
    bench.config["consumer"] = {**CONSUMER, "dead_letter_budget": {"events": 2, "refill": "1m"}}
    events = [payment(customer, 1) for _ in range(12)]
    consumer = bench.consumer(role="both")  # one may be in its lane when the table is mended
    with refusing(bench, "inbox", "TRUE"):
        put(bench, *events)
        consumer.expect_not_ready("set_apart")
        stays(lambda: expect_at_most(2, of_these(bench, events)), during=2)
    apart = of_these(bench, events)
    bench.ledger.expect_applied(*(event for event in events if event.id not in apart))
    bench.ledger.expect_balance(customer, 12 - len(apart))


def test_a_lane_that_takes_no_change_is_left_to_the_sweeper_and_holds_nobody_up(bench: Pipeline) -> None:
    """The sweeper comes to it first, in each of its rounds, and wakes the others all the same."""
    stuck, healthy = (paid_invoice(fresh_id("cus")) for _ in range(2))
    put(bench, stuck, healthy)
    bench.consumer()
    for event in (stuck, healthy):
        expect_lane(bench, event, "retry")
    expect_nothing_owed(bench)
    # Sent, says MySQL, and nobody will ever read their wakeups.
    bench.ledger.run("UPDATE lane SET generation = generation + 1, wakeup_due = NOW(6) - INTERVAL 1 HOUR",
                     f"UPDATE lane SET wakeup_due = NOW(6) - INTERVAL 2 HOUR WHERE object_key = '{key_of(stuck)}'")
    bench.ledger.open_wallet(*(customer_of(event) for event in (stuck, healthy)))
    with refusing(bench, "lane", f"OLD.object_key = '{key_of(stuck)}'", when="UPDATE"):
        role = bench.retry_role()
        bench.ledger.expect_applied(healthy)
        wait_for(lambda: role.metric("sluice_consumer_lanes_left_total") > 0, "the other one to be left")
        role.ready()
        bench.ledger.expect_ledger_rows(0, stuck)
    ends = wait_for(lambda: waiting_in(bench, stuck) in ([], ["dead"]) and [waiting_in(bench, stuck)], "it to be tried again", within=60)
    if ends == [["dead"]]:  # the table took that it failed three times, and no longer refused anything then
        assert order(bench, "retry", stuck)["carried_out"] == 1
    bench.ledger.expect_applied(stuck)
    expect_lane(bench, stuck)


def customer_of(event: Event) -> str:
    return json.loads(event.body)["data"]["object"]["customer"]


def test_an_order_that_cannot_even_be_refused_holds_no_other_up(bench: Pipeline, customer: str) -> None:
    """Whoever asked gets no answer, and the next order is carried out."""
    dead = [payment(customer).with_content(amount="none") for _ in range(2)]
    put(bench, *dead)
    role = bench.consumer(role="both")
    for event in dead:
        expect_lane(bench, event, "dead")
    with refusing(bench, "operator_action", f"NEW.object_key = '{key_of(dead[0])}'"):
        send(bench, SKIP, dead[0])
        expect_answer(bench, send(bench, SKIP, dead[1]), "carried_out")
        wait_for(lambda: role.metric("sluice_consumer_commands_total", action="skip", answer="unwritten") == 1, "it to be told")
        expect_lane(bench, dead[0], "dead")
    expect_answer(bench, send(bench, SKIP, dead[0]), "carried_out")
    expect_lane(bench, dead[0])


def expect_at_most(count: int, found: set[str]) -> None:
    assert len(found) <= count, found


def of_these(pipeline: Pipeline, events: list[Event]) -> set[str]:
    return {event for event, error_class in open_dead_letters(pipeline) if error_class == "set_apart"} & {event.id for event in events}


@pytest.mark.parametrize("step", failpoints.WAITING["set apart"])
def test_a_crash_while_an_event_is_set_apart_loses_nothing(bench: Pipeline, customer: str, step: str) -> None:
    bench.config["kafka"]["options"] = QUICKLY_GONE
    line = line_of(customer, 2)
    with refusing(bench, "inbox", f"NEW.event_id = '{line[0].id}'"):
        put(bench, *line)
        bench.consumer(start=False).start(f"{step}=kill").wait_end()
        bench.consumer(role="both")
        is_set_apart(bench, line[0])
        expect_lane(bench, line[0], "dead", "parked")
        expect_nothing_owed(bench)
        assert open_dead_letters(bench).count((line[0].id, "set_apart")) == 1
    assert order(bench, "retry", line[0])["carried_out"] == 1
    bench.ledger.expect_applied(*line)
    bench.ledger.expect_each_objects_order(line)
    assert waiting_in(bench, line[0]) == []
