"""A receiver of messages over HTTP, on loopback unless a cluster has to reach it: keeps what arrives, verifies it, and answers as a test says."""

from __future__ import annotations

import base64
import hashlib
import hmac
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.wait import wait_for

# What a receiver does with the n-th try of one message, counted from 1: a status, or something of its own.
Answer = int | Callable[["Answering"], None]


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]  # names in lower case
    body: bytes
    is_taken: bool = False  # its answer says so, in time

    @property
    def key(self) -> str:
        return self.headers["idempotency-key"]

    def is_signed_with(self, secret: str) -> bool:
        """As the Standard Webhooks specification has it; `secret` is "whsec_" and base64."""
        text = b".".join([self.headers["webhook-id"].encode(), self.headers["webhook-timestamp"].encode(), self.body])
        mac = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), text, hashlib.sha256).digest()
        return f"v1,{base64.b64encode(mac).decode()}" in self.headers["webhook-signature"].split(" ")


class Answering(BaseHTTPRequestHandler):
    """One request; misbehaviours below are for `Receiver.answer`."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        received = Received(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        answer = self.server.receiver.take(received)
        if callable(answer):
            answer(self)
        else:
            self.say(answer)

    def say(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def hangs(answering: Answering) -> None:
    """Says nothing until its receiver closes or the sender gives up."""
    answering.connection.settimeout(60)
    answering.server.receiver.closing.wait(60)


def closes(answering: Answering) -> None:
    answering.connection.shutdown(socket.SHUT_RDWR)
    answering.close_connection = True


def never_ends(answering: Answering) -> None:
    """200, and a body until the other side has had enough."""
    answering.send_response(200)
    answering.send_header("Transfer-Encoding", "chunked")
    answering.end_headers()
    try:
        while not answering.server.receiver.closing.is_set():
            answering.wfile.write(b"4000\r\n" + b"x" * 0x4000 + b"\r\n")
    except OSError:
        answering.close_connection = True


def answers_late(answering: Answering) -> None:
    """204, when its sender has given up with a time-out of a second."""
    answering.server.receiver.closing.wait(1.5)
    answering.say(204)


def answers_soon(answering: Answering) -> None:
    """204, after the quarter of the second in which a call begins its messages."""
    answering.server.receiver.closing.wait(0.25)
    answering.say(204)


def answers_twice(answering: Answering) -> None:
    """204, and the same once more, which belongs to no request."""
    answering.wfile.write(2 * b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")


def refuses_soon(answering: Answering) -> None:
    """422, after a quarter of a second."""
    answering.server.receiver.closing.wait(0.25)
    answering.say(422)


def answers_after(count: int) -> Answer:
    """204, when so many requests have come, this one among them."""
    def late(answering: Answering) -> None:
        answering.server.receiver.expect(count)
        answering.say(204)
    return late


def answers(status: int, **headers: str) -> Answer:
    return lambda answering: answering.say(status, **headers)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    receiver: Receiver

    def process_request(self, *connection: Any) -> None:
        self.receiver.connections += 1
        super().process_request(*connection)


class Receiver:
    """`answer(received, tries)` says what becomes of a message; 204 unless a test sets it. Ends with `close()`."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.answer: Callable[[Received, int], Answer] = lambda received, tries: 204
        self.received: list[Received] = []
        self.connections = 0  # that were made so far
        self.closing = threading.Event()
        self._tries: dict[str, int] = {}
        self._mutex = threading.Lock()
        self._server = _Server((address, 0), Answering)
        self._server.receiver = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        address, port = self._server.server_address[:2]
        return f"http://{address}:{port}/messages"

    def take(self, received: Received) -> Answer:
        with self._mutex:
            self._tries[received.key] = self._tries.get(received.key, 0) + 1
            answer = self.answer(received, self._tries[received.key])
            self.received.append(replace(received, is_taken=answer in (204, never_ends, answers_soon, answers_twice)))
            return answer

    def expect(self, count: int) -> list[Received]:
        wait_for(lambda: len(self.received) >= count, f"{count} requests to arrive")
        return list(self.received)

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
