"""Every case of helm/sluice/ci: rendered by both helms, twice, byte for byte the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from chart import CASES, CHART, NAMESPACE, rendered, run_helm, tool


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
