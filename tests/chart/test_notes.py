"""What an installation says at its end: pairs of values of which one is missing."""

from __future__ import annotations

import json
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
