"""Runs a stage as a process group of its own: output into a log, signs of life on the screen, an end in bounded time."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

from deploy.platform.testing.outcome import Outcome, Tally, read_junit
from deploy.platform.testing.stages import Stage

SIGN_OF_LIFE = 30.0  # seconds
END_OF_LOG = 150  # lines shown of a failed stage


def run(stage: Stage, log: Path, tree: Path) -> Outcome:
    """Never raises for a stage that fails; a signal to us ends the stage's processes before it goes on."""
    if stage.junit:
        stage.junit.unlink(missing_ok=True)
    began, busy = time.monotonic(), _busy()
    with log.open("wb") as output:
        process = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", "--", *stage.command], stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=output, cwd=tree, start_new_session=True,
                                   env={**os.environ, **stage.environment})
    try:
        in_time = _watch(process, stage, log, began)
    finally:
        _end(process)
    seconds = time.monotonic() - began
    tally = read_junit(stage.junit) if stage.junit else None
    return replace(_judge(stage, process.returncode, seconds, tally, in_time), busy=_busy() - busy)


def _busy() -> float:
    """Seconds; of a process that nobody waited for, none."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def end_of(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-END_OF_LOG:])


def _judge(stage: Stage, code: int, seconds: float, tally: Tally | None, in_time: bool) -> Outcome:
    note = ""
    if not in_time:
        note = f"took more than {stage.limit:.0f} s"
    elif tally is not None and tally.executed == 0:
        note = "executed no test"
    elif code != 0:
        note = f"exit code {code}"
    return Outcome(stage.name, not note, seconds, tally, note)


def _watch(process: subprocess.Popen, stage: Stage, log: Path, began: float) -> bool:
    while time.monotonic() - began < stage.limit:
        try:
            process.wait(SIGN_OF_LIFE)
            return True
        except subprocess.TimeoutExpired:
            lines = log.read_text(errors="replace").splitlines()
            print(f"        {stage.name}: {time.monotonic() - began:.0f} s, {lines[-1][:100] if lines else ''}", flush=True)
    return False


def _end(process: subprocess.Popen) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
