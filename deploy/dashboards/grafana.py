"""From rows of panels to Grafana's JSON model.

A definition names rows; a row has panels side by side, each `stat`, `lines` or `table` with one expression or a list of
`[expression, legend]`. The row's `runbook` is the page that its panels link to. `NS` in an expression stands for the
installation that is chosen at the top. `variables` name further choices, each with a metric that has the label: of
`source`, the expression says `SOURCE`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "helm/sluice/dashboards"
WIDTH = 24  # Grafana's grid
HEIGHTS = {"stat": 4, "lines": 8, "table": 8}
KINDS = {"stat": "stat", "lines": "timeseries", "table": "table"}
RUNBOOKS = "https://RUNBOOKS"  # the chart puts monitoring.rules.runbookUrl in its place
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}


def definitions() -> list[Path]:
    return sorted(HERE.glob("*.yaml"))


def as_text(definition: Path) -> str:
    return json.dumps(dashboard(yaml.safe_load(definition.read_text())), indent=1, ensure_ascii=False) + "\n"


def dashboard(told: dict[str, Any]) -> dict[str, Any]:
    return {"uid": told["uid"], "title": told["title"], "tags": ["sluice"], "schemaVersion": 39, "version": 1, "editable": False,
            "graphTooltip": 1, "refresh": "30s", "time": {"from": told.get("from", "now-3h"), "to": "now"}, "timezone": "utc",
            "links": [{"type": "dashboards", "title": "sluice", "tags": ["sluice"], "asDropdown": False, "keepTime": True,
                       "includeVars": True}],
            "templating": {"list": variables(told.get("variables", {}))}, "annotations": {"list": [deploys()]},
            "panels": panels(told["rows"])}


def deploys() -> dict[str, Any]:
    """A mark where a version appears that was not there five minutes ago."""
    running = "count by (namespace, role, version) (sluice_build_info{NS}%s)"
    return {"name": "Deploys", "datasource": DATASOURCE, "enable": True, "iconColor": "blue", "step": "60s",
            "expr": complete(f"{running % ''} unless {running % ' offset 5m'}"), "titleFormat": "{{role}} {{version}}",
            "textFormat": "{{namespace}}"}


def variables(further: dict[str, str]) -> list[dict[str, Any]]:
    chosen = {"namespace": "sluice_build_info"} | {label: f"{metric}{{NS}}" for label, metric in further.items()}
    return [{"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Prometheus"},
            *(choice(label, complete(f"label_values({series}, {label})")) for label, series in chosen.items())]


def choice(label: str, values: str) -> dict[str, Any]:
    return {"name": label, "type": "query", "label": label.capitalize(), "datasource": DATASOURCE,
            "query": {"query": values, "refId": f"{label}s"}, "refresh": 2, "includeAll": True, "multi": True, "allValue": ".*",
            "current": {"text": "All", "value": "$__all"}}


def panels(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    top = 0
    for row in rows:
        made.append({"id": len(made) + 1, "type": "row", "title": row["title"], "collapsed": False, "panels": [],
                     "gridPos": {"x": 0, "y": top, "w": WIDTH, "h": 1}})
        top += 1
        width, height = WIDTH // len(row["panels"]), max(HEIGHTS[kind_of(panel)] for panel in row["panels"])
        for number, told in enumerate(row["panels"]):
            place = {"x": number * width, "y": top, "w": width, "h": height}
            page = {"title": "Runbook", "url": f"{RUNBOOKS}/{row['runbook']}", "targetBlank": True}
            made.append({"id": len(made) + 1, "gridPos": place, "links": [page], **panel(told)})
        top += height
    return made


def kind_of(told: dict[str, Any]) -> str:
    return next(kind for kind in KINDS if kind in told)


def panel(told: dict[str, Any]) -> dict[str, Any]:
    kind = kind_of(told)
    steps = [{"color": color, "value": value} for value, color in told.get("steps", [[None, "green"]])]
    defaults: dict[str, Any] = {"unit": told.get("unit", "short"), "thresholds": {"mode": "absolute", "steps": steps}}
    if kind == "lines":
        defaults["custom"] = {"fillOpacity": 8, "showPoints": "never", "thresholdsStyle": {"mode": "line" if "steps" in told else "off"}}
    made = {"type": KINDS[kind], "title": told["title"], "description": told.get("says", ""), "datasource": DATASOURCE,
            "fieldConfig": {"defaults": defaults, "overrides": []}, "targets": targets(told[kind], kind)}
    if kind == "stat":
        made["options"] = {"colorMode": "background", "reduceOptions": {"calcs": ["lastNotNull"]}}
    return made


def targets(told: str | list[list[str]], kind: str) -> list[dict[str, Any]]:
    pairs = [[told, ""]] if isinstance(told, str) else told
    return [{"refId": chr(ord("A") + number), "datasource": DATASOURCE, "expr": complete(expression), "legendFormat": legend or "__auto",
             "instant": kind == "table", "range": kind != "table", **({"format": "table"} if kind == "table" else {})}
            for number, (expression, legend) in enumerate(pairs)]


def complete(expression: str) -> str:
    def is_chosen(label: re.Match[str]) -> str:
        return f'{label[1].lower()}=~"${label[1].lower()}"'

    chosen = re.sub(r"\b(SOURCE|PROVIDER|POD|TOPIC|COMMAND)\b", is_chosen, " ".join(expression.split()))
    return re.sub(r"\bNS\b", 'namespace=~"$namespace"', chosen)
