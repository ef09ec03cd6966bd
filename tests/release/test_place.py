"""--out replaces a release and nothing else, and removes nothing before that is sure."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.images.dpkg import Refused
from deploy.release import place
from tests.support import released
from tests.support.released import BINARIES


def somebodys_release_json(folder: Path) -> None:
    (folder / "release.json").write_text("{}")


def with_sums(folder: Path) -> None:
    somebodys_release_json(folder)
    released.sum_up(folder)


def no_sums(folder: Path) -> None:
    (folder / "release.json").write_text(json.dumps({"images": {}, "chart": ""}))


def one_file_more(folder: Path) -> None:
    no_sums(folder)
    released.sum_up(folder)
    (folder / "more").write_text("x")


def a_changed_file(folder: Path) -> None:
    (folder / "mine").write_text("x")
    no_sums(folder)
    released.sum_up(folder)
    (folder / "mine").write_text("y")


def making(folder: Path) -> None:
    (folder / ".making").mkdir()
    (folder / ".making/mine").write_text("x")


def a_release_and_making(folder: Path) -> None:
    no_sums(folder)
    released.sum_up(folder)
    making(folder)


@pytest.mark.parametrize("fill", [somebodys_release_json, with_sums, no_sums, one_file_more, a_changed_file, making, a_release_and_making],
                         ids=lambda fill: fill.__name__)
def test_a_folder_that_is_no_release_is_left_as_it_is(tmp_path: Path, fill: Callable[[Path], None]) -> None:
    fill(tmp_path)
    before = released.files(tmp_path)
    with pytest.raises(Refused, match="not a release|another run makes it"), place.renewed(tmp_path):
        pass
    assert released.files(tmp_path) == before


def test_a_folder_of_something_else_is_refused(clone: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    done = released.make(clone, tmp_path)
    assert done.returncode == 1 and "is not empty, and not a release" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_release_is_replaced_once_the_new_one_is_whole(copy: Path, clone: Path, tmp_path: Path) -> None:
    before = released.files(copy)
    assert released.make(clone, copy, binaries=tmp_path).returncode == 1
    (tmp_path / "no.pem").write_text("x")
    assert "openssl" in released.make(clone, copy, "--sign", tmp_path / "no.pem").stderr
    assert "cannot be read" in released.make(clone, copy, "--sign", tmp_path / "nowhere.pem").stderr
    assert released.files(copy) == before
    shutil.move(copy / "packages.txt", copy / "more")
    released.sum_up(copy)
    assert released.make(clone, copy, binaries=BINARIES).returncode == 0
    assert released.files(copy).keys() == before.keys() - {"SHA256SUMS.sig"}
