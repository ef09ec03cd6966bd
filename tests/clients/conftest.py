"""These tests need a compiler and httpx, and nothing of the product."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from asking import CLIENTS, Client  # noqa: E402


@pytest.fixture(scope="session", params=CLIENTS)
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    started = Client.start(request.param, tmp_path_factory.mktemp("client"))
    yield started
    started.end()
