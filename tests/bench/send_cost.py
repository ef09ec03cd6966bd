"""What `send` costs the consumer: the same topic with effects that have none, with another type's effect that has one, and with one message
for each event. In CPU, round by round, and in instructions, which no neighbour disturbs."""

from __future__ import annotations

import os
from pathlib import Path

from tests.bench import callgrind, events_log
from tests.bench.arena import Arena
from tests.bench.building import ours
from tests.bench.consumer_rounds import BATCH, WITHIN, Variant, configure, drain, fresh, new_pipeline
from tests.bench.counts import FOREIGN
from tests.bench.ingress_rounds import Say
from tests.bench.relay_rounds import shown, spread
from tests.support.pipeline import Pipeline
from tests.support.wait import wait_for

NONE, BESIDE, ONE = "without send", "another type's effect has one", "one message each"
VARIANTS = {NONE: Variant(NONE, effects="sets"), BESIDE: Variant(BESIDE, effects="sets beside send"), ONE: Variant(ONE, effects="sets and send")}
BAR = 1.05  # of the CPU and of the instructions without, where no message is written
FEW = 2_000  # events under callgrind, and as many again: their difference is counted, and so no start
NOTE = (f"`insert` + `add`, batches of {BATCH}, one connection; CPU of the consumer, and of the database's process for the same event. Instructions are "
        "those of the consumer in user space, all threads.")


def run(arena: Arena, rounds: int, events: int, say: Say) -> dict:
    assert arena.sql is not None
    os.environ["SLUICE_BIN"] = str(ours("sluice-consumer").parent)
    source = new_pipeline(arena, "filling")
    source.create_topics()
    say(f"  filling a topic with {events} events")
    events = events_log.fill(source, events)
    samples: dict[str, list[dict]] = {name: [] for name in VARIANTS}
    for number in range(rounds):
        for name in list(VARIANTS)[::-1] if number % 2 else VARIANTS:
            samples[name].append(drain(arena, VARIANTS[name], source.topic, events, events))
            one = samples[name][-1]
            say(f"  {number + 1}/{rounds}  {name:32} {one['cpu_us_per_event']:6.1f} us, database {one['server_us_per_event']:6.1f} us")
    counted = {name: instructions(arena, variant, source.topic, say) for name, variant in VARIANTS.items()}
    source.log.close()
    return {"rounds": rounds, "events": events, "database": arena.sql.name, "bar": BAR,
            "rows": {name: summary(samples[name], samples[NONE], counted[name], counted[NONE]) for name in VARIANTS}}


def summary(mine: list[dict], without: list[dict], counted: float, counted_without: float) -> dict:
    """Ratios and differences round by round."""
    found = {what: spread([one[what] for one in mine]) for what in ("cpu_us_per_event", "server_us_per_event")}
    ratios = {f"{what}_ratio": spread([one[what] / other[what] for one, other in zip(mine, without, strict=True)]) for what in found}
    return {**found, **ratios, "instructions": counted, "instructions_ratio": counted / counted_without}


def instructions(arena: Arena, variant: Variant, topic: str, say: Say) -> float:
    """Of an event, by the difference between a short run and a longer one."""
    say(f"  {variant.name}: instructions, under callgrind")
    (few, few_events), (many, many_events) = (counted(arena, variant, topic, wanted) for wanted in (FEW, 3 * FEW))
    return (many - few) / (many_events - few_events)


def counted(arena: Arena, variant: Variant, topic: str, wanted: int) -> tuple[int, int]:
    """Instructions of a whole run outside what goes by the clock, and how many events it applied: `wanted` or some more."""
    pipeline = fresh(arena, topic)
    try:
        configure(pipeline, variant)
        out = pipeline.folder / "callgrind.out"
        consumer = pipeline.consumer(start=False)
        consumer.folder_of_programs = str(under_callgrind(pipeline.folder, out))
        consumer.start()
        wait_for(lambda: applied(pipeline) >= wanted, f"{wanted} events to be applied", WITHIN, every=0.2)
        consumer.stop(within=60)
        own = callgrind.read(out, whole=True).by_object()
        return sum(cost for library, cost in own.items() if not library.startswith(FOREIGN)), applied(pipeline)
    finally:
        pipeline.close()
        pipeline.ledger.run(f"DROP DATABASE {pipeline.name}")


def under_callgrind(folder: Path, out: Path) -> Path:
    """A folder with the consumer's name for it under valgrind."""
    script = folder / "callgrind" / "sluice-consumer"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec valgrind --tool=callgrind --callgrind-out-file={out} "{ours("sluice-consumer").resolve()}" "$@"\n')
    script.chmod(0o755)
    return script.parent


def applied(pipeline: Pipeline) -> int:
    return pipeline.ledger.query("SELECT COUNT(*) FROM inbox")[0][0]


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    def judged(name: str, row: dict) -> list[str]:
        ratio, counted_ratio = row["cpu_us_per_event_ratio"], row["instructions_ratio"]
        if name != BESIDE:
            return ["", ""]
        return [f"{result['bar']:g}", "met" if ratio["middle"] <= result["bar"] and counted_ratio <= result["bar"] else "MISSED"]
    return ["per event", "CPU, us", "by that without", "database, us", "by that without", "instructions", "by those without", "bar", ""], [
        [name, shown(row["cpu_us_per_event"], 1), shown(row["cpu_us_per_event_ratio"]), shown(row["server_us_per_event"], 1),
         shown(row["server_us_per_event_ratio"]), f"{row['instructions']:,.0f}", f"{row['instructions_ratio']:.3f}", *judged(name, row)]
        for name, row in result["rows"].items()]
