"""What is rendered is what the API server takes: kubeconform, strictly, with the schemas in tests/chart/schemas."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from chart import CASES, TREE, rendered, tool

SCHEMAS = TREE / "tests" / "chart" / "schemas"
LOCATION = f"{SCHEMAS}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json"


def conforms(text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([tool("kubeconform"), "-strict", "-schema-location", LOCATION, "-"], input=text, text=True,
                          capture_output=True, timeout=60, check=False)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_every_object_conforms(case: Path) -> None:
    result = conforms(rendered(case).text)
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_field_that_does_not_exist_is_found() -> None:
    deployment = rendered(CASES[0]).deployment("ingress")
    deployment["spec"]["template"]["spec"]["containers"][0]["readinessprobe"] = {}
    result = conforms(yaml.safe_dump(deployment))
    assert result.returncode == 1 and "readinessprobe" in result.stdout


def test_no_schema_is_there_for_nothing() -> None:
    """A kind that no case renders is one that nothing is said about."""
    kinds = {each["kind"].lower() for case in CASES for each in rendered(case).objects}
    assert {file.stem.split("-")[0] for file in SCHEMAS.iterdir()} >= kinds
