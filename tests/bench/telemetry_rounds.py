"""What metrics, log lines and traces cost the ingress: as it is deployed, with the traces of one webhook in a hundred told to a
collector, beside the same build that counts, logs and traces nothing. In CPU time, and in instructions, which no neighbour disturbs."""

from __future__ import annotations

import statistics

from tests.bench import counts
from tests.bench.arena import Arena
from tests.bench.building import Early, build_without
from tests.bench.cells import Length, Load
from tests.bench.ingress_rounds import Say, measure_honestly
from tests.bench.targets import OURS, Target
from tests.support import collector as stub

BAR = 1.08  # of the CPU per webhook without
RATIO = 0.01
PARTITIONS = 12
LOADS = (Load(connections=32), Load(connections=64, rate=1000), Load("duplicate", 32))
NOTE = ("The comparison is a copy of this tree that counts, logs and traces nothing for a request (tests/bench/telemetry_rounds.py). The "
        "figures do not include the CPU of the collector, which is another process.")
WITHOUT_TELEMETRY = [
    Early("ingress/request/decision_log.cpp", "void DecisionLog::made(Outcome outcome, const Facts& facts) {", "return;"),
    Early("ingress/request/decision_log.cpp", "void DecisionLog::received(const webhook::Source& source, std::string_view type) {", "return;"),
    Early("ingress/telemetry/stages.cpp",
          "void StageTimes::add(Stage stage, std::chrono::steady_clock::duration took) noexcept {", "return;")]


def run(arena: Arena, rounds: int, length: Length, say: Say) -> dict:
    """Both meet every load once per round, in turns; every second round goes backwards."""
    collector = stub.Collector(stub.taking)
    try:
        pair = started(arena, collector.endpoint)
        for target in pair:
            measure_honestly(arena, target, LOADS[0], Length(0.1, 1.5), say)
        samples: dict[str, list[tuple[float, float]]] = {load.label: [] for load in LOADS}
        for number in range(rounds):
            for load in LOADS[::-1] if number % 2 else LOADS:
                found = {target.variant: measure_honestly(arena, target, load, length, say)["cpu_us_per_answer"]
                         for target in (pair[::-1] if number % 2 else pair)}
                samples[load.label].append((found[""], found["-bare"]))
                say(f"  {number + 1}/{rounds}  {load.label:16} {found['']:7.1f} us with, {found['-bare']:7.1f} us without")
        spans = len(collector.spans)
        instructions = {target.variant: instructions_of(arena, target, say) for target in pair}
    finally:
        collector.close()
    assert spans > 0, "nothing was traced: that is no measure of it"
    return {"rounds": rounds, "seconds": length.seconds, "ratio": RATIO, "bar": BAR, "partitions": PARTITIONS, "spans": spans,
            "instructions": {"with": instructions[""], "without": instructions["-bare"], "ratio": instructions[""] / instructions["-bare"]},
            "rows": {label: row(found) for label, found in samples.items()}}


def instructions_of(arena: Arena, target: Target, say: Say) -> float:
    """Of all threads for an accepted webhook, but for libcrypto and librdkafka, whose work goes by the clock; nor is the kernel's in it."""
    say(f"  {target.label}: instructions, under callgrind")
    target.stop()
    return counts.count_instructions(arena, target)["instructions_all_threads_by_object"]


def started(arena: Arena, endpoint: str) -> list[Target]:
    """As it is deployed, and bare."""
    folder = arena.folder / "targets"
    made = [Target(OURS, PARTITIONS, folder, sections={"tracing": {"endpoint": endpoint, "ratio": RATIO}}),
            Target(OURS, PARTITIONS, folder, variant="-bare", programs=str(build_without("telemetry", "sluice-ingress", WITHOUT_TELEMETRY)))]
    for target in made:
        target.make_topics(arena.log)
        arena.targets.append(target)
        target.start(arena.kafka, arena.redis)
    return made


def row(found: list[tuple[float, float]]) -> dict:
    """Ratios round by round, then the median."""
    ratios = [mine / bare for mine, bare in found]
    return {"with_us": statistics.median(mine for mine, _ in found), "without_us": statistics.median(bare for _, bare in found),
            "ratio": statistics.median(ratios), "low": min(ratios), "high": max(ratios)}


def table(result: dict) -> tuple[list[str], list[list[str]]]:
    counted = result["instructions"]
    return ["per webhook", "with", "without", "ratio", "bar", ""], [
        *([f"CPU, {label}", f"{row['with_us']:.1f} us", f"{row['without_us']:.1f} us", f"{row['ratio']:.3f} ({row['low']:.3f}–{row['high']:.3f})",
           f"{result['bar']:g}", judgement(row["ratio"])] for label, row in result["rows"].items()),
        ["instructions", f"{counted['with']:,.0f}", f"{counted['without']:,.0f}", f"{counted['ratio']:.3f}", f"{result['bar']:g}", judgement(counted["ratio"])]]


def judgement(ratio: float) -> str:
    return "met" if ratio <= BAR else "MISSED"
