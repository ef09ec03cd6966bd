"""Twenty teams with a release each: what they ask of the cluster together, and that none rings for another."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

from chart import CHART, Rendered, run_helm
from test_monitoring import SERIES, expressions

TEAMS = [f"team-{number:02}" for number in range(1, 21)]
RULES = "monitoring.rules.enabled=true,monitoring.rules.runbookUrl=https://wiki.example.com/sluice"
# As docs/kubernetes.md installs it: all parts with their standard requests, and on-call's pod.
SHAPES = {"small": ("small", RULES), "standard": ("least", f"{RULES},ctl.enabled=true,topics.mode=job")}
PARTS = {"small": {"ingress", "consumer"}, "standard": {"ingress", "consumer", "retry", "ctl"}}
HASHES = re.compile(r"(-(?:migrate|effects|topics)-)[0-9a-f]{8}\b")  # of what a Job does, and of its names


def text_of(shape: str, team: str) -> str:
    case, more = SHAPES[shape]
    result = run_helm(CHART / "ci" / f"{case}-values.yaml", arguments=("--set", more), release=team, namespace=team)
    assert result.returncode == 0, result.stderr
    return result.stdout


@cache
def renderings(shape: str) -> dict[str, str]:
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(TEAMS, pool.map(lambda team: text_of(shape, team), TEAMS)))


def thousandths(container: dict) -> int:
    asked = container["resources"]["requests"]["cpu"]
    return int(asked.removesuffix("m")) if asked.endswith("m") else 1000 * int(asked)


def asked_by(workload: dict) -> int:
    """Of one pod. What runs before it ends before it: no init container of ours stays."""
    pod = workload["spec"]["template"]["spec"]
    assert "initContainers" not in pod
    return sum(thousandths(container) for container in pod["containers"])


@pytest.mark.parametrize("shape", SHAPES)
def test_releases_differ_in_nothing_but_their_names(shape: str) -> None:
    told = {HASHES.sub(r"\1HASH", text.replace(team, "TEAM")) for team, text in renderings(shape).items()}
    assert len(told) == 1, "so what is true of one is true of twenty"


@pytest.mark.parametrize("shape", SHAPES)
def test_all_of_them_ask_for_ten_cpus_at_most(shape: str) -> None:
    release = Rendered(renderings(shape)[TEAMS[0]])
    deployments = release.all("Deployment")
    assert {each["metadata"]["labels"]["app.kubernetes.io/component"] for each in deployments} == PARTS[shape]
    assert not [each for kind in ("StatefulSet", "DaemonSet", "CronJob", "Pod") for each in release.all(kind)], "nothing else runs for long"
    lasting = sum(each["spec"]["replicas"] * asked_by(each) for each in deployments)
    assert len(TEAMS) * lasting <= 10_000, f"a release asks for {lasting}m"
    passing = {each["metadata"]["labels"]["app.kubernetes.io/component"] for each in release.all("Job")}
    assert passing == {"check", "migrate", "effects", "topics"}
    assert sum(map(asked_by, release.all("Job"))) <= 250, "for the minutes of an installation or upgrade"


@pytest.mark.parametrize("shape", SHAPES)
def test_no_two_of_them_ring_for_one_cause(shape: str) -> None:
    """Every series that a rule reads is one of its own namespace."""
    rules = {team: expressions(Rendered(renderings(shape)[team])) for team in TEAMS[:2]}
    for team, other in (TEAMS[:2], TEAMS[1::-1]):
        assert len(rules[team]) > 60
        for name, expression in rules[team].items():
            series = SERIES.findall(expression)
            assert series and all(after.startswith(f'{{namespace="{team}"') for after in series), (name, expression)
            assert other not in expression and expression.replace(team, other) == rules[other][name]
