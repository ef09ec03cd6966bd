"""./run images --prove finds what differs between two images."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.images import archive, compare, contents


def image(folder: Path, out: Path, **config: object) -> Path:
    (folder / "usr").mkdir(parents=True, exist_ok=True)
    file = out / "x.tar"
    out.mkdir(exist_ok=True)
    archive.write(file, "localhost/x:1", {"Env": ["A=1"], "Labels": {"l": "1"}, **config}, [folder], 1)
    return file


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "file").write_text("one")
    return folder


def test_the_same_is_the_same(root: Path, tmp_path: Path) -> None:
    one = image(root, tmp_path / "a")
    other = image(root, tmp_path / "b", Labels={"l": "1", "io.buildah.version": "2"})
    assert compare.differences(one, other) == []


@pytest.mark.parametrize("change", ["echo two >file", "chmod 600 file", "ln -s file link", "rm file", "mkdir more"])
def test_a_changed_file_shows(root: Path, tmp_path: Path, change: str) -> None:
    one = image(root, tmp_path / "a")
    shutil.copytree(root, tmp_path / "changed", symlinks=True)
    subprocess.run(["sh", "-c", change], cwd=tmp_path / "changed", check=True)
    assert len(compare.differences(one, image(tmp_path / "changed", tmp_path / "b"))) == 1


def test_a_changed_configuration_shows(root: Path, tmp_path: Path) -> None:
    said = compare.differences(image(root, tmp_path / "a"), image(root, tmp_path / "b", User="0:0"))
    assert said == ["configuration: User: None and 0:0"]


def test_all_images_are_compared(tmp_path: Path) -> None:
    with pytest.raises(StopIteration):
        compare.main(tmp_path, tmp_path)
    assert len(contents.NAMES) == 5
