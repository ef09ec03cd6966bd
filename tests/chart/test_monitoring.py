"""Monitors, alerts and dashboards: whatever files lie in alerts/ and dashboards/ arrive whole."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from chart import CHART, NAMESPACE, Rendered, refusal, render, run_helm, values_of

RULES = """# A comment.
groups:
  - name: sluice-lag
    rules:
      - record: sluice:lag
        expr: max(sluice_consumer_due_lag_seconds)
      - alert: SluiceLag
        expr: sluice:lag > 30
        for: 2m
        labels: {severity: ticket}
        annotations: {summary: '{{ $value }} s on {{ $labels.topic }}', runbook_url: lag.md#sluicelag, dashboard_url: /d/sluice-consumer}
  - name: sluice-lag-more
    rules:
      - alert: SluiceLagPage
        expr: sluice:lag > 300
        annotations: {runbook_url: 'https://elsewhere.example/x'}
"""
BOARD = '{"title": "{{ not a template }}", "panels": [{"legendFormat": "{{topic}} $__range"}]}\n'


@pytest.fixture(scope="module")
def chart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chart with files of ours in place of its own."""
    copy = tmp_path_factory.mktemp("chart") / "sluice"
    shutil.copytree(CHART, copy, ignore=shutil.ignore_patterns("alerts", "dashboards"))
    for folder, name, text in (("alerts", "lag.yaml", RULES), ("dashboards", "consumer.json", BOARD)):
        (copy / folder).mkdir()
        (copy / folder / name).write_text(text)
    return copy


def laid_out(chart: Path, **rules: object) -> Rendered:
    values = chart.parent / "values.json"
    given = values_of("full")
    given["monitoring"]["rules"].update(rules)
    values.write_text(json.dumps(given))
    result = run_helm(values, chart=chart)
    assert result.returncode == 0, result.stderr
    return Rendered(result.stdout)


def groups(rendered: Rendered) -> list[dict]:
    return rendered.one("PrometheusRule", "sluice-lag")["spec"]["groups"]


def test_alerts_arrive_whole_and_lead_to_their_pages(chart: Path) -> None:
    first, second = groups(laid_out(chart, scope="all", dashboardUrl="https://grafana.example.com"))
    assert first["rules"][0] == {"record": "sluice:lag", "expr": "max(sluice_consumer_due_lag_seconds)"}
    assert first["rules"][1] == {
        "alert": "SluiceLag", "expr": "sluice:lag > 30", "for": "2m", "labels": {"severity": "ticket", "team": "payments"},
        "annotations": {"summary": "{{ $value }} s on {{ $labels.topic }}", "runbook_url": "https://wiki.example.com/sluice/lag.md#sluicelag",
                        "dashboard_url": "https://grafana.example.com/d/sluice-consumer"}}
    assert second["rules"][0]["annotations"] == {"runbook_url": "https://elsewhere.example/x"}


def test_alerts_on_scaling_know_the_names_of_this_release() -> None:
    release = render(values_of("full"), values_of("scaled"), {"fullnameOverride": "hooks", "monitoring": {"podMonitor": {"enabled": False}}})
    rules = [rule for group in release.one("PrometheusRule", "hooks-scaling")["spec"]["groups"] for rule in group["rules"]]
    names = {name for rule in rules for name in re.findall(r'(?:scaledObject|horizontalpodautoscaler)=~"([^"]*)"', rule["expr"])}
    names.discard(".+-relay")  # which of ours is the relay's
    scalers = release.names("ScaledObject") + release.names("HorizontalPodAutoscaler")
    assert len(names) == 1 and set(scalers) == {"hooks-consumer", "hooks-ingress"}
    assert all(re.fullmatch(pattern, name) for pattern in names for name in scalers)
    assert not re.fullmatch(*names, "hooks-of-others-consumer")


SERIES = re.compile(r"\b(?:(?:webhook|sluice|kube|keda)_[a-z0-9_]+|sluice:[a-z0-9_:]+|ALERTS)\b(.{0,22})")


def expressions(rendered: Rendered) -> dict[str, str]:
    return {rule.get("alert") or rule["record"]: rule["expr"] for family in rendered.all("PrometheusRule") for group in family["spec"]["groups"]
            for rule in group["rules"]}


def test_a_release_looks_at_its_own_namespace(tmp_path: Path) -> None:
    """Every series of every rule: twenty releases have twenty times the rules, and one alert for one cause."""
    own = render(values_of("full"))
    alone, shared = expressions(own), expressions(render(values_of("full"), {"monitoring": {"rules": {"scope": "all"}}}))
    assert alone.keys() == shared.keys() and len(alone) > 60
    for name, expression in alone.items():
        series = SERIES.findall(expression)
        assert series and all(after.startswith(f'{{namespace="{NAMESPACE}"') for after in series), (name, expression)
        assert "namespace=" not in shared[name]
    assert alone["SluiceEffectGivesUp"] == f'min by (namespace, effect) (sluice_consumer_dlq_budget{{namespace="{NAMESPACE}"}}) == 0'
    assert f'webhook_answer_total{{namespace="{NAMESPACE}",outcome=~"not_acked|shed|unavailable"}}[5m]' in alone["sluice:errors:increase5m"]
    for family in own.all("PrometheusRule"):
        (tmp_path / f"{family['metadata']['name']}.yaml").write_text(yaml.dump(family["spec"]))
    checked = subprocess.run(["promtool", "check", "rules", *map(str, tmp_path.iterdir())], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_alerts_can_be_left_out_one_by_one(chart: Path) -> None:
    left = groups(laid_out(chart, disabled=["SluiceLagPage"]))
    assert [group["name"] for group in left] == ["sluice-lag"], "a group without rules would be refused"
    assert [rule.get("alert") for rule in left[0]["rules"]] == [None, "SluiceLag"]


def test_an_alert_that_does_not_exist_cannot_be_left_out() -> None:
    said = refusal({"monitoring": {"rules": {"enabled": True, "runbookUrl": "https://x", "disabled": ["SluiceLagg"]}}})
    assert "which is not an alert" in said


def test_alerts_want_their_pages() -> None:
    for what in ("rules", "dashboards"):
        assert "must say where deploy/runbooks is published" in refusal({"monitoring": {what: {"enabled": True}}})


def test_prometheus_finds_the_rules(chart: Path) -> None:
    assert laid_out(chart).one("PrometheusRule", "sluice-lag")["metadata"]["labels"]["prometheus"] == "main"


def test_dashboards_arrive_byte_for_byte(chart: Path) -> None:
    board = laid_out(chart).one("ConfigMap", "sluice-dashboard-consumer")
    assert board["data"] == {"sluice-consumer.json": BOARD.rstrip("\n")}
    assert board["metadata"]["labels"]["grafana_dashboard"] == "1" and board["metadata"]["annotations"]["grafana_folder"] == "payments"


def test_all_alerts_and_dashboards_of_the_chart_are_there() -> None:
    rendered = render(values_of("full"))
    families = [f"sluice-{file.stem}" for file in (CHART / "alerts").glob("*.yaml")]
    assert rendered.names("PrometheusRule") == sorted(families)
    for file in (CHART / "dashboards").glob("*.json"):
        text = rendered.one("ConfigMap", f"sluice-dashboard-{file.stem}")["data"][f"sluice-{file.name}"]
        assert json.loads(text) == json.loads(file.read_text().replace("https://RUNBOOKS/", "https://wiki.example.com/sluice/"))
    written = {rule["alert"] for file in (CHART / "alerts").glob("*.yaml") for group in yaml.safe_load(file.read_text())["groups"]
               for rule in group["rules"] if "alert" in rule}
    alerts = [rule for each in rendered.all("PrometheusRule") for group in each["spec"]["groups"] for rule in group["rules"] if "alert" in rule]
    assert {rule["alert"] for rule in alerts} == written
    assert all(rule["annotations"]["runbook_url"].startswith("https://wiki.example.com/sluice/") for rule in alerts)


@pytest.mark.parametrize("case,kind,place", [("full", "PodMonitor", "podMetricsEndpoints"), ("strimzi", "ServiceMonitor", "endpoints")])
def test_monitors_scrape_every_program(case: str, kind: str, place: str) -> None:
    rendered = render(values_of(case))
    monitor = rendered.one(kind, "sluice")
    endpoint = monitor["spec"][place][0]
    assert (endpoint["port"], endpoint["path"], endpoint["interval"]) == ("operations", "/metrics", "15s")
    wanted = monitor["spec"]["selector"]["matchLabels"]
    if kind == "ServiceMonitor":
        service = rendered.one("Service", "sluice-operations")
        assert wanted.items() <= service["metadata"]["labels"].items()
        wanted = service["spec"]["selector"]
    for part in ("ingress", "consumer", "retry"):
        assert wanted.items() <= rendered.deployment(part)["spec"]["template"]["metadata"]["labels"].items()
        assert "operations" in {port["name"] for port in rendered.container(part)["ports"]}
    assert not [each for each in rendered.all("Pod") if wanted.items() <= each["metadata"]["labels"].items()]


def test_nothing_is_scraped_twice() -> None:
    said = refusal({"monitoring": {"serviceMonitor": {"enabled": True}, "podMonitor": {"enabled": True}}})
    assert "counted twice" in said


def test_nothing_of_it_is_there_by_default() -> None:
    rendered = render({})
    assert not [each for each in rendered.objects if each["apiVersion"].startswith("monitoring.coreos.com")]
    assert not [name for name in rendered.names("ConfigMap") if "dashboard" in name]
