"""What the provenance says is so: the commit, the programs, the packages."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from tests.support import released
from tests.support.released import BINARIES, Layout

BILL, PROVENANCE = "application/spdx+json", "application/vnd.in-toto+json"


def predicates(release: Path, folder: str) -> dict[str, dict]:
    layout = Layout(release / folder)
    return {name: layout.attached(entry, PROVENANCE) for name, entry in layout.named.items()}


@pytest.mark.parametrize("folder", ["images", "chart"])
def test_names_the_commit_and_the_form(release: Path, clone: Path, folder: str) -> None:
    for statement in predicates(release, folder).values():
        assert statement["_type"] == "https://in-toto.io/Statement/v1"
        assert statement["predicateType"] == "https://slsa.dev/provenance/v1"
        definition = statement["predicate"]["buildDefinition"]
        commit = {"gitCommit": released.git(clone, "rev-parse", "HEAD")}
        assert definition["resolvedDependencies"][0] == {"name": "source", "digest": commit}
        assert definition["externalParameters"]["dirty"] is False
        assert statement["predicate"]["runDetails"]["builder"]["id"]


def test_names_the_programs_that_went_in(release: Path) -> None:
    """The tests hand them in, which is said."""
    for name, statement in predicates(release, "images").items():
        inner = statement["predicate"]["buildDefinition"]["internalParameters"]
        program = name.rpartition("-")[0]
        assert inner["digests"] == {program: {"sha256": hashlib.sha256((BINARIES / program).read_bytes()).hexdigest()}}
        assert inner["programs"].startswith("found: nothing says")


def test_names_each_package_of_the_image_as_its_bill_does(release: Path) -> None:
    layout = Layout(release / "images")
    for entry in layout.named.values():
        materials = layout.attached(entry, PROVENANCE)["predicate"]["buildDefinition"]["resolvedDependencies"]
        listed = {one["externalRefs"][0]["referenceLocator"] for one in layout.attached(entry, BILL)["packages"] if "externalRefs" in one}
        assert {one["uri"] for one in materials if "uri" in one} == listed and listed


def test_names_the_build_root_by_digest(release: Path) -> None:
    """All of it, by dpkg's word here."""
    content = (release / "packages.txt").read_bytes()
    material = {"name": "packages.txt", "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
    for statement in predicates(release, "images").values():
        assert material in statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    form = "--showformat=${Package} ${Version} ${Architecture}\n"
    shown = subprocess.run(["dpkg-query", "--show", form], capture_output=True, text=True, check=True).stdout
    listed = [line.rpartition(" ")[0] for line in content.decode().splitlines()[1:]]
    assert listed == sorted(shown.splitlines())


@pytest.mark.parametrize("folder", ["images", "chart"])
def test_names_source_and_builder_where_they_are_given(candidate: Path, folder: str) -> None:
    for statement in predicates(candidate, folder).values():
        assert statement["predicate"]["buildDefinition"]["resolvedDependencies"][0]["uri"] == "git+https://example.com/sluice"
        assert statement["predicate"]["runDetails"]["builder"]["id"] == "https://example.com/ci"
