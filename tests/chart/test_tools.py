"""Jobs, on-call's pod and the self-test: sluicectl with its own configuration, Secrets and rights, and without a shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from chart import CHART, NAMESPACE, TREE, Rendered, over, refusal, render, run_helm, values_of
from test_configmap import BIN, as_mounted

HOOK, WEIGHT, POLICY = "helm.sh/hook", "helm.sh/hook-weight", "helm.sh/hook-delete-policy"


@pytest.fixture(scope="module")
def full() -> Rendered:
    return render(values_of("full"))


def job(rendered: Rendered, part: str) -> dict:
    return next(each for each in rendered.all("Job") if each["metadata"]["labels"]["app.kubernetes.io/component"] == part)


def secrets_of(pod: dict) -> set[str]:
    return {volume["secret"]["secretName"] for volume in pod["volumes"] if "secret" in volume}


@pytest.mark.parametrize("part,arguments", [("migrate", ["migrate", "--apply"]),
                                            ("topics", ["topics", "--apply", "--partitions", "12", "--replication", "3"])])
def test_a_job_runs_its_command(full: Rendered, part: str, arguments: list[str]) -> None:
    pod = job(full, part)["spec"]["template"]["spec"]
    assert pod["containers"][0]["command"] == ["/usr/bin/sluicectl"] and pod["containers"][0]["args"] == arguments
    assert pod["automountServiceAccountToken"] is False and pod["restartPolicy"] == "Never", "or the log lines of what failed are gone"
    assert pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"] is True


@pytest.mark.parametrize("part,secrets", [("migrate", {"sluice-migrate"}), ("topics", {"sluice-kafka-admin"})])
def test_a_job_has_a_user_of_its_own_and_that_secret_only(full: Rendered, part: str, secrets: set[str]) -> None:
    assert secrets_of(job(full, part)["spec"]["template"]["spec"]) == secrets


def test_a_job_that_differs_has_another_name() -> None:
    """Jobs cannot change; one with the same name and another image would stop the upgrade."""
    first, same, newer = (render(values) for values in ({}, {"retry": {"replicas": 3}}, {"image": {"tag": "0.2.0"}}))
    names = [job(each, "migrate")["metadata"]["name"] for each in (first, same, newer)]
    assert names[0] == names[1] != names[2] and re.fullmatch("sluice-migrate-[0-9a-f]{8}", names[0])
    assert HOOK not in job(first, "migrate")["metadata"].get("annotations", {})


@pytest.mark.parametrize("part", ["migrate", "topics", "effects"])
def test_a_job_that_failed_runs_again_with_the_next_revision(part: str, tmp_path: Path) -> None:
    """`helm template` knows the first revision only, so the second is written into a copy of the template."""
    copy = tmp_path / "sluice"
    shutil.copytree(CHART, copy)
    template = copy / "templates" / "jobs" / "_job.tpl"
    template.write_text(template.read_text().replace("$root.Release.Revision", "(add 1 $root.Release.Revision)"))
    first, second = (Rendered(run_helm(CHART / "ci" / "full-values.yaml", chart=chart).stdout) for chart in (CHART, copy))
    assert job(first, part)["metadata"]["name"] != job(second, part)["metadata"]["name"]
    assert job(first, part)["spec"] == job(second, part)["spec"]


def revision_of(rendered: Rendered, name: str = "sluice") -> int:
    return yaml.safe_load(rendered.config(name))["effects_revision"]


def test_effects_have_the_releases_revision_or_ones_own() -> None:
    assert revision_of(render({})) == 1 and revision_of(render({"config": {"effects_revision": 7}})) == 7


def test_another_revision_of_the_same_effects_makes_no_pod_anew() -> None:
    first, second = (render({"config": {"effects_revision": number}, "ctl": {"enabled": True}}) for number in (7, 8))
    for part in ("ingress", "consumer", "retry", "ctl"):
        assert first.deployment(part)["spec"]["template"] == second.deployment(part)["spec"]["template"], part


def test_a_release_that_is_rolled_back_puts_its_effects_in_force(full: Rendered, tmp_path: Path) -> None:
    """Helm makes the Job of the older manifest anew, since the newer release had deleted it; before the schema it has nothing to do."""
    this = job(full, "effects")
    assert this["spec"]["template"]["spec"]["containers"][0]["args"] == ["effects", "--apply", "--operator", "helm", "--reason", "release sluice, revision 1"]
    assert HOOK not in this["metadata"].get("annotations", {}) and re.fullmatch("sluice-effects-[0-9a-f]{8}", this["metadata"]["name"])
    config = yaml.safe_load(full.config("sluice-effects"))
    assert revision_of(full, "sluice-effects") == 1 and config["effects"] == yaml.safe_load(full.config())["effects"]
    assert secrets_of(this["spec"]["template"]["spec"]) == {"sluice-mysql"}, "it verifies nothing"
    other = render(values_of("full"), {"config": {"effects": []}})
    assert job(other, "effects")["metadata"]["name"] != this["metadata"]["name"], "Argo CD renders the first revision only"


def test_nobody_has_to_have_the_job_of_the_effects() -> None:
    assert "sluice-effects" not in str(render({"effects": {"mode": "none"}}).names("Job"))


def test_a_migration_may_take_an_hour() -> None:
    release = render({})
    assert job(release, "migrate")["spec"]["activeDeadlineSeconds"] == 3600
    for part in ("consumer", "retry"):
        assert release.deployment(part)["spec"]["progressDeadlineSeconds"] == 4200, "its pods wait for it, and that is no failure"
    assert "progressDeadlineSeconds" not in release.deployment("ingress")["spec"]
    assert "progressDeadlineSeconds" not in render({"migrate": {"mode": "none"}}).deployment("consumer")["spec"]


@pytest.mark.parametrize("part", ["migrate", "effects", "topics"])
def test_a_proxy_of_the_database_runs_beside_a_job(part: str) -> None:
    proxy = {"name": "cloud-sql-proxy", "image": "proxy:2", "restartPolicy": "Always"}
    release = render({"pod": {"extraInitContainers": [proxy]}, part: {"mode": "job", "pod": {"labels": {"mesh": "off"}}}})
    template = job(release, part)["spec"]["template"]
    assert template["spec"]["initContainers"] == [proxy] and template["metadata"]["labels"]["mesh"] == "off"


@pytest.mark.parametrize("helm", ["helm", "helm3"])
def test_large_numbers_stay_whole_numbers(helm: str) -> None:
    """Helm counts in doubles and prints a month of seconds as 2.592e+06, which is no number of seconds to Kubernetes."""
    month = 2_592_000
    rendered = render({"migrate": {"ttlSecondsAfterFinished": month, "activeDeadlineSeconds": month},
                       "ingress": {"terminationGracePeriodSeconds": month}}, helm=helm)
    spec = job(rendered, "migrate")["spec"]
    assert "e+06" not in rendered.text
    assert (spec["ttlSecondsAfterFinished"], spec["activeDeadlineSeconds"]) == (month, month)
    assert rendered.pod("ingress")["terminationGracePeriodSeconds"] == month


@pytest.mark.parametrize("part", ["migrate", "topics"])
def test_a_hook_needs_nothing_that_the_release_makes_later(part: str) -> None:
    """The known trap: a hook that waits for a ConfigMap or a ServiceAccount of the release ends in Helm's time-out."""
    rendered = render(values_of("hooks"))
    spec = job(rendered, part)["spec"]["template"]["spec"]
    needed = [("ServiceAccount", spec["serviceAccountName"]),
              *(("ConfigMap", volume["configMap"]["name"]) for volume in spec["volumes"] if "configMap" in volume)]
    weight = int(job(rendered, part)["metadata"]["annotations"][WEIGHT])
    for kind, name in [*needed, ("NetworkPolicy", f"sluice-{part}")]:
        annotations = rendered.one(kind, name)["metadata"]["annotations"]
        assert annotations[HOOK] == "pre-install,pre-upgrade" and int(annotations[WEIGHT]) < weight
        assert annotations[POLICY] == "before-hook-creation,hook-succeeded"  # else it would outlive the release


def test_a_hook_takes_argo_cds_annotations() -> None:
    rendered = render(values_of("hooks"))
    for each in (job(rendered, "migrate"), rendered.one("ConfigMap", "sluice-migrate")):
        assert each["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"] == "-1"
    assert "argocd.argoproj.io/sync-wave" not in job(rendered, "topics")["metadata"]["annotations"]


def test_nothing_is_migrated_when_nobody_wants_it() -> None:
    rendered = render({"migrate": {"mode": "none"}})
    assert "sluice-migrate" not in str(rendered.names("Job")) and "sluice-migrate" not in rendered.names("ConfigMap") + rendered.names("ServiceAccount")


def test_on_call_has_a_pod_with_users_of_its_own(full: Rendered) -> None:
    pod, config = full.pod("ctl"), yaml.safe_load(full.config("sluice-ctl"))
    assert (config["mysql"]["user"], config["kafka"]["sasl"]["user"]) == ("sluice_ops", "sluice-ops")
    assert yaml.safe_load(full.config())["mysql"]["user"] == "sluice"
    assert secrets_of(pod) == {"sluice-ops", "sluice-operators"}, "the keys of sources are not for everybody who may exec"
    assert pod["serviceAccountName"] == "sluice-ctl" and full.one("ServiceAccount", "sluice-ctl")
    assert {"name": "SLUICE_CONFIG", "value": "/etc/sluice/sluice.yaml"} in full.container("ctl")["env"]
    assert {port["port"] for rule in full.one("NetworkPolicy", "sluice-ctl")["spec"]["egress"] for port in rule["ports"]} == {53, 9092, 3306, 6379}
    assert "ingress" not in full.one("NetworkPolicy", "sluice-ctl")["spec"]


def test_on_call_can_save_a_body_and_it_touches_no_disk(full: Rendered) -> None:
    assert full.container("ctl")["workingDir"] == "/work"
    assert {"name": "work", "mountPath": "/work"} in full.container("ctl")["volumeMounts"]
    assert {"name": "work", "emptyDir": {"medium": "Memory", "sizeLimit": "64Mi"}} in full.pod("ctl")["volumes"]


def test_on_call_has_no_key_of_the_listener() -> None:
    """sluicectl does not listen, and whoever may exec into its pod would have the certificate's key."""
    tls = {"config": {"listen": {"tls": {"cert": {"file": "/run/secrets/https/tls.crt"}, "key": {"file": "/run/secrets/https/tls.key"}}}},
           "selftest": {"enabled": False}}
    release = render(values_of("full"), tls)
    mounted = {part: [volume["secret"]["secretName"] for volume in release.pod(part)["volumes"] if "secret" in volume] for part in ("ctl", "ingress")}
    assert "https" in mounted["ingress"] and "https" not in mounted["ctl"]


def test_on_call_may_get_the_keys_of_sources() -> None:
    pod = render(values_of("full"), {"ctl": {"sourceSecrets": True}}).pod("ctl")
    assert secrets_of(pod) == {"sluice-ops", "sluice-operators", "sluice-stripe", "sluice-selftest"}


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("port", [8080, 8443])
def test_on_call_gets_past_the_policies_with_keys_of_sources_only(wanted: bool, port: int) -> None:
    """`sluicectl send` in its pod: out of it, and into the ingress."""
    release = render(values_of("full"), {"ctl": {"sourceSecrets": wanted}, "config": {"listen": {"address": f"0.0.0.0:{port}"}}})
    out = [way for way in release.one("NetworkPolicy", "sluice-ctl")["spec"]["egress"] if way["ports"] == [{"port": port, "protocol": "TCP"}]]
    labels = {part: release.deployment(part)["spec"]["template"]["metadata"]["labels"] for part in ("ingress", "ctl")}
    into = release.one("NetworkPolicy", "sluice-ingress")["spec"]["ingress"][0]
    allowed = [each["podSelector"]["matchLabels"] for each in into["from"] if "podSelector" in each]
    assert bool(out) == any(each.items() <= labels["ctl"].items() for each in allowed) == wanted
    assert all(way["to"][0]["podSelector"]["matchLabels"].items() <= labels["ingress"].items() for way in out)


def test_on_calls_pod_takes_the_command_of_the_page_that_sends(tmp_path: Path) -> None:
    page = (TREE / "docs" / "kubernetes.md").read_text()
    [command] = re.findall(r"^kubectl -n payments exec deploy/sluice-ctl -- sluicectl (send .*)$", page, re.MULTILINE)
    assert "--url http://sluice-ingress " in command and "sluice-ingress" in render({}).names("Service")
    config = as_mounted(render(values_of("full"), {"ctl": {"sourceSecrets": True}}).config("sluice-ctl"), tmp_path)
    result = subprocess.run([str(BIN / "sluicectl"), *command.split(), "--save", str(tmp_path / "sent"), "--config", str(config)], text=True,
                            capture_output=True, timeout=30, check=False)
    assert result.returncode == 0 and len([*(tmp_path / "sent").iterdir()]) == 1, result.stderr


def test_no_pod_for_on_call_unless_wanted() -> None:
    assert "sluice-ctl" not in render({}).names("Deployment")


@pytest.mark.parametrize("case,name,command", [("full", "sluice-migrate", ["migrate"]), ("hooks", "sluice-migrate", ["migrate"]),
                                               ("full", "sluice-effects", ["effects"]), ("full", "sluice-ctl", ["dlq", "list"]), ("full", "sluice-selftest", ["event", "show", "x", "--no-kafka"])])
def test_sluicectl_takes_the_configuration_that_it_gets(case: str, name: str, command: list[str], tmp_path: Path) -> None:
    """It ends where there is no server (3), not with what stands in the file (2)."""
    text = re.sub(r"host: \S+", "host: 127.0.0.1\n  port: 1", render(values_of(case)).config(name))
    result = subprocess.run([str(BIN / "sluicectl"), *command, "--config", str(as_mounted(text, tmp_path))], text=True,
                            capture_output=True, timeout=30, check=False)
    assert result.returncode == 3 and "127.0.0.1" in result.stderr, result.stderr


# Self-test

def test_the_self_test_is_off_by_default() -> None:
    rendered = render({})
    assert "selftest" not in rendered.text and not rendered.all("Pod")


def test_the_self_test_posts_once_and_twice_and_waits_for_both(full: Rendered) -> None:
    pod = full.one("Pod", "sluice-selftest")
    assert pod["metadata"]["annotations"][HOOK] == "test"
    steps = {each["name"]: each["args"] for each in pod["spec"]["initContainers"]}
    sent = {name: arguments for name, arguments in steps.items() if name.startswith("send-")}
    assert [*steps] == [*sent, "applied-after"], "looked at once all is sent"
    assert [(name, arguments[arguments.index("--duplicates") + 1]) for name, arguments in sent.items()] == [
        ("send-once", "0"), ("send-twice", "100"), ("send-after", "0")]
    waits = {each["name"]: each["args"] for each in pod["spec"]["containers"]} | {"applied-after": steps["applied-after"]}
    assert waits == {f"applied-{name}": ["event", "show", f"{name}-$(POD_UID)", "--no-kafka", "--applied", "--wait", "30"]
                     for name in ("once", "twice", "after")}
    assert all(f"webhook-id={name}-$(POD_UID)" in sent[f"send-{name}"] for name in ("once", "twice", "after")), "each run has ids of its own"
    assert [f"/data/id={name}-$(POD_UID)" in sent[f"send-{of}"] for name, of in (("once", "once"), ("twice", "twice"), ("twice", "after"))] == [True] * 3
    assert pod["spec"]["restartPolicy"] == "OnFailure" and pod["spec"]["activeDeadlineSeconds"] == 180
    assert f"http://sluice-ingress.{NAMESPACE}.svc:80" in sent["send-once"]


def test_the_only_effect_of_the_self_test_writes_to_its_table(full: Rendered) -> None:
    config = yaml.safe_load(full.config())
    assert [source["name"] for source in config["sources"]] == ["stripe-eu", "selftest"]
    acting = [effect for effect in config["effects"] if effect["when"]["source"] == "selftest"]
    assert [effect["insert"]["table"] for effect in acting] == ["sluice_selftest"]


def test_the_self_test_gets_past_the_policies(full: Rendered) -> None:
    webhooks = full.one("NetworkPolicy", "sluice-ingress")["spec"]["ingress"][0]
    allowed = [each["podSelector"]["matchLabels"] for each in webhooks["from"] if "podSelector" in each]
    labels = full.one("Pod", "sluice-selftest")["metadata"]["labels"]
    assert any(each.items() <= labels.items() for each in allowed)


@pytest.mark.parametrize("url,port,to_the_ingress", [("", 8080, True), ("https://hooks.example.com", 443, False), ("http://edge.example:8081", 8081, False)])
def test_the_self_test_can_leave_its_pod(url: str, port: int, to_the_ingress: bool) -> None:
    """Where the namespace denies what no policy allows."""
    release = render(values_of("full"), {"selftest": {"url": url}})
    spec = release.one("NetworkPolicy", "sluice-selftest")["spec"]
    assert spec["podSelector"]["matchLabels"].items() <= release.one("Pod", "sluice-selftest")["metadata"]["labels"].items()
    ways = {way["ports"][0]["port"]: way.get("to") for way in spec["egress"]}
    assert ways.keys() == {53, 3306, port} and "ingress" not in spec
    labels = release.deployment("ingress")["spec"]["template"]["metadata"]["labels"]
    assert (ways[port] is not None) == to_the_ingress
    assert not to_the_ingress or ways[port][0]["podSelector"]["matchLabels"].items() <= labels.items()


def test_the_pod_of_the_self_test_can_be_set_like_those_of_jobs() -> None:
    own = {"labels": {"mesh": "in"}, "annotations": {"a": "b", HOOK: "none"}, "nodeSelector": {"pool": "tests"}, "extraEnv": [{"name": "A", "value": "b"}],
           "extraInitContainers": [{"name": "proxy", "image": "x", "restartPolicy": "Always"}]}
    pod = render(values_of("full"), {"pod": {"labels": {"all": "pods"}}, "selftest": {"pod": own}}).one("Pod", "sluice-selftest")
    metadata, spec = pod["metadata"], pod["spec"]
    assert {"mesh": "in", "all": "pods", "app.kubernetes.io/component": "selftest"}.items() <= metadata["labels"].items()
    assert metadata["annotations"]["a"] == "b" and metadata["annotations"][HOOK] == "test"
    assert spec["nodeSelector"] == {"pool": "tests"} and spec["initContainers"][0]["name"] == "proxy"
    assert all({"name": "A", "value": "b"} in each["env"] for each in spec["containers"])


@pytest.mark.parametrize("part", ["migrate", "topics", "effects", "selftest"])
def test_what_would_never_end_beside_a_job_is_refused(part: str) -> None:
    sidecar = {"name": "proxy", "image": "x", "restartPolicy": "Always"}
    said = refusal(over(values_of("full"), {part: {"pod": {"extraContainers": [sidecar]}}}))
    assert f"move it to {part}.pod.extraInitContainers, with restartPolicy: Always (a native sidecar)" in said
    render(values_of("full"), {part: {"pod": {"extraInitContainers": [sidecar]}}}, {"pod": {"extraContainers": [sidecar]}})


def test_no_policy_for_a_self_test_that_is_off_or_where_policies_are_others() -> None:
    assert "sluice-selftest" not in render({}).names("NetworkPolicy")
    assert not render(values_of("full"), {"networkPolicy": {"enabled": False}}).all("NetworkPolicy")


def test_sluicectl_takes_what_the_self_test_tells_it(full: Rendered, tmp_path: Path) -> None:
    """The very arguments of the Pod, but that it writes the requests down in place of sending them."""
    pod = full.one("Pod", "sluice-selftest")["spec"]
    config = as_mounted(full.config("sluice-selftest"), tmp_path)
    (tmp_path / "sluice-selftest" / "key").write_text("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
    for container, requests in zip(pod["initContainers"][:3], (1, 2, 1), strict=True):
        arguments = [each.replace("$(POD_UID)", "0f-1") for each in container["args"]]
        folder = tmp_path / container["name"]
        result = subprocess.run([str(BIN / "sluicectl"), *arguments, "--save", str(folder)], text=True, capture_output=True, timeout=30,
                                check=False, env={**os.environ, "SLUICE_CONFIG": str(config)})
        assert result.returncode == 0, result.stderr
        saved = [file.read_text() for file in sorted(folder.iterdir())]
        assert len(saved) == requests and all("-0f-1" in text.split("webhook-id: ")[1].split("\n")[0] for text in saved)


REFUSED = {
    "without a key": ({"secretName": ""}, {}, "selftest.secretName must name a Secret"),
    "beside an effect for everything": ({}, {"effects": [{"name": "all", "when": {"type": "x"}}]}, "effect all would act on test events too"),
    "beside an effect for its provider": ({}, {"effects": [{"name": "sw", "when": {"provider": ["stripe", "standard-webhooks"]}}]},
                                          "effect sw would act on test events too"),
    "beside a source of its name": ({}, {"sources": [{"name": "selftest", "recipe": "stripe"}]}, "source selftest has the name"),
    "beside a source of its principal": ({}, {"sources": [{"name": "a", "recipe": "stripe", "principal": "sluice-selftest"}]}, "source a has"),
    "behind sluice's own TLS": ({}, {"listen": {"tls": {"cert": {"file": "/c"}, "key": {"file": "/k"}}}}, "selftest.url must be given")}


@pytest.mark.parametrize("selftest,config,sentence", REFUSED.values(), ids=REFUSED)
def test_a_self_test_that_could_do_harm_is_refused(selftest: dict, config: dict, sentence: str) -> None:
    on = {"selftest": {"enabled": True, "secretName": "s"}}
    assert sentence in refusal(over(on, {"selftest": selftest, "config": config}))


def test_effects_that_name_their_source_or_provider_go_with_the_self_test() -> None:
    render({"selftest": {"enabled": True, "secretName": "s"}, "config": {"effects": [
        {"name": "a", "when": {"source": "stripe-eu"}}, {"name": "b", "when": {"provider": "stripe"}}]}})


# Topics

def test_strimzis_topics_are_those_of_sluicectl() -> None:
    """deploy/kafka/topics.yaml is what `sluicectl topics` makes; a chart that is packed cannot read it."""
    hot = {"name": "charge", "hot": {"account": "/merchant"}}
    rendered = render(values_of("strimzi"), {"command": {"enabled": True}, "config": {"callbacks": {"record": "all"}, "callers": [{"name": "a", "keys": [{"id": "k"}]}], "commands": [hot]}})
    wanted = yaml.safe_load((TREE / "deploy" / "kafka" / "topics.yaml").read_text())
    names = {"main": ["Payments_v2"], "quarantine": ["Payments_v2.quarantine"], "originals": ["Payments_v2.originals"], "callbacks": ["Payments_v2.callbacks"], "dlq": ["dead.letters"],
             "commands": ["Payments_v2.payouts.cmd"], "hot": ["sluice.commands"], "retry": [f"Payments_v2.payouts.retry.{tier}" for tier in ("5s", "30s", "2m", "10m", "1h")]}
    assert wanted.keys() == names.keys()
    made = {each["spec"]["topicName"]: each for each in rendered.all("KafkaTopic")}
    assert sorted(made) == sorted(name for each in names.values() for name in each)
    for what, wish in wanted.items():
        for name in names[what]:
            spec = made[name]["spec"]
            partitions = 24 if what == "main" or wish["partitions"] == "as_main" else wish["partitions"]
            assert (spec["partitions"], spec["replicas"], spec["config"]["min.insync.replicas"]) == (partitions, 3, 2)
            assert spec["config"]["retention.ms"] == int(wish["retention"].removesuffix("d")) * 86_400_000
            assert spec["config"]["max.message.bytes"] == int(wish["max_message_bytes"].removesuffix("MiB")) << 20


def test_strimzis_topics_outlive_the_release_and_find_their_kafka() -> None:
    for each in render(values_of("strimzi")).all("KafkaTopic"):
        assert each["metadata"]["annotations"]["helm.sh/resource-policy"] == "keep"
        assert each["metadata"]["labels"]["strimzi.io/cluster"] == "main" and each["metadata"]["namespace"] == "kafka"
        assert re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", each["metadata"]["name"])


def test_a_kafka_is_named() -> None:
    assert "topics.kafkaTopic.cluster must name" in refusal({"topics": {"mode": "kafkaTopic"}})


def test_no_topic_is_made_by_default() -> None:
    rendered = render({})
    assert {each["metadata"]["labels"]["app.kubernetes.io/component"] for each in rendered.all("Job")} == {"check", "migrate", "effects"}
    assert not rendered.all("KafkaTopic")
