"""Is a release as it says? Each digest and size from the index down to the blobs, each subject, each file's checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import yaml

from deploy.images import contents
from deploy.images.archive import MANIFEST, NAME
from deploy.release import bill, checksums, provenance

LAYOUTS = ("images", "chart")


def problems(folder: Path) -> list[str]:
    """Each in a sentence; none: []."""
    said = checksums.problems(folder)
    for name in LAYOUTS:
        said += told(name, lambda name=name: Layout(folder / name).problems())
    return said or told("release", lambda: disagreements(folder))


def told(what: str, look: Callable[[], Iterable[str]]) -> list[str]:
    """What `look` finds in what others may have written."""
    try:
        return [f"{what}: {one}" for one in look()]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, yaml.YAMLError) as broken:
        return [f"{what}: cannot be read: {broken!r}"]


def disagreements(folder: Path) -> Iterator[str]:
    """Between files that say the same in other forms, in a folder whose layouts are sound."""
    images, chart = Layout(folder / "images"), Layout(folder / "chart")
    summary = json.loads((folder / "release.json").read_text())
    listed = {f"{name}-{summary['version']}": digest for name, digest in (*summary["images"].items(), ("sluice", summary["chart"]))}
    if listed != images.names | chart.names:
        yield "release.json: its digests are not those of the layouts"
    if yaml.safe_load((folder / "digests.yaml").read_text()) != pinned(images.names, summary["version"]):
        yield "digests.yaml: its digests are not those of the images"
    for layout in (images, chart):
        yield from (f"release.json: its revision is {summary['revision']}, and a provenance is of {found}"
                    for found in layout.sources() if not is_of(found, summary["revision"]))
    packed = f"sha256:{hashlib.sha256((folder / f'sluice-{summary['version']}.tgz').read_bytes()).hexdigest()}"
    if [packed] != [layer["digest"] for one in chart.named.values() for layer in chart.read(one)["layers"]]:
        yield f"sluice-{summary['version']}.tgz: not the chart of the layout"


def pinned(names: dict[str, str], version: str) -> dict:
    """What digests.yaml has to say, and nothing more."""
    return {image: {"image": {"digest": names.get(f"{name}-{version}")}} for image, name in contents.NAMES.items()}


def is_of(source: dict, revision: str) -> bool:
    """A provenance of a changed tree names no commit."""
    return source.keys() == {"gitTree"} if revision.endswith("-dirty") else source == {"gitCommit": revision}


class Layout:
    """One that is read: what its index lists, and which of its blobs something names."""

    def __init__(self, folder: Path) -> None:
        self.blobs = folder / "blobs" / "sha256"
        self.index: list[dict] = json.loads((folder / "index.json").read_text())["manifests"]
        self.named = {one["digest"]: one for one in self.index if NAME in one.get("annotations", {})}
        named = [(one["annotations"][NAME], one["digest"]) for one in self.index if NAME in one.get("annotations", {})]
        self.names, self.twice = dict(named), len(named) > len({name for name, _ in named})
        self.seen: set[str] = set()

    def problems(self) -> list[str]:
        said = [sentence for entry in self.index for sentence in self._of_manifest(entry)]
        said += [f"{name}: nothing names it" for name in sorted({file.name for file in self.blobs.iterdir()} - self.seen)]
        said += ["index.json: a name is given twice"] if self.twice else []
        return said + list(self._unattested())

    def _of_manifest(self, entry: dict) -> Iterator[str]:
        if entry["mediaType"] != MANIFEST:
            yield f"{entry['digest']}: {entry['mediaType']} in the index"
        if (wrong := self._of_blob(entry)):
            yield wrong
            return
        manifest = self.read(entry)
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
            made = self.read(manifest["layers"][0])["subject"][0]["digest"]["sha256"]
            if f"sha256:{made}" != subject:
                yield f"{entry['digest']}: its provenance is of sha256:{made}, not of {subject}"

    def _unattested(self) -> Iterator[str]:
        """What lacks its provenance or its bill."""
        attached = {(manifest.get("subject", {}).get("digest"), manifest.get("artifactType"))
                    for manifest in (self.read(one) for one in self.index if not self._of_blob(one)) if "subject" in manifest}
        for digest in sorted(self.named):
            yield from (f"{digest}: no {kind} refers to it" for kind in (provenance.MEDIA, bill.MEDIA) if (digest, kind) not in attached)

    def sources(self) -> Iterator[dict]:
        """The digest of the source that each provenance names."""
        for entry in self.index:
            if entry.get("artifactType") == provenance.MEDIA:
                statement = self.read(self.read(entry)["layers"][0])
                materials = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
                yield next(one["digest"] for one in materials if one["name"] == "source")

    def read(self, descriptor: dict) -> dict:
        return json.loads((self.blobs / descriptor["digest"].removeprefix("sha256:")).read_bytes())
