"""A payment provider: signs like Stripe, delivers, and retries until somebody says 2xx.

Written from Stripe's public description of webhook signatures: `Stripe-Signature: t=<unix seconds>,v1=<hex>`, the hex
being HMAC-SHA256 over "<t>.<raw body>" keyed with the endpoint secret's text.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import threading
import time
from dataclasses import dataclass

from tests.support.events import Event
from tests.support.wait import LONG_ENOUGH, wait_for

ANSWER_WITHIN = 15.0  # seconds after which this provider gives an attempt up


def signature(secret: str, body: bytes, at: int) -> str:
    """The lower-case hex of one v1 signature."""
    return hmac.new(secret.encode(), str(at).encode() + b"." + body, hashlib.sha256).hexdigest()


def signature_header(secret: str, body: bytes, at: int) -> str:
    return f"t={at},v1={signature(secret, body, at)}"


@dataclass(frozen=True)
class Answer:
    """What an attempt came to; status 0: no answer (refused, reset, closed, timed out)."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float
    error: str = ""

    @property
    def accepted(self) -> bool:
        return 200 <= self.status < 300


class Provider:
    """One Stripe account with one endpoint. Remembers every attempt; safe to use from several threads."""

    def __init__(self, port: int, secret: str, path: str) -> None:
        self.port = port
        self.secret = secret
        self.path = path
        self.deliveries: list[Delivery] = []
        self.signatures: set[str] = set()  # that were sent: they are as good as secrets in a log
        self._lock = threading.Lock()

    def deliver(self, event: Event) -> Delivery:
        """The first attempt is made at once."""
        delivery = self.start(event)
        delivery.attempt()
        return delivery

    def start(self, event: Event) -> Delivery:
        """An event that is about to be delivered: no attempt yet."""
        delivery = Delivery(self, event)
        with self._lock:
            self.deliveries.append(delivery)
        return delivery

    def headers(self, body: bytes, at: int | None = None, secret: str | None = None) -> list[tuple[str, str]]:
        at = int(time.time()) if at is None else at
        hexed = signature(secret or self.secret, body, at)
        with self._lock:
            self.signatures.add(hexed)
        return [("Content-Type", "application/json; charset=utf-8"), ("User-Agent", "Stripe/1.0"),
                ("Stripe-Signature", f"t={at},v1={hexed}")]

    def post(self, body: bytes, headers: list[tuple[str, str]], path: str | None = None,
             within: float = ANSWER_WITHIN) -> Answer:
        """One attempt on a connection of its own, given up when nothing comes for `within` seconds."""
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=within)
        try:
            connection.putrequest("POST", path or self.path, skip_accept_encoding=True)
            connection.putheader("Content-Length", str(len(body)))
            for name, value in headers:
                connection.putheader(name, value)
            connection.endheaders(body)
            reply = connection.getresponse()
            content = reply.read()
            return Answer(reply.status, {name.lower(): value for name, value in reply.getheaders()}, content,
                          time.monotonic() - began)
        except (OSError, http.client.HTTPException) as error:
            return Answer(0, {}, b"", time.monotonic() - began, f"{type(error).__name__}: {error}")
        finally:
            connection.close()

    @property
    def accepted(self) -> list[Event]:
        """Events that were answered 2xx at least once: each of them must be applied, exactly once."""
        return [delivery.event for delivery in self.deliveries if delivery.accepted]

    def retry_refused(self, within: float = LONG_ENOUGH) -> None:
        """As Stripe does: every event without a 2xx is delivered again, until it has one."""
        for delivery in self.deliveries:
            if not delivery.accepted:
                delivery.until_accepted(within)


class Delivery:
    """One event's story at the provider: every attempt and its answer."""

    def __init__(self, provider: Provider, event: Event) -> None:
        self.provider = provider
        self.event = event
        self.answers: list[Answer] = []

    def attempt(self, *, at: int | None = None, secret: str | None = None) -> Answer:
        """One more attempt, freshly signed; a redelivery's body differs where Stripe's does."""
        body = (self.event.redelivered() if self.answers else self.event).body
        answer = self.provider.post(body, self.provider.headers(body, at, secret))
        self.answers.append(answer)
        return answer

    def twice(self) -> Delivery:
        return self.times(2)

    def times(self, attempts: int) -> Delivery:
        """Attempts in all, the first included."""
        while len(self.answers) < attempts:
            self.attempt()
        return self

    def until_accepted(self, within: float = LONG_ENOUGH) -> Delivery:
        wait_for(lambda: self.accepted or self.attempt().accepted, f"a 2xx for {self.event.id}", within, every=0.1)
        return self

    def expect(self, *statuses: int) -> Delivery:
        """Every attempt so far was answered with one of `statuses`."""
        seen = [answer.status or answer.error for answer in self.answers]
        assert all(status in statuses for status in seen), f"{self.event.id}: {seen}, wanted {statuses}"
        return self

    @property
    def accepted(self) -> bool:
        return any(answer.accepted for answer in self.answers)

    @property
    def last(self) -> Answer:
        return self.answers[-1]
