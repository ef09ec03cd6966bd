"""System calls by thread, as strace sees them while it is attached. It slows a program down, so more is done per wake-up than
without it: the figure is a lower bound for waits and exact for what belongs to a request."""

from __future__ import annotations

import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.wait import wait_for

# "1234 recvfrom(…": a call begins; "<... recvfrom resumed>" is the end of one that was counted.
_CALL = re.compile(r"^(\d+) +([a-z_0-9]+)\(", re.MULTILINE)


class NoTrace(RuntimeError):
    """strace could not be attached."""

_WRITTEN = re.compile(r"^(\d+) +(?:<\.\.\. )?(?:sendmsg|sendto|write|writev)(?:\(| resumed>).* = (\d+)$", re.MULTILINE)


@contextmanager
def traced(process: int, file: Path) -> Iterator[None]:
    """Every thread of `process`, inside the block."""
    file.unlink(missing_ok=True)
    tracer = subprocess.Popen(["strace", "-f", "-qq", "-s", "0", "-e", "signal=none", "-o", str(file), "-p", str(process)],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        try:
            wait_for(lambda: _is_traced(process, tracer), "strace to be attached", within=10)
        except AssertionError as failure:
            raise NoTrace(str(failure)) from None
        yield
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.wait(20)


def by_thread(file: Path) -> dict[int, Counter[str]]:
    calls: dict[int, Counter[str]] = {}
    for thread, name in _CALL.findall(file.read_text(errors="replace")):
        calls.setdefault(int(thread), Counter())[name] += 1
    return calls


def written(file: Path, threads: set[int]) -> tuple[int, int]:
    """How often these threads wrote, and how many bytes."""
    sizes = [int(size) for thread, size in _WRITTEN.findall(file.read_text(errors="replace")) if int(thread) in threads]
    return len(sizes), sum(sizes)


def _is_traced(process: int, tracer: subprocess.Popen[bytes]) -> bool:
    if tracer.poll() is not None:
        assert tracer.stderr is not None
        raise NoTrace(tracer.stderr.read().decode(errors="replace").strip())
    threads = Path(f"/proc/{process}/task").iterdir()
    return all(f"TracerPid:\t{tracer.pid}\n" in (thread / "status").read_text() for thread in threads)
