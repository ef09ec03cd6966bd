"""Ports that tests are given: each once in a turn, and never one that a server holds."""

from __future__ import annotations

import socket
from collections import Counter

import pytest

from deploy.stack import server


def test_a_port_that_stays_in_use_ends_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        taken = held.getsockname()[1]
        free = [server.free_port() for _ in range(5)]
        monkeypatch.setattr(server, "PORTS", [taken, *free])
        monkeypatch.setattr(server, "WORKERS", 1)
        monkeypatch.setattr(server, "_WORKER", 0)
        monkeypatch.setattr(server, "_given", set())
        given = Counter(server.free_port() for _ in range(10))
    assert given == dict.fromkeys(free, 2)
