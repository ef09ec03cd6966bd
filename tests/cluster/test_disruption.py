"""Pods that are taken away: on purpose, where the budget decides how many at a time, and without a word."""

from __future__ import annotations

import pytest

from tests.cluster.kube import Kube, Refused
from tests.cluster.release import Release
from tests.cluster.traffic import Traffic, send, statuses
from tests.support.wait import wait_for

pytestmark = pytest.mark.timeout(400)


def allowed(kube: Kube, part: str) -> int:
    return kube.get("poddisruptionbudget", f"sluice-{part}")["status"]["disruptionsAllowed"]


@pytest.mark.parametrize("part", ["ingress", "consumer", "retry"])
def test_pods_are_evicted_one_at_a_time(release: Release, kube: Kube, part: str) -> None:
    wait_for(lambda: kube.ready(part) == 2 and allowed(kube, part) == 1, "one disruption to be allowed", within=60)
    first, second = kube.names(part)
    with Traffic(release, rate=40) as traffic:
        kube.evict(first)
        with pytest.raises(Refused, match="disruption budget"):
            kube.evict(second)
        wait_for(lambda: kube.ready(part) == 2 and first not in kube.names(part), "another pod in its place", within=60, every=0.5)
        traffic.wait_for(80)
    traffic.expect_all_taken(at_least=80)
    release.expect_no_loss()


def test_a_consumer_that_is_gone_without_a_word_loses_nothing(release: Release, kube: Kube) -> None:
    """SIGKILL: what it had read and not committed is done again, once, by another."""
    with Traffic(release, rate=60) as traffic:
        for _ in range(3):
            traffic.wait_for(60)
            kube.run("delete", "pod", kube.names("consumer")[0], "--grace-period=0", "--force")
    traffic.expect_all_taken(at_least=180)
    release.expect_no_loss()


def test_pods_that_are_not_ready_never_stand_in_the_way(release: Release, kube: Kube) -> None:
    """A cluster must be able to drain nodes while the database is away."""
    release.servers.database.pause()
    try:
        wait_for(lambda: kube.ready("consumer") == 0, "the consumers to say that they are not ready", within=90, every=0.5)
        for pod in kube.names("consumer"):
            kube.evict(pod)
    finally:
        release.servers.database.resume()
    wait_for(lambda: kube.ready("consumer") == 2, "two pods that are ready", within=120, every=0.5)
    assert not kube.restarts(), "a program without its database is not one that must be started anew"


def test_while_kafka_is_away_the_budget_keeps_a_pod_that_answers(release: Release, kube: Kube) -> None:
    """A new pod is not ready before it has seen the topics, so the last one stays until Kafka is back."""
    wait_for(lambda: kube.ready("ingress") == 2 and allowed(kube, "ingress") == 1, "one disruption to be allowed", within=60)
    first, second = kube.names("ingress")
    release.servers.kafka.pause()
    try:
        kube.evict(first)
        with pytest.raises(Refused, match="disruption budget"):
            kube.evict(second)
        wait_for(lambda: first not in kube.names("ingress"), "the evicted pod to be gone", within=60, every=0.5)
        assert statuses(send(release, 5)) == {503}
    finally:
        release.servers.kafka.resume()
    wait_for(lambda: kube.ready("ingress") == 2, "two pods that are ready", within=90, every=0.5)
    assert not kube.restarts(), "a program without Kafka is not one that must be started anew"
