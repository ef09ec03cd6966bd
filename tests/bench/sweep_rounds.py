"""Keys that expired: how fast `sluice-command` deletes them, and whether that depends on how many there are."""

from __future__ import annotations

import os
import time

from deploy.stack.server import free_port
from tests.bench.arena import Arena
from tests.bench.building import ours
from tests.bench.cells import Untrue
from tests.bench.command_rounds import CHARGE, shown, spread
from tests.bench.consumer_rounds import new_pipeline, processor_us
from tests.bench.ingress_rounds import Say
from tests.support.caller import Caller
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

SIZES = (250_000, 500_000, 1_000_000)
PARTS = 10  # of the deleting, to see whether its end is as fast as its beginning
LIVE = 50_000  # keys beside them that have not expired
WITHIN = 900.0
AT_ONCE = 50_000
KEYS = 100_000_000
# As a batch writes them: digests in no order, the age in the order of the commands.
FILL = """INSERT INTO command_key (key_digest, fingerprint, command, caller, caller_key, status, content_type, response, keep_until)
WITH RECURSIVE counted (n) AS (SELECT {start} UNION ALL SELECT n + 1 FROM counted WHERE n + 1 < {end})
SELECT UNHEX(SHA2(CONCAT('{label}', n), 256)), UNHEX(SHA2(n, 256)), 'charge', 'ads-team', CONCAT('{label}-', n), 200, 'application/json',
       '{{"charged":1}}', UTC_TIMESTAMP(6) + INTERVAL {age} SECOND + INTERVAL n * 1000 MICROSECOND FROM counted"""
NOTE = (f"Keys with a response, all expired, beside {LIVE:,} that are not. One process deletes them, 256 in a transaction. *First* and *last* are the "
        f"first and the last of {PARTS} equal parts; the CPU is that of the whole.")


def run(arena: Arena, share: float, say: Say) -> dict:
    """`share` of the sizes."""
    assert arena.sql is not None
    os.environ["SLUICE_BIN"] = str(ours("sluice-command").parent)
    rows = {}
    for size in SIZES:
        count = int(size * share)
        rows[count] = swept(arena, count)
        say(f"  {count:9,}  {rows[count]['per_second']['middle']:8.0f}/s  first {rows[count]['first']:.0f}/s  last {rows[count]['last']:.0f}/s  "
            f"{rows[count]['cpu_us']:.1f} us  server {rows[count]['server_us']:.1f} us")
    return {"database": arena.sql.name, "rows": rows}


def swept(arena: Arena, count: int) -> dict:
    pipeline = new_pipeline(arena, "sweep")
    try:
        pipeline.promise_database()
        fill(pipeline, "live", LIVE, 72 * 3600)
        fill(pipeline, "old", count, -72 * 3600)
        program = sweeper(pipeline)
        looks = watched(pipeline, program, count)
        program.stop()
        if (left := pipeline.ledger.query("SELECT COUNT(*) FROM command_key")[0][0]) != LIVE:
            raise Untrue(f"{left} keys are left, not {LIVE}")
        rates = [(one[0] - two[0]) / (one[1] - two[1]) for two, one in zip(looks, looks[1:], strict=False)]
        return {"per_second": spread(rates), "first": rates[0], "last": rates[-1],
                **{what: (looks[-1][at] - looks[0][at]) / (looks[-1][0] - looks[0][0]) for what, at in (("cpu_us", 2), ("server_us", 3))}}
    finally:
        pipeline.close()
        pipeline.ledger.run(f"DROP DATABASE {pipeline.name}")


def fill(pipeline: Pipeline, label: str, count: int, age: int) -> None:
    limit = "cte_max_recursion_depth" if pipeline.database.name == "MySQL" else "max_recursive_iterations"
    with pipeline.database.connect(admin=True, database=pipeline.ledger.database) as connection, connection.cursor() as cursor:
        cursor.execute(f"SET SESSION {limit} = {AT_ONCE + 1}")
        for start in range(0, count, AT_ONCE):
            cursor.execute(FILL.format(label=label, age=age, start=start, end=min(count, start + AT_ONCE)))


def sweeper(pipeline: Pipeline) -> Program:
    """It sweeps as soon as it has started."""
    caller = Caller(free_port())
    pipeline.secrets["BENCH_CALLER_KEY"] = caller.secret
    pipeline.config["command"] = {"listen": {"address": f"127.0.0.1:{caller.port}"}, "workers": 1}
    pipeline.config["callers"] = [{"name": caller.name, "principal": "ads-team", "recipe": "standard-webhooks",
                                   "keys": [{"id": "k1", "value": {"env": "BENCH_CALLER_KEY"}}]}]
    pipeline.config["commands"] = [CHARGE]
    return pipeline._program("sluice-command", pipeline._with_ports(), "", False).start()


def watched(pipeline: Pipeline, program: Program, count: int) -> list[tuple[float, float, float, float]]:
    """Rows that were deleted, the time, and what it took of the processor, at the end of each part."""
    with pipeline.database.connect(admin=True, database=None) as connection, connection.cursor() as cursor:
        def deleted() -> int:
            cursor.execute("SHOW GLOBAL STATUS LIKE 'Innodb_rows_deleted'")
            return int(cursor.fetchone()[1])
        begin = deleted()

        def look(part: int) -> tuple[float, float, float, float] | None:
            done = deleted() - begin
            is_there = done >= max(1, count * part // PARTS)
            return (done, time.monotonic(), processor_us(program.pid), processor_us(pipeline.database.pid)) if is_there else None
        return [wait_for(lambda part=part: look(part), f"part {part} of {count} keys to be deleted", WITHIN, every=0.02) for part in range(PARTS + 1)]


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = [[f"{int(count):,}", shown(row["per_second"], 0), f"{row['first']:,.0f}", f"{row['last']:,.0f}", f"{row['cpu_us']:.1f}",
             f"{row['server_us']:.1f}", f"{KEYS / row['per_second']['middle'] / 3600:.1f}"] for count, row in result["rows"].items()]
    return [f"{result['database']}: keys", "deleted/s", "first", "last", "CPU, us/key", "server's", f"hours for {KEYS:,}"], rows
