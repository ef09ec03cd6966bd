"""The chart of a release: what `helm package` makes, and what helm pulls and renders."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import yaml

from tests.support import released
from tests.support.layout_server import serving
from tests.support.released import TREE, VERSION, Layout



def packed(release: Path) -> tuple[dict, bytes, dict]:
    """Manifest, package and config."""
    layout = Layout(release / "chart")
    manifest = layout.json(layout.named[f"sluice-{VERSION}"])
    content, = manifest["layers"]
    return manifest, layout.blob(content), layout.json(manifest["config"])


def contents(package: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(package)) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}  # type: ignore[union-attr]


def test_is_what_helm_packs(release: Path, clone: Path, helm: str, tmp_path: Path) -> None:
    done = released.run(helm, "package", "helm/sluice", "--destination", tmp_path, cwd=clone)
    assert done.returncode == 0, done.stderr
    _, package, _ = packed(release)
    assert contents(package) == contents((tmp_path / f"sluice-{VERSION}.tgz").read_bytes())
    assert (release / f"sluice-{VERSION}.tgz").read_bytes() == package


def test_times_are_the_commits(release: Path) -> None:
    _, package, _ = packed(release)
    with tarfile.open(fileobj=io.BytesIO(package)) as tar:
        assert {member.mtime for member in tar} == {1700000000}


def test_has_helms_media_types_and_its_metadata(release: Path) -> None:
    manifest, package, config = packed(release)
    assert manifest["config"]["mediaType"] == "application/vnd.cncf.helm.config.v1+json"
    assert manifest["layers"][0]["mediaType"] == "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
    assert config == yaml.safe_load(contents(package)["sluice/Chart.yaml"])
    assert config["version"] == config["appVersion"] == VERSION
    assert manifest["annotations"]["org.opencontainers.image.version"] == VERSION


def test_helm_pulls_it(release: Path, helm: str, tmp_path: Path) -> None:
    with serving(Layout(release / "chart")) as address:
        done = released.run(helm, "pull", f"oci://{address}/sluice", "--version", VERSION, "--plain-http", "--destination", tmp_path,
                            cwd=tmp_path, HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"sluice-{VERSION}.tgz").read_bytes() == (release / f"sluice-{VERSION}.tgz").read_bytes()
    assert Layout(release / "chart").named[f"sluice-{VERSION}"]["digest"] in done.stdout + done.stderr


def rendered(helm: str, release: Path, *options: object) -> set[str]:
    """The images of all parts: the poller is there with a source that is polled, and commands where they are enabled."""
    values = TREE / "helm/sluice/ci/full-values.yaml"
    command = (helm, "template", "sluice", release / f"sluice-{VERSION}.tgz", "--values", values, "--kube-version", "1.34.0",
               "--set", "config.sources[0].poll.since=1d,command.enabled=true,config.callers[0].keys[0].id=a,config.commands[0].name=a", *options)
    done = released.run(*command, cwd=release)
    assert done.returncode == 0, done.stderr
    return {line.split("image:")[1].strip().strip('"').rpartition("/")[2] for line in done.stdout.splitlines() if " image:" in line}


def test_it_renders_with_images_of_its_version_or_by_digest(release: Path, helm: str) -> None:
    said = json.loads((release / "release.json").read_text())["images"]
    assert rendered(helm, release) == {f"{name}:{VERSION}" for name in said}
    assert rendered(helm, release, "--values", release / "digests.yaml") == {f"{name}@{digest}" for name, digest in said.items()}


def test_its_metadata_is_kept_for_those_who_list_charts(release: Path) -> None:
    manifest, _, config = packed(release)
    assert config["annotations"]["artifacthub.io/license"] == manifest["annotations"]["org.opencontainers.image.licenses"] == "Apache-2.0"
    assert config["maintainers"] and not {"home", "sources", "icon"} & config.keys(), "there is no address that is true everywhere"
