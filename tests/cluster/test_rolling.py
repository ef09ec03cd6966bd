"""Upgrade and rollback while webhooks keep coming: no request is refused, no event is lost, doubled or out of order."""

from __future__ import annotations

import re

import pytest

from tests.cluster.kube import Kube, is_ready
from tests.cluster.release import Release
from tests.cluster.traffic import Traffic
from tests.support.wait import wait_for

pytestmark = pytest.mark.timeout(600)

PARTS = ("ingress", "consumer", "retry")
BROKEN = {"name": "broken", "when": {"source": "nobody"}, "sql": [{"run": "SELEKT 1"}]}


def images(kube: Kube, part: str) -> set[str]:
    return {pod["spec"]["containers"][0]["image"] for pod in kube.pods(part) if is_ready(pod)}


def settled(kube: Kube, old: set[str]) -> bool:
    """None of the old pods is left, not even one that is ending."""
    names = {pod["metadata"]["name"] for pod in kube.all("pods")}
    return not names & old


def test_upgrade_and_rollback_under_load(release: Release, kube: Kube) -> None:
    first = {name for part in PARTS for name in kube.names(part)}
    with Traffic(release, rate=60) as traffic:
        traffic.wait_for(100)
        release.upgrade({"rolloutToken": "second"})
        wait_for(lambda: settled(kube, first), "the old pods to be gone", within=90, every=0.5)
        second = {name for part in PARTS for name in kube.names(part)}
        release.rollback()
        wait_for(lambda: settled(kube, second), "the second pods to be gone", within=90, every=0.5)
    traffic.expect_all_taken(at_least=500)
    release.expect_no_loss()
    assert not kube.restarts()


def test_images_by_digest(release: Release, kube: Kube) -> None:
    """What the nodes know by its tag they know by its digest too."""
    digests = {part: digest_of(kube, part) for part in ("ingress", "consumer")}
    with Traffic(release, rate=40) as traffic:
        release.upgrade({part: {"image": {"digest": digest}} for part, digest in digests.items()})
    assert all(image.endswith(f"@{digests['consumer']}") for image in images(kube, "consumer") | images(kube, "retry"))
    traffic.expect_all_taken(at_least=50)


def digest_of(kube: Kube, part: str) -> str:
    found = re.search(r"sha256:[0-9a-f]{64}$", kube.pods(part)[0]["status"]["containerStatuses"][0]["imageID"])
    if not found:
        pytest.skip("NOT RUN: this cluster's nodes do not say digests of images")
    return found.group()


def test_an_upgrade_that_cannot_start_takes_nothing_away(release: Release, kube: Kube) -> None:
    """A configuration that the programs refuse: nothing has changed, also for a pod that has to be made anew meanwhile."""
    old = set(kube.names("consumer"))
    with Traffic(release, rate=40) as traffic:
        release.try_to_upgrade({"config": {"effects": [BROKEN]}}, ready_within=25)
        assert old == {pod["metadata"]["name"] for pod in kube.pods("consumer") if is_ready(pod)}
        kube.delete("pod", min(old))
        wait_for(lambda: kube.ready("consumer") == 2 and min(old) not in kube.names("consumer"), "another pod in its place", within=60, every=0.5)
        release.rollback()
    traffic.expect_all_taken(at_least=150)
    release.expect_no_loss()
