"""What is rendered is what the API server takes: kubeconform, strictly, with the schemas in tests/chart/schemas."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from chart import CASES, CHART, TREE, rendered, tool

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


def test_every_kind_of_a_template_has_a_schema_and_none_is_there_for_nothing() -> None:
    templates = "\n".join(file.read_text() for file in (CHART / "templates").rglob("*.*"))
    kinds = {kind.lower() for kind in re.findall(r"^kind: (\w+)$", templates, re.MULTILINE)}
    assert {file.stem.split("-")[0] for file in SCHEMAS.iterdir()} == kinds
