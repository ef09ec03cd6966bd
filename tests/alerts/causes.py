"""What a cause does to a whole installation: causes.yaml as unit tests of all rule files at once."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import cases

NAMESPACE = "pay"
MINUTES = {"1m": 1, "5m": 5}  # between two samples
_LABEL = re.compile(r'(\w+)="([^"]*)"')
_TOKEN = re.compile(r"(-?[\d.]+(?:e\d+)?)([+-][\d.]+)?(?:x(\d+))?")


@cache
def _file() -> dict[str, Any]:
    return yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text())


def causes() -> list[dict[str, Any]]:
    return _file()["causes"]


def promtool_file(told: list[tuple[dict[str, Any], dict[str, str]]], rule_files: list[Path]) -> dict[str, Any]:
    """Causes of one interval, each with what is asked at its end: expressions, and the alerts that they name."""
    every = told[0][0].get("every", "1m")
    groups = [group["name"] for file in rule_files for group in yaml.safe_load(file.read_text())["groups"]]
    tests = [{"name": cause["is"], "interval": every, "input_series": series_of(cause),
              "promql_expr_test": [_question(cause, expression, names) for expression, names in asked.items()]} for cause, asked in told]
    return {"rule_files": [str(file) for file in rule_files], "evaluation_interval": every, "group_eval_order": groups, "tests": tests}


def _question(cause: dict[str, Any], expression: str, names: list[str]) -> dict[str, Any]:
    """promtool shows the expression of what fails, and no name: the cause stands behind it."""
    expected = [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in names]
    return {"expr": f"{expression}  # {cause['is']}", "eval_time": cause.get("at", "50m"), "exp_samples": expected}


def series_of(cause: dict[str, Any]) -> list[dict[str, str]]:
    samples = int(cause.get("at", "50m").rstrip("m")) // MINUTES[cause.get("every", "1m")] + 2
    world: dict[tuple[str, frozenset[tuple[str, str]]], str] = {}
    for text in [*_file()["always"], *_case(cause), *cause.get("with", [])]:
        (name, labels), values = _read(text)
        placed = [key for key in world if key[0] == name and labels <= key[1]] if text not in _file()["always"] else []
        for key in placed or [(name, labels)]:
            world[key] = longer(values, samples)
    return [{"series": _written(*key), "values": values} for key, values in world.items()]


def _case(cause: dict[str, Any]) -> list[str]:
    if "of" not in cause:
        return []
    family, alert, what = cause["of"]
    told = cases.of_alert(family, alert)
    found = [case["with"] for case in [*told["fires"], *told["silent"]] if case["is"] == what]
    assert len(found) == 1, f"{what!r} is no case of {alert}, or two"
    return found[0]


def _read(text: str) -> tuple[tuple[str, frozenset[tuple[str, str]]], str]:
    match = re.fullmatch(r"(\w+)(?:\{(.*)\})?\s+(.+)", text)
    assert match, f"no series and values: {text!r}"
    labels = dict(_LABEL.findall(match[2] or ""))
    return (match[1], frozenset({"namespace": NAMESPACE, **labels}.items())), match[3]


def _written(name: str, labels: frozenset[tuple[str, str]]) -> str:
    return name + "{" + ",".join(f'{label}="{value}"' for label, value in sorted(labels)) + "}"


def longer(values: str, samples: int) -> str:
    """The last value goes on, or the last step; what has ended does not come back."""
    if values.endswith("stale") or re.search(r"_x?\d*$", values):
        return values
    before, _, last = values.rpartition(" ")
    match = _TOKEN.fullmatch(last)
    assert match, values
    step = match[2] or "+0"
    if match[3] is None:
        return f"{before} {match[1]}{step}x{samples}".lstrip()
    return f"{values} {float(match[1]) + float(step) * (int(match[3]) + 1):.10g}{step}x{samples}"
