"""Stripe's own description of its API takes every request that the poller makes of Stripe: stripe-mock holds them against it.

Not those for thin events: it has no /v2 (github.com/stripe/stripe-mock/issues/1646).
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.support.program import binary
from tests.support.wait import wait_for

HOW = "go install github.com/stripe/stripe-mock@v0.203.0"
KINDS = "All/ListTest.AsksOnlyWhatItsProviderTakes/stripe"  # of every_list_test.cpp: it prints a request of each kind


class Mock(HTTPConnection):
    """A connection to the socket that stripe-mock listens on: it takes no port."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=10)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self.path))

    def status(self, target: str) -> int:
        self.request("GET", target, headers={"Authorization": "Bearer rk_test_1"})
        with self.getresponse() as answer:
            answer.read()
            return answer.status


@pytest.fixture
def mock(tmp_path: Path) -> Iterator[Mock]:
    program = shutil.which("stripe-mock", path=f"{os.environ['PATH']}:{Path.home() / 'go/bin'}")
    if not program:
        pytest.skip(f"not run: no stripe-mock; `{HOW}` makes it")
    path = tmp_path / "mock"
    with subprocess.Popen([program, "-http-unix", str(path)], stdout=subprocess.DEVNULL) as running:
        try:
            wait_for(path.exists, "stripe-mock to listen")
            connection = Mock(path)
            yield connection
            connection.close()
        finally:
            running.kill()


def test_stripe_takes_each_kind_of_request(mock: Mock) -> None:
    said = subprocess.run([str(binary("unit_list")), f"--gtest_filter={KINDS}"], capture_output=True, text=True, check=True).stdout
    targets = [line.removeprefix("asks ") for line in said.splitlines() if line.startswith("asks ")]
    assert len(targets) >= 15, said
    assert {target: mock.status(target) for target in targets} == dict.fromkeys(targets, 200)
    assert mock.status(f"{targets[0]}&before=evt_1") == 400, "and it knows what it does not take"
