"""sluicectl listen: a receiver for development, posted to by Python and by the relay."""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.events import fresh_id, payment
from tests.support.http_raw import RawConnection
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.program import binary
from tests.support.records import put
from tests.support.wait import wait_for

SECRET = base64.b64encode(b"a secret of the tests of 32 byte").decode()


class Listening:
    """One run, and what it has printed."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.secret_file = folder / "secret"
        self.secret_file.write_text(f"whsec_{SECRET}\n")
        self.out, self.err = folder / "listen.out", folder / "listen.err"
        given = [str(self.secret_file) if argument == "SECRET" else argument for argument in arguments]
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen([str(binary("sluicectl")), "listen", *given], stdin=subprocess.DEVNULL,
                                            stdout=out, stderr=err)
        self.port = int(wait_for(lambda: re.search(r"http://127\.0\.0\.1:(\d+)/", self.err.read_text()), "its port")[1])

    def lines(self) -> list[str]:
        return self.out.read_text().splitlines()

    def end(self) -> int:
        return self.process.wait(30)


@pytest.fixture
def listen(tmp_path: Path) -> Iterator[Callable[..., Listening]]:
    running: list[Listening] = []

    def start(*arguments: str) -> Listening:
        running.append(Listening(tmp_path, *arguments))
        return running[-1]
    yield start
    for each in running:
        each.process.kill()
        each.process.wait()


def signed(body: bytes, key: str, *, at: int | None = None, secret: str = SECRET) -> dict[str, str]:
    at = int(time.time()) if at is None else at
    mac = hmac.digest(base64.b64decode(secret), f"{key}.{at}.".encode() + body, hashlib.sha256)
    return {"webhook-id": key, "idempotency-key": key, "webhook-timestamp": str(at), "sluice-source": "stripe-eu",
            "sluice-effect": "credit", "webhook-signature": "v1," + base64.b64encode(mac).decode()}


def post(connection: http.client.HTTPConnection, body: bytes, headers: dict[str, str]) -> int:
    connection.request("POST", "/hook?x=1", body, headers)
    answer = connection.getresponse()
    assert answer.read() == b"", "an answer says nothing"
    return answer.status


def test_says_of_each_message_what_it_is(listen) -> None:
    listening = listen("--port", "0", "--secret-file", "SECRET", "--count", "5")
    connection = http.client.HTTPConnection("127.0.0.1", listening.port)
    body = b'{"amount": 500}'
    genuine = signed(body, "a1b2c3d4e5f60718")
    assert post(connection, body, genuine) == 204
    first_socket = connection.sock
    assert post(connection, body, genuine) == 204
    assert post(connection, body + b" ", genuine) == 401
    assert post(connection, body, signed(body, "old", at=int(time.time()) - 301)) == 401
    assert post(connection, body, {"sluice-effect": "credit"}) == 401
    assert connection.sock is first_socket, "one connection serves all"
    assert listening.end() == 0
    words = [line.split("  ")[1:] for line in listening.lines()]
    assert words == [
        ["credit", "stripe-eu", "a1b2c3d4e5f6", "verified", "new", "15 bytes", "answered 204"],
        ["credit", "stripe-eu", "a1b2c3d4e5f6", "verified", "again", "15 bytes", "answered 204"],
        ["credit", "stripe-eu", "a1b2c3d4e5f6", "wrong signature (signature_mismatch)", "refused", "16 bytes", "answered 401"],
        ["credit", "stripe-eu", "old", "stale (too_old)", "refused", "15 bytes", "answered 401"],
        ["credit", "-", "-", "not signed", "refused", "15 bytes", "answered 401"]]


def test_prints_json_with_the_body(listen) -> None:
    listening = listen("--json", "--show-body", "--answer", "503", "--count", "1")
    body = "{\"note\": \"\x1b[2J\x9b\"}".encode()
    assert post(http.client.HTTPConnection("127.0.0.1", listening.port), body, {"idempotency-key": "k"}) == 503
    assert listening.end() == 0
    [line] = listening.lines()
    assert line.isascii() and line.isprintable()
    said = json.loads(line)
    assert (said["signature"], said["seen"], said["answer"], said["key"]) == ("not checked", "new", 503, "k")
    assert said["body"] == body.decode()


def test_what_is_no_message_is_refused_and_bounded(listen) -> None:
    listening = listen("--secret-file", "SECRET")
    for head, status in ((b"GET /script HTTP/1.1\r\nHost: a\r\n\r\n", 405),
                         (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413),
                         (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
                         (b"POST / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 20_000, 431)):
        connection = RawConnection(listening.port)
        connection.send(head)
        answer = connection.read_answer()
        assert (answer.status, answer.body) == (status, b"")
    wait_for(lambda: listening.err.read_text().count("is no message") == 4, "a line for each")
    assert listening.lines() == []


def test_many_silent_connections_keep_nobody_out(listen) -> None:
    listening = listen()
    silent = [RawConnection(listening.port) for _ in range(100)]
    assert post(http.client.HTTPConnection("127.0.0.1", listening.port), b"{}", {}) == 204
    assert len(silent) == 100


def test_ends_after_the_count_whoever_else_has_sent(listen) -> None:
    listening = listen("--count", "3")
    both = [http.client.HTTPConnection("127.0.0.1", listening.port) for _ in range(2)]
    assert [post(connection, b"{}", {}) for connection in both] == [204, 204]
    listening.process.send_signal(signal.SIGSTOP)
    for connection in both:
        connection.request("POST", "/", b"{}")
    listening.process.send_signal(signal.SIGCONT)
    assert listening.end() == 0 and len(listening.lines()) == 3


@pytest.mark.slow
def test_request_that_does_not_end_is_dropped(listen) -> None:
    listening = listen()
    connection = RawConnection(listening.port)
    connection.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{")
    received, is_closed = connection.read_until_closed(within=30)
    assert is_closed and received == b"" and listening.lines() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ends_cleanly(listen, number: signal.Signals) -> None:
    listening = listen()
    listening.process.send_signal(number)
    assert listening.end() == 0


def test_ends_in_time(listen) -> None:
    assert listen("--for", "100ms").end() == 0


def test_port_that_is_taken(listen) -> None:
    port = str(listen().port)
    second = subprocess.run([str(binary("sluicectl")), "listen", "--port", port], capture_output=True, text=True, check=False)
    assert second.returncode == 2 and f"cannot listen on port {port} of 127.0.0.1" in second.stderr


def test_takes_what_the_relay_sends(pipeline: Pipeline, listen) -> None:
    listening = listen("--secret-file", "SECRET", "--json", "--show-body", "--count", "1")
    customer = fresh_id("cus")
    pipeline.config["effects"] = [{
        "name": "tell", "when": {"source": SOURCE, "type": "payment_intent.succeeded"},
        "let": {"customer": "/data/object/customer"},
        "send": {"to": "mail", "key": ":customer", "body": {"customer": ":customer"}}}]
    pipeline.config["destinations"] = {"mail": {"http": {
        "url": f"http://127.0.0.1:{listening.port}/", "allow": ["127.0.0.0/8"],
        "secrets": [{"value": {"file": str(listening.secret_file)}}]}}}
    put(pipeline, payment(customer, 1))
    pipeline.consumer()
    pipeline.consumer(role="relay")
    assert listening.end() == 0
    [said] = [json.loads(line) for line in listening.lines()]
    assert (said["signature"], said["seen"], said["effect"], said["source"]) == ("verified", "new", "tell", SOURCE)
    assert json.loads(said["body"]) == {"customer": customer} and len(said["key"]) == 64
