"""Services that call: with time-outs that are too short, again with the same key, through whichever process, and with look-ups."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable
from functools import partial
from random import Random

from tests.chaos.commands.told import CALLS, CHARGE, Asked, Told
from tests.chaos.story import Story
from tests.support.caller import Caller
from tests.support.caller import Told as Answer

TIMEOUTS = (0.02, 0.1, 0.4, 1.5, 5.0)  # seconds
PAUSE = (0.0, 0.15)
REMEMBERED = 25  # keys that a caller still asks for


class Log:
    """All that was told, of all callers. Thread-safe."""

    def __init__(self, forgotten: str) -> None:
        self.forgotten = forgotten  # its command's records may be lost
        self._mutex = threading.Lock()
        self.told: list[Told] = []
        self.asked: dict[Asked, None] = {}  # in their order
        self.unanswered = 0

    def ask(self, asked: Asked) -> None:
        with self._mutex:
            self.asked[asked] = None

    def add(self, told: Told | None) -> Told | None:
        with self._mutex:
            if told:
                self.told.append(told)
            else:
                self.unanswered += 1
        return told


def send(caller: Caller, asked: Asked, *, other_body: bool = False) -> Told | None:
    price = asked.price + other_body
    body = {"name": asked.account, "key": asked.key, "price": price} if asked.command == CHARGE else {"refund": asked.key, "price": price}
    return _told(asked, lambda: caller.send(asked.command, body, key=asked.key), other_body=other_body)


def look_up(caller: Caller, asked: Asked) -> Told | None:
    return _told(asked, lambda: caller.ask("GET", f"/v1/commands/{asked.command}/{asked.key}"), is_look_up=True)


def _told(asked: Asked, request: Callable[[], Answer], *, is_look_up: bool = False, other_body: bool = False) -> Told | None:
    """None: no answer."""
    sent_at = time.monotonic()
    try:
        answer = request()
    except (OSError, http.client.HTTPException):
        return None
    now, mark = time.monotonic(), answer.headers.get("idempotency-replayed", "")
    if is_look_up and answer.status == 200:
        standing = answer.json
        response = standing.get("response", {})
        return Told(asked, sent_at, now, response.get("status", 0), response.get("body", "").encode(), standing=standing["state"])
    problem = answer.json["type"].rpartition(":")[2] if answer.headers.get("content-type") == "application/problem+json" else ""
    return Told(asked, sent_at, now, answer.status, answer.body, mark, problem, "location" in answer.headers, other_body=other_body)


class CallerThread(threading.Thread):
    def __init__(self, number: int, seed: int, ports: list[int], accounts: tuple[list[str], list[str]], log: Log,
                 story: Story) -> None:
        super().__init__(name=f"caller-{number}", daemon=True)
        self._number, self._ports, self._log, self._story = number, ports, log, story
        self._small, self._hot = accounts
        self._dice = Random(f"{seed}/caller-{number}")
        self._mine: list[Asked] = []
        self._open: dict[Asked, None] = {}  # without a response
        self._just_answered: Asked | None = None

    def run(self) -> None:
        with self._story.attended(self.name):
            while self._story.pause(self._dice.uniform(*PAUSE)):
                self._call()

    def _call(self) -> None:
        asked = self._next()
        caller = Caller(self._dice.choice(self._ports), timeout=self._dice.choice(TIMEOUTS))
        told = self._log.add(self._way(asked)(caller, asked))
        if told and told.response and asked in self._open:
            del self._open[asked]
            self._just_answered = asked

    def _way(self, asked: Asked) -> Callable[[Caller, Asked], Told | None]:
        """What has its response is sent with another body, too: by mistake."""
        chance = self._dice.random()
        if chance < 0.2:
            return look_up
        may_be_other = asked not in self._open and asked.command != self._log.forgotten
        return partial(send, other_body=True) if chance < 0.4 and may_be_other else send

    def _next(self) -> Asked:
        """Often the one that has just got its response, or one without, sometimes one that has it for long, else a new one."""
        answered, self._just_answered, chance = self._just_answered, None, self._dice.random()
        if answered and chance < 0.5:
            return answered
        if self._open and chance < 0.35:
            return self._dice.choice(list(self._open))
        return self._dice.choice(self._mine) if self._mine and chance < 0.6 else self._new()

    def _new(self) -> Asked:
        command = self._dice.choices((CHARGE, *CALLS), (2, 1, 1))[0]
        accounts = self._hot if self._dice.random() < 0.5 else self._small
        asked = Asked(command, f"{self._number}-{len(self._log.asked)}-{self._dice.getrandbits(32):x}",
                      self._dice.choice(accounts) if command == CHARGE else "", self._dice.randint(1, 40))
        self._log.ask(asked)
        self._mine = [*self._mine, asked][-REMEMBERED:]
        self._open[asked] = None
        return asked
