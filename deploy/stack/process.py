"""One operating-system process that cannot outlive its owner."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


class ServerFailed(RuntimeError):
    """A server did not start, did not answer in time, or ended by itself. The message carries the end of its log."""


def birth(pid: int) -> str | None:
    """Start time of `pid` in clock ticks since boot, None when there is no such process: tells a reused pid apart."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]


class Process:
    """Started at construction, owned by the thread that constructs it.

    The kernel kills it when that thread ends, however that happens, so construct it in a thread that lives as long as the
    process shall. Output is appended to `log`; the pid and its start time are recorded in `pid_file`.
    """

    def __init__(self, argv: Sequence[str], log: Path, pid_file: Path, *, cwd: Path | None = None,
                 env: Mapping[str, str] | None = None) -> None:
        self.log = log
        self._pid_file = pid_file
        with log.open("ab") as output:
            # A session of its own: Ctrl-C at a terminal is for the owner, who then ends this in good order.
            self._popen = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "--", *argv], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                cwd=cwd, env={**os.environ, **(env or {})}, start_new_session=True)
        pid_file.write_text(f"{self.pid} {birth(self.pid)}\n")

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def running(self) -> bool:
        return self._popen.poll() is None

    @property
    def exit_code(self) -> int | None:
        """None while it runs; minus the signal's number when a signal ended it."""
        return self._popen.poll()

    def signal(self, number: signal.Signals) -> None:
        """Nothing happens when it has ended already."""
        if self.running:
            self._popen.send_signal(number)

    def stop(self, within: float) -> int:
        """SIGTERM, and SIGKILL after `within` seconds; returns the exit code. A paused process is resumed first."""
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        try:
            self._popen.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
        return self._ended()

    def kill(self) -> int:
        """SIGKILL; returns the exit code once it is gone."""
        self.signal(signal.SIGKILL)
        self._popen.wait()
        return self._ended()

    def end_of_log(self, lines: int = 25) -> str:
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def _ended(self) -> int:
        self._pid_file.unlink(missing_ok=True)
        return self._popen.returncode
