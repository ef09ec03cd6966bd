"""The rule files of the chart, one per family."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from exported import TREE

FOLDER = TREE / "helm/sluice/alerts"
_LABEL_USED = re.compile(r"\$labels\.(\w+)")
ALERTS_NAMED = re.compile(r'\bALERTS\{alertname=~?"([^"]+)"')
_WORD = re.compile(r"[\w:]+")


@dataclass(frozen=True)
class Rule:
    """An alert or a recording, in the file of its family."""

    family: str
    name: str
    expression: str
    is_alert: bool
    patience: str
    labels: dict[str, str]
    annotations: dict[str, str]

    def labels_used(self) -> set[str]:
        return set(_LABEL_USED.findall(" ".join(self.annotations.values())))


def family_files() -> list[Path]:
    return sorted(FOLDER.glob("*.yaml"))


@cache
def all_rules() -> tuple[Rule, ...]:
    return tuple(rule for path in family_files() for group in yaml.safe_load(path.read_text())["groups"]
                 for rule in (_rule(path.stem, entry) for entry in group["rules"]))


def _rule(family: str, entry: dict) -> Rule:
    is_alert = "alert" in entry
    return Rule(family, _name(entry), entry["expr"], is_alert, str(entry.get("for", "0m")),
                entry.get("labels", {}), entry.get("annotations", {}))


def alerts() -> list[Rule]:
    return [rule for rule in all_rules() if rule.is_alert]


def recorded() -> set[str]:
    return {rule.name for rule in all_rules() if not rule.is_alert}


def needed(family: str, alert: str) -> dict[str, Any]:
    """The family's file with `alert` and the rules that it looks at, itself or through others, in the file's order."""
    document = yaml.safe_load((FOLDER / f"{family}.yaml").read_text())
    expressions = {_name(rule): rule["expr"] for group in document["groups"] for rule in group["rules"]}
    kept, fresh = set(), {alert}
    while fresh:
        kept |= fresh
        fresh = {other for name in fresh for other in expressions if looks_at(expressions[name], other)} - kept
    for group in document["groups"]:
        group["rules"] = [rule for rule in group["rules"] if _name(rule) in kept]
    return {"groups": [group for group in document["groups"] if group["rules"]]}


def looks_at(expression: str, rule: str) -> bool:
    """Of an alert: an expression asks for ALERTS by name or by a pattern of names."""
    return rule in _WORD.findall(expression) or any(re.fullmatch(pattern, rule) for pattern in ALERTS_NAMED.findall(expression))


def _name(rule: dict[str, Any]) -> str:
    return rule["alert" if "alert" in rule else "record"]
