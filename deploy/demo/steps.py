"""The steps of the demonstration: which one is at work, what is left, and at the end the seconds of each."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from deploy.stack.process import ServerFailed

COMPILE = "compile the release (4 minutes the first time, seconds later)"
NAMES = [COMPILE, "start Kafka, MySQL and Redis", "start sluice", "send and apply events", "compare the sums"]
SAY_EVERY = 10.0  # seconds
PROGRESS = re.compile(r"^\[(\d+)/(\d+)\]")


class Steps:
    def __init__(self, names: Sequence[str] = NAMES) -> None:
        self._names = names
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.monotonic()
        say(f"[{self._names.index(name) + 1}/{len(self._names)}] {name} …")
        yield
        self.seconds[name.partition(" (")[0]] = round(time.monotonic() - began, 1)

    def report(self) -> str:
        return "seconds by step: " + ", ".join(f"{name} {seconds:g}" for name, seconds in self.seconds.items())


def compile_release(tree: Path) -> None:
    """The compiler's output is only shown when it fails."""
    command = ["bash", str(tree / "deploy/platform/build.sh"), "release"]
    lines: list[str] = []
    began = said = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as build:
        assert build.stdout is not None
        for line in build.stdout:
            lines.append(line)
            progress = PROGRESS.match(line)
            if progress and time.monotonic() - said >= SAY_EVERY:
                said = time.monotonic()
                say(f"  {progress[1]} of {progress[2]} compiled after {said - began:.0f} s")
    if build.returncode != 0:
        raise ServerFailed(f"the build failed:\n{''.join(lines)[-6000:]}")


def say(text: str) -> None:
    print(text, flush=True)
