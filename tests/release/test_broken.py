"""What a bug in the making would leave behind is found by --verify, even where the checksums fit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.images import contents
from deploy.release import verify
from tests.support import released

PROVENANCE = "application/vnd.in-toto+json"


class Broken:
    """A layout that is changed, with digests that fit again."""

    def __init__(self, folder: Path) -> None:
        self.blobs, self.file = folder / "blobs/sha256", folder / "index.json"
        self.index = json.loads(self.file.read_text())
        self.entries = self.index["manifests"]

    def referrer(self, kind: str = PROVENANCE) -> dict:
        return next(one for one in self.entries if one.get("artifactType") == kind)

    def read(self, descriptor: dict) -> dict:
        return json.loads((self.blobs / descriptor["digest"].removeprefix("sha256:")).read_text())

    def write(self, descriptor: dict, value: object) -> None:
        content = json.dumps(value).encode()
        (self.blobs / descriptor["digest"].removeprefix("sha256:")).unlink()
        descriptor |= {"digest": f"sha256:{hashlib.sha256(content).hexdigest()}", "size": len(content)}
        (self.blobs / descriptor["digest"].removeprefix("sha256:")).write_bytes(content)

    def change(self, edit: Callable[[dict], object], kind: str = PROVENANCE) -> None:
        entry = self.referrer(kind)
        manifest = self.read(entry)
        edit(manifest)
        self.write(entry, manifest)


def wrong_digest(of: Broken) -> None:
    of.entries[0]["digest"] = "sha256:" + "0" * 64


def wrong_size(of: Broken) -> None:
    of.entries[0]["size"] += 1


def no_subject(of: Broken) -> None:
    of.change(lambda manifest: manifest.pop("subject"))


def another_subject(of: Broken) -> None:
    of.change(lambda manifest: manifest["subject"].update(digest="sha256:" + "1" * 64))


def subject_of_another_size(of: Broken) -> None:
    of.change(lambda manifest: manifest["subject"].update(size=1))


def another_type(of: Broken) -> None:
    of.change(lambda manifest: manifest.update(artifactType="application/json"))


def no_bill(of: Broken) -> None:
    of.entries.remove(of.referrer("application/spdx+json"))


def provenance_of_something_else(of: Broken) -> None:
    entry = of.referrer()
    manifest = of.read(entry)
    statement = of.read(manifest["layers"][0])
    statement["subject"][0]["digest"]["sha256"] = "2" * 64
    of.write(manifest["layers"][0], statement)
    of.write(entry, manifest)


def a_blob_too_many(of: Broken) -> None:
    (of.blobs / hashlib.sha256(b"x").hexdigest()).write_bytes(b"x")


def a_blob_too_few(of: Broken) -> None:
    layer = of.read(of.entries[0])["layers"][0]
    (of.blobs / layer["digest"].removeprefix("sha256:")).unlink()


BUGS = {wrong_digest: "there is no such blob", wrong_size: "another digest or size", no_subject: "refers to None",
        another_subject: "which has no name here", subject_of_another_size: "its subject is not as the index lists it",
        another_type: "another type in the index", no_bill: "no application/spdx+json refers to it",
        provenance_of_something_else: "its provenance is of", a_blob_too_many: "nothing names it", a_blob_too_few: "there is no such blob"}


@pytest.mark.parametrize("folder", ["images", "chart"])
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_a_bug_is_told(copy: Path, folder: str, bug: Callable[[Broken], None]) -> None:
    broken = Broken(copy / folder)
    bug(broken)
    broken.file.write_text(json.dumps(broken.index))
    released.sum_up(copy)
    assert [one for one in verify.problems(copy) if one.startswith(f"{folder}: ") and BUGS[bug] in one]


@pytest.mark.parametrize("name", ["release.json", "digests.yaml"])
def test_digests_that_are_not_those_of_the_layouts_are_told(copy: Path, name: str) -> None:
    before, _, behind = (copy / name).read_text().partition("sha256:")
    (copy / name).write_text(f"{before}sha256:{'3' * 64}{behind[64:]}")
    released.sum_up(copy)
    assert [one for one in verify.problems(copy) if f"{name}: its digests" in one]


@pytest.mark.parametrize("name", ["release.json", "digests.yaml"])
def test_digests_of_two_images_that_are_exchanged_are_told(copy: Path, name: str) -> None:
    one, other, *_ = json.loads((copy / "release.json").read_text())["images"].values()
    (copy / name).write_text((copy / name).read_text().replace(one, "\0").replace(other, one).replace("\0", other))
    released.sum_up(copy)
    assert [said for said in verify.problems(copy) if said.startswith(f"release: {name}: its digests")]


@pytest.mark.parametrize("revision", ["4" * 40, "4" * 40 + "-dirty"], ids=["another", "dirty"])
def test_another_revision_than_the_provenances_is_told(copy: Path, revision: str) -> None:
    said = json.loads((copy / "release.json").read_text())
    (copy / "release.json").write_text(json.dumps(said | {"revision": revision}))
    released.sum_up(copy)
    assert len([one for one in verify.problems(copy) if "release.json: its revision is" in one]) == len(contents.NAMES) + 1  # the chart


def test_a_name_that_is_given_twice_is_told(copy: Path) -> None:
    broken = Broken(copy / "images")
    first, second, *_ = (one for one in broken.entries if released.REF in one["annotations"])
    second["annotations"] = first["annotations"]
    broken.file.write_text(json.dumps(broken.index))
    released.sum_up(copy)
    assert "images: index.json: a name is given twice" in verify.problems(copy)


def test_another_chart_than_the_layouts_is_told(copy: Path) -> None:
    (copy / f"sluice-{released.VERSION}.tgz").write_bytes(b"x")
    released.sum_up(copy)
    assert [one for one in verify.problems(copy) if "not the chart of the layout" in one]


@pytest.mark.parametrize("name", ["release.json", "digests.yaml", "images/index.json", "chart/index.json"])
def test_what_cannot_be_read_is_told(copy: Path, name: str) -> None:
    (copy / name).write_text("[")
    released.sum_up(copy)
    assert [one for one in verify.problems(copy) if "cannot be read" in one]
