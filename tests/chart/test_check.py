"""Before a release changes anything, both programs judge its configuration with what their pods will have."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from chart import CASES, Rendered, over, render, rendered, values_of
from test_configmap import BIN, MOUNTED, as_mounted
from test_tools import HOOK, POLICY, WEIGHT, secrets_of

PARTS = ["ingress", "consumer"]
STRIPE = values_of("stripe")


@pytest.fixture(scope="module")
def stripe() -> Rendered:
    return render(STRIPE)


def check_job(release: Rendered, part: str) -> dict:
    return release.one("Job", f"sluice-check-{part}")


def pod(release: Rendered, part: str) -> dict:
    return check_job(release, part)["spec"]["template"]["spec"]


@pytest.mark.parametrize("part", PARTS)
def test_each_program_is_asked_once_and_for_a_short_time(stripe: Rendered, part: str) -> None:
    spec, container = check_job(stripe, part)["spec"], pod(stripe, part)["containers"][0]
    assert container["command"] == [f"/usr/bin/sluice-{part}"] and container["args"] == ["--check"]
    assert container["image"] == stripe.container(part)["image"]
    assert (spec["backoffLimit"], spec["activeDeadlineSeconds"], pod(stripe, part)["restartPolicy"]) == (0, 60, "Never")
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


def told(release: Rendered, part: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The Job's own arguments, with those Secrets alone that its pod mounts."""
    config = as_mounted(release.config("sluice-check"), folder)
    mounted = secrets_of(pod(release, part))
    for path in MOUNTED.findall(release.config("sluice-check")):
        if path.split("/")[3] not in mounted:
            (folder / path.removeprefix("/run/secrets/")).unlink(missing_ok=True)
    container = pod(release, part)["containers"][0]
    return subprocess.run([str(BIN / f"sluice-{part}"), *container["args"]], text=True, capture_output=True, timeout=20, check=False,
                          env={**os.environ, "STRIPE_OLD": "whsec_old", "SLUICE_CONFIG": str(config)})


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_good_configuration_passes_with_the_secrets_of_the_part_alone(case: Path, part: str, tmp_path: Path) -> None:
    result = told(rendered(case), part, tmp_path)
    assert result.returncode == 0, result.stderr


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
