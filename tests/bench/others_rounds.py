"""How much later an object's events are applied while other objects' fail: the same events at the same pace into two
consumers at the same time, so that a machine that stalls is late for both; in one of them a twentieth of the events fails at each try."""

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
from tests.support.effects import EFFECTS, WANTS_A_ROW
from tests.support.events import Event, paid_invoice, payment
from tests.support.kafka_log import java_partition
from tests.support.pipeline import Pipeline
from tests.support.records import record_of
from tests.support.wait import wait_for

BAR = 1.2  # times the p99 delay of a run without failures
PER_SECOND = 100  # into each of the two
HEALTHY, TROUBLED = 400, 20  # objects
SHARE = 20  # every so-manyth event is of a troubled object
SEED = 20261122
BLESSED, LATE = "cus_blessed", "cus_late"
NOTE = (f"{PER_SECOND}/s; every {SHARE}th event belongs to one of {TROUBLED} objects whose effect fails at each try, which keeps them in their "
        f"lanes and the retry role at work; the delay is that of {HEALTHY} other objects, from sent to committed.")


@dataclass(frozen=True)
class Delays:
    """Of the healthy objects' events, in milliseconds."""

    p50: float
    p99: float


class Leg:
    """Both roles over topics and a database of their own. `close` when done."""

    def __init__(self, arena: Arena, fails: bool) -> None:
        self.fails = fails
        self.pipeline = new_pipeline(arena, "others")
        self.pipeline.config["effects"] = [*EFFECTS, WANTS_A_ROW]
        self.pipeline.prepare()
        for customer in (BLESSED,) if fails else (BLESSED, LATE):
            self.pipeline.ledger.open_wallet(customer)
        self.consumer = self.pipeline.consumer()
        self.pipeline.retry_role()
        self.sent: dict[str, float] = {}  # when, by event of a healthy object

    def send(self, producer: Producer, event: Event) -> None:
        key, value, headers = record_of(event)
        if event.customer == BLESSED:
            self.sent[event.id] = time.time()
        producer.produce(self.pipeline.topic, value, key, java_partition(key, self.pipeline.partitions), headers=headers)

    def delays(self) -> list[float]:
        """In milliseconds. When others fail, theirs must be in lanes by now, else it proved nothing."""
        committed = wait_for(self._all_committed, "the healthy objects' events", within=60)
        waiting = self.pipeline.ledger.query("SELECT COUNT(DISTINCT lane_key) FROM lane_event")[0][0]
        if (waiting > 0) != self.fails:
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
    rows: list[tuple[list[float], list[float]]] = []
    for number in range(rounds):
        rows.append(side_by_side(arena, scenario(int(seconds * PER_SECOND), SEED + number)))
        beside, alone = (delay_of(found) for found in rows[-1])
        say(f"  {number + 1}/{rounds}  p99 {beside.p99:8.1f} ms while others fail, {alone.p99:8.1f} ms without"
            f"  (p50 {beside.p50:.1f}, {alone.p50:.1f})")
    return {"rounds": rounds, "seconds": seconds, "per_second": PER_SECOND, "bar": BAR, **ratios(rows)}


def side_by_side(arena: Arena, events: list[Event]) -> tuple[list[float], list[float]]:
    """Delays while others fail, and without."""
    legs: list[Leg] = []
    try:
        for fails in (True, False):
            legs.append(Leg(arena, fails))
        send_at_pace(legs, events)
        return legs[0].delays(), legs[1].delays()
    finally:
        for leg in legs:
            leg.close()


def scenario(count: int, seed: int) -> list[Event]:
    chance = random.Random(seed)
    return [paid_invoice(LATE, unit=f"in_{chance.randrange(TROUBLED)}") if number % SHARE == 0
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
    return ["delay of healthy objects", "while others fail", "without", "ratio", "bar", ""], [
        ["p50, ms", f"{result['beside_p50_ms']:.1f}", f"{result['alone_p50_ms']:.1f}",
         f"{result['beside_p50_ms'] / result['alone_p50_ms']:.2f}", "", ""],
        ["p99, ms", f"{result['beside_ms']:.1f}", f"{result['alone_ms']:.1f}",
         f"{result['p99']:.2f} ({result['low']:.2f}–{result['high']:.2f})", f"{result['bar']:g}",
         "met" if result["p99"] <= result["bar"] else "MISSED"]]
