"""What dpkg knows of this system's files. Its database is read as text, once: asking dpkg-query for each file takes half a minute."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

DATABASE = Path("/var/lib/dpkg")


class Refused(Exception):
    """Something that must not go into an image, in a sentence."""


@dataclass(frozen=True, order=True)
class Package:
    """`stanza` is its entry in dpkg's database."""

    name: str
    version: str
    architecture: str
    stanza: str

    def field(self, name: str) -> str:
        return next((line.removeprefix(f"{name}: ") for line in self.stanza.splitlines() if line.startswith(f"{name}: ")), "")

    @property
    def source(self) -> str:
        """Name and version of what it was built from."""
        name, _, version = (self.field("Source") or self.name).partition(" ")
        return f"{name} {version.strip('()') or self.version}"

    @property
    def locator(self) -> str:
        """Its package URL."""
        return f"pkg:deb/debian/{quote(self.name, safe='')}@{quote(self.version, safe='')}?arch={self.architecture}&distro=debian-13"

    @property
    def copyright(self) -> Path:
        return Path("/usr/share/doc") / self.name / "copyright"

    def listing(self, kind: str) -> str:
        """A file of dpkg's about it: `list`, `md5sums`."""
        files = (DATABASE / "info" / f"{name}.{kind}" for name in (f"{self.name}:{self.architecture}", self.name))
        file = next((file for file in files if file.exists()), None)
        if file is None:
            raise Refused(f"dpkg has no {kind} of {self.name}")
        return file.read_text()


@cache
def installed() -> tuple[Package, ...]:
    stanzas = (DATABASE / "status").read_text().strip().split("\n\n")
    return tuple(package for package in map(_package, stanzas) if package.field("Status").endswith(" installed"))


def _package(stanza: str) -> Package:
    bare = Package("", "", "", stanza + "\n")
    return Package(bare.field("Package"), bare.field("Version"), bare.field("Architecture"), bare.stanza)


@cache
def _owner_of_each() -> dict[str, Package]:
    return {path: package for package in installed() for path in package.listing("list").splitlines()}


def owners(paths: Iterable[Path]) -> dict[Path, Package]:
    """The package of each file; Refused when one has none."""
    known, asked = _owner_of_each(), sorted(set(paths))
    if strangers := [str(path) for path in asked if str(path) not in known]:
        raise Refused(f"no package owns {', '.join(strangers)}")
    return {path: known[str(path)] for path in asked}


def check_unchanged(files: dict[Path, Package]) -> None:
    """Refused when a file is not as its package brought it."""
    changed = [str(path) for path, owner in files.items() if _sums(owner).get(path) != hashlib.md5(path.read_bytes()).hexdigest()]
    if changed:
        raise Refused(f"not as the package brought it: {', '.join(changed)}")


@cache
def _sums(of: Package) -> dict[Path, str]:
    """Of its files, and of its configuration files as they came."""
    sums = {Path("/") / path: digest for digest, _, path in (line.partition("  ") for line in of.listing("md5sums").splitlines())}
    _, _, listed = of.stanza.partition("\nConffiles:\n")
    settings = (line.split() for line in listed.splitlines() if line.startswith(" /"))
    return sums | {Path(words[0]): words[1] for words in settings}
