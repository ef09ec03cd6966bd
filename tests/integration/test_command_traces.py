"""What is seen of a request to sluice-command: one line and one span, and the trace goes on to what its effect sends."""

from __future__ import annotations

import pytest

from deploy.stack.server import free_port
from tests.support import collector as stub
from tests.support.caller import Caller
from tests.support.collector import Collector, traced
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

THEIRS = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-"
NOTE = {"name": "note", "wait": "10s", "parameters": {"author": {"at": "/author", "longest": 64}},
        "effect": {"send": {"to": "notes", "key": ":author", "body": {"by": ":author"}}},
        "answers": {"done": {"status": 200, "body": {"by": ":author"}}}}


@pytest.fixture
def caller() -> Caller:
    return Caller(free_port())


@pytest.fixture
def program(pipeline: Pipeline, collector: Collector, caller: Caller) -> Program:
    pipeline.make_database()
    pipeline.secrets["TEST_CALLER_KEY"] = caller.secret
    traced(pipeline, collector, ratio=0)
    pipeline.config["destinations"] = {"notes": {"kafka": {"topic": f"{pipeline.topic}.notes"}}}
    pipeline.config["command"] = {"listen": {"address": f"127.0.0.1:{caller.port}", "drain_delay": "100ms"}}
    pipeline.config["callers"] = [{"name": caller.name, "principal": "ads-team", "recipe": "standard-webhooks",
                                   "keys": [{"id": "k1", "value": {"env": "TEST_CALLER_KEY"}}]}]
    pipeline.config["commands"] = [NOTE]
    return pipeline._program("sluice-command", pipeline._with_ports(), "", True)


def test_a_request_is_one_line_and_one_span(pipeline: Pipeline, program: Program, caller: Caller, collector: Collector) -> None:
    caller.headers["traceparent"] = THEIRS + "01"
    assert caller.send("note", {"author": "ada"}, key="k1").status == 200
    span = collector.wait_for_span("POST /v1/commands/{name}")
    assert (span.kind, span.trace, span.parent) == (stub.SERVER, THEIRS[3:35], THEIRS[36:52])
    assert span.attributes == {
        "http.request.method": "POST", "http.route": "/v1/commands/{name}", "http.response.status_code": 200, "url.scheme": "http",
        "sluice.source": "ads", "sluice.outcome": "executed", "cloudevents.event_id": "k1", "cloudevents.event_type": "note"}
    [line] = wait_for(lambda: program.decisions("executed"), "the line")
    assert [line[name] for name in ("command", "caller", "key", "status", "trace")] == ["note", "ads", "k1", 200, span.trace]
    [(sent,)] = pipeline.ledger.query("SELECT traceparent FROM outbox")
    assert (sent.decode() if isinstance(sent, bytes) else sent) == f"00-{span.trace}-{span.id}-01", "who gets the message goes on from here"


def test_what_nobody_keeps_is_a_line_alone(program: Program, caller: Caller, collector: Collector) -> None:
    caller.headers["traceparent"] = THEIRS + "00"
    assert caller.look_up("note", "k1") == {"state": "absent"}
    assert Caller(caller.port, key=b"x" * 32).send("note", {"author": "ada"}, key="k2").status == 401
    [looked_up] = wait_for(lambda: program.decisions("looked_up"), "the line of the look-up")
    assert (looked_up["state"], looked_up["key"]) == ("absent", "k1")
    [refused] = wait_for(lambda: program.decisions("not_authenticated"), "the line of the refusal")
    assert refused.get("key", "") == "" and refused.get("caller", "") == "", "nothing is known of who has not signed"
    caller.headers["traceparent"] = THEIRS + "01"
    assert caller.look_up("note", "k1") == {"state": "absent"}
    collector.wait_for_span("GET /v1/commands/{name}/{key}")
    assert len(collector.named("GET /v1/commands/{name}/{key}")) == 1
