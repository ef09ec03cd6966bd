"""The consumer against bare batched SQL, hand-written prepared statements and one transaction per event: one connection each,
the same batch, in turns; every event is looked for in the database afterwards."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.bench import events_log
from deploy.stack import SqlServer
from tests.bench.arena import Arena
from tests.bench.building import ours, tool
from tests.bench.cells import Untrue
from tests.bench.ingress_rounds import Say
from tests.support.effects import EFFECTS
from tests.support.ledger import BUSINESS_TABLES
from tests.support.pipeline import Pipeline
from tests.support.program import Program, binary
from tests.support.wait import wait_for

PARTITIONS = 4
BATCH = 300
WITHIN = 240.0  # seconds for one drain
SINGLES = 1000  # events at most: one transaction per event is slow
PLAIN, DOUBLED = "plain", "with duplicates"
SET_BASED = {"add": {"table": "wallet", "key": {"customer": ":customer"}, "column": "balance", "by": ":amount", "missing": "defer"},
             "insert": {"table": "wallet_entry", "row": {"event": ":event_id", "customer": ":customer", "amount": ":amount"}}}

# Wallets of `decided`, and a table that the mirror's is like.
NEWEST_TABLES = ["ALTER TABLE wallet ADD last_event VARCHAR(255) NULL, ADD last_amount BIGINT NULL",
                 "CREATE TABLE newest (id VARBINARY(255) PRIMARY KEY, amount BIGINT NULL, data LONGTEXT NULL, came_at DATETIME(6) NOT NULL, by_event VARBINARY(255) NOT NULL)"]
MIRROR = {"mirror": {"table": "newest", "key": {"id": "/data/object/customer"},
                     "columns": {"amount": {"pointer": "/data/object/amount", "as": "int64"}, "data": {"pointer": "/data/object", "as": "json"}},
                     "newer": [{"came_at": ":received_at"}, {"by_event": ":event_id"}]}}
DECIDED = {"decide": {"select": "SELECT IF(balance < 0, 'park:closed', 'done') FROM wallet WHERE customer = :customer FOR UPDATE"},
           "set": {"table": "wallet", "key": {"customer": ":customer"}, "row": {"last_event": ":event_id", "last_amount": ":amount"}}}
SENDING = {"send": {"to": "credits", "key": ":customer", "body": {"customer": ":customer", "amount": ":amount", "event": ":event_id", "kind": "credited"}}}


@dataclass(frozen=True)
class Variant:
    """`effects` None: the floor in that `form`."""

    name: str
    form: str = ""
    effects: str = ""
    payload: bool = False
    topic: str = PLAIN
    programs: str = ""  # folder; empty: the release's


BARE, BARE_PAYLOAD = Variant("bare batched SQL", "batch"), Variant("bare batched SQL, payload", "batch", payload=True)
PREPARED, SINGLE = Variant("prepared by hand, batches", "prepared"), Variant("one transaction per event", "single")
SQL = Variant("sluice, sql", effects="sql")
SETS = Variant("sluice, insert + add", effects="sets")
SETS_PAYLOAD = Variant("sluice, insert + add, payload", effects="sets", payload=True)
SQL_PAYLOAD = Variant("sluice, sql, payload", effects="sql", payload=True)
SQL_DOUBLED = Variant("sluice, sql, 30% duplicates", effects="sql", topic=DOUBLED)
SETS_DOUBLED = Variant("sluice, insert + add, 30% duplicates", effects="sets", topic=DOUBLED)
UPSERTS, HAND_DECIDED = Variant("bare batched upserts", "upserts"), Variant("look and change by hand, batches", "decided")
MIRRORED, WITH_DECIDE = Variant("sluice, mirror", effects="mirror"), Variant("sluice, decide + set", effects="decided")
WITHOUT_ENTRIES = ("upserts", "decided", "mirror")
# what is compared, with what, and how much of its events per second it must reach
BARS = [(SETS, BARE, 0.8), (SETS_PAYLOAD, BARE_PAYLOAD, 0.8), (SQL, PREPARED, 0.9), (SQL, SINGLE, 8.0), (SETS, SINGLE, 8.0),
        (SQL_DOUBLED, SQL, 1.0), (SETS_DOUBLED, SETS, 1.0), (MIRRORED, UPSERTS, 0.6), (WITH_DECIDE, HAND_DECIDED, 0.8)]
# what is measured above what: the floor pays the same librdkafka, database client, kernel and one parse of the body
FLOORS = [(SETS, BARE), (SETS_PAYLOAD, BARE_PAYLOAD), (SQL, PREPARED)]
CPU_BAR = 5.0  # us per event above its floor


def run(arena: Arena, rounds: int, events: int, say: Say) -> dict:
    os.environ["SLUICE_BIN"] = str(ours("sluice-consumer").parent)  # where the tests' support looks for programs
    assert arena.sql is not None
    source = new_pipeline(arena, "filling")
    source.create_topics()
    say(f"  filling a topic with {events} events")
    events = events_log.fill(source, events)
    topics = {PLAIN: (source.topic, events), DOUBLED: (f"{source.topic}.doubled", 0)}
    source.log.create(topics[DOUBLED][0], partitions=PARTITIONS)
    source.log.ends(topics[DOUBLED][0])
    topics[DOUBLED] = (topics[DOUBLED][0], events_log.copy_with_duplicates(source.log, source.topic, topics[DOUBLED][0]))
    sets = has_sets(arena)
    variants = [BARE, BARE_PAYLOAD, PREPARED, SINGLE, SQL, SQL_PAYLOAD, SQL_DOUBLED,
                *([SETS, SETS_PAYLOAD, SETS_DOUBLED, UPSERTS, MIRRORED, HAND_DECIDED, WITH_DECIDE] if sets else [])]
    samples: dict[str, list[dict]] = {variant.name: [] for variant in variants}
    for number in range(rounds):
        for variant in variants[::-1] if number % 2 else variants:
            figures = drain(arena, variant, *topics[variant.topic], events)
            samples[variant.name].append(figures)
            say(f"  {number + 1}/{rounds}  {variant.name:40} {figures['per_second']:9.0f}/s  {figures['cpu_us_per_event']:6.2f} us of CPU")
    source.log.close()
    return {"rounds": rounds, "events": events, "batch": BATCH, "connections": 1, "database": arena.sql.name, "set_based": sets,
            "rows": {name: middle(found) for name, found in samples.items()}, "bars": bars(samples), "own": own(samples)}


def new_pipeline(arena: Arena, label: str) -> Pipeline:
    assert arena.sql is not None
    return pipeline_on(arena, arena.sql, label)


def pipeline_on(arena: Arena, sql: SqlServer, label: str) -> Pipeline:
    folder = arena.folder / "consumers" / f"{label}-{time.monotonic_ns()}"
    folder.mkdir(parents=True)
    return Pipeline(folder, arena.kafka, arena.redis, sql, partitions=PARTITIONS)


def has_sets(arena: Arena) -> bool:
    """Whether this consumer knows the kinds `insert` and `add`."""
    pipeline = new_pipeline(arena, "probe")
    pipeline.config["effects"] = effects("sets")
    program = Program("sluice-consumer", pipeline._with_ports(), pipeline.folder, label="probe", environment={})
    program.write_config()
    done = subprocess.run([str(binary("sluice-consumer")), "--config", str(program.config_file), "--check"], capture_output=True,
                          env={**os.environ, **pipeline.secrets}, timeout=60, check=False)
    pipeline.log.close()
    return done.returncode == 0


def effects(kind: str) -> list[dict]:
    credit = EFFECTS[0]
    shared = {name: credit[name] for name in ("name", "when", "let")}
    if kind == "sets beside send":
        return [{**shared, **SET_BASED}, {**shared, "name": "of another type", "when": {**credit["when"], "type": "charge.refunded"}, **SENDING}]
    if kind == "sets and send":
        return [{**shared, **SET_BASED, **SENDING}]
    if kind == "mirror":
        return [{**{name: credit[name] for name in ("name", "when")}, **MIRROR}]
    return [credit] if kind == "sql" else [{**shared, **(DECIDED if kind == "decided" else SET_BASED)}]


def drain(arena: Arena, variant: Variant, topic: str, records: int, unique: int) -> dict:
    """A database of its own, the whole topic into it, and a look at what is there then."""
    pipeline = fresh(arena, topic)
    wanted = min(records, SINGLES) if variant.form == "single" else records
    try:
        figures = by_floor(arena, pipeline, variant, wanted) if variant.form else by_sluice(pipeline, variant, wanted)
        check(pipeline, variant, figures["events"] if variant.form == "single" else unique)
    finally:
        pipeline.close()
        pipeline.ledger.run(f"DROP DATABASE {pipeline.name}")
    return figures


def fresh(arena: Arena, topic: str) -> Pipeline:
    """A database of its own with wallets, and the topic to read."""
    pipeline = new_pipeline(arena, "drain")
    pipeline.topic = pipeline.config["kafka"]["topic"] = topic
    pipeline.log.create(pipeline.dlq, *pipeline.wake_topics, partitions=1)
    pipeline.create_database()
    pipeline.migrate()
    pipeline.ledger.run(*BUSINESS_TABLES, *NEWEST_TABLES, "INSERT INTO wallet (customer, balance) VALUES "
                        + ",".join(f"('{customer}', 0)" for customer in events_log.customers()))
    return pipeline


def by_floor(arena: Arena, pipeline: Pipeline, variant: Variant, wanted: int) -> dict:
    assert arena.sql is not None
    done = subprocess.run(
        [str(tool("drain")), "--kafka", arena.kafka.bootstrap, "--topic", pipeline.topic, "--partitions", str(PARTITIONS),
         "--mysql", str(arena.sql.port), "--database", pipeline.name, "--user", arena.sql.user, "--password", arena.sql.password,
         "--form", variant.form, "--batch", str(10 if variant.form == "single" else BATCH), "--connections", "1", "--events", str(wanted),
         *(["--payload"] if variant.payload else [])],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=WITHIN)
    if done.returncode != 0:
        raise Untrue(f"{variant.name}: {done.stderr}")
    return json.loads(done.stdout)


def by_sluice(pipeline: Pipeline, variant: Variant, wanted: int) -> dict:
    """From the first twentieth on, as the floor measures itself."""
    configure(pipeline, variant)
    consumer = pipeline.consumer(start=False)
    consumer.folder_of_programs = variant.programs
    consumer.start()
    server = pipeline.database.pid
    first = reach(consumer, server, wanted // 20)
    reach(consumer, server, wanted * 9 // 10)
    last = reach(consumer, server, wanted, every=0.02)
    consumer.stop()
    events = last["events"] - first["events"]
    return {"events": last["events"], "per_second": events / (last["at"] - first["at"]),
            **{cost: (last[total] - first[total]) / events
               for cost, total in (("cpu_us_per_event", "cpu_us"), ("server_us_per_event", "server_us"))}}


def configure(pipeline: Pipeline, variant: Variant) -> None:
    pipeline.config["effects"] = effects(variant.effects)
    pipeline.config["consumer"] = {"workers": 1, "batch": BATCH}
    pipeline.config["inbox"] = {"payload": "all" if variant.payload else "none"}
    if "send" in variant.effects:
        pipeline.config["destinations"] = {"credits": {"kafka": {"topic": f"{pipeline.name}.credits"}}}


def reach(consumer: Program, server: int, wanted: int, every: float = 0.2) -> dict:
    """Each look costs the consumer a page of metrics, of which the floor pays nothing: few of them, and close ones at the end."""
    def look() -> dict | None:
        assert consumer.running, consumer.story()
        events = consumer.metric("webhook_processed_total")
        return {"events": events, "at": time.monotonic(), "cpu_us": processor_us(consumer.pid),
                "server_us": processor_us(server)} if events >= wanted else None
    found = wait_for(look, f"{wanted} events to be processed", WITHIN, every=every)
    assert found is not None
    return found


def processor_us(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1e6 / os.sysconf("SC_CLK_TCK")


def check(pipeline: Pipeline, variant: Variant, unique: int) -> None:
    """Every event once: in the inbox, in the entries and in the balances."""
    ledger = pipeline.ledger
    if (variant.form or variant.effects) in WITHOUT_ENTRIES:
        return check_newest(pipeline, variant, unique)
    done = ledger.query("SELECT COUNT(*) FROM inbox WHERE status = 'done'")[0][0]
    entries = ledger.query("SELECT COUNT(*), COUNT(DISTINCT event) FROM wallet_entry")[0]
    balance = int(ledger.query("SELECT SUM(balance) FROM wallet")[0][0])
    if (done, *entries, balance) != (unique, unique, unique, unique * events_log.AMOUNT):
        raise Untrue(f"{variant.name}: of {unique} events {done} done, {entries} entries, balances {balance}")


def check_newest(pipeline: Pipeline, variant: Variant, unique: int) -> None:
    """Every event in the inbox; nearly every customer had one, and shows one of those."""
    finished, = pipeline.ledger.query("SELECT COUNT(*) FROM inbox WHERE status IN ('done', 'ignored')")[0]
    column, table = ("by_event", "newest") if variant is MIRRORED or variant is UPSERTS else ("last_event", "wallet")
    unknown, marked = pipeline.ledger.query(f"SELECT SUM(event_id IS NULL), COUNT(*) FROM {table} LEFT JOIN inbox ON event_id = {column} WHERE {column} IS NOT NULL")[0]
    if (finished, unknown) != (unique, 0) or marked < 0.9 * events_log.CUSTOMERS:
        raise Untrue(f"{variant.name}: of {unique} events {finished} finished; {marked} customers show an event, {unknown} of them one that was not applied")


def middle(found: list[dict]) -> dict:
    speed = [entry["per_second"] for entry in found]
    return {"per_second": statistics.median(speed), "per_second_low": min(speed), "per_second_high": max(speed),
            "cpu_us_per_event": statistics.median(entry["cpu_us_per_event"] for entry in found)}


def bars(samples: dict[str, list[dict]]) -> list[dict]:
    """Speed by speed of the same round, then the median."""
    def ratio(mine: Variant, other: Variant, pick: Callable[[list[float]], float]) -> float | None:
        if mine.name not in samples or not samples[mine.name]:
            return None
        return pick([a["per_second"] / b["per_second"] for a, b in zip(samples[mine.name], samples[other.name], strict=True)])
    return [{"of": mine.name, "by": other.name, "bar": bar, "ratio": ratio(mine, other, statistics.median),
             "low": ratio(mine, other, min), "high": ratio(mine, other, max)} for mine, other, bar in BARS]


def own(samples: dict[str, list[dict]]) -> list[dict]:
    """CPU of the process less that of its floor in the same round."""
    def above(mine: Variant, floor: Variant) -> list[float]:
        return [a["cpu_us_per_event"] - b["cpu_us_per_event"] for a, b in zip(samples[mine.name], samples[floor.name], strict=True)]
    differences = {(mine, floor): above(mine, floor) for mine, floor in FLOORS if samples.get(mine.name)}
    return [{"of": mine.name, "floor": floor.name, "bar": CPU_BAR, "us": statistics.median(found), "low": min(found), "high": max(found)}
            for (mine, floor), found in differences.items()]
