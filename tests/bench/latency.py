"""What the ingress adds to the waits for Redis and Kafka, and how much of its own time is under a millisecond."""

from __future__ import annotations

import json
import secrets
import statistics
import subprocess

from tests.bench.arena import Arena
from tests.bench.building import tool
from tests.bench.cells import GRACE, Length, Load, Untrue
from tests.bench.ingress_rounds import Say, measure_honestly
from tests.bench.targets import OURS, Target
from tests.support import metrics_text

PARTITIONS = 12
CAPACITY = Load(connections=128)
CALM = 2.0  # times the best round's p50 of the bare client: beyond that, others had the machine
TRIALS = 3  # of the capacity: the lowest counts, since half of it shall be there in every round
FEWEST_CALM = 3  # rounds that make a verdict
REACHED = 0.9  # of what was offered, to call it offered
OFFERED = 10_000  # per second, for the share of own time
BARS = {"added_p50_us": 80, "added_p99_us": 250, "own_under_1ms": 0.99}
STAGES = ("gate", "verify", "claim", "publish", "total")
METRIC = "webhook_stage_seconds"


def run(arena: Arena, rounds: int, length: Length, say: Say) -> dict:
    target, = arena.start([OURS], PARTITIONS)
    capacity = min(measure_honestly(arena, target, CAPACITY, Length(1.5, length.seconds), say)["per_second"] for _ in range(TRIALS))
    rate = round(capacity / 2)
    say(f"  capacity {capacity:.0f}/s, measured at {rate}/s")
    load = Load(connections=256, rate=rate)
    through, bare = [], []
    for _ in range(rounds):
        bare.append(bare_client(arena, target.topic, rate, length))
        through.append(measure_honestly(arena, target, load, length, say))
        say(f"  bare p50 {bare[-1]['p50_us']} p99 {bare[-1]['p99_us']} us, "
            f"ingress p50 {through[-1]['p50_us']} p99 {through[-1]['p99_us']} us")
    return {"rounds": rounds, "bars": BARS, "capacity": capacity, "rate": rate, "bare": middle(bare), "ingress": middle(through),
            "added": {name: added(name, bare, through) for name in ("p50_us", "p99_us")},
            "own": own_time(arena, target, length, say)}


def added(name: str, bare: list[dict], through: list[dict]) -> dict:
    """By round, of those in which the bare client shows that the machine had time; `best` is between the calmest round of each,
    which need not be the same one."""
    calm = [(floor, mine) for floor, mine in zip(bare, through, strict=True)
            if floor["p50_us"] <= CALM * min(one["p50_us"] for one in bare)]
    each = [mine[name] - floor[name] for floor, mine in calm]
    best = min(mine[name] for mine in through) - min(floor[name] for floor in bare)
    return {"middle": statistics.median(each), "low": min(each), "high": max(each), "best": best, "calm": len(calm)}


def middle(figures: list[dict]) -> dict:
    return {name: statistics.median(entry[name] for entry in figures)
            for name in ("p50_us", "p90_us", "p99_us", "under_1ms", "per_second")}


def bare_client(arena: Arena, topic: str, rate: float, length: Length) -> dict:
    command = [str(tool("bare")), "--redis", str(arena.redis.port), "--kafka", arena.kafka.bootstrap, "--topic", topic,
               "--run", secrets.token_hex(4), "--rate", str(rate), "--warm-up", str(length.warm_up),
               "--seconds", str(length.seconds)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          timeout=length.warm_up + length.seconds + GRACE)
    if done.returncode != 0:
        raise Untrue(f"bare client: {done.stderr.strip()}")
    figures = json.loads(done.stdout)
    if figures["all"] != {"200": figures["sent"]}:
        raise Untrue(f"bare client: {figures}")
    return figures


def own_time(arena: Arena, target: Target, length: Length, say: Say) -> dict:
    """From the stage histograms. Own time of one webhook is gate + verify + what is in none of the stages. There is no histogram
    of that sum, so the share is a lower bound: gate and verify within 250 us each, and the rest within 500 us, by Markov's
    inequality from its mean."""
    before = metrics_text.parse(target.metrics())
    figures = measure_honestly(arena, target, Load(connections=256, rate=OFFERED), length, say)
    after = metrics_text.parse(target.metrics())

    def grown(name: str, **labels: str) -> float:
        return after.total(name, **labels) - before.total(name, **labels)
    count = grown(f"{METRIC}_count", stage="total")
    mean = {stage: grown(f"{METRIC}_sum", stage=stage) / count * 1e6 for stage in STAGES}
    rest = max(mean["total"] - mean["gate"] - mean["verify"] - mean["claim"] - mean["publish"], 0.0)
    slow = {stage: 1 - (within(after, stage, 250e-6) - within(before, stage, 250e-6)) / count for stage in ("gate", "verify")}
    by_markov = min(1.0, rest / 500)
    return {"per_second": figures["per_second"], "mean_us": mean, "mean_rest_us": rest, "over_250_us": slow,
            "under_1ms_at_least": 1 - min(1.0, sum(slow.values()) + by_markov), "p50_us": figures["p50_us"], "p99_us": figures["p99_us"]}


def within(samples: metrics_text.Samples, stage: str, seconds: float) -> float:
    """The bucket of so many seconds; AssertionError when the histogram has none."""
    buckets = [sample for sample in samples.named(f"{METRIC}_bucket", stage=stage) if abs(float(sample.labels["le"]) - seconds) < 1e-9]
    assert len(buckets) == 1, f"{METRIC} has {len(buckets)} buckets of {seconds} s"
    return buckets[0].value
