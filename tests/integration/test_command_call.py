"""Commands that another service executes: what the caller sees, what the service got, whatever either does (docs/commands.md)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import threading
from collections.abc import Callable, Iterator
from secrets import token_hex

import pytest

from deploy.stack.server import free_port
from tests.support import executing, failpoints
from tests.support.caller import Caller, Told
from tests.support.executing import Service
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.servers import Servers
from tests.support.wait import wait_for

SECRET = "whsec_" + base64.b64encode(b"of the service, 24 bytes").decode()
ORDER = {"refund": 5}
TAKEN_OVER = "command.call_taken_over"  # by the settler alone: test_command_call_trouble.py
AT_STEPS = [point for point in failpoints.in_source("command/call") if point != TAKEN_OVER]
BEFORE_IT_IS_SENT = ["command.call_recorded", "command.before_call"]


@pytest.fixture
def service() -> Iterator[Service]:
    one = Service()
    yield one
    one.close()


@pytest.fixture(params=["mysql", "redis"])
def record(request: pytest.FixtureRequest, servers: Servers, pipeline: Pipeline) -> Iterator[str]:
    """A Redis of its own, where it is there: keys of one test are none of another's."""
    if request.param != "redis":
        yield request.param
        return
    redis = servers.own_redis(f"redis-of-calls-{token_hex(4)}", appendonly="yes", appendfsync="always")
    pipeline.config["redis"] = {"urls": [redis.url]}
    yield request.param
    servers.drop(redis)


@pytest.fixture
def caller() -> Caller:
    return Caller(free_port())


@pytest.fixture
def start(pipeline: Pipeline, caller: Caller, service: Service, record: str) -> Callable[..., Program]:
    """A new process of sluice-command with the command `refund`; keyword arguments go to its `call`."""
    def started(failpoints: str = "", *, port: int = 0, drain_within: str = "25s", **call: object) -> Program:
        pipeline.make_database()
        pipeline.secrets |= {"TEST_CALLER_KEY": caller.secret, "TEST_SERVICE_KEY": SECRET}
        pipeline.config["command"] = {"listen": {"address": f"127.0.0.1:{port or caller.port}", "drain_delay": "100ms",
                                                  "drain_within": drain_within}}
        pipeline.config["callers"] = [{"name": caller.name, "principal": "shop", "recipe": "standard-webhooks",
                                       "keys": [{"id": "k1", "value": {"env": "TEST_CALLER_KEY"}}]}]
        query = {"url": service.url + "/:key", "found": [200], "absent": [404]}
        its = {"url": service.url, "secrets": [{"value": {"env": "TEST_SERVICE_KEY"}}], "allow": ["127.0.0.1"], "record": record,
               "within": "1s", "lease": "6s", "query": query, **call}
        pipeline.config["commands"] = [{"name": "refund", "wait": "20s", "keep": "72h",
                                        "call": {name: value for name, value in its.items() if value is not None}}]
        return pipeline._program("sluice-command", pipeline._with_ports(), failpoints, True).ready()
    return started


def refund(caller: Caller, key: str = "k1") -> Told:
    return caller.send("refund", ORDER, key=key)


def ask(caller: Caller, key: str = "k1") -> Told | None:
    """None: nobody answered."""
    try:
        return refund(caller, key)
    except (OSError, http.client.HTTPException):
        return None


@pytest.mark.parametrize("record", ["mysql"], indirect=True)
def test_readiness_comes_back_with_the_database_though_nobody_calls(start: Callable[..., Program], caller: Caller, pipeline: Pipeline) -> None:
    program = start()
    assert refund(caller).status == 201
    pipeline.ledger.run("SET GLOBAL offline_mode = ON")
    try:
        wait_for(lambda: refund(caller, "k2").status == 503, "a call to find the database away")
        program.expect_not_ready("mysql")
    finally:
        pipeline.ledger.run("SET GLOBAL offline_mode = OFF")
    program.ready()


def problem(told: Told) -> tuple[int, str]:
    return told.status, told.json["type"].rpartition(":")[2]


def test_it_is_sent_once_and_the_first_response_stays(start: Callable[..., Program], service: Service, caller: Caller) -> None:
    start()
    assert caller.look_up("refund", "k1") == {"state": "absent"}
    first, again = refund(caller), refund(caller)
    assert (first.status, first.json, first.is_replayed) == (201, {"execution": 1}, False)
    assert (again.status, again.body, again.is_replayed) == (201, first.body, True)
    assert caller.send("refund", {"refund": 6}, key="k1").status == 422
    assert caller.look_up("refund", "k1")["response"]["body"] == '{"execution": 1}'
    assert len(service.calls) == 1


def test_the_call_is_signed_and_carries_its_key(start: Callable[..., Program], service: Service, caller: Caller) -> None:
    start()
    caller.headers["traceparent"] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    refund(caller)
    [call] = service.calls
    assert call.headers["traceparent"].split("-")[1] == caller.headers["traceparent"].split("-")[1], "the caller's trace goes on"
    assert call.headers["sluice-command"] == "refund"
    assert (len(call.key), call.fence, call.body) == (64, 1, b'{"refund": 5}')
    text = f"{call.headers['webhook-id']}.{call.headers['webhook-timestamp']}.".encode() + call.body
    mac = hmac.new(base64.b64decode(SECRET.removeprefix("whsec_")), text, hashlib.sha256).digest()
    assert call.headers["webhook-signature"] == "v1," + base64.b64encode(mac).decode()


@pytest.mark.parametrize("status", [400, 402, 409, 422])
def test_what_the_service_refuses_is_a_response(start: Callable[..., Program], service: Service, caller: Caller, status: int) -> None:
    start()
    service.way = executing.says(status)
    assert (refund(caller).status, refund(caller).is_replayed) == (status, True)
    assert len(service.calls) == 1


def test_what_certainly_was_not_executed_may_be_tried_again(start: Callable[..., Program], service: Service, caller: Caller) -> None:
    program = start(not_executed=[503])
    service.way = executing.says(429)
    assert problem(refund(caller)) == (503, "not_executed")
    standing = caller.look_up("refund", "k1")
    assert (standing["state"], standing["retryable"]) == ("failed", True)
    assert "status 429" in standing["why"]
    assert caller.send("refund", {"refund": 6}, key="k1").status == 422, "another request under the key is none"
    service.way = executing.does_it
    assert (refund(caller).status, len(service.executions)) == (201, 1)
    assert [call.fence for call in service.calls] == [1, 2]
    assert program.metric("sluice_command_calls_total", command="refund", result="not_executed") == 1


def test_a_service_that_is_not_there_did_nothing(start: Callable[..., Program], caller: Caller) -> None:
    start(url=f"http://127.0.0.1:{free_port()}/refunds", query=None)
    assert problem(refund(caller)) == (503, "not_executed")


def test_an_address_that_is_not_allowed_is_not_called(start: Callable[..., Program], service: Service, caller: Caller) -> None:
    program = start(allow=[])
    assert problem(refund(caller)) == (503, "not_executed") and not service.calls
    assert ["127.0.0.1" in said["reason"] for said in program.decisions("call_not_sent")] == [True]


def test_an_answer_says_by_its_chunks_or_its_status_where_it_ends(start: Callable[..., Program], service: Service, caller: Caller) -> None:
    start(query=None)
    service.way = executing.does_it_in_chunks
    assert (refund(caller).status, refund(caller).json) == (201, {"execution": 1})
    service.way = executing.does_it_without_a_body
    assert (refund(caller, "k2").status, refund(caller, "k2").body) == (204, b"")


UNKNOWN = [executing.does_it_and_says(500), executing.does_it_and_says(408), executing.does_it_and_says(425), executing.does_it_and_says(302), executing.does_it_and_hangs, executing.does_it_and_cuts,
           executing.does_it_and_says_half, executing.does_it_and_ends_with_the_connection, executing.does_it_and_says_too_much]
UNDONE = [executing.says(500), executing.hangs, executing.cuts]


@pytest.mark.parametrize("way", UNKNOWN)
def test_what_is_unknown_is_asked_for_and_was_done(start: Callable[..., Program], service: Service, caller: Caller,
                                                   way: executing.Way) -> None:
    start()
    service.way = way
    told = refund(caller)
    assert (told.status, told.json) == (200, {"execution": 1}), "as the query has it"
    assert refund(caller).body == told.body
    assert (len(service.calls), len(service.executions)) == (1, 1)


@pytest.mark.parametrize("status", [409, 202])
def test_a_service_that_has_a_word_of_its_own_for_going_on_is_asked(start: Callable[..., Program], service: Service, caller: Caller,
                                                                   status: int) -> None:
    start(unknown=[status])
    service.way = executing.does_it_and_says(status)
    told = refund(caller)
    assert (told.status, told.json) == (200, {"execution": 1}), "as the query has it"
    assert len(service.calls) == 1


@pytest.mark.parametrize("way", UNDONE)
def test_what_is_unknown_is_asked_for_and_was_not_done(start: Callable[..., Program], service: Service, caller: Caller,
                                                       way: executing.Way) -> None:
    start()
    service.way = way
    assert problem(refund(caller)) == (503, "not_executed")
    service.way = executing.does_it
    assert refund(caller).status == 201
    assert (len(service.calls), len(service.executions)) == (2, 1)


@pytest.mark.parametrize("way", [*UNKNOWN, *UNDONE])
def test_without_a_query_what_is_unknown_is_for_a_person(start: Callable[..., Program], service: Service, caller: Caller,
                                                         way: executing.Way) -> None:
    program = start(query=None)
    service.way = way
    assert problem(refund(caller)) == (502, "not_known")
    service.way = executing.does_it
    assert problem(refund(caller)) == (502, "not_known"), "never again by itself"
    standing = caller.look_up("refund", "k1")
    assert (standing["state"], standing["retryable"]) == ("failed", False)
    assert len(service.calls) == 1
    assert program.decisions("call_given_up")[0]["idempotency_key"] == service.calls[0].key


def test_while_the_service_does_not_say_it_stays_in_progress(start: Callable[..., Program], service: Service, caller: Caller) -> None:
    program = start()
    service.way, service.query_says = executing.does_it_and_hangs, 503
    told = refund(caller)
    assert (told.status, told.headers["location"]) == (202, "/v1/commands/refund/k1")
    assert problem(refund(caller)) == (409, "in_progress")
    assert caller.look_up("refund", "k1")["state"] == "in_progress"
    wait_for(lambda: program.metric("sluice_command_calls_oldest_seconds", command="refund") > 0, "its age to be shown")
    service.query_says = 0
    wait_for(lambda: caller.look_up("refund", "k1")["state"] == "done", "the settler to ask again, unasked")
    wait_for(lambda: program.metric("sluice_command_calls_oldest_seconds", command="refund") == 0, "nothing to be in progress")
    assert refund(caller).json == {"execution": 1}
    assert len(service.calls) == 1


@pytest.mark.parametrize("point", AT_STEPS)
def test_whoever_dies_at_a_step_sends_nothing_twice(start: Callable[..., Program], service: Service, caller: Caller, point: str) -> None:
    dying = start(f"{point}=kill")
    if point == "command.call_asked":
        service.way = executing.does_it_and_says(500)
    with pytest.raises(OSError):
        refund(caller)
    dying.wait_end()
    start()
    wait_for(lambda: caller.look_up("refund", "k1")["state"] != "in_progress", "the settler to find out, unasked")
    expected = 0 if point in BEFORE_IT_IS_SENT else 1
    assert len(service.calls) == expected
    standing = caller.look_up("refund", "k1")
    if expected:
        assert standing["response"]["body"] == '{"execution": 1}'
    else:
        assert (standing["state"], standing["retryable"]) == ("failed", True)
    told = refund(caller)
    assert told.json == {"execution": 1}
    assert len(service.executions) == 1


def test_a_paused_owner_is_overtaken_and_gets_the_truth(start: Callable[..., Program], service: Service, caller: Caller) -> None:
    """It stops when it has the response, and goes on when others have settled."""
    service.way = executing.does_it_and_says(500)
    paused = start("command.call_sent=stop")
    late: list[Told] = []
    asking = threading.Thread(target=lambda: late.append(refund(caller)))
    asking.start()
    wait_for(lambda: paused.frozen, "the owner to stop")
    other = Caller(free_port())
    start(port=other.port)
    wait_for(lambda: other.look_up("refund", "k1")["state"] == "done", "another process to settle")
    first = refund(other)
    paused.resume()
    asking.join(30)
    assert late[0].body == first.body == b'{"execution": 1}'
    assert len(service.calls) == 1


@pytest.mark.parametrize("point", BEFORE_IT_IS_SENT)
def test_an_owner_that_was_paused_before_it_sent_does_nothing(start: Callable[..., Program], service: Service, caller: Caller,
                                                              point: str) -> None:
    """Before it looks at its clock it sends no more; after that the service knows a higher fence."""
    service.way = executing.heeds_the_fence
    service.may_go_on.set()
    paused = start(f"{point}=stop")
    late: list[Told] = []
    asking = threading.Thread(target=lambda: late.append(refund(caller)))
    asking.start()
    wait_for(lambda: paused.frozen, "the owner to stop")
    other = Caller(free_port())
    start(port=other.port)
    wait_for(lambda: other.look_up("refund", "k1")["state"] == "failed", "another process to settle")
    assert refund(other).json == {"execution": 1}
    paused.resume()
    asking.join(30)
    assert late[0].body == b'{"execution": 1}'
    assert len(service.executions) == 1


def test_a_service_that_heeds_the_fence_never_executes_a_late_call(start: Callable[..., Program], service: Service,
                                                                   caller: Caller) -> None:
    """The call is on its way while its owner asks, is told that nothing was done, and the caller tries again."""
    start()
    service.way = executing.heeds_the_fence
    assert problem(refund(caller)) == (503, "not_executed")
    service.way = executing.does_it
    assert refund(caller).json == {"execution": 1}
    service.may_go_on.set()
    wait_for(lambda: len(service.calls) == 2, "both calls")
    assert service.executions == [service.calls[0].key]


def test_effects_do_not_wait_for_a_service_that_hangs(start: Callable[..., Program], service: Service, caller: Caller) -> None:
    """Nor do look-ups: calls have threads of their own."""
    start(concurrency=1)
    service.way = executing.does_it_when_told
    asking = threading.Thread(target=lambda: refund(caller))
    asking.start()
    service.expect_calls(1)
    assert caller.look_up("refund", "k1")["state"] == "in_progress"
    assert caller.look_up("refund", "k2")["state"] == "absent"
    service.may_go_on.set()
    asking.join(30)


def test_a_request_that_waits_for_its_turn_is_in_progress(start: Callable[..., Program], service: Service, caller: Caller) -> None:
    """The record does not know of it yet: whoever were told that it is absent could give up what is about to be done."""
    start(concurrency=1, within="20s", lease="60s")
    service.way = executing.does_it_when_told
    asking = [threading.Thread(target=lambda key=key: refund(caller, key)) for key in ("k1", "k2")]
    asking[0].start()
    service.expect_calls(1)
    asking[1].start()
    wait_for(lambda: caller.look_up("refund", "k2")["state"] == "in_progress", "the second one to be in progress")
    assert caller.look_up("refund", "k3")["state"] == "absent"
    service.may_go_on.set()
    for one in asking:
        one.join(30)
    assert [caller.look_up("refund", key)["state"] for key in ("k1", "k2")] == ["done", "done"]


def settle(pipeline: Pipeline, key: str, seen: str, *words: str, code: int = 0) -> str:
    """Five minutes after the lease are less than a second here."""
    done = pipeline.ctl("command", "settle", "refund", "--digest", key, "--as", seen, *words, environment={"SLUICE_HURRY": "500"})
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


APPLY = ("--operator", "ada", "--reason", "seen at the service", "--apply")


def test_a_person_says_that_it_was_not_executed(start: Callable[..., Program], service: Service, caller: Caller, pipeline: Pipeline) -> None:
    """A plan first, and somebody has to sign it."""
    start(query=None)
    service.way = executing.hangs
    assert problem(refund(caller)) == (502, "not_known")
    key = service.calls[0].key
    assert "be executed" in settle(pipeline, key, "not-executed", *APPLY, code=1), "the service may be at it"
    wait_for(lambda: "Nothing was changed." in settle(pipeline, key, "not-executed"), "the end of the lease and of the time beside it")
    settle(pipeline, key, "not-executed", "--apply", code=2)
    assert problem(refund(caller)) == (502, "not_known")
    settle(pipeline, key, "not-executed", *APPLY)
    assert caller.look_up("refund", "k1")["why"] == "by hand, ada: seen at the service"
    settle(pipeline, key, "not-executed", *APPLY, code=1)
    service.way = executing.does_it
    assert refund(caller).json == {"execution": 1}
    assert [call.fence for call in service.calls] == [1, 3], "above what the service has seen"
    settle(pipeline, key, "not-executed", *APPLY, code=1)


def test_given_up_is_shown_until_settled(start: Callable[..., Program], service: Service, caller: Caller, pipeline: Pipeline) -> None:
    """Whoever gave it up ends before anybody reads its counters."""
    gave_up = start("command.call_settled=kill", query=None)
    service.way = executing.does_it_and_says(500)
    with pytest.raises(OSError):
        refund(caller)
    gave_up.wait_end()
    program = start(query=None)
    program.expect_metric(1, "sluice_command_calls_given_up", command="refund")
    response = pipeline.folder / "paid.json"
    response.write_text('{"execution": 1}')
    settle(pipeline, service.calls[0].key, "executed", "--body", str(response), *APPLY)
    program.expect_metric(0, "sluice_command_calls_given_up", command="refund")


def test_a_person_says_that_it_was_executed(start: Callable[..., Program], service: Service, caller: Caller, pipeline: Pipeline) -> None:
    start(query=None)
    service.way = executing.does_it_and_hangs
    assert problem(refund(caller)) == (502, "not_known")
    response = pipeline.folder / "paid.json"
    response.write_text('{"execution": 1}')
    settle(pipeline, service.calls[0].key, "executed", "--body", str(response), "--status", "201", *APPLY)
    told = refund(caller)
    assert (told.status, told.json, told.is_replayed, len(service.calls)) == (201, {"execution": 1}, True, 1)


def test_nobody_ends_a_call_that_may_still_be_sent(start: Callable[..., Program], service: Service, caller: Caller, pipeline: Pipeline) -> None:
    start()
    service.way, service.query_says = executing.does_it_and_hangs, 503
    assert refund(caller).status == 202
    said = settle(pipeline, service.calls[0].key, "not-executed", *APPLY, code=1)
    assert "it may still be sent, or be executed: wait until 20" in said
    service.query_says = 0
    wait_for(lambda: caller.look_up("refund", "k1")["state"] == "done", "the service to be asked again")
    assert refund(caller).json == {"execution": 1}
