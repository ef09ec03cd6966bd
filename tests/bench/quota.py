"""A CPU quota that server and load generator share, as two containers of one pod do: does the server spin in it?"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.arena import Arena
from tests.bench.cells import Length, Load, measure
from tests.bench.ingress_rounds import Say, row
from tests.bench.targets import OURS, Target

ROOT = Path("/sys/fs/cgroup")
PERIOD = 100_000  # microseconds
PARTITIONS = 1
LOADS = (Load(connections=32), Load(connections=128))
BAR = 1.3


class NoQuota(RuntimeError):
    """No control group can be made here."""


class Group:
    """A control group with one core's worth of time. Processes are put into it and taken out; `close` removes it."""

    def __init__(self) -> None:
        is_second = (ROOT / "cgroup.controllers").exists()
        self.parent = ROOT if is_second else ROOT / "cpu"
        self.folder = self.parent / f"sluice-bench-{os.getpid()}"
        try:
            self.folder.mkdir()
            if is_second:
                (self.folder / "cpu.max").write_text(f"{PERIOD} {PERIOD}")
            else:
                (self.folder / "cpu.cfs_period_us").write_text(str(PERIOD))
                (self.folder / "cpu.cfs_quota_us").write_text(str(PERIOD))
        except OSError as error:
            raise NoQuota(str(error)) from None

    @contextmanager
    def holding(self, process: int) -> Iterator[None]:
        (self.folder / "cgroup.procs").write_text(str(process))
        try:
            yield
        finally:
            (self.parent / "cgroup.procs").write_text(str(process))

    @property
    def around(self) -> list[str]:
        """A command that runs another inside."""
        return ["sh", "-c", f'echo $$ >{self.folder}/cgroup.procs && exec "$@"', "sh"]

    def throttled(self) -> int:
        """How many periods were cut short."""
        lines = (self.folder / "cpu.stat").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("nr_throttled"))

    def close(self) -> None:
        self.folder.rmdir()


def run(arena: Arena, names: list[str], rounds: int, length: Length, say: Say) -> dict:
    """With and without, in turns. NoQuota where no group can be made."""
    group = Group()
    try:
        targets = arena.start(names, PARTITIONS)
        return {"rounds": rounds, "bar": BAR, "quota": "1 core, server and load generator together",
                "cells": [cell(arena, group, target, load, rounds, length, say) for load in LOADS for target in targets]}
    finally:
        group.close()


def cell(arena: Arena, group: Group, target: Target, load: Load, rounds: int, length: Length, say: Say) -> dict:
    free, held = [], []
    throttled = group.throttled()
    for _ in range(rounds):
        free.append(measure(target, load, length, arena.log, arena.redis))
        with group.holding(target.pid):
            held.append(measure(target, load, length, arena.log, arena.redis, around=group.around))
    ratio = statistics.median(mine["cpu_us_per_answer"] / other["cpu_us_per_answer"]
                              for mine, other in zip(held, free, strict=True))
    found = {"target": target.name, "load": load.label, "partitions": PARTITIONS, "free": row(free), "held": row(held),
             "ratio": ratio, "throttled_periods": group.throttled() - throttled}
    say(f"  {load.label:14} {target.name:16} {found['free']['cpu_us']:6.1f} us free, {found['held']['cpu_us']:6.1f} us in the quota, "
        f"x {ratio:.2f}; {found['throttled_periods']} periods cut short")
    return found


def is_met(found: dict) -> bool:
    return all(one["ratio"] <= BAR for one in found["cells"] if one["target"] == OURS)
