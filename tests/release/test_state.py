"""A release is of the commit that its programs were built of, and of no file that is in no commit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import released
from tests.support.released import TREE, VERSION

COMMAND = """
fail() { echo "$*" >&2; exit 1; }
attended() { "$@"; }
need_tools() { :; }
inside() { if [[ $* == *' version'* ]]; then echo '1.2.3 abc:abc'; else echo "$*"; fi; }
set -euo pipefail
set -- --out "$1"
source "$SLUICE_TREE/deploy/platform/commands/release.sh"
"""


def state(tree: Path, *options: str) -> str:
    """As ./run release reads it before it builds."""
    done = released.run(sys.executable, "-m", "deploy.release", "version", *options, cwd=tree, PYTHONPATH=str(tree))
    assert done.returncode == 0, done.stderr
    version, said = done.stdout.split()
    assert version == VERSION
    return said


def commit(tree: Path) -> None:
    released.git(tree, "commit", "--quiet", "--allow-empty", "--message", "more")


def test_another_commit_than_was_built_is_refused(another: Path, tmp_path: Path) -> None:
    before = state(another)
    commit(another)
    done = released.make(another, tmp_path / "out", "--built", before)
    assert done.returncode == 1 and f"the tree was changed meanwhile, from {before} to {state(another)}" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("change", [lambda tree: (tree / "more").write_text("y"), commit], ids=["content", "commit"])
def test_another_changed_tree_than_was_built_is_refused(another: Path, tmp_path: Path, change: object) -> None:
    (another / "more").write_text("x")
    before = state(another, "--dirty")
    change(another)  # type: ignore[operator]
    done = released.make(another, tmp_path / "out", "--dirty", "--built", before)
    assert done.returncode == 1 and "the tree was changed meanwhile" in done.stderr


def test_the_state_of_before_the_build_is_handed_on(tmp_path: Path) -> None:
    command = ["bash", "-c", COMMAND, "bash", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin", "SLUICE_TREE": str(TREE),
                                                                                    "PLATFORM": str(TREE / "deploy/platform")})
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"python3 -m deploy.release make --built abc:abc --out {tmp_path}"


def test_a_new_file_is_refused_where_git_is_told_to_show_none(another: Path, tmp_path: Path) -> None:
    released.git(another, "config", "status.showUntrackedFiles", "no")
    (another / "helm/sluice/templates/more.yaml").write_text("x")
    done = released.make(another, tmp_path / "out")
    assert done.returncode == 1 and "in no commit: helm/sluice/templates/more.yaml" in done.stderr


@pytest.mark.parametrize("name", ["helm/sluice/templates/more.yaml", "ctl/samples/github/more.json"])
@pytest.mark.parametrize("options", [(), ("--dirty",)], ids=["clean", "dirty"])
def test_an_ignored_file_that_would_go_in_is_refused(another: Path, tmp_path: Path, name: str, options: tuple[str, ...]) -> None:
    (another / ".git/info/exclude").write_text("more.*\n")
    (another / name).parent.mkdir(exist_ok=True)
    (another / name).write_text("x")
    done = released.make(another, tmp_path / "out", *options)
    assert done.returncode == 1 and f"git ignores {name}" in done.stderr


def test_a_change_while_it_is_made_is_refused(another: Path, helm: str, tmp_path: Path) -> None:
    """A helm that changes a file, as somebody might just then."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "helm").write_text(f'#!/bin/sh\necho >>{another}/README.md\nexec {helm} "$@"\n')
    (tools / "helm").chmod(0o755)
    done = released.make(another, tmp_path / "out", SLUICE_TOOLS=str(tools))
    assert done.returncode == 1 and "in no commit: README.md" in done.stderr
    assert not any((tmp_path / "out").iterdir())
