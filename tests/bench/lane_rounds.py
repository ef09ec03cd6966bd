"""What lanes cost events of objects that never were in trouble: the consumer as it is beside a copy that does not
look at lanes, one connection each, in turns. That one loses order and is never deployed."""

from __future__ import annotations

import os
import statistics

from tests.bench import events_log
from tests.bench.arena import Arena
from tests.bench.building import Early, build_without, ours
from tests.bench.consumer_rounds import BATCH, PARTITIONS, PLAIN, Variant, drain, new_pipeline
from tests.bench.ingress_rounds import Say

BAR = 0.95  # of the events per second without lanes
NOTE = "The comparison is a copy of this tree that does not look at lanes (tests/bench/lane_rounds.py); it loses order."
WITHOUT_LANES = [Early("consumer/store/lane/lane_look.cpp",
                       "const std::function<std::vector<LaneKey>()>& make_keys) {", "return std::vector<LaneKey>{};")]
FORMS = {"sql": "sql", "insert + add": "sets"}


def run(arena: Arena, rounds: int, events: int, say: Say) -> dict:
    os.environ["SLUICE_BIN"] = str(ours("sluice-consumer").parent)
    without = str(build_without("lanes", "sluice-consumer", WITHOUT_LANES))
    source = new_pipeline(arena, "filling")
    source.create_topics()
    say(f"  filling a topic with {events} events")
    events = events_log.fill(source, events)
    rows = {form: [] for form in FORMS}
    for number in range(rounds):
        for form, effects in FORMS.items():
            pair = [Variant(f"{form}, with", effects=effects), Variant(f"{form}, without", effects=effects, programs=without)]
            found = {variant.programs: drain(arena, variant, source.topic, events, events)
                     for variant in (pair[::-1] if number % 2 else pair)}
            rows[form].append((found[""], found[without]))
            say(f"  {number + 1}/{rounds}  {form:14} {found['']['per_second']:9.0f}/s with, {found[without]['per_second']:9.0f}/s without")
    source.log.close()
    return {"rounds": rounds, "events": events, "batch": BATCH, "partitions": PARTITIONS, "topic": PLAIN, "bar": BAR,
            "rows": {form: ratios(found) for form, found in rows.items()}}


def ratios(found: list[tuple[dict, dict]]) -> dict:
    """Round by round, then the median."""
    speed = [mine["per_second"] / other["per_second"] for mine, other in found]
    cpu = [work(mine) / work(other) for mine, other in found]
    return {"speed": statistics.median(speed), "low": min(speed), "high": max(speed),
            "cpu": statistics.median(cpu), "cpu_low": min(cpu), "cpu_high": max(cpu)}


def work(figures: dict) -> float:
    """One connection: while the database works the consumer waits, so both together are what an event takes."""
    return figures["cpu_us_per_event"] + figures["server_us_per_event"]


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    return ["with lanes / without", "events/s", "bar", "", "CPU of consumer and database"], [
        [form, f"{row['speed']:.3f} ({row['low']:.3f}–{row['high']:.3f})", f"{result['bar']:g}",
         "met" if row["speed"] >= result["bar"] else "MISSED",
         f"{row['cpu']:.3f} ({row['cpu_low']:.3f}–{row['cpu_high']:.3f})"] for form, row in result["rows"].items()]
