"""The parts of `./run bench`: each starts what it needs, measures, keeps its figures and shows them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from tests.bench import check, command_rounds, constant_time, consumer_rounds, counts, flood_rounds, handshakes, hot_rounds, idle, ingress_rounds, lane_rounds, latency, memory, others_rounds, poll_rounds, probes, quota, relay_backlog, relay_others, relay_rounds, search_rounds, send_cost, small_rounds, sweep_rounds, tables, telemetry_rounds
from tests.bench.arena import Arena
from tests.bench.building import FOLDER, build_peers, has_engine
from tests.bench.cells import Length
from tests.bench.ingress_rounds import Say
from tests.bench.results import Results
from tests.bench.syscalls import NoTrace
from tests.bench.targets import FLOORS, OURS

ARENA = FOLDER / "arena" / str(os.getpid())


@dataclass(frozen=True)
class Order:
    """What was asked for."""

    names: list[str]
    rounds: int
    length: Length
    quick: bool
    say: Say
    memory_seconds: float = memory.HOUR

    @property
    def c_plus_plus(self) -> list[str]:
        return [name for name in self.names if name in (OURS, *FLOORS)]


def run_ingress(order: Order, results: Results) -> None:
    order.say(f"ingress: {', '.join(order.names)}; {order.rounds} rounds of {order.length.seconds:g} s")
    with Arena(ARENA) as arena:
        result = ingress_rounds.run(arena, order.names, order.rounds, order.length, order.say)
    results.add("ingress", result)
    order.say(f"\n{tables.aligned(*tables.ingress_rows(result))}\n* the cheaper floor; every 200 was counted in Kafka\n")


def run_counts(order: Order, results: Results) -> None:
    order.say("counts: per accepted webhook, 32 connections")
    try:
        with Arena(ARENA) as arena:
            result = counts.run(arena, order.c_plus_plus, order.say)
    except NoTrace as why:
        results.not_run("counts", str(why))
        return
    results.add("counts", result)
    order.say(f"\n{tables.aligned(*tables.count_rows(result))}\n\n{tables.aligned(*tables.count_parts(result))}\n")


def run_quota(order: Order, results: Results) -> None:
    order.say("quota: server and load generator together in half of what they use without, 1 partition")
    try:
        with Arena(ARENA) as arena:
            result = quota.run(arena, order.c_plus_plus, order.rounds, order.length, order.say)
    except quota.NoQuota as why:
        results.not_run("quota", str(why))
        return
    results.add("quota", result)
    order.say(f"\n{tables.aligned(*tables.quota_rows(result))}\n")


def run_latency(order: Order, results: Results) -> None:
    order.say("latency: added to a bare SET NX and produce, 12 partitions")
    with Arena(ARENA) as arena:
        result = latency.run(arena, order.rounds, order.length, order.say)
    results.add("latency", result)
    order.say(f"\n{tables.aligned(*tables.latency_rows(result))}\n")


def run_consumer(order: Order, results: Results) -> None:
    events = 4_000 if order.quick else 40_000
    order.say(f"consumer: {events} events, batches of {consumer_rounds.BATCH}, one connection")
    with Arena(ARENA, durable=True) as arena:
        result = consumer_rounds.run(arena, min(order.rounds, 5), events, order.say)
    results.add("consumer", result)
    if not result["set_based"]:
        results.not_run("consumer, insert + add", "needs set-based effects")
    order.say(f"\n{tables.aligned(*tables.consumer_rows(result))}\n\n{tables.aligned(*tables.consumer_bars(result))}\n\n"
              f"{tables.aligned(*tables.consumer_own(result))}\n")


def run_lanes(order: Order, results: Results) -> None:
    events = 4_000 if order.quick else 40_000
    order.say(f"lanes: {events} events of healthy objects, batches of {consumer_rounds.BATCH}, one connection")
    if not has_engine():
        results.not_run("lanes", "SLUICE_BIN names programs that were built elsewhere")
        return
    with Arena(ARENA, durable=True) as arena:
        result = lane_rounds.run(arena, order.rounds, events, order.say)
    results.add("lanes", result)
    order.say(f"\n{tables.aligned(*lane_rounds.table(result))}\n")


def run_others(order: Order, results: Results) -> None:
    # One long round: each worker's first wait, of a second or two, is part of the result, and not of each minute.
    seconds = order.rounds * (10.0 if order.quick else 60.0)
    order.say(f"others: delay of healthy objects while others are in trouble; {seconds:g} s with each trouble")
    with Arena(ARENA, durable=True) as arena:
        result = others_rounds.run(arena, 1, seconds, order.say)
    results.add("others", result)
    order.say(f"\n{tables.aligned(*others_rounds.table(result))}\n")


def run_telemetry(order: Order, results: Results) -> None:
    order.say(f"telemetry: metrics, logs and traces of {telemetry_rounds.RATIO:.0%}; {order.rounds} rounds of {order.length.seconds:g} s")
    if not has_engine():
        results.not_run("telemetry", "SLUICE_BIN names programs that were built elsewhere")
        return
    with Arena(ARENA) as arena:
        result = telemetry_rounds.run(arena, order.rounds, order.length, order.say)
    results.add("telemetry", result)
    order.say(f"\n{tables.aligned(*telemetry_rounds.table(result))}\n")


def run_relay(order: Order, results: Results) -> None:
    order.say(f"relay: messages to a topic and to a URL, against the same sent with nothing around; {order.rounds} rounds")
    with Arena(ARENA, durable=True) as arena:
        result = relay_rounds.run(arena, order.rounds, 0.1 if order.quick else 1.0, order.say)
    results.add("relay", result)
    order.say(f"\n{tables.aligned(*relay_rounds.table(result))}\n\n{tables.aligned(*relay_rounds.database_table(result))}\n")


def run_destinations(order: Order, results: Results) -> None:
    seconds = 5.0 if order.quick else 30.0
    order.say(f"destinations: delay of one destination's messages while another one hangs; {order.rounds} rounds of {seconds:g} s")
    with Arena(ARENA, durable=True) as arena:
        result = relay_others.run(arena, order.rounds, seconds, order.say)
    results.add("destinations", result)
    order.say(f"\n{tables.aligned(*relay_others.table(result))}\n")


def run_send(order: Order, results: Results) -> None:
    events = 8_000 if order.quick else 40_000
    order.say(f"send: {events} events with effects that send nothing, and with one message each")
    if not has_engine():
        results.not_run("send", "SLUICE_BIN names programs that were built elsewhere")
        return
    with Arena(ARENA, durable=True) as arena:
        result = send_cost.run(arena, order.rounds, events, order.say)
    results.add("send", result)
    order.say(f"\n{tables.aligned(*send_cost.table(result))}\n")


def run_backlog(order: Order, results: Results) -> None:
    messages = 20_000 if order.quick else relay_backlog.MESSAGES
    order.say(f"backlog: a relay that finds {messages:,} messages")
    with Arena(ARENA, durable=True) as arena:
        result = relay_backlog.run(arena, messages, order.say)
    results.add("backlog", result)
    order.say(f"\n{tables.aligned(*relay_backlog.table(result))}\n")


def run_searches(order: Order, results: Results) -> None:
    callbacks = 500_000 if order.quick else search_rounds.CALLBACKS
    order.say(f"searches: of {callbacks:,} callbacks on record")
    arena = Arena(ARENA, durable=True)
    assert arena.sql is not None
    arena.sql.options |= search_rounds.FAST
    with arena:
        result = search_rounds.run(arena, callbacks, order.say)
    results.add("searches", result)
    order.say(f"\n{tables.aligned(*search_rounds.table(result))}\n")


def run_poll(order: Order, results: Results) -> None:
    order.say(f"poll: the poller beside a bare client's page loop; {order.rounds} rounds")
    with Arena(ARENA, durable=True) as arena:
        result = poll_rounds.run(arena, order.rounds, 0.05 if order.quick else 1.0, order.say)
    results.add("poll", result)
    order.say(f"\n{tables.aligned(*poll_rounds.table(result))}\n\n{tables.aligned(*poll_rounds.month_table(result))}\n")


def run_commands(order: Order, results: Results) -> None:
    order.say(f"commands: sluice-command beside a service in Go, with an account that all charge, and small ones beside it; {order.rounds} rounds of {order.length.seconds:g} s")
    if missing := build_peers():
        results.not_run("commands", missing)
        return
    with Arena(ARENA, durable=True) as arena:
        result = command_rounds.run(arena, order.rounds, order.length, order.say)
    with Arena(ARENA, durable=True, has_log=True) as arena:
        hot = hot_rounds.run(arena, order.rounds, order.length, order.say)
        small = small_rounds.run(arena, order.rounds, order.length, order.say)
    for name, found in (("commands", result), ("hot", hot), ("small", small)):
        results.add(name, found)
    order.say(f"\n{tables.aligned(*command_rounds.table(result))}\n\n{tables.aligned(*hot_rounds.table(hot))}\n\n"
              f"{tables.aligned(*small_rounds.table(small))}\n")


def run_sweep(order: Order, results: Results) -> None:
    order.say("sweep: keys of commands that expired")
    with Arena(ARENA, durable=True) as arena:
        result = sweep_rounds.run(arena, 0.02 if order.quick else 1.0, order.say)
    results.add("sweep", result)
    order.say(f"\n{tables.aligned(*sweep_rounds.table(result))}\n")


def run_flood(order: Order, results: Results) -> None:
    order.say(f"flood: genuine webhooks beside forged ones; {order.rounds} rounds of {order.length.seconds:g} s")
    with Arena(ARENA) as arena:
        result = flood_rounds.run(arena, order.rounds, order.length, order.say)
    results.add("flood", result)
    order.say(f"\n{tables.aligned(*flood_rounds.table(result))}\n")


def run_idle(order: Order, results: Results) -> None:
    order.say("idle: resident memory of connections that do nothing")
    try:
        with Arena(ARENA) as arena:
            result = idle.run(arena, 0.05 if order.quick else 1.0, order.say)
    except idle.NoRoom as why:
        results.not_run("idle", str(why))
        return
    results.add("idle", result)
    order.say(f"\n{tables.aligned(*tables.idle_rows(result))}\n")


def run_handshakes(order: Order, results: Results) -> None:
    order.say(f"handshakes: of TLS, the ingress beside nginx; {order.rounds} rounds")
    with Arena(ARENA) as arena:
        result = handshakes.run(arena, order.rounds, 200 if order.quick else 2_000, order.say)
    results.add("handshakes", result)
    order.say(f"\n{tables.aligned(*handshakes.table(result))}\n")


def run_probes(order: Order, results: Results) -> None:
    order.say(f"probes: what an input costs against what it cost its sender; {order.rounds} rounds")
    with Arena(ARENA) as arena:
        result = probes.run(arena, order.rounds, order.length.seconds, order.say)
    results.add("probes", result)
    order.say(f"\n{tables.aligned(*tables.probe_rows(result))}\n")


def run_check(order: Order, results: Results) -> None:
    order.say(f"check: one verdict of the engine against a check by hand; {order.rounds} rounds")
    if not has_engine():
        results.not_run("check", "SLUICE_BIN names programs that were built elsewhere")
        return
    result = check.run(ARENA, order.rounds, order.say)
    results.add("check", result)
    order.say(f"\n{tables.aligned(*check.rows(result))}\n")


def run_constant_time(order: Order, results: Results) -> None:
    calls = 100_000 if order.quick else constant_time.CALLS
    order.say(f"constant-time: Welch's t over {calls:,} calls of each comparison")
    if not has_engine():
        results.not_run("constant-time", "SLUICE_BIN names programs that were built elsewhere")
        return
    result = constant_time.run(calls, order.say)
    results.add("constant-time", result)
    order.say(f"\n{tables.aligned(*constant_time.rows(result))}\n")


def run_memory(order: Order, results: Results) -> None:
    order.say(f"memory: {order.memory_seconds:g} s of load with faults")
    with Arena(ARENA) as arena:
        result = memory.run(arena, order.memory_seconds, order.say)
    results.add("memory", result)
    if result["seconds"] < memory.HOUR:
        results.not_run("memory, the whole hour", f"{result['seconds']:g} s were asked for")
    order.say(f"\n{tables.aligned(*tables.memory_rows(result))}\n")


PARTS: dict[str, Callable[[Order, Results], None]] = {
    "ingress": run_ingress, "counts": run_counts, "quota": run_quota, "latency": run_latency,
    "consumer": run_consumer, "flood": run_flood, "idle": run_idle, "handshakes": run_handshakes, "probes": run_probes, "check": run_check, "constant-time": run_constant_time,
    "lanes": run_lanes, "others": run_others, "telemetry": run_telemetry, "relay": run_relay,
    "destinations": run_destinations, "send": run_send, "poll": run_poll, "commands": run_commands, "backlog": run_backlog, "sweep": run_sweep, "searches": run_searches, "memory": run_memory}
LONG = ("backlog", "sweep", "searches", "memory")  # run only when they are named
