"""What the ingress adds to the waits for Redis and Kafka, and how much of its own time is under a millisecond."""

from __future__ import annotations

import json
import secrets
import statistics
import subprocess

from tests.bench.arena import Arena
from tests.bench.building import tool
from tests.bench.cells import GRACE, Length, Load, Untrue, measure
from tests.bench.ingress_rounds import Say
from tests.bench.targets import OURS, Target
from tests.support import metrics_text

PARTITIONS = 12
CAPACITY = Load(connections=128)
OFFERED = 10_000  # per second, for the share of own time
BARS = {"added_p50_us": 80, "added_p99_us": 250, "own_under_1ms": 0.99}
STAGES = ("gate", "verify", "claim", "publish", "total")
METRIC = "webhook_stage_seconds"


def run(arena: Arena, rounds: int, length: Length, say: Say) -> dict:
    target, = arena.start([OURS], PARTITIONS)
    capacity = measure(target, CAPACITY, Length(1.5, length.seconds), arena.log, arena.redis)["per_second"]
    rate = round(capacity / 2)
    say(f"  capacity {capacity:.0f}/s, measured at {rate}/s")
    load = Load(connections=256, rate=rate)
    through, bare = [], []
    for _ in range(rounds):
        bare.append(bare_client(arena, target.topic, rate, length))
        through.append(measure(target, load, length, arena.log, arena.redis))
        say(f"  bare p50 {bare[-1]['p50_us']} p99 {bare[-1]['p99_us']} us, "
            f"ingress p50 {through[-1]['p50_us']} p99 {through[-1]['p99_us']} us")
    added = {f"added_{name}": statistics.median(mine[name] - floor[name] for mine, floor in zip(through, bare, strict=True))
             for name in ("p50_us", "p99_us")}
    result = {"rounds": rounds, "bars": BARS, "capacity": capacity, "rate": rate,
              "bare": middle(bare), "ingress": middle(through), **added, "own": own_time(arena, target, length)}
    own = result["own"]
    say(f"  added: p50 {added['added_p50_us']} us, p99 {added['added_p99_us']} us; own time at {own['per_second']:.0f}/s: "
        f"at least {own['under_1ms_at_least']:.2%} under 1 ms")
    return result


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


def own_time(arena: Arena, target: Target, length: Length) -> dict:
    """From the stage histograms. Own time of one webhook is gate + verify + what is in none of the stages. There is no histogram
    of that sum, so the share is a lower bound: gate and verify within 250 us each, and the rest within 500 us, by Markov's
    inequality from its mean."""
    before = metrics_text.parse(target.metrics())
    figures = measure(target, Load(connections=256, rate=OFFERED), length, arena.log, arena.redis)
    after = metrics_text.parse(target.metrics())

    def grown(name: str, **labels: str) -> float:
        return after.total(name, **labels) - before.total(name, **labels)
    count = grown(f"{METRIC}_count", stage="total")
    mean = {stage: grown(f"{METRIC}_sum", stage=stage) / count * 1e6 for stage in STAGES}
    rest = max(mean["total"] - mean["verify"] - mean["claim"] - mean["publish"], 0.0)
    slow = {stage: 1 - (within(after, stage, 250e-6) - within(before, stage, 250e-6)) / count for stage in ("gate", "verify")}
    by_markov = min(1.0, rest / 500)
    return {"per_second": figures["per_second"], "mean_us": mean, "mean_rest_us": rest, "over_250_us": slow,
            "under_1ms_at_least": 1 - min(1.0, sum(slow.values()) + by_markov), "p50_us": figures["p50_us"], "p99_us": figures["p99_us"]}


def within(samples: metrics_text.Samples, stage: str, seconds: float) -> float:
    """The bucket of so many seconds; AssertionError when the histogram has none."""
    buckets = [sample for sample in samples.named(f"{METRIC}_bucket", stage=stage) if abs(float(sample.labels["le"]) - seconds) < 1e-9]
    assert len(buckets) == 1, f"{METRIC} has {len(buckets)} buckets of {seconds} s"
    return buckets[0].value
