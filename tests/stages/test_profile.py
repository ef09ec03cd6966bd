"""The profile that the release is compiled with is the same each time. Needs the release's build, which makes the program that writes it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
PROGRAM = TREE / "build/training/bin/webhook_stages"
STEPS = ("head", "verify", "extract", "encode", "log")


def profile(folder: Path) -> dict[str, bytes]:
    """What the program writes below `folder` where otherwise it would be build/training/profile."""
    for step in STEPS:
        subprocess.run([str(PROGRAM), step, "1000"], check=True, stdin=subprocess.DEVNULL, timeout=60, env={**os.environ, "GCOV_PREFIX": str(folder)})
    return {file.name: file.read_bytes() for file in folder.rglob("*.gcda")}


def test_two_trainings_write_the_same_profile(tmp_path: Path) -> None:
    one, other = profile(tmp_path / "one"), profile(tmp_path / "other")
    assert any("webhook" in name for name in one)
    assert [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)] == []


def test_the_release_has_that_profile(tmp_path: Path) -> None:
    kept = {file.name: file.read_bytes() for file in (TREE / "build/training/profile").iterdir()}
    assert kept == profile(tmp_path)
