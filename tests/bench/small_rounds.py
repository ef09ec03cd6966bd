"""How long small accounts wait while everybody charges one account beside them, hot or not. In turns; what was charged is looked for in the database."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from deploy.stack.server import free_port
from tests.bench.arena import Arena
from tests.bench.building import ours
from tests.bench.cells import Length
from tests.bench.command_rounds import CUSTOMERS, shown, spread, verdict
from tests.bench.consumer_rounds import new_pipeline
from tests.bench.hot_rounds import BY_KAFKA, TOGETHER, Way, check, prepare, send, start
from tests.bench.ingress_rounds import Say
from tests.support.caller import Caller
from tests.support.wait import wait_for

SMALL, FLOOD = 200.0, 1000.0  # commands a second: of all small accounts, of the one
ALONE, HOT, COLD = "small accounts alone", "beside a hot one", "beside one that is not hot"
BESIDE: dict[str, tuple[Way, float]] = {ALONE: (BY_KAFKA, 0), HOT: (BY_KAFKA, FLOOD), COLD: (TOGETHER, FLOOD)}
BAR = 1.2
NOTE = (f"{SMALL:g} commands a second of {CUSTOMERS - 1} accounts, and {FLOOD:g} a second of one more, each at its time: a command that waits for a "
        "connection counts from when it was due. One process serves and books; it, Kafka, MySQL and both senders share the machine.")


def run(arena: Arena, rounds: int, length: Length, say: Say) -> dict:
    assert arena.sql is not None
    os.environ["SLUICE_BIN"] = str(ours("sluice-command").parent)
    samples: dict[str, list[dict]] = {name: [] for name in BESIDE}
    for number in range(rounds):
        for name in list(BESIDE)[::-1] if number % 2 else BESIDE:
            found = measured(arena, *BESIDE[name], length)
            samples[name].append(found)
            say(f"  {number + 1}/{rounds}  {name:28}" + "".join(f"  {what} {value:.1f}" for what, value in found.items()))
    ratios = {name: spread([one["p99_ms"] / two["p99_ms"] for one, two in zip(samples[name], samples[ALONE], strict=True)]) for name in (HOT, COLD)}
    return {"rounds": rounds, "database": arena.sql.name, "ratios": ratios,
            "rows": {name: {what: spread([one[what] for one in found]) for what in found[0]} for name, found in samples.items()}}


def measured(arena: Arena, way: Way, flood: float, length: Length) -> dict:
    pipeline = new_pipeline(arena, "small")
    caller = Caller(free_port())
    try:
        prepare(pipeline, way, caller)
        server = start(pipeline, "both")
        before = send(caller, length.warm_up, "w", first=1, customers=CUSTOMERS - 1, rate=SMALL)
        with ThreadPoolExecutor(1) as pool:
            beside = pool.submit(send, caller, length.seconds, "f", customers=1, rate=flood) if flood else None
            small = send(caller, length.seconds, "m", first=1, customers=CUSTOMERS - 1, rate=SMALL)
            many = beside.result() if beside else {"executed": 0, "p99_us": 0}
        if way.is_hot:
            wait_for(lambda: server.metric("sluice_command_hot_booked_total") >= many["executed"], "all to be booked", 60)
        server.stop()
        check(pipeline, before["executed"] + small["executed"] + many["executed"])
        return {"p50_ms": small["p50_us"] / 1000, "p99_ms": small["p99_us"] / 1000, "small": small["per_second"],
                "flood": many["executed"] / length.seconds, "flood_p99_ms": many["p99_us"] / 1000}
    finally:
        pipeline.close()
        pipeline.ledger.run(f"DROP DATABASE {pipeline.name}")


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, row in result["rows"].items():
        ratio = result["ratios"].get(name)
        judged = f"{shown(ratio)} {verdict(ratio['high'] <= BAR, ratio['low'] > BAR)}" if ratio else ""
        rows.append([name, *(shown(row[what], digits) for what, digits in (("small", 0), ("p50_ms", 1), ("p99_ms", 1), ("flood", 0), ("flood_p99_ms", 1))), judged])
    return [f"{result['database']}", "of small ones/s", "p50, ms", "p99, ms", "of the one/s", "its p99, ms", f"p99 by that alone, bar {BAR:g}"], rows
