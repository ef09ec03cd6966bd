"""Sends the clicks as a service would that gives up and calls again, and keeps what it was told."""

from __future__ import annotations

import asyncio
import json
import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping

from deploy.demo.steps import say
from deploy.examples.charging.caller import Caller, Told
from deploy.examples.charging.plan import Plan

CONNECTIONS = 32  # each with one request at a time
LOOKED_UP_EACH = 20  # one of so many clicks is looked up after it was sent
ATTEMPTS = 300
AGAIN_AFTER = 0.2  # seconds
SAY_EVERY = 5.0  # seconds
TELLS_NOTHING = {0, 202, 409, 429, 503}  # statuses that say: the same again

Response = tuple[int, bytes]


class Traffic:
    """One sending of a plan, in one thread; a click is known by its number."""

    def __init__(self, plan: Plan, caller: Callable[[], Caller]) -> None:
        self._plan, self._caller = plan, caller
        self.responses: defaultdict[int, Counter[Response]] = defaultdict(Counter)
        self.executed: Counter[int] = Counter()        # responses of which we were told that this request was executed
        self.accepted: set[int] = set()
        self.looked_up: list[tuple[int, dict]] = []    # in the order of time
        self.given_up: list[int] = []
        self.answers: Counter[tuple[str, int]] = Counter()  # by kind and status
        self.strange: list[Told] = []                  # what no caller may be told
        self.ms: defaultdict[str, array] = defaultdict(lambda: array("d"))
        self.seconds = 0.0
        self.sent = 0

    def send(self, at: Mapping[int, Callable[[], None]]) -> None:
        """All that is planned. `at`: what is done as soon as so many were sent, in this thread."""
        asyncio.run(self._all(iter(self._plan.sends), self._send_one, dict(at)))

    def look_up(self, numbers: list[int]) -> None:
        asyncio.run(self._all(iter(numbers), self._look_up_one, {}))

    async def _all(self, numbers: Iterator[int], one: Callable, at: dict[int, Callable[[], None]]) -> None:
        self.sent, began = 0, time.monotonic()
        async with asyncio.TaskGroup() as group:
            talk = group.create_task(self._say(began))
            workers = [group.create_task(self._work(numbers, one, at)) for _ in range(CONNECTIONS)]
            await asyncio.wait(workers)
            talk.cancel()
        self.seconds += time.monotonic() - began

    async def _work(self, numbers: Iterator[int], one: Callable, at: dict[int, Callable[[], None]]) -> None:
        caller = self._caller()
        for number in numbers:
            await one(caller, number)
            self.sent += 1
            if due := at.pop(self.sent, None):
                due()
        caller.close()

    async def _send_one(self, caller: Caller, number: int) -> None:
        body = self._plan.clicks[number].body
        for _ in range(ATTEMPTS):
            if self._take(number, await caller.charge(body)):
                break
            await asyncio.sleep(AGAIN_AFTER)
        else:
            self.given_up.append(number)
        if number % LOOKED_UP_EACH == 0:
            await self._look_up_one(caller, number)

    def _take(self, number: int, told: Told) -> bool:
        """False: the same has to be sent again."""
        kind = self._kind(number, told)
        self.answers[kind, told.status] += 1
        if told.is_response:
            self.responses[number][told.status, told.body] += 1
            self.executed[number] += told.mark == "false"
        elif told.is_accepted:
            self.accepted.add(number)
        else:
            if told.status not in TELLS_NOTHING:
                self.strange.append(told)
            return False
        self.ms[kind].append(told.ms)
        return True

    def _kind(self, number: int, told: Told) -> str:
        if told.is_accepted:
            return "hot, accepted"
        if not told.is_response:
            return "tells nothing"
        if told.mark == "true":
            return "replay"
        return "hot, at once" if self._plan.clicks[number].is_hot else "small"

    async def _look_up_one(self, caller: Caller, number: int) -> None:
        told = await caller.look_up(self._plan.clicks[number].key)
        self.answers["look-up" if told.status else "tells nothing", told.status] += 1
        if told.status == 200:
            self.looked_up.append((number, json.loads(told.body)))
            self.ms["look-up"].append(told.ms)
        elif told.status not in TELLS_NOTHING:
            self.strange.append(told)

    async def _say(self, began: float) -> None:
        while True:
            await asyncio.sleep(SAY_EVERY)
            passed = time.monotonic() - began
            say(f"  {self.sent:,} sent in {passed:.0f} s, {self.sent / passed:,.0f} a second; "
                f"{len(self.accepted):,} were accepted through Kafka")
