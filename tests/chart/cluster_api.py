"""As much of an API server as `helm template --dry-run=server` asks, and what Helm and the Deployment controller would make of it."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import yaml

from chart import LEAST, NAMESPACE, Rendered, over, run_helm

KINDS = {"v1": ["ConfigMap", "Service", "ServiceAccount"], "apps/v1": ["Deployment", "StatefulSet"], "batch/v1": ["Job"], "policy/v1": ["PodDisruptionBudget"],
         "networking.k8s.io/v1": ["NetworkPolicy"]}


def place_of(kind: str) -> str:
    return "networkpolicies" if kind == "NetworkPolicy" else f"{kind.lower()}s"


def discovery() -> dict[str, dict]:
    groups = [{"name": version.partition("/")[0], "versions": [{"groupVersion": version, "version": "v1"}],
               "preferredVersion": {"groupVersion": version, "version": "v1"}} for version in KINDS if "/" in version]
    resources = {version: [{"name": place_of(kind), "singularName": "", "namespaced": True, "kind": kind, "verbs": ["get"]} for kind in kinds]
                 for version, kinds in KINDS.items()}
    return {"/version": {"major": "1", "minor": "34", "gitVersion": "v1.34.0"}, "/api": {"kind": "APIVersions", "versions": ["v1"]},
            "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups},
            **{f"/api{'s' * ('/' in version)}/{version}": {"kind": "APIResourceList", "groupVersion": version, "resources": each}
               for version, each in resources.items()}}


DISCOVERY = discovery()
KEPT = ("ConfigMap", "Deployment", "StatefulSet")


class ClusterApi:
    """Answers `get` alone: a chart that lists would be refused here."""

    def __init__(self, folder: Path, port: int) -> None:
        self.objects: dict[tuple[str, str], dict] = {}
        self._deployed: set[tuple[str, str]] = set()  # of the last release that succeeded: what Helm compares with
        self._folder = folder
        self._kubeconfig = folder / "kubeconfig"
        self._kubeconfig.write_text(yaml.dump({
            "apiVersion": "v1", "kind": "Config", "current-context": "c", "users": [{"name": "u", "user": {}}],
            "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u", "namespace": NAMESPACE}}]}))

    def answer(self, path: str) -> dict | None:
        *_, kind, name = path.split("/")
        return DISCOVERY.get(path) or self.objects.get((kind, name))

    def tried(self, values: Mapping) -> subprocess.CompletedProcess[str]:
        """What Helm would make of them here, and nothing is changed."""
        file = self._folder / "values.json"
        file.write_text(json.dumps(over(LEAST, values)))
        return run_helm(file, arguments=("--dry-run=server", "--is-upgrade", "--disable-openapi-validation", "--kubeconfig", str(self._kubeconfig)))

    def upgrade(self, values: Mapping, *, gets_ready: bool = True) -> Rendered:
        """`gets_ready`: its pods; if not, Helm calls the release failed, and old pods go on."""
        result = self.tried(values)
        assert result.returncode == 0, result.stderr
        rendered = Rendered(result.stdout)
        new = {(place_of(each["kind"]), each["metadata"]["name"]): each for each in rendered.objects
               if each["kind"] in KEPT and "helm.sh/hook" not in each["metadata"].get("annotations", {})}
        for key, each in new.items():
            self.objects[key] = each | ({"status": status(gets_ready)} if each["kind"] == "Deployment" else {})
            each["metadata"]["generation"] = 1
        for key in self._deployed - new.keys():
            self.objects.pop(key, None)
        if gets_ready:
            self._deployed = set(new)
        return rendered

    def versions(self, part: str) -> set[str]:
        return {name for kind, name in self.objects if kind == "configmaps" and name.startswith(f"sluice-{part}-")}


def status(gets_ready: bool) -> dict:
    return {"observedGeneration": 1, "replicas": 2 if gets_ready else 3, "updatedReplicas": 2 if gets_ready else 1}


@contextmanager
def serving(folder: Path) -> Iterator[ClusterApi]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = api.answer(self.path.partition("?")[0])
            body = json.dumps(found or {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}).encode()
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Not said."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        api = ClusterApi(folder, server.server_port)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield api
        finally:
            server.shutdown()
            thread.join()
