"""The Kubernetes that the tests are given, and what they have to know of it. Everything comes from `./run cluster`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cluster:
    """`address`: under which pods reach servers of this machine. `registry` and `tag`: where the nodes find our images."""

    kubeconfig: Path
    kubectl: Path
    helm: Path
    address: str
    registry: str
    tag: str


def given() -> Cluster | str:
    """The cluster, or the reason why there is none."""
    missing = [name for name in ("SLUICE_CLUSTER_KUBECONFIG", "SLUICE_CLUSTER_KUBECTL", "SLUICE_CLUSTER_ADDRESS", "SLUICE_CLUSTER_TAG")
               if not os.environ.get(name)]
    if missing:
        return f"no cluster is given ({', '.join(missing)} not set): ./run cluster --help"
    helm = Path(os.environ.get("SLUICE_TOOLS", "")) / os.environ.get("SLUICE_CLUSTER_HELM", "helm")
    if not helm.is_file():
        return f"{helm.name} could not be built from Go modules"
    return Cluster(Path(os.environ["SLUICE_CLUSTER_KUBECONFIG"]), Path(os.environ["SLUICE_CLUSTER_KUBECTL"]), helm,
                   os.environ["SLUICE_CLUSTER_ADDRESS"], os.environ.get("SLUICE_CLUSTER_REGISTRY", ""), os.environ["SLUICE_CLUSTER_TAG"])
