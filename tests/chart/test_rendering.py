"""Every case of helm/sluice/ci: rendered by both helms, twice, byte for byte the same."""

from __future__ import annotations

import re
import subprocess
import tarfile
from pathlib import Path

import pytest
import yaml

from chart import CASES, CHART, NAMESPACE, TREE, render, rendered, run_helm, tool, values_of


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
@pytest.mark.parametrize("helm", ["helm", "helm3"])
def test_two_renderings_are_byte_equal(case: Path, helm: str) -> None:
    """What differs from run to run would make all pods anew with every upgrade."""
    first, second = run_helm(case, helm=helm), run_helm(case, helm=helm)
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_both_helms_render_the_same_objects(case: Path) -> None:
    four, three = (sorted(map(repr, rendered(case, helm).objects)) for helm in ("helm", "helm3"))
    assert four == three


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_helm_lint_has_nothing_to_say(case: Path) -> None:
    result = subprocess.run([tool("helm"), "lint", "--strict", "--quiet", str(CHART), "--values", str(case)], text=True,
                            capture_output=True, timeout=60, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_every_object_says_whose_it_is(case: Path) -> None:
    for each in rendered(case).objects:
        labels = each["metadata"]["labels"]
        if each["kind"] != "KafkaTopic":  # is where Strimzi looks
            assert each["metadata"]["namespace"] == NAMESPACE, each["metadata"]["name"]
        assert labels["app.kubernetes.io/instance"] == "sluice" and labels["app.kubernetes.io/managed-by"] == "Helm"
        assert labels["helm.sh/chart"].startswith("sluice-")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_no_name_is_given_twice(case: Path) -> None:
    names = [(each["kind"], each["metadata"]["name"]) for each in rendered(case).objects]
    assert len(names) == len(set(names))


def test_labels_and_annotations_for_all_are_on_all() -> None:
    values = {"commonLabels": {"team": "payments"}, "commonAnnotations": {"contact": "on-call"}}
    for case in ("full", "hooks", "scaled", "strimzi"):
        own = [each for each in render(values_of(case), {"extraObjects": []}, values).objects]
        assert [each for each in own if each["metadata"]["labels"].get("team") != "payments"] == []
        assert [each for each in own if each["metadata"].get("annotations", {}).get("contact") != "on-call"] == []


def test_a_packed_chart_has_its_alerts_and_dashboards(tmp_path: Path) -> None:
    subprocess.run([tool("helm"), "package", str(CHART), "--destination", str(tmp_path)], check=True, capture_output=True, timeout=60)
    with tarfile.open(next(tmp_path.glob("sluice-*.tgz"))) as packed:
        names = set(packed.getnames())
    files = [file for folder in ("alerts", "dashboards", "templates") for file in (CHART / folder).rglob("*") if file.is_file()]
    assert {f"sluice/{file.relative_to(CHART)}" for file in files} <= names


def test_the_chart_has_the_version_of_the_programs() -> None:
    version = re.search(r'version = "([^"]+)"', (TREE / "common" / "version.hpp").read_text())
    assert version and yaml.safe_load((CHART / "Chart.yaml").read_text())["appVersion"] == version[1]
