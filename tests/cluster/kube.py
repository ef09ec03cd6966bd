"""kubectl on one namespace."""

from __future__ import annotations

import json
import subprocess

from tests.cluster.cluster import Cluster

RELEASE = "sluice"


class Refused(AssertionError):
    """The API server, or a program in a pod, said no; the text is what it said."""


class Kube:
    """One namespace of one cluster. `within` is seconds."""

    def __init__(self, cluster: Cluster, namespace: str) -> None:
        self.cluster = cluster
        self.namespace = namespace

    def command(self, *arguments: str) -> list[str]:
        return [str(self.cluster.kubectl), "--kubeconfig", str(self.cluster.kubeconfig), "--namespace", self.namespace, *arguments]

    def run(self, *arguments: str, stdin: str | None = None, within: float = 60) -> str:
        result = subprocess.run(self.command(*arguments), input=stdin, text=True, capture_output=True, timeout=within, check=False)
        if result.returncode != 0:
            raise Refused(f"kubectl {' '.join(arguments)}: {result.stderr.strip() or result.stdout.strip()}")
        return result.stdout

    # objects

    def apply(self, *objects: dict) -> None:
        self.run("apply", "-f", "-", stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}))

    def secret(self, name: str, **values: str) -> None:
        self.apply({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "stringData": values})

    def get(self, kind: str, name: str) -> dict:
        return json.loads(self.run("get", kind, name, "--output", "json"))

    def all(self, kind: str, **labels: str) -> list[dict]:
        selector = ["--selector", ",".join(f"{name}={value}" for name, value in labels.items())] if labels else []
        return json.loads(self.run("get", kind, "--output", "json", *selector))["items"]

    def delete(self, kind: str, name: str, *options: str) -> None:
        self.run("delete", kind, name, "--ignore-not-found", *options)

    def make_namespace(self) -> None:
        self.run("create", "namespace", self.namespace)

    def delete_namespace(self) -> None:
        self.run("delete", "namespace", self.namespace, "--ignore-not-found", "--timeout", "90s", within=120)

    # our parts

    def pods(self, part: str) -> list[dict]:
        """Of a part of the release, those that are ending left out, the oldest first."""
        found = self.all("pods", **{"app.kubernetes.io/instance": RELEASE, "app.kubernetes.io/component": part})
        return sorted((pod for pod in found if "deletionTimestamp" not in pod["metadata"]), key=lambda pod: pod["metadata"]["creationTimestamp"])

    def names(self, part: str) -> list[str]:
        return [pod["metadata"]["name"] for pod in self.pods(part)]

    def ready(self, part: str) -> int:
        return sum(is_ready(pod) for pod in self.pods(part))

    def wanted(self, part: str) -> int:
        return self.get("deployment", f"{RELEASE}-{part}")["spec"]["replicas"]

    def restarts(self) -> dict[str, int]:
        """Containers of the release that ended and were started again."""
        counts = {f"{pod['metadata']['name']}/{one['name']}": one["restartCount"]
                  for pod in self.all("pods", **{"app.kubernetes.io/instance": RELEASE}) for one in pod["status"].get("containerStatuses", [])
                  if pod["metadata"]["labels"].get("app.kubernetes.io/component") in ("ingress", "consumer", "retry", "ctl")}
        return {name: count for name, count in counts.items() if count}

    def evict(self, pod: str) -> None:
        """As a drained node does; `Refused` with the budget's words where a PodDisruptionBudget forbids it."""
        eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": pod, "namespace": self.namespace}}
        self.run("create", "--raw", f"/api/v1/namespaces/{self.namespace}/pods/{pod}/eviction", "-f", "-", stdin=json.dumps(eviction))

    def exec(self, target: str, *command: str, within: float = 60) -> str:
        return self.run("exec", target, "--", *command, within=within)

    def ctl(self, *arguments: str, within: float = 60) -> str:
        """As on-call types it."""
        return self.exec(f"deploy/{RELEASE}-ctl", "sluicectl", *arguments, within=within)

    def get_of_pod(self, pod: str, port: int, path: str) -> str:
        """Through the API server, as nothing of ours is reachable from here otherwise."""
        return self.run("get", "--raw", f"/api/v1/namespaces/{self.namespace}/pods/{pod}:{port}/proxy{path}")

    def story(self) -> str:
        """For a failure's message: what there is, and why."""
        return "\n".join(self._said(*words) for words in (
            ("get", "pods,jobs,hpa,scaledobject", "--output", "wide"),
            ("get", "events", "--sort-by=.lastTimestamp"),
            ("logs", "--selector", f"app.kubernetes.io/instance={RELEASE}", "--tail=5", "--prefix", "--ignore-errors", "--max-log-requests=50")))

    def _said(self, *words: str) -> str:
        try:
            return f"--- kubectl {' '.join(words[:2])}\n" + "\n".join(self.run(*words).splitlines()[-40:])
        except (Refused, subprocess.TimeoutExpired) as error:
            return str(error)


def is_ready(pod: dict) -> bool:
    return any(one["type"] == "Ready" and one["status"] == "True" for one in pod["status"].get("conditions", []))
