"""Makes the folder of a release, in the order in which digests are known: images, chart, what is said of them, checksums."""

from __future__ import annotations

import json
import platform
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from deploy.images import contents, dockerfile, layers, release, sbom
from deploy.images.archive import ARCHITECTURES, keep_image
from deploy.images.dpkg import Refused
from deploy.release import bill, chart, checksums, clients, place, provenance, source
from deploy.release.layout import Layout
from deploy.release.provenance import Maker
from deploy.release.source import CHART, Source

VALUES = "digests.yaml"
NO_VEX = "not built: nobody has judged yet which known vulnerabilities do not matter here"
SLSA = {"in-toto.io/predicate-type": provenance.PREDICATE}


@dataclass(frozen=True)
class Making:
    tree: Path
    binaries: Path
    source: Source
    maker: Maker

    @property
    def version(self) -> str:
        return self.source.release.version


def make(one: Making, out: Path, key: bytes = b"") -> dict:
    """What release.json says. A release that was there is replaced once the new one is whole, and signed where there is a key."""
    if key:
        checksums.check_key(key)
    with place.renewed(out) as new:
        said = fill(one, new)
        if key:
            checksums.sign(new, key)
    return said


def fill(one: Making, out: Path) -> dict:
    check_programs(one)
    root = provenance.build_root()
    package = chart.pack(one.tree / CHART, one.source.release)
    archive = clients.pack(one.tree, one.source.release)
    source.check_still(one.tree, one.source)
    images = make_images(one, root, out / "images")
    said = summary(one, images, make_chart(one, package, images, out / "chart"))
    (out / provenance.PACKAGES).write_bytes(root)
    (out / f"sluice-{one.version}.tgz").write_bytes(package)
    (out / f"{clients.name(one.source.release)}.tar.gz").write_bytes(archive)
    (out / VALUES).write_text(pinned(images))
    (out / place.SUMMARY).write_text(json.dumps(said, indent=1) + "\n")
    checksums.write(out)
    return said


def check_programs(one: Making) -> None:
    """Each of the version that it is released under; a missing one is said where the images are made."""
    wanted = release.version_of(one.tree)
    for program in filter(Path.exists, (one.binaries / name for name in contents.PROGRAMS.values())):
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout.strip()
        if said != wanted:
            raise Refused(f"{program} says that it is {said or 'nothing'}, and the tree {wanted}: ./run build makes it again")


def make_images(one: Making, root: bytes, out: Path) -> dict[str, str]:
    """Digests by name."""
    layout = Layout(one.source.release.epoch)
    digests = {name: make_image(one, layout, image, root) for image, name in contents.NAMES.items()}
    layout.write(out)
    return digests


def make_image(one: Making, layout: Layout, image: str, root: bytes) -> str:
    of, name = one.source.release, contents.NAMES[image]
    config = dockerfile.configuration(image, {"VERSION": of.version, "REVISION": of.revision})
    with tempfile.TemporaryDirectory() as scratch:
        made = layers.make(image, one.binaries, one.tree / "LICENSE", Path(scratch) / "layers", of.epoch)
        manifest = keep_image(layout.blobs, config, [made.system.folder, made.program.folder], of.epoch, packed=True)
        listed = sbom.document(made, of).encode()
    layout.name(manifest, f"{name}-{of.version}")
    layout.attach(manifest, bill.MEDIA, listed, f"{name}-{of.version}.spdx.json")
    materials = [provenance.file(provenance.PACKAGES, root), *map(provenance.package, sorted(set(made.packages.values())))]
    inner = {"platform": manifest["platform"], **provenance.programs(one.binaries, [contents.PROGRAMS[image]], one.maker)}
    attach_provenance(layout, one, name, manifest, inner, materials)
    return manifest["digest"]


def make_chart(one: Making, package: bytes, images: dict[str, str], out: Path) -> str:
    layout = Layout(one.source.release.epoch)
    manifest = chart.keep(layout, package, one.source.release)
    layout.attach(manifest, bill.MEDIA, bill.of_chart(package, images, one.source.release), f"sluice-{one.version}.spdx.json")
    helm = provenance.file("helm", chart.helm().read_bytes(), module=f"helm.sh/helm/v4@{chart.helm_version(one.tree)}")
    attach_provenance(layout, one, "sluice", manifest, {}, [helm])
    layout.write(out)
    return manifest["digest"]


def attach_provenance(layout: Layout, one: Making, name: str, manifest: dict, inner: dict, materials: list[dict]) -> None:
    content = provenance.statement(name, manifest["digest"], one.source, one.maker, inner, materials)
    layout.attach(manifest, provenance.MEDIA, content, f"{name}-{one.version}.intoto.json", **SLSA)


def pinned(images: dict[str, str]) -> str:
    """Values of the chart that name each image by its digest."""
    lines = (f'{image}: {{image: {{digest: "{images[name]}"}}}}\n' for image, name in contents.NAMES.items())
    return "".join(["# helm upgrade --install … --values digests.yaml: each image by its digest, whatever its tag is then.\n", *lines])


def summary(one: Making, images: dict[str, str], chart_digest: str) -> dict:
    here = platform.machine()
    others = {architecture: f"not built: this machine is {here}, programs for it are built on {machine}"
              for machine, architecture in ARCHITECTURES.items() if machine != here}
    return {"version": one.version, "revision": one.source.release.revision, "architecture": ARCHITECTURES[here],
            "images": images, "chart": chart_digest, "notBuilt": {**others, "VEX": NO_VEX}}
