"""./run chaos --lanes: one history after the other on servers that they share."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.chaos import record
from tests.chaos.histories.plan import History, make_history
from tests.chaos.histories.run import HistoryRun, Result
from tests.chaos.run import clean_up
from tests.chaos.site import free_ports
from tests.support import failpoints
from tests.support.servers import Servers

TREE = Path(__file__).resolve().parents[3]
FRESH_SERVERS_AFTER = 100  # histories


def points() -> dict[str, list[str]]:
    """Failpoints by role: those of both are in both."""
    both = failpoints.in_source("consumer/lane_work", "consumer/publish", "common")
    retry = failpoints.in_source("consumer/retry")
    main = sorted(set(failpoints.in_source("consumer")) - set(both) - set(retry))
    return {"main": [*main, *both], "retry": [*retry, *both]}


def plans(seeds: Sequence[int], options: argparse.Namespace) -> list[History]:
    known = points()
    return [make_history(seed, known, seconds=options.seconds, database=options.database) for seed in seeds]


def main(seeds: Sequence[int], options: argparse.Namespace) -> int:
    histories = plans(seeds, options)
    if options.plan:
        print(*histories, sep="\n")
        return 0
    began, good, done = time.monotonic(), True, 0
    place = TREE / "build" / "chaos" / f"lanes-{os.getpid()}"
    for first in range(0, len(histories), FRESH_SERVERS_AFTER):
        part = histories[first:first + FRESH_SERVERS_AFTER]
        servers = Servers(place / f"servers-{first}", sorted({plan.database for plan in part}))
        try:
            for plan in part:
                if options.within and time.monotonic() - began > options.within:
                    break
                good = run_one(plan, servers, place, options) and good
                done += 1
                if not good and not options.go_on:
                    return 1
        finally:
            servers.stop()
            shutil.rmtree(servers.folder, ignore_errors=True)
    print(f"{done} histories in {time.monotonic() - began:.0f} s; the record: {record.totals(options.record)}")
    return 0 if good else 1


def run_one(plan: History, servers: Servers, place: Path, options: argparse.Namespace) -> bool:
    folder = place / str(plan.seed)
    print(plan, flush=True)
    run = HistoryRun(plan, servers, folder, free_ports(Random()))
    result = run.carry_out()
    report(result, plan, folder)
    append(result, plan, options.record)
    run.clean_up()
    if not result.differences and not options.keep:
        clean_up(folder)
    return not result.differences


def report(result: Result, plan: History, folder: Path) -> None:
    story = result.story
    print(f"  {result.seconds:.1f} s; faults {json.dumps(dict(sorted(story.counts.items())))}, "
          f"crashes {json.dumps(dict(sorted(story.crashes.items())))}")
    if result.differences:
        (folder / "differences.txt").write_text("\n".join(result.differences) + "\n")
        print(f"  {len(result.differences)} differences; the first:\n    {result.differences[0]}")
    print(f"verdict: {result.verdict.upper()}; seed {plan.seed}, repeat with: ./run chaos --lanes --seed {plan.seed} "
          f"--seconds {plan.seconds:g}" + (f"; everything in {folder}" if result.differences else ""), flush=True)


def append(result: Result, plan: History, file: Path) -> None:
    story = result.story
    record.append(file, {
        "seed": plan.seed, "commit": record.commit(), "seconds": f"{plan.seconds:g}", "events": len(plan.events),
        **record.cycles(story.counts, story.crashes), "verdict": result.verdict, "plan": "lanes"})
