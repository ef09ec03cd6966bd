"""What one accepted webhook takes that no noise can change: instructions, system calls, heap allocations, requests to the broker. CPU by thread beside it."""

from __future__ import annotations

import subprocess
from collections import Counter

from tests.bench import allocations, callgrind, syscalls
from tests.bench.arena import Arena
from tests.bench.cells import Length, Load, Untrue, measure
from tests.bench.ingress_rounds import Say, thread_shares
from tests.bench.targets import OURS, PEERS, Target

WEBHOOKS = 2000
SLOW_WEBHOOKS = 500  # under callgrind, fifty times slower
LOAD = Load(connections=32)
SLOW_LOAD = Load(connections=2)  # more at once would time out at Redis under callgrind
PARTITIONS = 12
FOREIGN = ("libcrypto", "librdkafka")
BARS = {"instructions": 24_000, "system_calls": 3.8, "allocations": 5}
DEAREST = 25
WIDE = {"rate": "100000/s", "burst": 1_000_000}  # a limit that is counted and never reached


def run(arena: Arena, names: list[str], say: Say) -> dict:
    """By target: calls and allocations by thread, CPU by thread; instructions of what is C++."""
    result: dict = {"bars": BARS, "targets": {}}
    for target in targets_of(names, arena):
        name = f"{target.name}{target.variant}"
        target.make_topics(arena.log)
        arena.targets.append(target)
        say(f"  {name}: heap allocations and system calls")
        found = count_allocations(arena, target) | count_calls(arena, target)
        if target.name not in PEERS:  # valgrind stops Go's threads from sharing their work
            say(f"  {name}: instructions, under callgrind")
            found |= count_instructions(arena, target)
        result["targets"][name] = found
    return result


def targets_of(names: list[str], arena: Arena) -> list[Target]:
    """Ours three times: as it is by itself, with limits of clients and the record of callbacks, and with a limit that pods share as well."""
    folder = arena.folder / "targets"
    targets = [Target(name, PARTITIONS, folder) for name in names]
    if OURS in names:
        guard = {"listen": {"limits": dict.fromkeys(("connections", "requests", "refused", "strangers"), WIDE)},
                 "sections": {"callbacks": {"record": "all"}}}
        at = names.index(OURS) + 1
        targets[at:at] = [Target(OURS, PARTITIONS, folder, variant="-guarded", **guard),
                          Target(OURS, PARTITIONS, folder, variant="-shared", source={"limits": {"source": WIDE}}, **guard)]
    return targets


def count_allocations(arena: Arena, target: Target) -> dict:
    file = arena.folder / f"{target.label}.allocations"
    target.start(arena.kafka, arena.redis, env=allocations.preloaded(file))
    send_counted(arena, target, LOAD, WEBHOOKS // 4)
    before = allocations.by_thread(file)
    figures = send_counted(arena, target, LOAD, WEBHOOKS)
    after = allocations.by_thread(file)
    target.stop()
    threads = {thread: (count - before.get(thread, 0)) / WEBHOOKS for thread, count in after.items()}
    main = request_thread(figures)
    return {"allocations": threads.get(main, 0.0), "allocations_all_threads": sum(threads.values())}


def count_calls(arena: Arena, target: Target) -> dict:
    file = arena.folder / f"{target.label}.strace"
    target.start(arena.kafka, arena.redis)
    unwatched = send_counted(arena, target, LOAD, WEBHOOKS)
    with syscalls.traced(target.pid, file):
        figures = send_counted(arena, target, LOAD, WEBHOOKS)
    target.stop()
    threads = syscalls.by_thread(file)
    requests, sent = syscalls.written(file, broker_threads(figures))
    main = threads.get(request_thread(figures), Counter())
    every = sum((Counter(calls) for calls in threads.values()), Counter())
    return {"system_calls": main.total() / WEBHOOKS, "system_calls_all_threads": every.total() / WEBHOOKS,
            "by_name": {name: round(count / WEBHOOKS, 3) for name, count in main.most_common(10)},
            "cpu_us_by_thread": thread_shares([unwatched]),
            **({"broker_requests": requests / WEBHOOKS, "broker_bytes": sent / WEBHOOKS} if requests else {})}


def count_instructions(arena: Arena, target: Target) -> dict:
    """Of the thread that serves requests, and of the whole process outside FOREIGN."""
    out = arena.folder / f"{target.label}.callgrind"
    target.start(arena.kafka, arena.redis, around=[
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--separate-threads=yes", "--dump-line=no"])
    send_counted(arena, target, SLOW_LOAD, SLOW_WEBHOOKS // 5)
    control("--zero", target)
    send_counted(arena, target, SLOW_LOAD, SLOW_WEBHOOKS)
    control("--dump", target)
    target.stop()
    profiles = [callgrind.read(file) for file in sorted(out.parent.glob(f"{out.name}.1-*"))]
    profiles = [profile for profile in profiles if profile.own]
    if not profiles:
        raise Untrue("callgrind wrote no profile")
    main = max(profiles, key=lambda profile: sum(cost for (library, _), cost in profile.own.items() if library.startswith(callgrind.PROGRAMS)))
    every = sum((profile.own for profile in profiles), Counter())
    outside = sum(cost for (library, _), cost in every.items() if not library.startswith(FOREIGN))
    return {"instructions": main.without(FOREIGN) / SLOW_WEBHOOKS,
            "instructions_by_object": per_webhook(main.by_object()),
            "instructions_all_threads": sum(every.values()) / SLOW_WEBHOOKS,
            "instructions_all_threads_by_object": outside / SLOW_WEBHOOKS,
            "dearest": [{"object": function[0], "function": function[1], "file": main.files.get(function, ""),
                         "own": round(cost / SLOW_WEBHOOKS, 1)} for function, cost in main.own.most_common(DEAREST)],
            "allocators": {f"{function[1]} [{function[0]}]": round(times / SLOW_WEBHOOKS, 2) for function, times in
                           main.callers("malloc", "calloc", "realloc", "operator new").most_common(2 * DEAREST)},
            "dearest_inclusive": [{"object": function[0], "function": function[1], "inclusive": round(cost / SLOW_WEBHOOKS, 1)}
                                  for function, cost in main.inclusive().most_common(4 * DEAREST)]}


def per_webhook(costs: Counter[str]) -> dict[str, float]:
    return {name: round(cost / SLOW_WEBHOOKS, 1) for name, cost in costs.most_common(12)}


def send_counted(arena: Arena, target: Target, load: Load, count: int) -> dict:
    """Exactly `count` accepted webhooks."""
    figures = measure(target, load, Length(0, 120, count), arena.log, arena.redis)
    if figures["all"] != {"200": count}:
        raise Untrue(f"{target.label}: {count} webhooks were answered {figures['all']}")
    return figures


def request_thread(figures: dict) -> int:
    """The thread that used most time and is none of librdkafka's."""
    own = {name: used for name, used in figures["threads_us"].items() if not name.startswith("rdk:")}
    return int(max(own, key=own.__getitem__).rpartition("/")[2])


def broker_threads(figures: dict) -> set[int]:
    """librdkafka's, which send to brokers: a request to produce each, but for some that ask what there is."""
    return {int(name.rpartition("/")[2]) for name in figures["threads_us"] if name.startswith("rdk:broker")}


def control(what: str, target: Target) -> None:
    done = subprocess.run(["callgrind_control", what, str(target.pid)], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0 or "OK" not in done.stdout:
        raise Untrue(f"callgrind_control {what}: {done.stdout}{done.stderr}")
