"""The resident set of sluice-ingress over an hour of load with faults: does it stay flat?"""

from __future__ import annotations

import threading
import time

from deploy.stack.ask import ask
from tests.bench import resident
from tests.bench.arena import Arena
from tests.bench.cells import Untrue
from tests.bench.disturbances import Disturbances
from tests.bench.ingress_rounds import Say
from tests.bench.targets import OURS
from tests.bench.traffic import RATE, Traffic
from tests.support import metrics_text
from tests.support.wait import wait_for

PARTITIONS = 12
HOUR = 3600.0
WARM_UP = 0.05  # of the time: allocators and librdkafka take what they need
TURN = 60.0  # seconds from one fault to the next
BAR = 0.02  # of the resident set in an hour


def run(arena: Arena, seconds: float, say: Say) -> dict:
    target, = arena.start([OURS], PARTITIONS)
    disturbances = Disturbances(arena, target)
    with Traffic(target, say) as traffic:
        disturb(disturbances, seconds * WARM_UP, say)
        with resident.Watch(target.pid, min(resident.EVERY, seconds / 30)) as watch:
            disturb(disturbances, seconds, say)
    if watch.failure:
        raise watch.failure
    wait_for(lambda: ask(target.operations, "/readyz")[0] == 200, "the ingress to be ready after all", within=60)
    if metrics_text.parse(target.metrics()).total("sluice_config_reload_failed"):
        raise Untrue("sources could not be loaded again")
    accepted, stored = traffic.answers["fresh"]["200"], arena.log.count(target.topic)
    if stored < accepted:
        raise Untrue(f"{accepted} fresh events were accepted, {stored} records are in Kafka")
    return {"seconds": seconds, "rate": RATE, "bar": BAR, **resident.summary(watch.samples), "accepted": accepted, "stored": stored,
            "answers": {mode: dict(counts) for mode, counts in traffic.answers.items()}, "given_up": traffic.given_up,
            "disturbances": dict(disturbances.counts), "samples": [(round(at, 1), kib) for at, kib in watch.samples]}


def disturb(disturbances: Disturbances, seconds: float, say: Say) -> None:
    """One fault a turn for so long; a fault that takes longer than its turn delays the next."""
    began = time.monotonic()
    pause = threading.Event()
    turn = min(TURN, seconds / 3)
    for number in range(int(seconds / turn)):
        name = disturbances.next()
        say(f"  {time.monotonic() - began:6.0f} s  {name}")
        pause.wait(max(0.0, began + (number + 1) * turn - time.monotonic()))
