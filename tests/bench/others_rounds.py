"""How much later an object's events are applied while other objects are in trouble: the same events at the same pace into two
consumers at the same time, so that a machine that stalls is late for both; in one of them a twentieth of the events has the trouble."""

from __future__ import annotations

import os
import random
import statistics
import time
from dataclasses import dataclass
from datetime import datetime

from confluent_kafka import Producer

from tests.bench.arena import Arena
from tests.bench.building import ours
from tests.bench.cells import Untrue
from tests.bench.consumer_rounds import new_pipeline
from tests.bench.ingress_rounds import Say
from tests.bench.troubles import ALL_EFFECTS, TROUBLES, UNLUCKY, Trouble, open_books
from tests.support.events import Event, payment
from tests.support.kafka_log import java_partition
from tests.support.records import record_of
from tests.support.wait import wait_for

PER_SECOND = 100  # into each of the two
HEALTHY, TROUBLED = 400, 20  # objects
SHARE = 20  # every so-manyth event is of a troubled object
SEED = 20261122
BLESSED = "cus_blessed"
NOTE = (f"{PER_SECOND}/s; every {SHARE}th event belongs to one of {TROUBLED} objects in trouble, which waits in their lanes with the retry "
        f"role at work: " + "; ".join(f"*{trouble.name}*: {trouble.words}" for trouble in TROUBLES)
        + f". The delay is that of {HEALTHY} other objects, from sent to committed, and the first contact with the trouble is in it.")


@dataclass(frozen=True)
class Delays:
    """Of the healthy objects' events, in milliseconds."""

    p50: float
    p99: float


class Leg:
    """Both roles over topics and a database of their own. `close` when done."""

    def __init__(self, arena: Arena, is_troubled: bool) -> None:
        self.is_troubled = is_troubled
        self.pipeline = new_pipeline(arena, "others")
        self.pipeline.config["effects"] = ALL_EFFECTS
        self.pipeline.prepare()
        open_books(self.pipeline.ledger)
        self.pipeline.ledger.open_wallet(BLESSED, UNLUCKY)
        self.consumer = self.pipeline.consumer()
        self.pipeline.retry_role()
        self.sent: dict[str, float] = {}  # when, by event of a healthy object

    def send(self, producer: Producer, event: Event) -> None:
        key, value, headers = record_of(event)
        if event.customer == BLESSED:
            self.sent[event.id] = time.time()
        producer.produce(self.pipeline.topic, value, key, java_partition(key, self.pipeline.partitions), headers=headers)

    def delays(self) -> list[float]:
        """In milliseconds. The objects in trouble must be in lanes by now, else it proved nothing."""
        committed = wait_for(self._all_committed, "the healthy objects' events", within=60)
        waiting = self.pipeline.ledger.query("SELECT COUNT(DISTINCT lane_key) FROM lane_event")[0][0]
        if (waiting > 0) != self.is_troubled:
            raise Untrue(f"{waiting} objects wait in lanes")
        return [(committed[event] - at) * 1000 for event, at in self.sent.items()]

    def _all_committed(self) -> dict[str, float]:
        """When each was said to be done, which is after its COMMIT."""
        found = {line["event"]: datetime.fromisoformat(line["time"]).timestamp() for line in self.consumer.decisions("done")}
        return found if self.sent.keys() <= found.keys() else {}

    def close(self) -> None:
        self.pipeline.close()
        self.pipeline.ledger.run(f"DROP DATABASE {self.pipeline.name}")


def run(arena: Arena, rounds: int, seconds: float, say: Say) -> dict:
    os.environ["SLUICE_BIN"] = str(ours("sluice-consumer").parent)
    rows: dict[str, list[tuple[list[float], list[float]]]] = {trouble.name: [] for trouble in TROUBLES}
    for number in range(rounds):
        for trouble in TROUBLES:
            events = scenario(trouble, int(seconds * PER_SECOND), SEED + number)
            rows[trouble.name].append(side_by_side(arena, trouble, events))
            beside, alone = (delay_of(found) for found in rows[trouble.name][-1])
            say(f"  {number + 1}/{rounds}  {trouble.name:13}  p99 {beside.p99:8.1f} ms beside it, {alone.p99:8.1f} ms without"
                f"  (p50 {beside.p50:.1f}, {alone.p50:.1f})")
    return {"rounds": rounds, "seconds": seconds, "per_second": PER_SECOND,
            "troubles": {trouble.name: {"bar": trouble.bar, **ratios(rows[trouble.name])} for trouble in TROUBLES}}


def side_by_side(arena: Arena, trouble: Trouble, events: list[Event]) -> tuple[list[float], list[float]]:
    """Delays beside the trouble, and without it."""
    legs: list[Leg] = []
    try:
        for is_troubled in (True, False):
            legs.append(Leg(arena, is_troubled))
        with trouble.during(legs[0].pipeline.ledger):
            send_at_pace(legs, events)
            return legs[0].delays(), legs[1].delays()
    finally:
        for leg in legs:
            leg.close()


def scenario(trouble: Trouble, count: int, seed: int) -> list[Event]:
    chance = random.Random(seed)
    return [trouble.event(f"late_{chance.randrange(TROUBLED)}") if number % SHARE == 0
            else payment(BLESSED, 1, intent=f"pi_{chance.randrange(HEALTHY)}") for number in range(count)]


def send_at_pace(legs: list[Leg], events: list[Event]) -> None:
    """Each at its time, never early, to both; which one is first changes."""
    producer = Producer({"bootstrap.servers": legs[0].pipeline.kafka.bootstrap, "linger.ms": 0, "acks": "all"})
    began = time.monotonic()
    for number, event in enumerate(events):
        while (left := began + number / PER_SECOND - time.monotonic()) > 0:
            producer.poll(left)
        for leg in legs if number % 2 else legs[::-1]:
            leg.send(producer, event)
    if producer.flush(30):
        raise Untrue("the broker did not take all events")


def delay_of(found: list[float]) -> Delays:
    in_order = sorted(found)
    return Delays(statistics.median(in_order), in_order[int(len(in_order) * 0.99)])


def ratios(rows: list[tuple[list[float], list[float]]]) -> dict:
    """Over all rounds together; the spread is that of single rounds."""
    beside, alone = (delay_of([delay for row in rows for delay in row[at]]) for at in (0, 1))
    single = [delay_of(row[0]).p99 / delay_of(row[1]).p99 for row in rows]
    return {"p99": beside.p99 / alone.p99, "low": min(single), "high": max(single), "beside_ms": beside.p99, "alone_ms": alone.p99,
            "beside_p50_ms": beside.p50, "alone_p50_ms": alone.p50}


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, found in result["troubles"].items():
        rows.append([name, "p50, ms", f"{found['beside_p50_ms']:.1f}", f"{found['alone_p50_ms']:.1f}",
                     f"{found['beside_p50_ms'] / found['alone_p50_ms']:.2f}", "", ""])
        rows.append(["", "p99, ms", f"{found['beside_ms']:.1f}", f"{found['alone_ms']:.1f}",
                     f"{found['p99']:.2f} ({found['low']:.2f}–{found['high']:.2f})", f"{found['bar']:g}",
                     "met" if found["p99"] <= found["bar"] else "MISSED"])
    return ["trouble of others", "delay", "beside it", "without", "ratio", "bar", ""], rows
