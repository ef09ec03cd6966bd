"""A service that executes commands of kind `call` (docs/commands.md), on loopback: keeps what arrives and misbehaves as a test says."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.support.wait import wait_for


@dataclass(frozen=True)
class Called:
    key: str
    fence: int
    headers: dict[str, str]  # names in lower case
    body: bytes


# What becomes of a call: executes or does not, then answers or does not.
Way = Callable[["Answering"], None]


class Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    @property
    def service(self) -> Service:
        return self.server.service

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.called = Called(headers["idempotency-key"], int(headers["sluice-fence"]), headers, body)
        self.service.calls.append(self.called)
        self.service.way(self)

    def do_GET(self) -> None:
        key = self.path.rpartition("/")[2]
        self.service.asked.append(key)
        status = self.service.says_of(key)
        with self.service.mutex:
            self.service.fences[key] = max(self.service.fences.get(key, 0), int(self.headers["Sluice-Fence"]))
            done = self.service.executed.get(key)
        if status:
            return self.say(status)
        return self.say(200, done) if done else self.say(404)

    def execute(self) -> bytes:
        """Once for each time that it gets through: it does not deduplicate, so that a second time can be seen."""
        with self.service.mutex:
            self.service.executions.append(self.called.key)
            response = json.dumps({"execution": len(self.service.executions)}).encode()
            return self.service.executed.setdefault(self.called.key, response)

    def say(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def does_it(answering: Answering) -> None:
    answering.say(201, answering.execute())


def says(status: int) -> Way:
    """And does nothing."""
    return lambda answering: answering.say(status, b'{"said": true}')


def does_it_and_says(status: int) -> Way:
    def way(answering: Answering) -> None:
        answering.execute()
        answering.say(status)
    return way


def does_it_and_hangs(answering: Answering) -> None:
    answering.execute()
    hangs(answering)


def hangs(answering: Answering) -> None:
    answering.service.closing.wait(60)
    answering.close_connection = True


def does_it_and_cuts(answering: Answering) -> None:
    answering.execute()
    cuts(answering)


def cuts(answering: Answering) -> None:
    """RST."""
    answering.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    answering.connection.close()
    answering.close_connection = True


def does_it_and_says_half(answering: Answering) -> None:
    answering.execute()
    answering.send_response(201)
    answering.send_header("Content-Length", "1000")
    answering.end_headers()
    answering.wfile.write(b"half")
    answering.close_connection = True


def does_it_and_ends_with_the_connection(answering: Answering) -> None:
    """Neither a length nor chunks: whether that was all nobody can tell."""
    answering.execute()
    answering.send_response(201)
    answering.end_headers()
    answering.wfile.write(b'{"execution": 1')
    answering.close_connection = True


def does_it_in_chunks(answering: Answering) -> None:
    response = answering.execute()
    answering.send_response(201)
    answering.send_header("Transfer-Encoding", "Chunked")
    answering.end_headers()
    answering.wfile.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(response), response))


def does_it_without_a_body(answering: Answering) -> None:
    answering.execute()
    answering.send_response(204)
    answering.end_headers()


def does_it_and_says_too_much(answering: Answering) -> None:
    answering.execute()
    answering.say(201, b"x" * 70_000)


def does_it_when_told(answering: Answering) -> None:
    answering.service.may_go_on.wait(60)
    does_it(answering)


def heeds_the_fence(answering: Answering) -> None:
    """Late, and only if nobody asked under a higher fence meanwhile."""
    answering.service.may_go_on.wait(60)
    key, fence, fences = answering.called.key, answering.called.fence, answering.service.fences
    with answering.service.mutex:
        is_late = fence < fences.get(key, 0)
        fences[key] = max(fences.get(key, 0), fence)
    if is_late:
        answering.say(409)
    else:
        does_it(answering)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    service: Service

    def handle_error(self, *_: object) -> None: ...


@dataclass
class Service:
    way: Way = does_it
    query_says: int = 0  # 0: the truth, 200 or 404
    calls: list[Called] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    executions: list[str] = field(default_factory=list)  # keys, one for each execution
    executed: dict[str, bytes] = field(default_factory=dict)
    fences: dict[str, int] = field(default_factory=dict)  # the highest that each key was asked under
    may_go_on: threading.Event = field(default_factory=threading.Event)
    closing: threading.Event = field(default_factory=threading.Event)
    mutex: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._server = _Server(("127.0.0.1", 0), Answering)
        self._server.service = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def says_of(self, _key: str) -> int:
        """As query_says."""
        return self.query_says

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/refunds"

    def expect_calls(self, count: int) -> None:
        wait_for(lambda: len(self.calls) >= count, f"{count} calls to arrive")

    def close(self) -> None:
        self.closing.set()
        self.may_go_on.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
