"""The Deployments: what a pod may do, what it can reach of Secrets, when it is made anew, how it ends."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from chart import CHART, Rendered, over, render, run_helm, values_of

PARTS = ["ingress", "consumer", "retry"]
STRIPE = values_of("stripe")


@pytest.fixture(scope="module")
def stripe() -> Rendered:
    return render(STRIPE)


def secrets_of(rendered: Rendered, part: str) -> set[str]:
    return {volume["secret"]["secretName"] for volume in rendered.pod(part)["volumes"] if "secret" in volume}


def test_who_tells_traces_gets_the_collectors_token() -> None:
    tracing = {"endpoint": "https://otlp.example.com/v1/traces", "headers": [{"name": "Authorization", "value": {"file": "/run/secrets/otlp/token"}}]}
    rendered = render({"config": {"tracing": tracing}, "ctl": {"enabled": True}})
    with_token = {part for part in ("ingress", "consumer", "retry", "ctl") if "otlp" in secrets_of(rendered, part)}
    assert with_token == {"ingress", "consumer", "retry"}


def test_who_gives_commands_or_carries_them_out_gets_the_operators_keys() -> None:
    operators = {"keys": [{"id": "on-call", "value": {"file": "/run/secrets/operators/on-call"}}]}
    rendered, without = render({"config": {"operators": operators}, "ctl": {"enabled": True}}), render({"ctl": {"enabled": True}})
    with_keys = {part for part in ("ingress", "consumer", "retry", "ctl") if "operators" in secrets_of(rendered, part)}
    assert with_keys == {"retry", "ctl"}
    made_anew = {part for part in ("ingress", "consumer", "retry", "ctl") if rendered.deployment(part) != without.deployment(part)}
    assert made_anew == {"retry", "ctl"}, "who reads them not goes on running"


@pytest.mark.parametrize("part,program,arguments", [
    ("ingress", "sluice-ingress", None), ("consumer", "sluice-consumer", ["--role", "main"]),
    ("retry", "sluice-consumer", ["--role", "retry"])])
def test_each_part_runs_its_program(stripe: Rendered, part: str, program: str, arguments: list[str] | None) -> None:
    container = stripe.container(part)
    assert container["command"] == [f"/usr/bin/{program}"] and container.get("args") == arguments
    assert container["image"] == f"registry.example.com/payments/{program}:0.1.0"


@pytest.mark.parametrize("part", PARTS)
def test_pods_have_no_rights_beyond_their_own(stripe: Rendered, part: str) -> None:
    pod, container = stripe.pod(part), stripe.container(part)
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True and pod["securityContext"]["runAsUser"] == 65532
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                                            "capabilities": {"drop": ["ALL"]}}
    account = stripe.one("ServiceAccount", pod["serviceAccountName"])
    assert account["automountServiceAccountToken"] is False


@pytest.mark.parametrize("part,secrets", [
    ("ingress", {"sluice-kafka", "sluice-redis", "sluice-stripe", "sluice-wechat", "sluice-wechat-body"}),
    ("consumer", {"sluice-kafka", "sluice-mysql", "sluice-wechat-body"}),
    ("retry", {"sluice-kafka", "sluice-mysql", "sluice-stripe", "sluice-wechat", "sluice-wechat-body"})])
def test_each_part_gets_the_secrets_that_it_reads_and_no_others(stripe: Rendered, part: str, secrets: set[str]) -> None:
    assert secrets_of(stripe, part) == secrets
    mounted = {mount["mountPath"] for mount in stripe.container(part)["volumeMounts"]}
    assert mounted == {"/etc/sluice", *(f"/run/secrets/{name}" for name in secrets)}


@pytest.mark.parametrize("part", PARTS)
def test_mounts_follow_changes(stripe: Rendered, part: str) -> None:
    """A subPath is a copy: a rotated key would never arrive."""
    assert not [mount for mount in stripe.container(part)["volumeMounts"] if "subPath" in mount]


def test_the_chart_makes_no_secret(stripe: Rendered) -> None:
    assert not stripe.all("Secret")


CHANGES = {
    "effects": ({"effects": []}, {"consumer", "retry"}), "listen": ({"listen": {"max_connections": 5}}, {"ingress"}),
    "redis": ({"redis": {"lease": "5s"}}, {"ingress"}), "kafka": ({"kafka": {"min_insync": 1}}, set(PARTS)),
    "sources": ({"sources": STRIPE["config"]["sources"][:1]}, set(PARTS)), "nothing": ({}, set())}


@pytest.mark.parametrize("change,parts", CHANGES.values(), ids=CHANGES)
def test_pods_are_made_anew_when_what_they_read_changes(stripe: Rendered, change: dict, parts: set[str]) -> None:
    after = render(over(STRIPE, {"config": change}))
    rolled = {part for part in PARTS if stripe.deployment(part)["spec"]["template"] != after.deployment(part)["spec"]["template"]}
    assert rolled == parts


def test_another_version_of_the_chart_alone_makes_no_pod_anew(tmp_path: Path) -> None:
    copy = tmp_path / "sluice"
    shutil.copytree(CHART, copy)
    (copy / "Chart.yaml").write_text((CHART / "Chart.yaml").read_text().replace("\nversion: 0.", "\nversion: 9."))
    before, after = (Rendered(run_helm(CHART / "ci" / "full-values.yaml", chart=chart).stdout) for chart in (CHART, copy))
    assert "sluice-9." in after.text
    assert [before.deployment(part)["spec"] for part in PARTS] == [after.deployment(part)["spec"] for part in PARTS]
    assert before.names("Job") == after.names("Job")


def test_a_rollout_token_makes_all_pods_anew(stripe: Rendered) -> None:
    after = render(STRIPE, {"rolloutToken": "kafka password of 2026-12"})
    assert all(stripe.deployment(part)["spec"]["template"] != after.deployment(part)["spec"]["template"] for part in PARTS)


def test_probes_ask_the_operations_listener() -> None:
    rendered = render({"config": {"operations": {"address": "0.0.0.0:9191"}}})
    for part in PARTS:
        container = rendered.container(part)
        assert {"name": "operations", "containerPort": 9191, "protocol": "TCP"} in container["ports"]
        asked = {probe: container[probe]["httpGet"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")}
        assert {path["port"] for path in asked.values()} == {"operations"}
        assert [path["path"] for path in asked.values()] == ["/livez", "/livez", "/readyz"]


def test_the_ingress_sleeps_before_it_is_told_to_end_without_a_shell(stripe: Rendered) -> None:
    assert stripe.container("ingress")["lifecycle"] == {"preStop": {"sleep": {"seconds": 5}}}
    assert "lifecycle" not in stripe.container("consumer")  # nobody sends it anything


def test_a_new_pod_is_ready_before_an_old_one_goes(stripe: Rendered) -> None:
    for part in PARTS:
        assert stripe.deployment(part)["spec"]["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}


def test_a_roll_out_goes_on_when_the_new_pod_has_been_ready_for_a_while() -> None:
    standard = render({})
    assert [standard.deployment(part)["spec"]["minReadySeconds"] for part in PARTS] == [5, 10, 10]
    given = render({"ingress": {"minReadySeconds": 0, "maxSurge": "25%"}, "consumer": {"maxSurge": 3}})
    assert given.deployment("ingress")["spec"]["minReadySeconds"] == 0
    surges = [given.deployment(part)["spec"]["strategy"]["rollingUpdate"] for part in PARTS]
    assert surges == [{"maxSurge": surge, "maxUnavailable": 0} for surge in ("25%", 3, 1)]


def test_pods_spread_over_nodes_and_zones_by_their_own_labels(stripe: Rendered) -> None:
    for part in PARTS:
        labels = stripe.deployment(part)["spec"]["selector"]["matchLabels"]
        spread = stripe.pod(part)["topologySpreadConstraints"]
        assert [each["topologyKey"] for each in spread] == ["kubernetes.io/hostname", "topology.kubernetes.io/zone"]
        assert all(each["labelSelector"]["matchLabels"] == labels for each in spread)


def test_selectors_tell_the_parts_apart(stripe: Rendered) -> None:
    labels = {part: stripe.deployment(part)["spec"]["template"]["metadata"]["labels"] for part in PARTS}
    selector = stripe.one("Service", "sluice-ingress")["spec"]["selector"]
    assert {part for part in PARTS if selector.items() <= labels[part].items()} == {"ingress"}
    operations = stripe.one("Service", "sluice-operations")["spec"]
    assert operations["clusterIP"] == "None" and operations["publishNotReadyAddresses"] is True
    assert all(operations["selector"].items() <= labels[part].items() for part in PARTS)


def test_an_image_by_digest_wins_over_its_tag() -> None:
    digest = "sha256:" + "0123456789abcdef" * 4
    rendered = render({"image": {"tag": "1.2.3"}, "ingress": {"image": {"digest": digest}},
                       "global": {"imageRegistry": "mirror.example", "imagePullSecrets": ["pull"]}})
    assert rendered.container("ingress")["image"] == f"mirror.example/sluice-ingress@{digest}"
    assert rendered.container("retry")["image"] == "mirror.example/sluice-consumer:1.2.3"
    assert rendered.pod("retry")["imagePullSecrets"] == [{"name": "pull"}]


def test_a_part_says_otherwise_than_all_pods() -> None:
    rendered = render({"pod": {"nodeSelector": {"pool": "all"}, "priorityClassName": "high"},
                       "retry": {"pod": {"nodeSelector": {"pool": "retry"}}}})
    assert [rendered.pod(part)["nodeSelector"]["pool"] for part in PARTS] == ["all", "all", "retry"]
    assert {rendered.pod(part)["priorityClassName"] for part in PARTS} == {"high"}


def test_an_account_may_be_somebody_elses() -> None:
    rendered = render({"ingress": {"serviceAccount": {"create": False, "name": "theirs"}}, "retry": {"serviceAccount": {"create": False}},
                       "consumer": {"serviceAccount": {"name": "mine", "annotations": {"a": "b"}}}})
    assert [rendered.pod(part)["serviceAccountName"] for part in PARTS] == ["theirs", "mine", "default"]
    assert rendered.names("ServiceAccount") == ["mine", "sluice-check", "sluice-effects", "sluice-migrate"]
    assert rendered.one("ServiceAccount", "mine")["metadata"]["annotations"] == {"a": "b"}


def test_extra_blocks_reach_the_pod() -> None:
    rendered = render({"ingress": {"pod": {
        "extraEnv": [{"name": "A", "value": "b"}], "extraEnvFrom": [{"configMapRef": {"name": "more"}}],
        "extraVolumes": [{"name": "paypal", "emptyDir": {}}], "extraVolumeMounts": [{"name": "paypal", "mountPath": "/certs"}],
        "extraContainers": [{"name": "beside", "image": "x:1"}], "extraInitContainers": [{"name": "before", "image": "x:1"}],
        "annotations": {"a": "1"}, "labels": {"l": "2"}, "deploymentAnnotations": {"reloader.stakater.com/auto": "true"}}}})
    deployment, pod, container = rendered.deployment("ingress"), rendered.pod("ingress"), rendered.container("ingress")
    metadata = deployment["spec"]["template"]["metadata"]
    assert {"name": "A", "value": "b"} in container["env"] and container["envFrom"] == [{"configMapRef": {"name": "more"}}]
    assert {"name": "paypal", "emptyDir": {}} in pod["volumes"]
    assert {"name": "paypal", "mountPath": "/certs"} in container["volumeMounts"]
    assert pod["containers"][1]["name"] == "beside" and pod["initContainers"][0]["name"] == "before"
    assert metadata["annotations"]["a"] == "1" and metadata["labels"]["l"] == "2"
    assert deployment["metadata"]["annotations"] == {"reloader.stakater.com/auto": "true"}
    assert "initContainers" not in rendered.pod("consumer")


def test_names_stay_within_kubernetes_bounds() -> None:
    rendered = Rendered(run_helm(CHART / "ci" / "least-values.yaml", arguments=("--set", f"fullnameOverride={'x' * 63}")).stdout)
    assert max(len(each["metadata"]["name"]) for each in rendered.objects) <= 63


def test_a_small_installation_has_both_roles_in_one_deployment() -> None:
    """What the retry role reads, operators' keys and those of sources, its pods have then."""
    small = render(values_of("small"))
    assert set(small.names("Deployment")) == {"sluice-ingress", "sluice-consumer"}
    assert small.container("consumer")["args"] == ["--role", "both"]
    assert secrets_of(small, "consumer") == {"sluice-mysql", "sluice-stripe", "sluice-operators"}
    assert not [name for kind in ("ServiceAccount", "PodDisruptionBudget", "NetworkPolicy") for name in small.names(kind) if "retry" in name]
    apart = render(values_of("small"), {"retry": {"enabled": True}})
    assert secrets_of(apart, "consumer") == {"sluice-mysql"} and apart.container("consumer")["args"] == ["--role", "main"]
