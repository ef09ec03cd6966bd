"""Who reads providers' lists: when these pods are there, what they read, have and reach, and that the program takes their file."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from chart import Rendered, over, refusal, render, values_of
from test_configmap import as_mounted, check
from test_network import policy, ports_out
from test_objects import conforms
from test_tools import secrets_of as mounted
from test_workloads import secrets_of

POLLING = values_of("polling")
WEBHOOK, LIST, PROXIED = POLLING["config"]["sources"]
OTHERS = ["ingress", "consumer", "retry"]
KEYS = {"stripe-api", "gocardless-api", "internal-ca"}


@pytest.fixture(scope="module")
def polling() -> Rendered:
    return render(POLLING)


def with_sources(*sources: dict) -> dict:
    return {"config": {"sources": [*sources]}}


def polled(**poll: object) -> dict:
    return with_sources(WEBHOOK, {**LIST, "poll": {"key": {"file": "/run/secrets/stripe-api/key"}, **poll}})


def config_of(release: Rendered) -> str:
    [name] = [volume["configMap"]["name"] for volume in release.pod("poller")["volumes"] if volume["name"] == "config"]
    return release.config(name)


def of_poller(release: Rendered) -> list[str]:
    return [f"{each['kind']} {each['metadata']['name']}" for each in release.objects if "poller" in each["metadata"]["name"]]


def test_it_is_there_where_a_source_is_polled() -> None:
    assert not of_poller(render({}))
    assert render(polled()).deployment("poller")["spec"]["replicas"] == 1
    assert not of_poller(render(polled(), {"poller": {"mode": "none"}}))


def test_it_is_made_like_the_retry_role(polling: Rendered) -> None:
    poller, retry = polling.deployment("poller")["spec"], polling.deployment("retry")["spec"]
    assert poller["strategy"] == retry["strategy"] and poller["replicas"] == 2
    ours, theirs = polling.container("poller"), polling.container("retry")
    assert (ours["command"], ours["image"]) == (["/usr/bin/sluice-poller"], "registry.example.com/payments/sluice-poller:0.1.0")
    for key in ("ports", "env", "securityContext", "startupProbe", "livenessProbe", "readinessProbe"):
        assert ours[key] == theirs[key], key
    assert "args" not in ours
    labels = poller["template"]["metadata"]["labels"]
    assert labels["sluice/operations"] == "true", "the Service and the PodMonitor find it"
    assert polling.one("PodDisruptionBudget", "sluice-poller")["spec"]["selector"]["matchLabels"].items() <= labels.items()
    assert polling.one("ServiceAccount", polling.pod("poller")["serviceAccountName"])["automountServiceAccountToken"] is False
    assert polling.pod("poller")["securityContext"] == polling.pod("retry")["securityContext"]


def test_keys_of_lists_are_mounted_into_its_pods_alone_and_those_of_webhooks_are_not(polling: Rendered) -> None:
    assert secrets_of(polling, "poller") == {"sluice-poller", *KEYS}
    for part in OTHERS:
        assert not secrets_of(polling, part) & KEYS, part
    [check] = [job for job in polling.all("Job") if job["metadata"]["name"] == "sluice-check-poller"]
    assert mounted(check["spec"]["template"]["spec"]) == {"sluice-poller", *KEYS}


def test_it_reads_its_sections_and_no_others(polling: Rendered) -> None:
    read = yaml.safe_load(config_of(polling))
    assert read.keys() == {"operations", "kafka", "redis", "mysql", "sources"}
    assert [source.get("poll") for source in read["sources"]] == [None, LIST["poll"], PROXIED["poll"]]
    assert not [source for source in read["sources"] if "keys" in source]


def test_the_program_takes_its_file(polling: Rendered, tmp_path: Path) -> None:
    result = check("sluice-poller", as_mounted(config_of(polling), tmp_path))
    assert result.returncode == 0, result.stderr


def test_the_program_takes_the_file_of_its_check_without_what_is_not_mounted(polling: Rendered, tmp_path: Path) -> None:
    [job] = [each for each in polling.all("Job") if each["metadata"]["name"] == "sluice-check-poller"]
    pod = job["spec"]["template"]["spec"]
    assert pod["containers"][0]["command"] == ["/usr/bin/sluice-poller"] and pod["containers"][0]["args"] == ["--check"]
    [name] = [volume["configMap"]["name"] for volume in pod["volumes"] if volume["name"] == "config"]
    file = as_mounted(polling.config(name), tmp_path)
    (tmp_path / "sluice-stripe/2026-10").unlink()
    result = check("sluice-poller", file)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("change,rolls", [
    ({"effects": []}, False), ({"listen": {"threads": 1}}, False), ({"consumer": {"workers": 3}}, False), ({"redis": {"lease": "5s"}}, True),
    ({"inbox": {"keep": "10d"}}, True), ({"sources": [{**WEBHOOK, "keys": [{"id": "b", "value": {"file": "/run/secrets/b/b"}}]}, LIST, PROXIED]}, False),
    ({"sources": [WEBHOOK, LIST]}, True)])
def test_pods_are_made_anew_when_what_they_read_changes(polling: Rendered, change: dict, rolls: bool) -> None:
    after = render(over(POLLING, {"config": change}))
    assert (polling.deployment("poller")["spec"]["template"] != after.deployment("poller")["spec"]["template"]) == rolls


def test_it_reaches_its_servers_and_the_lists(polling: Rendered) -> None:
    spec = polling.one("NetworkPolicy", "sluice-poller")["spec"]
    assert ports_out(spec) == {53, 9092, 3306, 6379, 443, 3128}
    assert [rule["ports"][0]["port"] for rule in spec["ingress"]] == ["operations"]
    for part in OTHERS:
        assert not ports_out(polling.one("NetworkPolicy", f"sluice-{part}")["spec"]) & {443, 3128}, part


@pytest.mark.parametrize("poll,port", [
    ({}, 443), ({"url": "https://stripe.internal"}, 443), ({"url": "http://stripe.internal"}, 80), ({"url": "https://stripe.internal:8443"}, 8443),
    ({"url": "https://[2001:db8::1]"}, 443), ({"proxy": "http://proxy.internal:3128"}, 3128), ({"proxy": "http://proxy.internal"}, 80)])
def test_the_port_is_that_of_the_list_or_of_its_proxy(poll: dict, port: int) -> None:
    assert policy(polled(**poll), "poller")["egress"][-1] == {"ports": [{"port": port, "protocol": "TCP"}]}


def test_the_way_out_can_be_given() -> None:
    given = {"poller": {"egress": {"to": [{"ipBlock": {"cidr": "10.30.0.0/16"}}], "ports": [3128]}}}
    assert policy(over(polled(), given), "poller")["egress"][-1] == {
        "ports": [{"port": 3128, "protocol": "TCP"}], "to": [{"ipBlock": {"cidr": "10.30.0.0/16"}}]}


CRONJOB = {"poller": {"mode": "cronjob"}}


def test_as_a_cronjob_it_reads_what_is_new_and_ends() -> None:
    release, going = render(POLLING, CRONJOB), render(POLLING)
    assert "sluice-poller" not in release.names("Deployment") and "sluice-poller" not in release.names("PodDisruptionBudget")
    spec = release.one("CronJob", "sluice-poller")["spec"]
    assert (spec["schedule"], spec["concurrencyPolicy"], spec["jobTemplate"]["spec"]["backoffLimit"]) == ("*/10 * * * *", "Forbid", 0)
    pod = spec["jobTemplate"]["spec"]["template"]["spec"]
    ours, theirs = pod["containers"][0], going.container("poller")
    assert ours["args"] == ["--once"] and pod["restartPolicy"] == "Never"
    for key in ("image", "command", "ports", "env", "resources", "securityContext", "livenessProbe", "volumeMounts"):
        assert ours[key] == theirs[key], key
    for key in ("securityContext", "serviceAccountName", "automountServiceAccountToken"):
        assert pod[key] == going.pod("poller")[key], key
    assert release.config("sluice-poller") == config_of(going), "under one name, since no pod of it stays"
    assert [volume["configMap"]["name"] for volume in pod["volumes"] if "configMap" in volume] == ["sluice-poller"]
    for kind, name in (("ServiceAccount", pod["serviceAccountName"]), ("NetworkPolicy", "sluice-poller"), ("Job", "sluice-check-poller")):
        assert release.one(kind, name) == going.one(kind, name)
    conforming = conforms(release.text)
    assert conforming.returncode == 0, conforming.stdout + conforming.stderr


REFUSED = {
    "a container that keeps it from ending": (over(polled(), CRONJOB, {"poller": {"pod": {"extraContainers": [{"name": "beside", "image": "x"}]}}}),
                                              "poller.pod.extraContainers has a container that would never let the pod end"),
    "a mode that is none": ({"poller": {"mode": "job"}}, "mode"), "no pod": ({"poller": {"replicas": 0}}, "replicas"),
    "sources of one part": ({"poller": {"config": {"sources": []}}}, "poller.config has sources, which all parts must share"),
    "a CA that is no key of a Secret": (polled(ca_file="/run/secrets/ca"), "names the file /run/secrets/ca"),
    "rights beyond the standard": ({"poller": {"pod": {"securityContext": {"runAsUser": 0}}}}, "poller.pod.securityContext.runAsUser is 0"),
    "an image of nobody's registry": (over(polled(), {"image": {"registry": ""}, "ingress": {"image": {"repository": "r/i"}}, "consumer": {
        "image": {"repository": "r/c"}}, "ctl": {"image": {"repository": "r/t"}}}), "nodes would look for sluice-poller:0.1.0 on Docker Hub")}


@pytest.mark.parametrize("values,sentence", REFUSED.values(), ids=REFUSED)
def test_wrong_values_are_refused_with_a_sentence(values: dict, sentence: str) -> None:
    assert sentence in refusal(values)


def test_its_own_login_makes_no_other_pod_anew() -> None:
    login = {"poller": {"config": {"mysql": {"user": "sluice-poller", "password": {"file": "/run/secrets/own/password"}}}}}
    before, after = render(polled()), render(polled(), login)
    assert "own" in secrets_of(after, "poller") and yaml.safe_load(config_of(after))["mysql"]["user"] == "sluice-poller"
    assert all(before.deployment(part) == after.deployment(part) for part in OTHERS)


ONLY = values_of("polled-only")


def test_without_webhooks_there_is_nothing_to_reach() -> None:
    release = render(ONLY)
    assert not [f"{each['kind']} {each['metadata']['name']}" for each in release.objects if "sluice-ingress" in each["metadata"]["name"]]
    assert {"sluice-consumer", "sluice-retry", "sluice-poller"} <= set(release.names("Deployment"))
    entrances = [port for policy in release.all("NetworkPolicy") for rule in policy["spec"].get("ingress", []) for port in rule["ports"]]
    assert {port["port"] for port in entrances} == {"operations"}
    images = {container["image"] for each in release.all("Deployment") for container in each["spec"]["template"]["spec"]["containers"]}
    assert not [image for image in images if "sluice-ingress" in image]


@pytest.mark.parametrize("part", ["consumer", "poller"])
def test_without_webhooks_the_programs_take_their_files(part: str, tmp_path: Path) -> None:
    release = render(ONLY)
    [name] = [volume["configMap"]["name"] for volume in release.pod(part)["volumes"] if volume["name"] == "config"]
    result = check(f"sluice-{part}", as_mounted(release.config(name), tmp_path))
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("change,says", [
    (with_sources(LIST, WEBHOOK), "source stripe-eu has no poll"),
    ({"expose": {"ingress": {"enabled": True, "hosts": ["a"]}}}, "expose.ingress.enabled is true and ingress.enabled is false"),
    ({"expose": {"httpRoute": {"enabled": True}}}, "expose.httpRoute.enabled is true and ingress.enabled is false"),
    ({"selftest": {"enabled": True, "secretName": "s"}}, "selftest.enabled is true and ingress.enabled is false")])
def test_without_the_ingress_nothing_may_need_it(change: dict, says: str) -> None:
    assert says in refusal(over(ONLY, change))
