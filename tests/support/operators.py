"""Who may give commands in a test, and what becomes of those that nobody vouches for."""

from __future__ import annotations

import json
import secrets

from tests.support.events import Event, fresh_id, paid_invoice
from tests.support.kafka_log import LogRecord, java_partition
from tests.support.lanes import expect_lane
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.records import put
from tests.support.wait import wait_for

DOUBTFUL = "sluice_consumer_commands_doubtful_total"
SIGNATURE = "sluice-signature"
REASON = ("--reason", "the wallet is there", "--operator", "kim")


def key(pipeline: Pipeline, name: str, operator: str | None = None) -> dict:
    """An entry of operators.keys whose secret is there."""
    pipeline.secrets.setdefault(f"TEST_KEY_{name.upper()}", secrets.token_hex(32))
    return {"id": name, "value": {"env": f"TEST_KEY_{name.upper()}"}} | ({"operator": operator} if operator else {})


def keys(pipeline: Pipeline, *entries: dict) -> None:
    """Of programs that start from now on, and of sluicectl."""
    pipeline.config["operators"] = {"keys": list(entries)}


def dead_event(pipeline: Pipeline) -> tuple[Event, str]:
    """One whose customer has no wallet, under both roles; the retry role is the last program."""
    customer = fresh_id("cus")
    event = paid_invoice(customer)
    put(pipeline, event)
    pipeline.consumer(role="both")
    expect_lane(pipeline, event, "dead")
    return event, customer


def ask(pipeline: Pipeline, order: str, event: Event, *arguments: str) -> dict:
    return json.loads(pipeline.ctl("dlq", order, event.id, *REASON, "--apply", *arguments, "--json").stdout)


def last_command(pipeline: Pipeline) -> LogRecord:
    return pipeline.log.read(pipeline.commands)[-1]


def put_command(pipeline: Pipeline, value: bytes, record_key: bytes, *headers: tuple[str, bytes], times: int = 1) -> None:
    place = java_partition(record_key, pipeline.wake_partitions)
    pipeline.log.append_all(pipeline.commands, [(value, record_key, list(headers), place)] * times)


def expect_doubt(pipeline: Pipeline, role: Program, why: str) -> None:
    """The last command is counted and logged, and nothing is written down."""
    rows = pipeline.ledger.query("SELECT COUNT(*) FROM operator_action")
    at = last_command(pipeline).offset
    wait_for(lambda: [line["why"] for line in role.log_lines() if line["decision"] == "command_doubtful" and line["offset"] == at] == [why],
             f"a command that is {why}")
    assert role.metric(DOUBTFUL, why=why) > 0
    assert pipeline.ledger.query("SELECT COUNT(*) FROM operator_action") == rows
