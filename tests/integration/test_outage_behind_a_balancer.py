"""Kafka is away, and a load balancer stands before the ingress: what providers hear then is ours.

SLUICE_OUTAGE_SECONDS says for how long: five seconds, if it is not set.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.stack import Kafka
from tests.support import front
from tests.support.events import payment
from tests.support.pipeline import Pipeline
from tests.support.provider import Answer, Provider
from tests.support.servers import Servers
from tests.support.wait import stays, wait_for

SECONDS = float(os.environ.get("SLUICE_OUTAGE_SECONDS", "5"))
SENDERS, PAUSE = 8, 0.2  # some 40 webhooks a second
pytestmark = pytest.mark.timeout(SECONDS + 240)


@pytest.fixture
def broker(servers: Servers) -> Iterator[Kafka]:
    kafka = servers.own_kafka("kafka-behind-a-balancer")
    yield kafka
    servers.drop(kafka)


class Crowd:
    """Providers that go on sending, each on connections of its own."""

    def __init__(self, provider: Provider) -> None:
        self.answers: list[tuple[float, Answer]] = []
        self._provider, self._ended = provider, threading.Event()
        self._threads = [threading.Thread(target=self._send) for _ in range(SENDERS)]

    def __enter__(self) -> Crowd:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def since(self, moment: float) -> Counter[int]:
        return Counter(answer.status for at, answer in self.answers if at >= moment)

    def _send(self) -> None:
        while not self._ended.wait(PAUSE):
            began = time.monotonic()
            answer = self._provider.deliver(payment()).last
            self.answers.append((began, answer))


def test_every_answer_is_ours(broker: Kafka, new_pipeline: Callable[..., Pipeline], test_folder: Path) -> None:
    pipeline = new_pipeline(kafka=broker).prepare()
    pods = [pipeline.ingress(proxy={"mode": "forwarded", "trusted": ["127.0.0.1/32"]}) for _ in range(2)]
    before = front.load_balancer_of_two(test_folder / "front", pods)
    try:
        provider = pipeline.provider(before)
        with Crowd(provider) as crowd:
            wait_for(lambda: crowd.since(0)[200] > 20, "webhooks to be taken")
            broker.kill()
            gone = time.monotonic()
            stays(lambda: None, during=SECONDS)
            refused = crowd.since(gone)
            broker.start()
            broker.wait_ready()
            there = time.monotonic()
            wait_for(lambda: crowd.since(there)[200] > 20, "webhooks to be taken again")
            first = next(at + answer.seconds for at, answer in sorted(crowd.answers, key=lambda each: each[0]) if at > gone + 1 and answer.accepted)
        print(f"{SECONDS:g} s without Kafka: answers {dict(refused)}; the first 200 came {first - there:.1f} s after the broker")
        assert set(crowd.since(0)) == {200, 503} and refused[503] > SECONDS
        for _, answer in crowd.answers:
            assert answer.accepted or int(answer.headers["retry-after"]) >= 1, "that was the balancer's own"
        pipeline.expect_log_holds(provider.accepted)
    finally:
        before.stop()
