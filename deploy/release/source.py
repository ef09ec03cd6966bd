"""Which state of the tree a release is of, said by git: a commit, or where somebody insists, what stands in the folder."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import yaml

from deploy.images import release
from deploy.images.dpkg import Refused
from deploy.images.release import Release

CHART = Path("helm/sluice")


@dataclass(frozen=True)
class Source:
    """`digest` names the content as in-toto does: the commit, or the tree's when there are changes that are in no commit."""

    release: Release
    digest: dict[str, str]

    @property
    def changed(self) -> bool:
        return "gitCommit" not in self.digest


def read(tree: Path, version: str = "", *, dirty: bool = False) -> Source:
    """Refused when files are in no commit, unless `dirty`, and when `version` is not the tree's."""
    if not (tree / ".git").exists():
        raise Refused(f"{tree} has no git history: nothing says which commit this would be a release of")
    commit, changed = git(tree, "rev-parse", "HEAD"), git(tree, "status", "--porcelain").splitlines()
    if changed and not dirty:
        names = ", ".join(line.split()[-1] for line in changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
        raise Refused(f"in no commit: {names}. Commit that, or say --dirty")
    digest = {"gitTree": tree_digest(tree)} if changed else {"gitCommit": commit}
    name = commit + ("-dirty" if changed else "")
    return Source(Release(version_of(tree, version), name, int(git(tree, "log", "-1", "--format=%ct"))), digest)


def version_of(tree: Path, wanted: str) -> str:
    """What `--version` of the programs says, and the chart; `wanted` may add a pre-release to it, such as 0.1.0-rc.1."""
    own = release.version_of(tree)
    chart = yaml.safe_load((tree / CHART / "Chart.yaml").read_text())
    if {chart["version"], chart["appVersion"]} != {own}:
        raise Refused(f"common/version.hpp says {own}, Chart.yaml {chart['version']} and {chart['appVersion']}: they have to be the same")
    if wanted and not re.fullmatch(rf"{re.escape(own)}(?:-[0-9A-Za-z.-]+)?", wanted):
        raise Refused(f"the programs of this tree say {own}: change common/version.hpp and helm/sluice/Chart.yaml to release {wanted}")
    return wanted or own


def tree_digest(tree: Path) -> str:
    """Of all that git would take, as git would name it; nothing is written to the repository."""
    with tempfile.TemporaryDirectory() as scratch:
        objects = (tree / git(tree, "rev-parse", "--git-path", "objects")).resolve()
        apart = {"GIT_INDEX_FILE": f"{scratch}/index", "GIT_OBJECT_DIRECTORY": scratch, "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(objects)}
        git(tree, "read-tree", "HEAD", **apart)
        git(tree, "add", "--all", **apart)
        return git(tree, "write-tree", **apart)


def git(tree: Path, *arguments: str, **environment: str) -> str:
    return subprocess.run(["git", "-C", str(tree), *arguments], stdout=subprocess.PIPE, text=True, check=True,
                          env={**os.environ, **environment}).stdout.strip()
