"""Who can talk to whom: policies both ways, and the ways in from outside, none of them in clear text unless asked for."""

from __future__ import annotations

import pytest

from chart import over, refusal, render, values_of

PARTS = ["ingress", "consumer", "retry"]
HTTPS = {"config": {"listen": {"tls": {"cert": {"file": "/run/secrets/t/tls.crt"}, "key": {"file": "/run/secrets/t/tls.key"}}}}}
INGRESS = {"expose": {"ingress": {"enabled": True, "hosts": ["hooks.example.com"]}}}
ROUTE = {"expose": {"httpRoute": {"enabled": True, "parentRefs": [{"name": "edge"}]}}}
INSECURE = {"expose": {"insecure": True}}


def behind(**said: object) -> dict:
    return {"expose": {"httpRoute": {"backendTLS": said}}}


def policy(values: dict, part: str) -> dict:
    return render(values).one("NetworkPolicy", f"sluice-{part}")["spec"]


def ports_out(spec: dict) -> set[int]:
    return {port["port"] for rule in spec["egress"] for port in rule["ports"]}


@pytest.mark.parametrize("part,ports", [("ingress", {53, 9092, 6379}), ("consumer", {53, 9092, 3306}), ("retry", {53, 9092, 3306})])
def test_each_part_reaches_its_servers_and_no_others(part: str, ports: set[int]) -> None:
    spec = policy({}, part)
    assert spec["policyTypes"] == ["Ingress", "Egress"] and ports_out(spec) == ports
    labels = render({}).deployment(part)["spec"]["template"]["metadata"]["labels"]
    assert spec["podSelector"]["matchLabels"].items() <= labels.items()


def test_ports_are_those_of_the_configuration_or_given() -> None:
    assert ports_out(policy(values_of("scaled"), "ingress")) == {53, 9093, 9094, 6379, 6380, 443}
    assert ports_out(policy(values_of("scaled"), "consumer")) == {53, 9093, 9094, 3307, 443}


@pytest.mark.parametrize("endpoint,port", [("http://collector.observe:4318/v1/traces", 4318), ("https://otlp.example.com/v1/traces", 443)])
def test_traces_reach_their_collector(endpoint: str, port: int) -> None:
    assert port in ports_out(policy({"config": {"tracing": {"endpoint": endpoint}}}, "retry"))


def test_only_the_ingress_lets_webhooks_in() -> None:
    into = {part: policy(values_of("scaled"), part)["ingress"] for part in PARTS}
    assert [rule["ports"][0]["port"] for rule in into["ingress"]] == ["webhooks", "operations"]
    assert all([rule["ports"][0]["port"] for rule in into[part]] == ["operations"] for part in ("consumer", "retry"))
    allowed = {name for rule in into["ingress"] for place in rule["from"] for name in place["namespaceSelector"]["matchLabels"].values()}
    assert allowed == {"ingress-nginx", "monitoring"}


def test_servers_of_one_part_are_reached_by_that_part() -> None:
    release = render({"ingress": {"config": {"redis": {"urls": ["redis://near:6380/0"]}}}, "consumer": {"config": {"mysql": {"port": 6033}}}})

    def out(part: str) -> set[int]:
        rules = release.one("NetworkPolicy", f"sluice-{part}")["spec"]["egress"]
        return {port["port"] for rule in rules for port in rule["ports"]}

    assert 6380 in out("ingress") and 6033 in out("consumer") and 6033 not in out("retry")


def test_doors_of_a_mesh_open_in_every_policy() -> None:
    """Ambient meshes come in on 15008; a sidecar talks to its control plane, in the check too, which has no other way out."""
    tunnel, control = {"ports": [{"port": 15008, "protocol": "TCP"}]}, {"ports": [{"port": 15012, "protocol": "TCP"}]}
    release = render({"networkPolicy": {"ingress": {"extra": [tunnel]}, "egress": {"extra": [control]}}})
    policies = [release.one("NetworkPolicy", name)["spec"] for name in release.names("NetworkPolicy")]
    assert len(policies) >= 4
    for policy in policies:
        assert tunnel in policy["ingress"] and control in policy["egress"]
    assert "egress" not in render({}).one("NetworkPolicy", "sluice-check")["spec"]


def test_the_service_takes_what_clouds_ask_for() -> None:
    asked = {"type": "LoadBalancer", "loadBalancerSourceRanges": ["203.0.113.0/24"], "loadBalancerClass": "service.k8s.aws/nlb",
             "ipFamilyPolicy": "PreferDualStack", "ipFamilies": ["IPv6", "IPv4"], "externalTrafficPolicy": "Local"}
    spec = render({"ingress": {"service": asked}}).one("Service", "sluice-ingress")["spec"]
    assert {key: spec[key] for key in asked} == asked
    assert not asked.keys() - {"type"} & render({}).one("Service", "sluice-ingress")["spec"].keys()


def test_policies_can_be_left_to_others() -> None:
    assert not render({"networkPolicy": {"enabled": False}}).all("NetworkPolicy")


def test_an_ingress_leads_to_the_service() -> None:
    spec = render(values_of("scaled")).one("Ingress", "sluice-ingress")["spec"]
    assert spec["ingressClassName"] == "nginx" and spec["tls"] == [{"secretName": "hooks-tls", "hosts": ["hooks.example.com"]}]
    assert spec["rules"] == [{"host": "hooks.example.com", "http": {"paths": [{
        "path": "/v1/webhooks", "pathType": "Prefix", "backend": {"service": {"name": "sluice-ingress", "port": {"name": "webhooks"}}}}]}}]


def test_a_route_leads_to_the_service() -> None:
    spec = render(values_of("gateway")).one("HTTPRoute", "sluice-ingress")["spec"]
    assert spec["parentRefs"] == [{"name": "edge", "namespace": "gateways", "sectionName": "https"}]
    assert spec["rules"] == [{"matches": [{"path": {"type": "PathPrefix", "value": "/v1/webhooks"}}],
                              "backendRefs": [{"name": "sluice-ingress", "port": 443}], "timeouts": {"request": "30s"}}]


def test_a_gateway_is_told_of_tls_behind_it() -> None:
    case = values_of("gateway")
    spec = render(case).one("BackendTLSPolicy", "sluice-ingress")["spec"]
    port = render(case).one("Service", "sluice-ingress")["spec"]["ports"][0]["name"]
    assert spec["targetRefs"] == [{"group": "", "kind": "Service", "name": "sluice-ingress", "sectionName": port}]
    assert spec["validation"] == {"hostname": "sluice.internal", "caCertificateRefs": [{"group": "", "kind": "ConfigMap", "name": "internal-ca"}]}
    own_roots = render(case, behind(caCertificateRefs=[])).one("BackendTLSPolicy", "sluice-ingress")["spec"]["validation"]
    assert own_roots == {"hostname": "sluice.internal", "wellKnownCACertificates": "System"}
    assert not render(case, behind(mode="other")).all("BackendTLSPolicy")


@pytest.mark.parametrize("values,protocol", [({}, "http"), (HTTPS, "https")])
def test_the_service_says_what_is_spoken_there(values: dict, protocol: str) -> None:
    """A proxy that guesses HTTP/2 would be refused: HTTP/1.1 is all that the ingress speaks."""
    port = render(values).one("Service", "sluice-ingress")["spec"]["ports"][0]
    assert port["appProtocol"] == protocol and port["targetPort"] == "webhooks"


REFUSED = {
    "an Ingress without TLS": (INGRESS, "expose.ingress.tls has no entry for hooks.example.com"),
    "an Ingress with TLS for another host": (over(INGRESS, {"expose": {"ingress": {"tls": [{"secretName": "t", "hosts": ["other.example.com"]}]}}}),
                                             "clear text"),
    "an Ingress without a host": ({"expose": {"ingress": {"enabled": True}}}, "expose.ingress.hosts must name at least one host"),
    "a route on every listener": (ROUTE, "parentRefs[0] has no sectionName"),
    "a route without a Gateway": ({"expose": {"httpRoute": {"enabled": True}}}, "must name at least one Gateway"),
    "TLS that the Gateway does not know of": (over(values_of("gateway"), behind(mode="")), "a Gateway speaks clear text to a Service"),
    "TLS that is not there": (over(values_of("gateway"), {"config": {"listen": {"tls": {"enabled": False}}}}), "config.listen.tls is off"),
    "TLS to nobody in particular": (over(values_of("gateway"), behind(hostname="")), "backendTLS.hostname must be a name"),
    "IPv6 alone before a listener of IPv4": ({"ingress": {"service": {"ipFamilies": ["IPv6"]}}},
                                             'ipFamilies is [IPv6] and config.listen.address is 0.0.0.0:8080, where no IPv6 arrives: write "[::]:8080"'),
    "a source that nobody reaches": (over(INGRESS, INSECURE, {"config": {"sources": [{"name": "a", "recipe": "stripe", "principal": "a", "path": "/hooks/a"}]}}),
                                     "/hooks/a of a cannot be reached"),
    "a source beside the prefix": (over(INGRESS, INSECURE, {"config": {"sources": [{"name": "a", "recipe": "stripe", "principal": "a", "path": "/v1/webhooksa"}]}}),
                                   "/v1/webhooksa of a cannot be reached")}


@pytest.mark.parametrize("values,sentence", REFUSED.values(), ids=REFUSED)
def test_wrong_ways_in_are_refused(values: dict, sentence: str) -> None:
    assert sentence in refusal(values)


@pytest.mark.parametrize("values", [
    over(INGRESS, INSECURE), over(ROUTE, INSECURE), {"ingress": {"service": {"ipFamilies": ["IPv6", "IPv4"]}}},
    {"ingress": {"service": {"ipFamilies": ["IPv6"]}}, "config": {"listen": {"address": "[::]:8080"}}},
    over(INGRESS, {"expose": {"ingress": {"tls": [{"secretName": "t", "hosts": ["*.example.com"]}]}}}),
    over(INGRESS, INSECURE, {"expose": {"paths": ["/hooks"]}, "config": {"sources": [{"name": "a", "recipe": "stripe", "principal": "a", "path": "/hooks/a"}]}})])
def test_clear_text_on_purpose_and_wildcards_pass(values: dict) -> None:
    render(values)


def test_a_proxy_of_mysql_stands_beside_those_who_need_it() -> None:
    release = render(values_of("cloudsql"))
    pods = {each["metadata"]["labels"]["app.kubernetes.io/component"]: each["spec"]["template"]["spec"]
            for kind in ("Job", "Deployment") for each in release.all(kind)}
    with_proxy = {part for part, pod in pods.items() if any(one["restartPolicy"] == "Always" for one in pod.get("initContainers", []))}
    assert with_proxy == {"consumer", "retry", "migrate", "effects", "ctl"} and pods.keys() - with_proxy == {"ingress", "check"}


def test_secrets_of_a_vault_are_mounted_and_no_secret_of_kubernetes() -> None:
    release = render(values_of("csi"))
    classes = {"ingress": "sluice-ingress", "consumer": "sluice-mysql", "retry": "sluice-retry"}
    for part, name in classes.items():
        for pod in (release.pod(part), release.one("Job", f"sluice-check-{part}")["spec"]["template"]["spec"]):
            assert [volume["csi"]["volumeAttributes"]["secretProviderClass"] for volume in pod["volumes"] if "csi" in volume] == [name]
            assert not [volume for volume in pod["volumes"] if "secret" in volume]
            assert {"name": "vault", "mountPath": "/mnt/secrets/sluice", "readOnly": True} in pod["containers"][0]["volumeMounts"]
