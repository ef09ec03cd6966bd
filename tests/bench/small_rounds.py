"""How long small accounts wait while everybody charges one account beside them, hot or not. In turns; what was charged is looked for in the database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from deploy.stack import SqlServer, start_all
from deploy.stack.server import free_port
from deploy.stack.sql_server import mysql_or_mariadb
from tests.bench.arena import BINARY_LOG, Arena
from tests.bench.building import ours
from tests.bench.cells import Length
from tests.bench.command_rounds import CUSTOMERS, shown, spread, verdict
from tests.bench.consumer_rounds import pipeline_on
from tests.bench.hot_rounds import BY_KAFKA, TOGETHER, Way, check, prepare, send, start
from tests.bench.ingress_rounds import Say
from tests.support.caller import Caller
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

SMALL, FLOOD = 200.0, 1000.0  # commands a second: of all small accounts, of the one


@dataclass(frozen=True)
class Beside:
    """What is sent beside the small accounts. `is_apart`: to another process with a database server of its own."""

    way: Way = BY_KAFKA
    flood: float = FLOOD
    is_apart: bool = False


ALONE, HOT, APART, COLD = "small accounts alone", "beside a hot one", "beside a hot one of another process", "beside one that is not hot"
BESIDE = {ALONE: Beside(flood=0), HOT: Beside(), APART: Beside(is_apart=True), COLD: Beside(TOGETHER)}
BAR = 1.2
NOTE = (f"{SMALL:g} commands a second of {CUSTOMERS - 1} accounts, and {FLOOD:g} a second of one more, each at its time: a command that waits for a "
        "connection counts from when it was due. One process serves and books; it, Kafka, MySQL and both senders share the machine. *Of another process*: "
        "the same flood goes to a second one with a MySQL of its own, so that small accounts share with it nothing but the machine and Kafka.")


@dataclass(frozen=True)
class Serving:
    pipeline: Pipeline
    caller: Caller
    server: Program

    def check(self, executed: int) -> None:
        """Once all is booked."""
        if "hot" in self.pipeline.config["commands"][0]:
            wait_for(lambda: self.pipeline.ledger.query("SELECT COUNT(*) FROM command_key")[0][0] >= executed, "all to be booked", 60)
        self.server.stop()
        check(self.pipeline, executed)


@contextmanager
def serving(arena: Arena, sql: SqlServer, way: Way) -> Iterator[Serving]:
    pipeline, caller = pipeline_on(arena, sql, "small"), Caller(free_port())
    try:
        prepare(pipeline, way, caller)
        yield Serving(pipeline, caller, start(pipeline, "both"))
    finally:
        pipeline.close()
        pipeline.ledger.run(f"DROP DATABASE {pipeline.name}")


def run(arena: Arena, rounds: int, length: Length, say: Say) -> dict:
    assert arena.sql is not None
    os.environ["SLUICE_BIN"] = str(ours("sluice-command").parent)
    samples: dict[str, list[dict]] = {name: [] for name in BESIDE}
    apart = mysql_or_mariadb(arena.folder / "sql-apart")
    apart.options |= BINARY_LOG
    try:
        start_all([apart])
        measured(arena, apart, BESIDE[APART], length)  # Kafka's code gets fast only while it works
        for number in range(rounds):
            for name in list(BESIDE)[::-1] if number % 2 else BESIDE:
                found = measured(arena, apart, BESIDE[name], length)
                samples[name].append(found)
                say(f"  {number + 1}/{rounds}  {name:36}" + "".join(f"  {what} {value:.1f}" for what, value in found.items()))
    finally:
        apart.stop()
    ratios = {name: {other: spread([one["p99_ms"] / two["p99_ms"] for one, two in zip(samples[name], samples[other], strict=True)])
                     for other in (ALONE, APART)} for name in (HOT, APART, COLD)}
    return {"rounds": rounds, "database": arena.sql.name, "ratios": ratios,
            "rows": {name: {what: spread([one[what] for one in found]) for what in found[0]} for name, found in samples.items()}}


def measured(arena: Arena, apart: SqlServer, beside: Beside, length: Length) -> dict:
    assert arena.sql is not None
    with serving(arena, arena.sql, beside.way) as ours:
        if not beside.is_apart:
            return sent(ours, ours, beside.flood, length)
        with serving(arena, apart, beside.way) as theirs:
            return sent(ours, theirs, beside.flood, length)


def sent(ours: Serving, theirs: Serving, flood: float, length: Length) -> dict:
    """Small accounts of the first one, and the one account of the other."""
    small, many = both(ours, theirs, flood, length.warm_up, "w")
    small_later, many_later = both(ours, theirs, flood, length.seconds, "m")
    executed = [small["executed"] + small_later["executed"], many["executed"] + many_later["executed"]]
    if theirs is ours:
        ours.check(sum(executed))
    else:
        ours.check(executed[0])
        theirs.check(executed[1])
    return {"p50_ms": small_later["p50_us"] / 1000, "p99_ms": small_later["p99_us"] / 1000, "small": small_later["per_second"],
            "flood": many_later["executed"] / length.seconds, "flood_p99_ms": many_later["p99_us"] / 1000}


def both(ours: Serving, theirs: Serving, flood: float, seconds: float, label: str) -> tuple[dict, dict]:
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(send, theirs.caller, seconds, f"{label}f", customers=1, rate=flood) if flood else None
        small = send(ours.caller, seconds, label, first=1, customers=CUSTOMERS - 1, rate=SMALL)
        return small, beside.result() if beside else {"executed": 0, "p99_us": 0}


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, row in result["rows"].items():
        ratios = result["ratios"].get(name)
        by_alone = f"{shown(ratios[ALONE])} {verdict(ratios[ALONE]['high'] <= BAR, ratios[ALONE]['low'] > BAR)}" if ratios else ""
        by_apart = shown(ratios[APART]) if ratios and name != APART else ""
        rows.append([name, *(shown(row[what], digits) for what, digits in (("small", 0), ("p50_ms", 1), ("p99_ms", 1), ("flood", 0), ("flood_p99_ms", 1))),
                     by_alone, by_apart])
    return [f"{result['database']}", "of small ones/s", "p50, ms", "p99, ms", "of the one/s", "its p99, ms", f"p99 by that alone, bar {BAR:g}",
            f"by that {APART}"], rows
