"""An image as an archive: what it says, what is in it, and its program run as a container engine would run it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
BINARIES = Path(os.environ.get("SLUICE_BIN") or TREE / "build/release/bin")
ENTER = Path(__file__).with_name("enter_image.py")
WITHIN = 60.0  # seconds


class Image:
    """Unpacked below `folder` at construction; whatever is not as its digest says is an assertion."""

    def __init__(self, archive: Path, folder: Path) -> None:
        self.archive = archive
        self.root = folder / archive.stem
        with tarfile.open(archive) as tar:
            self._blobs = {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}  # type: ignore[union-attr]
        self.index = json.loads(self._blobs["index.json"])
        self.digest = self.index["manifests"][0]["digest"]
        self.manifest = json.loads(self._blob(self.digest))
        self.about = json.loads(self._blob(self.manifest["config"]["digest"]))
        self.config = self.about["config"]
        self.bill = json.loads(archive.with_suffix(".spdx.json").read_text())
        self.members: dict[str, tarfile.TarInfo] = {}
        self._unpack()

    def _blob(self, digest: str) -> bytes:
        content = self._blobs[f"blobs/{digest.replace(':', '/')}"]
        assert f"sha256:{hashlib.sha256(content).hexdigest()}" == digest
        return content

    def _unpack(self) -> None:
        for number, layer in enumerate(self.manifest["layers"]):
            assert self.about["rootfs"]["diff_ids"][number] == layer["digest"], "the layers are not compressed"
            file = self.root.with_suffix(".layer")
            file.write_bytes(self._blob(layer["digest"]))
            with tarfile.open(file) as tar:
                self.members |= {member.name: member for member in tar}
                tar.extractall(self.root, filter="fully_trusted")
            file.unlink()

    def files(self) -> dict[str, bytes]:
        """The regular ones."""
        return {name: (self.root / name).read_bytes() for name, member in self.members.items() if member.isfile()}

    def run(self, *arguments: str, binds: Mapping[Path, str] | None = None, program: str = "",
            environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """The entry point with `arguments`, or `program` of the image, by the image's user, until it ends."""
        return subprocess.run(self.command(*arguments, binds=binds, program=program), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=WITHIN, check=False, env=self.environment(environment))

    def command(self, *arguments: str, binds: Mapping[Path, str] | None = None, program: str = "") -> list[str]:
        mounts = [word for source, place in (binds or {}).items() for word in (str(source), place)]
        return ["/usr/bin/unshare", "--mount", "--propagation", "unchanged", "--", sys.executable, str(ENTER), str(self.root),
                self.config["User"], *mounts, "--", program or self.config["Entrypoint"][0], *arguments]

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The image's own, and nothing of the host's."""
        return dict(pair.split("=", 1) for pair in self.config["Env"]) | dict(more or {})


def can_enter() -> bool:
    return os.geteuid() == 0


def make(out: Path, *, tree: Path = TREE, binaries: Path = BINARIES, **environment: str) -> subprocess.CompletedProcess[str]:
    """./run images, with everything that it depends on handed in."""
    command = [sys.executable, "-m", "deploy.images", "archives", "--out", str(out), "--binaries", str(binaries)]
    return subprocess.run(command, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree), **environment}, text=True,
                          capture_output=True, timeout=2 * WITHIN, check=False)
