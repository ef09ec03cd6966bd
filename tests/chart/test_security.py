"""As whom pods run and what they may: values may say otherwise, within the restricted Pod Security Standard."""

from __future__ import annotations

import pytest

from chart import CHART, Rendered, over, refusal, render, run_helm, values_of

POD = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
CONTAINER = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}


def pods(release: Rendered) -> list[dict]:
    whole = [*release.all("Deployment"), *release.all("Job")]
    return [each["spec"]["template"]["spec"] for each in whole] + [each["spec"] for each in release.all("Pod")]


def containers(release: Rendered) -> list[dict]:
    return [each for pod in pods(release) for each in [*pod.get("initContainers", []), *pod["containers"]]]


@pytest.mark.parametrize("helm", ["helm", "helm3"])
def test_openshift_gives_the_users_itself(helm: str) -> None:
    """From the file as it stands: a null takes the standard value away."""
    release = Rendered(run_helm(CHART / "ci" / "openshift-values.yaml", helm=helm).stdout)
    assert len(pods(release)) == 11
    assert all(pod["securityContext"] == POD for pod in pods(release))
    assert all(each["securityContext"] == CONTAINER for each in containers(release))


def test_what_is_said_is_merged_key_by_key() -> None:
    release = render({"pod": {"securityContext": {"runAsUser": 1000, "supplementalGroups": [7]}, "containerSecurityContext": {"runAsGroup": 8}},
                      "retry": {"pod": {"securityContext": {"runAsUser": 2000}}}})
    users = {part: release.pod(part)["securityContext"]["runAsUser"] for part in ("ingress", "consumer", "retry")}
    assert users == {"ingress": 1000, "consumer": 1000, "retry": 2000}
    assert release.pod("retry")["securityContext"] == {
        **POD, "runAsUser": 2000, "runAsGroup": 65532, "fsGroup": 65532, "fsGroupChangePolicy": "OnRootMismatch", "supplementalGroups": [7]}
    assert all(each["securityContext"] == {**CONTAINER, "runAsGroup": 8} for each in containers(release))


@pytest.mark.parametrize("helm", ["helm", "helm3"])
def test_a_part_may_take_a_key_away_too(helm: str) -> None:
    release = render({"retry": {"pod": {"securityContext": {"runAsUser": None}}}}, helm=helm)
    assert "runAsUser" not in release.pod("retry")["securityContext"] and "runAsUser" in release.pod("consumer")["securityContext"]


WRONG: dict[str, tuple[dict, str]] = {
    "a root that is written to": ({"containerSecurityContext": {"readOnlyRootFilesystem": False}}, "readOnlyRootFilesystem must be true"),
    "one that nobody speaks of": ({"containerSecurityContext": {"readOnlyRootFilesystem": None}}, "readOnlyRootFilesystem must be true"),
    "more rights later": ({"containerSecurityContext": {"allowPrivilegeEscalation": True}}, "allowPrivilegeEscalation must be false"),
    "privileged": ({"containerSecurityContext": {"privileged": True}}, "more rights than the restricted"),
    "capabilities kept": ({"containerSecurityContext": {"capabilities": {"drop": ["KILL"]}}}, "capabilities must drop ALL"),
    "a capability more": ({"containerSecurityContext": {"capabilities": {"add": ["SYS_ADMIN"]}}}, "capabilities must drop ALL"),
    "root": ({"securityContext": {"runAsUser": 0}}, "runAsUser is 0"),
    "root of a container": ({"containerSecurityContext": {"runAsUser": 0}}, "runAsUser is 0"),
    "perhaps root": ({"securityContext": {"runAsNonRoot": False}}, "runAsNonRoot must be true"),
    "root after all": ({"containerSecurityContext": {"runAsNonRoot": False}}, "more rights than the restricted"),
    "every system call": ({"securityContext": {"seccompProfile": {"type": "Unconfined"}}}, "seccompProfile.type must be")}


@pytest.mark.parametrize("pod,sentence", WRONG.values(), ids=WRONG)
def test_rights_that_the_standard_refuses_are_refused(pod: dict, sentence: str) -> None:
    assert sentence in refusal({"pod": pod})


@pytest.mark.parametrize("part", ["ingress", "consumer", "retry", "ctl"])
def test_a_part_may_not_say_otherwise(part: str) -> None:
    said = refusal(over(values_of("full"), {part: {"pod": {"containerSecurityContext": {"readOnlyRootFilesystem": False}}}}))
    assert f"{part}.pod.containerSecurityContext.readOnlyRootFilesystem must be true" in said
