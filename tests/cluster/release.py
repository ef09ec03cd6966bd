"""One installation of the chart in a namespace of its own, with a topic, a database and Secrets of its own."""

from __future__ import annotations

import json
import secrets
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

from tests.chart.chart import CHART, over
from tests.cluster import accounts
from tests.cluster.accounts import Accounts
from tests.cluster.kube import RELEASE, Kube
from tests.cluster.ledger import Ledger, effects
from tests.cluster.servers import Servers
from tests.support.kafka_log import KafkaLog
from tests.support.wait import wait_for

# Two cores are all that the smallest cluster has.
SMALL = {"requests": {"cpu": "10m", "memory": "32Mi"}, "limits": {"memory": "512Mi"}}
PARTITIONS = 6


class Release:
    """Owns the namespace, the database and the folder with the values; `remove()` ends all three."""

    def __init__(self, kube: Kube, servers: Servers, folder: Path) -> None:
        self.kube, self.servers, self.folder = kube, servers, folder
        self.topic = f"{kube.namespace}.webhooks.v1"
        self.group = f"{kube.namespace}-group"
        self.ledger = Ledger(servers.database, kube.namespace.replace("-", "_"))
        self._log = KafkaLog(servers.kafka.bootstrap)
        self.chart = [str(CHART)]  # what helm takes for one
        self.keys = {"current": f"whsec_{secrets.token_hex(24)}"}
        self.accounts = Accounts(kube, servers, self.ledger, self.topic, self.group)
        self.values = over(self._standard(), accounts.values())
        self.accepted: set[str] = set()  # ids that were answered 2xx, by everything that was sent to this release
        self.refused: set[str] = set()   # objects with an event that was not, and came again after later ones

    def _standard(self) -> dict:
        cluster, pods = self.kube.cluster, ("ingress", "consumer", "retry")
        return {
            "image": {"registry": cluster.registry, "tag": cluster.tag},
            "config": {
                "listen": {"drain_delay": "1s", "drain_within": "10s"},
                "consumer": {"workers": 2, "drain_within": "10s"},
                "kafka": {"brokers": [self.servers.kafka_for_pods], "topic": self.topic, "group": self.group, "min_replication": 1,
                          "min_insync": 1, "options": {"session.timeout.ms": 6000, "heartbeat.interval.ms": 1000}},
                "redis": {"urls": [f"redis://{self.servers.address}:{self.servers.redis.port}/0"], "answer_within": "500ms"},
                "mysql": {"host": self.servers.address, "port": self.servers.database.port, "database": self.ledger.database},
                "sources": [{"name": "shop", "recipe": "stripe", "principal": "acct_main", "order_by": ["/data/object/payment_intent", "/data/object/id"],
                             "keys": [{"id": "current", "value": {"file": "/run/secrets/shop/current"}}]}],
                "effects": effects()},
            "topics": {"mode": "job", "partitions": PARTITIONS, "replication": 1, "resources": SMALL},
            "migrate": {"resources": SMALL},
            "ctl": {"enabled": True, "resources": SMALL, "sourceSecrets": True},
            "selftest": {"enabled": True, "secretName": "selftest", "resources": SMALL},
            **{part: {"resources": SMALL} for part in pods}}

    def prepare(self) -> Self:
        """What the chart expects to be there: a namespace and Secrets."""
        self.kube.make_namespace()
        self.accounts.renew()
        self.kube.secret("shop", **self.keys)
        self.kube.secret("selftest", key="whsec_" + "c2x1aWNlLXNlbGZ0ZXN0LWtleS0wMTIzNDU2Nzg5")
        return self

    def install(self, *values: dict) -> Self:
        self.values = over(self.values, *values)
        with ThreadPoolExecutor() as beside:
            granted = beside.submit(self.accounts.grant_once_there_are_tables, within=80)
            self._helm("install", RELEASE, *self.chart, "--wait", "--wait-for-jobs", "--timeout", "90s", *self._values_file(), within=120)
            granted.result()
        return self

    def upgrade(self, *values: dict) -> None:
        """Later values over those of before. Returns when the new pods are ready."""
        self._upgrade(over(self.values, *values), ready_within=120)

    def upgrade_at_once(self, *values: dict) -> None:
        """Waits for nothing, and these values are forgotten."""
        before, self.values = self.values, over(self.values, *values)
        self._helm("upgrade", RELEASE, *self.chart, *self._values_file(), within=60)
        self.values = before

    def try_to_upgrade(self, *values: dict, ready_within: int) -> None:
        """To what must not get ready; these values are forgotten."""
        before = self.values
        try:
            self._upgrade(over(before, *values), ready_within)
        except AssertionError:
            self.values = before
            return
        raise AssertionError("that upgrade was to fail")

    def _upgrade(self, values: dict, ready_within: int) -> None:
        self.values = values
        self._helm("upgrade", RELEASE, *self.chart, "--wait", "--timeout", f"{ready_within}s", *self._values_file(), within=ready_within + 30)

    def rollback(self) -> None:
        """To the last revision that got ready."""
        history = json.loads(self._helm("history", RELEASE, "--output", "json", within=30))
        good = [each["revision"] for each in history if each["status"] in ("deployed", "superseded")]
        target = good[-1] if history[-1]["status"] == "failed" else good[-2]
        self._helm("rollback", RELEASE, str(target), "--wait", "--timeout", "120s", within=150)
        self.values = json.loads(self._helm("get", "values", RELEASE, "--output", "json", within=30))

    def test(self) -> str:
        return self._helm("test", RELEASE, "--timeout", "120s", "--logs", within=150)

    def uninstall(self) -> None:
        self._helm("uninstall", RELEASE, "--wait", "--timeout", "120s", within=150)

    def remove(self) -> None:
        self.kube.delete_namespace()
        self.accounts.drop()
        self.ledger.drop()
        self._log.close()

    def expect_no_loss(self, within: float = 90) -> None:
        """All that was ever accepted is applied exactly once, and each object's events in order. Looked at when nothing is left to be read."""
        try:
            wait_for(lambda: self.lag() == 0, "all of the topic to be read", within, every=0.5)
            self.ledger.expect_each_once_and_in_order(self.accepted, self.refused, within)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.kube.story()}") from None

    def lag(self) -> int:
        """Records that the group has not committed."""
        ends, committed = self._log.ends(self.topic), self._log.committed(self.group, self.topic)
        return sum(end - max(0, committed.get(number, 0)) for number, end in ends.items())

    def _values_file(self) -> list[str]:
        file = self.folder / "values.json"
        file.write_text(json.dumps(self.values))
        return ["--values", str(file)]

    def _helm(self, *arguments: str, within: float) -> str:
        command = [str(self.kube.cluster.helm), "--kubeconfig", str(self.kube.cluster.kubeconfig), "--namespace", self.kube.namespace, *arguments]
        result = subprocess.run(command, text=True, capture_output=True, timeout=within, check=False, stdin=subprocess.DEVNULL)
        assert result.returncode == 0, f"helm {arguments[0]}: {result.stderr.strip()}\n{result.stdout[-2000:]}\n{self.kube.story()}"
        return result.stdout
