"""What deploy/images/Dockerfile builds from has all that the build needs, and nothing of what it leaves out."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path, PurePosixPath

import pytest

TREE = Path(__file__).resolve().parents[2]
RULES = [line for line in (TREE / "deploy/images/Dockerfile.dockerignore").read_text().splitlines() if line and not line.startswith("#")]


def is_sent(file: str) -> bool:
    """By Docker's reference of .dockerignore: the last line that names the file or a folder above it decides."""
    path, sent = PurePosixPath(file), True
    for rule in RULES:
        pattern = rule.removeprefix("!")
        if any(one.full_match(pattern) for one in (path, *path.parents)):
            sent = rule.startswith("!")
    return sent


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("context")
    kept = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=TREE, capture_output=True, text=True, check=True)
    for file in filter(is_sent, kept.stdout.splitlines()):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TREE / file, folder / file)
    return folder


@pytest.mark.parametrize("preset", ["training", "release"])
def test_each_preset_of_the_build_finds_its_files(context: Path, preset: str) -> None:
    done = subprocess.run(["cmake", "--preset", preset], cwd=context, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr


def test_tests_are_left_out(context: Path) -> None:
    assert {folder.name for folder in (context / "tests").iterdir()} == {"bench", "stages"}
    assert not (context / ".git").exists()
