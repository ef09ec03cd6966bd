"""A plugin (-p tests.upgrade.recording) for integration tests with SLUICE_BIN: what those programs prepare goes to the record."""

from __future__ import annotations

from tests.upgrade import statements


def pytest_configure() -> None:
    statements.listen()
