"""Instructions that a step of a webhook takes, under callgrind. The CPU that valgrind shows a program is the same on every machine with AVX2, so they are too."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.bench import callgrind

PROGRAM = Path("build/release/bin/webhook_stages")
FOREIGN = ("libcrypto", "librdkafka")  # as in ./run bench counts
CALLS = 250
TIMEOUT = 120.0  # seconds


def cost(tree: Path, folder: Path, step: str) -> float:
    """Of one call: what twice as many take more. On the thread that serves requests, outside FOREIGN and what that calls."""
    once, twice = (instructions(tree, folder, step, calls) for calls in (CALLS, 2 * CALLS))
    return (twice - once) / CALLS


def instructions(tree: Path, folder: Path, step: str, calls: int) -> int:
    out = folder / f"{step}-{calls}.callgrind"
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--separate-threads=yes", "--dump-line=no", "--quiet",
                    str(tree / PROGRAM), step, str(calls)], check=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT)
    return callgrind.read(out.with_name(f"{out.name}-01"), whole=True).without(FOREIGN)
