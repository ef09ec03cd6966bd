"""python3 tests/chart/make_schemas.py: writes tests/chart/schemas/, for kubeconform, of the kinds that the chart renders.

From the API descriptions that the Go modules below bring along, and from the files named as arguments (CRDs). Unknown
fields are refused, as the API server does for `--validate=strict`. Needs go and the network; run by hand when a version changes.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

HERE = Path(__file__).parent / "schemas"
KUBERNETES = "k8s.io/kubernetes@v1.36.4"
KINDS = {"api__v1": ["ConfigMap", "Service", "ServiceAccount", "Pod"], "apis__apps__v1": ["Deployment", "StatefulSet"], "apis__batch__v1": ["CronJob", "Job"],
         "apis__policy__v1": ["PodDisruptionBudget"], "apis__networking.k8s.io__v1": ["Ingress", "NetworkPolicy"],
         "apis__autoscaling__v2": ["HorizontalPodAutoscaler"]}
CRDS = {"github.com/kedacore/keda/v2@v2.21.0": ["config/crd/bases/keda.sh_scaledobjects.yaml",
                                               "config/crd/bases/keda.sh_triggerauthentications.yaml"],
        "sigs.k8s.io/gateway-api@v1.6.3": [f"config/crd/standard/gateway.networking.k8s.io_{kind}.yaml"
                                           for kind in ("httproutes", "backendtlspolicies")],
        "github.com/prometheus-operator/prometheus-operator@v0.85.0": [
            f"example/prometheus-operator-crd/monitoring.coreos.com_{kind}.yaml"
            for kind in ("servicemonitors", "podmonitors", "prometheusrules")]}
# Strimzi is no Go module: what its KafkaTopic may say is little and written down here.
KAFKA_TOPIC = {"type": "object", "required": ["spec"], "additionalProperties": False, "properties": {
    "metadata": {"type": "object"},
    "spec": {"type": "object", "additionalProperties": False, "properties": {
        "partitions": {"type": "integer", "minimum": 1}, "replicas": {"type": "integer", "minimum": 1, "maximum": 32767},
        "config": {"type": "object"}, "topicName": {"type": "string"}}}}}
DROPPED = {"description", "default", "example", "title", "nullable", "format", "x-kubernetes-validations"}


def module(name: str) -> Path:
    said = subprocess.run(["go", "mod", "download", "-json", name], check=True, stdout=subprocess.PIPE, text=True, cwd="/").stdout
    return Path(json.loads(said)["Dir"])


def plain(node: object, known: dict, above: tuple[str, ...] = ()) -> object:
    """References put in place, what only people read left out; a kind within itself is cut short."""
    if isinstance(node, list):
        return [plain(part, known, above) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        return {} if name in above else plain(known[name], known, (*above, name))
    if node.get("x-kubernetes-int-or-string") or node.get("format") == "int-or-string":
        return {"type": ["string", "integer"]}
    if [*node.get("allOf", []), {}][0].keys() == {"$ref"}:
        return plain(node["allOf"][0], known, above)
    return closed(node, {key: plain(value, known, above) for key, value in node.items()
                         if key not in DROPPED and not key.startswith("x-") and key != "properties"}, known, above)


def closed(node: dict, made: dict, known: dict, above: tuple[str, ...]) -> dict:
    if "properties" in node:
        made["properties"] = {key: plain(value, known, above) for key, value in node["properties"].items()}
        if not node.get("x-kubernetes-preserve-unknown-fields"):
            made.setdefault("additionalProperties", False)
    if node.get("nullable") and "type" in made:
        made["type"] = [made["type"], "null"]
    return made


def of_kubernetes(root: Path) -> Iterator[tuple[str, str, str, dict]]:
    for file, kinds in KINDS.items():
        known = json.loads((root / f"api/openapi-spec/v3/{file}_openapi.json").read_text())["components"]["schemas"]
        for schema in known.values():
            for which in schema.get("x-kubernetes-group-version-kind", []):
                if which["kind"] in kinds and file.endswith(f"{which['group'].replace('/', '__')}__{which['version']}".lstrip("_")):
                    yield which["group"], which["version"], which["kind"], plain(schema, known)


def of_crd(file: Path) -> Iterator[tuple[str, str, str, dict]]:
    for document in yaml.safe_load_all(file.read_text()):
        for version in document["spec"]["versions"]:
            if version["served"] and version["storage"]:
                schema = plain(version["schema"]["openAPIV3Schema"], {})
                schema["properties"]["metadata"] = {"type": "object"}
                yield document["spec"]["group"], version["name"], document["spec"]["names"]["kind"], schema


def write(group: str, version: str, kind: str, schema: dict) -> None:
    """By the name that kubeconform looks for."""
    schema["properties"]["apiVersion"] = {"enum": ["/".join(filter(None, (group, version)))]}
    schema["properties"]["kind"] = {"enum": [kind]}
    name = "-".join(filter(None, (kind, group.split(".")[0], version))).lower()
    (HERE / f"{name}.json").write_text(json.dumps(schema, sort_keys=True, separators=(",", ":")) + "\n")


def main() -> None:
    HERE.mkdir(exist_ok=True)
    crds = [module(name) / file for name, files in CRDS.items() for file in files] + [Path(file) for file in sys.argv[1:]]
    for described in [*of_kubernetes(module(KUBERNETES)), *(each for file in crds for each in of_crd(file))]:
        write(*described)
    for version in ("v1beta2", "v1"):
        write("kafka.strimzi.io", version, "KafkaTopic", copy.deepcopy(KAFKA_TOPIC))


if __name__ == "__main__":
    main()
