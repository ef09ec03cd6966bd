"""A topic full of events for the consumers: sent through sluice-ingress, so every record is as real ones are."""

from __future__ import annotations

import json
import random
import subprocess

from tests.bench.building import tool
from tests.bench.cells import Untrue
from tests.support.kafka_log import KafkaLog
from tests.support.pipeline import PATH, Pipeline

RUN = "consumer"  # part of every id: 8 characters
CUSTOMERS = 1000
AMOUNT = 2000
DUPLICATES = 0.3
SEED = 20261121
FILL_WITHIN = 180.0  # seconds


def customers() -> list[str]:
    return [f"cus_{RUN}{number:010}" for number in range(CUSTOMERS)]


def fill(pipeline: Pipeline, count: int) -> int:
    """`count` events, each sent once, into the pipeline's topic; how many it holds then, which is fewer after a 503."""
    pipeline.config["kafka"]["headers"] = "cloudevents"  # the floor that drains it reads no others
    ingress = pipeline.ingress(threads=1)
    done = subprocess.run(
        [str(tool("load")), "--port", str(ingress.port), "--path", PATH, "--secret", pipeline.secret, "--run", RUN,
         "--connections", "64", "--warm-up", "0", "--seconds", str(FILL_WITHIN), "--most", str(count)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=FILL_WITHIN + 40)
    ingress.stop()
    held = pipeline.log.count(pipeline.topic)
    accepted = json.loads(done.stdout)["all"].get("200", 0) if done.returncode == 0 else 0
    if held < max(accepted, count // 2):
        raise Untrue(f"{held} of {count} events are in the topic: {done.stdout}{done.stderr}")
    return held


def copy_with_duplicates(log: KafkaLog, source: str, target: str) -> int:
    """The same events, and copies among them that come later than their first: three records of ten. How many records."""
    chance = random.Random(SEED)
    records, seen = [], []
    for record in log.read(source, within=120):
        entry = (record.value, record.key, record.headers, record.partition)
        records.append(entry)
        seen.append(entry)
        while chance.random() < DUPLICATES:
            records.append(chance.choice(seen[-2000:]))
    log.append_all(target, records)
    return len(records)
