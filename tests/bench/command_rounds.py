"""sluice-command against a service in Go that does the same, in one connection to MySQL and in several: signed charges with fresh keys over
keep-alive connections. In turns; each command is looked for in the database."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

from deploy.stack.server import free_port
from tests.bench.arena import Arena
from tests.bench.building import ours, tool
from tests.bench.cells import Length, Untrue
from tests.bench.consumer_rounds import new_pipeline, processor_us
from tests.bench.ingress_rounds import Say
from tests.support.caller import Caller
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

CALLERS = 64  # connections, each with one request at a time
CUSTOMERS = 1000
WORKERS = (4, 8, 2)
RICH = 1_000_000_000
CHARGE = {
    "name": "charge", "wait": "10s", "keep": "72h",
    "parameters": {"customer": {"at": "/customer", "type": "text", "longest": 64}, "price": {"at": "/price", "type": "integer", "least": 1, "most": 100000}},
    "effect": {"add": {"table": "wallet", "key": {"customer": ":customer"}, "column": "balance", "by": "-:price", "floor": 0,
                       "below": {"park": "insufficient_balance"}, "missing": {"park": "no_customer"}}},
    "answers": {"done": {"status": 200, "body": {"charged": ":price"}},
                "insufficient_balance": {"status": 409, "body": {"error": "insufficient_balance"}},
                "no_customer": {"status": 404, "body": {"error": "no_customer"}}}}


@dataclass(frozen=True)
class Side:
    """`sessions` on MySQL; of sluice its workers."""

    name: str
    sessions: int
    is_ours: bool = False


ONE, GO = Side("Go, one connection", 1), Side("Go, 8 connections", 8)
OURS = tuple(Side(f"sluice-command, {workers} workers", workers, is_ours=True) for workers in WORKERS)
SIDES = (*OURS, ONE, GO)
# Of the default number of workers: how much faster than one transaction per request on one connection, and how much CPU of the Go service's.
SPEED_BAR, CPU_BAR = 5.0, 0.5

NOTE = (f"Charges of one price, each with a fresh key, {CUSTOMERS:,} customers with money; {CALLERS} keep-alive connections with one signed request at a time. The "
        "service in Go is net/http and go-sql-driver: it verifies the signature, and in one transaction charges and writes key and response, by prepared "
        "statements. Each answer was counted as a key and as a charge in the database.")


def run(arena: Arena, rounds: int, length: Length, say: Say) -> dict:
    assert arena.sql is not None
    os.environ["SLUICE_BIN"] = str(ours("sluice-command").parent)
    samples: dict[str, list[dict]] = {side.name: [] for side in SIDES}
    for number in range(rounds):
        for side in SIDES[::-1] if number % 2 else SIDES:
            figures = measured(arena, side, length)
            samples[side.name].append(figures)
            say(f"  {number + 1}/{rounds}  {side.name:28} {figures['per_second']:8.0f}/s  {figures['cpu_us']:6.1f} us  server {figures['server_us']:6.1f} us")
    return {"rounds": rounds, "callers": CALLERS, "database": arena.sql.name, "rows": {name: {what: spread([one[what] for one in found])
            for what in ("per_second", "cpu_us", "server_us")} for name, found in samples.items()}, "ratios": {side.name: ratios(samples, side) for side in OURS}}


def ratios(samples: dict[str, list[dict]], side: Side) -> dict:
    """Round by round."""
    def by(other: Side, what: str) -> dict:
        return spread([one[what] / two[what] for one, two in zip(samples[side.name], samples[other.name], strict=True)])
    return {"speed": by(ONE, "per_second"), "cpu": by(GO, "cpu_us")}


def measured(arena: Arena, side: Side, length: Length) -> dict:
    """A database of its own, and a look at what is there then."""
    pipeline = new_pipeline(arena, "commands")
    caller = Caller(free_port())
    try:
        fill(pipeline)
        stop, pid = (by_sluice if side.is_ours else by_go)(arena, pipeline, side, caller)
        try:
            before = send(caller, length.warm_up, "w")
            first = look(pipeline, pid)
            sent = send(caller, length.seconds, "m")
            last = look(pipeline, pid)
        finally:
            stop()
        check(pipeline, before["executed"] + sent["executed"])
        return {"per_second": sent["per_second"], **{what: (last[what] - first[what]) / sent["executed"] for what in last}}
    finally:
        pipeline.close()
        pipeline.ledger.run(f"DROP DATABASE {pipeline.name}")


def fill(pipeline: Pipeline) -> None:
    pipeline.promise_database()
    pipeline.ledger.run("INSERT INTO wallet (customer, balance) VALUES " + ",".join(f"('cus_{number}', {RICH})" for number in range(CUSTOMERS)))


def by_sluice(_arena: Arena, pipeline: Pipeline, side: Side, caller: Caller) -> tuple[Callable[[], object], int]:
    pipeline.secrets["BENCH_CALLER_KEY"] = caller.secret
    pipeline.config["command"] = {"listen": {"address": f"127.0.0.1:{caller.port}"}, "workers": side.sessions}
    pipeline.config["callers"] = [{"name": caller.name, "principal": "ads-team", "recipe": "standard-webhooks",
                                   "keys": [{"id": "k1", "value": {"env": "BENCH_CALLER_KEY"}}]}]
    pipeline.config["commands"] = [CHARGE]
    program: Program = pipeline._program("sluice-command", pipeline._with_ports(), "", True)
    return program.stop, program.pid


def by_go(arena: Arena, pipeline: Pipeline, side: Side, caller: Caller) -> tuple[Callable[[], object], int]:
    assert arena.sql is not None
    source = f"{arena.sql.admin}:{arena.sql.admin_password}@tcp(127.0.0.1:{arena.sql.port})/{pipeline.name}"
    service = subprocess.Popen([tool("commands"), "-port", str(caller.port), "-mysql", source, "-connections", str(side.sessions), "-secret", caller.key.decode()])

    def stop() -> None:
        service.terminate()
        service.wait(10)
    try:
        wait_for(lambda: caller_is_heard(caller), "the Go service to answer", 20)
    except BaseException:
        stop()
        raise
    return stop, service.pid


def caller_is_heard(caller: Caller) -> bool:
    try:
        return caller.ask("GET", "/").status == 404
    except OSError:
        return False


def send(caller: Caller, seconds: float, label: str) -> dict:
    done = subprocess.run([tool("commandload"), "-port", str(caller.port), "-seconds", str(seconds), "-connections", str(CALLERS), "-customers", str(CUSTOMERS),
                           "-run", f"{label}{time.monotonic_ns()}", "-secret", caller.key.decode()],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=seconds + 30)
    if done.returncode != 0:
        raise Untrue(f"commandload: {done.stderr.strip()}")
    return json.loads(done.stdout)


def look(pipeline: Pipeline, pid: int) -> dict:
    return {"cpu_us": processor_us(pid), "server_us": processor_us(pipeline.database.pid)}


def check(pipeline: Pipeline, executed: int) -> None:
    """Each has its key, and its charge."""
    keys = pipeline.ledger.query("SELECT COUNT(*) FROM command_key WHERE status = 200")[0][0]
    charged = CUSTOMERS * RICH - int(pipeline.ledger.query("SELECT SUM(balance) FROM wallet")[0][0])
    if not keys == charged == executed:
        raise Untrue(f"{executed} commands were answered, {keys} keys are there, {charged} was charged")


def spread(found: list[float]) -> dict:
    return {"middle": statistics.median(found), "low": min(found), "high": max(found)}


def shown(found: dict, digits: int = 2) -> str:
    return f"{found['middle']:,.{digits}f} ({found['low']:,.{digits}f}–{found['high']:,.{digits}f})"


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, row in result["rows"].items():
        ratio = result["ratios"].get(name)
        judged = [f"{shown(ratio['speed'])} {verdict(ratio['speed']['low'] >= SPEED_BAR, ratio['speed']['high'] < SPEED_BAR)}",
                  f"{shown(ratio['cpu'])} {verdict(ratio['cpu']['high'] <= CPU_BAR, ratio['cpu']['low'] > CPU_BAR)}"] if ratio else ["", ""]
        rows.append([name, shown(row["per_second"], 0), shown(row["cpu_us"], 1), shown(row["server_us"], 1), *judged])
    return [f"{result['database']}, {result['callers']} callers", "commands/s", "CPU, us/command", "server's", f"speed by {ONE.name}, bar {SPEED_BAR:g}",
            f"CPU by {GO.name}, bar {CPU_BAR:g}"], rows


def verdict(is_met: bool, is_missed: bool) -> str:
    return "met" if is_met else "MISSED" if is_missed else "unsure"
