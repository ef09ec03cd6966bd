"""A release made of the tree as it stands, committed in a clone of its own, and read without the code that made it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from deploy.images import release

TREE = Path(__file__).resolve().parents[2]
BINARIES = Path(os.environ.get("SLUICE_BIN") or TREE / "build/release/bin")
WITHIN = 60.0  # seconds
VERSION = release.version_of(TREE)
REF = "org.opencontainers.image.ref.name"
WHO = {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.com",
       "GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"}


def run(*command: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(part) for part in command], cwd=cwd, env={**os.environ, **WHO, **environment}, text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, timeout=WITHIN, check=False)


def git(tree: Path, *arguments: str) -> str:
    done = run("git", *arguments, cwd=tree)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def committed(folder: Path) -> Path:
    """A repository of the files that git knows here or would take, all in one commit."""
    for name in git(TREE, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (TREE / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(TREE / name, folder / name)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "all")
    return folder


def make(tree: Path, out: Path, *options: object, binaries: Path = BINARIES, **environment: str) -> subprocess.CompletedProcess[str]:
    """./run release of `tree`, once the programs are built."""
    command = (sys.executable, "-m", "deploy.release", "make", "--out", out, "--binaries", binaries, *options)
    return run(*command, cwd=tree, PYTHONPATH=str(tree), **environment)


def make_key(folder: Path, *kind: str) -> Path:
    """key.pem and, beside it, pub.pem."""
    private, public = folder / "key.pem", folder / "pub.pem"
    for command in (("genpkey", *(kind or ("-algorithm", "ed25519")), "-out", private), ("pkey", "-in", private, "-pubout", "-out", public)):
        done = run("openssl", *command, cwd=folder)
        assert done.returncode == 0, done.stderr
    return private


def verify(folder: Path, *options: object) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "-m", "deploy.release", "verify", folder, *options, cwd=TREE, PYTHONPATH=str(TREE))


class Layout:
    """An OCI image layout. Each blob that is asked for is as its descriptor says, or it is an assertion."""

    def __init__(self, folder: Path) -> None:
        assert json.loads((folder / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}
        self.folder = folder
        self.index = json.loads((folder / "index.json").read_text())
        self.named = {one["annotations"][REF]: one for one in self.index["manifests"] if REF in one["annotations"]}
        self.referrers = [one for one in self.index["manifests"] if REF not in one["annotations"]]
        self.asked: set[str] = set()

    def blob(self, descriptor: dict) -> bytes:
        name = descriptor["digest"].removeprefix("sha256:")
        content = (self.folder / "blobs/sha256" / name).read_bytes()
        assert (hashlib.sha256(content).hexdigest(), len(content)) == (name, descriptor["size"]), descriptor
        self.asked.add(name)
        return content

    def json(self, descriptor: dict) -> dict:
        return json.loads(self.blob(descriptor))

    def attached(self, subject: dict, kind: str) -> dict:
        """The content of the one referrer of this type."""
        manifests = [self.json(one) for one in self.referrers if one["artifactType"] == kind]
        layers = [layer for one in manifests if one["subject"]["digest"] == subject["digest"] for layer in one["layers"]]
        assert [layer["mediaType"] for layer in layers] == [kind], f"{kind} of {subject['digest']}"
        return self.json(layers[0])


def files(folder: Path) -> dict[str, str]:
    """Digests by path."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.rglob("*")) if path.is_file()}


def sum_up(folder: Path) -> None:
    """SHA256SUMS anew, as somebody would write it who has changed a file."""
    names = "".join(f"{digest}  {name}\n" for name, digest in files(folder).items() if not name.startswith("SHA256SUMS"))
    (folder / "SHA256SUMS").write_text(names)
