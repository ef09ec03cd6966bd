"""A sluice-command in memory that fails as a script says, request by request, and keeps what it saw. After the script it works.

It executes like the real one: the first response to a key is stored, later requests with the key get it again.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

DRIP = 0.02  # seconds between two bytes of a slow answer


@dataclass(frozen=True)
class Seen:
    """One request, whole."""

    connection: int
    method: str
    target: str
    headers: dict[str, str]  # names in lower case
    body: bytes

    @property
    def key(self) -> str:
        return self.headers.get("idempotency-key", "")


@dataclass
class Turn:
    """What a step of a script has: the request, the connection, and the server that executes."""

    seen: Seen
    socket: socket.socket
    server: FailingServer

    def execute(self) -> bytes:
        return self.server.execute(self.seen)

    def send(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # the client has gone
            self.socket.sendall(data)

    def drip(self, data: bytes) -> None:
        """Byte by byte, until the client has gone."""
        for byte in itertools.chain(data, itertools.repeat(ord("x"))):
            self.send(bytes([byte]))
            if self.is_over(within=DRIP):
                return

    def is_over(self, within: float | None = None) -> bool:
        """The client has closed; without `within` it waits for that."""
        if not select.select([self.socket], [], [], within)[0]:
            return False
        with contextlib.suppress(OSError):
            return self.socket.recv(1) == b""
        return True


# Gives whether the connection stays.
Step = Callable[[Turn], bool]


def raw(status: str, body: bytes = b"", content_type: str = "application/json", **headers: object) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *([f"Content-Type: {content_type}"] if content_type else [])]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def own(status: str, body: bytes = b"{}", content_type: str = "application/json", *, replayed: bool = False) -> bytes:
    """A response of the command, with the mark that says so."""
    return raw(status, body, content_type, Idempotency_Replayed=str(replayed).lower())


@dataclass
class FailingServer:
    script: Iterable[Step] = ()
    response: bytes = b'{"charged":5}'
    refused_connections: int = 0  # of the first ones: closed before anything is read
    tls: ssl.SSLContext | None = None
    requests: list[Seen] = field(default_factory=list)
    stored: dict[str, bytes] = field(default_factory=dict)
    executions: int = 0

    def __enter__(self) -> FailingServer:
        self._steps = iter(self.script)
        self._one_at_a_time = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self._threads:
            thread.join()

    def execute(self, seen: Seen) -> bytes:
        """The first response, as the real server would send it."""
        with self._one_at_a_time:
            is_replayed = seen.key in self.stored
            if not is_replayed:
                self.executions += 1
                self.stored[seen.key] = self.response
        return own("200 OK", self.stored[seen.key], replayed=is_replayed)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            for number in itertools.count():
                connection, _ = self._listener.accept()
                if number < self.refused_connections:
                    connection.close()
                    continue
                self._open.append(connection)
                thread = threading.Thread(target=self._serve, args=(number, connection), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _serve(self, number: int, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            served = self.tls.wrap_socket(connection, server_side=True) if self.tls else connection
            self._open.append(served)
            self._serve_over(number, served)

    def _serve_over(self, number: int, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as stream:
            while seen := read_request(number, stream):
                self.requests.append(seen)
                step = next(self._steps, works)
                if not step(Turn(seen, connection, self)):
                    with contextlib.suppress(OSError):
                        connection.shutdown(socket.SHUT_RDWR)
                    return


def read_request(number: int, stream) -> Seen | None:
    line = stream.readline().decode()
    if not line:
        return None
    method, target, _ = line.split()
    headers = {}
    while (header := stream.readline().decode().strip()):
        name, value = header.split(":", 1)
        headers[name.lower()] = value.strip()
    return Seen(number, method, target, headers, stream.read(int(headers.get("content-length", 0))))


def works(turn: Turn) -> bool:
    turn.send(turn.execute())
    return True


def standing(state: str, response: bytes = b"", status: int = 200, **more: object) -> bytes:
    first = {"response": {"status": status, "content_type": "application/json", "body": response.decode()}} if response else {}
    return raw("200 OK", json.dumps({"state": state, "since": "2026-11-28T00:00:00Z", **first, **more}).encode())


def problem(status: str, name: str, **headers: object) -> bytes:
    body = {"type": f"urn:sluice:problem:{name}", "title": "As the test asks", "status": int(status.split()[0]), "detail": "why"}
    return raw(status, json.dumps(body).encode(), "application/problem+json", **headers)


def answers(data: bytes) -> Step:
    """Without executing anything."""
    def step(turn: Turn) -> bool:
        turn.send(data)
        return True
    return step
