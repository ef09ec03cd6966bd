"""The images are made once, of the release's programs (or of those in SLUICE_BIN), and looked at."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE))

from deploy.images import contents, release  # noqa: E402
from tests.support.image import Image, make  # noqa: E402


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of archives."""
    out = tmp_path_factory.mktemp("images") / "out"
    result = make(out)
    assert result.returncode == 0, result.stderr
    return out


@pytest.fixture(scope="session")
def images(made: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Image]:
    folder = tmp_path_factory.mktemp("unpacked")
    version = release.version_of(TREE)
    return {target: Image(made / f"{name}-{version}.tar", folder) for target, name in contents.NAMES.items()}


@pytest.fixture(params=list(contents.PROGRAMS))
def image(images: dict[str, Image], request: pytest.FixtureRequest) -> Image:
    return images[request.param]
