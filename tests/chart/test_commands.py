"""sluice-command: when these pods are there, what they read, have and reach, and that the program takes their file."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from chart import Rendered, over, refusal, render, rendered, values_of
from test_configmap import as_mounted, check
from test_network import ports_out
from test_notes import notes
from test_objects import conforms
from test_tools import secrets_of as mounted
from test_workloads import secrets_of

COMMANDS = values_of("commands")
OTHERS = ["ingress", "consumer", "retry", "ctl"]
OWN = {"sluice-command", "commands-tls", "caller-ads", "caller-refunds"}
ON = {"command": {"enabled": True}, "config": {key: COMMANDS["config"][key] for key in ("callers", "commands")}}


@pytest.fixture(scope="module")
def release() -> Rendered:
    return rendered(COMMANDS)


def config_of(release: Rendered, part: str = "command") -> str:
    [name] = [volume["configMap"]["name"] for volume in release.pod(part)["volumes"] if volume["name"] == "config"]
    return release.config(name)


def check_job(release: Rendered) -> dict:
    return release.one("Job", "sluice-check-command")["spec"]["template"]["spec"]


def test_it_is_there_when_it_is_asked_for() -> None:
    assert not [each for each in render({}).objects if "command" in each["metadata"]["name"]]
    release = render(ON)
    assert release.deployment("command")["spec"]["replicas"] == 2
    assert "sluice-command" in release.names("Service")
    assert "sluice-command" not in release.names("HorizontalPodAutoscaler")


def test_it_is_made_like_the_ingress(release: Rendered) -> None:
    ours, theirs = release.container("command"), release.container("ingress")
    assert (ours["command"], ours["image"]) == (["/usr/bin/sluice-command"], "registry.example.com/payments/sluice-command:0.1.0")
    for key in ("env", "securityContext", "startupProbe", "livenessProbe", "readinessProbe", "lifecycle"):
        assert ours[key] == theirs[key], key
    assert {port["name"]: port["containerPort"] for port in ours["ports"]} == {"commands": 8081, "operations": 9090}
    assert "args" not in ours
    deployment = release.deployment("command")["spec"]
    assert deployment["strategy"] == release.deployment("ingress")["spec"]["strategy"]
    assert deployment["progressDeadlineSeconds"] == release.deployment("retry")["spec"]["progressDeadlineSeconds"], "it waits for the migration"
    labels = deployment["template"]["metadata"]["labels"]
    assert labels["sluice/operations"] == "true", "the Service and the PodMonitor find it"
    assert release.one("PodDisruptionBudget", "sluice-command")["spec"]["selector"]["matchLabels"].items() <= labels.items()
    assert release.one("ServiceAccount", release.pod("command")["serviceAccountName"])["automountServiceAccountToken"] is False
    conforming = conforms(release.text)
    assert conforming.returncode == 0, conforming.stdout + conforming.stderr


def test_keys_of_callers_are_mounted_into_its_pods_alone(release: Rendered) -> None:
    assert secrets_of(release, "command") == mounted(check_job(release)) == OWN
    for part in OTHERS:
        assert not secrets_of(release, part) & OWN, part
    others = {job["metadata"]["name"]: mounted(job["spec"]["template"]["spec"]) & OWN for job in release.all("Job")}
    assert {name for name, secrets in others.items() if secrets} == {"sluice-check-command"}


def test_it_reads_its_sections_and_nobody_else_does(release: Rendered) -> None:
    assert yaml.safe_load(config_of(release)).keys() == {"operations", "command", "callers", "commands", "mysql"}
    for part in ("consumer", "retry"):
        assert not yaml.safe_load(config_of(release, part)).keys() & {"command", "callers", "commands"}, part


def test_the_program_takes_its_file(release: Rendered, tmp_path: Path) -> None:
    result = check("sluice-command", as_mounted(config_of(release), tmp_path))
    assert result.returncode == 0, result.stderr


def test_the_program_takes_the_file_of_its_check_without_what_is_not_mounted(release: Rendered, tmp_path: Path) -> None:
    pod = check_job(release)
    assert pod["containers"][0]["command"] == ["/usr/bin/sluice-command"] and pod["containers"][0]["args"] == ["--check"]
    [name] = [volume["configMap"]["name"] for volume in pod["volumes"] if volume["name"] == "config"]
    file = as_mounted(release.config(name), tmp_path)
    (tmp_path / "sluice-stripe/2026-10").unlink()
    result = check("sluice-command", file)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("change,rolls", [
    ({"effects": []}, set()), ({"listen": {"threads": 1}}, {"ingress", "ctl"}), ({"commands": COMMANDS["config"]["commands"] * 2}, {"command", "ctl"}),
    ({"callers": COMMANDS["config"]["callers"][:1]}, {"command", "ctl"}), ({"command": {"workers": 3}}, {"command"}),
    ({"mysql": {"port": 3307}}, {"command", "consumer", "retry", "ctl"})])
def test_pods_are_made_anew_when_what_they_read_changes(release: Rendered, change: dict, rolls: set[str]) -> None:
    after = rendered(over(COMMANDS, {"config": change}))
    changed = {part for part in ("command", *OTHERS)
               if release.deployment(part)["spec"]["template"] != after.deployment(part)["spec"]["template"]}
    assert changed - ({"consumer", "retry", "ctl"} if "effects" in change else set()) == rolls


def test_callers_come_in_from_where_they_may_and_it_reaches_mysql(release: Rendered) -> None:
    spec = release.one("NetworkPolicy", "sluice-command")["spec"]
    assert ports_out(spec) == {53, 3306}
    commands, operations = spec["ingress"]
    assert commands == {"ports": [{"port": "commands", "protocol": "TCP"}], "from": COMMANDS["networkPolicy"]["commandsFrom"]}
    assert operations["ports"][0]["port"] == "operations"
    entrances = {part: release.one("NetworkPolicy", f"sluice-{part}")["spec"].get("ingress", []) for part in OTHERS}
    assert not [part for part, rules in entrances.items() for rule in rules if rule["ports"][0]["port"] == "commands"]


@pytest.mark.parametrize("tls,port,protocol", [({}, 80, "http"), (COMMANDS["config"]["command"]["listen"], 443, "https")])
def test_the_service_says_how_it_is_spoken_to(tls: dict, port: int, protocol: str) -> None:
    values = over(ON, {"config": {"command": {"listen": tls}}}, {"command": {"service": {"port": port}}})
    service = render(values).one("Service", "sluice-command")["spec"]
    assert service["type"] == "ClusterIP" and service["selector"]["app.kubernetes.io/component"] == "command"
    assert service["ports"] == [{"name": "commands", "port": port, "targetPort": "commands", "appProtocol": protocol}]


def test_it_scales_by_processor_time(release: Rendered) -> None:
    assert "replicas" not in release.deployment("command")["spec"]
    spec = release.one("HorizontalPodAutoscaler", "sluice-command")["spec"]
    assert (spec["scaleTargetRef"]["name"], spec["minReplicas"], spec["maxReplicas"]) == ("sluice-command", 2, 6)
    assert spec["metrics"] == [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}}}]
    peak = {"type": "cron", "metadata": {"timezone": "Asia/Shanghai", "start": "0 0 * * *", "end": "0 2 * * *", "desiredReplicas": "6"}}
    scaled = rendered(over(COMMANDS, {"command": {"autoscaling": {"extraTriggers": [peak]}}}))
    assert "sluice-command" not in scaled.names("HorizontalPodAutoscaler")
    assert [each["type"] for each in scaled.one("ScaledObject", "sluice-command")["spec"]["triggers"]] == ["cpu", "cron"]


def with_caller(**said: object) -> dict:
    return {"config": {"callers": [{**COMMANDS["config"]["callers"][0], **said}]}}


SCALES = {"command": {"autoscaling": {"enabled": True}}}
REFUSED: dict[str, tuple[dict, str]] = {
    "no commands": ({"config": {"commands": []}}, "command.enabled is true and config.commands is empty"),
    "no callers": ({"config": {"callers": []}}, "command.enabled is true and config.callers is empty"),
    "a caller without a key": (with_caller(keys=[]), "config.callers: ads has neither keys nor certificate"),
    "a caller's key as text": (with_caller(keys=[{"id": "k1", "value": "whsec_x"}]), "config.callers[0].keys[0].value contains a secret"),
    "a caller's Secret without a key": (with_caller(keys=[{"id": "k1", "value": {"file": "/run/secrets/a"}}]), "write /run/secrets/NAME/KEY"),
    "nobody's address": ({"config": {"command": {"listen": {"address": "127.0.0.1:8081"}}}}, "config.command.listen.address is 127.0.0.1:8081"),
    "one port for two": ({"config": {"command": {"listen": {"address": "0.0.0.0:9090"}}}}, "has the port of config.operations.address"),
    "a slip of the pen": ({"config": {"command": {"wokers": 3}}}, "wokers"),
    "as many threads as the node has CPUs": ({"config": {"command": {"listen": {"threads": "auto"}}}}, "command.resources.limits.cpu is not set"),
    "a grace that cuts requests": ({"command": {"terminationGracePeriodSeconds": 39}}, "command.terminationGracePeriodSeconds is 39, but draining may take 40"),
    "a grace that a longer drain outgrows": ({"config": {"command": {"listen": {"drain_within": "1m"}}}}, "draining may take 75"),
    "commands of one part": ({"command": {"config": {"commands": []}}}, "command.config has commands, which all parts must share"),
    "rights beyond the standard": ({"command": {"pod": {"securityContext": {"runAsUser": 0}}}}, "command.pod.securityContext.runAsUser is 0"),
    "scaling without a request": (over(SCALES, {"command": {"resources": {"requests": {"cpu": None}}}}), "command.autoscaling needs command.resources"),
    "fewer pods at most than at least": (over(SCALES, {"command": {"autoscaling": {"minReplicas": 11}}}), "command.autoscaling.minReplicas is 11"),
    "no pod": ({"command": {"replicas": 0}}, "replicas"),
    "an image of nobody's registry": ({"image": {"registry": ""}, "ingress": {"image": {"repository": "r/i"}}, "consumer": {
        "image": {"repository": "r/c"}}, "ctl": {"image": {"repository": "r/t"}}}, "nodes would look for sluice-command:0.1.0 on Docker Hub")}


@pytest.mark.parametrize("values,sentence", REFUSED.values(), ids=REFUSED)
def test_wrong_values_are_refused_with_a_sentence(values: dict, sentence: str) -> None:
    assert sentence in refusal(over(ON, values))


def test_its_sessions_count_where_those_of_mysql_are_few() -> None:
    scaling = {"consumer": {"autoscaling": {"enabled": True, "rate": {"perPod": 200}, "mysqlConnections": 81}}}
    assert "and sluice-command 10 more" in refusal(over(ON, scaling))
    render(ON, scaling, {"consumer": {"autoscaling": {"mysqlConnections": 82}}})


def test_its_own_login_makes_no_other_pod_anew() -> None:
    login = {"command": {"config": {"mysql": {"user": "sluice-command", "password": {"file": "/run/secrets/own/password"}}}}}
    before, after = render(ON), render(ON, login)
    assert "own" in secrets_of(after, "command") and yaml.safe_load(config_of(after))["mysql"]["user"] == "sluice-command"
    assert all(before.deployment(part) == after.deployment(part) for part in OTHERS[:3])


def test_the_notes_say_where_commands_come_in_and_where_nobody_executes_them(tmp_path: Path) -> None:
    assert "sluice-command, port 80:\n  POST /v1/commands/charge-click\n" in notes(ON, tmp_path)
    assert "no pod of this release executes them" in notes(over(ON, {"command": {"enabled": False}}), tmp_path)
