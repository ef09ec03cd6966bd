"""The broker is gone."""

from __future__ import annotations

from tests.support.wait import wait_for
from tests.walk.walk import Walk

# Consumers have no group without it; their page asks `ready` first, which says so. It waits for the ingress by three minutes, which are three seconds here.
ALSO_AWAY = {"SluicePartitionsUnread"}


def test_broker_that_is_down(walk: Walk) -> None:
    walk.begin()
    walk.pipeline.kafka.kill()
    try:
        _, page = walk.woken_by("SluiceIngressNotReady", ALSO_AWAY)
        page.section("Diagnosis")
        pods = [line.split()[0] for line in walk.types(page.command("get pods")).splitlines()[1:]]
        assert f"kafka: degraded: topic {walk.pipeline.topic} at {walk.pipeline.kafka.bootstrap}" in walk.types(page.command("ready POD"), POD=pods[0])
        assert "FAIL" in walk.types(page.command("doctor"))
        page.section("Mitigation").told("A broker is down or under-replicated: bring it back.")
    finally:
        walk.pipeline.kafka.start()
        walk.pipeline.kafka.wait_ready()

    page.section("Verification")
    ready = page.command("ready POD")
    for pod in pods:
        wait_for(lambda: all(line.endswith(": ok") for line in walk.types(ready, POD=pod).splitlines()), f"{pod} to be ready", 60)
    wait_for(lambda: send_again(walk), "all that was refused to be taken", 60)
    page.told("The alert ends by itself")
    walk.over("SluiceIngressNotReady", ALSO_AWAY)


def send_again(walk: Walk) -> bool:
    walk.traffic.send_refused_again()
    return walk.traffic.refused == 0
