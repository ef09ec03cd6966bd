"""Messages to a URL: signed, in order per key, whatever the receiver does with them."""

from __future__ import annotations

import base64
import copy
import json
import secrets
import signal
from collections.abc import Iterator

import pytest

from tests.integration.test_outbox import TELLING, expect_all_sent, some_payments, unsent
from tests.support import failpoints
from tests.support.events import Event, fresh_id, payment
from tests.support.lanes import key_of
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.receiver import Answer, Received, Receiver, answers, answers_soon, closes, hangs, never_ends
from tests.support.records import put, put_records, record_of
from tests.support.trouble import dedup_key_of
from tests.support.wait import wait_for

LOOPBACK = ["127.0.0.0/8"]


def fresh_secret() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def telling(pipeline: Pipeline, receiver: Receiver) -> Pipeline:
    """Its effects tell the receiver of each credit."""
    pipeline.secrets |= {"TEST_OLD_SECRET": fresh_secret(), "TEST_NEW_SECRET": fresh_secret()}
    pipeline.config["effects"] = [copy.deepcopy(TELLING)]
    pipeline.config["destinations"] = {"credits": {"http": {
        "url": receiver.url, "allow": LOOPBACK, "secrets": [{"value": {"env": "TEST_OLD_SECRET"}}, {"value": {"env": "TEST_NEW_SECRET"}}]}}}
    return pipeline


def applied(pipeline: Pipeline, *events: Event) -> None:
    put(pipeline, *events)
    pipeline.consumer()
    pipeline.ledger.expect_applied(*events)


def relay(pipeline: Pipeline) -> Program:
    return pipeline.consumer(role="relay")


def expect_said(program: Program, log_line: str, reason: str) -> None:
    wait_for(lambda: any(line.get("decision") == log_line and line["reason"] == reason for line in program.log_lines()), f"{log_line}: {reason}")


def entries(pipeline: Pipeline, count: int) -> dict[str, int]:
    """Ids of the entries of refused messages by customer; the newest of each."""
    query = ("SELECT message_key, dead_letter.id FROM dead_letter JOIN outbox ON outbox.id = offset_no"
             " WHERE kind = 'message' ORDER BY dead_letter.id")
    wait_for(lambda: len(pipeline.ledger.query(query)) == count, f"{count} messages to be refused")
    return {key.decode(): number for key, number in pipeline.ledger.query(query)}


def order(pipeline: Pipeline, what: str, entry: int) -> None:
    done = pipeline.ctl("dlq", what, str(entry), "--apply", "--operator", "kim", "--reason", "a test")
    assert done.returncode == 0, done.stdout + done.stderr


def states(pipeline: Pipeline) -> dict[str, int]:
    return dict(pipeline.ledger.query("SELECT state, COUNT(*) FROM outbox GROUP BY state"))


def amounts_by_customer(received: list[Received]) -> dict[str, list[int]]:
    """First arrivals alone."""
    told: dict[str, list[int]] = {}
    seen: set[str] = set()
    for one in received:
        body = json.loads(one.body)
        if one.key not in seen:
            told.setdefault(body["customer"], []).append(body["amount"])
        seen.add(one.key)
    return told


def expect_in_order(received: list[Received], *, customers: int, each: int) -> None:
    told = amounts_by_customer(received)
    assert len(told) == customers
    assert all(amounts == list(range(1, each + 1)) for amounts in told.values()), told


@pytest.mark.databases("mysql", "mariadb")
def test_message_is_signed_with_every_secret(telling: Pipeline, receiver: Receiver) -> None:
    customer = fresh_id("cus")
    telling.ledger.open_wallet(customer)
    event = payment(customer, 8888)
    applied(telling, event)
    relay(telling)
    expect_all_sent(telling)
    [received] = receiver.received
    assert json.loads(received.body) == {"customer": customer, "amount": 8888, "event": event.id, "kind": "credited"}
    assert received.is_signed_with(telling.secrets["TEST_OLD_SECRET"]) and received.is_signed_with(telling.secrets["TEST_NEW_SECRET"])
    assert received.headers["webhook-id"] == received.key and len(received.key) == 64
    assert received.headers["content-type"] == "application/json"
    assert received.headers["sluice-effect"] == "credit-wallet"


def test_key_waits_for_a_message_that_fails_and_others_go_on(telling: Pipeline, receiver: Receiver) -> None:
    events = some_payments(telling, customers=3, each=4)
    held = json.loads(events[0].body)["data"]["object"]["customer"]

    def answer(received: Received, tries: int) -> Answer:
        body = json.loads(received.body)
        return 503 if body["customer"] == held and body["amount"] == 2 and tries < 3 else 204

    receiver.answer = answer
    applied(telling, *events)
    relay(telling)
    expect_all_sent(telling)
    expect_in_order(receiver.received, customers=3, each=4)
    last_of_held = max(i for i, one in enumerate(receiver.received) if json.loads(one.body)["customer"] == held)
    assert last_of_held == len(receiver.received) - 1, "the others did not wait for it"


@pytest.mark.parametrize("trouble", [closes, answers(500), answers(429, Retry_After="1"), answers(404)],
                         ids=["closes", "fails", "asks to wait", "is not there"])
def test_what_failed_is_sent_again_under_its_key(telling: Pipeline, receiver: Receiver, trouble: Answer) -> None:
    events = some_payments(telling, customers=2, each=3)
    receiver.answer = lambda received, tries: trouble if tries == 1 else 204
    applied(telling, *events)
    relay(telling)
    expect_all_sent(telling)
    expect_in_order(receiver.received, customers=2, each=3)
    assert len({one.key for one in receiver.received}) == len(events)


def test_endless_answer_of_a_receiver_that_took_it(telling: Pipeline, receiver: Receiver) -> None:
    events = some_payments(telling, customers=2, each=2)
    receiver.answer = lambda received, tries: never_ends
    applied(telling, *events)
    relay(telling)
    expect_all_sent(telling)
    assert len(receiver.received) == len(events)


def test_redirect_is_not_followed(telling: Pipeline, receiver: Receiver) -> None:
    elsewhere = Receiver()
    try:
        receiver.answer = lambda received, tries: answers(307, Location=elsewhere.url)
        [event] = some_payments(telling, customers=1, each=1)
        applied(telling, event)
        program = relay(telling)
        expect_said(program, "destination_in_trouble", "it answered with status 307")
        receiver.expect(2)
        receiver.answer = lambda received, tries: 204
        expect_all_sent(telling)
        assert elsewhere.received == []
    finally:
        elsewhere.close()


def test_private_address_is_not_connected_to_unless_allowed(telling: Pipeline, receiver: Receiver) -> None:
    del telling.config["destinations"]["credits"]["http"]["allow"]
    [event] = some_payments(telling, customers=1, each=1)
    applied(telling, event)
    program = relay(telling)
    expect_said(program, "destination_in_trouble", "its address 127.0.0.1 is not public: name it under allow, if that is meant")
    assert receiver.received == [] and unsent(telling) == 1
    assert "is not public" in wait_for(lambda: told(telling, "list")["messages"][0]["error_text"], "the list to say why")


def test_destination_that_hangs_delays_no_other(telling: Pipeline, receiver: Receiver) -> None:
    hanging = Receiver()
    try:
        hanging.answer = lambda received, tries: hangs
        telling.config["destinations"]["slow"] = {"http": {"url": hanging.url, "allow": LOOPBACK, "timeout": "60s"}}
        effect = telling.config["effects"][0]
        effect["send"] = [{**effect["send"], "to": "slow"}, effect["send"]]
        events = some_payments(telling, customers=2, each=5)
        applied(telling, *events)
        relay(telling)
        hanging.expect(1)
        expect_in_order(receiver.expect(len(events)), customers=2, each=5)
        wait_for(lambda: unsent(telling) == len(events), "only those of the one that hangs to be left")
    finally:
        hanging.close()


def test_refused_message_is_an_entry_that_a_person_ends(telling: Pipeline, receiver: Receiver) -> None:
    """Skipped, it is not sent, and its key goes on; retried, it is, under the key it had."""
    events = some_payments(telling, customers=2, each=3)
    skipped, retried = (json.loads(events[at].body)["data"]["object"]["customer"] for at in (0, 3))
    refusing = {skipped, retried}

    def answer(received: Received, tries: int) -> Answer:
        body = json.loads(received.body)
        return 422 if body["customer"] in refusing and body["amount"] == 2 else 204

    receiver.answer = answer
    applied(telling, *events)
    relay(telling)
    refused = entries(telling, 2)
    assert unsent(telling) == 4, "what is behind them waits"
    telling.retry_role()
    refusing.clear()
    order(telling, "skip", refused[skipped])
    order(telling, "retry", refused[retried])
    expect_all_sent(telling)
    told = amounts_by_customer(receiver.received)
    assert told == {skipped: [1, 2, 3], retried: [1, 2, 3]}, "2 arrived once, and was refused"
    assert sum(json.loads(one.body)["amount"] == 2 and json.loads(one.body)["customer"] == skipped for one in receiver.received) == 1
    assert len({one.key for one in receiver.received}) == len(events)
    assert states(telling) == {"sent": 5, "skipped": 1}


def test_message_refused_again_is_an_entry_again(telling: Pipeline, receiver: Receiver) -> None:
    [event] = some_payments(telling, customers=1, each=1)
    receiver.answer = lambda received, tries: 422
    applied(telling, event)
    relay(telling)
    telling.retry_role()
    [first] = entries(telling, 1).values()
    done = telling.ctl("dlq", "retry", str(first), "--apply", "--operator", "kim", "--reason", "a test")
    assert done.returncode == 1 and "dead again 1" in done.stdout + done.stderr, done.stdout + done.stderr
    entries(telling, 2)
    assert len(receiver.received) == 2


@pytest.mark.parametrize("point", failpoints.WAITING["refused message"])
def test_relay_that_is_killed_at_a_refusal(telling: Pipeline, receiver: Receiver, point: str) -> None:
    [event] = some_payments(telling, customers=1, each=1)
    receiver.answer = lambda received, tries: 422
    applied(telling, event)
    victim = telling.consumer(start=False, role="relay").start(f"{point}=kill")
    assert victim.wait_end() == -signal.SIGKILL, victim.story()
    assert telling.ledger.query("SELECT state FROM outbox") == [("waiting",)]
    relay(telling)
    entries(telling, 1)
    assert telling.ledger.query("SELECT state FROM outbox") == [("refused",)]


@pytest.mark.parametrize("what", ["close", "edit"])
def test_message_is_neither_closed_nor_edited(telling: Pipeline, receiver: Receiver, what: str) -> None:
    [event] = some_payments(telling, customers=1, each=1)
    receiver.answer = lambda received, tries: 422
    applied(telling, event)
    relay(telling)
    [entry] = entries(telling, 1).values()
    body = telling.folder / "body.json"
    body.write_text("{}")
    done = telling.ctl("dlq", what, str(entry), *(["--body", str(body)] if what == "edit" else []),
                       "--apply", "--operator", "kim", "--reason", "a test")
    assert done.returncode != 0 and "it is a message: retry or skip it" in done.stderr, done.stdout + done.stderr
    assert telling.ledger.query("SELECT state FROM outbox") == [("refused",)]


def test_receiver_that_fails_for_longer_than_the_horizon(telling: Pipeline, receiver: Receiver) -> None:
    telling.config["destinations"]["credits"]["http"]["horizon"] = "1s"
    [event] = some_payments(telling, customers=1, each=1)
    receiver.answer = lambda received, tries: 503
    applied(telling, event)
    relay(telling)
    entries(telling, 1)
    assert len(receiver.received) >= 2


def test_each_message_has_its_own_body_where_the_receiver_is_slow(telling: Pipeline, receiver: Receiver) -> None:
    """A call ends before all of its messages were begun."""
    telling.config["destinations"]["credits"]["http"]["concurrency"] = 1
    receiver.answer = lambda received, tries: answers_soon
    events = some_payments(telling, customers=4, each=4)
    applied(telling, *events)
    telling.ledger.run("UPDATE outbox SET slot = 3")
    relay(telling)
    expect_all_sent(telling)
    expect_in_order(receiver.received, customers=4, each=4)
    written = {(key.hex(), event.decode()) for key, event in telling.ledger.query("SELECT idempotency_key, event_id FROM outbox")}
    assert {(one.key, json.loads(one.body)["event"]) for one in receiver.received} == written


def test_body_that_its_receiver_never_takes_holds_no_other_key(telling: Pipeline, receiver: Receiver) -> None:
    """A gate in front of it answers 403 to this one."""
    telling.config["destinations"]["credits"]["http"]["concurrency"] = 1
    events = some_payments(telling, customers=4, each=3)
    held = json.loads(events[0].body)["data"]["object"]["customer"]
    receiver.answer = lambda received, tries: 403 if json.loads(received.body)["customer"] == held else 204
    applied(telling, *events)
    relay(telling)
    wait_for(lambda: unsent(telling) == 3, "the others' messages to be sent")


def test_many_that_always_fail_keep_no_other_from_being_tried(telling: Pipeline, receiver: Receiver) -> None:
    """They fill the first page of their slot, and the destination counts as one in trouble."""
    receiver.answer = lambda received, tries: 404 if json.loads(received.body).get("sick") else 204
    [event] = some_payments(telling, customers=1, each=1)
    numbers = " UNION ALL ".join(f"SELECT {number} AS n" for number in range(400))
    telling.ledger.run("INSERT INTO outbox (destination, message_key, idempotency_key, body, effect, source, event_id, event_type, event_day,"
                       " dedup_key, slot, attempts) SELECT 'credits', CONCAT('sick ', n DIV 2), UNHEX(SHA2(n, 256)), '{\"sick\": true}', 'e', 's', 'e', 't',"
                       f" '2026-11-27', UNHEX(SHA2(n, 256)), 3, 3 FROM ({numbers}) AS numbers")
    applied(telling, event)
    telling.ledger.run("UPDATE outbox SET slot = 3")
    program = relay(telling)
    program.expect_metric(1, "sluice_relay_messages_total", destination="credits", result="sent")


def test_role_both_sends(telling: Pipeline, receiver: Receiver) -> None:
    [event] = some_payments(telling, customers=1, each=1)
    put(telling, event)
    telling.consumer(role="both")
    receiver.expect(1)
    expect_all_sent(telling)


def test_secret_that_is_none_is_refused_at_the_start(telling: Pipeline) -> None:
    telling.secrets["TEST_NEW_SECRET"] = "not base64!"
    program = telling.consumer(start=False, role="relay")
    assert program.start().wait_end() == 2
    assert "must hold whsec_ and base64" in program.errors()
    assert "not base64!" not in program.errors()


def test_sluicectl_tells_what_became_of_messages_and_ends_them(telling: Pipeline, receiver: Receiver) -> None:
    events = some_payments(telling, customers=2, each=2)
    held, free = (json.loads(events[at].body)["data"]["object"]["customer"] for at in (0, 2))
    receiver.answer = lambda received, tries: 422 if json.loads(received.body)["customer"] == held else 204
    put_records(telling, *(record_of(event, sluice_dedup_key=dedup_key_of(event.id).hex()) for event in events))
    telling.consumer()
    telling.ledger.expect_applied(*events)
    relay(telling)
    entries(telling, 1)
    wait_for(lambda: unsent(telling) == 2, "the others to be sent")
    said = told(telling, "list")
    assert {(one["state"], one["count"]) for one in said["counts"]} == {("refused", 1), ("waiting", 1)}
    first, second = said["messages"]
    assert (first["state"], first["destination"], first["key"], first["error_text"]) == (
        "refused", "credits", held, "it answered with status 422")
    assert second["state"] == "waiting"
    assert [one["key"] for one in told(telling, "list", "--state", "sent")["messages"]] == [free, free]
    shown = told(telling, "show", str(first["id"]))
    assert len(shown["entries"]) == 1 and shown["body_bytes"] > 0
    life = json.loads(telling.ctl("event", "show", events[0].id, "--no-kafka", "--json").stdout)
    assert [one["state"] for one in life["events"][0]["messages"]] == ["refused"]
    waits = telling.ctl("outbox", "skip", str(second["id"]))
    assert waits.returncode == 1 and "is waiting: the relay sends it" in waits.stderr, waits.stdout + waits.stderr
    assert "skip 1 entry" in telling.ctl("outbox", "skip", "--destination", "credits").stdout
    telling.retry_role()
    done = telling.ctl("outbox", "skip", str(first["id"]), "--apply", "--operator", "kim", "--reason", "a test")
    assert done.returncode == 0, done.stdout + done.stderr
    entries(telling, 2)
    shown = told(telling, "show", str(first["id"]))
    assert shown["state"] == "skipped" and [(one["action"], one["operator"]) for one in shown["actions"]] == [("skip", "kim")]
    assert "skip by kim" in telling.ctl("outbox", "show", str(first["id"])).stdout
    receiver.answer = lambda received, tries: 204
    done = telling.ctl("outbox", "retry", "--everything", "--apply", "--operator", "kim", "--reason", "a test")
    assert done.returncode == 0, done.stdout + done.stderr
    expect_all_sent(telling)


def test_messages_are_erased_with_their_event(telling: Pipeline, receiver: Receiver) -> None:
    [event] = some_payments(telling, customers=1, each=1)
    receiver.answer = lambda received, tries: 503
    applied(telling, event)
    relay(telling)
    receiver.expect(1)
    again = telling.ctl("erase", "--object", key_of(event), "--apply", "--operator", "kim", "--reason", "a test")
    assert again.returncode == 1 and "messages that are not sent" in again.stdout, again.stdout + again.stderr
    receiver.answer = lambda received, tries: 204
    expect_all_sent(telling)
    plan = json.loads(telling.ctl("erase", "--object", key_of(event), "--json").stdout)
    assert [line["rows"] for line in plan["goes"] if line["table"] == "outbox"] == [1]
    done = telling.ctl("erase", "--object", key_of(event), "--apply", "--operator", "kim", "--reason", "a test")
    assert done.returncode == 0, done.stdout + done.stderr
    assert telling.ledger.query("SELECT COUNT(*) FROM outbox") == [(0,)]


def told(pipeline: Pipeline, *arguments: str) -> dict:
    done = pipeline.ctl("outbox", *arguments, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)
