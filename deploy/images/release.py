"""Which state of the tree an image is of."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Release:
    """`epoch`: of the commit, and of everything that carries a time."""

    version: str
    revision: str
    epoch: int


def version_of(tree: Path) -> str:
    """As `--version` says it; CMake reads the same line."""
    match = re.search(r'const char\* version = "([0-9.]+)"', (tree / "common/version.hpp").read_text())
    assert match, "common/version.hpp names no version"
    return match[1]


def read(tree: Path) -> Release:
    """From git, or where there is none, as inside a Dockerfile, from REVISION and SOURCE_DATE_EPOCH."""
    if (tree / ".git").exists():
        return Release(version_of(tree), _revision(tree), int(_git(tree, "log", "-1", "--format=%ct")))
    return Release(version_of(tree), os.environ.get("REVISION", "unknown"), int(os.environ.get("SOURCE_DATE_EPOCH", "0")))


def _revision(tree: Path) -> str:
    changed = _git(tree, "status", "--porcelain", "--untracked-files=no")
    return _git(tree, "rev-parse", "HEAD") + ("-dirty" if changed else "")


def _git(tree: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(tree), *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
