"""One release is made of one clean clone, and looked at; what breaks it takes a copy."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE))

from tests.support import released  # noqa: E402
from tests.support.released import Layout  # noqa: E402


@pytest.fixture(scope="session")
def helm() -> str:
    program = Path(os.environ.get("SLUICE_TOOLS", "")) / "helm"
    if not program.is_file():
        pytest.skip("NOT RUN: helm could not be built from Go modules; ./run chart tries again and says why")
    return str(program)


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """To be left as it is."""
    return released.committed(tmp_path_factory.mktemp("clone"))


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return released.make_key(tmp_path_factory.mktemp("key"))


@pytest.fixture(scope="session")
def release(helm: str, clone: Path, key: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Signed with `key`; to be left as it is."""
    out = tmp_path_factory.mktemp("release")
    done = released.make(clone, out, "--sign", key)
    assert done.returncode == 0, done.stderr
    (out.parent / "said").write_text(done.stdout)
    return out


@pytest.fixture(scope="session")
def candidate(helm: str, clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another one, of the same commit, with all that one may say of it."""
    out = tmp_path_factory.mktemp("candidate")
    done = released.make(clone, out, "--version", f"{released.VERSION}-rc.1", "--source", "git+https://example.com/sluice",
                         "--builder", "https://example.com/ci")
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture
def copy(release: Path, tmp_path: Path) -> Path:
    """To break something in. Blobs are not changed there but replaced: they are large, and links."""
    def link_or_copy(source: str, target: str) -> None:
        (os.link if "/blobs/" in source else shutil.copyfile)(source, target)
    return Path(shutil.copytree(release, tmp_path / "copy", copy_function=link_or_copy))


@pytest.fixture
def another(clone: Path, tmp_path: Path) -> Path:
    """A clone of the clone, to change files in."""
    released.git(tmp_path, "clone", "--quiet", str(clone), "another")
    return tmp_path / "another"


@pytest.fixture(params=["images", "chart"])
def layout(release: Path, request: pytest.FixtureRequest) -> Layout:
    return Layout(release / request.param)
