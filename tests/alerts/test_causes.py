"""One cause rings one alert: all rule files at once, as in a Prometheus."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import causes
from rules import alerts, family_files
from test_cases import promtool

FIRING = 'ALERTS{alertstate="firing"}'
NOW = f"count by (alertname) ({FIRING})"
EVER = f"count by (alertname) (count by (alertname) (last_over_time({FIRING}[26h])))"
NAMES = f"count by (alertname) (count by (alertname) ({FIRING}))"


def ask(told: list[tuple[dict, dict]], rule_files: list[Path], folder: Path) -> None:
    """By interval, one run each."""
    files = []
    for every in sorted({cause.get("every", "1m") for cause, _ in told}):
        chosen = [(cause, asked) for cause, asked in told if cause.get("every", "1m") == every]
        files.append(folder / f"causes-{every}.yaml")
        files[-1].write_text(yaml.dump(causes.promtool_file(chosen, rule_files), sort_keys=False, width=1000))
    result = promtool("test", "rules", *map(str, files))
    assert files and result.returncode == 0, result.stdout + result.stderr


@pytest.mark.timeout(300)
def test_one_cause_rings_one_alert(tmp_path: Path) -> None:
    """One at the end, which has waited longest, and no other on the way but those that the cause names."""
    told = []
    for cause in causes.causes():
        rings = [*([cause["rings"]] if "rings" in cause else []), *cause.get("beside", [])]
        told.append((cause, {NOW: rings, EVER: [*rings, *cause.get("before", [])]}))
    ask(told, family_files(), tmp_path)


@pytest.mark.timeout(300)
def test_nothing_is_silent_for_an_alert_that_is_left_out(tmp_path: Path) -> None:
    """`monitoring.rules.disabled` of the chart: what was silent for an alert rings in its place."""
    with_others = [cause for cause in causes.causes() if "left_out" in cause]
    for alert in sorted({cause["rings"] for cause in with_others}):
        folder = tmp_path / alert
        folder.mkdir()
        ask([(cause, {NAMES: cause["left_out"]}) for cause in with_others if cause["rings"] == alert], rules_without(alert, folder), folder)


def rules_without(alert: str, folder: Path) -> list[Path]:
    files = []
    for file in family_files():
        content = yaml.safe_load(file.read_text())
        for group in content["groups"]:
            group["rules"] = [rule for rule in group["rules"] if rule.get("alert") != alert]
        files.append(folder / file.name)
        files[-1].write_text(yaml.dump({"groups": [group for group in content["groups"] if group["rules"]]}))
    return files


def test_causes_name_alerts_that_are_there() -> None:
    known = {rule.name for rule in alerts()}
    named = {name for cause in causes.causes() for name in [*cause.get("before", []), *cause.get("beside", []), *cause.get("left_out", [])]}
    assert named | {cause["rings"] for cause in causes.causes() if "rings" in cause} <= known


@pytest.mark.parametrize(("values", "goes_on"), [("1", "1+0x9"), ("0+100x5 500", "0+100x5 500+0x9"), ("0x5 0+60", "0x5 0+60x9"),
                                                 ("0+5x3", "0+5x3 20+5x9"), ("1x5 stale", "1x5 stale"), ("1x5 _x25", "1x5 _x25")])
def test_series_go_on(values: str, goes_on: str) -> None:
    assert causes.longer(values, 9) == goes_on
