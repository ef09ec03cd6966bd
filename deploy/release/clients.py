"""The clients of sluice-command (docs/clients.md) as one archive: what a service copies into its own tree."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

from deploy.images.release import Release

# By what is packed of it: nothing that a test left there goes along.
FOUND = ("clients/python/*.py", "clients/cpp/sluice/*.hpp", "docs/clients.md", "LICENSE")


def name(of: Release) -> str:
    return f"sluice-clients-{of.version}"


def pack(tree: Path, of: Release) -> bytes:
    """The same files make the same bytes."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for file in sorted(found for pattern in FOUND for found in tree.glob(pattern)):
            inside = file.relative_to(tree).as_posix().removeprefix("clients/").removeprefix("docs/")
            _add(tar, f"{name(of)}/{inside}", file.read_bytes(), of.epoch)
    return gzip.compress(plain.getvalue(), mtime=0)


def _add(tar: tarfile.TarFile, path: str, content: bytes, at: int) -> None:
    entry = tarfile.TarInfo(path)
    entry.size, entry.mtime, entry.mode = len(content), at, 0o644
    tar.addfile(entry, io.BytesIO(content))
