"""What is made once and copied ever after: the folders of freshly initialised databases."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from deploy.stack.process import ServerFailed


def home_of(program: str) -> Path:
    """Where `./run` put a server's files; `program` is KAFKA or MYSQL."""
    variable = f"SLUICE_{program}_HOME"
    place = os.environ.get(variable)
    if not place:
        raise ServerFailed(f"{variable} is not set: start this inside the platform, with ./run exec")
    return Path(place)


def cache() -> Path:
    return Path(os.environ.get("SLUICE_CACHE") or Path.home() / ".cache" / "sluice")


def template(name: str, made_of: Sequence[str], make: Callable[[Path], None]) -> Path:
    """A folder that `make` fills the first time and nobody changes later; a change in `made_of` makes a new one."""
    key = hashlib.sha256("\0".join(made_of).encode()).hexdigest()[:12]
    folder = cache() / "templates" / f"{name}-{key}"
    with _alone(folder.with_name(folder.name + ".lock")):
        if not folder.exists():
            making = folder.with_name(folder.name + ".making")
            shutil.rmtree(making, ignore_errors=True)
            make(making)
            making.rename(folder)
    return folder


def copy(source: Path, target: Path) -> None:
    """`target` must not exist. Sparse files stay sparse."""
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", "--reflink=auto", "--sparse=always", str(source), str(target)], check=True)


def run_to_end(argv: Sequence[str], log: Path, stdin: str = "") -> None:
    """Runs a tool of a server; raises `ServerFailed` with its output when it fails."""
    log.parent.mkdir(parents=True, exist_ok=True)
    result = subprocess.run(argv, input=stdin, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    log.write_text(result.stdout)
    if result.returncode != 0:
        raise ServerFailed(f"{argv[0]} ended with code {result.returncode}:\n{result.stdout[-3000:]}")


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
