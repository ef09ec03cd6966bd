"""The ingress against its floor and its peers: interleaved rounds, medians and spread, ratios."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.bench.arena import Arena
from tests.bench.cells import Length, Load, Void, measure
from tests.bench.targets import FLOORS, OURS, STRONGEST, Target

PARTITIONS = (12, 1)
ACCEPTED = (Load(connections=32), Load(connections=128), Load(connections=64, rate=1000))
CHEAP = (Load("duplicate", 32), Load("forged", 32))  # nothing of these reaches Kafka: partitions do not matter
BARS = {"fresh c=32": 1.4, "fresh c=128": 1.4, "fresh 1000/s": 1.25, "duplicate c=32": 1.25, "forged c=32": 1.2}

TRIES = 4

Say = Callable[[str], None]


@dataclass(frozen=True)
class Cell:
    partitions: int
    load: Load

    @property
    def label(self) -> str:
        return f"{self.partitions} partition{'s' * (self.partitions > 1)}, {self.load.label}"


def cells() -> list[Cell]:
    return [*(Cell(partitions, load) for partitions in PARTITIONS for load in ACCEPTED),
            *(Cell(PARTITIONS[0], load) for load in CHEAP)]


def run(arena: Arena, names: list[str], rounds: int, length: Length, say: Say) -> dict:
    """Every target meets every cell once per round; every second round goes backwards."""
    targets = {(target.name, target.partitions): target
               for partitions in PARTITIONS for target in arena.start(names, partitions)}
    wanted = cells()
    warm_up(arena, list(targets.values()), say)
    samples: dict[tuple[Cell, str], list[dict]] = {}
    total, done = rounds * len(wanted) * len(names), 0
    for number in range(rounds):
        for cell in wanted[::-1] if number % 2 else wanted:
            for name in names[::-1] if number % 2 else names:
                figures = measure_honestly(arena, targets[name, cell.partitions], cell.load, length, say)
                samples.setdefault((cell, name), []).append(figures)
                done += 1
                say(f"  {done:3}/{total}  {cell.label:28} {name:16} {figures['cpu_us_per_answer']:7.1f} us  "
                    f"{figures['per_second']:9.0f}/s  p50 {figures['p50_us']} us")
    return {"rounds": rounds, "seconds": length.seconds,
            "cells": [summary(cell, {name: samples[cell, name] for name in names}) for cell in wanted]}


def measure_honestly(arena: Arena, target: Target, load: Load, length: Length, say: Say, around: Sequence[str] = ()) -> dict:
    """Once more after a void figure, a few times."""
    for _ in range(TRIES - 1):
        try:
            return measure(target, load, length, arena.log, arena.redis, around)
        except Void as void:
            say(f"  void, once more: {void}")
    return measure(target, load, length, arena.log, arena.redis, around)


def warm_up(arena: Arena, targets: list[Target], say: Say) -> None:
    """The broker compiles its code while it works: its first seconds are no measure of anything."""
    say("  warming up")
    for target in targets:
        measure(target, ACCEPTED[0], Length(0.1, 1.5), arena.log, arena.redis)


def summary(cell: Cell, samples: dict[str, list[dict]]) -> dict:
    rows = {name: row(figures) for name, figures in samples.items()}
    floors = {name: rows[name]["cpu_us"] for name in FLOORS if name in rows}
    best = min(floors, key=floors.__getitem__) if floors else None
    result = {"cell": cell.label, "partitions": cell.partitions, "load": cell.load.label, "targets": rows, "floor": best}
    if best and OURS in rows:
        # By round, then the median: noise that hits a whole round cancels out.
        ratios = [mine["cpu_us_per_answer"] / theirs["cpu_us_per_answer"]
                  for mine, theirs in zip(samples[OURS], samples[best], strict=True)]
        cheapest = min(rows[name]["cpu_us_low"] for name in floors)
        result |= {"ratio": statistics.median(ratios), "ratio_low": min(ratios), "ratio_high": max(ratios),
                   "ratio_of_best": rows[OURS]["cpu_us_low"] / cheapest, "bar": BARS[cell.load.label]}
    return result


def note(result: dict) -> str:
    """In words, where we stand: against the floor by rounds, against the strongest Go service by medians."""
    ratios = [cell["ratio"] for cell in result["cells"] if "ratio" in cell]
    stronger = [cell["targets"][STRONGEST]["cpu_us"] / cell["targets"][OURS]["cpu_us"] for cell in result["cells"]
                if {OURS, STRONGEST} <= cell["targets"].keys()]
    said = f"A webhook costs {min(ratios):.1f} to {max(ratios):.1f} times the CPU of the floor." if ratios else ""
    if stronger:
        said += f" The Go service of the fastest libraries takes {min(stronger):.1f} to {max(stronger):.1f} times as much as sluice."
    return said


def row(figures: list[dict]) -> dict:
    cpu = [entry["cpu_us_per_answer"] for entry in figures]
    return {"cpu_us": statistics.median(cpu), "cpu_us_low": min(cpu), "cpu_us_high": max(cpu),
            "per_second": statistics.median(entry["per_second"] for entry in figures),
            "p50_us": statistics.median(entry["p50_us"] for entry in figures),
            "p99_us": statistics.median(entry["p99_us"] for entry in figures),
            "answers": sum(entry["answers"] for entry in figures),
            "stored": sum(entry["stored"] for entry in figures),
            "threads_us": thread_shares(figures)}


def thread_shares(figures: list[dict]) -> dict[str, float]:
    """CPU per answer by thread's name, summed over threads of one name, over all rounds."""
    sums: dict[str, float] = {}
    answers = sum(entry["answers"] for entry in figures) or 1
    for entry in figures:
        for thread, used in entry["threads_us"].items():
            name = thread.rpartition("/")[0]
            sums[name] = sums.get(name, 0) + used
    return {name: round(used / answers, 2) for name, used in sorted(sums.items(), key=lambda item: -item[1]) if used}
