"""What must not go into an image is refused while it is made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deploy.images import dpkg, layers
from deploy.images.dpkg import Refused
from deploy.images.tree import Tree

SETTINGS = Path("/etc/ssl/openssl.cnf")
LIBRARY = next(Path("/usr/lib").glob("*/libstdc++.so.6")).resolve()


def test_a_file_of_no_package_is_refused(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "tree")
    (tmp_path / "stranger").write_text("x")
    tree.copy(tmp_path / "stranger")
    with pytest.raises(Refused, match="no package owns .*/stranger"):
        layers.packages_of(tree)


@pytest.mark.parametrize("file", [SETTINGS, LIBRARY], ids=["settings", "library"])
def test_a_file_that_was_changed_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owners = dpkg.owners([file])
    dpkg.check_unchanged(owners)
    monkeypatch.setattr(Path, "read_bytes", lambda _: b"changed")
    with pytest.raises(Refused, match=re.escape(f"brought it: {file}")):
        dpkg.check_unchanged(owners)


def test_a_package_without_its_licence_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = Tree(tmp_path / "tree")
    owner = dpkg.owners([LIBRARY])[LIBRARY]
    monkeypatch.setattr(dpkg.Package, "copyright", tmp_path / "nowhere")
    with pytest.raises(Refused, match="nowhere"):
        layers.describe(tree, {"library": owner})
