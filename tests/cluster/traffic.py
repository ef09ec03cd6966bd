"""Webhooks from inside the cluster, through the Service, while something happens to the release."""

from __future__ import annotations

import json
import subprocess
import threading
from collections import Counter
from types import TracebackType
from typing import Self

from tests.cluster.kube import RELEASE
from tests.cluster.release import SMALL, Release
from tests.support.wait import wait_for

POD = "traffic"
TYPES = ("payment_intent.succeeded", "charge.refunded")


def start_sender(release: Release, name: str = POD, secret: str = "shop") -> None:
    """A pod that no upgrade touches: on-call's tool with the keys of `secret` and a configuration of nothing but the source."""
    cluster, config = release.kube.cluster, {"sources": release.values["config"]["sources"], "listen": {"address": "127.0.0.1:8080"}}
    mounts = {"config": "/etc/sluice", "keys": "/run/secrets/shop"}
    container = {"name": "sluicectl", "image": f"{cluster.registry}/sluicectl:{cluster.tag}".removeprefix("/"), "resources": SMALL,
                 "imagePullPolicy": "IfNotPresent", "command": ["/usr/bin/sluicectl", "idle"],
                 "env": [{"name": "SLUICE_CONFIG", "value": "/etc/sluice/sluice.yaml"}],
                 "volumeMounts": [{"name": each, "mountPath": path} for each, path in mounts.items()]}
    release.kube.apply(
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"sluice.yaml": json.dumps(config)}},
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": name}}, "spec": {
            "containers": [container], "terminationGracePeriodSeconds": 1, "automountServiceAccountToken": False,
            "volumes": [{"name": "config", "configMap": {"name": name}}, {"name": "keys", "secret": {"secretName": secret}}]}})
    release.kube.run("wait", "--for=condition=Ready", f"pod/{name}", "--timeout=60s", within=70)


def send(release: Release, count: int, *options: str, pod: str = POD, within: float = 150) -> list[dict]:
    """What `sluicectl send` tells of each attempt. It ends with 1 or 3 when not all was answered 2xx: that is for the test to judge."""
    command = ["sluicectl", "send", "--source", "shop", "--url", f"http://{RELEASE}-ingress", "--allow-remote", "--quiet", "--count", str(count),
               "--events", "/dev/stdout", *options]
    for each in TYPES:
        command += ["--type", each]
    result = subprocess.run(release.kube.command("exec", pod, "--", *command), text=True, capture_output=True, timeout=within, check=False)
    attempts = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    assert len(attempts) >= count, f"{len(attempts)} attempts of {count} were told: {result.stdout[-1000:]} {result.stderr}"
    release.accepted |= {each["id"] for each in attempts if 200 <= each["status"] < 300}
    release.refused |= {each["object"] for each in attempts if not 200 <= each["status"] < 300}
    return attempts


def statuses(attempts: list[dict]) -> set[int]:
    """0: no answer."""
    return {each["status"] for each in attempts}


class Traffic:
    """A steady stream while the block lasts: two senders whose rounds overlap, so that there is no gap between them.

    Each attempt is judged by its first answer, unless `options` say that a provider comes again.
    """

    def __init__(self, release: Release, rate: int, *options: str) -> None:
        self.release, self.rate, self.options = release, rate, options
        self.attempts: list[dict] = []
        self._errors: list[BaseException] = []
        self._over = threading.Event()
        self._senders = [threading.Thread(target=self._send) for _ in range(2)]

    def __enter__(self) -> Self:
        for sender in self._senders:
            sender.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        for sender in self._senders:
            sender.join()
        assert kind or not self._errors, self._errors

    def _send(self) -> None:
        """Rounds of some seconds, each with a seed of its own and so with objects of its own."""
        try:
            while not self._over.is_set():
                self.attempts += send(self.release, self.rate * 2, "--rate", str(self.rate // 2), "--concurrency", "4", *self.options)
        except BaseException as error:
            self._errors.append(error)

    def wait_for(self, count: int) -> None:
        """So many more attempts."""
        wanted = len(self.attempts) + count

        def enough() -> bool:
            if self._errors:
                raise RuntimeError(self._errors[0])
            return len(self.attempts) >= wanted

        wait_for(enough, f"{count} webhooks", within=120, every=0.1)

    def expect_all_taken(self, at_least: int) -> None:
        """There were enough of them for that to mean something."""
        seen = Counter(each["status"] or each.get("error", "no answer") for each in self.attempts)
        assert set(seen) == {200}, f"not only 200: {dict(seen)}; {[each for each in self.attempts if each['status'] != 200][:3]}"
        assert len(self.attempts) >= at_least, f"only {len(self.attempts)} requests were sent"

    def expect_all_taken_in_the_end(self) -> None:
        refused = {each["id"] for each in self.attempts} - self.release.accepted
        assert not refused, f"{len(refused)} events were never taken"
