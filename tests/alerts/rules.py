"""The rule files of the chart, one per family."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from exported import TREE

FOLDER = TREE / "helm/sluice/alerts"
_LABEL_USED = re.compile(r"\$labels\.(\w+)")


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
    return Rule(family, entry["alert" if is_alert else "record"], entry["expr"], is_alert, str(entry.get("for", "0m")),
                entry.get("labels", {}), entry.get("annotations", {}))


def alerts() -> list[Rule]:
    return [rule for rule in all_rules() if rule.is_alert]


def recorded() -> set[str]:
    return {rule.name for rule in all_rules() if not rule.is_alert}
