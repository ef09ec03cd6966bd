"""A provider that retries like Stripe, with time running faster: only a 2xx ends a delivery.

Several workers take what is due from one heap, so deliveries overtake each other, and an event may be on the way twice at
the same moment. A provider remembers every body it signed honestly: nothing else may ever be found anywhere.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tests.chaos.workload import LATE, Webhook, content_of
from tests.support.events import Event, printed
from tests.support.provider import Provider, signature_header
from tests.support.wait import wait_for

WORKERS = 12
PATIENCE = 6.0              # seconds for one answer
BACKOFF = (0.1, 5.0)        # seconds before the first redelivery, and at most
IN_A_HURRY = 0.5            # at most, once everything has healed
STALE = 3 * 24 * 3600       # seconds: more than any clock of ours is stepped
WRONG_SECRET = "whsec_" + "0" * 48


@dataclass
class Delivery:
    webhook: Webhook
    attempts: int = 0
    accepted: bool = False


@dataclass
class Told:
    """What the provider was told, for the checker."""

    accepted: dict[tuple[str, str], str] = field(default_factory=dict)  # (event id, content) -> type, answered 2xx
    accepted_unreadable: set[str] = field(default_factory=set)          # SHA-256 of bodies, answered 2xx
    authentic: set[str] = field(default_factory=set)                    # SHA-256 of every body that was signed honestly
    believed: list[str] = field(default_factory=list)                   # forgeries that were answered 2xx
    answers: Counter[str] = field(default_factory=Counter)              # by kind and status


class ChaosProvider:
    """Deliveries begin with `send`; `finish` waits until each honest one has its 2xx."""

    def __init__(self, ports: Sequence[int], secret: str, path: str, seed: int, late_path: str = "") -> None:
        """Events of late objects go to `late_path`, where nobody may know them at first."""
        self.told = Told()
        self._late_path = late_path
        self._doors = [Provider(port, secret, path) for port in ports]
        self._dice = Random(f"{seed}/provider")
        self._heap: list[tuple[float, int, Delivery]] = []
        self._order = itertools.count()
        self._changed = threading.Condition()
        self._open = 0
        self._longest = BACKOFF[1]
        self._ended = False
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(WORKERS)]
        for thread in self._threads:
            thread.start()

    @property
    def signatures(self) -> set[str]:
        return {text for door in self._doors for text in door.signatures}

    @property
    def unanswered(self) -> int:
        """Honest deliveries without a 2xx so far."""
        return self._open

    def send(self, webhook: Webhook) -> None:
        self._start(webhook)
        if webhook.kind == "twin":
            self._start(webhook)

    def finish(self, within: float) -> None:
        self._longest = IN_A_HURRY
        wait_for(lambda: self._open == 0, "a 2xx for every honest event", within, every=0.05)

    def end(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _start(self, webhook: Webhook) -> None:
        with self._changed:
            self._open += webhook.honest
            self._push(Delivery(webhook), 0)

    def _push(self, delivery: Delivery, delay: float) -> None:
        heapq.heappush(self._heap, (time.monotonic() + delay, next(self._order), delivery))
        self._changed.notify()

    def _work(self) -> None:
        while (delivery := self._next()) is not None:
            with self._changed:
                door = self._dice.choice(self._doors)
                jitter = self._dice.uniform(0.5, 1.5)
            delivery.accepted = self._attempt(delivery, door)
            delivery.attempts += 1
            if not delivery.webhook.honest:
                continue
            with self._changed:
                if delivery.accepted:
                    self._open -= 1
                else:
                    self._push(delivery, jitter * min(BACKOFF[0] * 2 ** min(delivery.attempts, 10), self._longest))

    def _next(self) -> Delivery | None:
        with self._changed:
            while not self._ended:
                now = time.monotonic()
                if self._heap and self._heap[0][0] <= now:
                    return heapq.heappop(self._heap)[2]
                self._changed.wait(self._heap[0][0] - now if self._heap else None)
        return None

    def _attempt(self, delivery: Delivery, door: Provider) -> bool:
        webhook = delivery.webhook
        body = attempt_body(webhook, delivery.attempts)
        with self._changed:
            self._note_before(webhook, body)
        path = self._late_path if webhook.event.object.endswith(LATE) else None
        answer = door.post(body, self._headers(webhook, body, door), path, within=PATIENCE)
        with self._changed:
            self.told.answers[f"{webhook.kind} {answer.status}"] += 1
            if answer.accepted:
                self._note_accepted(webhook, body)
        return answer.accepted

    def _headers(self, webhook: Webhook, body: bytes, door: Provider) -> list[tuple[str, str]]:
        now = int(time.time())
        match webhook.kind:
            case "forged":
                return door.headers(body, now, WRONG_SECRET)
            case "stale":
                return door.headers(body, now - STALE)
            case "tampered":
                original = body.replace(b'"amount": 666002', b'"amount": 1')
                return [*door.headers(body)[:2], ("Stripe-Signature", signature_header(door.secret, original, now))]
        return door.headers(body, now)

    def _note_before(self, webhook: Webhook, body: bytes) -> None:
        """Authentic from the moment it is signed: the answer may never come."""
        if webhook.honest:
            self.told.authentic.add(digest(body))

    def _note_accepted(self, webhook: Webhook, body: bytes) -> None:
        if not webhook.honest:
            self.told.believed.append(f"{webhook.kind} {webhook.event.id}")
        elif (content := content_of(body)) is not None:
            self.told.accepted[content] = webhook.event.type
        else:
            self.told.accepted_unreadable.add(digest(body))


def attempt_body(webhook: Webhook, attempts: int) -> bytes:
    """A redelivery differs where Stripe's does."""
    event: Event = webhook.event
    document = content_of(event.body) and json.loads(event.body)
    if not document or "pending_webhooks" not in document:
        return event.body
    document["pending_webhooks"] += attempts + 3 * (webhook.kind == "again")
    return replace(event, body=printed(document)).body


def digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
