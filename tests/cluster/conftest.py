"""One set of servers for the run; for each file a namespace with an installation of its own."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE))

from tests.cluster import cluster as places  # noqa: E402
from tests.cluster.cluster import Cluster  # noqa: E402
from tests.cluster.kube import Kube  # noqa: E402
from tests.cluster.release import Release  # noqa: E402
from tests.cluster.servers import Servers  # noqa: E402
from tests.cluster.traffic import start_sender  # noqa: E402


@pytest.fixture(scope="session")
def cluster() -> Cluster:
    found = places.given()
    if isinstance(found, str):
        pytest.skip(f"NOT RUN: {found}")
    return found


@pytest.fixture(scope="session")
def run_folder() -> Path:
    folder = TREE / "build" / "cluster" / f"run-{os.getpid()}"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture(scope="session")
def servers(cluster: Cluster, run_folder: Path) -> Iterator[Servers]:
    running = Servers(run_folder / "servers", cluster.address)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def new_release(cluster: Cluster, servers: Servers, run_folder: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[], Release]]:
    """A namespace with what the chart expects to find; nothing is installed yet. It is removed with all that is in it."""
    made: list[Release] = []

    def make() -> Release:
        namespace = f"{request.path.stem.removeprefix('test_').replace('_', '-')}-{secrets.token_hex(3)}"
        folder = run_folder / namespace
        folder.mkdir()
        made.append(Release(Kube(cluster, namespace), servers, folder))
        return made[-1].prepare()

    yield make
    for release in made:
        release.remove()


@pytest.fixture(scope="module")
def release(new_release: Callable[[], Release], request: pytest.FixtureRequest) -> Release:
    """Installed with the file's VALUES over the standard ones, and a pod that can send webhooks."""
    installed = new_release().install(getattr(request.module, "VALUES", {}))
    start_sender(installed)
    return installed


@pytest.fixture
def kube(release: Release) -> Kube:
    return release.kube
