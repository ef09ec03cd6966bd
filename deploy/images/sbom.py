"""What is in an image, as SPDX 2.3: the image, our program, Debian's packages, and of each file whose it is."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from deploy.images import contents
from deploy.images.archive import as_time
from deploy.images.dpkg import Package
from deploy.images.layers import Layers
from deploy.images.release import Release
from deploy.images.tree import Tree

LICENCE = "Apache-2.0"
IMAGE, PROGRAM = "SPDXRef-Image", "SPDXRef-Package-sluice"
UNKNOWN = "NOASSERTION"


def document(layers: Layers, release: Release) -> str:
    name = contents.NAMES[layers.image]
    files = [*_files(layers.system, 0), *_files(layers.program, 1)]
    packages = [_image(name, release), _program(layers.image, release), *map(_debian, sorted(set(layers.packages.values())))]
    body = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{name}-{release.version}",
        "creationInfo": {"created": as_time(release.epoch),
                         "creators": [f"Tool: sluice-images-{release.version}"]},
        "documentDescribes": [IMAGE], "packages": packages, "files": files,
        "relationships": [_relation("SPDXRef-DOCUMENT", "DESCRIBES", IMAGE),
                          *(_relation(IMAGE, "CONTAINS", package["SPDXID"]) for package in packages[1:]),
                          *(_relation(_owner(layers, file), "CONTAINS", file["SPDXID"]) for file in files)]}
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    body["documentNamespace"] = f"https://spdx.org/spdxdocs/{name}-{release.version}-{digest[:32]}"
    return json.dumps(body, indent=1, sort_keys=True) + "\n"


def _relation(one: str, how: str, other: str) -> dict:
    return {"spdxElementId": one, "relationshipType": how, "relatedSpdxElement": other}


def _package(spdx_id: str, name: str, version: str, purpose: str, **more: object) -> dict:
    return {"SPDXID": spdx_id, "name": name, "versionInfo": version, "primaryPackagePurpose": purpose, "downloadLocation": UNKNOWN,
            "filesAnalyzed": False, "licenseConcluded": UNKNOWN, "licenseDeclared": UNKNOWN, "copyrightText": UNKNOWN, **more}


def _image(name: str, release: Release) -> dict:
    return _package(IMAGE, name, release.version, "CONTAINER", comment=f"revision {release.revision}")


def _program(image: str, release: Release) -> dict:
    return _package(PROGRAM, contents.PROGRAMS[image], release.version, "APPLICATION", licenseDeclared=LICENCE,
                    comment=f"revision {release.revision}")


def _debian(package: Package) -> dict:
    """Its licences are what its copyright file says, which is in the image."""
    reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": package.locator}
    more = {"homepage": package.field("Homepage")} if package.field("Homepage") else {}
    return _package(_id(package), package.name, package.version, "LIBRARY", supplier="Organization: Debian", externalRefs=[reference],
                    sourceInfo=f"built from {package.source}",
                    licenseComments=f"see /{package.copyright.relative_to('/')} in the image", **more)


def _id(package: Package) -> str:
    return "SPDXRef-Package-deb-" + package.name.replace("+", "-plus")


def _files(tree: Tree, layer: int) -> list[dict]:
    names = sorted(name for name in tree.origins if not (tree.folder / name).is_symlink())
    return [_file(tree.folder / name, name, f"SPDXRef-File-{layer}-{number}") for number, name in enumerate(names)]


def _file(path: Path, name: str, spdx_id: str) -> dict:
    content = path.read_bytes()
    sums = [{"algorithm": algorithm.upper(), "checksumValue": hashlib.new(algorithm, content).hexdigest()}
            for algorithm in ("sha1", "sha256")]
    return {"SPDXID": spdx_id, "fileName": f"./{name}", "checksums": sums, "licenseConcluded": UNKNOWN, "copyrightText": UNKNOWN}


def _owner(layers: Layers, file: dict) -> str:
    package = layers.packages.get(file["fileName"].removeprefix("./"))
    return _id(package) if package else PROGRAM
