"""Before a release changes anything, both programs judge its configuration with what their pods will have."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from chart import CASES, Rendered, over, render, rendered, values_of
from test_configmap import BIN, MOUNTED, as_mounted
from test_tools import HOOK, POLICY, WEIGHT, secrets_of

PARTS = ["ingress", "consumer", "retry"]
STRIPE = values_of("stripe")


@pytest.fixture(scope="module")
def stripe() -> Rendered:
    return render(STRIPE)


def check_job(release: Rendered, part: str) -> dict:
    return release.one("Job", f"sluice-check-{part}")


def pod(release: Rendered, part: str) -> dict:
    return check_job(release, part)["spec"]["template"]["spec"]


@pytest.mark.parametrize("part", PARTS)
def test_each_program_is_asked_and_its_verdict_is_final(stripe: Rendered, part: str) -> None:
    spec, container = check_job(stripe, part)["spec"], pod(stripe, part)["containers"][0]
    args = {"ingress": ["--check"], "consumer": ["--check", "--role", "main"], "retry": ["--check", "--role", "retry"]}
    assert container["command"] == stripe.container(part)["command"] and container["args"] == args[part]
    assert container["image"] == stripe.container(part)["image"]
    assert (spec["activeDeadlineSeconds"], pod(stripe, part)["restartPolicy"]) == (300, "Never")
    refused, evicted = spec["podFailurePolicy"]["rules"]
    assert refused == {"action": "FailJob", "onExitCodes": {"containerName": container["name"], "operator": "In", "values": [2]}}
    assert evicted == {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}
    assert pod(stripe, part)["automountServiceAccountToken"] is False
    assert container["securityContext"] == stripe.container(part)["securityContext"]


@pytest.mark.parametrize("part", PARTS)
def test_it_gets_what_the_part_gets(part: str) -> None:
    """Secrets, and what operators have added: a folder of certificates, a secret from the environment, nodes."""
    release = render(STRIPE, {part: {"pod": {
        "extraVolumes": [{"name": "paypal", "emptyDir": {}}], "extraVolumeMounts": [{"name": "paypal", "mountPath": "/certs"}],
        "extraEnv": [{"name": "A", "value": "b"}], "nodeSelector": {"pool": "hooks"}, "extraContainers": [{"name": "beside", "image": "x"}]}}})
    judged, runs = pod(release, part), release.pod(part)
    assert secrets_of(judged) == secrets_of(runs)
    for key in ("env", "volumeMounts"):
        assert judged["containers"][0][key] == runs["containers"][0][key]
    assert judged["nodeSelector"] == runs["nodeSelector"] and judged["volumes"][1:] == runs["volumes"][1:]
    assert len(judged["containers"]) == 1, "what never ends beside it would keep the Job from ending"


def test_it_comes_before_all_other_hooks_and_needs_nothing_of_the_release() -> None:
    release = render(values_of("hooks"))
    hooks = [each for each in release.objects if HOOK in each["metadata"].get("annotations", {})]
    ours: dict[bool, list[int]] = {True: [], False: []}
    for each in hooks:
        ours[each["metadata"]["labels"]["app.kubernetes.io/component"] == "check"].append(int(each["metadata"]["annotations"][WEIGHT]))
    assert max(ours[True]) < min(ours[False])
    for part in PARTS:
        spec, weight = pod(release, part), int(check_job(release, part)["metadata"]["annotations"][WEIGHT])
        needed = [("ServiceAccount", spec["serviceAccountName"]), ("NetworkPolicy", "sluice-check"),
                  *(("ConfigMap", volume["configMap"]["name"]) for volume in spec["volumes"] if "configMap" in volume)]
        for kind, name in needed:
            annotations = release.one(kind, name)["metadata"]["annotations"]
            assert annotations[HOOK] == "pre-install,pre-upgrade" and int(annotations[WEIGHT]) < weight
            assert annotations[POLICY] == "before-hook-creation,hook-succeeded"


def test_it_reaches_nobody_and_is_no_pod_of_the_service(stripe: Rendered) -> None:
    spec = stripe.one("NetworkPolicy", "sluice-check")["spec"]
    assert spec["policyTypes"] == ["Ingress", "Egress"] and "egress" not in spec and "ingress" not in spec
    labels = check_job(stripe, "ingress")["spec"]["template"]["metadata"]["labels"]
    assert spec["podSelector"]["matchLabels"].items() <= labels.items() and "sluice/operations" not in labels
    for each in [*stripe.all("Service"), *stripe.all("PodDisruptionBudget")]:
        wanted = each["spec"]["selector"]
        assert not wanted.get("matchLabels", wanted).items() <= labels.items()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_it_judges_the_very_file_that_the_pods_get(case: Path) -> None:
    release = rendered(case)
    assert release.config("sluice-check") == release.config()


def config_of(pod: dict) -> str:
    [name] = [volume["configMap"]["name"] for volume in pod["volumes"] if volume["name"] == "config"]
    return name


def told(release: Rendered, part: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The Job's own arguments and file, with those Secrets alone that its pod mounts."""
    text = release.config(config_of(pod(release, part)))
    config = as_mounted(text, folder)
    mounted = secrets_of(pod(release, part))
    for path in MOUNTED.findall(text):
        if path.startswith("/run/") and path.split("/")[3] not in mounted:
            (folder / path.removeprefix("/run/secrets/")).unlink(missing_ok=True)
    container = pod(release, part)["containers"][0]
    return subprocess.run([str(BIN / Path(container["command"][0]).name), *container["args"]], text=True, capture_output=True, timeout=20, check=False,
                          env={**os.environ, "STRIPE_OLD": "whsec_old", "SLUICE_CONFIG": str(config)})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_good_configuration_passes_with_the_secrets_of_the_part_alone(case: Path, tmp_path: Path) -> None:
    release = rendered(case)
    parts = [name.removeprefix("sluice-check-") for name in release.names("Job") if name.startswith("sluice-check-")]
    assert set(parts) == {name.removeprefix("sluice-") for kind in ("Deployment", "StatefulSet") for name in release.names(kind)} - {"ctl"}
    for part in parts:
        result = told(release, part, tmp_path / part)
        assert result.returncode == 0, result.stderr


def test_a_key_of_an_operator_that_is_too_short_ends_the_job_of_who_reads_it(tmp_path: Path) -> None:
    """The main role mounts no such key and cannot know."""
    wrong = {"config": {"operators": {"keys": [{"id": "on-call", "value": {"env": "STRIPE_OLD"}}]}}}
    refused = told(render(STRIPE, wrong), "retry", tmp_path / "retry")
    assert refused.returncode == 2 and "too short to sign with" in refused.stderr
    assert told(render(STRIPE, wrong), "consumer", tmp_path / "consumer").returncode == 0
    both = told(render(values_of("small"), wrong), "consumer", tmp_path / "both")
    assert both.returncode == 2 and "too short to sign with" in both.stderr


@pytest.mark.parametrize("part,config,said", [("ingress", {"listen": {"max_connections": 0}}, "max_connections"),
                                              ("consumer", {"consumer": {"workers": 1000}}, "workers")])
def test_a_configuration_that_a_program_refuses_ends_its_job(part: str, config: dict, said: str, tmp_path: Path) -> None:
    result = told(render({"config": config}), part, tmp_path)
    assert result.returncode == 2 and said in result.stderr


def test_it_can_be_left_out() -> None:
    release = render({"check": {"enabled": False}})
    assert not [each for each in release.objects if "check" in each["metadata"]["name"]]


def test_argo_cds_annotations_reach_it() -> None:
    release = render(over(values_of("hooks"), {"check": {"annotations": {"argocd.argoproj.io/sync-wave": "-2"}}}))
    assert check_job(release, "ingress")["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"] == "-2"


@pytest.mark.parametrize("part", PARTS)
def test_its_pods_can_be_told_apart_from_those_of_a_mesh(part: str) -> None:
    """A sidecar that finds no way out would never let the check begin. Init containers of programs are not run for it."""
    own = {"labels": {"sidecar.istio.io/inject": "false"}, "extraInitContainers": [{"name": "fetch", "image": "vault"}]}
    release = render(STRIPE, {"check": {"pod": own}, "pod": {"extraInitContainers": [{"name": "proxy", "image": "cloud-sql"}]}})
    assert check_job(release, part)["spec"]["template"]["metadata"]["labels"]["sidecar.istio.io/inject"] == "false"
    assert [one["name"] for one in pod(release, part)["initContainers"]] == ["fetch"]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_with_a_configuration_of_its_own_is_judged_by_that(part: str) -> None:
    """A user for each part: what the internet reaches may then write webhooks and nothing else."""
    login = {"kafka": {"sasl": {"mechanism": "SCRAM-SHA-512", "user": f"sluice-{part}", "password": {"file": f"/run/secrets/kafka-{part}/password"}}}}
    release = render(STRIPE, {part: {"config": login}})
    runs, judged = release.pod(part), pod(release, part)
    own = [config_of(runs), config_of(judged)]
    assert own[1] == f"sluice-check-{part}" and secrets_of(judged) == secrets_of(runs)
    for name in release.names("ConfigMap"):
        assert (f"user: sluice-{part}" in release.config(name)) == (name in own), name
    assert judged["containers"][0]["command"] == release.container(part)["command"]
    assert f"kafka-{part}" in secrets_of(runs)
    others = {"ingress", "consumer", "retry"} - {part}
    for other in others:
        assert release.pod(other) == render(STRIPE).pod(other), "nothing of another part changes"
