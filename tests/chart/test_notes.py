"""What an installation says at its end: pairs of values of which one is missing."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from chart import CHART, LEAST, over, tool, values_of

RULES = {"monitoring": {"rules": {"enabled": True, "runbookUrl": "https://wiki.example.com/sluice"}}}
CTL, PODS = {"ctl": {"enabled": True}}, {"monitoring": {"podMonitor": {"enabled": True}}}
OPERATORS = {"operators": {"keys": [{"id": "on-call", "value": {"file": "/run/secrets/sluice-operators/on-call"}}]}}
SCALED = over(values_of("scaled"), {"config": {"listen": {"proxy": {"mode": "none"}}}})
SAID = {
    "operators.keys is empty": ({}, {"config": OPERATORS}),
    "ctl.enabled is false": (RULES, over(RULES, CTL)),
    "Neither monitoring.serviceMonitor": (RULES, over(RULES, PODS)), "on and monitoring.rules off": (SCALED, over(SCALED, RULES)),
    "proxy.mode is none": (SCALED, values_of("scaled")),
    "in clear text": ({"ingress": {"service": {"type": "LoadBalancer"}}}, {})}


# Helm 4's alone: Helm 3 wants a cluster for it.
def notes(values: dict, folder: Path) -> str:
    file = folder / "values.json"
    file.write_text(json.dumps(over(LEAST, values)))
    command = [tool("helm"), "install", "sluice", str(CHART), "--dry-run=client", "--namespace", "payments", "--values", str(file)]
    result = subprocess.run(command, text=True, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL,
                            env={"HOME": str(folder), "KUBECONFIG": str(folder / "none")})
    assert result.returncode == 0, result.stderr
    return result.stdout.partition("\nNOTES:\n")[2]


@pytest.mark.parametrize("sentence", SAID)
def test_what_is_missing_is_said_and_only_then(sentence: str, tmp_path: Path) -> None:
    missing, whole = SAID[sentence]
    assert sentence in notes(missing, tmp_path)
    assert sentence not in notes(whole, tmp_path)


def test_an_installation_with_everything_is_told_of_nothing_that_is_missing(tmp_path: Path) -> None:
    said = notes(values_of("full"), tmp_path)
    assert "exec deploy/sluice-ctl -- sluicectl dlq list" in said and not [sentence for sentence in SAID if sentence in said]


READ_AGAIN, READ_ONCE = ("keys of sources", "users", "passwords"), ("Kafka's CA and client certificate", "OAUTHBEARER", "tracing.headers", "operators' keys")


def test_what_is_read_at_each_login_wants_no_new_pods(tmp_path: Path) -> None:
    """A password is read again (docs/decisions/0085-credentials-at-each-login.md); so is Redis' certificate (test_redis_tls)."""
    sentences = re.split(r"(?<=[.])\s", " ".join(notes(values_of("full"), tmp_path).split()))
    [token] = [each for each in sentences if "rolloutToken" in each]
    assert all(what in token for what in READ_ONCE) and "password" not in token and "Redis" not in token
    [again] = [each for each in sentences if "passwords" in each]
    assert all(what in again for what in READ_AGAIN) and "again" in again


def test_values_and_page_say_the_same_of_it() -> None:
    """values.yaml is the source of the chart's README too."""
    said = " ".join((CHART / "values.yaml").read_text().replace("\n#", "").split()).partition("Any text; a new value replaces all pods.")[2]
    once, again = said.partition("rolloutToken:")[0].split(": Helm does not see")
    assert "Redis" not in once and "passwords and the certificates for Redis and MySQL are read again" in again
    row = next(line for line in (CHART.parents[1] / "docs" / "kubernetes.md").read_text().splitlines() if "read only at the start" in line)
    assert "Redis" not in row and "password" not in row and "`rolloutToken`" in row


def test_who_scales_is_told_how_to_see_kedas_version(tmp_path: Path) -> None:
    command = """kubectl -n keda get deployment keda-operator -o jsonpath='{.spec.template.spec.containers[0].image}{"\\n"}'"""
    said = notes(SCALED, tmp_path)
    assert "KEDA 2.18 or newer" in said and f"\n  {command}\n" in said
    assert command in (CHART.parents[1] / "docs" / "kubernetes.md").read_text()
    peak = {"ingress": {"autoscaling": {"enabled": True, "extraTriggers": [{"type": "cron", "metadata": {}}]}}}
    assert command in notes(peak, tmp_path)
    for without in ({}, {"ingress": {"autoscaling": {"enabled": True}}}):
        assert "KEDA" not in notes(without, tmp_path), "an HPA needs none"


def test_without_the_ingress_no_webhook_comes_in(tmp_path: Path) -> None:
    said = notes(values_of("polled-only"), tmp_path)
    assert "no webhook comes in" in said and "-ingress" not in said and "logs deploy/sluice-consumer" in said
