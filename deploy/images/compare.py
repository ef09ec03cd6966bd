"""python3 -m deploy.images.compare FOLDER OTHER: are both images the same, but for what engines add? Exit 1 with what differs."""

from __future__ import annotations

import hashlib
import json
import sys
import tarfile
from pathlib import Path

from deploy.images import contents

Entry = tuple[str, int, int, int, str]  # kind, mode, owner, group, digest or target


def read(archive: Path) -> tuple[dict, dict[str, Entry]]:
    """What the image is configured to do, and each path in it, of whichever layer is the last to have it."""
    with tarfile.open(archive) as tar:
        def blob(digest: str) -> object:
            return tar.extractfile(f"blobs/{digest.replace(':', '/')}")

        index = json.load(tar.extractfile("index.json"))  # type: ignore[arg-type]
        manifest = json.load(blob(index["manifests"][0]["digest"]))  # type: ignore[arg-type]
        about = json.load(blob(manifest["config"]["digest"]))  # type: ignore[arg-type]
        found: dict[str, Entry] = {}
        for layer in manifest["layers"]:
            with tarfile.open(fileobj=blob(layer["digest"])) as files:  # type: ignore[call-overload]
                found |= {member.name.rstrip("/"): _entry(files, member) for member in files}
        return _configured(about["config"]), found


def _entry(files: tarfile.TarFile, member: tarfile.TarInfo) -> Entry:
    """Links have no rights of their own."""
    if member.issym():
        return ("link", 0, 0, 0, member.linkname)
    content = files.extractfile(member).read() if member.isfile() else b""  # type: ignore[union-attr]
    kind = "file" if member.isfile() else "folder" if member.isdir() else f"type {member.type!r}"
    return (kind, member.mode & 0o7777, member.uid, member.gid, hashlib.sha256(content).hexdigest())


def _configured(config: dict) -> dict:
    """Without what engines write down about themselves."""
    labels = {key: value for key, value in config.get("Labels", {}).items() if not key.startswith("io.buildah.")}
    return {**config, "Labels": labels, "Env": sorted(config["Env"])}


def differences(one: Path, other: Path) -> list[str]:
    (configured, files), (otherwise, others) = read(one), read(other)
    said = [f"configuration: {key}: {configured.get(key)} and {otherwise.get(key)}" for key in sorted({*configured, *otherwise})
            if configured.get(key) != otherwise.get(key)]
    return said + [f"/{name}: {files.get(name)} and {others.get(name)}" for name in sorted({*files, *others})
                   if files.get(name) != others.get(name)]


def main(folder: Path, other: Path) -> int:
    differ = 0
    for name in contents.NAMES.values():
        said = differences(next(folder.glob(f"{name}-*.tar")), next(other.glob(f"{name}-*.tar")))
        print(f"{name}: {'the same' if not said else f'{len(said)} differences'}", *said[:20], sep="\n  ")
        differ += len(said)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
