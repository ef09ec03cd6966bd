"""A CPU quota that server and load generator share, as two containers of one pod do: does the server spin in it?"""

from __future__ import annotations

import os
import resource
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.arena import Arena
from tests.bench.cells import Length, Load
from tests.bench.ingress_rounds import Say, measure_honestly, row
from tests.bench.targets import Target

ROOT = Path("/sys/fs/cgroup")
PERIOD = 100_000  # microseconds
PARTITIONS = 1
LOADS = (Load(connections=32), Load(connections=128))
BAR = 1.3
SHARE = 0.5  # of what both use without it: a quota that is never reached measures nothing
LEAST = 0.02  # cores: the kernel gives no less than a millisecond of each period


class NoQuota(RuntimeError):
    """No control group can be made here."""


class Group:
    """A control group with a limited share of time, at first one core's. Processes are put into it and taken out; `close` removes it."""

    def __init__(self) -> None:
        self.is_second = (ROOT / "cgroup.controllers").exists()
        self.parent = ROOT if self.is_second else ROOT / "cpu"
        self.folder = self.parent / f"sluice-bench-{os.getpid()}"
        try:
            self.folder.mkdir()
            self.allow(1.0)
        except OSError as error:
            raise NoQuota(str(error)) from None

    def allow(self, cores: float) -> None:
        quota = round(cores * PERIOD)
        if self.is_second:
            (self.folder / "cpu.max").write_text(f"{quota} {PERIOD}")
        else:
            (self.folder / "cpu.cfs_period_us").write_text(str(PERIOD))
            (self.folder / "cpu.cfs_quota_us").write_text(str(quota))

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
        return {"rounds": rounds, "bar": BAR, "quota": "Half of what server and load generator use together without a quota, at most one core",
                "cells": [cell(arena, group, target, load, rounds, length, say) for load in LOADS for target in targets]}
    finally:
        group.close()


def cell(arena: Arena, group: Group, target: Target, load: Load, rounds: int, length: Length, say: Say) -> dict:
    free, held, cores = [], [], []
    throttled = group.throttled()
    for _ in range(rounds):
        before = used_by_children()
        free.append(measure_honestly(arena, target, load, length, say))
        cores.append(used_by_both(free[-1], used_by_children() - before, length))
        group.allow(min(1.0, max(LEAST, SHARE * cores[-1])))
        with group.holding(target.pid):
            held.append(measure_honestly(arena, target, load, length, say, group.around))
    found = {"target": target.name, "load": load.label, "partitions": PARTITIONS, "free": row(free), "held": row(held),
             "cores": statistics.median(cores), "throttled_periods": group.throttled() - throttled, **ratios(free, held)}
    say(f"  {load.label:14} {target.name:16} {found['free']['cpu_us']:6.1f} us free, {found['held']['cpu_us']:6.1f} us in the quota, "
        f"x {found['ratio']:.2f}; {found['throttled_periods']} periods cut short, of {found['cores']:.2f} cores")
    return found


def used_by_children() -> float:
    """Seconds of those that have ended: the load generators."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def used_by_both(figures: dict, sender: float, length: Length) -> float:
    """Cores."""
    return figures["cpu_us_per_answer"] * figures["per_second"] / 1e6 + sender / (length.warm_up + length.seconds)


def ratios(free: list[dict], held: list[dict]) -> dict:
    each = [mine["cpu_us_per_answer"] / other["cpu_us_per_answer"] for mine, other in zip(held, free, strict=True)]
    return {"ratio": statistics.median(each), "ratio_low": min(each), "ratio_high": max(each)}
