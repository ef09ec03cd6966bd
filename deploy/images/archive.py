"""An image as one file: an OCI archive that docker load, podman load, skopeo and ctr read. Same content, same bytes."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import platform
import tarfile
from datetime import datetime, timezone
from pathlib import Path

MEDIA = "application/vnd.oci.image"
MANIFEST = f"{MEDIA}.manifest.v1+json"
NAME = "org.opencontainers.image.ref.name"  # of a manifest in its layout
PACKED = 3  # of gzip's nine: the last tenth of the size would take as long as all the rest of an image
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def layer(folder: Path, epoch: int) -> bytes:
    """In the order of names, of root, with one time."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            _add(tar, path, str(path.relative_to(folder)), epoch)
    return out.getvalue()


def _add(tar: tarfile.TarFile, path: Path, name: str, epoch: int) -> None:
    info = tarfile.TarInfo(name)
    info.mtime = epoch
    if path.is_symlink():
        info.type, info.linkname, info.mode = tarfile.SYMTYPE, os.readlink(path), 0o777
        tar.addfile(info)
        return
    info.mode = path.stat().st_mode & 0o7777
    if path.is_dir():
        info.type = tarfile.DIRTYPE
        tar.addfile(info)
        return
    info.size = path.stat().st_size
    with path.open("rb") as content:
        tar.addfile(info, content)


class Blobs(dict[str, bytes]):
    """By digest, without the algorithm."""

    def keep(self, data: bytes, kind: str) -> dict:
        name = hashlib.sha256(data).hexdigest()
        self[name] = data
        return {"mediaType": kind, "digest": f"sha256:{name}", "size": len(data)}

    def keep_json(self, value: object, kind: str) -> dict:
        return self.keep(as_json(value), kind)

    def keep_manifest(self, config: dict, layers: list[dict], **more: object) -> dict:
        return self.keep_json({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers, **more}, MANIFEST)

    def files(self, index: dict) -> dict[str, bytes]:
        """What an OCI image layout of them holds, by path."""
        whole = as_json({"schemaVersion": 2, "mediaType": f"{MEDIA}.index.v1+json", **index})
        return {"oci-layout": b'{"imageLayoutVersion":"1.0.0"}', "index.json": whole,
                **{f"blobs/sha256/{digest}": data for digest, data in sorted(self.items())}}


def keep_image(blobs: Blobs, config: dict, folders: list[Path], epoch: int, *, packed: bool = False) -> dict:
    """The image's descriptor, as an index lists it. `packed`: layers as registries keep them, so that no client packs them on the way
    and changes the digest. The image's id is the same."""
    tars = [layer(folder, epoch) for folder in folders]
    layers = [blobs.keep(gzip.compress(tar, PACKED, mtime=0), f"{MEDIA}.layer.v1.tar+gzip") if packed else
              blobs.keep(tar, f"{MEDIA}.layer.v1.tar") for tar in tars]
    created = as_time(epoch)
    machine = {"architecture": ARCHITECTURES[platform.machine()], "os": "linux"}
    about = blobs.keep_json({**machine, "created": created, "config": config,
                             "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(tar).hexdigest()}" for tar in tars]},
                             "history": [{"created": created, "created_by": f"COPY {folder.name} /"} for folder in folders]},
                            f"{MEDIA}.config.v1+json")
    return {**blobs.keep_manifest(about, layers), "platform": machine}


def write(file: Path, name: str, config: dict, folders: list[Path], epoch: int) -> str:
    """`name` with its tag. Returns the digest of the manifest, which is the image's."""
    blobs = Blobs()
    image = keep_image(blobs, config, folders, epoch)
    names = {"io.containerd.image.name": name, NAME: name.rpartition(":")[2]}
    manifest = json.loads(blobs[image["digest"].removeprefix("sha256:")])
    # For docker load before version 25, which knows no OCI layout.
    for_docker = [{"Config": _blob(manifest["config"]), "RepoTags": [name], "Layers": [_blob(one) for one in manifest["layers"]]}]
    _write_tar(file, {**blobs.files({"manifests": [{**image, "annotations": names}]}), "manifest.json": as_json(for_docker)}, epoch)
    return image["digest"]


def as_json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def as_time(epoch: int) -> str:
    return datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _blob(descriptor: dict) -> str:
    return "blobs/" + descriptor["digest"].replace(":", "/")


def _write_tar(file: Path, entries: dict[str, bytes], epoch: int) -> None:
    """In one step: whoever reads the file has a whole one."""
    making = file.with_suffix(".making")
    with tarfile.open(making, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in entries.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.mode = len(data), epoch, 0o644
            tar.addfile(info, io.BytesIO(data))
    making.rename(file)
