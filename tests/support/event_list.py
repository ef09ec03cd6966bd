"""A provider's list of events that can be asked over HTTP, as Stripe has it: GET /v1/events (docs.stripe.com/api/events/list).

Faithful where a poller can stumble: newest first whatever the direction, ids that say nothing of the order, events of one second, events
that become visible late, a limit of requests, and answers that break. Its clock stands behind the machine's by what tests say.
"""

from __future__ import annotations

import base64
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from tests.support.events import Event, printed

MOST = 100          # of one page
MOST_TYPES = 20
PARAMETERS = {"limit", "starting_after", "ending_before", "type", "types[]", "delivery_success",
              "created[gt]", "created[gte]", "created[lt]", "created[lte]"}


@dataclass(frozen=True)
class Listed:
    event: Event
    created: int
    number: int          # of two that were created in one second, the later one stands before the other
    visible_at: float
    is_delivered: bool = True

    @property
    def position(self) -> tuple[int, int]:
        return self.created, self.number


@dataclass(frozen=True)
class Asked:
    parameters: list[tuple[str, str]]
    headers: dict[str, str]  # names in lower case
    events: int = 0          # that the answer had
    time: float = field(default_factory=time.monotonic, compare=False)

    def parameter(self, name: str) -> str | None:
        return dict(self.parameters).get(name)


class BadRequest(ValueError):
    """What a provider would refuse: a test with a poller that asks so fails at its end."""


# What an answer is instead: a status, or something of its own.
Fault = int | Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Limit:
    calls: int
    retry_after: str | None


@dataclass
class EventList:
    """Owns its port; ends with `close()`. Tests add events while it is asked."""

    path = "/v1/events"
    retention = 30 * 86400

    key: str = "rk_test_list"
    asked: list[Asked] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # requests that no honest client makes

    def __post_init__(self) -> None:
        self._events: list[Listed] = []
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._passed = 0.0
        self._faults: list[Fault] = []
        self._limit: Limit | None = None
        self._forgotten_before = 0.0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
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
        assert not self.refused, self.refused

    # the provider's side

    @property
    def now(self) -> float:
        return time.time() + self._passed

    def pass_time(self, seconds: float) -> None:
        self._passed += seconds

    def add(self, *events: Event, ago: float = 0, visible_in: float = 0, delivered: bool = True) -> None:
        """Created so many seconds ago, whatever their bodies said; listed from `visible_in` seconds on."""
        with self._lock:
            for event in events:
                created, number = int(self.now - ago), next(self._numbers)
                self._events.append(Listed(self.dated(event, created, number), created, number, self.now + visible_in, delivered))
            self._events.sort(key=lambda one: one.position)

    @property
    def events(self) -> list[Event]:
        return [one.event for one in self._events]

    def spoil(self, event: Event, **without: object) -> None:
        """Its fields are said otherwise; None: they are not there."""
        with self._lock:
            for number, one in enumerate(self._events):
                if one.event.id != event.id:
                    continue
                document = {**json.loads(one.event.body), **without}
                body = printed({name: value for name, value in document.items() if value is not None})
                self._events[number] = replace(one, event=one.event.with_body(body))

    def forget_before(self, ago: float) -> None:
        """As if the provider kept events for less long."""
        self._forgotten_before = self.now - ago

    def fail(self, *faults: Fault) -> None:
        """The next requests, one fault each, before any is answered again."""
        self._faults.extend(faults)

    def limit(self, calls: int, retry_after: str | None = None) -> None:
        """So many requests are answered; then 429, until `unlimit`."""
        self._limit = Limit(calls, retry_after)

    def unlimit(self) -> None:
        self._limit = None

    # answering, as Stripe does

    @staticmethod
    def dated(event: Event, created: int, _number: int) -> Event:
        return at(event, created)

    @staticmethod
    def unknown(place: KeyError) -> dict:
        return {"type": "invalid_request_error", "code": "resource_missing", "message": f"No such event: {place}"}

    def page(self, parameters: list[tuple[str, str]]) -> dict:
        """The list as it is given. Raises KeyError for a place that it does not know."""
        given = dict(parameters)
        limit = int(given.get("limit", "10"))
        with self._lock:
            found = [one for one in self._visible() if self._fits(one, given, parameters)]
        found.reverse()  # newest first
        if "ending_before" in given:
            place = self._place(given["ending_before"])
            newer = [one for one in found if one.position > place]
            chosen, has_more = newer[-limit:], len(newer) > limit
        else:
            older = found if "starting_after" not in given else [one for one in found if one.position < self._place(given["starting_after"])]
            chosen, has_more = older[:limit], len(older) > limit
        return {"object": "list", "url": "/v1/events", "has_more": has_more, "data": [json.loads(one.event.body) for one in chosen]}

    def _visible(self) -> Iterator[Listed]:
        oldest = max(self._forgotten_before, self.now - self.retention)
        return (one for one in self._events if one.visible_at <= self.now and one.created >= oldest)

    def _place(self, event: str) -> tuple[int, int]:
        with self._lock:
            return {one.event.id: one.position for one in self._visible()}[event]

    @staticmethod
    def _fits(one: Listed, given: dict[str, str], parameters: list[tuple[str, str]]) -> bool:
        bounds = {"created[gt]": int.__gt__, "created[gte]": int.__ge__, "created[lt]": int.__lt__, "created[lte]": int.__le__}
        types = [value for name, value in parameters if name == "types[]"]
        return (all(holds(one.created, int(given[name])) for name, holds in bounds.items() if name in given)
                and (not types or one.event.type in types)
                and ("delivery_success" not in given or one.is_delivered == (given["delivery_success"] == "true")))

    def _check(self, parameters: list[tuple[str, str]]) -> None:
        names = [name for name, _ in parameters]
        given = dict(parameters)
        if unknown := set(names) - PARAMETERS:
            raise BadRequest(f"unknown parameters: {unknown}")
        if not 1 <= int(given.get("limit", "10")) <= MOST:
            raise BadRequest(f"limit is {given['limit']}")
        if "starting_after" in given and "ending_before" in given:
            raise BadRequest("both cursors")
        if names.count("types[]") > MOST_TYPES or ("types[]" in names and "type" in names):
            raise BadRequest("types")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                target = urlsplit(self.path)
                parameters = parse_qsl(target.query, keep_blank_values=True)
                headers = {name.lower(): value for name, value in self.headers.items()}
                fault = owner._faults.pop(0) if owner._faults else owner._limited()
                if callable(fault):
                    owner.asked.append(Asked(parameters, headers))
                    fault(self)
                    return
                status, document = (fault, {"error": {"type": "api_error"}}) if fault else owner._answer(target.path, parameters, headers)
                owner.asked.append(Asked(parameters, headers, len(document.get("data", ()))))
                self.say(status, printed(document), owner._limit.retry_after if owner._limit and status == 429 else None)

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
                """The test says what is worth saying."""

        return Handler

    def _limited(self) -> int:
        if self._limit is None:
            return 0
        self._limit.calls -= 1
        return 429 if self._limit.calls < 0 else 0

    def _answer(self, path: str, parameters: list[tuple[str, str]], headers: dict[str, str]) -> tuple[int, dict]:
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


def _user_of(headers: dict[str, str]) -> str:
    """Of HTTP basic authentication, which Stripe takes as well."""
    text = headers.get("authorization", "")
    if not text.startswith("Basic "):
        return ""
    return base64.b64decode(text.removeprefix("Basic ")).decode().partition(":")[0]


def at(event: Event, created: int) -> Event:
    """The event as it was created at that time."""
    document = json.loads(event.body)
    document["created"] = created
    return event.with_body(printed(document))


# answers that break

def says(body: bytes, status: int = 200) -> Fault:
    return lambda handler: handler.say(status, body)


def cut_short(handler: BaseHTTPRequestHandler) -> None:
    """The connection ends in the middle of the body."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"object": "list", "data": [')
    handler.close_connection = True


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True
