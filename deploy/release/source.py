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
WHOLE = (str(CHART), "ctl/samples", "docs/providers/text")  # each file in there goes in, by helm or by a glob of CMake


@dataclass(frozen=True)
class Source:
    """`digest` names the content as in-toto does: the commit, or the tree's when there are changes that are in no commit."""

    release: Release
    digest: dict[str, str]

    @property
    def changed(self) -> bool:
        return "gitCommit" not in self.digest

    @property
    def state(self) -> str:
        """Names commit and content in one word."""
        return ":".join((self.release.revision, *self.digest.values()))


def read(tree: Path, version: str = "", *, dirty: bool = False) -> Source:
    """Refused when files are in no commit, unless `dirty`, and when `version` is not the tree's."""
    if not (tree / ".git").exists():
        raise Refused(f"{tree} has no git history: nothing says which commit this would be a release of")
    check_ignored(tree)
    commit, changed = git(tree, "rev-parse", "HEAD"), git(tree, "status", "--porcelain", "--untracked-files=all").splitlines()
    if changed and not dirty:
        raise Refused(f"in no commit: {some([line.split()[-1] for line in changed])}. Commit that, or say --dirty")
    digest = {"gitTree": tree_digest(tree)} if changed else {"gitCommit": commit}
    name = commit + ("-dirty" if changed else "")
    return Source(Release(version_of(tree, version), name, int(git(tree, "log", "-1", "--format=%ct"))), digest)


def some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def check_ignored(tree: Path) -> None:
    """What git ignores would go in, too, and neither a commit nor git's name of the tree has that in it."""
    ignored = git(tree, "ls-files", "--others", "--ignored", "--exclude-standard", "--", *WHOLE).splitlines()
    if ignored:
        raise Refused(f"git ignores {some(ignored)}, and the release would have it: delete that")


def check_state(source: Source, state: str) -> None:
    if source.state != state:
        raise Refused(f"the tree was changed meanwhile, from {state} to {source.state}: start again")


def check_still(tree: Path, source: Source) -> None:
    """The tree is still the one that was read."""
    check_state(read(tree, source.release.version, dirty=source.changed), source.state)


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
