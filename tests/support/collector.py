"""A collector of traces that does as it is told: OTLP over HTTP, JSON."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.support.pipeline import Pipeline
from tests.support.wait import wait_for

PATH = "/v1/traces"
SERVER, CLIENT, PRODUCER, CONSUMER = 2, 3, 4, 5  # kinds of spans


@dataclass(frozen=True)
class Span:
    """One span as it came, with the service that sent it."""

    service: str
    name: str
    kind: int
    trace: str
    id: str
    parent: str
    attributes: dict[str, str | int]
    links: list[tuple[str, str]]
    began: int  # ns since 1970
    ended: int
    flags: int
    failed: bool


Behaviour = Callable[["Collector", socket.socket, bytes], None]  # gets the request's head, as it comes


@dataclass
class Collector:
    """Listens on a free port of loopback; what it does with a request is `behaviour`. Ends with `close()`."""

    behaviour: Behaviour
    spans: list[Span] = field(default_factory=list)
    requests: int = 0

    def __post_init__(self) -> None:
        self._listener: socket.socket | None = None
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self.listen()

    # life

    def listen(self, port: int = 0) -> None:
        self._listener = socket.create_server(("127.0.0.1", port), backlog=64)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def go_away(self) -> None:
        """Nobody listens any more; `listen(port)` brings it back."""
        if self._listener is not None:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        with self._lock:
            for connection in self._open:
                quietly(connection.close)
            self._open.clear()

    def close(self) -> None:
        self._closing.set()
        self.go_away()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}{PATH}"

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with self._lock:
                self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            while head := read_head(connection):
                with self._lock:
                    self.requests += 1
                self.behaviour(self, connection, head)
        except OSError:
            pass
        finally:
            quietly(connection.close)

    # what it may do

    def take(self, connection: socket.socket, head: bytes) -> None:
        body = read_body(connection, head)
        with self._lock:
            self.spans += spans_of(json.loads(body))
        answer(connection, b"200 OK", b"{}")

    def wait_for_the_end(self) -> None:
        self._closing.wait()

    # what came

    def named(self, name: str, **attributes: str | int) -> list[Span]:
        """`sluice_disposition="done"` stands for the attribute sluice.disposition."""
        wanted = {key.replace("_", ".", 1): value for key, value in attributes.items()}
        with self._lock:
            return [span for span in self.spans if span.name == name
                    and all(span.attributes.get(key) == value for key, value in wanted.items())]

    def wait_for_span(self, name: str, **attributes: str | int) -> Span:
        def first() -> Span:
            found = self.named(name, **attributes)
            assert found, sorted({span.name for span in self.spans})
            return found[0]
        return wait_for(first, f"a span {name} {attributes}")


def traced(pipeline: Pipeline, collector: Collector, ratio: float = 1) -> Pipeline:
    """Programs that start from here on tell `collector`."""
    pipeline.config["tracing"] = {"endpoint": collector.endpoint, "ratio": ratio}
    return pipeline


def taking(collector: Collector, connection: socket.socket, head: bytes) -> None:
    collector.take(connection, head)


def hanging(collector: Collector, connection: socket.socket, head: bytes) -> None:
    """Takes everything in and never answers."""
    read_body(connection, head)
    collector.wait_for_the_end()


def deaf(collector: Collector, connection: socket.socket, head: bytes) -> None:
    """Never reads on: the sender's window closes."""
    collector.wait_for_the_end()


def dripping(collector: Collector, connection: socket.socket, head: bytes) -> None:
    """An answer whose head never ends."""
    read_body(connection, head)
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not collector._closing.wait(0.05):
        connection.sendall(b"a")


def garbage(collector: Collector, connection: socket.socket, head: bytes) -> None:
    read_body(connection, head)
    connection.sendall(bytes(range(256)) * 64)
    connection.close()


def dying(collector: Collector, connection: socket.socket, head: bytes) -> None:
    """Goes in the middle of the request."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    connection.close()


def saying(status: bytes) -> Behaviour:
    def say(_: Collector, connection: socket.socket, head: bytes) -> None:
        read_body(connection, head)
        answer(connection, status, b"no")
    return say


def wanting(field: str) -> Behaviour:
    """Takes what has this field in its head, and nothing else."""
    def judge(collector: Collector, connection: socket.socket, head: bytes) -> None:
        if field.encode() in head.split(b"\r\n"):
            collector.take(connection, head)
        else:
            saying(b"401 Unauthorized")(collector, connection, head)
    return judge


def answer(connection: socket.socket, status: bytes, body: bytes) -> None:
    connection.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Type: application/json\r\nContent-Length: "
                       + str(len(body)).encode() + b"\r\n\r\n" + body)


def read_head(connection: socket.socket) -> bytes:
    """Up to the empty line, a byte at a time: the body stays where it is."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = connection.recv(1)
        if not byte:
            return b""
        head += byte
    return head


def read_body(connection: socket.socket, head: bytes) -> bytes:
    lines = head.decode().split("\r\n")
    assert lines[0] == f"POST {PATH} HTTP/1.1", lines[0]
    fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    assert fields["content-type"] == "application/json"
    body, length = b"", int(fields["content-length"])
    while len(body) < length:
        more = connection.recv(length - len(body))
        if not more:
            raise OSError("the sender has gone")
        body += more
    return body


def quietly(close: Callable[[], None]) -> None:
    try:
        close()
    except OSError:
        pass


def spans_of(request: dict) -> list[Span]:
    found = []
    for resource in request["resourceSpans"]:
        service = values(resource["resource"]["attributes"])["service.name"]
        for scope in resource["scopeSpans"]:
            assert scope["schemaUrl"].startswith("https://opentelemetry.io/schemas/")
            found += [span_of(str(service), span) for span in scope["spans"]]
    return found


def span_of(service: str, span: dict) -> Span:
    return Span(service=service, name=span["name"], kind=span["kind"], trace=span["traceId"], id=span["spanId"],
                parent=span.get("parentSpanId", ""), attributes=values(span["attributes"]),
                links=[(link["traceId"], link["spanId"]) for link in span.get("links", [])],
                began=int(span["startTimeUnixNano"]), ended=int(span["endTimeUnixNano"]), flags=span["flags"],
                failed=span.get("status", {}).get("code") == 2)


def values(attributes: list[dict]) -> dict[str, str | int]:
    pairs = [(entry["key"], entry["value"]) for entry in attributes]
    assert len(pairs) == len({key for key, _ in pairs}), f"an attribute is there twice: {pairs}"
    return {key: int(value["intValue"]) if "intValue" in value else value["stringValue"] for key, value in pairs}
