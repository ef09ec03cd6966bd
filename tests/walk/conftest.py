"""Fixtures of the walk: servers once per worker, an installation and its Prometheus for each incident."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TREE), str(TREE / "tests/alerts")]

from tests.support.pipeline import Pipeline  # noqa: E402
from tests.support.program import binary  # noqa: E402
from tests.support.servers import Servers  # noqa: E402
from tests.walk.installation import Installation  # noqa: E402
from tests.walk.walk import Walk  # noqa: E402

WALKS_WITHIN = 400  # seconds: an alert that looks back for an hour ends after a minute, on a loaded machine later


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "walk" in getattr(item, "fixturenames", []):
            item.add_marker(pytest.mark.timeout(WALKS_WITHIN))


@pytest.fixture(scope="session")
def run_folder() -> Path:
    assert binary("sluice-ingress").exists(), "./run build dev, or set SLUICE_BIN"
    folder = TREE / "build/walk" / f"run-{os.getpid()}"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture(scope="session")
def servers(run_folder: Path) -> Iterator[Servers]:
    running = Servers(run_folder / "servers", ["mysql"])
    yield running
    running.stop()
    shutil.rmtree(run_folder / "servers", ignore_errors=True)


@pytest.fixture
def walk(run_folder: Path, servers: Servers, request: pytest.FixtureRequest) -> Iterator[Walk]:
    folder = run_folder / request.path.stem.removeprefix("test_")
    folder.mkdir()
    [database] = servers.databases.values()
    pipeline = Pipeline(folder, servers.kafka, servers.redis, database).prepare()
    installation = Installation(pipeline)
    running = Walk(installation)
    try:
        yield running
        installation.close()
    finally:
        running.close()
        pipeline.close()
        request.node.user_properties.append(("story", running.story()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was seen, incident by incident, also when the walks were made side by side."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, story in getattr(report, "user_properties", []):
                if name == "story" and report.when == "teardown":
                    terminalreporter.write_line(story)
