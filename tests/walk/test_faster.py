"""The rules of the walk are the chart's, only quicker."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import cases
import pytest
import yaml
from rules import FOLDER

from tests.walk.faster import FACTOR, faster, faster_expression, milliseconds, shorter

# Thresholds in seconds, bounds of buckets, offsets of a day. (Not those on absence: for promtool a series that has ended is there for
# five minutes more, whatever the factor; Prometheus itself can be told.)
PLAYED = ("certificates", "dlq", "lag", "sources")


@pytest.mark.parametrize(("slow", "quick"), [
    ("sum(increase(a_total[10m])) > 10", "sum(increase(a_total[10000ms])) > 10"),
    ("rate(a_total[1d] offset 10m) < 0.2 * rate(b_total[1h30m])", "rate(a_total[1440000ms] offset 10000ms) < 0.2 * rate(b_total[90000ms])"),
    ("max(a_seconds) > 300", "max(a_seconds) > 300 / 60"),
    ("a:lag_seconds:by_topic > 30", "a:lag_seconds:by_topic > 30 / 60"),
    ("min(a_not_after_seconds) - time() < 14 * 86400", "min(a_not_after_seconds) - time() < 14 * 86400 / 60"),
    ("a_seconds > 1800 and b_total == 0", "a_seconds > 1800 / 60 and b_total == 0"),
    ("b_total == 0 and a_seconds > 1800", "b_total == 0 and a_seconds > 1800 / 60"),
    ('1 - x_seconds_bucket{le="300"} / x_seconds_count > 0.05', '1 - x_seconds_bucket{le="5"} / x_seconds_count > 0.05'),
    ('x_seconds_bucket{le=~"300([.]0)?"}', 'x_seconds_bucket{le=~"5([.]0)?"}'),
    ("sum_over_time(a:increase5m[1h:5m] offset 1d)", "sum_over_time(a:increase5m[60000ms:5000ms] offset 1440000ms)"),
    ("max(inbox_days_ahead) < 2", "max(inbox_days_ahead) < 2")])
def test_an_expression(slow: str, quick: str) -> None:
    assert faster_expression(slow, 60) == quick


def test_a_duration_that_would_lose_something_is_refused() -> None:
    assert shorter("2m", 60) == "2000ms"
    with pytest.raises(ValueError, match="7ms"):
        shorter("7ms", 60)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_nothing_but_time_is_changed(file: Path) -> None:
    slow = yaml.safe_load(file.read_text())
    quick = faster(slow)
    assert durations(slow) == [FACTOR * length for length in durations(quick)]
    for before, after in zip(rules_of(slow), rules_of(quick), strict=True):
        assert {**before, "expr": "", "for": ""} == {**after, "expr": "", "for": ""}
        assert without_time(before["expr"]) == without_time(after["expr"])


def rules_of(document: dict) -> list[dict]:
    return [rule for group in document["groups"] for rule in group["rules"]]


def durations(document: dict) -> list[int]:
    told = [text for rule in rules_of(document) for text in (rule["expr"], f"[{rule.get('for', '0s')}]")]
    return [milliseconds(length) for text in told for length in re.findall(r"(?:\[|offset )((?:\d+(?:ms|[smhdw]))+)", text)]


def without_time(expression: str) -> str:
    return re.sub(rf'(\d+(?:ms|[smhdw]))+|le=~?"[\d.]+(?:\(\[\.\]0\)\?)?"| / {FACTOR}\b', "", expression)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("family", PLAYED)
def test_alerts_do_in_seconds_what_they_do_in_minutes(family: str, tmp_path: Path) -> None:
    """The cases of tests/alerts, played FACTOR times as fast to the faster rules."""
    files = [played_faster(play).written(tmp_path) for play in cases.plays(family)]
    result = subprocess.run(["promtool", "test", "rules", *map(str, files)], capture_output=True, text=True, check=False, timeout=280)
    assert files and result.returncode == 0, result.stdout + result.stderr


def played_faster(play: cases.Play) -> cases.Play:
    every = shorter(play.tests["evaluation_interval"], FACTOR)
    tests = {**play.tests, "evaluation_interval": every, "tests": [faster_case(test) for test in play.tests["tests"]]}
    return replace(play, rules=faster(play.rules), tests=tests)


def faster_case(test: dict) -> dict:
    expected = [{**one, "eval_time": shorter(one["eval_time"], FACTOR)} for one in test["promql_expr_test"]]
    series = [faster_series(one) for one in test["input_series"]]
    return {**test, "interval": shorter(test["interval"], FACTOR), "input_series": series, "promql_expr_test": expected}


def faster_series(told: dict[str, str]) -> dict[str, str]:
    """Bounds of buckets and values that are seconds; a negative count is a step."""
    name = told["series"].partition("{")[0]
    series = re.sub(r'le="(\d+)(?:\.0)?"', lambda match: f'le="{int(match[1]) / FACTOR:g}"', told["series"])
    if not name.endswith("_seconds"):
        return {**told, "series": series}
    return {"series": series, "values": " ".join(map(faster_values, told["values"].split()))}


def faster_values(told: str) -> str:
    """`START`, `START+STEPxTIMES` or `STARTxTIMES`."""
    match = re.fullmatch(r"(_|-?[\d.]+(?:e\d+)?)([+-][\d.]+)?(x\d+)?", told)
    assert match, told
    if match[1] == "_":
        return told
    step = f"{float(match[2]) / FACTOR:+.6f}" if match[2] else ""
    return f"{float(match[1]) / FACTOR:.6f}{step}{match[3] or ''}"
