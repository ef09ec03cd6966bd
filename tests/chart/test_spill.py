"""ingress.spill: a volume for each pod of the ingress, and nothing that could take away webhooks that were answered."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from chart import CHART, Rendered, over, refusal, render, run_helm, values_of
from cluster_api import ClusterApi, serving
from test_notes import notes

ON = {"ingress": {"spill": {"enabled": True}}}
PATH = "/var/lib/sluice/spill"


def spilling(**more: object) -> dict:
    return {"ingress": {"spill": {"enabled": True, **more}}}


@pytest.fixture(scope="module")
def spill() -> Rendered:
    return render(ON)


@pytest.fixture
def api(tmp_path: Path) -> Iterator[ClusterApi]:
    with serving(tmp_path) as api:
        yield api


def section(release: Rendered, name: str = "sluice-ingress") -> dict | None:
    return yaml.safe_load(release.config(name)).get("spill")


def config_of(pod: dict) -> str:
    return next(volume["configMap"]["name"] for volume in pod["volumes"] if volume["name"] == "config")


def test_without_it_the_ingress_is_a_deployment_and_nobody_hears_of_a_spill() -> None:
    """Whatever else is said of it. What an ingress without it was, it is."""
    plain, off = render({}), render(spilling(enabled=False, size="1Ti", storageClassName="ssd", max="1GiB"))
    assert off.text == plain.text and "spill" not in plain.text
    assert not plain.all("StatefulSet") and "sluice-ingress" in plain.names("Deployment")
    assert "sluice-ingress" not in plain.names("ConfigMap")


def test_with_it_all_else_stays_as_it_is(spill: Rendered) -> None:
    """Other programs get no section that they may not know, and none of their pods is made anew; nor is the file of pods of a Deployment that goes."""
    before = {(each["kind"], each["metadata"]["name"]): each for each in render({}).objects}
    after = {(each["kind"], each["metadata"]["name"]): each for each in spill.objects}
    assert before.keys() - after.keys() == {("Deployment", "sluice-ingress")}
    assert after.keys() - before.keys() == {("StatefulSet", "sluice-ingress"), ("ConfigMap", "sluice-ingress"), ("ConfigMap", "sluice-check-ingress")}
    assert {key for key in before.keys() & after.keys() if before[key] != after[key]} == {("Job", "sluice-check-ingress")}


def test_its_pods_are_those_of_the_deployment_with_a_volume(spill: Rendered) -> None:
    """Users, rights, probes, the end of a pod: one template for both."""
    given = {"pod": {"extraVolumeMounts": [{"name": "paypal", "mountPath": "/certs"}], "extraVolumes": [{"name": "paypal", "emptyDir": {}}]}}
    for release, plain in ((spill, render({})), (render(ON, given), render(given))):
        template, without = (copy.deepcopy(each.workload("ingress")["spec"]["template"]) for each in (release, plain))
        mounts = template["spec"]["containers"][0]["volumeMounts"]
        assert mounts.pop() == {"name": "spill", "mountPath": PATH}, "read and written"
        assert template["metadata"].pop("annotations").keys() == without["metadata"].pop("annotations").keys()
        assert template["spec"]["volumes"].pop(0)["configMap"]["name"] == "sluice-ingress" and without["spec"]["volumes"].pop(0)
        assert template == without
    assert spill.pod("ingress")["securityContext"]["fsGroup"] == 65532
    assert spill.container("ingress")["securityContext"]["readOnlyRootFilesystem"] is True


def test_each_pod_has_a_name_and_a_volume_that_stay(spill: Rendered) -> None:
    workload = spill.one("StatefulSet", "sluice-ingress")["spec"]
    assert workload["replicas"] == 2 and workload["minReadySeconds"] == 5
    assert workload["podManagementPolicy"] == "Parallel" and workload["updateStrategy"] == {"type": "RollingUpdate"}
    assert workload["persistentVolumeClaimRetentionPolicy"] == {"whenDeleted": "Retain", "whenScaled": "Retain"}
    [claim] = workload["volumeClaimTemplates"]
    assert claim["metadata"]["name"] == "spill"
    assert claim["spec"] == {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "20Gi"}}}


def test_size_and_storage_class_are_those_that_are_given() -> None:
    [claim] = render(values_of("spill")).one("StatefulSet", "sluice-ingress")["spec"]["volumeClaimTemplates"]
    assert claim["spec"]["storageClassName"] == "ssd" and claim["spec"]["resources"] == {"requests": {"storage": "50Gi"}}


def test_its_names_are_those_of_a_headless_service_that_is_there(spill: Rendered) -> None:
    """Which has pods that are not ready too: their names are asked for when something is wrong."""
    workload = spill.one("StatefulSet", "sluice-ingress")["spec"]
    service = spill.one("Service", workload["serviceName"])["spec"]
    assert service["clusterIP"] == "None" and service["publishNotReadyAddresses"] is True
    assert service["selector"].items() <= workload["template"]["metadata"]["labels"].items()


def test_what_kubernetes_never_changes_is_the_same_in_every_version(tmp_path: Path) -> None:
    """Helm could not upgrade it: claims, selector and Service may not follow the chart's version, labels for all, or the configuration."""
    folder = tmp_path / "sluice"
    shutil.copytree(CHART, folder)
    (folder / "Chart.yaml").write_text((CHART / "Chart.yaml").read_text().replace("\nversion: 0.", "\nversion: 9."))
    case = CHART / "ci" / "spill-values.yaml"
    arguments = ("--set", "commonLabels.team=payments,commonAnnotations.a=b,rolloutToken=x,ingress.spill.max=1GiB,ingress.replicas=5")
    before, after = (Rendered(run_helm(case, chart=chart, arguments=more).stdout).one("StatefulSet", "sluice-ingress")["spec"]
                     for chart, more in ((CHART, ()), (folder, arguments)))
    assert before["template"] != after["template"]
    free = {"replicas", "template", "updateStrategy", "persistentVolumeClaimRetentionPolicy", "minReadySeconds"}
    assert {key: before[key] for key in before.keys() - free} == {key: after[key] for key in after.keys() - free}


@pytest.mark.parametrize("helm", ["helm", "helm3"])
@pytest.mark.parametrize("given,most", [({}, "16GiB"), ({"size": "1Gi"}, "819MiB"), ({"size": "1Ti"}, "838860MiB"), ({"size": "2Ti"}, "1024GiB"), ({"size": "5Gi"}, "4GiB"),
                                        ({"max": "18GiB"}, "18GiB"), ({"max": "512MiB"}, "512MiB")])
def test_the_file_says_where_and_how_much(given: dict, most: str, helm: str) -> None:
    """Four fifths of the volume and no more than programs take, unless it is said."""
    assert section(render(spilling(**given), helm=helm)) == {"path": PATH, "max": most}


def test_the_file_is_the_ingresss_alone_and_the_check_judges_the_same(spill: Rendered) -> None:
    assert {name for name in spill.names("ConfigMap") if "spill" in spill.config(name)} == {"sluice-ingress", "sluice-check-ingress"}
    runs, judged = spill.pod("ingress"), spill.one("Job", "sluice-check-ingress")["spec"]["template"]["spec"]
    assert (config_of(runs), config_of(judged)) == ("sluice-ingress", "sluice-check-ingress")
    assert spill.config("sluice-ingress") == spill.config("sluice-check-ingress")
    mounts = judged["containers"][0]["volumeMounts"]
    assert not [mount for mount in mounts if mount["name"] == "spill"], "it comes before any volume of the release"


def test_a_configuration_of_its_own_has_the_section_too() -> None:
    release = render(ON, {"ingress": {"config": {"log": {"level": "debug"}}}})
    assert section(release) == {"path": PATH, "max": "16GiB"} and "level: debug" in release.config("sluice-ingress")


@pytest.mark.parametrize("change,rolls", [({"config": {"listen": {"max_connections": 5}}}, True), (spilling(max="2GiB"), True), ({"rolloutToken": "x"}, True),
                                          ({"ingress": {"config": {"log": {"level": "debug"}}}}, True), ({"config": {"effects": []}}, False)])
def test_pods_are_made_anew_when_what_they_read_changes(spill: Rendered, change: dict, rolls: bool) -> None:
    after = render(ON, change).one("StatefulSet", "sluice-ingress")["spec"]["template"]
    assert (after != spill.one("StatefulSet", "sluice-ingress")["spec"]["template"]) is rolls


def test_annotations_of_the_deployment_are_on_it() -> None:
    given = {"pod": {"deploymentAnnotations": {"reloader.stakater.com/auto": "true"}}}
    assert render(ON, given).one("StatefulSet", "sluice-ingress")["metadata"]["annotations"] == {"reloader.stakater.com/auto": "true"}


def test_service_budget_and_policy_find_its_pods(spill: Rendered) -> None:
    labels = spill.one("StatefulSet", "sluice-ingress")["spec"]["template"]["metadata"]["labels"]
    selectors = [spill.one("Service", "sluice-ingress")["spec"]["selector"],
                 spill.one("PodDisruptionBudget", "sluice-ingress")["spec"]["selector"]["matchLabels"],
                 spill.one("NetworkPolicy", "sluice-ingress")["spec"]["podSelector"]["matchLabels"],
                 spill.one("StatefulSet", "sluice-ingress")["spec"]["selector"]["matchLabels"]]
    assert all(selector.items() <= labels.items() for selector in selectors)
    assert spill.names("ServiceAccount") == render({}).names("ServiceAccount")


@pytest.mark.parametrize("helm", ["helm", "helm3"])
def test_openshift_gives_the_group_of_the_volume_itself(helm: str) -> None:
    release = Rendered(run_helm(CHART / "ci" / "openshift-values.yaml", helm=helm, arguments=("--set", "ingress.spill.enabled=true")).stdout)
    assert "fsGroup" not in release.pod("ingress")["securityContext"] and release.all("StatefulSet")


WRONG: dict[str, tuple[dict, str]] = {
    "pods that are scaled away": (over(ON, {"ingress": {"autoscaling": {"enabled": True}}}), "ingress.spill and ingress.autoscaling are both enabled"),
    "by KEDA too": (over(ON, {"ingress": {"autoscaling": {"enabled": True, "extraTriggers": [{"type": "cron", "metadata": {}}]}}}),
                    "Set ingress.replicas to what the peak needs"),
    "no ingress": (over(values_of("polled-only"), ON), "ingress.enabled is false and ingress.spill.enabled is true"),
    "a spill without a volume": ({"config": {"spill": {"path": "/tmp"}}}, "config has spill, but only ingress.spill brings a volume"),
    "a spill beside the volume": (over(ON, {"config": {"spill": {"max": "1GiB"}}}), "ingress.spill.max in place of spill.max"),
    "a spill of the part": ({"ingress": {"config": {"spill": {"path": "/x"}}}}, "ingress.config has spill, but"),
    "a spill of another part": ({"ctl": {"config": {"spill": {"path": "/x"}}}}, "ctl.config has spill, but"),
    "more than the volume": (spilling(max="21GiB"), "ingress.spill.max is 21GiB and ingress.spill.size is 20Gi"),
    "all of the volume": (spilling(max="20GiB"), "At most 18432MiB fit"),
    "a little too much": (spilling(size="1Gi", max="922MiB"), "At most 921MiB fit"),
    "a volume that is root's": (over(ON, {"pod": {"securityContext": {"fsGroup": None}}}), "user 65532 could not write to its volume"),
    "a volume that is root's, of this part": (over(ON, {"ingress": {"pod": {"securityContext": {"fsGroup": None}}}}), "has no securityContext.fsGroup")}


@pytest.mark.parametrize("values,sentence", WRONG.values(), ids=WRONG)
def test_what_could_lose_or_refuse_webhooks_is_refused(values: dict, sentence: str) -> None:
    assert sentence in refusal(values)


@pytest.mark.parametrize("given", [{"size": "20"}, {"size": "20G"}, {"size": "0Gi"}, {"size": "100Mi"}, {"size": "1.5Gi"}, {"size": ""}, {"max": "10Gi"},
                                   {"max": "1TiB"}, {"max": "0GiB"}, {"max": 1024}, {"fsync": "never"}])
def test_sizes_are_whole_and_in_units(given: dict) -> None:
    assert "schema" in refusal(spilling(**given))


@pytest.mark.parametrize("given", [{"size": "1Gi", "max": "921MiB"}, {"max": "18GiB"}, {"max": "64MiB"}])
def test_sizes_that_fit_pass(given: dict) -> None:
    render(spilling(**given))


def test_a_release_takes_no_pod_away_that_somebody_has_not_looked_at(api: ClusterApi) -> None:
    three = over(ON, {"ingress": {"replicas": 3}})
    api.upgrade(three)
    less = api.tried(ON)
    assert less.returncode != 0 and "ingress.replicas is 2 and sluice-ingress has 3 pods" in less.stderr
    assert "in each pod from sluice-ingress-2 on, run kubectl scale statefulset/sluice-ingress --replicas 2" in less.stderr
    api.upgrade(over(three, {"ingress": {"replicas": 4}}))
    api.objects["statefulsets", "sluice-ingress"]["spec"]["replicas"] = 2  # as the sentence says
    api.upgrade(ON)


@pytest.mark.parametrize("off", [{}, {"ingress": {"config": {"log": {"level": "debug"}}}}, values_of("polled-only")])
def test_a_release_without_it_leaves_the_pods_that_spilled(api: ClusterApi, off: dict) -> None:
    api.upgrade(ON)
    gone = api.tried(off)
    assert gone.returncode != 0 and "kubectl annotate statefulset/sluice-ingress helm.sh/resource-policy=keep" in gone.stderr
    api.objects["statefulsets", "sluice-ingress"]["metadata"].setdefault("annotations", {})["helm.sh/resource-policy"] = "keep"
    api.upgrade(off)


def test_who_never_spilled_is_asked_for_no_statefulset(api: ClusterApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """Helm's account may have no right to read any."""
    asked: list[str] = []
    answer = api.answer
    monkeypatch.setattr(api, "answer", lambda path: asked.append(path) or answer(path))
    for values in ({}, {"ingress": {"config": {"log": {"level": "debug"}}}}, {}):
        api.upgrade(values)
    assert [path for path in asked if path.endswith("/deployments/sluice-consumer")] and not [path for path in asked if "/statefulsets/" in path]
    api.upgrade(ON)
    api.upgrade(ON)
    assert [path for path in asked if path.endswith("/statefulsets/sluice-ingress")]


def test_notes_say_how_to_see_what_a_pod_holds(tmp_path: Path) -> None:
    said, without = notes(ON, tmp_path), notes({}, tmp_path)
    assert "Never take away a pod, or its volume" in said and "logs statefulset/sluice-ingress" in said
    assert '"/api/v1/namespaces/payments/pods/sluice-ingress-$n:9090/proxy/metrics" | grep ^sluice_ingress_spill_records' in said
    assert "seq 0 1" in said and "ingress.replicas is 1" not in said and "ingress.replicas is 1" in notes(over(ON, {"ingress": {"replicas": 1}}), tmp_path)
    assert "spill" not in without and "volumes" not in without and "logs deploy/sluice-ingress" in without
