"""Which effects are in force: processes with those of a lower effects_revision leave, and apply nothing more."""

from __future__ import annotations

import copy
import json

import pytest

from tests.support.commands import RERUN, RETRY, expect_answer, send
from tests.support.events import Event, fresh_id, payment
from tests.support.lanes import expect_lane, lane_of
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.wait import stays, wait_for

BOTH = pytest.mark.databases("mysql", "mariadb")


def revision(pipeline: Pipeline, number: int | None, *, pays: int = 1) -> None:
    """The file from now on: effects that credit `pays` times the amount."""
    effects = copy.deepcopy(pipeline.config["effects"])
    credit = effects[0]["let"]["amount"]["pointer"]
    assert credit == "/data/object/amount"
    effects[0]["sql"][1]["run"] = ("INSERT INTO wallet_entry (event, customer, amount) VALUES (:event_id, :customer, "
                                   f"{pays} * :amount)")
    pipeline.config["effects"] = effects
    pipeline.config.pop("effects_revision", None)
    if number is not None:
        pipeline.config["effects_revision"] = number


def recorded(pipeline: Pipeline) -> str | None:
    rows = pipeline.ledger.query("SELECT value FROM sluice_meta WHERE name = 'effects'")
    return rows[0][0].decode() if rows else None


def fail_over(pipeline: Pipeline, lacking: str | None) -> None:
    """To a copy that has this record in place of what came after it."""
    if lacking is None:
        pipeline.ledger.run("DELETE FROM sluice_meta WHERE name = 'effects'")
    else:
        pipeline.ledger.run(f"UPDATE sluice_meta SET value = '{lacking}' WHERE name = 'effects'")


def in_force(pipeline: Pipeline) -> int | None:
    record = recorded(pipeline)
    return int(record.split()[0]) if record else None


def credited(pipeline: Pipeline, event: Event) -> list[int]:
    return [amount for name, _, amount in pipeline.ledger.entries() if name == event.id]


def expect_credited(pipeline: Pipeline, event: Event, amount: int) -> None:
    pipeline.ledger.expect_status(event, "done")
    assert credited(pipeline, event) == [amount]


def paid(pipeline: Pipeline, *, intent: str | None = None) -> Event:
    """Of a customer with a wallet."""
    customer = fresh_id("cus")
    pipeline.ledger.open_wallet(customer)
    return payment(customer, 7, intent=intent)


def expect_never(program: Program, decision: str) -> None:
    assert program.running and not program.decisions(decision)


def expect_left(old: Program, newer: str) -> None:
    assert old.wait_end() == 1, "only a new process can go on"
    [line] = old.decisions("effects_outdated")
    assert f"overtaken by revision {newer}" in line["reason"]


@BOTH
def test_older_consumers_leave_to_one_with_other_effects(pipeline: Pipeline) -> None:
    revision(pipeline, 1)
    main, retry = pipeline.consumer(), pipeline.retry_role()
    first, second = paid(pipeline), paid(pipeline)
    put(pipeline, first)
    expect_credited(pipeline, first, 7)
    old = copy.deepcopy(pipeline.config)
    revision(pipeline, 2, pays=10)
    pipeline.consumer()
    expect_left(main, "2")
    expect_left(retry, "2")
    put(pipeline, second)
    expect_credited(pipeline, second, 70)
    assert in_force(pipeline) == 2

    pipeline.config = old
    again = pipeline.consumer(start=False).start()
    again.expect_not_ready("effects_revision", "overtaken by revision 2", "sluicectl effects --apply")
    assert again.metric("sluice_consumer_effects_outdated") == 1
    stays(lambda: expect_never(again, "assigned"), 1)
    assert len(again.decisions("effects_outdated")) == 1


def stopped_at(pipeline: Pipeline, point: str) -> tuple[Program, list[Event]]:
    """A process that stands still just before its COMMIT of the last of these events; the others wait for it."""
    if point == "consumer.before_commit":
        process, events = pipeline.consumer(f"{point}=stop"), [paid(pipeline)]
        put(pipeline, *events)
    else:
        customer, intent = fresh_id("cus"), fresh_id("pi")
        events = [payment(customer, 7, intent=intent), payment(customer, 8, intent=intent)]
        put(pipeline, events[0])
        process = pipeline.consumer("consumer.before_lane_commit=stop")
        expect_lane(pipeline, events[0], "deferred")
        pipeline.ledger.open_wallet(customer)
        if point == "consumer.in_row_run":
            assert process.stop() == 0
            process = pipeline.retry_role(start=False).start(f"{point}=stop")  # it may stand still before it is ready
        else:
            put(pipeline, events[1])
    wait_for(lambda: process.frozen, f"{point} to be hit")
    return process, events if point != "consumer.in_row_run" else events[:1]


@BOTH
@pytest.mark.parametrize("point", ["consumer.before_commit", "consumer.before_lane_commit", "consumer.in_row_run"])
def test_transaction_that_is_under_way_is_rolled_back(pipeline: Pipeline, point: str) -> None:
    """Also by a process that stood still while others came in force."""
    revision(pipeline, 1)
    old, events = stopped_at(pipeline, point)
    revision(pipeline, 2, pays=10)
    role = "retry" if point == "consumer.in_row_run" else "both"
    pipeline.consumer(role=role)
    old.resume()
    expect_left(old, "2")
    for event in events:
        expect_credited(pipeline, event, 10 * event.effect)
    wait_for(lambda: not (lane := lane_of(pipeline, events[0])) or lane.unfinished == 0, "nothing to wait")


def failing(pipeline: Pipeline, number: int, outcome: str) -> None:
    """The file from now on: events of those who have no wallet end so."""
    revision(pipeline, number)
    pipeline.config["effects"][0]["sql"][0]["rows"][0] = outcome


def left_in_its_lane(pipeline: Pipeline, outcome: str, state: str) -> Event:
    """An event of a customer without a wallet, tried once under revision 1; no process runs."""
    failing(pipeline, 1, outcome)
    main, event = pipeline.consumer(), payment(fresh_id("cus"), 7)
    put(pipeline, event)
    expect_lane(pipeline, event, state)
    assert main.stop() == 0
    return event


def with_mail(pipeline: Pipeline, event: Event) -> None:
    """The file from now on has an effect more."""
    pipeline.config["effects"].append({"name": "mail", "when": {"source": "stripe-eu", "type": event.type}, "insert": {
        "table": "email_request", "row": {"event": ":event_id", "customer": "x", "address": "y"}}})


def overtaken(pipeline: Pipeline, event: Event, number: int) -> None:
    """While an old process stands still: the customer has a wallet now, and other effects are in force."""
    pipeline.ledger.open_wallet(event.customer)
    revision(pipeline, number, pays=10)


def expect_nothing_said_of_the_event(old: Program, newer: str) -> None:
    """By a process that stood still before it wrote what a failure comes to."""
    old.resume()
    expect_left(old, newer)
    assert not [line for word in ("dead", "deferred", "retried") for line in old.decisions(word)]


@BOTH
@pytest.mark.parametrize("outcome", ["defer", "park"])
def test_failure_by_overtaken_effects_is_not_written(pipeline: Pipeline, outcome: str) -> None:
    """What they could not do, and gave up for good, the newer ones may do."""
    failing(pipeline, 1, outcome)
    old = pipeline.consumer("consumer.before_enter_commit=stop")
    event = payment(fresh_id("cus"), 7)
    put(pipeline, event)
    wait_for(lambda: old.frozen, "the failure to be about to be written")
    overtaken(pipeline, event, 2)
    pipeline.consumer()
    expect_nothing_said_of_the_event(old, "2")
    expect_credited(pipeline, event, 70)


@BOTH
@pytest.mark.parametrize("outcome", ["defer", "park"])
def test_failure_in_a_lane_by_overtaken_effects_is_not_written(pipeline: Pipeline, outcome: str) -> None:
    event = left_in_its_lane(pipeline, "defer", "deferred")
    failing(pipeline, 2, outcome)
    old = pipeline.retry_role(start=False).start("consumer.between_row_transactions=stop")
    wait_for(lambda: old.frozen, "the failure to be about to be written")
    overtaken(pipeline, event, 3)
    pipeline.retry_role()
    expect_nothing_said_of_the_event(old, "3")
    expect_credited(pipeline, event, 70)


@BOTH
def test_rerun_is_not_refused_by_overtaken_effects(pipeline: Pipeline) -> None:
    """A refusal is final: the effect that the newer file has would never be applied."""
    revision(pipeline, 1)
    event = paid(pipeline)
    main, old = pipeline.consumer(), pipeline.retry_role("consumer.before_rerun_refusal=stop")
    put(pipeline, event)
    expect_credited(pipeline, event, 7)
    assert main.stop() == 0
    command = send(pipeline, RERUN, event)
    wait_for(lambda: old.frozen, "the refusal to be about to be written")
    revision(pipeline, 2)
    with_mail(pipeline, event)
    pipeline.retry_role()
    old.resume()
    expect_left(old, "2")
    expect_answer(pipeline, command, "carried_out")
    wait_for(lambda: pipeline.ledger.query("SELECT seq FROM email_request"), "the newer effect")


@BOTH
def test_retry_does_not_leave_an_event_to_overtaken_effects(pipeline: Pipeline) -> None:
    """A retry chooses effects anew, and they stay with the event: those of an older file would never be the newer ones."""
    event = left_in_its_lane(pipeline, "park", "dead")
    old = pipeline.retry_role(start=False).start("consumer.before_command_commit=stop")
    command = send(pipeline, RETRY, event)
    wait_for(lambda: old.frozen, "the command to be about to be carried out")
    pipeline.ledger.open_wallet(event.customer)
    revision(pipeline, 2)
    with_mail(pipeline, event)
    pipeline.retry_role()
    old.resume()
    expect_left(old, "2")
    expect_answer(pipeline, command, "carried_out")
    expect_credited(pipeline, event, 7)
    assert pipeline.ledger.query("SELECT COUNT(*) FROM email_request") == [(1,)]


def test_same_effects_under_a_higher_revision_are_no_reason_to_leave(pipeline: Pipeline) -> None:
    revision(pipeline, 1)
    old = pipeline.consumer()
    pipeline.config["effects"] = [dict(reversed(effect.items())) for effect in pipeline.config["effects"]]
    pipeline.config["effects_revision"] = 2
    pipeline.consumer()
    assert in_force(pipeline) == 2
    stays(lambda: expect_never(old, "effects_outdated"), 1.5)
    event = paid(pipeline)
    put(pipeline, event)
    expect_credited(pipeline, event, 7)


def test_revision_that_a_fail_over_has_lost_is_recorded_again(pipeline: Pipeline) -> None:
    revision(pipeline, 2)
    pipeline.consumer()
    fail_over(pipeline, None)
    wait_for(lambda: in_force(pipeline) == 2, "the revision to be there again")


@BOTH
def test_fail_over_after_a_rollback_brings_nothing_back(pipeline: Pipeline) -> None:
    """The number that the rollback got is lost: those who have its effects record it again, and go on."""
    revision(pipeline, 1)
    old = copy.deepcopy(pipeline.config)
    revision(pipeline, 2, pays=10)
    left = pipeline.consumer()
    before, newer = recorded(pipeline), copy.deepcopy(pipeline.config)
    pipeline.config = old
    apply(pipeline)
    expect_left(left, "3")
    back, retry = pipeline.consumer(), pipeline.retry_role()
    wait_for(lambda: in_force(pipeline) == 3, "the rollback to be in force")
    pipeline.config = newer
    waiting = pipeline.consumer(start=False).start()
    waiting.expect_not_ready("effects_revision", "overtaken by revision 3")
    fail_over(pipeline, before)
    wait_for(lambda: in_force(pipeline) == 3, "the rollback to be recorded again")
    event = paid(pipeline)
    put(pipeline, event)
    expect_credited(pipeline, event, 7)
    stays(lambda: expect_never(back, "effects_outdated"), 1)
    expect_never(retry, "effects_outdated")
    expect_never(waiting, "assigned")


def test_overtaken_consumer_does_not_come_back_by_a_fail_over(pipeline: Pipeline) -> None:
    revision(pipeline, 1)
    pipeline.consumer().stop()
    before, old = recorded(pipeline), copy.deepcopy(pipeline.config)
    revision(pipeline, 2, pays=10)
    newer = pipeline.consumer()
    pipeline.config, newest = old, copy.deepcopy(pipeline.config)
    waiting = pipeline.consumer(start=False).start()
    waiting.expect_not_ready("effects_revision", "overtaken by revision 2")
    assert newer.stop() == 0
    for lacking in (before, None):
        fail_over(pipeline, lacking)
        waiting.expect_not_ready("effects_revision", "overtaken by revision 2", "MySQL has lost that record")
        stays(lambda: expect_never(waiting, "assigned"), 1)
        assert recorded(pipeline) == lacking
    pipeline.config = newest
    pipeline.consumer()
    assert in_force(pipeline) == 2
    expect_never(waiting, "assigned")


@BOTH
def test_who_starts_with_other_effects_under_one_revision_waits(pipeline: Pipeline) -> None:
    """As under Argo CD, where each revision is the first: the Job raises it, and the others leave."""
    revision(pipeline, 3)
    first = pipeline.consumer()
    revision(pipeline, 3, pays=10)
    second, retry = (start(start=False).start() for start in (pipeline.consumer, pipeline.retry_role))
    for role in (second, retry):
        role.expect_not_ready("effects_revision", "recorded under its number", "higher effects_revision", "sluicectl effects --apply")
        assert role.metric("sluice_consumer_effects_differ") == 1 and role.metric("sluice_consumer_effects_outdated") == 0
        [line] = wait_for(lambda role=role: role.decisions("effects_differ"), "the log to say so")
        assert "higher effects_revision" in line["reason"]
    events = [paid(pipeline), paid(pipeline)]
    put(pipeline, events[0])
    expect_credited(pipeline, events[0], 7)
    stays(lambda: expect_never(second, "assigned"), 1)
    assert first.ready().metric("sluice_consumer_effects_differ") == 0
    assert "differ" in effects(pipeline, 1, "--json")
    apply(pipeline)
    expect_left(first, "4")
    for role in (second, retry):
        assert role.ready().metric("sluice_consumer_effects_differ") == 0
    put(pipeline, events[1])
    expect_credited(pipeline, events[1], 70)


@BOTH
def test_release_whose_number_was_taken_by_hand_comes_in_force_by_its_job(pipeline: Pipeline) -> None:
    """`effects --apply` used up the number that Helm's next revision has."""
    revision(pipeline, 1)
    by_hand = copy.deepcopy(pipeline.config)
    revision(pipeline, 2, pays=10)
    left = pipeline.consumer()
    pipeline.config = by_hand
    apply(pipeline)
    expect_left(left, "3")
    running = pipeline.consumer()
    revision(pipeline, 3, pays=100)
    upgraded = pipeline.consumer(start=False).start()
    upgraded.expect_not_ready("effects_revision", "recorded under its number")
    apply(pipeline)
    expect_left(running, "4")
    upgraded.ready()
    event = paid(pipeline)
    put(pipeline, event)
    expect_credited(pipeline, event, 700)


def test_who_runs_leaves_to_others_that_a_fail_over_let_have_its_number(pipeline: Pipeline) -> None:
    revision(pipeline, 3)
    old, [event] = stopped_at(pipeline, "consumer.before_commit")
    fail_over(pipeline, None)
    revision(pipeline, 3, pays=10)
    pipeline.consumer()
    old.resume()
    assert old.wait_end() == 1
    assert len(old.decisions("effects_differ")) == 1
    expect_credited(pipeline, event, 70)


@BOTH
def test_rollback_comes_in_force_with_a_higher_revision(pipeline: Pipeline) -> None:
    revision(pipeline, 1)
    old = copy.deepcopy(pipeline.config)
    assert json.loads(effects(pipeline, 0, "--json"))["in_force"] is None
    revision(pipeline, 2, pays=10)
    newer = pipeline.consumer()
    assert "in force" in effects(pipeline, 0)
    pipeline.config = old
    back = pipeline.consumer(start=False).start()
    back.expect_not_ready("effects_revision")
    assert "were overtaken" in effects(pipeline, 1)
    said = json.loads(apply(pipeline, "--json"))
    assert said["standing"] == "in_force" and said["in_force"]["revision"] == 3 and said["file"]["revision"] == 1
    expect_left(newer, "3")
    back.ready()
    event = paid(pipeline)
    put(pipeline, event)
    expect_credited(pipeline, event, 7)
    assert json.loads(apply(pipeline, "--json"))["in_force"]["revision"] == 3, "they are in force"


def test_who_puts_effects_in_force_says_who_and_why(pipeline: Pipeline) -> None:
    revision(pipeline, 5)
    pipeline.consumer().stop()
    revision(pipeline, 4, pays=10)
    for arguments, missing in [(("--reason", "x"), "--operator"), (("--operator", "ada"), "--reason")]:
        assert missing in effects(pipeline, 2, "--apply", *arguments)
        assert in_force(pipeline) == 5
    said = json.loads(effects(pipeline, 1, "--json"))
    assert said["in_force"]["put_by"] is None and said["standing"] == "outdated", "the consumer did"
    assert "Put in force by ada: refunds" in effects(pipeline, 0, "--apply", "--operator", "ada", "--reason", "refunds")
    assert json.loads(effects(pipeline, 0, "--json"))["in_force"]["put_by"] == "ada: refunds"
    assert in_force(pipeline) == 6
    apply(pipeline)
    assert in_force(pipeline) == 6 and "ada: refunds" in effects(pipeline, 0), "there was nothing to do"


def test_last_number_there_is_gets_no_next_one(pipeline: Pipeline) -> None:
    highest = 2**63 - 1
    revision(pipeline, 2**53)
    assert "effects_revision is 9007199254740991 at most" in effects(pipeline, 2)
    revision(pipeline, 2**53 - 1)
    assert "puts its effects in force" in effects(pipeline, 0)
    pipeline.ledger.run(f"INSERT INTO sluice_meta (name, value) VALUES ('effects', '{highest} {64 * 'a'}')")
    assert "highest number there is" in effects(pipeline, 1, "--apply", "--operator", "ada", "--reason", "x")
    assert in_force(pipeline) == highest


def effects(pipeline: Pipeline, exit_code: int, *arguments: str) -> str:
    pipeline.make_database()
    run = pipeline.ctl("effects", *arguments)
    assert run.returncode == exit_code, run.stdout + run.stderr
    return run.stdout if exit_code < 2 and run.stdout else run.stderr


def apply(pipeline: Pipeline, *arguments: str) -> str:
    return effects(pipeline, 0, "--apply", "--operator", "grace", "--reason", "a test", *arguments)


def test_file_without_a_revision_gives_way_to_one_that_has_it(pipeline: Pipeline) -> None:
    revision(pipeline, None)
    old = pipeline.consumer()
    assert in_force(pipeline) is None
    revision(pipeline, 1, pays=10)
    pipeline.consumer()
    expect_left(old, "1")
