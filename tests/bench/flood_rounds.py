"""How long genuine webhooks wait while forged ones flood the ingress, from one address or from a thousand. In turns. The same flood
at another process shows what of that is the machine's."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.bench.arena import Arena
from tests.bench.cells import Length, Load, forget_markers, measure, send
from tests.bench.command_rounds import shown, spread, verdict
from tests.bench.ingress_rounds import Say, measure_honestly
from tests.bench.targets import OURS, Target

PARTITIONS = 12
GENUINE = Load(connections=16, rate=300, clients=1)
LIMITS = {"connections": {"rate": "10/s", "burst": 50}, "requests": {"rate": "500/s", "burst": 1000},
          "refused": {"rate": "20/s", "burst": 200}, "strangers": {"rate": "500/s", "burst": 2000}}
OTHERS = 1000  # the first address that floods
CALM, HERE, THERE = "calm", "at this process", "at another process"
FLOODS = {name: Load("forged", connections, clients=clients, first_client=OTHERS, floods=True, anew=anew)
          for name, connections, clients, anew in (
              ("one client, 256 connections", 256, 1, False), ("one client, a connection for each request", 256, 1, True),
              ("1,000 clients, a connection each", 1000, 1000, False), ("1,000 clients, a connection for each request", 1000, 1000, True))}
AHEAD = 2.0  # seconds that a flood goes on before and after what is measured: the clients' bursts are spent
BAR = 1.2
NOTE = (f"{GENUINE.rate:g} genuine webhooks a second from an address of their own, each at its time, and forged ones as fast as one sender can, to the "
        f"same source: more than the process could answer without limits. `listen.limits`: "
        + ", ".join(f"`{name}: {limit['rate']}, burst {limit['burst']}`" for name, limit in LIMITS.items())
        + ". All genuine ones were answered 200 and counted in Kafka. *At another process*: the same flood shares with the measured process the "
        "machine, Kafka and Redis only.")


def run(arena: Arena, rounds: int, length: Length, say: Say) -> dict:
    here, there = (started(arena, variant) for variant in ("", "-other"))
    measure(here, GENUINE, length, arena.log, arena.redis)  # Kafka's code gets fast only while it works
    calm: list[dict] = []
    rows: dict[str, dict[str, list[dict]]] = {name: {HERE: [], THERE: []} for name in FLOODS}
    for number in range(rounds):
        calm.append(genuine(arena, here, length, say))
        say(f"  {number + 1}/{rounds}  {CALM:46} p99 {calm[-1]['p99_ms']:.1f} ms")
        for name in list(FLOODS)[::-1] if number % 2 else FLOODS:
            for where, at in ((HERE, here), (THERE, there)):
                found = beside(arena, here, at, FLOODS[name], length, say)
                rows[name][where].append(found)
                say(f"  {number + 1}/{rounds}  {name:46} {where:20} p99 {found['p99_ms']:.1f} ms, {found['answers']}")
    return {"rounds": rounds, "calm": of(calm), "rows": {name: summary(calm, found) for name, found in rows.items()}}


def started(arena: Arena, variant: str) -> Target:
    target = Target(OURS, PARTITIONS, arena.folder / "targets", variant=variant, listen={"limits": LIMITS})
    target.make_topics(arena.log)
    arena.targets.append(target)
    return target.start(arena.kafka, arena.redis)


def genuine(arena: Arena, here: Target, length: Length, say: Say) -> dict:
    found = measure_honestly(arena, here, GENUINE, length, say)
    return {"p50_ms": found["p50_us"] / 1000, "p99_ms": found["p99_us"] / 1000}


def beside(arena: Arena, here: Target, at: Target, flood: Load, length: Length, say: Say) -> dict:
    forget_markers(arena.redis)
    with ThreadPoolExecutor(1) as pool:
        flooding = pool.submit(send, at, flood, Length(AHEAD, length.warm_up + length.seconds + AHEAD))
        found = genuine(arena, here, Length(length.warm_up + AHEAD, length.seconds), say)
        sent = flooding.result()
    return {**found, "answers": {status: round(count / sent["seconds"]) for status, count in sent["measured"].items()}}


def of(found: list[dict]) -> dict:
    return {what: spread([one[what] for one in found]) for what in ("p50_ms", "p99_ms")}


def summary(calm: list[dict], found: dict[str, list[dict]]) -> dict:
    """Ratios by round, then their middle."""
    def by(others: list[dict]) -> dict:
        return spread([one["p99_ms"] / other["p99_ms"] for one, other in zip(found[HERE], others, strict=True)])
    return {HERE: of(found[HERE]), THERE: of(found[THERE]), "by_calm": by(calm), "by_there": by(found[THERE]), "answers": found[HERE][-1]["answers"]}


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    rows = [[CALM, shown(result["calm"]["p50_ms"], 1), shown(result["calm"]["p99_ms"], 1), "", "", "", ""]]
    for name, row in result["rows"].items():
        ratio = row["by_there"]
        rows.append([name, shown(row[HERE]["p50_ms"], 1), shown(row[HERE]["p99_ms"], 1), shown(row[THERE]["p99_ms"], 1), shown(row["by_calm"]),
                     f"{shown(ratio)} {verdict(ratio['high'] <= BAR, ratio['low'] > BAR)}",
                     ", ".join(f"{status}: {count:,}" for status, count in sorted(row["answers"].items()))])
    return ["genuine webhooks beside a flood", "p50, ms", "p99, ms", f"p99, flood {THERE}", "p99 by calm", f"p99 by that, bar {BAR:g}",
            "answers to the flood, each second"], rows
