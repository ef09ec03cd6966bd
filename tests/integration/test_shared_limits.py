"""Limits of a source and of its accounts, which all ingress processes share through Redis."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor

from tests.support.events import Event, payment
from tests.support.pipeline import Pipeline
from tests.support.provider import Provider
from tests.support.wait import wait_for

RATE, BURST = 40, 80
PROCESSES = 4


def limited(pipeline: Pipeline, **limits: object) -> None:
    pipeline.config["sources"][0]["limits"] = limits


def published(pipeline: Pipeline) -> list[str]:
    return [json.loads(record.value)["id"] for record in pipeline.log.read(pipeline.topic)]


def of_customer(name: str) -> Event:
    return payment(customer=name)


def connected(pipeline: Pipeline) -> Provider:
    """Of an ingress that has its Redis."""
    ingress = pipeline.ingress(threads=1)
    wait_for(lambda: ingress.metric("sluice_ingress_redis_connected") == 1, "Redis")
    return pipeline.provider(ingress)


def test_processes_share_a_limit_exactly(pipeline: Pipeline) -> None:
    """As many as its rate allows in the time that was taken, however many processes take them: not one more."""
    limited(pipeline, source={"rate": f"{RATE}/s", "burst": BURST})
    providers = [connected(pipeline) for _ in range(PROCESSES)]
    began = time.monotonic()
    with ThreadPoolExecutor(PROCESSES) as pool:
        rounds = [pool.submit(delivered_by, provider, 400) for provider in providers]
        accepted = sum(done.result() for done in rounds)
    took = time.monotonic() - began
    assert accepted <= BURST + RATE * took + 1
    assert accepted >= 0.98 * (RATE * took)
    assert {answer.status for provider in providers for delivery in provider.deliveries for answer in delivery.answers} == {200, 429}


def delivered_by(provider: Provider, times: int) -> int:
    """How many of them were accepted."""
    return sum(provider.deliver(payment()).answers[0].accepted for _ in range(times))


def test_one_account_is_limited_and_others_are_not(pipeline: Pipeline) -> None:
    limited(pipeline, account={"by": ["/data/object/customer"], "rate": "1/h", "burst": 3})
    ingress = pipeline.ingress()
    wait_for(lambda: ingress.metric("sluice_ingress_redis_connected") == 1, "Redis")
    provider = pipeline.provider(ingress)
    answers = [provider.deliver(of_customer("cus_busy")).answers[0] for _ in range(6)]
    assert [answer.status for answer in answers] == [200] * 3 + [429] * 3
    assert {answer.headers["retry-after"] for answer in answers[3:]} == {"3600"}
    for _ in range(3):
        provider.deliver(of_customer("cus_quiet")).expect(200)
    assert {line["reason"] for line in ingress.decisions("limited")} == {"account"}
    assert len(published(pipeline)) == 6


def test_what_was_limited_comes_later_and_once(pipeline: Pipeline) -> None:
    limited(pipeline, source={"rate": "20/s", "burst": 2})
    ingress = pipeline.ingress()
    pipeline.consumer()
    pipeline.ledger.open_wallet("cus_1")
    provider = pipeline.provider(ingress)
    events = [payment() for _ in range(12)]
    for event in events:
        provider.deliver(event)
    assert any(not delivery.accepted for delivery in provider.deliveries)
    provider.retry_refused()
    pipeline.expect_exactly_once()


def test_a_delivery_that_is_sent_again_takes_nothing(pipeline: Pipeline) -> None:
    """Or whoever has one could use up the limit with it."""
    limited(pipeline, source={"rate": "1/h", "burst": 2})
    provider = connected(pipeline)
    provider.deliver(payment()).times(5).expect(200)
    provider.deliver(payment()).expect(200)
    provider.deliver(payment()).expect(429)


def test_a_raised_rate_is_in_force_at_once(pipeline: Pipeline) -> None:
    """Not when all is made up for that was taken under the old one."""
    limited(pipeline, source={"rate": "3/h", "burst": 3})
    provider = connected(pipeline)
    for _ in range(3):
        provider.deliver(payment()).expect(200)
    provider.deliver(payment()).expect(429)
    limited(pipeline, source={"rate": "50/s", "burst": 5})
    connected(pipeline).start(payment()).until_accepted()


def test_without_redis_all_is_taken_and_it_is_said(pipeline: Pipeline) -> None:
    limited(pipeline, source={"rate": "1/h", "burst": 1})
    pipeline.config["redis"]["urls"] = ["redis://127.0.0.1:1/0"]
    ingress = pipeline.ingress()
    provider = pipeline.provider(ingress)
    for _ in range(5):
        provider.deliver(payment()).expect(200)
    ingress.expect_metric(5, "sluice_ingress_limits_uncounted_total")
