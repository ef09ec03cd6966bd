"""Files with other effects, and which of them are in force."""

from __future__ import annotations

import copy

from tests.support.events import Event, fresh_id, payment
from tests.support.lanes import expect_lane
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.wait import wait_for


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
    assert f"replaced by revision {newer}" in line["reason"]


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
