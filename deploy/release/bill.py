"""The chart's bill of materials, as SPDX 2.3: its files, and the images that it runs. Those of images are deploy/images/sbom.py's."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Mapping

from deploy.images.archive import as_time
from deploy.images.release import Release
from deploy.images.sbom import LICENCE, UNKNOWN

MEDIA = "application/spdx+json"
CHART = "SPDXRef-Package-chart"


def of_chart(package: bytes, images: Mapping[str, str], of: Release) -> bytes:
    """`images`: digests by name."""
    files = _files(package)
    parts = [_package(CHART, "sluice", of, "INSTALL", _sum(package)), *(_image(name, digest, of) for name, digest in images.items())]
    body = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"sluice-chart-{of.version}",
        "creationInfo": {"created": as_time(of.epoch), "creators": [f"Tool: sluice-release-{of.version}"]},
        "documentDescribes": [CHART], "packages": parts, "files": files,
        "relationships": [_relation("SPDXRef-DOCUMENT", "DESCRIBES", CHART),
                          *(_relation(CHART, "CONTAINS", file["SPDXID"]) for file in files),
                          *(_relation(part["SPDXID"], "RUNTIME_DEPENDENCY_OF", CHART) for part in parts[1:])]}
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    body["documentNamespace"] = f"https://spdx.org/spdxdocs/sluice-chart-{of.version}-{digest[:32]}"
    return (json.dumps(body, indent=1, sort_keys=True) + "\n").encode()


def _relation(one: str, how: str, other: str) -> dict:
    return {"spdxElementId": one, "relationshipType": how, "relatedSpdxElement": other}


def _package(spdx_id: str, name: str, of: Release, purpose: str, *sums: dict, **more: object) -> dict:
    return {"SPDXID": spdx_id, "name": name, "versionInfo": of.version, "primaryPackagePurpose": purpose, "downloadLocation": UNKNOWN,
            "filesAnalyzed": False, "licenseConcluded": UNKNOWN, "licenseDeclared": LICENCE, "copyrightText": UNKNOWN,
            "comment": f"revision {of.revision}", "checksums": list(sums), **more}


def _image(name: str, digest: str, of: Release) -> dict:
    """Its own bill says which licences are in it."""
    checksum = {"algorithm": "SHA256", "checksumValue": digest.removeprefix("sha256:")}
    return _package(f"SPDXRef-Image-{name}", name, of, "CONTAINER", checksum, licenseDeclared=UNKNOWN)


def _sum(content: bytes, algorithm: str = "sha256") -> dict:
    return {"algorithm": algorithm.upper(), "checksumValue": hashlib.new(algorithm, content).hexdigest()}


def _files(package: bytes) -> list[dict]:
    with tarfile.open(fileobj=io.BytesIO(package)) as tar:
        read = {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}  # type: ignore[union-attr]
    return [{"SPDXID": f"SPDXRef-File-{number}", "fileName": f"./{name}", "checksums": [_sum(content, "sha1"), _sum(content)],
             "licenseConcluded": UNKNOWN, "copyrightText": UNKNOWN} for number, (name, content) in enumerate(sorted(read.items()))]
