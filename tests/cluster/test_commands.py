"""Pods that execute commands, and bookers of hot accounts, come and go; each command is executed once and keeps its first response."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cluster.clicks import COMMAND, HOT, RICH, SMALL, TABLE, Clicks
from tests.cluster.kube import Kube
from tests.cluster.release import SMALL as SMALL_PODS
from tests.cluster.release import Release
from tests.support import guarded_kafka
from tests.support.caller import Caller
from tests.support.wait import wait_for

pytestmark = pytest.mark.timeout(400)

PARTS = ("command", "booker")
CALLER = Caller(port=0)
CHARGE = {
    "name": COMMAND, "wait": "5s",
    "parameters": {"merchant": {"at": "/merchant", "type": "text", "longest": 64}, "price": {"at": "/price", "type": "integer", "least": 1, "most": 100}},
    "hot": {"account": ":merchant", "list": "/run/configmaps/hot-merchants/list", "answer": {"status": 200, "body": {"charged": ":price"}}},
    "effect": {"add": {"table": "merchant_balance", "key": {"merchant": ":merchant"}, "column": "balance", "by": "-:price", "floor": 0,
                       "below": {"park": "insufficient_balance"}}},
    "answers": {"done": {"status": 200, "body": {"charged": ":price"}},
                "insufficient_balance": {"status": 409, "body": {"error": "insufficient_balance"}}}}


def values(group: str) -> dict:
    return {
        "config": {
            "command": {"topic": guarded_kafka.HOT, "group": f"{group}-command", "workers": 2, "listen": {"drain_delay": "1s", "drain_within": "10s"}},
            "callers": [{"name": CALLER.name, "principal": "ads-team", "recipe": "standard-webhooks",
                         "keys": [{"id": "k1", "value": {"file": "/run/secrets/caller-ads/k1"}}]}],
            "commands": [CHARGE]},
        "command": {"enabled": True, "resources": SMALL_PODS, "autoscaling": {"enabled": True, "minReplicas": 2, "maxReplicas": 3}},
        "booker": {"enabled": True, "resources": SMALL_PODS}}


@pytest.fixture(scope="module")
def release(new_release: Callable[[], Release]) -> Release:
    made = new_release()
    made.kube.secret("caller-ads", k1=CALLER.secret)
    made.kube.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "hot-merchants"}, "data": {"list": HOT}})
    made.ledger.run(TABLE)
    made.ledger.run("INSERT INTO merchant_balance VALUES " + ", ".join(f"('{merchant}', {RICH})" for merchant in (HOT, *SMALL)))
    made.accounts.also("sluice-command", "SELECT, UPDATE ON merchant_balance")
    return made.install(values(made.group))


def test_clicks_are_charged_once_while_pods_come_and_go(release: Release, kube: Kube) -> None:
    before = {part: set(kube.names(part)) for part in PARTS}
    with Clicks(release, CALLER) as clicks:
        clicks.wait_for(100)
        release.upgrade({"rolloutToken": "commands-2"})
        for part in PARTS * 2:
            clicks.wait_for(50)
            kube.run("delete", "pod", kube.names(part)[0], "--grace-period=0", "--force")
        clicks.wait_for(100)
    assert all(not set(kube.names(part)) & before[part] for part in PARTS), "the upgrade made each pod anew"
    print(f"{len(clicks.charged)} clicks, answers {dict(clicks.answers)}")
    clicks.expect_each_charged_once()


def test_on_call_finds_a_click(kube: Kube) -> None:
    listed = json.loads(kube.ctl("command", "list", "--command", COMMAND, "--json"))["commands"]
    assert {one["state"] for one in listed} == {"done"} and {one["caller"] for one in listed} == {"ads-team"}
    assert "200" in kube.ctl("command", "show", COMMAND, listed[0]["key"], "--caller", "ads-team")


def test_the_autoscaler_knows_their_processor_time(kube: Kube) -> None:
    def is_scaling() -> bool:
        conditions = kube.get("hpa", "sluice-command")["status"].get("conditions", [])
        return any(one["type"] == "ScalingActive" and one["status"] == "True" for one in conditions)

    wait_for(is_scaling, "the HorizontalPodAutoscaler to have a metric", within=120, every=2)
