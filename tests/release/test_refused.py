"""What nobody should release is refused, with a sentence that says what to do; and the same commit is the same release."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.support import released
from tests.support.released import VERSION, Layout


def test_the_same_commit_is_the_same_release(release: Path, another: Path, tmp_path: Path) -> None:
    """Made by somebody in Kathmandu, elsewhere, with files of other times and rights, and a hash seed of their own."""
    before = os.umask(0o077)
    try:
        done = released.make(another, tmp_path / "out", TZ="Asia/Kathmandu", PYTHONHASHSEED="77", LC_ALL="C")
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stderr
    assert "not signed: no --sign" in done.stdout
    first, second = released.files(release), released.files(tmp_path / "out")
    first.pop("SHA256SUMS.sig")
    assert first == second


@pytest.mark.parametrize("name", ["README.md", "helm/sluice/templates/more.yaml"], ids=["changed", "new"])
def test_a_file_in_no_commit_is_refused(another: Path, tmp_path: Path, name: str) -> None:
    with (another / name).open("a") as file:
        file.write("more: 1\n")
    done = released.make(another, tmp_path / "out")
    assert done.returncode == 1 and f"in no commit: {name}. Commit that, or say --dirty" in done.stderr
    assert not (tmp_path / "out").exists()


def test_who_insists_gets_it_said(another: Path, helm: str, tmp_path: Path) -> None:
    """The provenance names the tree that git would make of it, and no commit."""
    (another / "more").write_text("x")
    done = released.make(another, tmp_path / "out", "--dirty")
    assert done.returncode == 0, done.stderr
    commit = released.git(another, "rev-parse", "HEAD")
    assert json.loads((tmp_path / "out/release.json").read_text())["revision"] == f"{commit}-dirty"
    assert released.git(another, "status", "--porcelain") == "?? more"
    released.git(another, "add", "--all")
    digest = {"gitTree": released.git(another, "write-tree")}
    layout = Layout(tmp_path / "out/chart")
    statement = layout.attached(layout.named[f"sluice-{VERSION}"], "application/vnd.in-toto+json")
    definition = statement["predicate"]["buildDefinition"]
    assert definition["resolvedDependencies"][0]["digest"] == digest and definition["externalParameters"]["dirty"] is True


def test_a_version_that_the_programs_do_not_say_is_refused(clone: Path, tmp_path: Path) -> None:
    done = released.make(clone, tmp_path / "out", "--version", "9.9.9")
    assert done.returncode == 1 and f"the programs of this tree say {VERSION}" in done.stderr


def test_a_chart_of_another_version_is_refused(another: Path, tmp_path: Path) -> None:
    file = another / "helm/sluice/Chart.yaml"
    file.write_text(file.read_text().replace(f"appVersion: {VERSION}", "appVersion: 9.9.9"))
    done = released.make(another, tmp_path / "out", "--dirty")
    assert done.returncode == 1 and "they have to be the same" in done.stderr


def test_a_pre_release_is_named_so_everywhere(candidate: Path) -> None:
    version = f"{VERSION}-rc.1"
    chart, images = Layout(candidate / "chart"), Layout(candidate / "images")
    config = chart.json(chart.json(chart.named[f"sluice-{version}"])["config"])
    assert config["version"] == config["appVersion"] == version
    labels = [images.json(images.json(one)["config"])["config"]["Labels"] for one in images.named.values()]
    assert {one["org.opencontainers.image.version"] for one in labels} == {version}


def test_a_program_of_another_version_is_refused(clone: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/sluice-ingress").write_text("#!/bin/sh\necho 0.0.9\n")
    (tmp_path / "bin/sluice-ingress").chmod(0o755)
    done = released.make(clone, tmp_path / "out", binaries=tmp_path / "bin")
    assert done.returncode == 1 and "says that it is 0.0.9" in done.stderr
    assert not any((tmp_path / "out").iterdir())
