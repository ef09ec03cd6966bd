"""deploy/systemd: systemd takes the unit, it has no rights that it does not need, and docs/polling.md says which files it loads."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.image import TREE

UNIT = TREE / "deploy/systemd/sluice-poller.service"
LINES = [line for line in UNIT.read_text().splitlines() if "=" in line and not line.startswith("#")]
ANALYZE = shutil.which("systemd-analyze")
EXPOSED_AT_MOST = 2.0  # of 10, as systemd-analyze rates it


def said(key: str) -> list[str]:
    return [line.partition("=")[2] for line in LINES if line.partition("=")[0] == key]


def runnable(folder: Path) -> Path:
    """The unit with a program that is there, since a missing one is a fault of its own."""
    unit = folder / UNIT.name
    unit.write_text(UNIT.read_text().replace("/usr/bin/sluice-poller", "/usr/bin/env"))
    return unit


@pytest.mark.skipif(ANALYZE is None, reason="NOT RUN: there is no systemd-analyze")
def test_systemd_takes_it(tmp_path: Path) -> None:
    done = subprocess.run([str(ANALYZE), "verify", "--man=no", str(runnable(tmp_path))], text=True, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0 and UNIT.name not in done.stderr, done.stderr


@pytest.mark.skipif(ANALYZE is None, reason="NOT RUN: there is no systemd-analyze")
def test_it_is_locked_in(tmp_path: Path) -> None:
    done = subprocess.run([str(ANALYZE), "security", "--offline=yes", f"--threshold={int(EXPOSED_AT_MOST * 10)}", str(runnable(tmp_path))],
                          text=True, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr


def test_it_is_nobody_and_writes_nowhere() -> None:
    assert said("DynamicUser") == said("NoNewPrivileges") == ["yes"] and said("ProtectSystem") == ["strict"]
    assert said("CapabilityBoundingSet") == [""] and not said("User") and not said("ReadWritePaths") and not said("Environment")


def test_it_starts_again_unless_its_file_is_wrong() -> None:
    assert said("Restart") == ["on-failure"] and said("RestartPreventExitStatus") == ["2"]
    assert re.search(r"2 the command line or the configuration is wrong", (TREE / "poller/main.cpp").read_text())


def test_the_page_names_its_credentials() -> None:
    page = (TREE / "docs/polling.md").read_text()
    names = [line.partition(":")[0] for line in said("LoadCredential")]
    assert names == ["stripe-api", "mysql"]
    assert all(f"/run/credentials/{UNIT.name}/{name}" in page for name in names)
