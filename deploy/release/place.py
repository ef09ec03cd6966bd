"""The folder that a release goes to: what is there is left alone, unless it is a release and nothing else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.images.dpkg import Refused
from deploy.release import checksums

SUMMARY = "release.json"


@contextmanager
def renewed(out: Path) -> Iterator[Path]:
    """A folder to fill. It takes the place of all that is in `out` when nothing went wrong, and else goes away."""
    out.mkdir(parents=True, exist_ok=True)
    new = out / ".making"
    check(out, new)
    new.mkdir()
    try:
        yield new
        replace(out, new)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def check(out: Path, new: Path) -> None:
    if new.exists() or new.is_symlink():
        raise Refused(f"{new} is there: another run makes it, or one was stopped. Delete it if none is running")
    if any(out.iterdir()) and not is_release(out):
        raise Refused(f"{out} is not empty, and not a release as its {checksums.SUMS} lists it: delete it, or say another --out")


def is_release(folder: Path) -> bool:
    """With no file that is changed, missing or not listed: that would be somebody's own."""
    try:
        said = json.loads((folder / SUMMARY).read_text())
        return isinstance(said, dict) and {"images", "chart"} <= said.keys() and not checksums.problems(folder)
    except (OSError, ValueError):
        return False


def replace(out: Path, new: Path) -> None:
    for path in set(out.iterdir()) - {new}:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for path in new.iterdir():
        path.rename(out / path.name)
