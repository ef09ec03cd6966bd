"""kill -9 of the ingress at every step: the provider retries, and each accepted event is applied exactly once."""

from __future__ import annotations

import signal

import pytest

from tests.support import failpoints
from tests.support.events import Event, payment, thin
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

POINTS = failpoints.in_source("ingress")
BROKEN = b'{"id": "evt_broken", "object": "event", "type": '


def traffic() -> list[Event]:
    """What passes every step of the ingress: fresh events of both kinds."""
    return [payment("cus_1", 10), payment("cus_1", 20), thin(), payment("cus_1", 30)]


def run_until_killed(pipeline: Pipeline, ingress: Program) -> None:
    """Fresh events, duplicates, an unreadable body, then SIGTERM: everything an ingress ever does."""
    provider = pipeline.provider(ingress)
    for event in traffic():
        provider.deliver(event).twice()
    provider.post(BROKEN, provider.headers(BROKEN))
    if ingress.running:
        ingress.signal(signal.SIGTERM)
    ingress.wait_end()


@pytest.mark.parametrize("point", POINTS)
def test_killed_and_replaced(pipeline: Pipeline, point: str) -> None:
    pipeline.ledger.open_wallet("cus_1")
    victim = pipeline.ingress(start=False).start(f"{point}=kill@1")
    wait_for(lambda: not victim.running or victim.get("/readyz")[0] == 200, "the victim to serve or to die")
    run_until_killed(pipeline, victim)
    assert victim.exit_code == -signal.SIGKILL, f"{point} was never hit\n{victim.story()}"
    assert point in victim.hit_failpoints()

    successor = pipeline.ingress()
    for provider in pipeline.providers:
        provider.port = successor.port
        provider.retry_refused()
    pipeline.consumer()
    pipeline.expect_exactly_once()


@pytest.mark.parametrize("point", POINTS)
def test_fails_at_one_request(pipeline: Pipeline, point: str) -> None:
    """The step fails in place of dying: no success without an ack, and the provider's retry mends it."""
    pipeline.ledger.open_wallet("cus_1")
    ingress = pipeline.ingress(f"{point}=error@2")
    provider = pipeline.provider(ingress)
    for event in traffic():
        provider.deliver(event).twice()
    provider.retry_refused()
    pipeline.consumer()
    pipeline.expect_exactly_once()


def test_peer_serves_while_a_claimant_is_paused(pipeline: Pipeline) -> None:
    """SIGSTOP after the claim: a peer gets the retry and publishes; the late publish is absorbed."""
    point = next((name for name in POINTS if "after_claim" in name), None)
    assert point, f"no failpoint after the claim: {POINTS}"
    pipeline.ledger.open_wallet("cus_1")
    pipeline.config["redis"]["lease"] = "1s"
    paused = pipeline.ingress(f"{point}=stop@1")
    peer = pipeline.ingress()
    event = payment("cus_1", 10)
    first = pipeline.provider(paused)
    first.headers(event.body)
    from threading import Thread
    attempt = Thread(target=lambda: first.deliver(event))
    attempt.start()
    wait_for(lambda: point in paused.hit_failpoints(), "the claimant to stop")
    pipeline.provider(peer).deliver(event).expect(200)
    paused.resume()
    attempt.join()
    pipeline.consumer()
    pipeline.expect_exactly_once()
