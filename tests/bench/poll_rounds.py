"""The poller against a client's page loop, from one list of events: speed at several delays of the provider's answers, the resident set
over a month of a million events, and what a restart in the middle reads again."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from deploy.stack.process import Process
from deploy.stack.server import free_port
from tests.bench.arena import Arena
from tests.bench.building import ours, tool
from tests.bench.cells import Untrue
from tests.bench.consumer_rounds import PARTITIONS, new_pipeline, processor_us
from tests.bench.ingress_rounds import Say
from tests.bench.relay_rounds import said_by, shown, spread, verdict
from tests.bench.resident import resident_kib
from tests.support.pipeline import POLLED, PRINCIPAL, Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

DAY = 86_400
MONTH = 29 * DAY  # of the 30 days that Stripe keeps; the rest is of the edge
PAGE = 100
SPEED, BAR = 50_000, 0.9
MILLION, GROWTH = 1_000_000, 0.05  # of the resident set, from a tenth of the events to the last
AFTER_MS = (10, 50)  # until the provider answers
BUDGET = 100  # requests per second: what Stripe allows
BARE, PRODUCES = "page loop", "page loop that produces"
WITHIN = 3600.0  # seconds
NOTE = (f"Events of 2 KB, {PAGE} of a page. The provider answers a page after {' or '.join(map(str, AFTER_MS))} ms, and takes {BUDGET} requests a "
        "second. The bare *page loop* (libcurl, simdjson) asks behind the newest id of the page before and reads all ids, and does nothing "
        f"else. *{PRODUCES}* has Kafka acknowledge each page before it asks for the next one. The poller looks into Redis, publishes, "
        "and writes its checkpoint into the database besides. Times are the list's, from the first twentieth of the events on.")


@dataclass
class Listing:
    """A list of so many events of a month (tests/bench/poll/list.cpp)."""

    folder: Path
    events: int
    after_ms: float
    port: int = field(default_factory=free_port)

    def start(self) -> Process:
        self.folder.mkdir(parents=True, exist_ok=True)
        now = int(time.time())
        label = f"list-{self.port}"
        process = Process([str(tool("list")), "--port", str(self.port), "--events", str(self.events), "--first", str(now - MONTH),
                           "--last", str(now - 3600), "--after-us", str(int(self.after_ms * 1000))],
                          self.folder / f"{label}.log", self.folder / f"{label}.pid")
        wait_for(self.figures, f"{label} to answer")
        return process

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def figures(self) -> dict:
        with urlopen(f"{self.url}/figures", timeout=10) as answer:
            return json.load(answer)


def run(arena: Arena, rounds: int, share: float, say: Say) -> dict:
    """`share` of the events."""
    assert arena.sql is not None
    os.environ["SLUICE_BIN"] = str(ours("sluice-poller").parent)
    speed, month = int(SPEED * share), int(MILLION * share)
    samples: dict[int, list[dict]] = {after: [] for after in AFTER_MS}
    for number in range(rounds):
        for after in AFTER_MS:
            goes: dict[str, Callable[[Listing], dict]] = {
                "poller": lambda listing: by_poller(arena, listing), BARE: by_loop,
                PRODUCES: lambda listing: by_loop(listing, "--kafka", arena.kafka.bootstrap, "--topic", new_topic(arena))}
            found = {name: go(arena, speed, after, goes[name]) for name in (list(goes)[::-1] if number % 2 else goes)}
            samples[after].append(found)
            say(f"  {number + 1}/{rounds}  answers after {after} ms" + "".join(
                f"  {name} {one['per_second']:.0f}/s {one['cpu_us']:.1f} us" for name, one in found.items()))
    restart = go(arena, speed, AFTER_MS[0], lambda listing: restarted(arena, listing))
    say(f"  a restart in the middle: {restart['read_again']} events were read again, {restart['published_again']} published again")
    whole = go(arena, month, AFTER_MS[0], lambda listing: by_poller(arena, listing))
    say(f"  {month:,} events: {whole['per_second']:.0f}/s, resident set {whole['resident'][0]:,} KiB at a tenth, {whole['resident'][1]:,} at the end")
    return {"rounds": rounds, "events": speed, "bar": BAR, "database": arena.sql.name, "month": {"events": month, **whole}, "restart": restart,
            "delays": {str(after): summary(found) for after, found in samples.items()}}


def go(arena: Arena, events: int, after_ms: float, measure: Callable[[Listing], dict]) -> dict:
    """With a list of its own, whose times count."""
    listing = Listing(arena.folder / "lists", events, after_ms)
    process = listing.start()
    try:
        found = measure(listing)
        said = listing.figures()
    finally:
        process.stop(within=5)
    if said["newest"] != events:
        raise Untrue(f"only {said['newest']} of {events} events were read")
    return {"per_second": said["counted"] / said["seconds"], "read_again": said["again"], **found}


def by_loop(listing: Listing, *more: str) -> dict:
    return {"cpu_us": said_by("loop", "--url", listing.url, "--events", str(listing.events), *more)["cpu_us"]}


def new_topic(arena: Arena) -> str:
    topic = f"bare-{time.monotonic_ns()}"
    arena.log.create(topic, partitions=PARTITIONS)
    arena.log.ends(topic)
    return topic


@contextmanager
def polling(arena: Arena, listing: Listing) -> Iterator[Pipeline]:
    """With a database and topics of its own."""
    pipeline = new_pipeline(arena, "poller")
    try:
        pipeline.secrets["BENCH_API_KEY"] = "rk_test_list"
        pipeline.config["sources"].append({
            "name": POLLED, "recipe": "stripe", "principal": PRINCIPAL,
            "poll": {"key": {"env": "BENCH_API_KEY"}, "url": listing.url, "allow": ["127.0.0.1"], "since": "30d", "budget": BUDGET}})
        pipeline.create_topics()
        pipeline.create_database()
        pipeline.migrate()
        yield pipeline
        if (found := published(pipeline)) < listing.events:
            raise Untrue(f"only {found} of {listing.events} events are in Kafka")
    finally:
        pipeline.close()
        pipeline.ledger.run(f"DROP DATABASE {pipeline.name}")


def by_poller(arena: Arena, listing: Listing) -> dict:
    """Until Kafka has all: its CPU from the first twentieth on, and its resident set at a tenth and at the end."""
    with polling(arena, listing) as pipeline:
        poller = pipeline.poller()
        first = reach(poller, listing.events // 20)
        tenth = reach(poller, listing.events // 10)
        last = reach(poller, listing.events)
        poller.stop()
    events = last["events"] - first["events"]
    return {"cpu_us": (last["cpu_us"] - first["cpu_us"]) / events, "resident": [tenth["resident"], last["resident"]]}


def reach(poller: Program, wanted: int) -> dict:
    def look() -> dict | None:
        assert poller.running, poller.story()
        events = poller.metric("sluice_poller_events_total", source=POLLED, result="published")
        return {"events": events, "cpu_us": processor_us(poller.pid), "resident": resident_kib(poller.pid)} if events >= wanted else None
    found = wait_for(look, f"{wanted} events to be published", WITHIN, every=0.05)
    assert found is not None
    return found


def restarted(arena: Arena, listing: Listing) -> dict:
    """SIGTERM in the middle, and another one at once."""
    with polling(arena, listing) as pipeline:
        reach(first := pipeline.poller(), listing.events // 2)
        first.stop()
        second = pipeline.poller()
        wait_for(lambda: published(pipeline) >= listing.events, "the rest to be published", WITHIN, every=0.5)
        second.stop()
        return {"published_again": published(pipeline) - listing.events}


def published(pipeline: Pipeline) -> int:
    return sum(pipeline.log.ends(pipeline.topic).values())


def summary(rounds: list[dict]) -> dict:
    """Ratios round by round, then the median."""
    names = ("poller", BARE, PRODUCES)
    return {"rows": {name: {what: spread([found[name][what] for found in rounds]) for what in ("per_second", "cpu_us")} for name in names},
            "ratios": {name: spread([found["poller"]["per_second"] / found[name]["per_second"] for found in rounds]) for name in names[1:]}}


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = []
    for after, found in result["delays"].items():
        for name, row in found["rows"].items():
            ratio = found["ratios"].get(name)
            judged = [shown(ratio), f"{result['bar']:g}", verdict(ratio, result["bar"])] if ratio else ["", "", ""]
            rows.append([f"{after} ms, {name}", shown(row["per_second"], 0), shown(row["cpu_us"], 1), *judged])
    return ["answers after", "events/s", "CPU, us/event", "poller's speed by it", "bar", ""], rows


def month_table(result: dict) -> tuple[list[str], list[list[str]]]:
    month, restart = result["month"], result["restart"]
    tenth, end = month["resident"]
    return [f"{month['events']:,} events of a month", "", "bar", ""], [
        ["events/s", f"{month['per_second']:,.0f}", "", ""],
        ["resident set at a tenth and at the end, KiB", f"{tenth:,} {end:,}", f"+{GROWTH:.0%}", "met" if end <= tenth * (1 + GROWTH) else "MISSED"],
        *([f"events {what} again after a restart", f"{again}", f"{PAGE}", "met" if again <= PAGE else "MISSED"]
          for what, again in (("published", restart["published_again"]), ("read", restart["read_again"])))]
