"""Whole bodies of deliveries found again in a real Kafka: the GoogleTest program originals_integration."""

from __future__ import annotations

import hashlib
import os
import subprocess
import time

from confluent_kafka import Producer

from tests.support.kafka_log import KafkaLog
from tests.support.program import binary
from tests.support.servers import Servers

TOPIC = "originals.test"
BODIES = 300
FROM = int(time.time()) - 30 * 86400


def test_a_body_is_found_by_its_digest(servers: Servers) -> None:
    KafkaLog(servers.kafka.bootstrap).create(TOPIC, partitions=3, config={"retention.ms": "-1"})
    write_bodies(servers.kafka.bootstrap)
    run = subprocess.run([binary("originals_integration"), "--gtest_brief=1"],
                         env={**os.environ, "SLUICE_TEST_KAFKA": servers.kafka.bootstrap, "SLUICE_TEST_KAFKA_FROM": str(FROM)},
                         capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]
    assert "[  PASSED  ]" in run.stdout


def write_bodies(bootstrap: str) -> None:
    """As the ingress's client places them, in order: a batch that is sent again may not end up behind a later one."""
    producer = Producer({"bootstrap.servers": bootstrap, "partitioner": "murmur2", "enable.idempotence": True})
    for number in range(BODIES):
        body = f"body {number}".encode()
        producer.produce(TOPIC, body, hashlib.sha256(body).hexdigest(), timestamp=(FROM + number) * 1000)
    assert producer.flush(20) == 0
