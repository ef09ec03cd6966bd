"""Both clients against a server that fails in every way: what they make of it, and that each try is the same command."""

from __future__ import annotations

import base64
import hashlib
import hmac
import ssl
from pathlib import Path

import pytest

from asking import KEY, LIMITS, Client
from failing_server import FailingServer, Seen, answers, own, problem, raw, standing
from failures import answers_twice, closes_afterwards, drips_body, drops_executed, says_nothing
from scenarios import SCENARIOS, Scenario
from tests.support.https_server import make_certificate
from tests.support.wait import wait_for

pytestmark = pytest.mark.timeout(400)  # the first one compiles
COMMAND = {"do": "execute", "command": "charge", "key": "k1", "body": '{"amount":5}'}
LOOK_UP = {"do": "look_up", "command": "charge", "key": "k1"}


def is_signed(seen: Seen) -> bool:
    identity, at = seen.headers["webhook-id"], seen.headers["webhook-timestamp"]
    said = f"{identity}.{at}.{seen.method} {seen.target}\n{seen.key}\n".encode() + seen.body
    digest = base64.b64encode(hmac.new(KEY, said, hashlib.sha256).digest()).decode()
    return seen.headers["webhook-signature"] == f"v1,{digest}" and seen.headers["sluice-caller"] == "ads" and "." not in identity


def expect_one_command(requests: list[Seen]) -> None:
    """However often it was sent: one key and one body, each request signed for itself."""
    sent = [seen for seen in requests if seen.method == "POST"]
    assert {(seen.target, seen.key, seen.body) for seen in sent} <= {("/v1/commands/charge", '"k1"', b'{"amount":5}')}
    assert {(seen.target, seen.key, seen.body) for seen in requests if seen.method == "GET"} <= {("/v1/commands/charge/k1", "", b"")}
    assert len({seen.headers["webhook-id"] for seen in requests}) == len(requests)
    assert all(is_signed(seen) for seen in requests)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_it_is_executed_once_and_the_caller_is_told_the_truth(client: Client, scenario: Scenario) -> None:
    with FailingServer(scenario.script, refused_connections=scenario.refused_connections) as server:
        became = client.ask(COMMAND, server.port, scenario.limits)
        wait_for(lambda: len(server.requests) >= scenario.tries, f"{scenario.tries} requests, also those of attempts that were given up")
    assert became["outcome"] == scenario.outcome, became
    assert (server.executions, len(server.requests)) == (scenario.executions, scenario.tries)
    expect_one_command(server.requests)
    assert scenario.waits <= became["paused"] < scenario.limits.get("deadline", LIMITS["deadline"])
    if scenario.outcome == "done":
        assert (became["response"]["status"], became["replayed"]) == (scenario.status, scenario.replayed)
    else:
        assert became["problem"] == scenario.problem


def test_nobody_is_there(client: Client) -> None:
    with FailingServer() as server:
        pass
    assert client.ask(COMMAND, server.port)["outcome"] == "unknown"
    assert client.ask(COMMAND, server.port, {"deadline": 0}, real_time=True)["outcome"] == "unknown", "no time is left, or less than none"


def test_the_deadline_ends_an_attempt_too(client: Client) -> None:
    """Of real time; the test itself would end before the attempt."""
    with FailingServer((says_nothing,)) as server:
        became = client.ask(COMMAND, server.port, {"attempt": 600_000, "deadline": 2000}, real_time=True)
        wait_for(lambda: server.executions == 1, "the execution")
    assert became["outcome"] == "unknown"


def test_the_cpp_client_keeps_its_connection(client: Client) -> None:
    with FailingServer() as server:
        for number in range(3):
            assert client.ask({**COMMAND, "key": f"k{number}"}, server.port)["outcome"] == "done"
    assert ({seen.connection for seen in server.requests}, server.executions) == ({0} if client.keeps_connection else {0, 1, 2}, 3)


def identity_of(folder: Path, name: str) -> tuple[str, ssl.SSLContext]:
    """A certificate that is its own authority, and what serves with it."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    make_certificate(certificate, key, name)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate, key)
    return str(certificate), tls


@pytest.mark.parametrize("name,outcome,executions", [("localhost", "done", 2), ("elsewhere", "unknown", 0)])
def test_tls_checks_the_name(client: Client, tmp_path: Path, name: str, outcome: str, executions: int) -> None:
    certificate, tls = identity_of(tmp_path, name)
    with FailingServer((drops_executed,) if executions else (), tls=tls) as server:
        for number in range(2):
            became = client.ask({**COMMAND, "key": f"k{number}"}, server.port, {"deadline": 2000}, authority=certificate)
            assert became["outcome"] == outcome
    assert server.executions == executions


def test_tls_ends_by_the_attempt_too(client: Client, tmp_path: Path) -> None:
    certificate, tls = identity_of(tmp_path, "localhost")
    with FailingServer((drips_body,), tls=tls) as server:
        assert client.ask(COMMAND, server.port, {"attempt": 1000}, authority=certificate)["replayed"]
    assert server.executions == 1


def test_a_kept_connection_that_was_closed_is_replaced(client: Client) -> None:
    with FailingServer((closes_afterwards,) * 3) as server:
        for number in range(4):
            assert client.ask({**COMMAND, "key": f"k{number}"}, server.port)["outcome"] == "done"
    assert server.executions == 4


def test_no_answer_is_taken_for_another_requests(client: Client) -> None:
    with FailingServer((answers_twice,)) as server:
        for key in ("k1", "k2"):
            assert client.ask({**COMMAND, "key": key}, server.port)["response"]["body"] == '{"charged":5}'
    assert server.executions == 2


def test_the_first_response_comes_back_byte_by_byte(client: Client) -> None:
    with FailingServer(response='{"charged": "5 €"}\n'.encode()) as server:
        first, again = (client.ask(COMMAND, server.port) for _ in range(2))
    assert (first["replayed"], again["replayed"], server.executions) == (False, True, 1)
    assert first["response"] == again["response"] == {"status": 200, "content_type": "application/json", "body": '{"charged": "5 €"}\n'}


def test_a_key_is_quoted(client: Client) -> None:
    with FailingServer((answers(standing("absent")),)) as server:
        assert client.ask({**LOOK_UP, "key": r'a"b\c/d e%'}, server.port)["outcome"] == "absent"
        assert client.ask({**COMMAND, "key": r'a"b\c/d e%'}, server.port)["outcome"] == "done"
    asked, sent = server.requests
    assert (asked.target, sent.key) == ("/v1/commands/charge/a%22b%5Cc%2Fd%20e%25", r'"a\"b\\c/d e%"')
    assert is_signed(asked) and is_signed(sent)


def test_a_command_may_have_its_key_in_its_body(client: Client) -> None:
    with FailingServer() as server:
        assert client.ask({**COMMAND, "key": None}, server.port)["outcome"] == "done"
    assert "idempotency-key" not in server.requests[0].headers and is_signed(server.requests[0])


@pytest.mark.parametrize("state", ["absent", "in_progress", "failed", "a state of tomorrow"])
def test_a_look_up_tells_the_state(client: Client, state: str) -> None:
    with FailingServer((answers(standing(state)),)) as server:
        assert client.ask(LOOK_UP, server.port)["outcome"] == state
    assert (server.executions, [seen.method for seen in server.requests]) == (0, ["GET"])


def test_a_look_up_gives_the_response(client: Client) -> None:
    with FailingServer((answers(standing("done", b'{"charged":5}')),)) as server:
        became = client.ask(LOOK_UP, server.port)
    assert (became["outcome"], became["response"]) == ("done", {"status": 200, "content_type": "application/json", "body": '{"charged":5}'})


def test_a_look_up_tries_again(client: Client) -> None:
    bad = [raw("200 OK", text) for text in (b'{"state":"done"}', b'{"state":"done","response":{}}', b'{"state":1}', b"{")]
    bad += [own("204 No Content", b"", ""), own("404 Not Found"), raw("403 Forbidden", b'{"state":"absent"}')]
    script = (*map(answers, bad), answers(problem("503 Service Unavailable", "unavailable", Retry_After=1)), answers(standing("absent")))
    with FailingServer(script) as server:
        became = client.ask(LOOK_UP, server.port)
    assert (became["outcome"], len(server.requests), server.executions) == ("absent", 9, 0)


def test_a_look_up_is_refused(client: Client) -> None:
    with FailingServer((answers(problem("404 Not Found", "unknown_command")),)) as server:
        assert client.ask(LOOK_UP, server.port) == {"outcome": "refused", "problem": "unknown_command", "paused": 0}


def test_a_look_up_that_is_not_answered_is_unknown(client: Client) -> None:
    with FailingServer((answers(problem("503 Service Unavailable", "unavailable", Retry_After=1)),) * 30) as server:
        assert client.ask(LOOK_UP, server.port, {"deadline": 5000})["outcome"] == "unknown"
