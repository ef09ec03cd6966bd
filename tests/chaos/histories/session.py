"""./run chaos --lanes: one history after the other on servers that they share."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
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
    both = failpoints.in_source("consumer/lane/run", "consumer/publish", "common")
    retry = failpoints.in_source("consumer/retry_role", "consumer/quarantine", "consumer/command/execute")
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
    session = Session(options)
    for first in range(0, len(histories), FRESH_SERVERS_AFTER):
        if not session.is_over:
            session.carry_out(histories[first:first + FRESH_SERVERS_AFTER])
    print(f"{session.done} histories in {session.now:.0f} s, {session.different} different; the record: {record.totals(options.record)}")
    return 1 if session.different else 0


class Session:
    """Some histories side by side: they wait for timers most of the time."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.began = time.monotonic()
        self.done = self.different = 0
        self._place = TREE / "build" / "chaos" / f"lanes-{os.getpid()}"
        self._ports = free_ports(Random())
        self._lock = threading.Lock()

    @property
    def now(self) -> float:
        return time.monotonic() - self.began

    @property
    def is_over(self) -> bool:
        too_late = self.options.within is not None and self.now > self.options.within
        return too_late or (self.different > 0 and not self.options.go_on)

    def carry_out(self, histories: Sequence[History]) -> None:
        servers = Servers(self._place / f"servers-{histories[0].seed}", sorted({plan.database for plan in histories}))
        try:
            with ThreadPoolExecutor(self.options.abreast) as pool:
                list(pool.map(lambda plan: self._run(plan, servers), histories))
        finally:
            servers.stop()
            shutil.rmtree(servers.folder, ignore_errors=True)

    def _run(self, plan: History, servers: Servers) -> None:
        if self.is_over:
            return
        print(plan, flush=True)
        folder = self._place / str(plan.seed)
        run = HistoryRun(plan, servers, folder, self._next_port)
        result = run.carry_out()
        with self._lock:
            self._note(result, plan, folder)
        run.clean_up()
        if not result.differences and not self.options.keep:
            clean_up(folder)

    def _next_port(self) -> int:
        with self._lock:
            return next(self._ports)

    def _note(self, result: Result, plan: History, folder: Path) -> None:
        self.done += 1
        self.different += bool(result.differences)
        report(result, plan, folder)
        append(result, plan, self.options.record)


def report(result: Result, plan: History, folder: Path) -> None:
    story = result.story
    print(f"history of seed {plan.seed}: seconds {json.dumps(result.seconds)}; faults {json.dumps(dict(sorted(story.counts.items())))}, "
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
