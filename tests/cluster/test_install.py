"""An installation comes up by itself, does its work, is looked after by on-call, and leaves nothing behind."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cluster.accounts import KAFKA, MYSQL, REDIS
from tests.cluster.kube import RELEASE, Kube
from tests.cluster.release import PARTITIONS, Release
from tests.cluster.traffic import send, statuses
from tests.support.kafka_log import KafkaLog
from tests.support.wait import wait_for

pytestmark = pytest.mark.timeout(400)

# Of the cluster itself, or ours: what a namespace has before anything is installed.
NOT_OF_THE_RELEASE = {"kube-root-ca.crt", "default", *KAFKA, *MYSQL, *REDIS, "shop", "selftest", "traffic"}
KINDS = ("deployments,replicasets,pods,jobs,services,endpointslices,configmaps,secrets,serviceaccounts,networkpolicies,poddisruptionbudgets,"
         "horizontalpodautoscalers,scaledobjects,triggerauthentications,roles,rolebindings,leases")


def test_every_part_is_ready_and_none_had_to_start_twice(release: Release, kube: Kube) -> None:
    assert {part: kube.ready(part) for part in ("ingress", "consumer", "retry", "ctl")} == {"ingress": 2, "consumer": 2, "retry": 2, "ctl": 1}
    assert not kube.restarts(), "a program that waits for a topic or a table shall wait, not end"


def test_the_job_made_the_topics(release: Release) -> None:
    log = KafkaLog(release.servers.kafka.bootstrap)
    try:
        assert len(log.ends(release.topic)) == PARTITIONS
    finally:
        log.close()


def test_pods_have_no_rights_and_no_shell(kube: Kube) -> None:
    for part in ("ingress", "consumer", "retry", "ctl"):
        pod = kube.pods(part)[0]
        assert not [volume for volume in pod["spec"]["volumes"] if "projected" in volume], "a token of the API is mounted"
        assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
        with pytest.raises(AssertionError, match=r"sh.*(no such file|not found)"):
            kube.exec(f"deploy/{RELEASE}-{part}", "sh", "-c", "true")
    assert "Usage" in kube.ctl("--help"), "exec itself works"


def test_helm_test_posts_webhooks_and_sees_their_effects(release: Release) -> None:
    assert "Succeeded" in release.test()
    assert release.ledger.run("SELECT COUNT(*) FROM sluice_selftest") == [(3,)], "once, twice, and the one after it that says that both have been read"


def test_webhooks_are_applied_once_and_in_order(release: Release) -> None:
    assert statuses(send(release, 200, "--duplicates", "50")) == {200}
    release.expect_no_loss()


def test_on_call_reaches_the_tool(kube: Kube) -> None:
    report = json.loads(kube.ctl("doctor", "--json"))
    assert report["healthy"], report["findings"]
    assert json.loads(kube.ctl("dlq", "list", "--json"))["entries"] == []


def test_metrics_can_be_scraped(kube: Kube) -> None:
    for part in ("ingress", "consumer", "retry"):
        assert "sluice_build_info{" in kube.get_of_pod(kube.names(part)[0], 9090, "/metrics")


def test_uninstall_leaves_nothing(new_release: Callable[[], Release]) -> None:
    """With everything switched on that makes objects."""
    release = new_release().install({"consumer": {"autoscaling": {"enabled": True, "lagAlone": True, "maxReplicas": PARTITIONS}},
                                     "ingress": {"autoscaling": {"enabled": True}},
                                     "monitoring": {"podMonitor": {"enabled": True}, "rules": {"enabled": True, "runbookUrl": "https://wiki.example.com/sluice"}, "dashboards": {"enabled": True}}})
    assert left(release.kube), "the list of kinds sees nothing at all"
    release.test()
    release.uninstall()
    wait_for(lambda: not left(release.kube), f"nothing of the release, there is {left(release.kube)}", within=60, every=1)


def left(kube: Kube) -> list[str]:
    kinds = f"{KINDS},podmonitors,prometheusrules"
    return [f"{each['kind']}/{each['metadata']['name']}" for each in kube.all(kinds) if each["metadata"]["name"] not in NOT_OF_THE_RELEASE]
