"""Receivers of messages over HTTP (tests/bench/outbox/receiver.cpp): processes of their own, quick enough for a floor."""

from __future__ import annotations

import http.client
import socket
from collections import Counter
from pathlib import Path

from deploy.stack.process import Process
from deploy.stack.server import free_port
from tests.bench.building import tool
from tests.support.wait import wait_for


class Receiver:
    """Ready when constructed; ends with `close()`. `after`: seconds until it answers; None: never."""

    def __init__(self, folder: Path, after: float | None = 0.0) -> None:
        self.port = free_port()
        late = ["--hangs"] if after is None else ["--after-us", str(int(after * 1e6))]
        label = f"receiver-{self.port}"
        folder.mkdir(parents=True, exist_ok=True)
        self.process = Process([str(tool("receiver")), "--port", str(self.port), *late], folder / f"{label}.log", folder / f"{label}.pid")
        wait_for(self._listens, f"{label} to listen")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/messages"

    def arrivals(self) -> list[tuple[int, float]]:
        """Number of each message, and the second of the wall clock in which it came."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", "/arrivals")
            lines = connection.getresponse().read().decode().splitlines()
        finally:
            connection.close()
        return [(int(key, 16), int(at) / 1e6) for key, at in map(str.split, lines)]

    def counted(self) -> Counter[int]:
        return Counter(number for number, _ in self.arrivals())

    def close(self) -> None:
        self.process.stop(within=5)

    def _listens(self) -> bool:
        with socket.create_connection(("127.0.0.1", self.port), timeout=5):
            return True
