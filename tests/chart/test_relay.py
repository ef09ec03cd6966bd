"""Who sends the messages of effects, what these pods can read and reach, and when they are there at all."""

from __future__ import annotations

import pytest
import yaml

from chart import Rendered, over, refusal, render, values_of
from test_network import policy, ports_out
from test_tools import secrets_of as mounted
from test_workloads import secrets_of

MESSAGES = values_of("messages")
APART = ["ingress", "consumer", "retry"]
TOPIC = {"config": {"destinations": {"order-events": {"kafka": {"topic": "t"}}}}}
SMALL = {"retry": {"enabled": False}, "relay": {"autoscaling": {"enabled": False}}}


@pytest.fixture(scope="module")
def messages() -> Rendered:
    return render(MESSAGES)


def of_relay(release: Rendered) -> list[str]:
    return [f"{each['kind']} {each['metadata']['name']}" for each in release.objects
            if "relay" in each["metadata"]["name"] and each["kind"] != "PrometheusRule"]


def config_of(release: Rendered, part: str) -> dict:
    [name] = [volume["configMap"]["name"] for volume in release.pod(part)["volumes"] if volume["name"] == "config"]
    return yaml.safe_load(release.config(name))


def test_it_is_there_where_messages_have_somewhere_to_go() -> None:
    assert not of_relay(render({}))
    assert render(TOPIC).container("relay")["args"] == ["--role", "relay"]
    assert render(TOPIC).deployment("relay")["spec"]["replicas"] == 2


def test_it_is_made_like_the_retry_role(messages: Rendered) -> None:
    relay, retry = messages.deployment("relay")["spec"], messages.deployment("retry")["spec"]
    assert relay["strategy"] == retry["strategy"] and relay["minReadySeconds"] == retry["minReadySeconds"]
    ours, theirs = messages.container("relay"), messages.container("retry")
    for key in ("image", "command", "ports", "env", "resources", "securityContext", "startupProbe", "livenessProbe", "readinessProbe"):
        assert ours[key] == theirs[key], key
    for key in ("securityContext", "automountServiceAccountToken", "terminationGracePeriodSeconds"):
        assert messages.pod("relay")[key] == messages.pod("retry")[key], key
    labels = relay["template"]["metadata"]["labels"]
    assert labels["sluice/operations"] == "true"
    assert messages.one("PodDisruptionBudget", "sluice-relay")["spec"]["selector"]["matchLabels"].items() <= labels.items()
    assert messages.one("ServiceAccount", messages.pod("relay")["serviceAccountName"])["automountServiceAccountToken"] is False
    assert [each["labelSelector"]["matchLabels"] for each in messages.pod("relay")["topologySpreadConstraints"]] == 2 * [relay["selector"]["matchLabels"]]


def test_secrets_that_sign_are_mounted_into_its_pods_alone(messages: Rendered) -> None:
    assert secrets_of(messages, "relay") == {"sluice-mysql", "sluice-mailer", "internal-ca"}
    for part in [*APART, "ctl"]:
        assert not secrets_of(messages, part) & {"sluice-mailer", "internal-ca"}, part
    [job] = [each for each in messages.all("Job") if each["metadata"]["labels"]["app.kubernetes.io/component"] == "effects"]
    assert mounted(job["spec"]["template"]["spec"]) == {"sluice-mysql"}


def test_it_reads_nothing_of_sources_and_effects(messages: Rendered) -> None:
    assert config_of(messages, "relay").keys() == {"operations", "kafka", "mysql", "consumer", "destinations", "outbox"}
    for part in ("consumer", "retry"):
        read = config_of(messages, part)
        assert "outbox" not in read and set(read["destinations"]) == {"order-events", "mailer"}
    assert set(yaml.safe_load(messages.config("sluice-effects"))["destinations"]) == {"order-events", "mailer"}, "effects name them"


@pytest.mark.parametrize("change,parts", [
    ({"outbox": {"keep": "1d"}}, {"relay"}), ({"effects": []}, {"consumer", "retry"}), ({"redis": {"lease": "5s"}}, {"ingress"}),
    ({"sources": [{**MESSAGES["config"]["sources"][0], "principal": "b"}]}, {"ingress", "consumer", "retry"}),
    ({"consumer": {"workers": 3}}, {"consumer", "retry"}), ({"consumer": {"drain_within": "29s"}}, {"consumer", "retry", "relay"}),
    ({"destinations": {"more": {"kafka": {"topic": "t"}}}}, {"consumer", "retry", "relay"})])
def test_pods_are_made_anew_when_what_they_read_changes(messages: Rendered, change: dict, parts: set[str]) -> None:
    after = render(over(MESSAGES, {"config": change}))
    rolled = {part for part in [*APART, "relay"]
              if messages.deployment(part)["spec"]["template"] != after.deployment(part)["spec"]["template"]}
    assert rolled == parts


def test_a_small_installation_sends_from_its_consumers() -> None:
    small = render(MESSAGES, SMALL, {"relay": {"enabled": False}})
    assert of_relay(small) == of_relay(render(MESSAGES, SMALL)) == []
    assert small.container("consumer")["args"] == ["--role", "both"]
    assert {"sluice-mailer", "internal-ca"} <= secrets_of(small, "consumer")
    assert config_of(small, "consumer")["outbox"] == {"keep": "14d"}
    assert 8443 in ports_out(small.one("NetworkPolicy", "sluice-consumer")["spec"])


def rule_to(port: int, *to: dict) -> dict:
    return {"ports": [{"port": port, "protocol": "TCP"}], **({"to": list(to)} if to else {})}


def test_it_reaches_its_servers_and_the_urls_of_destinations(messages: Rendered) -> None:
    spec = messages.one("NetworkPolicy", "sluice-relay")["spec"]
    assert ports_out(spec) == {53, 9092, 3306, 8443}
    assert spec["egress"][-1] == rule_to(8443, {"ipBlock": {"cidr": "10.20.0.0/16"}})
    assert [rule["ports"][0]["port"] for rule in spec["ingress"]] == ["operations"]
    for part in APART:
        assert 8443 not in ports_out(messages.one("NetworkPolicy", f"sluice-{part}")["spec"]), part


def http(url: str) -> dict:
    return {"config": {"destinations": {"one": {"http": {"url": url}}}}}


@pytest.mark.parametrize("url,port", [
    ("https://mail.example.com/v1/send", 443), ("http://mail/send?at=1:2", 80), ("https://mail.example.com:8443/a:9/b", 8443),
    ("https://[2001:db8::1]/send", 443), ("https://[2001:db8::1]:8443", 8443)])
def test_the_port_is_that_of_the_url(url: str, port: int) -> None:
    assert policy(http(url), "relay")["egress"][-1] == rule_to(port)


def test_a_key_without_a_value_is_left_to_the_programs() -> None:
    release = render({"config": {"destinations": {"one": None, "two": {"http": None}, "three": {"http": {"url": None, "secrets": None}}}}})
    assert ports_out(release.one("NetworkPolicy", "sluice-relay")["spec"]) == {53, 9092, 3306}


def test_ports_behind_a_service_can_be_given() -> None:
    given = {"relay": {"egress": {"one": {"to": [{"podSelector": {}}], "ports": [3000]}}}}
    assert policy(over(http("http://mail/send"), given), "relay")["egress"][-1] == rule_to(3000, {"podSelector": {}})


def test_keda_asks_a_pod_for_the_age_at_each_destination(messages: Rendered) -> None:
    spec = messages.one("ScaledObject", "sluice-relay")["spec"]
    told = {trigger["name"]: trigger for trigger in spec["triggers"]}
    assert set(told) == {"mailer", "order-events"}
    assert told["mailer"] == {
        "type": "metrics-api", "name": "mailer", "metricType": "AverageValue", "useCachedMetrics": True,
        "metadata": {"url": "http://sluice-relay.payments.svc:9090/metrics", "format": "prometheus",
                     "valueLocation": 'sluice_relay_oldest_seconds{destination="mailer"}', "targetValue": "30"}}
    assert (spec["minReplicaCount"], spec["maxReplicaCount"], spec["scaleTargetRef"]) == (2, 4, {"name": "sluice-relay"})
    assert spec["fallback"] == {"failureThreshold": 3, "replicas": 2, "behavior": "currentReplicasIfHigher"}
    assert spec["advanced"]["restoreToOriginalReplicaCount"] is False
    service = messages.one("Service", "sluice-relay")["spec"]
    assert service["selector"] == messages.deployment("relay")["spec"]["selector"]["matchLabels"]
    assert "replicas" not in messages.deployment("relay")["spec"], "left to who scales"
    assert "sluice-relay" not in render(TOPIC).names("Service") and not render(TOPIC).all("ScaledObject")
    assert not render({"relay": {"autoscaling": {"enabled": True}}}).all("ScaledObject"), "nothing to scale"


def scaling(**said: object) -> dict:
    return over(TOPIC, {"relay": {"autoscaling": {"enabled": True, **said}}})


CONNECTIONS = {"consumer": {"autoscaling": {"enabled": True, "lagAlone": True, "mysqlConnections": 76}}}
REFUSED = {
    "messages that nobody sends": (over(TOPIC, {"relay": {"enabled": False}}), "config.destinations is set and relay.enabled is false"),
    "a way to a destination that is none": (over(TOPIC, {"relay": {"egress": {"mailr": {"to": []}}}}), "relay.egress has mailr, which is no destination"),
    "a way to a topic": (over(TOPIC, {"relay": {"egress": {"order-events": {}}}}), "relay.egress has order-events, which is no destination with a URL"),
    "a key of a way, misspelt": (over(http("http://a"), {"relay": {"egress": {"one": {"port": [1]}}}}), "schema"),
    "a secret as text": ({"config": {"destinations": {"one": {"http": {"url": "https://a", "secrets": [{"value": "whsec_x"}]}}}}},
                         "config.destinations.one.http.secrets[0].value contains a secret"),
    "a CA that is no key of a Secret": ({"config": {"destinations": {"one": {"http": {"url": "https://a", "ca_file": "/run/secrets/ca"}}}}},
                                        "names the file /run/secrets/ca"),
    "more pods than slots": ({"relay": {"replicas": 17}}, "replicas"), "more pods than slots at a peak": (scaling(maxReplicas=17), "maxReplicas"),
    "least above most": (scaling(minReplicas=8), "relay.autoscaling.minReplicas is 8 and maxReplicas is 6"),
    "a fallback out of bounds": (scaling(fallback={"replicas": 7}), "relay.autoscaling.fallback.replicas is 7: it must be between"),
    "a grace that kills at work": (over(TOPIC, {"relay": {"terminationGracePeriodSeconds": 29}}), "relay.terminationGracePeriodSeconds is 29"),
    "destinations of one part": (over(TOPIC, {"relay": {"config": {"destinations": {}}}}), "relay.config has destinations, which all parts must share"),
    "more connections than MySQL has left": (over(scaling(), CONNECTIONS), "may need 72 connections (config.consumer.workers + 1 each), and the relay 6 more,"),
    "rights beyond the standard": ({"relay": {"pod": {"securityContext": {"runAsUser": 0}}}}, "relay.pod.securityContext.runAsUser is 0")}


@pytest.mark.parametrize("values,sentence", REFUSED.values(), ids=REFUSED)
def test_wrong_values_are_refused_with_a_sentence(values: dict, sentence: str) -> None:
    assert sentence in refusal(values)


def test_connections_of_a_relay_that_stays_as_it_is_are_counted_too() -> None:
    render(TOPIC, CONNECTIONS)


def test_its_own_login_makes_no_other_pod_anew() -> None:
    login = {"relay": {"config": {"mysql": {"user": "sluice-relay", "password": {"file": "/run/secrets/sluice-relay/password"}}}}}
    before, after = render(TOPIC), render(TOPIC, login)
    assert "sluice-relay" in secrets_of(after, "relay") and config_of(after, "relay")["mysql"]["user"] == "sluice-relay"
    assert all(before.deployment(part) == after.deployment(part) for part in APART)


def test_alerts_on_scaling_know_its_name(messages: Rendered) -> None:
    rules = [rule["expr"] for group in messages.one("PrometheusRule", "sluice-scaling")["spec"]["groups"] for rule in group["rules"]]
    assert any("sluice-(command|consumer|ingress|relay)" in expression for expression in rules)
