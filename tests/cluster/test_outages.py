"""Kafka, the database and Redis go away and come back: nothing restarts, nothing is lost, and who need not notice does not."""

from __future__ import annotations

import pytest

from tests.cluster.kube import Kube
from tests.cluster.release import Release
from tests.cluster.traffic import Traffic, send, statuses
from tests.support.wait import stays

pytestmark = pytest.mark.timeout(400)

# Who asks that often would end a program within seconds that took "not ready" for "not alive".
QUICKLY = {"livenessProbe": {"periodSeconds": 1, "failureThreshold": 3}}
VALUES = {part: QUICKLY for part in ("ingress", "consumer", "retry")}


def expect_all_ready(kube: Kube) -> None:
    assert kube.ready("ingress") == 2


def test_broker_restart(release: Release, kube: Kube) -> None:
    """The provider hears our 503 meanwhile, and comes again; what it was told 200 for is there."""
    with Traffic(release, 40, "--retry", "--attempts", "60") as traffic:
        traffic.wait_for(60)
        release.servers.kafka.kill()
        assert statuses(send(release, 5)) == {503}
        stays(lambda: expect_all_ready(kube), during=30)
        assert statuses(send(release, 5)) == {503}, "the Service still has somebody to ask"
        release.servers.kafka.start()
        release.servers.kafka.wait_ready()
        traffic.wait_for(60)
    traffic.expect_all_taken_in_the_end()
    release.expect_no_loss(within=120)
    assert not kube.restarts()


@pytest.mark.parametrize("server,sends", [("database", ()), ("redis", ("--duplicates", "50"))])
def test_a_restart_that_is_no_concern_of_the_ingress(release: Release, kube: Kube, server: str, sends: tuple[str, ...]) -> None:
    """Every webhook is taken, and applied once: when the database is back; without Redis there are only more duplicates in Kafka."""
    gone = getattr(release.servers, server)
    with Traffic(release, 40, *sends) as traffic:
        traffic.wait_for(60)
        gone.kill()
        traffic.wait_for(200)
        gone.start()
        gone.wait_ready()
    traffic.expect_all_taken(at_least=260)
    release.expect_no_loss(within=120)
    assert not kube.restarts()


def test_it_works_as_before(release: Release) -> None:
    assert statuses(send(release, 50)) == {200}
    release.expect_no_loss()
