"""The layouts: each digest from the index down, and what refers to what."""

from __future__ import annotations

import gzip
import hashlib
import json
import tarfile
from pathlib import Path

import pytest

from deploy.images import contents
from tests.support import released
from tests.support.released import BINARIES, VERSION, Layout

BILL, PROVENANCE = "application/spdx+json", "application/vnd.in-toto+json"


def test_each_blob_is_as_its_descriptor_says(layout: Layout) -> None:
    """And there is none that nothing names."""
    assert layout.index["schemaVersion"] == 2
    for entry in layout.index["manifests"]:
        manifest = layout.json(entry)
        assert manifest["mediaType"] == entry["mediaType"] == "application/vnd.oci.image.manifest.v1+json"
        for descriptor in (manifest["config"], *manifest["layers"]):
            layout.blob(descriptor)
    assert layout.asked == {file.name for file in (layout.folder / "blobs/sha256").iterdir()}


def test_images_are_those_of_run_images(release: Path, clone: Path, tmp_path: Path) -> None:
    """Their ids, which are digests of what is in them and how it is started; here the layers are packed."""
    command = ("python3", "-m", "deploy.images", "archives", "--out", tmp_path / "out", "--binaries", BINARIES)
    done = released.run(*command, cwd=clone, PYTHONPATH=str(clone))
    assert done.returncode == 0, done.stderr
    layout, made = Layout(release / "images"), {}
    for file in (tmp_path / "out").glob("*.tar"):
        with tarfile.open(file) as tar:
            config = json.load(tar.extractfile("manifest.json"))[0]["Config"]  # type: ignore[arg-type]
            made[file.stem] = config.replace("blobs/sha256/", "sha256:")
    assert {name: layout.json(one)["config"]["digest"] for name, one in layout.named.items()} == made
    assert made.keys() == {f"{name}-{VERSION}" for name in contents.NAMES.values()}


def test_layers_are_packed_and_are_what_the_image_says(release: Path) -> None:
    """A client that packs them on the way to a registry would change the digest that bill and provenance are of."""
    images = Layout(release / "images")
    for manifest in map(images.json, images.named.values()):
        config = images.json(manifest["config"])
        assert {layer["mediaType"] for layer in manifest["layers"]} == {"application/vnd.oci.image.layer.v1.tar+gzip"}
        tars = [gzip.decompress(images.blob(layer)) for layer in manifest["layers"]]
        assert [f"sha256:{hashlib.sha256(tar).hexdigest()}" for tar in tars] == config["rootfs"]["diff_ids"]


def test_images_say_what_they_run_on(release: Path) -> None:
    images = Layout(release / "images")
    for entry in images.named.values():
        config = images.json(images.json(entry)["config"])
        assert entry["platform"] == {name: config[name] for name in ("architecture", "os")}


def test_each_has_a_bill_and_a_provenance(layout: Layout) -> None:
    for entry in layout.named.values():
        assert layout.attached(entry, BILL)["spdxVersion"] == "SPDX-2.3"
        assert layout.attached(entry, PROVENANCE)["subject"][0]["digest"] == {"sha256": entry["digest"].removeprefix("sha256:")}
    assert len(layout.referrers) == 2 * len(layout.named)


def test_referrers_are_manifests_of_their_own(layout: Layout) -> None:
    """As clients look for them: type and notes stand in the index too, the config is the empty one, and a subject is a descriptor."""
    subjects = [{name: one[name] for name in ("mediaType", "digest", "size")} for one in layout.named.values()]
    for entry in layout.referrers:
        manifest = layout.json(entry)
        assert (manifest["artifactType"], manifest["annotations"]) == (entry["artifactType"], entry["annotations"])
        assert layout.blob(manifest["config"]) == b"{}" and manifest["config"]["mediaType"] == "application/vnd.oci.empty.v1+json"
        assert manifest["subject"] in subjects


def test_the_bill_of_an_image_lists_its_packages(release: Path) -> None:
    images = Layout(release / "images")
    for name, entry in images.named.items():
        bill = images.attached(entry, BILL)
        packages = {one["name"]: one["versionInfo"] for one in bill["packages"] if one["SPDXID"].startswith("SPDXRef-Package-deb-")}
        assert {"libc6", "libssl3t64", "ca-certificates"} <= packages.keys() and all(packages.values()), name


def test_the_bill_of_the_chart_names_the_images_it_runs(release: Path) -> None:
    chart, images = Layout(release / "chart"), Layout(release / "images")
    bill = chart.attached(chart.named[f"sluice-{VERSION}"], BILL)
    named = {one["name"]: one["checksums"][0]["checksumValue"] for one in bill["packages"] if one["primaryPackagePurpose"] == "CONTAINER"}
    assert {f"{name}-{VERSION}": f"sha256:{digest}" for name, digest in named.items()} == {
        name: one["digest"] for name, one in images.named.items()}


def test_the_summary_is_of_these(release: Path) -> None:
    said = json.loads((release / "release.json").read_text())
    named = Layout(release / "images").named | Layout(release / "chart").named
    assert {*said["images"].values(), said["chart"]} == {one["digest"] for one in named.values()}
    assert {said["architecture"], *said["notBuilt"]} == {"amd64", "arm64", "VEX"}
    assert all(why.startswith("not built: ") for why in said["notBuilt"].values())


@pytest.mark.parametrize("line", ["not built: ", "SHA256SUMS.sig"])
def test_it_is_said_what_there_is(release: Path, line: str) -> None:
    assert line in (release.parent / "said").read_text()
