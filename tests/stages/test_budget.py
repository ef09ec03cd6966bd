"""No step of a webhook takes more instructions than its budget. Needs the release's build of webhook_stages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE))

from tests.stages import costs  # noqa: E402

BUDGET = yaml.safe_load((TREE / "tests/stages/budget.yaml").read_text())
SLACK = 0.03


@pytest.mark.parametrize("step", BUDGET)
def test_a_step_keeps_to_its_budget(step: str, tmp_path: Path) -> None:
    found = costs.cost(TREE, tmp_path, step)
    assert found <= BUDGET[step] * (1 + SLACK), f"{step} takes {found:,.0f} instructions, and {BUDGET[step]:,} are its budget"
    assert found >= BUDGET[step] * (1 - SLACK), f"{step} takes {found:,.0f} instructions only: lower its {BUDGET[step]:,} in tests/stages/budget.yaml"


def test_the_program_knows_each_step() -> None:
    text = (TREE / "tests/stages/main.cpp").read_text()
    assert all(f'{{"{step}", &Webhook::' in text for step in BUDGET) and text.count("&Webhook::") == len(BUDGET)
