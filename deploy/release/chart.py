"""The chart as `helm package` makes it, and as the OCI artifact that helm pulls."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import yaml

from deploy.images.archive import as_json
from deploy.images.dpkg import Refused
from deploy.images.release import Release
from deploy.images.sbom import LICENCE
from deploy.release.layout import Layout

CONFIG = "application/vnd.cncf.helm.config.v1+json"
CONTENT = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
NOTES = "org.opencontainers.image"


def helm() -> Path:
    program = Path(os.environ.get("SLUICE_TOOLS", "")) / "helm"
    if not program.is_file():
        raise Refused("there is no helm to pack the chart with: ./run chart makes it, and says why it cannot")
    return program


def helm_version(tree: Path) -> str:
    """Of the module that deploy/platform/tools pins."""
    match = re.search(r"helm\.sh/helm/v4 (v[\w.-]+)", (tree / "deploy/platform/tools/go.mod").read_text())
    assert match, "go.mod pins no helm"
    return match[1]


def pack(source: Path, of: Release) -> bytes:
    """Helm takes the times of files over: a copy of the chart gets the commit's."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "chart"
        shutil.copytree(source, copy)
        for path in (copy, *copy.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
            os.utime(path, (of.epoch, of.epoch))
        command = [str(helm()), "package", str(copy), "--destination", scratch, "--version", of.version, "--app-version", of.version]
        said = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "HOME": scratch})
        if said.returncode:
            raise Refused(f"helm package: {said.stderr.strip()}")
        return (Path(scratch) / f"sluice-{of.version}.tgz").read_bytes()


def about(package: bytes) -> dict:
    """Chart.yaml as it was packed."""
    with tarfile.open(fileobj=io.BytesIO(package)) as tar:
        return yaml.safe_load(tar.extractfile("sluice/Chart.yaml"))  # type: ignore[arg-type]


def keep(layout: Layout, package: bytes, of: Release) -> dict:
    """The artifact's descriptor, with annotations as `helm push` writes them."""
    chart = about(package)
    config = layout.blobs.keep(as_json(chart), CONFIG)
    notes = {f"{NOTES}.title": chart["name"], f"{NOTES}.version": chart["version"], f"{NOTES}.description": chart["description"],
             f"{NOTES}.revision": of.revision, f"{NOTES}.licenses": LICENCE}
    made = layout.keep_artifact(config, layout.blobs.keep(package, CONTENT), notes)
    layout.name(made, f"sluice-{of.version}")
    return made
