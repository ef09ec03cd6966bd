"""A finished event has effects of today that it had not: each once, those that it had never again, in its object's order."""

from __future__ import annotations

import copy
import json

import pytest

from tests.support import failpoints
from tests.support.commands import EDIT, RERUN, RETRY, SKIP, expect_answer, send
from tests.support.events import Event, fresh_id, payment, snapshot, unmatched
from tests.support.lanes import expect_lane, expect_nothing_owed, key_of, waiting_in
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.records import Record, put, put_again, put_records, record_of
from tests.support.trouble import dedup_key_of
from tests.support.wait import expect_soon, wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
TYPES = ["payment_intent.succeeded", "product.created"]
THANK = {"name": "thank", "when": {"source": "stripe-eu", "type": TYPES}, "insert": {"table": "thanks", "row": {"event": ":event_id"}}}
GIVE_POINTS = {"name": "give-points", "when": {"source": "stripe-eu", "type": TYPES[:1]},
               "let": {"customer": "/data/object/customer"},
               "sql": [{"run": "UPDATE points SET points = points + 1 WHERE customer = :customer", "rows": {1: "done", 0: "park"}},
                       {"run": "INSERT INTO given (event) VALUES (:event_id)", "rows": {1: "done"}}]}
EXTRA_TABLES = ["CREATE TABLE thanks (seq BIGINT AUTO_INCREMENT PRIMARY KEY, event VARBINARY(255) NOT NULL)",
                "CREATE TABLE given (seq BIGINT AUTO_INCREMENT PRIMARY KEY, event VARBINARY(255) NOT NULL)",
                "CREATE TABLE points (customer VARBINARY(64) PRIMARY KEY, points BIGINT NOT NULL)"]


@pytest.fixture
def customer(bench: Pipeline) -> str:
    name = fresh_id("cus")
    bench.ledger.open_wallet(name)
    return name


def applied_before(pipeline: Pipeline, *events: Event, instead: dict[Event, Record] | None = None) -> None:
    """Under a configuration that had forgotten an effect. `instead`: records of one's own for some of them."""
    put_records(pipeline, *((instead or {}).get(event) or record_of(event, secret=pipeline.secret) for event in events))
    consumer = pipeline.consumer()
    pipeline.ledger.expect_applied(*events)
    pipeline.expect_caught_up()
    assert consumer.stop() == 0


def remembered(pipeline: Pipeline, *effects: dict) -> None:
    pipeline.config["effects"] += copy.deepcopy(list(effects))


def told_of(pipeline: Pipeline, table: str, *events: Event) -> list[str]:
    """These events' rows, in the order in which they were written."""
    ids = {event.id for event in events}
    return [event.decode() for (event,) in pipeline.ledger.query(f"SELECT event FROM {table} ORDER BY seq") if event.decode() in ids]


def expect_told(pipeline: Pipeline, table: str, *events: Event) -> None:
    """Each once, in this order."""
    def check() -> None:
        assert told_of(pipeline, table, *events) == [event.id for event in events]
    expect_soon(check)


def had_by(pipeline: Pipeline, event: Event) -> list[str]:
    return json.loads(pipeline.ledger.inbox_row(event)["had_effects"])


def test_forgotten_effect_is_applied_once_and_the_old_ones_never_again(bench: Pipeline, customer: str) -> None:
    event = payment(customer, 5)
    applied_before(bench, event)
    remembered(bench, THANK)
    bench.consumer(role="both")
    expect_answer(bench, send(bench, RERUN, event, times=3), "carried_out")
    bench.ledger.expect_status(event, "done")
    expect_told(bench, "thanks", event)
    expect_answer(bench, send(bench, RERUN, event), "refused", "had_all")
    put_again(bench, event)
    bench.expect_caught_up()
    assert told_of(bench, "thanks", event) == [event.id]
    bench.ledger.expect_applied(event)
    assert had_by(bench, event) == ["credit-wallet", "thank"]
    expect_lane(bench, event)
    expect_nothing_owed(bench)


def test_an_effect_for_payments_is_applied_to_payments_alone(bench: Pipeline, customer: str) -> None:
    """Headers do not say what an event means for a payment: its body does."""
    paid, other = payment(customer, 5), unmatched()
    applied_before(bench, paid, other)
    remembered(bench, {"name": "thank-payers", "when": {"payment": "paid"}, "insert": THANK["insert"]})
    bench.consumer(role="both")
    expect_answer(bench, send(bench, RERUN, other), "refused", "had_all")
    expect_answer(bench, send(bench, RERUN, paid), "carried_out")
    expect_told(bench, "thanks", paid)
    bench.ledger.expect_status(other, "ignored")


def test_ignored_event_is_done_with_what_matches_it_today(bench: Pipeline) -> None:
    event = unmatched()
    applied_before(bench, event)
    assert bench.ledger.status(event) == "ignored"
    remembered(bench, THANK)
    bench.consumer(role="both")
    expect_answer(bench, send(bench, RERUN, event), "carried_out")
    bench.ledger.expect_status(event, "done")
    assert (told_of(bench, "thanks", event), had_by(bench, event)) == ([event.id], ["thank"])


def test_one_effect_can_be_named(bench: Pipeline, customer: str) -> None:
    event = payment(customer, 5)
    applied_before(bench, event)
    remembered(bench, THANK, GIVE_POINTS)
    bench.ledger.run(f"INSERT INTO points VALUES ('{customer}', 0)")
    bench.consumer(role="both")
    expect_answer(bench, send(bench, RERUN, event, effect="thanks"), "refused", "no_such_effect")
    expect_answer(bench, send(bench, RERUN, event, effect="thank"), "carried_out")
    bench.ledger.expect_status(event, "done")
    assert had_by(bench, event) == ["credit-wallet", "thank"]
    expect_answer(bench, send(bench, RERUN, event), "carried_out")
    bench.ledger.expect_status(event, "done")
    assert had_by(bench, event) == ["credit-wallet", "thank", "give-points"]
    assert told_of(bench, "thanks", event) == told_of(bench, "given", event) == [event.id]
    bench.ledger.expect_applied(event)


def test_statement_that_changed_under_its_name_is_not_run_again(bench: Pipeline, customer: str) -> None:
    event = payment(customer, 5)
    applied_before(bench, event)
    [credit] = [effect for effect in bench.config["effects"] if effect["name"] == "credit-wallet"]
    credit["sql"][0]["run"] = "UPDATE wallet SET balance = balance + 2 * :amount WHERE customer = :customer"
    bench.consumer(role="both")
    expect_answer(bench, send(bench, RERUN, event), "refused", "had_all")
    bench.ledger.expect_applied(event)


def test_rerun_that_fails_waits_and_holds_its_object(bench: Pipeline, customer: str) -> None:
    """Dead as any other event: what comes meanwhile stands behind it, and an operator's retry runs what it was about."""
    intent = fresh_id("pi")
    past, later = [payment(customer, amount, intent=intent) for amount in (5, 7)]
    applied_before(bench, past)
    remembered(bench, GIVE_POINTS, THANK)
    bench.consumer(role="both")
    expect_answer(bench, send(bench, RERUN, past, effect="give-points"), "carried_out")
    expect_lane(bench, past, "dead")
    assert bench.ledger.status(past) == "rerun"
    expect_answer(bench, send(bench, RERUN, past), "refused", "under_way")
    put(bench, later)
    expect_lane(bench, past, "dead", "parked")
    expect_nothing_owed(bench)
    assert bench.ledger.inbox_row(past)["dlq_sent"] == 1
    bench.ledger.run(f"INSERT INTO points VALUES ('{customer}', 0)")
    expect_answer(bench, send(bench, RETRY, past), "carried_out")
    bench.ledger.expect_applied(past, later)
    assert told_of(bench, "given", past, later) == [past.id, later.id]
    assert had_by(bench, past) == ["credit-wallet", "give-points"], "the other effect was not asked for"
    assert had_by(bench, later) == ["credit-wallet", "give-points", "thank"]
    expect_lane(bench, past)
    expect_nothing_owed(bench)


def test_rerun_that_an_operator_has_tried_again_is_one_still(bench: Pipeline, customer: str) -> None:
    """Releases that know no reruns leave it alone: they would finish it without what it had."""
    event = payment(customer, 5)
    applied_before(bench, event)
    remembered(bench, GIVE_POINTS)
    retry = bench.retry_role()
    send(bench, RERUN, event)
    expect_lane(bench, event, "dead")
    assert retry.stop() == 0
    victim = bench.retry_role(start=False).start("consumer.after_command_commit=kill")
    send(bench, RETRY, event)
    victim.wait_end()
    expect_lane(bench, event, "retry")
    assert bench.ledger.status(event) == "rerun"


@pytest.mark.parametrize("before", ["done", "ignored"])
def test_skipped_rerun_leaves_the_event_as_it_was(bench: Pipeline, customer: str, before: str) -> None:
    breaks = {**GIVE_POINTS, "when": {"source": "stripe-eu", "type": TYPES}, "let": {"customer": "/data/object/id"}}
    event = payment(customer, 5) if before == "done" else unmatched()
    applied_before(bench, event)
    had = had_by(bench, event)
    remembered(bench, breaks)
    bench.consumer(role="both")
    send(bench, RERUN, event)
    expect_lane(bench, event, "dead")
    expect_answer(bench, send(bench, SKIP, event), "carried_out")
    bench.ledger.expect_status(event, before)
    assert had_by(bench, event) == had
    expect_lane(bench, event)
    expect_answer(bench, send(bench, RERUN, event), "carried_out")
    expect_lane(bench, event, "dead")
    send(bench, SKIP, event)
    bench.ledger.expect_status(event, before)


@pytest.mark.parametrize("stands", ["dead", "retry"])
def test_superseded_rerun_leaves_the_event_as_it_was(bench: Pipeline, customer: str, stands: str) -> None:
    """The main role gives up one that is dead when a later event comes, the retry role one that dies in front of it."""
    gives_way = {**GIVE_POINTS, "when": {"source": "stripe-eu", "type": "product.created"}, "after_dead": "skip_superseded",
                 "retry": {"attempts": 4}, "sql": copy.deepcopy(GIVE_POINTS["sql"])}
    gives_way["sql"][0]["rows"][0] = "park" if stands == "dead" else "retry"
    unit = fresh_id("prod")
    past, later = [snapshot("product.created", {"id": unit, "customer": name}) for name in (fresh_id("cus"), customer)]
    applied_before(bench, past)
    bench.ledger.run(f"INSERT INTO points VALUES ('{customer}', 0)")
    remembered(bench, gives_way)
    retry = bench.retry_role()
    send(bench, RERUN, past)
    expect_lane(bench, past, stands)
    assert retry.stop() == 0
    put(bench, later)
    bench.consumer()
    bench.ledger.expect_status(later, "parked")
    bench.retry_role()
    bench.ledger.expect_status(later, "done")
    assert (bench.ledger.status(past), had_by(bench, past)) == ("ignored", [])
    assert told_of(bench, "given", past, later) == [later.id]
    expect_lane(bench, past)


def test_line_of_an_object_is_rerun_in_its_order_before_what_comes_meanwhile(bench: Pipeline, customer: str) -> None:
    intent = fresh_id("pi")
    past = [payment(customer, amount, intent=intent) for amount in range(1, 7)]
    applied_before(bench, *past)
    remembered(bench, GIVE_POINTS)
    bench.ledger.run(f"INSERT INTO points VALUES ('{customer}', 0)")
    main, commands = bench.consumer(), [send(bench, RERUN, event) for event in past]
    with bench.ledger.session() as session, session.cursor() as cursor:
        cursor.execute("SELECT points FROM points WHERE customer = %s FOR UPDATE", (customer.encode(),))
        bench.retry_role()
        wait_for(lambda: len(waiting_in(bench, past[0])) >= 1 or None, "the first to be under way")
        meanwhile = payment(customer, 100, intent=intent)
        put(bench, meanwhile)
        bench.ledger.expect_status(meanwhile, "parked")
        session.rollback()
    for command in commands:
        expect_answer(bench, command, "carried_out")
    bench.ledger.expect_applied(*past, meanwhile)
    told = told_of(bench, "given", *past, meanwhile)
    assert [event for event in told if event != meanwhile.id] == [event.id for event in past]
    assert told.count(meanwhile.id) == 1 and told[0] == past[0].id
    expect_lane(bench, past[0])
    assert main.stop() == 0


def test_what_cannot_be_rerun_is_refused(bench: Pipeline, customer: str) -> None:
    event, other = payment(customer, 5), payment(customer, 7)
    odd = snapshot("payment_intent.succeeded", {"id": fresh_id("pi"), "customer": customer, "amount": "a lot"})
    applied_before(bench, event, other)
    put(bench, odd)
    consumer = bench.consumer(role="both")
    expect_lane(bench, odd, "dead")
    assert consumer.stop() == 0
    remembered(bench, THANK)
    bench.consumer(role="both")
    expect_answer(bench, send(bench, RERUN, odd), "refused", "unfinished")
    send(bench, EDIT, odd, body=odd.with_content(amount=7).body)
    bench.ledger.expect_status(odd, "done")
    bench.ledger.run(f"UPDATE inbox SET had_effects = '[\"credit-wallet\"]' WHERE event_id = '{odd.id}'")
    expect_answer(bench, send(bench, RERUN, odd), "refused", "edited")
    expect_answer(bench, send(bench, RERUN, event, key=key_of(other).encode()), "refused", "other_object")
    bench.ledger.run(f"UPDATE inbox SET had_effects = NULL WHERE event_id = '{event.id}'")
    expect_answer(bench, send(bench, RERUN, event), "refused", "had_unknown")
    bench.ledger.run(f"UPDATE inbox SET status = 'skipped' WHERE event_id = '{event.id}'")
    expect_answer(bench, send(bench, RERUN, event), "refused", "skipped")
    bench.ledger.run(f"UPDATE inbox SET status = 'done' WHERE event_id = '{event.id}'",
                     f"UPDATE event_payload JOIN inbox USING (event_day, dedup_key) SET body = REPLACE(body, '\"amount\": 7', '\"amount\": 8')"
                     f" WHERE event_id = '{other.id}'")
    for unverified in (False, True):
        expect_answer(bench, send(bench, RERUN, other, unverified=unverified), "refused", "not_authentic")
    bench.ledger.run(f"DELETE event_payload FROM event_payload JOIN inbox USING (event_day, dedup_key) WHERE event_id = '{other.id}'")
    expect_answer(bench, send(bench, RERUN, other), "refused", "no_payload")
    assert told_of(bench, "thanks", event, other) == []
    assert told_of(bench, "thanks", odd) == [odd.id], "by the edit"


def test_event_whose_key_is_gone_is_rerun_on_demand_only(bench: Pipeline, customer: str) -> None:
    event = payment(customer, 5)
    put_records(bench, record_of(event, secret=bench.secret, sluice_key="last-year"))
    consumer = bench.consumer()
    bench.ledger.expect_applied(event)
    assert consumer.stop() == 0
    bench.config["sources"][0]["keys"][0]["value"] = {"env": "TEST_OTHER_SECRET"}
    bench.secrets["TEST_OTHER_SECRET"] = "whsec_" + "0" * 48
    remembered(bench, THANK)
    bench.consumer(role="both")
    expect_answer(bench, send(bench, RERUN, event), "refused", "unverifiable")
    expect_answer(bench, send(bench, RERUN, event, unverified=True), "carried_out")
    expect_told(bench, "thanks", event)


@pytest.mark.parametrize("step", failpoints.WAITING["rerun refused"])
def test_killed_before_it_refuses_the_next_one_does(bench: Pipeline, customer: str, step: str) -> None:
    bench.config["kafka"]["options"] = QUICKLY_GONE
    event = payment(customer, 5)
    applied_before(bench, event)
    victim = bench.retry_role(start=False).start(f"{step}=kill")
    command = send(bench, RERUN, event)
    victim.wait_end()
    bench.retry_role()
    expect_answer(bench, command, "refused", "had_all")


RERUN_STEPS = [step for story in ("command", "retry role") for step in failpoints.WAITING[story]
               if step not in ("consumer.between_row_transactions", "consumer.after_failure_commit")]


@pytest.mark.parametrize("step", RERUN_STEPS)
def test_killed_at_any_step_the_effect_is_there_once(bench: Pipeline, customer: str, step: str) -> None:
    bench.config["kafka"]["options"] = QUICKLY_GONE
    intent = fresh_id("pi")
    past = [payment(customer, amount, intent=intent) for amount in (5, 7)]
    applied_before(bench, *past)
    remembered(bench, THANK)
    victim = bench.retry_role(start=False).start(f"{step}=kill")
    commands = [send(bench, RERUN, event) for event in past]
    victim.wait_end()
    bench.retry_role()
    for command in commands:
        expect_answer(bench, command, "carried_out")
    bench.ledger.expect_applied(*past)
    expect_told(bench, "thanks", *past)
    expect_lane(bench, past[0])
    expect_nothing_owed(bench)


def rerun(pipeline: Pipeline, *arguments: str, code: int = 0) -> dict:
    result = pipeline.ctl("event", "rerun", *arguments, "--json")
    assert result.returncode == code, result.stdout + result.stderr
    return json.loads(result.stdout)


def test_sluicectl_shows_a_plan_and_applies_it(pipeline: Pipeline) -> None:
    """In a database of its own: filters look at all that the inbox holds."""
    pipeline.config["consumer"] = dict(CONSUMER)
    pipeline.ledger.run(*EXTRA_TABLES)
    customer, intent = fresh_id("cus"), fresh_id("pi")
    pipeline.ledger.open_wallet(customer)
    past = [payment(customer, amount, intent=intent) for amount in range(1, 13)]
    forgotten, never = unmatched(), snapshot("price.created", {"id": fresh_id("price"), "object": "price"})
    known_by_id = record_of(past[0], secret=pipeline.secret, sluice_dedup_key=dedup_key_of(past[0].id).hex())
    applied_before(pipeline, *past, forgotten, never, instead={past[0]: known_by_id})
    pipeline.ledger.run(f"DELETE event_payload FROM event_payload JOIN inbox USING (event_day, dedup_key) WHERE event_id = '{past[11].id}'",
                        f"UPDATE inbox SET had_effects = NULL WHERE event_id = '{past[10].id}'")
    remembered(pipeline, THANK)

    plan = rerun(pipeline, "--effect", "thank")
    assert plan["total"] == 11 and len(plan["sample"]) == 10
    assert sorted((count["effects"], count["type"], count["status"], count["count"]) for count in plan["counts"]) == [
        ("thank", "payment_intent.succeeded", "done", 10), ("thank", "product.created", "ignored", 1)]
    assert plan["left_alone"] == {"had_all": 1, "had_unknown": 1, "no_payload": 1}
    assert rerun(pipeline, "--status", "ignored")["total"] == 1
    assert rerun(pipeline, "--type", "payment_intent.succeeded", "--source", "stripe-eu", "--since", "1h")["total"] == 10
    assert rerun(pipeline, "--everything", "--until", "1h")["total"] == 0
    assert rerun(pipeline, past[0].id)["total"] == 1
    assert pipeline.ctl("event", "rerun", "--apply", "--effect", "thank", "--operator", "ada").returncode == 2
    assert pipeline.ctl("event", "rerun").returncode == 2
    said = pipeline.ctl("event", "rerun", "--effect", "thank").stdout
    assert "Nothing was done yet. --apply" in said and "1 no_payload" in said
    assert pipeline.ledger.query("SELECT * FROM operator_action") == [] and pipeline.log.count(pipeline.commands) == 0

    pipeline.consumer(role="both")
    signed = ("--operator", "ada", "--reason", "was forgotten", "--apply", "--rate", "500/s")
    done = rerun(pipeline, "--effect", "thank", *signed)
    assert (done["ending"], done["sent"], done["carried_out"], done["refused"]) == ("answered", 11, 11, 0)
    expect_told(pipeline, "thanks", *past[:10])
    expect_told(pipeline, "thanks", forgotten)
    assert rerun(pipeline, "--effect", "thank", *signed, "--run", done["run"])["sent"] == 0
    assert rerun(pipeline, "--effect", "thank")["total"] == 0
    assert told_of(pipeline, "thanks", *past) == [event.id for event in past[:10]]
    assert pipeline.ledger.query("SELECT DISTINCT action, operator, reason FROM operator_action") == [("rerun", b"ada", b"was forgotten")]
    shown = json.loads(pipeline.ctl("event", "show", past[0].id, "--json", "--no-kafka").stdout)["events"][0]
    assert (shown["status"], shown["had_effects"]) == ("done", ["credit-wallet", "thank"])


def test_sluicectl_says_which_reruns_are_dead_again(pipeline: Pipeline) -> None:
    pipeline.config["consumer"] = dict(CONSUMER)
    pipeline.ledger.run(*EXTRA_TABLES)
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    past = [payment(customer, 1) for _ in range(4)]
    applied_before(pipeline, *past)
    remembered(pipeline, GIVE_POINTS)
    pipeline.consumer(role="both")
    signed = ("--operator", "ada", "--reason", "was forgotten", "--apply")
    done = rerun(pipeline, "--effect", "give-points", *signed, code=1)
    assert (done["ending"], done["carried_out"], done["dead_again"]) == ("answered", 4, 4)
    stopped = rerun(pipeline, "--effect", "give-points", *signed, "--run", done["run"], "--stop-after", "3", code=1)
    assert (stopped["ending"], stopped["sent"]) == ("failures", 0)
    pipeline.ledger.run(f"INSERT INTO points VALUES ('{customer}', 0)")
    assert pipeline.ctl("dlq", "retry", "--everything", *signed).returncode == 0
    rest = rerun(pipeline, "--effect", "give-points", *signed, "--run", done["run"])
    assert (rest["dead_again"], rest["carried_out"]) == (0, 4)
    assert sorted(told_of(pipeline, "given", *past)) == sorted(event.id for event in past)
    pipeline.ledger.expect_applied(*past)
