"""The bill of materials: complete, and as the files are."""

from __future__ import annotations

import hashlib
import subprocess
from collections import Counter

from tests.support.image import Image

WRITTEN_HERE = {"etc/passwd", "etc/group", "etc/nsswitch.conf"}
OWN = "SPDXRef-Package-sluice"


def test_lists_each_file_with_its_digest(image: Image) -> None:
    listed = {file["fileName"].removeprefix("./"): file["checksums"] for file in image.bill["files"]}
    files = image.files()
    assert listed.keys() == files.keys()
    for name, content in files.items():
        assert {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()} in listed[name]


def test_lists_each_package_that_a_file_is_from(image: Image) -> None:
    """By dpkg's word here, path by path."""
    paths = [f"/{name}" for name in image.files() if name.startswith("usr/lib")]
    said = subprocess.run(["dpkg-query", "--search", *paths], capture_output=True, text=True, check=False).stdout
    owners = {line.split(":")[0].split(",")[0] for line in said.splitlines()}
    listed = {package["name"]: package for package in image.bill["packages"]}
    assert len(said.splitlines()) == len(paths)
    assert owners | {"ca-certificates"} <= listed.keys()
    form = "--showformat=${Package} ${Version} ${source:Package} ${source:Version}\n"
    shown = subprocess.run(["dpkg-query", "--show", form, *owners], capture_output=True, text=True, check=True).stdout
    for name, version, *source in map(str.split, shown.splitlines()):
        assert listed[name]["versionInfo"] == version
        assert listed[name]["sourceInfo"] == f"built from {' '.join(source)}"
        assert listed[name]["externalRefs"][0]["referenceLocator"].startswith("pkg:deb/debian/")


def test_each_file_belongs_to_one_package(image: Image) -> None:
    owner = {relation["relatedSpdxElement"]: relation["spdxElementId"] for relation in image.bill["relationships"]
             if relation["relatedSpdxElement"].startswith("SPDXRef-File-")}
    ours = {file["fileName"].removeprefix("./") for file in image.bill["files"] if owner[file["SPDXID"]] == OWN}
    program = image.config["Entrypoint"][0].removeprefix("/")
    assert ours == WRITTEN_HERE | {program, "usr/share/doc/sluice/copyright"}


def test_is_well_formed(image: Image) -> None:
    bill = image.bill
    assert bill["spdxVersion"] == "SPDX-2.3" and bill["dataLicense"] == "CC0-1.0"
    known = {"SPDXRef-DOCUMENT", *(one["SPDXID"] for one in bill["packages"] + bill["files"])}
    assert max(Counter(one["SPDXID"] for one in bill["packages"] + bill["files"]).values()) == 1
    assert {end for relation in bill["relationships"] for end in (relation["spdxElementId"], relation["relatedSpdxElement"])} == known
    assert bill["documentNamespace"].startswith("https://")
