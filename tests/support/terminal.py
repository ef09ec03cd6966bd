"""A person at a terminal, for commands that ask."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.support.pipeline import Pipeline


@contextmanager
def at_a_terminal(pipeline: Pipeline, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], Callable[[str], int]]]:
    """sluicectl, and what types there."""
    ours, theirs = pty.openpty()
    running = pipeline.start_ctl(*arguments, stdin=theirs)
    try:
        yield running, lambda typed: os.write(ours, typed.encode())
    finally:
        running.kill()
        os.close(ours)
        os.close(theirs)
