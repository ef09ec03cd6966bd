"""Webhooks at a moderate rate for as long as it takes: mostly fresh ones, and of the others some in between."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable

from tests.bench.beside import Beside
from tests.bench.cells import Length, Load, Untrue, send
from tests.bench.targets import Target

RATE = 200  # per second
KNOWN = 60  # at a time, on as many connections: all have their answer even while the broker is gone
TURNS = ((Load("fresh", 64, RATE), 20.0), (Load("forged", 64, RATE), 4.0), (Load("duplicate", 64, RATE, KNOWN), 4.0))

Say = Callable[[str], None]


class Traffic(Beside):
    """The load generator, turn after turn on a thread of its own, inside the block. Faults make answers other than 200, and
    turns that the load generator gives up: both are counted, neither is a failure here."""

    def __init__(self, target: Target, say: Say) -> None:
        super().__init__()
        self.answers: dict[str, Counter[str]] = {load.mode: Counter() for load, _ in TURNS}
        self.given_up = 0
        self._target, self._say = target, say

    def _run(self) -> None:
        for load, seconds in itertools.cycle(TURNS):
            if self.ended.is_set():
                return
            try:
                self.answers[load.mode].update(send(self._target, load, Length(0, seconds))["all"])
            except Untrue as failure:
                self.given_up += 1
                self._say(f"  a turn was given up: {failure}")
                self.ended.wait(1)
