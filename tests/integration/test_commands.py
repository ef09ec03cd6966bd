"""What operators do about dead events: it is done once, in the object's order, on record, and to authentic requests only."""

from __future__ import annotations

import copy

import pytest

from tests.support import failpoints
from tests.support.commands import CLOSE, EDIT, RETRY, SKIP, entry_of, expect_answer, send
from tests.support.effects import WANTS_A_ROW
from tests.support.events import Event, fresh_id, paid_invoice, payment, snapshot
from tests.support.lanes import expect_lane, expect_nothing_owed, key_of, open_dead_letters, waiting_in
from tests.support.pipeline import QUICKLY_GONE, Pipeline
from tests.support.records import put, put_records, record_of
from tests.support.wait import wait_for

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)

CONSUMER = {"in_place": "0s", "dead_letter_budget": {"events": 0, "pause_after": 0}}
PARKS = copy.deepcopy(WANTS_A_ROW)
PARKS["sql"][0]["rows"][0] = "park"  # without a wallet it is dead at once
EXTRA_EFFECTS = [PARKS]


@pytest.fixture
def late(bench: Pipeline) -> str:
    """A customer whose wallet is not there yet."""
    return fresh_id("cus")


def line_of(customer: str, count: int, unit: str | None = None) -> list[Event]:
    """Events of one object; the first is dead as long as the customer has no wallet."""
    unit = unit or fresh_id("in")
    return [paid_invoice(customer, unit=unit) for _ in range(count)]


def closed_as(pipeline: Pipeline, event: Event) -> list[str | None]:
    rows = pipeline.ledger.query("SELECT closed_as FROM dead_letter WHERE event_id = %s ORDER BY id", event.id.encode())
    return [how for (how,) in rows]


def test_retry_after_the_effect_was_mended_applies_the_line_in_order(bench: Pipeline, late: str) -> None:
    line = line_of(late, 4)
    put(bench, *line)
    bench.consumer(role="both")
    expect_lane(bench, line[0], "dead", "parked", "parked", "parked")
    bench.ledger.open_wallet(late)
    command = send(bench, RETRY, line[0], times=3)
    bench.ledger.expect_applied(*line)
    bench.ledger.expect_each_objects_order(line)
    expect_lane(bench, line[0])
    expect_answer(bench, command, "carried_out")
    assert closed_as(bench, line[0]) == ["retried"]
    expect_nothing_owed(bench)


def test_retry_without_a_mended_effect_is_another_death(bench: Pipeline, late: str) -> None:
    line = line_of(late, 2)
    put(bench, *line)
    bench.consumer(role="both")
    expect_lane(bench, line[0], "dead", "parked")
    entry_of(bench, line[0])
    send(bench, RETRY, line[0])
    wait_for(lambda: closed_as(bench, line[0]) == ["retried", None], "another entry")
    expect_lane(bench, line[0], "dead", "parked")
    expect_nothing_owed(bench)
    dead_letters = [dead_letter for dead_letter in bench.log.read(bench.dlq) if dead_letter.text("ce_id") == line[0].id]
    assert len(dead_letters) == 2, "one DLQ record for each death"


def test_skipped_event_is_finished_without_effects_and_its_followers_go_on(bench: Pipeline, late: str) -> None:
    unit = fresh_id("pi")
    customer = fresh_id("cus")
    bench.ledger.open_wallet(customer)
    [dead], followers = line_of(late, 1, unit), [payment(customer, 3, intent=unit) for _ in range(2)]
    put(bench, dead, *followers)
    bench.consumer(role="both")
    expect_lane(bench, dead, "dead", "parked", "parked")
    command = send(bench, SKIP, dead)
    bench.ledger.expect_applied(*followers)
    bench.ledger.expect_status(dead, "skipped")
    bench.ledger.expect_ledger_rows(0, dead)
    expect_answer(bench, command, "carried_out")
    assert closed_as(bench, dead) == ["skipped"]
    expect_lane(bench, dead)


def test_edited_event_is_applied_and_marked_for_ever(bench: Pipeline, late: str) -> None:
    customer = fresh_id("cus")
    bench.ledger.open_wallet(customer)
    odd = snapshot("payment_intent.succeeded", {"id": fresh_id("pi"), "customer": customer, "amount": "a lot"})
    bench.config["inbox"] = {"payload": "none"}
    put(bench, odd)
    bench.consumer(role="both")
    expect_lane(bench, odd, "dead")
    command = send(bench, EDIT, odd, body=odd.with_content(amount=7).body)
    bench.ledger.expect_status(odd, "done")
    assert bench.ledger.balance(customer) == 7
    expect_answer(bench, command, "carried_out")
    [[kept]] = bench.ledger.query("SELECT body FROM event_payload WHERE dedup_key = %s", bench.ledger.inbox_row(odd)["dedup_key"])
    assert kept == odd.body, "what the provider signed is kept"
    [[digest]] = bench.ledger.query("SELECT body_sha256 FROM operator_action WHERE id = %s", command)
    assert digest


def test_an_edited_body_says_itself_what_payment_it_tells_of(bench: Pipeline) -> None:
    """Else the effects of the old kind would run on the new one, and its own would not."""
    bench.config["effects"] = [
        {"name": f"note-{kind}", "when": {"payment": kind}, "let": {"sum": {"pointer": "/data/object/amount", "as": "int64"}},
         "insert": {"table": "email_request", "row": {"event": ":event_id", "customer": ":payment", "address": ":sum"}}}
        for kind in ("paid", "closed")]
    odd = snapshot("payment_intent.succeeded", {"id": fresh_id("pi"), "customer": fresh_id("cus"), "amount": "a lot"})
    put(bench, odd)
    bench.consumer(role="both")
    expect_lane(bench, odd, "dead")
    send(bench, EDIT, odd, body=odd.with_content(amount=7).body.replace(b"payment_intent.succeeded", b"payment_intent.canceled"))
    bench.ledger.expect_status(odd, "done")
    assert bench.ledger.query("SELECT customer FROM email_request WHERE event = %s", odd.id.encode()) == [(b"closed",)]


def test_commands_keep_their_order_when_the_first_one_loses_a_lock(bench: Pipeline, late: str) -> None:
    customer = fresh_id("cus")
    bench.ledger.open_wallet(customer)
    odd = snapshot("payment_intent.succeeded", {"id": fresh_id("pi"), "customer": customer, "amount": "a lot"})
    put(bench, odd)
    bench.consumer(role="both")
    expect_lane(bench, odd, "dead")
    with bench.ledger.session() as session, session.cursor() as cursor:
        cursor.execute("SELECT * FROM lane FOR UPDATE")
        waits = lock_waits(bench)
        first = send(bench, EDIT, odd, body=odd.with_content(amount=7).body)
        send(bench, EDIT, odd, body=odd.with_content(amount=9).body)
        wait_for(lambda: lock_waits(bench) >= waits + 2, "the first to have lost its lock")
    expect_answer(bench, first, "carried_out")
    bench.ledger.expect_balance(customer, 7)


def lock_waits(pipeline: Pipeline) -> int:
    [(_, waits)] = pipeline.ledger.query("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'")
    return int(waits)


def test_retry_of_the_later_of_two_dead_ones_waits_for_the_earlier(bench: Pipeline, late: str) -> None:
    """The first is made to wait, the second is dead behind it: a command never lets an event run out of its turn."""
    other = fresh_id("cus")
    bench.ledger.open_wallet(other)
    unit = fresh_id("in")
    [first], [second] = line_of(late, 1, unit), line_of(other, 1, unit)
    put(bench, first)
    bench.consumer(role="both")
    expect_lane(bench, first, "dead")
    put(bench, second)
    expect_lane(bench, first, "dead", "parked")
    bench.ledger.run("UPDATE lane_event SET status = 'dead' WHERE status = 'parked'",
                     f"UPDATE inbox SET status = 'dead', dlq_sent = 1 WHERE event_id = '{second.id}'")
    command = send(bench, RETRY, second)
    expect_answer(bench, command, "carried_out")
    expect_lane(bench, first, "dead", "retry")
    bench.ledger.open_wallet(late)
    send(bench, RETRY, first)
    bench.ledger.expect_applied(first, second)
    bench.ledger.expect_each_objects_order([first, second])


def test_forged_body_is_not_run_again(bench: Pipeline, late: str) -> None:
    """Somebody has written to the table: the signature does not cover those bytes."""
    [dead] = line_of(late, 1)
    put(bench, dead)
    bench.consumer(role="both")
    expect_lane(bench, dead, "dead")
    bench.ledger.run("UPDATE lane_event SET body = REPLACE(body, 'invoice', 'Invoice')")
    bench.ledger.open_wallet(late)
    for unverified in (False, True):
        expect_answer(bench, send(bench, RETRY, dead, unverified=unverified), "refused", "not_authentic")
    assert waiting_in(bench, dead) == ["dead"] and bench.ledger.balance(late) == 0


def test_event_whose_key_is_gone_is_run_again_on_demand_only(bench: Pipeline, late: str) -> None:
    [dead] = line_of(late, 1)
    put_records(bench, record_of(dead, secret=bench.secret, sluice_key="last-year"))
    bench.config["sources"][0]["keys"][0]["value"] = {"env": "TEST_OTHER_SECRET"}
    bench.secrets["TEST_OTHER_SECRET"] = "whsec_" + "0" * 48
    bench.consumer(role="both")
    expect_lane(bench, dead, "dead")
    bench.ledger.open_wallet(late)
    expect_answer(bench, send(bench, RETRY, dead), "refused", "unverifiable")
    expect_answer(bench, send(bench, RETRY, dead, unverified=True), "carried_out")
    bench.ledger.expect_applied(dead)


def test_parked_and_finished_events_are_left_alone(bench: Pipeline, late: str) -> None:
    line = line_of(late, 2)
    put(bench, *line)
    bench.consumer(role="both")
    expect_lane(bench, line[0], "dead", "parked")
    expect_answer(bench, send(bench, SKIP, line[1]), "refused", "parked")
    bench.ledger.open_wallet(late)
    send(bench, RETRY, line[0])
    bench.ledger.expect_applied(*line)
    expect_answer(bench, send(bench, SKIP, line[0]), "refused", "finished")
    expect_answer(bench, send(bench, RETRY, line[1]), "refused", "finished")
    bench.ledger.expect_applied(*line)


def test_conflicting_event_is_let_in_once_and_one_can_be_closed(pipeline: Pipeline) -> None:
    """In a database of its own: the event has two inbox rows then."""
    pipeline.config["consumer"] = dict(CONSUMER)
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    event = payment(customer, 5)
    twins = [event.with_content(amount=11), event.with_content(amount=17)]
    put(pipeline, event)
    pipeline.consumer(role="both")
    pipeline.ledger.expect_applied(event)
    put(pipeline, twins[0])
    entry = entry_of(pipeline, event)
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=entry), "refused", "conflict")
    command = send(pipeline, RETRY, event, entry=entry, unverified=True, times=2)
    expect_answer(pipeline, command, "carried_out")
    wait_for(lambda: pipeline.ledger.query("SELECT balance FROM wallet WHERE customer = %s", customer.encode()) == [(16,)],
             "the other content to be applied as well")
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=entry), "refused", "finished")
    put(pipeline, twins[1])
    closing = entry_of(pipeline, event)
    expect_answer(pipeline, send(pipeline, CLOSE, event, entry=closing), "carried_out")
    assert not [event_id for event_id, _ in open_dead_letters(pipeline) if event_id == event.id]
    assert pipeline.ledger.balance(customer) == 16


@pytest.mark.parametrize("long_ago", [False, True], ids=["lately", "long ago"])
def test_one_conflict_delivered_twice_is_let_in_once(pipeline: Pipeline, long_ago: bool) -> None:
    """Two records of the provider's are two entries, and a bulk retry names both. The inbox row of such an event is undated and
    goes after a while; so does the first entry, later."""
    pipeline.config["consumer"] = dict(CONSUMER)
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    event = payment(customer, 5)
    other = event.with_content(amount=11)
    put(pipeline, event)
    consumer = pipeline.consumer(role="both")
    pipeline.ledger.expect_applied(event)
    put(pipeline, other, other)
    first, second = wait_for(lambda: two_entries(pipeline, event), "an entry for each record")
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=first, unverified=True), "carried_out")
    wait_for(lambda: pipeline.ledger.balance(customer) == 16 or None, "the other content to be applied as well")
    if long_ago:
        pipeline.ledger.run(f"DELETE FROM dead_letter WHERE id = {first}")
        consumer.stop()
        pipeline.ledger.age_undated()
        pipeline.consumer(role="both")
        pipeline.ledger.expect_undated_swept()
    expect_answer(pipeline, send(pipeline, RETRY, event, entry=second), "refused", "finished")
    assert closed_as(pipeline, event)[-1] == "done"
    assert pipeline.ledger.balance(customer) == 16


def two_entries(pipeline: Pipeline, event: Event) -> tuple[int, ...] | None:
    rows = pipeline.ledger.query("SELECT id FROM dead_letter WHERE event_id = %s ORDER BY id", event.id.encode())
    return tuple(entry for (entry,) in rows) if len(rows) == 2 else None


def test_event_whose_inbox_row_says_otherwise_can_only_be_skipped(bench: Pipeline, late: str) -> None:
    """Somebody has written to the inbox: its effects must not run again, and its object must not wait for ever."""
    line = line_of(late, 2)
    put(bench, *line)
    bench.consumer(role="both")
    expect_lane(bench, line[0], "dead", "parked")
    expect_nothing_owed(bench)
    bench.ledger.run(f"UPDATE inbox SET status = 'done' WHERE event_id = '{line[0].id}'")
    bench.ledger.open_wallet(late)
    expect_answer(bench, send(bench, RETRY, line[0]), "refused", "inconsistent")
    expect_answer(bench, send(bench, SKIP, line[0]), "carried_out")
    bench.ledger.expect_applied(line[1])
    expect_lane(bench, line[0])


def test_entry_of_another_object_is_left_alone(bench: Pipeline, late: str) -> None:
    """Ids are given out again after a fail-over that lost some."""
    [mine], [other] = line_of(late, 1), line_of(late, 1)
    put(bench, mine, other)
    bench.consumer(role="both")
    expect_lane(bench, mine, "dead")
    expect_answer(bench, send(bench, SKIP, mine, entry=entry_of(bench, other), key=key_of(mine).encode()), "refused", "other_object")
    assert waiting_in(bench, mine) == waiting_in(bench, other) == ["dead"]


def test_undecodable_record_holds_its_object_until_it_is_skipped(bench: Pipeline) -> None:
    customer = fresh_id("cus")
    bench.ledger.open_wallet(customer)
    follower = payment(customer, 5)
    key, value, _ = record_of(follower)
    put_records(bench, (key, value, [("x", b"y")]))
    put(bench, follower)
    bench.consumer(role="both")
    expect_lane(bench, follower, "dead", "parked")
    rows = wait_for(lambda: bench.ledger.query("SELECT id FROM dead_letter WHERE kind = 'undecodable' AND object_key = %s", key), "")
    expect_answer(bench, send(bench, CLOSE, follower, entry=rows[0][0]), "refused", "holds_a_lane")
    expect_answer(bench, send(bench, SKIP, follower, entry=rows[0][0]), "carried_out")
    bench.ledger.expect_applied(follower)
    expect_lane(bench, follower)


@pytest.mark.parametrize("step", failpoints.WAITING["command"])
def test_killed_after_the_commit_the_command_counts_once(bench: Pipeline, late: str, step: str) -> None:
    bench.config["kafka"]["options"] = QUICKLY_GONE
    line = line_of(late, 3)
    put(bench, *line)
    bench.consumer()
    expect_lane(bench, line[0], "dead", "parked", "parked")
    bench.ledger.open_wallet(late)
    victim = bench.retry_role(start=False).start(f"{step}=kill")
    command = send(bench, RETRY, line[0])
    victim.wait_end()
    bench.retry_role()
    bench.ledger.expect_applied(*line)
    bench.ledger.expect_each_objects_order(line)
    expect_answer(bench, command, "carried_out")
    expect_lane(bench, line[0])
    expect_nothing_owed(bench)
