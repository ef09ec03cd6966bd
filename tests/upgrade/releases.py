"""Programs of this release and of the one before it, in one installation."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.support.pipeline import Pipeline
from tests.support.program import Program, binary

PREVIOUS_BIN = "SLUICE_PREVIOUS_BIN"  # where `./run upgrade` has built the release before
OLD, NEW = "old", "new"
KINDS = ("ingress", "consumer", "retry_role")


def folder_of(release: str) -> Path:
    return Path(os.environ[PREVIOUS_BIN]) if release == OLD else binary("sluicectl").parent


def write_what_both_read(pipeline: Pipeline, release: str) -> None:
    """docs/upgrade.md#packed-headers: the new ones write separate headers; the old ones write no others and refuse the setting."""
    pipeline.config["kafka"].pop("headers", None)
    if release == NEW:
        pipeline.config["kafka"]["headers"] = "cloudevents"


def start(pipeline: Pipeline, kind: str, release: str) -> Program:
    """One more process of `kind`, which is a method of Pipeline; ready when this returns."""
    write_what_both_read(pipeline, release)
    program: Program = getattr(pipeline, kind)(start=False)
    program.folder_of_programs = str(folder_of(release))
    return program.start().ready(60)


def ctl(pipeline: Pipeline, release: str, *arguments: str, codes: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
    """sluicectl of that release; what it refuses is an AssertionError."""
    write_what_both_read(pipeline, release)
    pipeline.ctl("idle", "--help")  # writes the configuration
    config = max(pipeline.folder.glob("ctl-*.yaml"), key=lambda file: file.stat().st_mtime_ns)
    run = subprocess.run([folder_of(release) / "sluicectl", *arguments], capture_output=True, text=True, timeout=90, check=False,
                         env={**pipeline.secrets, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SLUICE_CONFIG": str(config)})
    assert run.returncode in codes, f"{release} sluicectl {' '.join(arguments)}: {run.stdout}{run.stderr}"
    return run
