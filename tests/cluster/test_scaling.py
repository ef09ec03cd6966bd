"""KEDA makes more consumers when webhooks come faster than they are applied, and fewer again, and no event notices."""

from __future__ import annotations

import math
import threading

import pytest

from tests.cluster.kube import Kube
from tests.cluster.ledger import effects
from tests.cluster.release import PARTITIONS, Release
from tests.cluster.traffic import Traffic, send, statuses
from tests.cluster.watch import Watch
from tests.sim.autoscaler import Autoscaler, Settings
from tests.sim.fleet import Fleet, Site
from tests.support.wait import wait_for

pytestmark = pytest.mark.timeout(600)

PAUSE = 0.05  # seconds that the database takes for an event
WORKERS = 2
THRESHOLD, FLOOD, RATE, LEAST = 50, 3000, 300, 2
UP, DOWN, PATIENCE = (6, 15), (50, 15), 15
VALUES = {
    "config": {"effects": effects(PAUSE), "consumer": {"workers": WORKERS}},
    "consumer": {"autoscaling": {
        "enabled": True, "lagAlone": True, "minReplicas": LEAST, "maxReplicas": PARTITIONS, "lagThreshold": THRESHOLD, "pollingInterval": 5,
        "behavior": {"scaleUp": {"stabilizationWindowSeconds": 0, "policies": [{"type": "Pods", "value": UP[0], "periodSeconds": UP[1]}]},
                     "scaleDown": {"stabilizationWindowSeconds": PATIENCE,
                                   "policies": [{"type": "Percent", "value": DOWN[0], "periodSeconds": DOWN[1]}]}}}},
    "ingress": {"autoscaling": {"enabled": True, "minReplicas": 2, "maxReplicas": 3}}}


def test_a_flood_is_met_with_all_pods_and_they_go_again(release: Release, kube: Kube) -> None:
    wait_for(lambda: kube.wanted("consumer") == kube.ready("consumer") == LEAST, "two consumers to begin with", within=90, every=1)
    watch, flood = Watch(release), threading.Thread(target=lambda: send(release, FLOOD, "--rate", str(RATE)))
    flood.start()
    wait_for(lambda: watch.look().lag > 2 * THRESHOLD, "lag", within=60, every=0.5)
    wait_for(lambda: watch.look().wanted == PARTITIONS, "KEDA to want all pods, 30 s after the lag showed", within=30, every=0.5)
    wait_for(lambda: watch.look().ready == PARTITIONS, "all pods to be ready", within=60, every=0.5)
    flood.join()
    wait_for(lambda: watch.look().lag == 0, "the flood to be applied", within=180, every=0.5)
    assert len(release.accepted) == FLOOD
    with Traffic(release, rate=20) as traffic:
        wait_for(lambda: watch.look().wanted == LEAST, "two consumers in the end", within=180, every=0.5)
        traffic.wait_for(40)
    print(watch.table())
    traffic.expect_all_taken(at_least=40)
    release.expect_no_loss()
    assert not kube.restarts()
    expect_as_simulated(watch)


def expect_as_simulated(watch: Watch) -> None:
    """The simulation behind docs/kubernetes.md, told how fast this cluster starts pods, comes to the same within its grain."""
    start = math.ceil(watch.first(ready=PARTITIONS) - watch.first(wanted=PARTITIONS))
    settings = Settings(least=LEAST, most=PARTITIONS, threshold=THRESHOLD, polling=5, sync=5, up=UP, down=DOWN, patience=PATIENCE)
    fleet, autoscaler = Fleet(Site(partitions=PARTITIONS, pod_rate=WORKERS / PAUSE, start=start, rebalance=3), LEAST), Autoscaler(settings)
    seconds = []
    for second in range(300):
        autoscaler.second(fleet)
        fleet.second(RATE if second < FLOOD / RATE else 0)
        seconds.append((fleet.pods, fleet.lag))
    simulated = 1 + max(second for second, (_, lag) in enumerate(seconds) if lag > 0)
    drained = next(look.at for look in watch.looks if look.at > watch.first(lag=THRESHOLD) and look.lag == 0)
    print(f"drained at {drained:.0f} s; simulated, with pods that start in {start} s: {simulated} s")
    assert max(pods for pods, _ in seconds) == PARTITIONS and seconds[-1][0] == LEAST
    assert drained / 2 <= simulated <= drained * 1.5


def test_an_upgrade_leaves_the_numbers_to_the_autoscalers(release: Release, kube: Kube) -> None:
    """They take their time to go down: until then what they have chosen stands."""
    wait_for(lambda: kube.wanted("consumer") == LEAST, "two consumers", within=90, every=1)
    kube.run("scale", "deployment", "sluice-ingress", "--replicas=3")
    release.upgrade({"rolloutToken": "again"})
    assert kube.wanted("ingress") == 3 and kube.wanted("consumer") == LEAST


def test_the_ingress_is_measured(kube: Kube) -> None:
    """Its HPA knows the processor time of its pods."""
    def known() -> bool:
        metrics = kube.get("hpa", "sluice-ingress")["status"].get("currentMetrics") or []
        return any("averageUtilization" in each.get("resource", {}).get("current", {}) for each in metrics)
    wait_for(known, "processor time of the ingress", within=120, every=2)


def test_a_second_autoscaler_is_refused(release: Release, kube: Kube) -> None:
    """KEDA's webhook guards the ScaledObject that the chart made."""
    made = kube.get("scaledobject", "sluice-consumer")
    with pytest.raises(AssertionError, match="admission webhook"):
        kube.apply({"apiVersion": made["apiVersion"], "kind": "ScaledObject", "metadata": {"name": "second"}, "spec": made["spec"]})


def test_it_works_as_before(release: Release) -> None:
    assert statuses(send(release, 20)) == {200}
    release.expect_no_loss()
