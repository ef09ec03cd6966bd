"""A provider's list of events that can be asked over HTTP, as Stripe has it: GET /v1/events.

Faithful where a poller can stumble: newest first whatever the direction, ids that say nothing of the order, events of one second, events
that become visible late, a limit of requests, and answers that break. Its clock stands behind the machine's by what is said. Webhooks
that are sent to it become events of the list.

    python3 -m deploy.examples.polling.event_list --port 8090 --key rk_test_list
"""

from __future__ import annotations

import argparse
import base64
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from deploy.examples.polling.listed import MOST, BadRequest, Event, Listed, Parameters, check, fits

# What an answer is instead: a status, or something of its own. 0: none.
Fault = int | Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Told:
    """An event as a webhook tells it."""

    id: str
    type: str
    body: bytes

    @staticmethod
    def of(body: bytes) -> Told:
        document = json.loads(body)
        return Told(document["id"], document["type"], body)


@dataclass(frozen=True)
class Asked:
    parameters: Parameters
    headers: dict[str, str]  # names in lower case
    events: int = 0          # that the answer had
    time: float = field(default_factory=time.monotonic, compare=False)

    def parameter(self, name: str) -> str | None:
        return dict(self.parameters).get(name)


@dataclass
class Limit:
    calls: int
    retry_after: str | None


@dataclass
class EventList:
    """Owns its port; ends with `close()`. Events are added while it is asked."""

    path = "/v1/events"
    retention = 30 * 86400

    key: str = "rk_test_list"
    port: int = 0
    most: int = MOST  # of one page, whatever is asked for
    asked: list[Asked] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # requests that no honest client makes

    def __post_init__(self) -> None:
        self._events: list[Listed] = []  # oldest first
        self._numbers = itertools.count(1)
        self._forgotten_before = 0.0
        self._lock = threading.Lock()
        self._passed = 0.0
        self._faults: list[tuple[str, Fault]] = []  # the parameter that a request must have
        self._limit: Limit | None = None
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    # the provider's side

    @property
    def now(self) -> float:
        return time.time() + self._passed

    def pass_time(self, seconds: float) -> None:
        self._passed += seconds

    def add(self, *events: Event, visible_in: float = 0, delivered: bool = True) -> None:
        """Created when their bodies say; listed from `visible_in` seconds on."""
        with self._lock:
            for event in events:
                self._put(Listed(event, json.loads(event.body)["created"], next(self._numbers), self.now + visible_in, delivered))

    def _put(self, listed: Listed) -> None:
        self._events.append(listed)
        self._events.sort(key=lambda one: one.position)

    @property
    def events(self) -> list[Event]:
        return [one.event for one in self._events]

    def fail(self, *faults: Fault, of: str = "") -> None:
        """The next requests, one fault each, before any is answered again. `of`: those with this parameter."""
        self._faults.extend((of, fault) for fault in faults)

    def limit(self, calls: int, retry_after: str | None = None) -> None:
        """So many requests are answered; then 429, until `unlimit`."""
        self._limit = Limit(calls, retry_after)

    def unlimit(self) -> None:
        self._limit = None

    # answering, as Stripe does

    @staticmethod
    def unknown(place: KeyError) -> dict:
        return {"type": "invalid_request_error", "code": "resource_missing", "message": f"No such event: {place}"}

    def page(self, parameters: Parameters) -> dict:
        """The list as it is given. Raises KeyError for a place that it does not know."""
        given = dict(parameters)
        limit = min(int(given.get("limit", "10")), self.most)
        with self._lock:
            found = [one for one in self._visible() if fits(one, parameters)]
        found.reverse()  # newest first
        if "ending_before" in given:
            place = self._place(given["ending_before"])
            newer = [one for one in found if one.position > place]
            chosen, has_more = newer[-limit:], len(newer) > limit
        else:
            if "starting_after" in given:
                place = self._place(given["starting_after"])
                found = [one for one in found if one.position < place]
            chosen, has_more = found[:limit], len(found) > limit
        return {"object": "list", "url": "/v1/events", "has_more": has_more, "data": [json.loads(one.event.body) for one in chosen]}

    def _visible(self) -> Iterator[Listed]:
        oldest = max(self._forgotten_before, self.now - self.retention)
        return (one for one in self._events if one.visible_at <= self.now and one.created >= oldest)

    def _place(self, event: str) -> tuple[int, int]:
        with self._lock:
            return {one.event.id: one.position for one in self._visible()}[event]

    def _check(self, parameters: Parameters) -> None:
        check(parameters)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                target = urlsplit(self.path)
                parameters = parse_qsl(target.query, keep_blank_values=True)
                headers = {name.lower(): value for name, value in self.headers.items()}
                fault = owner._fault_for(parameters)
                if callable(fault):
                    owner.asked.append(Asked(parameters, headers))
                    fault(self)
                    return
                status, document = (fault, {"error": {"type": "api_error"}}) if fault else owner._answer(target.path, parameters, headers)
                owner.asked.append(Asked(parameters, headers, len(document.get("data", ()))))
                self.say(status, printed(document) + b"\n", owner._limit.retry_after if owner._limit and status == 429 else None)

            def do_POST(self) -> None:
                owner.add(Told.of(self.rfile.read(int(self.headers["Content-Length"]))))
                self.say(200, b"")

            def say(self, status: int, body: bytes, retry_after: str | None = None) -> None:
                self.send_response_only(status)
                self.send_header("Date", formatdate(owner.now, usegmt=True))
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                if retry_after is not None:
                    self.send_header("Retry-After", retry_after)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Whoever reads the list says what is worth saying."""

        return Handler

    def _fault_for(self, parameters: Parameters) -> Fault:
        if self._faults and self._faults[0][0] in ("", *(name for name, _ in parameters)):
            return self._faults.pop(0)[1]
        if self._limit is None:
            return 0
        self._limit.calls -= 1
        return 429 if self._limit.calls < 0 else 0

    def _answer(self, path: str, parameters: Parameters, headers: dict[str, str]) -> tuple[int, dict]:
        if path != self.path:
            self.refused.append(f"GET {path}")
            return 404, {"error": {"type": "invalid_request_error"}}
        if self.key not in (headers.get("authorization", "").removeprefix("Bearer "), _user_of(headers)):
            return 401, {"error": {"type": "invalid_request_error"}}
        try:
            self._check(parameters)
            return 200, self.page(parameters)
        except BadRequest as refused:
            self.refused.append(f"{refused}: {parameters}")
            return 400, {"error": {"type": "invalid_request_error", "message": str(refused)}}
        except KeyError as unknown:
            return 404, {"error": self.unknown(unknown)}


def printed(document: dict) -> bytes:
    """Two-space JSON, as Stripe writes it."""
    return json.dumps(document, indent=2, ensure_ascii=False).encode()


def _user_of(headers: dict[str, str]) -> str:
    """Of HTTP basic authentication, which Stripe takes as well."""
    text = headers.get("authorization", "")
    if not text.startswith("Basic "):
        return ""
    return base64.b64decode(text.removeprefix("Basic ")).decode().partition(":")[0]


# answers that break

def says(body: bytes, status: int = 200, retry_after: str | None = None) -> Fault:
    return lambda handler: handler.say(status, body, retry_after)


def cut_short(handler: BaseHTTPRequestHandler) -> None:
    """The connection ends in the middle of the body."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"object": "list", "data": [')
    handler.close_connection = True


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m deploy.examples.polling.event_list")
    parser.add_argument("--port", type=int, default=8090)
    parser.add_argument("--key", default="rk_test_list")
    asked = parser.parse_args()
    listing = EventList(asked.key, asked.port)
    print(f"GET {listing.url}/v1/events; webhooks that come there are its events", flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        listing.close()


if __name__ == "__main__":
    main()
