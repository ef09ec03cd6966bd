"""helm/sluice/ci/accounts-values.yaml: each role has a login of its own, and no pod has another's."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from chart import CHART, TREE, Rendered, over, rendered, run_helm, values_of
from test_tools import secrets_of
from tests.cluster import accounts
from tests.support import guarded_database, guarded_redis

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


def test_user_and_password_are_those_of_the_secret_for_the_server() -> None:
    """One password for two servers could not be rotated on one of them alone."""
    def logins(node: object, server: str = "") -> list[tuple[str, str, str]]:
        if not isinstance(node, dict):
            return []
        user = node.get("user") or node.get("username")
        own = [(server, user["file"], node["password"]["file"])] if isinstance(user, dict) else []
        return own + [login for key, value in node.items() for login in logins(value, key if key in accounts.ROLES_OF else server)]
    named = logins(VALUES)
    assert len(named) == 24, "nine of Kafka, ten of MySQL, five of Redis"
    assert all(password == user.removesuffix("user") + f"{server}-password" for server, user, password in named)


def test_keda_logs_in_as_itself(release: Rendered) -> None:
    targets = release.one("TriggerAuthentication", "sluice-consumer")["spec"]["secretTargetRef"]
    assert targets == [{"parameter": "password", "name": "keda", "key": "kafka-password"}, {"parameter": "username", "name": "keda", "key": "user"}]
    assert "keda" not in set().union(*map(secrets_of, pods(release).values()))


def test_they_are_the_accounts_that_run_on_a_cluster(release: Rendered) -> None:
    """tests/cluster installs with these logins, under the rights of SECURITY.md."""
    assert rendered(over(VALUES, accounts.values())).objects == release.objects
    assert set(re.findall(r"/run/secrets/([\w-]+)/", yaml.safe_dump(VALUES))) | {"keda"} == ROLES | BESIDE


def block_with(words: str) -> str:
    return next(text for text in re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE) if words in text)


def typed(folder: Path, *blocks: str, **programs: str) -> str:
    """What these programs are called with when the blocks are typed in; each is a script that may answer."""
    said = folder / "said"
    for name, answer in programs.items():
        file = folder / name.replace("_", "-")
        file.write_text(f'#!/bin/sh\necho "$(basename "$0") $*" >> "$SAID"\n{answer}\n')
        file.chmod(0o755)
    subprocess.run(["bash", "-eu", "-c", "".join(blocks)], check=True, timeout=20, cwd=folder,
                   env={"PATH": f"{folder}:{os.environ['PATH']}", "SAID": str(said)})
    return said.read_text()


def test_the_commands_of_the_page_make_the_secrets(tmp_path: Path) -> None:
    """Each with what the values name of it, and nothing else."""
    made = {name: dict(re.findall(r"--from-(?:literal|file)=([\w-]+)=?(\S*)", rest)) for name, rest in re.findall(
        r"^kubectl -n payments create secret generic (\S+) (.+)$", typed(tmp_path, block_with("account() {"), kubectl=""), re.MULTILINE)}
    assert {name: keys.keys() for name, keys in made.items() if name in BESIDE} == {"sluice-stripe": {"2026-10"}, "sluice-operators": {"on-call"}}
    assert {name: keys.keys() for name, keys in made.items() if name not in BESIDE} == {
        role: {"user", *(f"{server}-password" for server in accounts.new_account(role, "").passwords)} for role in ROLES}
    assert all(made[role]["user"] == role for role in ROLES)
    passwords = [word for role in ROLES for key, word in made[role].items() if key != "user"]
    assert len({*passwords}) == len(passwords) == 24 and all(re.fullmatch(r"[0-9a-f]{48}", word) for word in passwords)
    assert len(made["sluice-operators"]["on-call"]) == 64


def test_the_commands_of_the_page_tell_the_servers_these_passwords(tmp_path: Path) -> None:
    answer = r"""echo "$*" | sed -E 's/.* secret (\S+) .*data\.(\w+)-password.*/\1 of \2/; s/ /-/g' | tr -d '\n' | base64"""
    for name, lines in (("mysql.sql", guarded_database.SECURITY), ("redis.txt", guarded_redis.SECURITY)):
        (tmp_path / name).write_text(lines.read_text())
    said = typed(tmp_path, block_with("password() {"), block_with("mysql.sql"), kubectl=answer, kafka_configs="")
    assert set(re.findall(r"^kafka-configs .*--entity-name (\S+) --add-config SCRAM-SHA-512=\[password=(\S+)\]$", said, re.MULTILINE)) == {
        (role, f"{role}-of-kafka") for role in accounts.KAFKA}
    users = dict(re.findall(r"^CREATE USER '(\S+)'@'%' IDENTIFIED BY '(\S+)';$", (tmp_path / "mysql.sql").read_text(), re.MULTILINE))
    users |= dict(re.findall(r"^ACL SETUSER (\S+) reset on >(\S+) ", (tmp_path / "redis.txt").read_text(), re.MULTILINE))
    assert users == {**{role: f"{role}-of-mysql" for role in accounts.MYSQL}, **{role: f"{role}-of-redis" for role in accounts.REDIS},
                     **dict.fromkeys(("sluice-keys", "sluice-eraser", "sluice-markers"), "PASSWORD")}


def test_the_command_of_the_page_that_rotates_changes_one_password(tmp_path: Path) -> None:
    said = typed(tmp_path, block_with("patch secret"), kubectl="", kafka_configs="")
    [(name, patch)] = re.findall(r"^kubectl -n payments patch secret (\S+) --patch (.+)$", said, re.MULTILINE)
    [(key, password)] = json.loads(patch)["stringData"].items()
    assert (name, key) == ("sluice-ingress", "kafka-password") and f"--entity-name {name} --add-config SCRAM-SHA-512=[password={password}]" in said


def test_the_migrations_job_of_the_page_needs_nothing_else_of_the_chart(release: Rendered) -> None:
    [template] = re.findall(r"^helm .* --show-only (\S+) > migrate.yaml$", block_with("--show-only"), re.MULTILINE)
    result = run_helm(CHART / "ci" / "accounts-values.yaml", arguments=("--show-only", template))
    assert result.returncode == 0, result.stderr
    alone = Rendered(result.stdout)
    [job] = alone.all("Job")
    assert job["metadata"]["labels"]["app.kubernetes.io/component"] == "migrate" and job in release.all("Job")
    pod = job["spec"]["template"]["spec"]
    assert {volume["configMap"]["name"] for volume in pod["volumes"] if "configMap" in volume} == {*alone.names("ConfigMap")}
    assert [pod["serviceAccountName"]] == alone.names("ServiceAccount") and alone.names("NetworkPolicy") == ["sluice-migrate"]
