"""The relay against the same messages sent with nothing around: a producer by librdkafka, a keep-alive client by Beast. In turns; each
message is looked for where it went. And what a message costs the database."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.bench import outbox_rows
from tests.bench.arena import Arena
from tests.bench.building import ours, tool
from tests.bench.cells import Untrue
from tests.bench.consumer_rounds import PARTITIONS, WITHIN, new_pipeline, processor_us
from tests.bench.ingress_rounds import Say
from tests.bench.receivers import Receiver
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

KEYS = 10_000
CONCURRENCY = 16
LATE = 0.005  # seconds until a receiver answers, where it has work to do
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # of nobody
BATCH = 256  # what the relay reads at once


@dataclass(frozen=True)
class Way:
    """How messages go: to a topic, or to a URL whose receiver answers after so many seconds."""

    name: str
    bar: float
    messages: int
    after: float | None = None

    @property
    def is_topic(self) -> bool:
        return self.after is None


TOPIC = Way("topic", 0.5, 60_000)
URL = Way("URL that answers at once", 0.7, 20_000, 0.0)
LATE_URL = Way(f"URL that answers after {LATE * 1000:g} ms", 0.7, 10_000, LATE)
WAYS = (TOPIC, URL, LATE_URL)
BY_BATCH, AT_WILL, BY_CLIENT = f"batches of {BATCH}", "all at once", "keep-alive client"
# Server counters that are shown, per message.
COUNTERS = {"statements": ("Questions",), "commits": ("Handler_commit",),
            "rows read by an index": ("Handler_read_key", "Handler_read_next", "Handler_read_first", "Handler_read_prev"),
            "rows read by a scan": ("Handler_read_rnd", "Handler_read_rnd_next"), "rows written": ("Handler_update", "Handler_write", "Handler_delete"),
            "log writes to disk": ("Innodb_os_log_fsyncs",)}
NOTE = (f"{KEYS:,} keys, bodies of {outbox_rows.BODY_BYTES} bytes; a URL has {CONCURRENCY} connections, and its messages are signed. The bare producer "
        f"has acks=all and the same headers, and sends *{AT_WILL}* or in *{BY_BATCH}*, each acknowledged before the next begins, as the relay "
        "does. The bare client has as many connections and signs nothing. Neither reads nor marks a row, which the second table shows the cost of: it "
        "bounds what any relay sends. Each message was counted where it went.")


def run(arena: Arena, rounds: int, share: float, say: Say) -> dict:
    """`share` of the messages of each way."""
    assert arena.sql is not None
    os.environ["SLUICE_BIN"] = str(ours("sluice-consumer").parent)
    samples: dict[str, list[dict[str, dict]]] = {way.name: [] for way in WAYS}
    for number in range(rounds):
        for way in WAYS:
            count = int(way.messages * share)
            goes: list[tuple[str, Callable[[], dict]]] = [("relay", lambda way=way, count=count: by_relay(arena, way, count)),
                                                          *((name, lambda way=way, count=count, name=name: by_floor(arena, way, name, count))
                                                            for name in floors(way))]
            found = {name: go() for name, go in (goes[::-1] if number % 2 else goes)}
            samples[way.name].append(found)
            say(f"  {number + 1}/{rounds}  {way.name:28}" + "".join(f"  {name} {one['per_second']:.0f}/s {one['cpu_us']:.1f} us" for name, one in found.items()))
    return {"rounds": rounds, "keys": KEYS, "concurrency": CONCURRENCY, "database": arena.sql.name,
            "ways": {way.name: summary(way, samples[way.name]) for way in WAYS}}


def floors(way: Way) -> tuple[str, ...]:
    return (BY_BATCH, AT_WILL) if way.is_topic else (BY_CLIENT,)


def by_floor(arena: Arena, way: Way, name: str, count: int) -> dict:
    if not way.is_topic:
        receiver = Receiver(arena.folder / "receivers", way.after)
        try:
            figures = said_by("post", "--port", str(receiver.port), "--messages", str(count), "--keys", str(KEYS), "--concurrency", str(CONCURRENCY))
            outbox_rows.check_once(receiver.counted(), count, name)
        finally:
            receiver.close()
        return figures
    topic = f"bare-{time.monotonic_ns()}"
    arena.log.create(topic, partitions=PARTITIONS)
    arena.log.ends(topic)
    figures = said_by("produce", "--kafka", arena.kafka.bootstrap, "--topic", topic, "--messages", str(count), "--keys", str(KEYS),
                      "--batch", str(BATCH if name == BY_BATCH else 0))
    outbox_rows.check_topic(arena.log, topic, count)
    return figures


def said_by(program: str, *arguments: str) -> dict:
    done = subprocess.run([str(tool(program)), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=WITHIN)
    if done.returncode != 0:
        raise Untrue(f"{program}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def by_relay(arena: Arena, way: Way, count: int) -> dict:
    """A database of its own with the messages in it, and a relay until all are sent."""
    receiver = None if way.is_topic else Receiver(arena.folder / "receivers", way.after)
    pipeline = new_pipeline(arena, "relay")
    try:
        topic = direct(pipeline, receiver)
        outbox_rows.fill(pipeline.ledger, count, KEYS)
        relay = pipeline.consumer(start=False, role="relay").start()
        figures = watched(pipeline, relay, count)
        relay.stop()
        if left := outbox_rows.unsent(pipeline.ledger):
            raise Untrue(f"{left} messages are not marked as sent")
        if receiver is None:
            outbox_rows.check_topic(pipeline.log, topic, count)
        else:
            outbox_rows.check_once(receiver.counted(), count, way.name)
        return figures
    finally:
        pipeline.close()
        pipeline.ledger.run(f"DROP DATABASE {pipeline.name}")
        if receiver is not None:
            receiver.close()


def direct(pipeline: Pipeline, receiver: Receiver | None) -> str:
    """Its database, and where its messages go: to `receiver`, else to the topic whose name this is."""
    topic = f"{pipeline.name}.credits"
    pipeline.secrets["BENCH_SIGNING"] = SECRET
    pipeline.config["destinations"] = {outbox_rows.DESTINATION: {"kafka": {"topic": topic}} if receiver is None else url_of(receiver)}
    pipeline.log.create(topic, pipeline.dlq, *pipeline.wake_topics, partitions=PARTITIONS)
    pipeline.log.ends(topic)
    pipeline.create_database()
    pipeline.migrate()
    return topic


def url_of(receiver: Receiver) -> dict:
    return {"http": {"url": receiver.url, "allow": ["127.0.0.0/8"], "concurrency": CONCURRENCY, "secrets": [{"value": {"env": "BENCH_SIGNING"}}]}}


def watched(pipeline: Pipeline, relay: Program, count: int) -> dict:
    """From the first twentieth on, as the floors measure themselves."""
    first, last = look(pipeline, relay, count // 20), look(pipeline, relay, count)
    sent = last["sent"] - first["sent"]
    if sent < count / 2:
        raise Untrue(f"only {sent} of {count} messages were watched")
    rows = {name: sum(last["counters"].get(one, 0) - first["counters"].get(one, 0) for one in counters) / sent for name, counters in COUNTERS.items()}
    return {"per_second": sent / (last["at"] - first["at"]), "cpu_us": (last["cpu_us"] - first["cpu_us"]) / sent,
            "server_us": (last["server_us"] - first["server_us"]) / sent, "counters": rows}


def look(pipeline: Pipeline, relay: Program, wanted: int) -> dict:
    """As soon as so many are sent."""
    def reached() -> dict | None:
        assert relay.running, relay.story()
        sent = relay.metric("sluice_relay_messages_total", destination=outbox_rows.DESTINATION, result="sent")
        return {"sent": sent, "at": time.monotonic(), "cpu_us": processor_us(relay.pid), "server_us": processor_us(pipeline.database.pid)} if sent >= wanted else None
    found = wait_for(reached, f"{wanted} messages to be sent", WITHIN, every=0.03)
    assert found is not None
    return {**found, "counters": {name: int(value) for name, value in pipeline.ledger.query("SHOW GLOBAL STATUS") if value.isdecimal()}}


def summary(way: Way, rounds: list[dict[str, dict]]) -> dict:
    """Ratios round by round, then the median."""
    names = ("relay", *floors(way))
    relay = [found["relay"] for found in rounds]
    return {"bar": way.bar, "messages": way.messages,
            "rows": {name: {what: spread([found[name][what] for found in rounds]) for what in ("per_second", "cpu_us")} for name in names},
            "ratios": {name: {"speed": spread([found["relay"]["per_second"] / found[name]["per_second"] for found in rounds]),
                              "cpu": spread([found["relay"]["cpu_us"] / found[name]["cpu_us"] for found in rounds])} for name in names[1:]},
            "server_us": spread([one["server_us"] for one in relay]),
            "counters": {name: spread([one["counters"][name] for one in relay]) for name in COUNTERS}}


def spread(found: list[float]) -> dict:
    return {"middle": statistics.median(found), "low": min(found), "high": max(found)}


def shown(found: dict, digits: int = 2) -> str:
    return f"{found['middle']:,.{digits}f} ({found['low']:,.{digits}f}–{found['high']:,.{digits}f})"


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = []
    for way, found in result["ways"].items():
        for name, row in found["rows"].items():
            ratio = found["ratios"].get(name)
            judged = [shown(ratio["speed"]), f"{found['bar']:g}", verdict(ratio["speed"], found["bar"]), shown(ratio["cpu"])] if ratio else ["", "", "", ""]
            rows.append([f"{way}, {name}", shown(row["per_second"], 0), shown(row["cpu_us"], 1), *judged])
    return ["to a", "messages/s", "CPU, us/message", "relay's speed by it", "bar", "", "relay's CPU by its"], rows


def verdict(ratio: dict, bar: float) -> str:
    return "met" if ratio["low"] >= bar else "MISSED" if ratio["high"] < bar else "unsure"


def database_table(result: dict) -> tuple[list[str], list[list[str]]]:
    ways = result["ways"]
    return [f"{result['database']}, per message", *ways], [
        ["CPU of the server, us", *(shown(found["server_us"], 1) for found in ways.values())],
        *([name, *(shown(found["counters"][name], 3) for found in ways.values())] for name in COUNTERS)]
