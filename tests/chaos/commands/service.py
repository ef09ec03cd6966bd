"""The service that executes calls: it keeps the highest fence of each key, and fails in every way in which it still keeps its duties
(docs/commands.md, "What the service must do")."""

from __future__ import annotations

import json
import time
from collections import Counter
from random import Random

from tests.support.executing import Answering, Called, Service, Way, cuts, hangs, says

LATE = (0.3, 3.0)     # seconds: shorter and longer than a call may take
OVERTAKEN = 409
FAILS, QUERY_FAILS = 0.5, 0.2
MUTE, MUTE_TIMES = 0.5, 2  # of keys: whoever asks is told nothing so often, and the call stays in progress under its next fence


class ChaosService(Service):
    """Knows no key again, so that a second execution would be seen; but for those of `forgotten`, a command whose record may be lost."""

    def __init__(self, seed: int, forgotten: str) -> None:
        self.is_well, self._seed, self._forgotten = False, seed, forgotten
        self.names: dict[str, str] = {}          # the caller's key, by that of the call
        self.executed_at: dict[str, float] = {}  # seconds, by the caller's key; the first time
        self.overtaken = 0                       # calls that came under a fence that was no longer the highest
        self._tries: Counter[str] = Counter()
        super().__init__(way=self._way)

    def known_again(self, called: Called) -> bytes | None:
        return self.executed.get(called.key) if called.headers["sluice-command"] == self._forgotten else None

    def says_of(self, key: str) -> int:
        """Whoever asks may be told nothing of use."""
        name = f"{self.names.get(key, key)}/query"
        is_mute = Random(f"{self._seed}/{name}").random() < MUTE
        dice, times = self._dice(name), self._tries[name]
        return 503 if not self.is_well and (dice.random() < QUERY_FAILS or (is_mute and times <= MUTE_TIMES)) else 0

    def _dice(self, of: str) -> Random:
        """What becomes of a call is of the call and the try, not of the moment."""
        with self.mutex:
            self._tries[of] += 1
            return Random(f"{self._seed}/{of}/{self._tries[of]}")

    def _way(self, answering: Answering) -> None:
        name = json.loads(answering.called.body)["refund"]
        self.names[answering.called.key] = name
        dice, comes_too_late = self._dice(name), is_overtaken(answering)
        with self.mutex:
            self.overtaken += comes_too_late
        ways: list[Way] = [says(429), says(500), hangs, cuts, executes, executes_and(says(500)), executes_and(hangs), executes_and(cuts),
                           is_late(self, dice.uniform(*LATE))]
        as_well = self.is_well or dice.random() >= FAILS or comes_too_late
        (executes if as_well else dice.choice(ways))(answering)


def is_overtaken(answering: Answering) -> bool:
    """Somebody asked, or called, under a higher fence."""
    return answering.called.fence < answering.service.fences.get(answering.called.key, 0)


def _execute(answering: Answering) -> bytes | None:
    """None: it is not."""
    service, called = answering.service, answering.called
    with service.mutex:
        if known := service.known_again(called):
            return known
        if is_overtaken(answering):
            return None
        service.fences[called.key] = called.fence
        service.executions.append(called.key)
        service.executed_at.setdefault(service.names[called.key], time.monotonic())
        service.executed[called.key] = json.dumps({"execution": len(service.executions)}).encode()
        return service.executed[called.key]


def executes(answering: Answering) -> None:
    done = _execute(answering)
    answering.say(OVERTAKEN, b'{"error": "overtaken"}') if done is None else answering.say(200, done)


def executes_and(way: Way) -> Way:
    def executes_then(answering: Answering) -> None:
        _execute(answering)
        way(answering)
    return executes_then


def is_late(service: Service, seconds: float) -> Way:
    def late(answering: Answering) -> None:
        service.closing.wait(seconds)
        executes(answering)
    return late
