"""What each alert does on made-up series: cases/FAMILY.yaml as a unit test that promtool carries out.

    SluiceLag:
      fires:                                    # each of these
        - {is: behind, with: ['metric{topic="t"} 31x10'], at: 5m, labels: {topic: t}}
      silent:                                   # none of these; one is named `low traffic`
        - {is: low traffic, with: [], at: 5m}

A sample list is written as `SERIES VALUES`, one sample a minute, or `every: 10m` for cases of days. No data at all is a case of every alert by
itself; `without_data: 3` says that it fires three alerts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from rules import FOLDER, needed

CASES = Path(__file__).with_name("cases")
LONG = "26h"  # a look at nothing, after every `for`


@cache
def of_family(family: str) -> dict[str, dict[str, Any]]:
    file = CASES / f"{family}.yaml"
    return yaml.safe_load(file.read_text()) or {} if file.exists() else {}


def of_alert(family: str, alert: str) -> dict[str, Any]:
    return of_family(family).get(alert, {})


@dataclass(frozen=True)
class Play:
    """One alert's cases of one interval, and the rules that it needs: promtool evaluates each rule at each sample."""

    name: str
    rules: dict[str, Any]
    tests: dict[str, Any]

    def written(self, folder: Path) -> Path:
        """The file for promtool."""
        rules, tests = folder / f"{self.name}.rules.yaml", folder / f"{self.name}.yaml"
        rules.write_text(yaml.dump(self.rules, sort_keys=False, width=1000))
        tests.write_text(yaml.dump({"rule_files": [str(rules)], **self.tests}, sort_keys=False, width=1000))
        return tests


def plays(family: str, only: str = "") -> list[Play]:
    """Samples come and rules are evaluated once an interval. One group for each case."""
    return [play for alert, told in of_family(family).items() if only in ("", alert) for play in _plays(family, alert, told)]


def _plays(family: str, alert: str, told: dict[str, Any]) -> list[Play]:
    rules, by_interval = needed(family, alert), defaultdict(list)
    for every, group in _groups(alert, told):
        by_interval[every].append(group)
    return [Play(f"{alert}-{every}", rules, {"evaluation_interval": every, "group_eval_order": groups_of(rules), "tests": groups})
            for every, groups in by_interval.items()]


def groups_of(rules: dict[str, Any]) -> list[str]:
    """In the file's order: what is recorded comes before what looks at it. By itself promtool takes any order, and a value of ten
    minutes ago is stale."""
    return [group["name"] for group in rules["groups"]]


def _groups(alert: str, told: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    nothing = {"is": "no data", "with": ["nothing_of_ours 0x2"], "at": LONG, "every": "10m"}
    return [_group(f"{alert} fires: {case['is']}", case, alert, case.get("count", 1)) for case in told.get("fires", [])] + [
        _group(f"{alert} is silent: {case['is']}", case, alert, 0) for case in told.get("silent", [])] + [
        _group(f"{alert}: no data", nothing, alert, told.get("without_data", 0))]


def _group(name: str, case: dict[str, Any], alert: str, count: int) -> tuple[str, dict[str, Any]]:
    every = case.get("every", "1m")
    matchers = "".join(f',{label}="{value}"' for label, value in case.get("labels", {}).items())
    expression = f'count(ALERTS{{alertname="{alert}",alertstate="firing"{matchers}}})'
    expected = [{"labels": "{}", "value": count}] if count else []
    return every, {"name": name, "interval": every, "input_series": [_series(text) for text in case["with"]],
                   "promql_expr_test": [{"expr": expression, "eval_time": case["at"], "exp_samples": expected}]}


def _series(text: str) -> dict[str, str]:
    match = re.fullmatch(r"(\w+(?:\{.*\})?)\s+(.+)", text)
    assert match, f"no series and values: {text!r}"
    return {"series": match[1], "values": match[2]}


def families() -> list[str]:
    return [path.stem for path in sorted(FOLDER.glob("*.yaml"))]
