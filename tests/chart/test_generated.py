"""What is made from values.yaml is up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from chart import CHART, TREE
from deploy.chart.__main__ import generated
from deploy.chart.schema import Unclear, text_of
from deploy.chart.values import read


@pytest.mark.parametrize("file", [CHART / "values.schema.json", CHART / "README.md"], ids=lambda file: file.name)
def test_generated_files_are_those_of_the_values(file: Path) -> None:
    assert generated(CHART)[file] == file.read_text(), f"{file.relative_to(TREE)} is not what `./run chart` writes"


@pytest.mark.parametrize("line", ["a: {}", "a: []", "a: null", "# @schema texs\na: {}"])
def test_a_value_that_says_nothing_of_its_type_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "values.yaml").write_text(f"# Text.\n{line}\n")
    with pytest.raises(Unclear, match="a: "):
        text_of(read(tmp_path / "values.yaml"))
