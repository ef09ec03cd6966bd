"""Every alert on made-up series: firing, not firing, low traffic, no data. promtool evaluates."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import cases
from rules import Rule, alerts, family_files


def promtool(*arguments: str) -> subprocess.CompletedProcess[str]:
    """It ends soon and takes little memory: collecting garbage was a quarter of its time."""
    return subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False, timeout=280,
                          env={**os.environ, "GOGC": "1600"})


def test_rules_are_read_by_prometheus() -> None:
    """Templates of annotations, expressions, no rule twice."""
    result = promtool("check", "rules", "--lint-fatal", *map(str, family_files()))
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.timeout(300)
@pytest.mark.parametrize("family", cases.families())
def test_alerts_do_as_their_cases_say(family: str, tmp_path: Path) -> None:
    files = [play.written(tmp_path) for play in cases.plays(family)]
    result = promtool("test", "rules", *map(str, files))
    assert files and result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("alert", alerts(), ids=lambda rule: rule.name)
def test_every_alert_has_its_cases(alert: Rule) -> None:
    told = cases.of_alert(alert.family, alert.name)
    assert told.get("fires"), "no case in which it fires"
    names = [case["is"] for case in told.get("silent", [])]
    assert "low traffic" in names and len(names) > 1, f"silent: {names}"


def test_no_case_is_of_an_alert_that_is_gone() -> None:
    known = {(rule.family, rule.name) for rule in alerts()}
    assert not [(family, name) for family in cases.families() for name in cases.of_family(family) if (family, name) not in known]
    assert {path.stem for path in cases.CASES.glob("*.yaml")} <= set(cases.families())


@pytest.mark.parametrize("alert", alerts(), ids=lambda rule: rule.name)
def test_sentences_use_only_labels_that_the_alert_has(alert: Rule) -> None:
    """A label that is not there is an empty word in the sentence that wakes somebody."""
    checked = [set(case.get("labels", {})) for case in cases.of_alert(alert.family, alert.name).get("fires", [])]
    assert any(alert.labels_used() <= labels for labels in checked), "name them in `labels` of a case, which promtool checks"


def test_a_case_that_is_wrong_fails(tmp_path: Path) -> None:
    """promtool's own exit code is what all of this rests upon."""
    play = next(play for play in cases.plays("lag", only="SluiceLag") if play.tests["evaluation_interval"] == "1m")
    firing = [group for group in play.tests["tests"] if " fires: " in group["name"]]
    for group in firing:
        group["promql_expr_test"][0]["exp_samples"] = []
    file = replace(play, tests={**play.tests, "tests": firing}).written(tmp_path)
    assert firing and promtool("test", "rules", str(file)).returncode == 1
