"""What a process with overtaken effects has under way: nothing of it is written, whichever step it stands at."""

from __future__ import annotations

import pytest

from tests.support.commands import RERUN, RETRY, expect_answer, send
from tests.support.events import Event, fresh_id, payment
from tests.support.lanes import expect_lane, lane_of
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.revisions import expect_credited, expect_left, paid, revision, stopped_at
from tests.support.wait import wait_for

EITHER = pytest.mark.databases("mysql", "mariadb", in_turn=True)


@EITHER
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


@EITHER
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


@EITHER
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


@EITHER
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


@EITHER
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
