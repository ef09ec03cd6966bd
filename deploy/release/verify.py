"""Is a release as it says? Each digest and size from the index down to the blobs, each subject, each file's checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from deploy.images.archive import MANIFEST, NAME
from deploy.release import bill, checksums, provenance

LAYOUTS = ("images", "chart")


def problems(folder: Path) -> list[str]:
    """Each in a sentence; none: []."""
    said = checksums.problems(folder)
    for name in LAYOUTS:
        try:
            said += [f"{name}: {one}" for one in Layout(folder / name).problems()]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as broken:
            said.append(f"{name}: cannot be read: {broken!r}")
    return said


class Layout:
    """One that is read: what its index lists, and which of its blobs something names."""

    def __init__(self, folder: Path) -> None:
        self.blobs = folder / "blobs" / "sha256"
        self.index: list[dict] = json.loads((folder / "index.json").read_text())["manifests"]
        self.named = {one["digest"]: one for one in self.index if NAME in one.get("annotations", {})}
        self.seen: set[str] = set()

    def problems(self) -> list[str]:
        said = [sentence for entry in self.index for sentence in self._of_manifest(entry)]
        said += [f"{name}: nothing names it" for name in sorted({file.name for file in self.blobs.iterdir()} - self.seen)]
        return said + list(self._unattested())

    def _of_manifest(self, entry: dict) -> Iterator[str]:
        if entry["mediaType"] != MANIFEST:
            yield f"{entry['digest']}: {entry['mediaType']} in the index"
        if (wrong := self._of_blob(entry)):
            yield wrong
            return
        manifest = self._json(entry)
        yield from filter(None, map(self._of_blob, (manifest["config"], *manifest["layers"])))
        if entry["digest"] not in self.named:
            yield from self._of_referrer(entry, manifest)

    def _of_blob(self, descriptor: dict) -> str:
        algorithm, _, name = descriptor["digest"].partition(":")
        file = self.blobs / name
        self.seen.add(name)
        if algorithm != "sha256" or not name.isalnum() or not file.is_file():
            return f"{descriptor['digest']}: there is no such blob"
        content = file.read_bytes()
        if len(content) != descriptor["size"] or hashlib.sha256(content).hexdigest() != name:
            return f"{descriptor['digest']}: another digest or size"
        return ""

    def _of_referrer(self, entry: dict, manifest: dict) -> Iterator[str]:
        about = manifest.get("subject", {})
        subject = about.get("digest")
        if subject not in self.named:
            yield f"{entry['digest']}: refers to {subject}, which has no name here"
        elif about != {name: self.named[subject][name] for name in ("mediaType", "digest", "size")}:
            yield f"{entry['digest']}: its subject is not as the index lists it"
        if manifest.get("artifactType") != entry.get("artifactType"):
            yield f"{entry['digest']}: another type in the index than in itself"
        if manifest.get("artifactType") == provenance.MEDIA:
            made = self._json(manifest["layers"][0])["subject"][0]["digest"]["sha256"]
            if f"sha256:{made}" != subject:
                yield f"{entry['digest']}: its provenance is of sha256:{made}, not of {subject}"

    def _unattested(self) -> Iterator[str]:
        """What lacks its provenance or its bill."""
        attached = {(manifest.get("subject", {}).get("digest"), manifest.get("artifactType"))
                    for manifest in (self._json(one) for one in self.index if not self._of_blob(one)) if "subject" in manifest}
        for digest in sorted(self.named):
            yield from (f"{digest}: no {kind} refers to it" for kind in (provenance.MEDIA, bill.MEDIA) if (digest, kind) not in attached)

    def _json(self, descriptor: dict) -> dict:
        return json.loads((self.blobs / descriptor["digest"].removeprefix("sha256:")).read_bytes())
