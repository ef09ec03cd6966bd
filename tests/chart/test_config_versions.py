"""Pods of consumer and retry role find their version of the file, whatever became of the releases after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chart import Rendered, render
from cluster_api import ClusterApi, serving

PARTS = ["ingress", "consumer", "retry"]


@pytest.fixture
def api(tmp_path: Path) -> Iterator[ClusterApi]:
    with serving(tmp_path) as api:
        yield api


def of(number: int, **more: object) -> dict:
    return {"config": {"consumer": {"drain_within": f"{number}s"}}, **more}


def mounted(rendered: Rendered, part: str = "consumer") -> str:
    return next(volume["configMap"]["name"] for volume in rendered.pod(part)["volumes"] if volume["name"] == "config")


@pytest.mark.parametrize("change,new", [
    ({"config": {"mysql": {"user": "other"}}}, {"consumer", "retry"}),
    ({"config": {"listen": {"max_connections": 7}}}, set()),
    ({"config": {"operators": {"two_for": ["purge"]}}}, {"retry"}),
    ({"retry": {"config": {"log": {"level": "debug"}}}}, {"retry"}),
    ({"config": {"effects_revision": 12}}, set())])
def test_the_name_changes_with_what_the_part_reads(change: dict, new: set[str]) -> None:
    """And the content with the name alone, but for the number of the effects. The ingress reads its file again, under one name."""
    before, after = render({}), render(change)
    assert {part for part in PARTS if mounted(before, part) != mounted(after, part)} == new
    assert mounted(after, "ingress") == "sluice"
    for part in {"consumer", "retry"} - new:
        texts = [each.config(mounted(each, part)) for each in (before, after)]
        assert texts[0] == texts[1].replace("effects_revision: 12", "effects_revision: 1")


@pytest.mark.parametrize("tries", [(11, 12, 11), (11, 12, 13, 14, 15, 16), (11, 10, 11, 12)])
def test_the_version_that_serves_stays_while_new_pods_do_not_get_ready(api: ClusterApi, tries: tuple[int, ...]) -> None:
    serves = mounted(api.upgrade(of(10)))
    for number in tries:
        api.upgrade(of(number), gets_ready=False)
        assert serves in api.versions("consumer"), f"{number} took it away"


def test_three_versions_stay_and_failed_ones_go_in_the_end(api: ClusterApi) -> None:
    for number in range(10, 16):
        api.upgrade(of(number), gets_ready=False)
    for number in range(20, 26):
        last = api.upgrade(of(number))
    assert len(api.versions("consumer")) == 4 and mounted(last) in api.versions("consumer")


def test_going_back_to_an_earlier_version_is_that_version(api: ClusterApi) -> None:
    first = api.upgrade(of(10))
    api.upgrade(of(11))
    again = api.upgrade(of(10))
    assert mounted(again) == mounted(first) and len(api.versions("consumer")) == 2
    assert again.config(mounted(again)) == first.config(mounted(first))


def test_what_stays_is_as_it_is_in_the_cluster(api: ClusterApi) -> None:
    first = mounted(api.upgrade(of(10)))
    text = api.objects["configmaps", first]["data"]
    api.upgrade(of(11))
    assert api.objects["configmaps", first]["data"] == text


def test_nothing_is_kept_for_a_part_that_another_release_named(api: ClusterApi) -> None:
    """A Deployment may mount anything; only versions of this part are ours to keep."""
    api.objects["configmaps", "sluice"] = api.objects["configmaps", "other"] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "other"}}
    api.objects["deployments", "sluice-consumer"] = {
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "sluice-consumer", "annotations": {"sluice/config-versions": "other,,sluice-retry-1"}},
        "spec": {"template": {"spec": {"volumes": [{"name": "config", "configMap": {"name": "sluice"}}]}}}}
    assert api.upgrade(of(10)).names("ConfigMap").count("other") == 0


def test_argo_prunes_last_beside_what_one_says_oneself() -> None:
    options = "argocd.argoproj.io/sync-options"
    rendered = render({"commonAnnotations": {options: "Replace=true"}})
    assert rendered.one("ConfigMap", mounted(rendered))["metadata"]["annotations"][options] == "Replace=true,PruneLast=true"
    assert rendered.one("ConfigMap", "sluice")["metadata"]["annotations"][options] == "Replace=true"
