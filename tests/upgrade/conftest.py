"""The servers and pipelines of the integration tests, with the programs of two releases."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE))

from tests.integration.conftest import *  # noqa: E402, F403
from tests.integration.conftest import pytest_addoption as options_of_integration  # noqa: E402
from tests.upgrade import statements  # noqa: E402
from tests.upgrade.releases import PREVIOUS_BIN  # noqa: E402


def pytest_addoption(parser: pytest.Parser) -> None:
    options_of_integration(parser)
    parser.addoption("--record", action="store_true", help="write what the release before says, in records and statements")


def pytest_configure(config: pytest.Config) -> None:
    if PREVIOUS_BIN not in os.environ:
        raise pytest.UsageError("./run upgrade builds the release before and runs these tests")
    if config.getoption("--record"):
        statements.listen()
