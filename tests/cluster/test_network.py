"""NetworkPolicies: who may send webhooks, and to whom pods may talk. Needs a cluster that enforces them."""

from __future__ import annotations

import pytest

from tests.cluster.kube import Kube, Refused
from tests.cluster.release import Release
from tests.cluster.traffic import POD, send, start_sender, statuses
from tests.support.wait import wait_for

pytestmark = pytest.mark.timeout(300)

VALUES = {"networkPolicy": {"webhooksFrom": [{"podSelector": {"matchLabels": {"app": POD}}}]}}


def test_only_who_may_send_webhooks_can(release: Release) -> None:
    start_sender(release, "stranger")
    assert statuses(send(release, 5)) == {200}
    wait_for(lambda: statuses(send(release, 2, "--timeout", "2", pod="stranger")) == {0}, "a stranger to be shut out", within=60)


def test_helm_test_gets_through(release: Release) -> None:
    release.test()


def test_pods_talk_to_named_servers_only(release: Release, kube: Kube) -> None:
    """With Kafka named at another address a pod does not reach it any more. On-call's is asked, as it opens a connection each time."""
    assert kube.ctl("doctor", "--only", "kafka")
    release.upgrade({"networkPolicy": {"egress": {"kafka": {"to": [{"ipBlock": {"cidr": "198.51.100.0/24"}}]}}}})
    wait_for(lambda: not reaches_kafka(kube), "Kafka to be out of reach", within=60, every=1)
    release.rollback()
    wait_for(lambda: reaches_kafka(kube), "Kafka to be in reach again", within=60, every=1)


def reaches_kafka(kube: Kube) -> bool:
    try:
        kube.ctl("doctor", "--only", "kafka")
    except Refused:
        return False
    return True
