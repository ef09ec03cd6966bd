"""SHA256SUMS over all files of a folder, and its signature, both as sha256sum and openssl read them."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from deploy.images.dpkg import Refused

SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
RAW = ("pkeyutl", "-rawin")  # of any kind that openssl signs with in one go: Ed25519, ECDSA, RSA


def files(folder: Path) -> dict[str, Path]:
    """All that has to be listed, by path."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_symlink() or not path.is_dir())
    return {name: path for path in found if (name := str(path.relative_to(folder))) not in (SUMS, SIGNATURE)}


def write(folder: Path) -> None:
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n" for name, path in files(folder).items()]
    (folder / SUMS).write_text("".join(lines))


def problems(folder: Path) -> list[str]:
    """Of what is listed and what is there, each in a sentence."""
    if not (folder / SUMS).is_file():
        return [f"there is no {SUMS}"]
    listed = {name: digest for digest, _, name in (line.partition("  ") for line in (folder / SUMS).read_text().splitlines())}
    there = files(folder)
    said = [f"{name}: listed, but not there" for name in sorted(listed.keys() - there.keys())]
    said += [f"{name}: there, but not listed" for name in sorted(there.keys() - listed.keys())]
    return said + [f"{name}: not as listed" for name in sorted(listed.keys() & there.keys()) if not _is(there[name], listed[name])]


def _is(file: Path, digest: str) -> bool:
    return file.is_file() and not file.is_symlink() and hashlib.sha256(file.read_bytes()).hexdigest() == digest


def check_key(key: bytes) -> None:
    """Refused when it is no private key."""
    _openssl(key, "pkey", "-in", "/dev/stdin", "-noout")


def sign(folder: Path, key: bytes) -> None:
    _openssl(key, *RAW, "-sign", "-inkey", "/dev/stdin", "-in", str(folder / SUMS), "-out", str(folder / SIGNATURE))


def signature_problems(folder: Path, key: bytes) -> list[str]:
    if not (folder / SIGNATURE).is_file():
        return [f"not signed: there is no {SIGNATURE}"]
    try:
        _openssl(key, *RAW, "-verify", "-pubin", "-inkey", "/dev/stdin", "-in", str(folder / SUMS), "-sigfile", str(folder / SIGNATURE))
    except Refused as refused:
        return [f"{SIGNATURE} is not of this key and these {SUMS}: {refused}"]
    return []


def _openssl(key: bytes, *arguments: str) -> None:
    """The key goes in by standard input: no copy of it is written."""
    done = subprocess.run(["openssl", *arguments], input=key, capture_output=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).decode(errors="replace").strip() or f"exit code {done.returncode}"
        raise Refused(f"openssl: {said.splitlines()[0]}")
