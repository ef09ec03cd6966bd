"""What all servers have in common."""

from __future__ import annotations

import os
import random
import signal
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from deploy.stack.process import Process, ServerFailed

READY_WITHIN = 60.0  # seconds
STOP_WITHIN = 30.0  # seconds
POLL_EVERY = 0.05  # seconds


# Below the ports that outgoing connections get. Test workers side by side each have ports of their own: two programs
# that share a listening port (SO_REUSEPORT) would share its connections without a word.
PORTS = range(12_000, 32_000)
WORKERS = 8
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", f"gw{WORKERS - 1}").removeprefix("gw")) % WORKERS
_given: set[int] = set()


def free_port() -> int:
    """A loopback port that nobody listens on now, another one each time until all were given once. It can be taken before
    it is used, which makes the start fail loudly."""
    while True:
        left = [port for port in PORTS[_WORKER::WORKERS] if port not in _given]
        if not left:
            _given.clear()
            continue
        port = random.choice(left)
        _given.add(port)  # also one that is in use: servers of a whole run hold theirs in every turn
        if is_free(port):
            return port


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Server(ABC):
    """One server process with a folder and a port of its own, on 127.0.0.1.

    Owner: whoever constructs it; the process dies with the thread that called `start()`. The folder and the port stay the
    same over restarts, so `kill()` or `stop()` followed by `start()` finds the data that the server had made durable.
    Failure: `ServerFailed`, with the end of the log. Times are seconds. Not for use from two threads at once.
    """

    name: str

    def __init__(self, folder: Path | str, port: int | None = None) -> None:
        self.folder = Path(folder).absolute()
        self.data_dir = self.folder / "data"
        self.port = port or free_port()
        self.environment: dict[str, str] = {}  # of the process, beside what it needs
        self._process: Process | None = None

    @abstractmethod
    def _prepare(self) -> None:
        """Makes the data folder when there is none, and writes the configuration."""

    @abstractmethod
    def _command(self) -> list[str]:
        """The program and its arguments."""

    @abstractmethod
    def _answers(self) -> bool:
        """True when the server gives a real answer in its protocol. False or OSError: not yet."""

    def _environment(self) -> dict[str, str]:
        return {}

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.running

    @property
    def pid(self) -> int:
        return self._started().pid

    def start(self) -> None:
        """Starts the process and returns at once; `wait_ready()` tells when it can be used."""
        if self.running:
            raise ServerFailed(f"{self.name} is running already")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._prepare()
        self._process = Process(self._command(), self.log, self.folder / f"{self.name}.pid", cwd=self.folder,
                                env={**self._environment(), **self.environment})

    def wait_ready(self, within: float = READY_WITHIN) -> None:
        """Returns when the server answers; raises `ServerFailed` when it ends or `within` seconds pass."""
        process = self._started()
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            if not process.running:
                raise ServerFailed(f"{self.name} ended with code {process.exit_code}:\n{process.end_of_log()}")
            try:
                if self._answers():
                    return
            except OSError:
                pass
            time.sleep(POLL_EVERY)
        raise ServerFailed(f"{self.name} gave no answer within {within:g} s:\n{process.end_of_log()}")

    def stop(self, within: float = STOP_WITHIN) -> None:
        """Orderly end (SIGTERM), SIGKILL after `within` seconds. Nothing happens when it does not run."""
        if self._process is not None:
            self._process.stop(within)

    def ask_to_stop(self) -> None:
        """SIGTERM without waiting, so that several can end side by side; `stop()` waits."""
        if self._process is not None:
            self._process.signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL: the server loses what it had not made durable."""
        self._started().kill()

    def pause(self) -> None:
        """SIGSTOP: connections stay open and nobody answers."""
        self._started().signal(signal.SIGSTOP)

    def resume(self) -> None:
        """SIGCONT, after `pause()`."""
        self._started().signal(signal.SIGCONT)

    def restart(self, within: float = READY_WITHIN) -> None:
        """`stop()`, `start()` and `wait_ready()`: same port, same data."""
        self.stop()
        self.start()
        self.wait_ready(within)

    def __enter__(self) -> Self:
        start_all([self])
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _started(self) -> Process:
        if self._process is None:
            raise ServerFailed(f"{self.name} was not started")
        return self._process


def start_all(servers: Sequence[Server], within: float = READY_WITHIN) -> None:
    """Starts all side by side and waits until each is ready; when one fails, all are stopped before it is raised."""
    try:
        for server in servers:
            server.start()
        for server in servers:
            server.wait_ready(within)
    except BaseException:
        stop_all(servers, within=1)
        raise


def stop_all(servers: Sequence[Server], within: float = STOP_WITHIN) -> None:
    """Orderly end of all side by side, SIGKILL for what is left after `within` seconds each."""
    for server in servers:
        server.ask_to_stop()
    for server in servers:
        server.stop(within)
