"""How much later messages of one destination leave while another one hangs: the same messages at the same pace to two relays at the same
time, so that a machine that stalls is late for both. Each has a second destination, and one of these accepts and never answers."""

from __future__ import annotations

import os
import threading
import time

from tests.bench import outbox_rows
from tests.bench.arena import Arena
from tests.bench.building import ours
from tests.bench.cells import Untrue
from tests.bench.consumer_rounds import new_pipeline
from tests.bench.ingress_rounds import Say
from tests.bench.others_rounds import delay_of, ratios
from tests.bench.receivers import Receiver
from tests.bench.relay_rounds import direct, url_of
from tests.support.wait import wait_for

BAR = 1.1
PER_SECOND = 50  # into each outbox, for each destination
KEYS = 500
SECOND = "second"
NOTE = (f"{PER_SECOND}/s to each of two destinations of {KEYS} keys, one row in a transaction; the delay is that of the first one's messages, from after "
        "COMMIT to their receiver. The second one answers, or it takes connections and requests and says nothing.")


class Leg:
    """A relay, its outbox and two receivers. `close` when done."""

    def __init__(self, arena: Arena, hangs: bool) -> None:
        folder = arena.folder / "receivers"
        self.hangs = hangs
        self.first, self.second = Receiver(folder), Receiver(folder, None if hangs else 0.0)
        self.pipeline = new_pipeline(arena, "others")
        direct(self.pipeline, self.first)
        self.pipeline.config["destinations"][SECOND] = url_of(self.second)
        self.relay = self.pipeline.consumer(role="relay")
        self.session = self.pipeline.database.connect(admin=True, database=self.pipeline.name)
        self.committed: list[float] = []

    def put(self, number: int) -> None:
        with self.session.cursor() as cursor:
            cursor.execute(outbox_rows.statement(SECOND, KEYS, number, 1))
            cursor.execute(outbox_rows.statement(outbox_rows.DESTINATION, KEYS, number, 1))
        self.committed.append(time.time())

    def delays(self) -> list[float]:
        """In milliseconds. The second destination must have had messages, and none of them marked where it hangs."""
        wait_for(lambda: len(self.first.arrivals()) >= len(self.committed), "all messages of the first destination", every=0.2)
        outbox_rows.check_once(self.first.counted(), len(self.committed), "the first destination")
        marked = self.pipeline.ledger.query(f"SELECT COUNT(*) FROM outbox WHERE destination = '{SECOND}' AND state = 'sent'")[0][0]
        if not self.second.arrivals() or (marked == 0) != self.hangs:
            raise Untrue(f"{len(self.second.arrivals())} messages came to the second destination, {marked} are marked as sent")
        return [(at - self.committed[number]) * 1000 for number, at in self.first.arrivals()]

    def close(self) -> None:
        self.session.close()
        self.pipeline.close()
        self.pipeline.ledger.run(f"DROP DATABASE {self.pipeline.name}")
        self.first.close()
        self.second.close()


def run(arena: Arena, rounds: int, seconds: float, say: Say) -> dict:
    os.environ["SLUICE_BIN"] = str(ours("sluice-consumer").parent)
    rows = []
    for number in range(rounds):
        rows.append(side_by_side(arena, int(seconds * PER_SECOND)))
        beside, alone = (delay_of(found) for found in rows[-1])
        say(f"  {number + 1}/{rounds}  p99 {beside.p99:.1f} ms beside one that hangs, {alone.p99:.1f} ms beside one that answers"
            f"  (p50 {beside.p50:.1f}, {alone.p50:.1f})")
    return {"rounds": rounds, "seconds": seconds, "per_second": PER_SECOND, "bar": BAR, **ratios(rows)}


def side_by_side(arena: Arena, count: int) -> tuple[list[float], list[float]]:
    """Delays beside a destination that hangs, and beside one that answers."""
    legs: list[Leg] = []
    try:
        for hangs in (True, False):
            legs.append(Leg(arena, hangs))
        put_at_pace(legs, count)
        return legs[0].delays(), legs[1].delays()
    finally:
        for leg in legs:
            leg.close()


def put_at_pace(legs: list[Leg], count: int) -> None:
    """Each at its time, never early, into both; which one is first changes."""
    began, never = time.monotonic(), threading.Event()
    for number in range(count):
        never.wait(max(0.0, began + number / PER_SECOND - time.monotonic()))
        for leg in legs if number % 2 else legs[::-1]:
            leg.put(number)


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = [["p50, ms", f"{result['beside_p50_ms']:.1f}", f"{result['alone_p50_ms']:.1f}", f"{result['beside_p50_ms'] / result['alone_p50_ms']:.2f}", "", ""],
            ["p99, ms", f"{result['beside_ms']:.1f}", f"{result['alone_ms']:.1f}", f"{result['p99']:.2f} ({result['low']:.2f}–{result['high']:.2f})",
             f"{result['bar']:g}", "met" if result["p99"] <= result["bar"] else "MISSED"]]
    return ["from COMMIT to the receiver", "beside one that hangs", "beside one that answers", "ratio", "bar", ""], rows
