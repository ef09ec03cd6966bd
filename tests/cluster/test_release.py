"""What `./run release` makes is enough: nodes and helm pull from its layouts, by digest, and nothing else is given to them.

Nodes must be able to pull by HTTP from this machine, under the name SLUICE_CLUSTER_PULLS (127.0.0.1 where they run on it).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml

from tests.cluster.kube import RELEASE, Kube
from tests.cluster.release import Release
from tests.cluster.traffic import Traffic, start_sender
from tests.support.layout_server import serving
from tests.support.released import VERSION, Layout, committed, make, verify

pytestmark = [pytest.mark.timeout(600),
              pytest.mark.skipif(not os.environ.get("SLUICE_CLUSTER_PULLS"),
                                 reason="NOT RUN: SLUICE_CLUSTER_PULLS does not say under which name nodes pull from this machine")]


class Published:
    """A release in a registry."""

    def __init__(self, folder: Path, registries: ExitStack) -> None:
        self.folder = folder
        images, chart = (registries.enter_context(serving(Layout(folder / name))) for name in ("images", "chart"))
        self.images = images.replace("127.0.0.1", os.environ["SLUICE_CLUSTER_PULLS"])
        version = next(iter(Layout(folder / "chart").named)).removeprefix("sluice-")
        self.chart = [f"oci://{chart}/sluice", "--version", version, "--plain-http"]

    def values(self) -> dict:
        """What docs/release.md adds to one's own."""
        digests = yaml.safe_load((self.folder / "digests.yaml").read_text())
        return {**digests, "image": {"registry": self.images}, "rolloutToken": self.chart[2]}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Published]]:
    tree = committed(tmp_path_factory.mktemp("tree"))
    with ExitStack() as registries:
        def publish(*options: str) -> Published:
            folder = tmp_path_factory.mktemp("release") / "out"
            for done in (make(tree, folder, *options), verify(folder)):
                assert done.returncode == 0, done.stdout + done.stderr
            return Published(folder, registries)

        yield publish


def test_a_release_is_installed_tested_and_upgraded_to_the_next(published: Callable[..., Published], new_release: Callable[[], Release]) -> None:
    """The programs of both are the same; chart and pods are new."""
    candidate, final = published("--version", f"{VERSION}-rc.1"), published()
    release = new_release()
    release.chart = candidate.chart
    release.install(candidate.values())
    expect_images_of(release.kube, candidate)
    assert "Succeeded" in release.test()
    start_sender(release)
    with Traffic(release, rate=40) as traffic:
        release.chart = final.chart
        release.upgrade(final.values())
    expect_images_of(release.kube, final)
    assert charts_of(release.kube) == {f"sluice-{VERSION}"}
    traffic.expect_all_taken(at_least=50)
    release.expect_no_loss()
    assert not release.kube.restarts()


def expect_images_of(kube: Kube, release: Published) -> None:
    """By the digests of its own index, from its own registry."""
    named = Layout(release.folder / "images").named
    version = release.chart[2]
    for part, image in (("ingress", "sluice-ingress"), ("consumer", "sluice-consumer"), ("retry", "sluice-consumer"), ("ctl", "sluicectl")):
        for pod in kube.pods(part):
            assert pod["spec"]["containers"][0]["image"] == f"{release.images}/{image}@{named[f'{image}-{version}']['digest']}"


def charts_of(kube: Kube) -> set[str]:
    return {each["metadata"]["labels"]["helm.sh/chart"] for each in kube.all("deployments", **{"app.kubernetes.io/instance": RELEASE})}
