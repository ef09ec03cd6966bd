"""helm/sluice/ci/accounts-values.yaml: each role has a login of its own, and no pod has another's."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from chart import TREE, Rendered, over, rendered, values_of
from test_tools import secrets_of
from tests.cluster import accounts

VALUES = values_of("accounts")
PAGE = (TREE / "docs" / "kubernetes.md").read_text()
BESIDE = {"sluice-stripe", "sluice-operators"}  # no logins
ROLES = {*accounts.KAFKA, *accounts.MYSQL, *accounts.REDIS}


@pytest.fixture(scope="module")
def release() -> Rendered:
    return rendered(VALUES)


def pods(release: Rendered) -> dict[str, dict]:
    """By component; the checks are pods of their own that mount what their part does."""
    workloads = [each for kind in ("Deployment", "Job") for each in release.all(kind)]
    parts = {each["metadata"]["labels"]["app.kubernetes.io/component"]: each["spec"]["template"]["spec"] for each in workloads}
    return {part: pod for part, pod in parts.items() if part != "check"}


MOUNTED = {"ingress": {"sluice-ingress"}, "consumer": {"sluice-consumer"}, "retry": {"sluice-retry"}, "migrate": {"sluice-migrate"},
           "effects": {"sluice-effects"}, "topics": {"sluice-topics"}, "ctl": {"sluicectl", "sluice-doctor"}}


def test_each_part_has_its_own_login_and_no_other(release: Rendered) -> None:
    assert {part: secrets_of(pod) - BESIDE for part, pod in pods(release).items()} == MOUNTED


def test_user_and_password_are_those_of_the_secret() -> None:
    def logins(node: object) -> list[tuple[str, str]]:
        if not isinstance(node, dict):
            return []
        user = node.get("user") or node.get("username")
        own = [(user["file"], node["password"]["file"])] if isinstance(user, dict) else []
        return own + [pair for value in node.values() for pair in logins(value)]
    named = logins(VALUES)
    assert len(named) == 12, "five of Kafka, five of MySQL, two of Redis"
    assert all(user.removesuffix("/user") == password.removesuffix("/password") for user, password in named)


def test_keda_logs_in_as_itself(release: Rendered) -> None:
    targets = release.one("TriggerAuthentication", "sluice-consumer")["spec"]["secretTargetRef"]
    assert targets == [{"parameter": "password", "name": "keda", "key": "password"}, {"parameter": "username", "name": "keda", "key": "user"}]
    assert "keda" not in set().union(*map(secrets_of, pods(release).values()))


def test_they_are_the_accounts_that_run_on_a_cluster(release: Rendered) -> None:
    """tests/cluster installs with these logins, under the rights of SECURITY.md."""
    assert rendered(over(VALUES, accounts.values())).objects == release.objects
    assert set(re.findall(r"/run/secrets/([\w-]+)/", yaml.safe_dump(VALUES))) | {"keda"} == ROLES | BESIDE


def test_the_commands_of_the_page_make_their_secrets(tmp_path: Path) -> None:
    block = next(text for text in re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE) if "for role in" in text)
    kubectl = tmp_path / "kubectl"
    kubectl.write_text('#!/bin/sh\necho "$*" >> "$SAID"\n')
    kubectl.chmod(0o755)
    said = tmp_path / "said"
    subprocess.run(["bash", "-eu", "-c", block], check=True, timeout=20, env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "SAID": str(said)})
    made = re.findall(r"-n payments create secret generic (\S+) --from-literal=user=(\S+) --from-literal=password=(\w{48})$",
                      said.read_text(), re.MULTILINE)
    assert {name for name, _, _ in made} == ROLES and all(name == user for name, user, _ in made)
    assert len({password for _, _, password in made}) == len(ROLES)
