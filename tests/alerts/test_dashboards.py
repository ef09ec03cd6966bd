"""Dashboards are what their definitions say, show what is exported, and Prometheus reads their queries."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import exported
import promql
from exported import TREE
from rules import alerts, all_rules
from strange_names import strange

sys.path.insert(0, str(TREE))

from deploy.dashboards.grafana import RUNBOOKS, TARGET, as_text, definitions  # noqa: E402

NAMES = [definition.stem for definition in definitions()]
# Looked at by hand: they say nothing while all is well, and of what is wrong another one speaks.
SHOWN_NOWHERE = {"sluice_ingress_challenge_answered_total"}


def read(name: str) -> dict:
    return json.loads((TARGET / f"{name}.json").read_text())


def expressions(name: str) -> list[str]:
    """As Prometheus gets them, with Grafana's variables filled in."""
    board = read(name)
    told = [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]
    told += [mark["expr"] for mark in board["annotations"]["list"]]
    return [re.sub(r"\$[a-z]+", ".*", re.sub(r"\$__\w+", "5m", expression)) for expression in told]


def test_there_is_no_dashboard_without_a_definition() -> None:
    assert sorted(path.stem for path in TARGET.glob("*.json")) == NAMES and len(NAMES) == 6


@pytest.mark.parametrize("definition", definitions(), ids=lambda path: path.stem)
def test_a_dashboard_is_what_its_definition_says(definition: Path) -> None:
    assert (TARGET / f"{definition.stem}.json").read_text() == as_text(definition), "python3 -m deploy.dashboards writes it"


@pytest.mark.parametrize("name", NAMES)
def test_a_deploy_is_marked(name: str) -> None:
    [mark] = read(name)["annotations"]["list"]
    assert mark["enable"] and "sluice_build_info" in mark["expr"] and "offset" in mark["expr"]


@pytest.mark.parametrize("name", NAMES)
def test_every_panel_leads_to_a_page_of_the_runbooks(name: str) -> None:
    for panel in read(name)["panels"]:
        for link in panel.get("links", []) or ([] if panel["type"] == "row" else [{"url": "none"}]):
            base, page = link["url"].rsplit("/", 1)
            assert base == RUNBOOKS and (TREE / "deploy/runbooks" / page).is_file(), panel["title"]


@pytest.mark.parametrize("name", NAMES)
def test_every_choice_at_the_top_is_used_and_none_is_missing(name: str) -> None:
    board = read(name)
    offered = {variable["name"] for variable in board["templating"]["list"]} - {"datasource"}
    used = {label for panel in board["panels"] for target in panel.get("targets", [])
            for label in re.findall(r'=~"\$([a-z]+)"', target["expr"])}
    assert offered == used


@pytest.mark.parametrize("name", NAMES)
def test_panels_show_what_is_exported(name: str) -> None:
    found = {expression: names for expression in expressions(name) if (names := strange(expression))}
    assert not found


@pytest.mark.parametrize("name", NAMES)
def test_legends_use_labels_that_are_there(name: str) -> None:
    for panel in read(name)["panels"]:
        for target in panel.get("targets", []):
            used = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            reading = promql.read(target["expr"])
            known = reading.grouped if reading.grouped else {label for selector in reading.selectors for label in labels_of(selector.series)}
            assert used <= known, (panel["title"], used - known)


def labels_of(series: str) -> set[str]:
    metric = exported.by_series().get(series)
    return exported.TARGET_LABELS | (set(metric.labels) if metric else {"topic", "partition"})


def test_prometheus_reads_every_query(tmp_path: Path) -> None:
    rules = [{"record": f"panel:{name.replace('-', '_')}:{number}", "expr": expression}
             for name in NAMES for number, expression in enumerate(expressions(name))]
    file = tmp_path / "panels.yaml"
    file.write_text(yaml.dump({"groups": [{"name": "panels", "rules": rules}]}))
    result = subprocess.run(["promtool", "check", "rules", str(file)], capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("name", NAMES)
def test_every_query_is_about_the_chosen_installation(name: str) -> None:
    for panel in read(name)["panels"]:
        for target in panel.get("targets", []):
            selectors = promql.read(target["expr"]).selectors
            assert all("namespace" in selector.labels for selector in selectors), (panel["title"], target["expr"])


@pytest.mark.parametrize("name", NAMES)
def test_panels_lie_side_by_side(name: str) -> None:
    """Inside the grid, none over another, ids of their own."""
    panels, taken = read(name)["panels"], set()
    assert len({panel["id"] for panel in panels}) == len(panels)
    for panel in panels:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert place["x"] + place["w"] <= 24 and not cells & taken, panel["title"]
        taken |= cells


def test_alerts_lead_to_dashboards_that_are_there() -> None:
    known = {f"/d/{read(name)['uid']}" for name in NAMES}
    assert not {rule.name for rule in alerts() if rule.annotations["dashboard_url"] not in known}


def test_every_metric_is_looked_at_somewhere() -> None:
    told = [expression for name in NAMES for expression in expressions(name)] + [rule.expression for rule in all_rules()]
    used = {selector.series for expression in told for selector in promql.read(expression).selectors}
    assert {metric.name for metric in exported.ours().values() if not metric.series() & used} == SHOWN_NOWHERE


def test_the_objectives_stand_on_top() -> None:
    top = [panel["title"] for panel in read("overview")["panels"] if panel["gridPos"]["y"] == 1]
    assert len(top) == 6 and "Answered in 30 days" in top and "Oldest due event" in top
