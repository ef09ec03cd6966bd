"""docs/metrics.md says what running programs export: names, kinds and labels. tests/alerts compares it with the sources."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from deploy.stack.server import free_port
from tests.alerts.exported import Metric, ours
from tests.support import failpoints
from tests.support.caller import Caller
from tests.support.charging import CHARGE, executing
from tests.support.event_list import EventList
from tests.support.events import payment, snapshot
from tests.support.hot_commands import HotCommands
from tests.support.pipeline import POLLED, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.wait import wait_for

APPLYING = "sluice-consumer, main and retry role"
PARTS = {"sluice-ingress": ["All programs", "sluice-ingress"],
         "spill": ["All programs", "sluice-ingress", "sluice-ingress, spill"],
         "main": ["All programs", APPLYING, "sluice-consumer, main role"],
         "retry": ["All programs", APPLYING, "sluice-consumer, retry role"],
         "relay": ["All programs", APPLYING, "sluice-consumer, relay role"],
         "poller": ["All programs", "sluice-poller"],
         "command": ["All programs", "sluice-command"],
         "calls": ["All programs", "sluice-command", "sluice-command, calls"],
         "hot accounts": ["All programs", "sluice-command", "sluice-command, hot accounts"]}
_TYPE = re.compile(r"^# TYPE (\S+) (\S+)$", re.MULTILINE)


@pytest.fixture(autouse=True)
def recorded(pipeline: Pipeline) -> None:
    """Programs record callbacks: what they export of that is listed as always there."""
    pipeline.record_callbacks()


def of_part(name: str) -> dict[str, Metric]:
    return {metric.name: metric for metric in ours().values() if metric.part in PARTS[name]}


def expect_as_listed(program: Program, part: str) -> None:
    """Nothing that is not on the page, and of what is there kind and labels."""
    listed, text = of_part(part), program.get("/metrics")[1]
    kinds = dict(_TYPE.findall(text))
    assert not set(kinds) - set(listed), f"{program.label} exports what docs/metrics.md does not list for it"
    assert {name: listed[name].kind for name in kinds} == kinds
    for sample in program.metrics():
        name = next(known for known in listed if sample.name in listed[known].series())
        assert set(sample.labels) - {"le"} == listed[name].labels, sample


def expect_all_that_is_always_there(program: Program, part: str) -> None:
    listed = {name for name, metric in of_part(part).items() if metric.always and (part, metric.part) != ("relay", APPLYING)}
    missing = listed - set(dict(_TYPE.findall(program.get("/metrics")[1])))
    assert not missing, f"{program.label} lacks what docs/metrics.md says is always there"


def relay_of(pipeline: Pipeline) -> Program:
    """With a destination, to which nothing is sent."""
    pipeline.config["destinations"] = {"told": {"kafka": {"topic": f"{pipeline.name}.told"}}}
    relay = pipeline.consumer(role="relay")
    relay.expect_metric(0, "sluice_relay_oldest_seconds", destination="told")
    return relay


def test_an_idle_program_exports_what_is_always_there(pipeline: Pipeline, ingress: Program, consumer: Program) -> None:
    retry, relay = pipeline.retry_role(), relay_of(pipeline)
    for program, part in ((ingress, "sluice-ingress"), (consumer, "main"), (retry, "retry"), (relay, "relay")):
        expect_all_that_is_always_there(program, part)
        expect_as_listed(program, part)


def test_an_ingress_with_a_journal(pipeline: Pipeline, test_folder: Path) -> None:
    folder = test_folder / "spill"
    folder.mkdir()
    pipeline.config["spill"] = {"path": str(folder)}
    ingress = pipeline.ingress(failpoints.SPILL_ANYWHERE)
    expect_all_that_is_always_there(ingress, "spill")
    expect_as_listed(ingress, "spill")


def test_busy_programs_export_nothing_else(pipeline: Pipeline, provider: Provider, ingress: Program, consumer: Program) -> None:
    """Copies, forgeries, events that wait and one that dies."""
    retry = pipeline.retry_role()
    pipeline.ledger.open_wallet("cus_1")
    event, dead = payment("cus_1"), snapshot("payment_intent.succeeded", {"id": "pi_odd", "customer": "cus_1", "amount": "none"})
    provider.deliver(event).twice().expect(200)
    provider.start(event).attempt(secret="whsec_forged")
    for each in (dead, payment("cus_nobody")):
        provider.deliver(each).expect(200)
    pipeline.ledger.expect_status(dead, "dead")
    wait_for(lambda: retry.metric("sluice_consumer_dlq_open") == 1, "the entry to be counted")
    wait_for(lambda: retry.metric("sluice_consumer_lanes", state="deferring") == 1, "the lane that waits to be counted")
    for program, part in ((ingress, "sluice-ingress"), (consumer, "main"), (retry, "retry")):
        expect_as_listed(program, part)
        program.expect_metric(1, "sluice_build_info", role="ingress" if part == "sluice-ingress" else part)
        ready = {sample.labels["concern"]: sample.value for sample in program.metrics().named("sluice_ready")}
        assert ready.get("kafka", ready.get("retry_group")) == 1 and set(ready.values()) == {1}, ready
    [died] = [sample for sample in consumer.metrics().named("sluice_consumer_dead_letters_total") if sample.value]
    assert died.value == 1 and died.labels["class"] == consumer.decisions("dead")[0]["error_class"]
    wait_for(lambda: sum(sample.value for sample in retry.metrics().named("sluice_consumer_partitions_assigned")) > 0, "its partitions to be counted")
    consumer.expect_metric(1, "sluice_consumer_rebalances_total", role="main")
    wait_for(lambda: consumer.metric("sluice_consumer_settled_offset") == sum(pipeline.log.ends(pipeline.topic).values()), "all to be settled")


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_metrics(part: str) -> None:
    assert len(of_part(part)) > 10


def test_a_poller_exports_what_is_listed(pipeline: Pipeline, listing: EventList) -> None:
    pipeline.polls(listing, since="1d", reconcile={"every": "6h"})
    listing.add(payment("cus_1"), ago=1200)
    poller = pipeline.poller()
    poller.expect_metric(1, "sluice_poller_events_total", source=POLLED, result="published")
    wait_for(lambda: poller.decisions("poll_reconciled"), "a reconciliation")
    expect_all_that_is_always_there(poller, "poller")
    expect_as_listed(poller, "poller")


def test_commands_export_what_is_listed(pipeline: Pipeline) -> None:
    """One of each kind that callers see, and a request that nobody signed."""
    caller = Caller(free_port())
    program = executing(pipeline, caller, CHARGE)
    expect_all_that_is_always_there(program, "command")
    pipeline.ledger.open_wallet("cus_1")
    order = {"customer": "cus_1", "price": 30}
    assert [caller.send("charge-click", order, key="k1").status for _ in range(2)] == [409, 409]
    assert caller.send("charge-click", {**order, "price": 31}, key="k1").status == 422
    assert Caller(caller.port, key=b"x" * 32).send("charge-click", order, key="k2").status == 401
    for result in ("executed", "replayed", "mismatch"):
        program.expect_metric(1, "sluice_command_answers_total", command="charge-click", result=result)
    program.expect_metric(1, "sluice_build_info", role="command")
    expect_as_listed(program, "command")
    ready = {sample.labels["concern"]: sample.value for sample in program.metrics().named("sluice_ready")}
    assert ready == {"listener": 1, "mysql": 1, "statements": 1}


def test_commands_of_hot_accounts_export_what_is_listed(pipeline: Pipeline) -> None:
    hot = HotCommands(pipeline)
    program = hot.start()
    hot.open("cus_hot", 100)
    hot.list("cus_hot")
    wait_for(lambda: hot.charge("cus_hot", 1).status == 202, "the list to be read")
    program.expect_metric(1, "sluice_command_hot_booked_total", command="charge-click", result="executed")
    program.expect_metric(3, "sluice_command_hot_partitions")
    expect_all_that_is_always_there(program, "hot accounts")
    expect_as_listed(program, "hot accounts")
    hot.start("book").expect_metric(1, "sluice_build_info", role="book")


def test_commands_that_are_calls_export_what_is_listed(pipeline: Pipeline) -> None:
    caller = Caller(free_port())
    nobody = {"url": f"http://127.0.0.1:{free_port()}/refunds", "allow": ["127.0.0.1"], "secrets": [{"value": {"env": "TEST_SERVICE_KEY"}}]}
    pipeline.secrets["TEST_SERVICE_KEY"] = "whsec_" + base64.b64encode(b"of the service, 24 bytes").decode()
    program = executing(pipeline, caller, {"name": "refund", "wait": "10s", "call": nobody})
    assert caller.send("refund", {}, key="k1").status == 503
    program.expect_metric(1, "sluice_command_calls_total", command="refund", result="not_executed")
    expect_all_that_is_always_there(program, "calls")
    expect_as_listed(program, "calls")
