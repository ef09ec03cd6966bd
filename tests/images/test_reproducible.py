"""The same commit and the same packages come to the same bytes, whoever makes them, where and when."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from deploy.images import contents
from tests.support.image import BINARIES, make


def digests(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def test_two_builds_are_byte_equal(made: Path, tmp_path: Path) -> None:
    """The second by somebody in Kathmandu, with copies of other times and rights, and a hash seed of their own."""
    copies = tmp_path / "bin"
    copies.mkdir()
    for program in contents.PROGRAMS.values():
        shutil.copyfile(BINARIES / program, copies / program)
        (copies / program).chmod(0o700)
        os.utime(copies / program, (1, 1))
    before = os.umask(0o077)
    try:
        result = make(tmp_path / "again", binaries=copies, TZ="Asia/Kathmandu", PYTHONHASHSEED="77", LC_ALL="C")
    finally:
        os.umask(before)
    assert result.returncode == 0, result.stderr
    assert digests(tmp_path / "again") == digests(made)
    assert len(digests(made)) == 2 * len(contents.PROGRAMS)


def test_a_program_built_for_tests_is_refused(tmp_path: Path) -> None:
    for program in contents.PROGRAMS.values():
        (tmp_path / program).write_bytes((BINARIES / program).read_bytes() + b"SLUICE_FAILPOINTS")
    result = make(tmp_path / "out", binaries=tmp_path)
    assert result.returncode == 1
    assert "built for tests" in result.stderr


def test_a_program_that_is_missing_is_said(tmp_path: Path) -> None:
    result = make(tmp_path / "out", binaries=tmp_path)
    assert result.returncode == 1
    assert "./run build makes it" in result.stderr


@pytest.fixture(autouse=True)
def _nothing_is_left_behind(tmp_path: Path) -> object:
    yield
    assert not list(tmp_path.glob("*/*.making"))
