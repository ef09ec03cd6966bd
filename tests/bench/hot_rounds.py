"""One account that everybody charges: row by row, and hot. Small accounts beside it. In turns; each command is looked for in the database."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import time
from dataclasses import dataclass

from deploy.stack.server import free_port
from tests.bench.arena import Arena
from tests.bench.building import ours, tool
from tests.bench.cells import Length, Untrue
from tests.bench.command_rounds import CALLERS, CHARGE, CUSTOMERS, RICH, shown, spread, verdict
from tests.bench.consumer_rounds import new_pipeline, processor_us
from tests.bench.ingress_rounds import Say
from tests.support.caller import Caller
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

PARTITIONS = 1  # that of the account is the only one that counts
HOT = "cus_0"
WITHIN = 300.0
WITH_ENTRY = {"insert": {"table": "wallet_entry", "row": {"event": ":event_id", "customer": ":customer", "amount": ":price"}}}
IN_SQL = [{"run": "UPDATE wallet SET balance = balance - :price WHERE customer = :customer AND balance >= :price",
           "rows": {1: "done", 0: "park:insufficient_balance"}},
          {"run": "INSERT INTO wallet_entry (event, customer, amount) VALUES (:event_id, :customer, :price)"}]


@dataclass(frozen=True)
class Way:
    """How commands of the account are executed."""

    name: str
    is_hot: bool = False
    is_shared: bool = True


ROW_BY_ROW, TOGETHER, BY_KAFKA = Way("row by row", is_shared=False), Way("workers share transactions"), Way("hot", is_hot=True)
WAYS = (ROW_BY_ROW, TOGETHER, BY_KAFKA)
BAR = 20.0
NOTE = ("The database has a binary log, as MySQL has by default. Each command takes from one account's balance, and writes a row of its own and its "
        "key with the response. *Row by row* is the same program with the same statements as `sql`, which share no transaction, over its default "
        "number of sessions. *Hot*: first all are answered, without a booker; then a booker finds all of them, without callers. *Work* is processor "
        "time of `sluice-command` and of the database for a command; of a hot one both halves, and Kafka's is not in it. Each answer was counted as a "
        "key, as a row and in the balance.")


def run(arena: Arena, rounds: int, length: Length, say: Say) -> dict:
    assert arena.sql is not None
    os.environ["SLUICE_BIN"] = str(ours("sluice-command").parent)
    samples: dict[str, list[dict]] = {way.name: [] for way in WAYS}
    for number in range(rounds):
        for way in WAYS[::-1] if number % 2 else WAYS:
            found = measured(arena, way, length)
            samples[way.name].append(found)
            say(f"  {number + 1}/{rounds}  {way.name:28}" + "".join(f"  {what} {value:.1f}" for what, value in found.items()))
    return {"rounds": rounds, "callers": CALLERS, "database": arena.sql.name,
            "rows": {name: {what: spread([one[what] for one in found]) for what in found[0]} for name, found in samples.items()},
            "ratios": {way.name: ratios(samples, way) for way in (TOGETHER, BY_KAFKA)}}


def ratios(samples: dict[str, list[dict]], way: Way) -> dict:
    """Round by round."""
    return {what: spread([one[what] / two["booked"] for one, two in zip(samples[way.name], samples[ROW_BY_ROW.name], strict=True)])
            for what in ("accepted", "booked")} | {
                "work": spread([two["work_us"] / one["work_us"] for one, two in zip(samples[way.name], samples[ROW_BY_ROW.name], strict=True)])}


def measured(arena: Arena, way: Way, length: Length) -> dict:
    pipeline = new_pipeline(arena, "hot")
    caller = Caller(free_port())
    try:
        prepare(pipeline, way, caller)
        server = start(pipeline, "serve" if way.is_hot else "both")
        before = send(caller, length.warm_up, "w", customers=1)
        first = look(pipeline, server)
        sent = send(caller, length.seconds, "m", customers=1)
        last = look(pipeline, server)
        server.stop()
        answered = sum(last[what] - first[what] for what in last) / sent["executed"]
        total = before["executed"] + sent["executed"]
        booked = book(pipeline, total) if way.is_hot else {"booked": sent["per_second"], "book_us": 0.0}
        check(pipeline, total)
        return {"accepted": sent["per_second"], "p99_ms": sent["p99_us"] / 1000, "answer_us": answered, **booked, "work_us": answered + booked["book_us"]}
    finally:
        pipeline.close()
        pipeline.ledger.run(f"DROP DATABASE {pipeline.name}")


def prepare(pipeline: Pipeline, way: Way, caller: Caller) -> None:
    pipeline.promise_database()
    pipeline.ledger.run("INSERT INTO wallet (customer, balance) VALUES " + ",".join(f"('cus_{number}', {RICH})" for number in range(CUSTOMERS)))
    topic = f"{pipeline.name}.commands"
    pipeline.log.create(topic, partitions=PARTITIONS)
    pipeline.secrets["BENCH_CALLER_KEY"] = caller.secret
    pipeline.config["command"] = {"listen": {"address": f"127.0.0.1:{caller.port}"}, "topic": topic, "group": f"{pipeline.name}-booking"}
    pipeline.config["callers"] = [{"name": caller.name, "principal": "ads-team", "recipe": "standard-webhooks",
                                   "keys": [{"id": "k1", "value": {"env": "BENCH_CALLER_KEY"}}]}]
    pipeline.config["commands"] = [command(pipeline, way)]


def command(pipeline: Pipeline, way: Way) -> dict:
    made = copy.deepcopy(CHARGE)
    if way.is_shared:
        made["effect"] |= WITH_ENTRY
    else:
        made["effect"] = {"sql": IN_SQL}
        del made["answers"]["no_customer"]
    if way.is_hot:
        listed = pipeline.folder / "hot.txt"
        listed.write_text(HOT)
        made["hot"] = {"account": ":customer", "list": str(listed), "answer": {"status": 200, "body": {"charged": ":price"}}}
    return made


def start(pipeline: Pipeline, role: str) -> Program:
    return pipeline._program("sluice-command", pipeline._with_ports(), "", False, ("--role", role)).start().ready()


def send(caller: Caller, seconds: float, label: str, *, first: int = 0, customers: int = CUSTOMERS, rate: float = 0) -> dict:
    done = subprocess.run([tool("commandload"), "-port", str(caller.port), "-seconds", str(seconds), "-connections", str(CALLERS), "-first", str(first),
                           "-customers", str(customers), "-rate", str(rate), "-run", f"{label}{time.monotonic_ns()}", "-secret", caller.key.decode()],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=seconds + 30)
    if done.returncode != 0:
        raise Untrue(f"commandload: {done.stderr.strip()}")
    return json.loads(done.stdout)


def look(pipeline: Pipeline, program: Program) -> dict:
    return {"cpu_us": processor_us(program.pid), "server_us": processor_us(pipeline.database.pid)}


def book(pipeline: Pipeline, total: int) -> dict:
    """What a booker does that finds all of them, from the first twentieth on."""
    booker = start(pipeline, "book")
    first, last = reach(pipeline, booker, total // 20), reach(pipeline, booker, total)
    booker.stop()
    count = last["booked"] - first["booked"]
    return {"booked": count / (last["at"] - first["at"]), "book_us": sum(last[what] - first[what] for what in ("cpu_us", "server_us")) / count}


def reach(pipeline: Pipeline, booker: Program, wanted: int) -> dict:
    def seen() -> dict | None:
        assert booker.running, booker.story()
        booked = booker.metric("sluice_command_hot_booked_total", result="executed")
        return {"booked": booked, "at": time.monotonic(), **look(pipeline, booker)} if booked >= wanted else None
    found = wait_for(seen, f"{wanted} commands to be booked", WITHIN, every=0.02)
    assert found is not None
    return found


def check(pipeline: Pipeline, executed: int) -> None:
    """Each has its key, its row and its charge."""
    keys = pipeline.ledger.query("SELECT COUNT(*) FROM command_key WHERE status = 200")[0][0]
    rows = pipeline.ledger.query("SELECT COUNT(*) FROM wallet_entry")[0][0]
    charged = CUSTOMERS * RICH - int(pipeline.ledger.query("SELECT SUM(balance) FROM wallet")[0][0])
    if not keys == rows == charged == executed:
        raise Untrue(f"{executed} commands were answered, {keys} keys and {rows} rows are there, {charged} was charged")


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, row in result["rows"].items():
        ratio = result["ratios"].get(name)
        judged = [shown(ratio["accepted"]), f"{shown(ratio['booked'])} {verdict(ratio['booked']['low'] >= BAR, ratio['booked']['high'] < BAR)}",
                  shown(ratio["work"])] if ratio else ["", "", ""]
        figures = (("accepted", 0), ("p99_ms", 1), ("booked", 0), ("answer_us", 1), ("book_us", 1))
        rows.append([name, *(shown(row[what], digits) for what, digits in figures), *judged])
    return [f"{result['database']}, {result['callers']} callers", "answered/s", "p99, ms", "booked/s", "work to answer, us", "to book, us",
            f"answered by {ROW_BY_ROW.name}", f"booked by that, bar {BAR:g}", "its work by this one's"], rows
