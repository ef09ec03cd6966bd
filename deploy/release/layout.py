"""A folder in the form of OCI's image layout: manifests with names, and artifacts that say which of them they are about."""

from __future__ import annotations

from pathlib import Path

from deploy.images.archive import NAME, Blobs, as_time

EMPTY = "application/vnd.oci.empty.v1+json"


class Layout:
    """Everything that is in the index: what has a name, and the referrers."""

    def __init__(self, epoch: int) -> None:
        self.blobs = Blobs()
        self.index: list[dict] = []
        self._created = {"org.opencontainers.image.created": as_time(epoch)}

    def name(self, manifest: dict, name: str) -> None:
        self.index.append({**manifest, "annotations": {NAME: name}})

    def keep_artifact(self, config: dict, layer: dict, annotations: dict) -> dict:
        """One that is made of one file."""
        return self.blobs.keep_manifest(config, [layer], annotations={**annotations, **self._created})

    def attach(self, subject: dict, kind: str, content: bytes, file: str, **annotations: str) -> dict:
        """A referrer: a manifest of its own, of type `kind`, whose subject is another one."""
        layer = {**self.blobs.keep(content, kind), "annotations": {"org.opencontainers.image.title": file}}
        about = {name: subject[name] for name in ("mediaType", "digest", "size")}
        notes = {**annotations, **self._created}
        made = self.blobs.keep_manifest(self.blobs.keep(b"{}", EMPTY), [layer], artifactType=kind, subject=about, annotations=notes)
        self.index.append({**made, "artifactType": kind, "annotations": notes})
        return made

    def write(self, folder: Path) -> None:
        for name, data in self.blobs.files({"manifests": self.index}).items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
