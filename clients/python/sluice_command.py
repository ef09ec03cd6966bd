"""A client of sluice-command: money operations that are executed once, however often they are sent (docs/clients.md).

It needs httpx. A client belongs to one thread at a time."""

from __future__ import annotations

import base64
import contextlib
import hmac
import json
import random
import re
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote

import httpx


class _NoTruth:
    def __bool__(self) -> bool:
        raise TypeError(f"{type(self).__name__} is neither true nor false: match on Done, Refused and Unknown")


@dataclass(frozen=True)
class Problem:
    """What sluice-command says where it has no response of the command."""

    status: int
    name: str  # "in_progress", "key_reused" and so on, of command/openapi.yaml
    detail: str


@dataclass(frozen=True)
class Response:
    status: int  # the command's own: too little money may be a 409
    content_type: str
    body: bytes


@dataclass(frozen=True)
class Done(_NoTruth):
    """The command was executed once, and this is its first response."""

    response: Response
    is_replayed: bool  # it was stored before this request


@dataclass(frozen=True)
class Refused(_NoTruth):
    """Nothing was executed by this call. The same again would be refused again."""

    problem: Problem


@dataclass(frozen=True)
class Unknown(_NoTruth):
    """Perhaps the command was executed, perhaps it will be: not a failure. Look the key up, or send the same bytes with the same key."""

    problem: Problem | None  # the last one that was told; None: there was no answer


@dataclass(frozen=True)
class Standing:
    """What became of a key."""

    state: str                # "absent", "in_progress", "done" or "failed"
    response: Response | None  # where it is done
    problem: Problem | None    # where it failed and nobody knows whether it was executed


@dataclass(frozen=True)
class Time:
    """Tests hand in their own."""

    now: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    pause: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random  # 0 to 1


@dataclass(frozen=True)
class Limits:
    connect: float = 1.0             # seconds
    attempt: float = 5.0             # seconds, for one request and its whole answer
    deadline: float = 20.0           # seconds, for a call with all its attempts
    first_pause: float = 0.05        # seconds; doubles each time
    longest_pause: float = 2.0       # seconds; Retry-After may ask for more
    longest_response: int = 256 << 10  # bytes


@dataclass(frozen=True)
class _Answer:
    status: int = 0  # 0: there is no whole answer
    headers: httpx.Headers = field(default_factory=httpx.Headers)
    body: bytes = b""
    was_sent: bool = True  # the request

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "").split(";")[0].strip().lower()

    @property
    def retry_after(self) -> float:
        value = self.headers.get("retry-after", "")
        return float(value) if re.fullmatch("[0-9]{1,9}", value) else 0.0


@dataclass(frozen=True)
class _Again:
    problem: Problem | None = None
    after: float = 0.0          # seconds
    surely_not: bool = False    # nothing was executed by this attempt
    look_up: str | None = None  # ask there in place of sending it again


def key_field(key: str) -> str:
    """The value of Idempotency-Key: a string of RFC 8941."""
    if not re.fullmatch(r"[\x20-\x7e]{1,255}", key) or key in (".", ".."):
        raise ValueError("an idempotency key has 1 to 255 printable ASCII characters, and not only one or two full stops")
    return '"' + re.sub(r'(["\\])', r"\\\1", key) + '"'


def _path(*names: str) -> str:
    return "/v1/commands/" + "/".join(quote(name, safe="") for name in names)


def signature(secret: bytes, identity: str, at: int, method: str, target: str, key: str, body: bytes) -> str:
    """By Standard Webhooks, over method, target, the value of Idempotency-Key (empty without it) and body."""
    signed = f"{identity}.{at}.{method} {target}\n{key}\n".encode() + body
    return "v1," + base64.b64encode(hmac.digest(secret, signed, "sha256")).decode()


def _read_json(body: bytes) -> dict:
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(body)
        return value if isinstance(value, dict) else {}
    return {}


def _problem_of(answer: _Answer) -> Problem | None:
    said = _read_json(answer.body) if answer.content_type == "application/problem+json" else {}
    urn, _, name = str(said.get("type", "")).rpartition(":")
    return Problem(answer.status, name, str(said.get("detail", ""))) if urn == "urn:sluice:problem" else None


def _judge(answer: _Answer) -> Refused | Unknown | _Again:
    """An answer without a response of the command. What sluice-command would not say counts as no answer."""
    problem = _problem_of(answer)
    surely_not = problem is not None and (problem.status in (408, 429) or problem.name == "busy")
    if problem and problem.name == "not_known":
        return Unknown(problem)
    if problem and problem.status < 500 and problem.name != "in_progress" and not surely_not:
        return Refused(problem)
    return _Again(problem, answer.retry_after, surely_not or not answer.was_sent)


def _judge_sent(answer: _Answer, own: frozenset[str]) -> Done | Refused | Unknown | _Again:
    """What one answer to a command means. A response of the command has the mark, whatever its status."""
    if answer.status // 100 not in (2, 4) or answer.status in (408, 425, 429):
        return _judge(answer)
    if (mark := answer.headers.get("idempotency-replayed")) in ("true", "false"):
        response = Response(answer.status, answer.content_type, answer.body)
        return Done(response, mark == "true") if answer.content_type in own or answer.status == 204 else _Again(None, answer.retry_after)
    location = re.fullmatch("/v1/commands/[A-Za-z0-9._~%/-]+", answer.headers.get("location", "")) if answer.status < 300 else None
    return _Again(None, answer.retry_after, look_up=location[0]) if location else _judge(answer)


def _standing_of(answer: _Answer) -> Standing | None:
    """None: this is no answer to a look-up."""
    said = _read_json(answer.body) if (answer.status, answer.content_type) == (200, "application/json") else {}
    state, first, is_final = said.get("state"), said.get("response"), said.get("retryable") is False
    with contextlib.suppress(KeyError, TypeError, ValueError):
        response = Response(int(first["status"]), str(first["content_type"]), str(first["body"]).encode()) if state == "done" else None
        problem = Problem(502, "not_known", str(said.get("why", ""))) if state == "failed" and is_final else None
        return Standing(state, response, problem) if isinstance(state, str) else None
    return None


def _judge_standing(answer: _Answer, location: str) -> Done | Refused | Unknown | _Again:
    """What a look-up says of a command that was sent. Absent, or failed without a problem: it was undone, so it is sent again."""
    if (standing := _standing_of(answer)) is None:
        judged = _judge(answer)
        return _Again(judged.problem, judged.after, look_up=location) if isinstance(judged, _Again) else judged
    if standing.response:
        return Done(standing.response, is_replayed=True)
    return Unknown(standing.problem) if standing.problem else _Again(look_up=location if standing.state == "in_progress" else None)


class _Course:
    """One call: its deadline, and how it paces its attempts."""

    def __init__(self, limits: Limits, clock: Time) -> None:
        self._limits, self._time, self._pause = limits, clock, limits.first_pause
        self._until = clock.now() + limits.deadline
        self.problem: Problem | None = None

    def left(self) -> float:
        return max(0.001, min(self._limits.attempt, self._until - self._time.now()))  # a socket takes no negative time

    def goes_on(self, again: _Again) -> bool:
        """Waits for the next attempt. False: the deadline is over by then."""
        self.problem = again.problem or self.problem
        pause = again.after + self._pause * (1 + self._time.chance()) / 2
        self._pause = min(2 * self._pause, self._limits.longest_pause)
        if goes_on := self._time.now() + pause < self._until:
            self._time.pause(pause)
        return goes_on and self._time.now() < self._until


@dataclass
class CommandClient:
    """`url` is scheme, host and port; `secret` the caller's key, `whsec_…`."""

    url: str
    caller: str
    secret: str = field(repr=False)
    tls: ssl.SSLContext | bool = True
    limits: Limits = Limits()
    clock: Time = Time()
    content_types: frozenset[str] = frozenset({"application/json"})  # of the commands' own responses

    def __post_init__(self) -> None:
        self._key = base64.b64decode(self.secret.removeprefix("whsec_"), validate=True)
        if not self.secret.startswith("whsec_") or not self._key:
            raise ValueError("a caller's secret is whsec_ and base64")
        self._socket: socket.socket | None = None
        one_each = httpx.Limits(max_keepalive_connections=0)  # httpx would take a surplus answer for that of the next request
        self._http = httpx.Client(base_url=self.url, verify=self.tls, trust_env=False, limits=one_each)

    def close(self) -> None:
        self._http.close()

    def execute(self, command: str, *, key: str | None, body: bytes) -> Done | Refused | Unknown:
        """Sends the command until there is an answer or the deadline is over. Make `key` once for what you want done, and keep it
        with `body` until you know the outcome. None: the command makes its key of the body."""
        course, given = _Course(self.limits, self.clock), "" if key is None else key_field(key)
        in_doubt, location = False, None
        while True:
            if location:
                judged = _judge_standing(self._ask("GET", location, "", b"", course.left()), location)
            else:
                judged = _judge_sent(self._ask("POST", _path(command), given, body, course.left()), self.content_types)
            if not isinstance(judged, _Again):  # a refusal tells nothing of attempts before
                return Unknown(judged.problem) if in_doubt and isinstance(judged, Refused) else judged
            in_doubt, location = in_doubt or not judged.surely_not, judged.look_up
            if not course.goes_on(judged):
                return Unknown(course.problem)

    def look_up(self, command: str, key: str) -> Standing | Refused | Unknown:
        """What became of the key. Of `absent`: a request that is on its way may still come."""
        course, target = _Course(self.limits, self.clock), _path(command, key)
        while True:
            answer = self._ask("GET", target, "", b"", course.left())
            if not isinstance(judged := _standing_of(answer) or _judge(answer), _Again):
                return judged
            if not course.goes_on(judged):
                return Unknown(course.problem)

    def _ask(self, method: str, target: str, key: str, body: bytes, within: float) -> _Answer:
        """One attempt."""
        identity, at = f"req_{secrets.token_hex(16)}", int(self.clock.wall())
        headers = {"sluice-caller": self.caller, "webhook-id": identity, "webhook-timestamp": str(at), "accept-encoding": "identity",
                   "webhook-signature": signature(self._key, identity, at, method, target, key, body),
                   **({"content-type": "application/json"} if method == "POST" else {}), **({"idempotency-key": key} if key else {})}
        end = threading.Timer(within, self._cut)  # httpx counts anew with each byte
        end.start()
        try:
            with self._http.stream(method, target, content=body or None, headers=headers, extensions={"trace": self._see},
                                   timeout=httpx.Timeout(within, connect=min(within, self.limits.connect))) as response:
                return self._read(response)
        except httpx.HTTPError as error:
            return _Answer(was_sent=not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout))
        finally:
            end.cancel()

    def _read(self, response: httpx.Response) -> _Answer:
        """None that is too large, or that says not where it ends: a part of it looks whole."""
        has_end = "content-length" in response.headers or "transfer-encoding" in response.headers or response.status_code == 204
        body = bytearray()
        for part in response.iter_raw():
            body += part
            if len(body) > self.limits.longest_response:
                return _Answer()
        return _Answer(response.status_code, response.headers, bytes(body)) if has_end else _Answer()

    def _see(self, event: str, told: dict) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = told["return_value"].get_extra_info("socket")

    def _cut(self) -> None:
        with contextlib.suppress(OSError):  # it is closed
            if self._socket:
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
