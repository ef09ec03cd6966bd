"""How something was made, as an in-toto statement with a predicate of SLSA 1. Docs: docs/release.md says what it does not prove."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from deploy.images import dpkg
from deploy.images.archive import as_json
from deploy.images.dpkg import Package, Refused
from deploy.release.source import Source

MEDIA = "application/vnd.in-toto+json"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/provenance/v1"
BUILD = "urn:x-sluice:run-release:v1"
UNNAMED = "urn:x-sluice:builder:unnamed"
PACKAGES = "packages.txt"


@dataclass(frozen=True)
class Maker:
    """What the caller says of itself: where the source lies and who builds. `built`: the programs are of this source."""

    source: str = ""
    builder: str = UNNAMED
    built: bool = False


def statement(subject: str, digest: str, source: Source, maker: Maker, inner: dict, materials: list[dict]) -> bytes:
    parameters = {"command": "./run release", "version": source.release.version, "dirty": source.changed}
    definition = {"buildType": BUILD, "externalParameters": parameters, "internalParameters": inner,
                  "resolvedDependencies": [tree(source, maker), *materials]}
    return as_json({"_type": STATEMENT, "subject": [{"name": subject, "digest": _split(digest)}], "predicateType": PREDICATE,
                    "predicate": {"buildDefinition": definition, "runDetails": {"builder": {"id": maker.builder}}}})


def programs(binaries: Path, names: Iterable[str], maker: Maker) -> dict:
    built, found = "brought up to date with this source by ./run build release", "found: nothing says that they are of this source"
    digests = {name: {"sha256": sha256((binaries / name).read_bytes())} for name in names}
    return {"programs": built if maker.built else found, "digests": digests}


def tree(source: Source, maker: Maker) -> dict:
    return {"name": "source", "digest": source.digest, **({"uri": maker.source} if maker.source else {})}


def file(name: str, content: bytes, **notes: str) -> dict:
    return {"name": name, "digest": {"sha256": sha256(content)}, **({"annotations": notes} if notes else {})}


def package(of: Package) -> dict:
    """Without a digest of the .deb, which is gone once it is installed; that of the list of its files' digests is there."""
    return {"uri": of.locator, "annotations": {"sha256OfMd5sums": contents(of)}}


def contents(of: Package) -> str:
    """Names what the package brought: `-` for one that brought no file."""
    try:
        return sha256(of.listing("md5sums").encode())
    except Refused:
        return "-"


def build_root() -> bytes:
    """Every package of the platform: compilers, and libraries that are compiled in, are among them."""
    lines = (f"{one.name} {one.version} {one.architecture} {contents(one)}\n" for one in sorted(dpkg.installed()))
    return "".join(["# name version architecture sha256-of-its-md5sums\n", *lines]).encode()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _split(digest: str) -> dict[str, str]:
    algorithm, _, value = digest.partition(":")
    return {algorithm: value}
