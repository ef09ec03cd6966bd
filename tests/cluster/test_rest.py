"""At a load that stays, the group comes to rest; at one that rises and falls, it follows in few steps.

SLUICE_CLUSTER_MINUTES says for how long: ten minutes, if it is not set.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable

import pytest

from tests.cluster.kube import Kube
from tests.cluster.ledger import effects
from tests.cluster.release import PARTITIONS, Release
from tests.cluster.traffic import Traffic
from tests.cluster.watch import Watch
from tests.support.wait import stays, wait_for

MINUTES = float(os.environ.get("SLUICE_CLUSTER_MINUTES", "10"))
pytestmark = pytest.mark.timeout(2 * 60 * MINUTES + 600)

PAUSE, WORKERS = 0.05, 2  # a pod applies 40 a second
LEAST = 2
WORST_LAG = 30  # seconds
VALUES = {
    "config": {"effects": effects(PAUSE), "consumer": {"workers": WORKERS}},
    "consumer": {"autoscaling": {"enabled": True, "minReplicas": LEAST, "maxReplicas": PARTITIONS, "lagThreshold": 200,
                                 "rate": {"perPod": int(WORKERS / PAUSE)}}}}


def watched(release: Release, traffic: Traffic, minutes: float, rate_at: Callable[[float], int] | None = None) -> Watch:
    """Nothing waits for more than half a minute meanwhile. `rate_at`: of the part of the time that is over, 0 to 1."""
    watch, began = Watch(release), time.monotonic()

    def check() -> None:
        if rate_at is not None:
            traffic.rate = rate_at(min(1.0, (time.monotonic() - began) / 60 / minutes))
        look = watch.look()
        assert look.lag < WORST_LAG * traffic.rate, f"{look}\n{watch.table()}"

    stays(check, during=60 * minutes, every=2)
    print(watch.table())
    return watch


def test_a_constant_load_comes_to_rest(release: Release, kube: Kube) -> None:
    """90 a second want three of six pods, each at 30 of its 40."""
    wait_for(lambda: kube.ready("consumer") == kube.wanted("consumer") == LEAST, "two consumers to begin with", within=90, every=1)
    with Traffic(release, rate=90) as traffic:
        watch = watched(release, traffic, MINUTES)
    assert watch.changes() <= 2, watch.table()
    assert watch.looks[-1].wanted == 3, watch.table()
    traffic.expect_all_taken(at_least=int(60 * MINUTES * 90 / 2))
    release.expect_no_loss()
    assert not kube.restarts()


def test_a_load_that_rises_and_falls_is_followed_in_few_steps(release: Release, kube: Kube) -> None:
    """From 40 a second to 160 and back."""
    def rate_at(part: float) -> int:
        return round(100 - 60 * math.cos(2 * math.pi * part))
    with Traffic(release, rate=rate_at(0)) as traffic:
        watch = watched(release, traffic, MINUTES, rate_at)
    assert max(look.wanted for look in watch.looks) == PARTITIONS, watch.table()
    assert watch.changes() <= 10, watch.table()
    traffic.expect_all_taken(at_least=int(60 * MINUTES * 100 / 2))
    release.expect_no_loss(within=120)
    assert not kube.restarts()
