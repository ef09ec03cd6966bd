"""Who decides how many pods there are, and what KEDA is told."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from chart import over, refusal, render, values_of

ON = {"consumer": {"autoscaling": {"enabled": True, "lagAlone": True}}}
KNOWN = {line for line in (Path(__file__).parent / "keda_kafka_keys.txt").read_text().splitlines() if line[0] != "#"}
SASL = {"config": {"kafka": {"sasl": {"mechanism": "SCRAM-SHA-512", "user": "u", "password": {"file": "/run/secrets/k/p"}}}}}
TLS = {"config": {"kafka": {"tls": {"ca": {"file": "/run/secrets/k/ca.crt"}}}}}


def scaled(*values: dict) -> dict:
    return render(ON, *values).one("ScaledObject", "sluice-consumer")


def trigger(*values: dict) -> dict:
    return scaled(*values)["spec"]["triggers"][0]


def test_the_trigger_says_exactly_this() -> None:
    """KEDA takes any key and ignores those that it does not know: here they are pinned, letter by letter."""
    assert trigger() == {
        "type": "kafka", "name": "lag", "metricType": "AverageValue", "useCachedMetrics": True,
        "metadata": {"bootstrapServers": "kafka.payments.svc:9092", "consumerGroup": "sluice", "topic": "payments.webhooks.v1",
                     "lagThreshold": "1500", "offsetResetPolicy": "earliest", "allowIdleConsumers": "false",
                     "ensureEvenDistributionOfPartitions": "true",
                     "excludePersistentLag": "false", "scaleToZeroOnInvalidOffset": "false", "fullMetadata": "false",
                     "version": "2.8.0"}}


RATE = {"consumer": {"autoscaling": {"rate": {"perPod": 200}}}}


def test_the_rate_trigger_asks_the_retry_role() -> None:
    rendered = render(ON, RATE)
    lag, rate = rendered.one("ScaledObject", "sluice-consumer")["spec"]["triggers"]
    assert lag == trigger()
    assert rate == {
        "type": "metrics-api", "name": "rate", "metricType": "AverageValue", "useCachedMetrics": True,
        "metadata": {"url": "http://sluice-retry.payments.svc:9090/metrics", "format": "prometheus",
                     "valueLocation": "sluice_consumer_pods_wanted", "targetValue": "1"}}
    service = rendered.one("Service", "sluice-retry")["spec"]
    assert service["selector"] == rendered.deployment("retry")["spec"]["selector"]["matchLabels"]
    assert service["ports"] == [{"name": "operations", "port": 9090, "targetPort": "operations"}]
    assert yaml.safe_load(rendered.config())["consumer"]["pod_rate"] == 160


def test_nobody_measures_a_rate_that_nobody_asks_for() -> None:
    for values in ([ON], [RATE]):
        rendered = render(*values)
        assert "sluice-retry" not in rendered.names("Service") and "pod_rate" not in rendered.config()


def test_another_rate_makes_no_new_consumers() -> None:
    """Only the retry role reads it."""
    def marks(part: str, per_pod: int) -> dict:
        rendered = render(ON, {"consumer": {"autoscaling": {"rate": {"perPod": per_pod}}}})
        return rendered.deployment(part)["spec"]["template"]["metadata"]["annotations"]
    assert marks("consumer", 200) == marks("consumer", 220) and marks("retry", 200) != marks("retry", 220)


def test_a_rate_of_the_configuration_stands() -> None:
    """Who asks for it in another way, such as a Prometheus trigger, sets it there."""
    assert "pod_rate: 77" in render(ON, RATE, {"config": {"consumer": {"pod_rate": 77}}}).config()


def test_any_number_of_pods_by_rate_is_possible_when_it_is_wanted() -> None:
    told = scaled(RATE, {"consumer": {"autoscaling": {"evenPartitions": False}}})["spec"]["triggers"][1]["metadata"]
    assert (told["valueLocation"], told["targetValue"]) == ("sluice_consumer_arriving_events_per_second", "160")


def test_keda_reads_the_lag_as_the_consumers_do() -> None:
    own = {"consumer": {"config": {**SASL["config"], "kafka": {**SASL["config"]["kafka"], "brokers": ["inner.data.svc:9094"]}}}}
    told = trigger(own, {"consumer": {"autoscaling": {"authentication": {"existing": "keda-kafka"}}}})
    assert (told["metadata"]["sasl"], told["metadata"]["bootstrapServers"]) == ("scram_sha512", "inner.data.svc:9094")
    assert "KEDA must log in too" in refusal(over(ON, own))


SALE = {"type": "cron", "metadata": {"timezone": "Europe/Berlin", "start": "0 8 27 11 *", "end": "0 23 27 11 *", "desiredReplicas": "6"}}


def test_further_triggers_stand_behind_ours() -> None:
    assert scaled({"consumer": {"autoscaling": {"extraTriggers": [SALE]}}})["spec"]["triggers"] == [trigger(), SALE]


def test_all_keys_are_known_to_keda() -> None:
    told = trigger(SASL, TLS, {"consumer": {"autoscaling": {"authentication": {"existing": "keda-kafka"}}}})["metadata"]
    assert told.keys() <= KNOWN
    assert all(isinstance(value, str) for value in told.values())


def test_group_and_topic_are_those_of_the_consumer() -> None:
    rendered = render(ON, {"config": {"kafka": {"topic": "t.v2", "group": "payouts"}}})
    told = rendered.one("ScaledObject", "sluice-consumer")["spec"]["triggers"][0]["metadata"]
    assert (told["topic"], told["consumerGroup"]) == ("t.v2", "payouts")
    assert "topic: t.v2" in rendered.config() and "group: payouts" in rendered.config()


@pytest.mark.parametrize("given,told", [
    (["kafka"], "kafka.payments.svc:9092"), (["kafka:9093", "kafka-1.data.svc:9092"], "kafka.payments.svc:9093,kafka-1.data.svc:9092"),
    (["10.0.0.1:9092"], "10.0.0.1:9092")])
def test_keda_finds_the_brokers_from_its_own_namespace(given: list[str], told: str) -> None:
    assert trigger({"config": {"kafka": {"brokers": given}}})["metadata"]["bootstrapServers"] == told


def test_keda_logs_in_as_the_programs_do() -> None:
    rendered = render(values_of("scaled"))
    told = rendered.one("ScaledObject", "sluice-consumer")["spec"]["triggers"][0]
    assert (told["metadata"]["sasl"], told["metadata"]["tls"]) == ("scram_sha512", "enable")
    assert told["authenticationRef"] == {"name": "sluice-consumer"}
    assert rendered.one("TriggerAuthentication", "sluice-consumer")["spec"]["secretTargetRef"] == [
        {"parameter": "ca", "name": "sluice-kafka", "key": "ca.crt"}, {"parameter": "password", "name": "sluice-kafka", "key": "password"},
        {"parameter": "username", "name": "sluice-kafka", "key": "user"}]


def test_keda_fetches_tokens_as_the_programs_do() -> None:
    config = {"config": {"kafka": {"tls": {"enabled": True}, "sasl": {
        "mechanism": "OAUTHBEARER", "user": {"file": "/run/secrets/k/id"}, "password": {"file": "/run/secrets/k/secret"},
        "token_endpoint": "https://idp.example.com/token", "scope": "kafka"}}}}
    keys = {"username": "id", "password": "secret"}
    assert "keys.oauthTokenEndpointUri" in refusal(over(ON, config, {"consumer": {"autoscaling": {"authentication": {"secretName": "k", "keys": keys}}}}))
    login = {"secretName": "k", "keys": {**keys, "oauthTokenEndpointUri": "url", "scopes": "scope"}}
    rendered = render(ON, config, {"consumer": {"autoscaling": {"authentication": login}}})
    assert rendered.one("ScaledObject", "sluice-consumer")["spec"]["triggers"][0]["metadata"]["sasl"] == "oauthbearer"
    told = {target["parameter"]: target["key"] for target in rendered.one("TriggerAuthentication", "sluice-consumer")["spec"]["secretTargetRef"]}
    assert told == {"username": "id", "password": "secret", "oauthTokenEndpointUri": "url", "scopes": "scope"}
    mounted = [volume["secret"]["secretName"] for volume in rendered.one("Deployment", "sluice-consumer")["spec"]["template"]["spec"]["volumes"]
               if "secret" in volume]
    assert "k" in mounted, "user and password are references"


def test_keda_comes_to_msk_with_its_own_role() -> None:
    config = {"config": {"kafka": {"tls": {"enabled": True}, "sasl": {"mechanism": "AWS_MSK_IAM", "region": "eu-west-1"}}}}
    rendered = render(ON, config)
    metadata = rendered.one("ScaledObject", "sluice-consumer")["spec"]["triggers"][0]["metadata"]
    assert (metadata["sasl"], metadata["saslTokenProvider"], metadata["awsRegion"], metadata["tls"]) == ("oauthbearer", "aws_msk_iam", "eu-west-1", "enable")
    assert rendered.one("TriggerAuthentication", "sluice-consumer")["spec"] == {"podIdentity": {"provider": "aws"}}
    own = over(config, {"consumer": {"autoscaling": {"authentication": {"existing": "keda-msk"}}}})
    assert not render(ON, own).all("TriggerAuthentication")


def test_tls_that_is_switched_off_is_off_for_keda_too() -> None:
    assert "tls" not in trigger({"config": {"kafka": {"tls": {"enabled": False}}}})["metadata"]
    assert trigger({"config": {"kafka": {"tls": {"enabled": True}}}})["metadata"]["tls"] == "enable"


def test_an_existing_authentication_is_named_and_none_made() -> None:
    rendered = render(ON, SASL, {"consumer": {"autoscaling": {"authentication": {"existing": "k", "kind": "ClusterTriggerAuthentication"}}}})
    told = rendered.one("ScaledObject", "sluice-consumer")["spec"]["triggers"][0]
    assert told["authenticationRef"] == {"name": "k", "kind": "ClusterTriggerAuthentication"}
    assert not rendered.all("TriggerAuthentication")


def test_the_scaled_object_keeps_two_and_falls_back() -> None:
    spec = scaled()["spec"]
    assert (spec["minReplicaCount"], spec["maxReplicaCount"], spec["pollingInterval"]) == (2, 6, 10)
    assert "idleReplicaCount" not in spec
    assert spec["fallback"] == {"failureThreshold": 3, "replicas": 4, "behavior": "currentReplicasIfHigher"}
    down = spec["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]["scaleDown"]
    assert down == {"stabilizationWindowSeconds": 300, "policies": [{"type": "Percent", "value": 50, "periodSeconds": 300}]}
    assert spec["scaleTargetRef"] == {"name": "sluice-consumer"}


def test_pods_stay_when_scaling_is_switched_off() -> None:
    """KEDA ends after Helm has set `replicas`: what it took for the original is 1 where it was on from the first day."""
    assert scaled()["spec"]["advanced"]["restoreToOriginalReplicaCount"] is False


def test_what_waits_on_purpose_scales_nothing() -> None:
    rendered = render(values_of("scaled"))
    targets = {each["spec"]["scaleTargetRef"]["name"] for kind in ("ScaledObject", "HorizontalPodAutoscaler") for each in rendered.all(kind)}
    assert targets == {"sluice-consumer", "sluice-ingress"}
    assert rendered.deployment("retry")["spec"]["replicas"] == 2


def test_replicas_are_left_to_who_scales() -> None:
    """Each upgrade would set them back otherwise."""
    rendered = render(values_of("scaled"))
    assert all("replicas" not in rendered.deployment(part)["spec"] for part in ("ingress", "consumer"))
    plain = render({})
    assert [plain.deployment(part)["spec"]["replicas"] for part in ("ingress", "consumer", "retry")] == [2, 2, 2]
    assert not plain.all("ScaledObject") and not plain.all("HorizontalPodAutoscaler")


def test_the_ingress_scales_by_processor_time() -> None:
    spec = render(values_of("scaled")).one("HorizontalPodAutoscaler", "sluice-ingress")["spec"]
    assert (spec["minReplicas"], spec["maxReplicas"]) == (2, 20)
    assert spec["metrics"] == [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}}}]


def test_the_ingress_scales_for_a_known_peak_too() -> None:
    """Only one autoscaler: KEDA's, which also takes over from the one of before."""
    values = {"ingress": {"autoscaling": {"extraTriggers": [SALE]}}}
    rendered = render(values_of("scaled"), values)
    assert not rendered.all("HorizontalPodAutoscaler")
    made = rendered.one("ScaledObject", "sluice-ingress")
    assert made["metadata"]["annotations"]["scaledobject.keda.sh/transfer-hpa-ownership"] == "true"
    spec = made["spec"]
    assert (spec["scaleTargetRef"], spec["minReplicaCount"], spec["maxReplicaCount"]) == ({"name": "sluice-ingress"}, 2, 20)
    assert spec["advanced"]["horizontalPodAutoscalerConfig"]["name"] == "sluice-ingress"
    cpu = {"type": "cpu", "name": "cpu", "metricType": "Utilization", "metadata": {"value": "60"}}
    assert spec["triggers"] == [cpu, SALE]
    assert not render(values).all("ScaledObject")
    assert "has metrics and extraTriggers" in refusal(over(values, {"ingress": {"autoscaling": {"metrics": [{"type": "Pods"}]}}}))


def test_budgets_never_block_a_drain() -> None:
    rendered = render({})
    for part in ("ingress", "consumer", "retry"):
        spec = rendered.one("PodDisruptionBudget", f"sluice-{part}")["spec"]
        assert spec["maxUnavailable"] == 1 and spec["unhealthyPodEvictionPolicy"] == "AlwaysAllow" and "minAvailable" not in spec
        assert spec["selector"]["matchLabels"] == rendered.deployment(part)["spec"]["selector"]["matchLabels"]


REFUSED = {
    "more than partitions": ({"maxReplicas": 13}, "consumer.autoscaling.maxReplicas is 13 and topics.partitions is 12"),
    "least above most": ({"minReplicas": 12}, "must not exceed"),
    "a most that leaves partitions over": ({"maxReplicas": 8}, "maxReplicas is 8, which does not divide the 12 partitions"),
    "a least that leaves partitions over": ({"minReplicas": 5}, "minReplicas is 5, which does not divide"), "a fallback out of bounds": ({"fallback": {"replicas": 7}}, "must be between"),
    "no pod at all": ({"minReplicas": 0}, "minReplicas"), "a threshold of nothing": ({"lagThreshold": 0}, "lagThreshold"),
    "a key of KEDA's, misspelt": ({"lagTreshold": 5}, "lagTreshold")}


@pytest.mark.parametrize("values,sentence", REFUSED.values(), ids=REFUSED)
def test_wrong_scaling_is_refused(values: dict, sentence: str) -> None:
    assert sentence in refusal(over(ON, {"consumer": {"autoscaling": values}}))


def test_lag_alone_is_refused_unless_it_is_wanted() -> None:
    """It never comes to rest: 91 rebalances in three hours at a load that stays, as docs/kubernetes.md says."""
    alone = {"consumer": {"autoscaling": {"enabled": True}}}
    for more in ({}, {"consumer": {"autoscaling": {"rate": {"perPod": 0}}}}):
        assert "set consumer.autoscaling.rate.perPod to the events per second that one pod applies" in refusal(over(alone, more))
    for more, triggers in (({"rate": {"perPod": 200}}, 2), ({"extraTriggers": [SALE]}, 2), ({"lagAlone": True}, 1)):
        made = render(alone, {"consumer": {"autoscaling": more}}).one("ScaledObject", "sluice-consumer")
        assert len(made["spec"]["triggers"]) == triggers
    render({"consumer": {"autoscaling": {"rate": {"perPod": 0}}}})


def test_one_deployment_for_both_roles_is_not_scaled() -> None:
    assert "retry.enabled is false" in refusal(over(ON, {"retry": {"enabled": False}}))


def test_any_number_of_pods_is_possible_when_it_is_wanted() -> None:
    told = trigger({"consumer": {"autoscaling": {"evenPartitions": False, "maxReplicas": 8}}})["metadata"]
    assert told["ensureEvenDistributionOfPartitions"] == "false"


@pytest.mark.parametrize("values,sentence", [
    (SASL, "keys.username and keys.password"), (TLS, "keys.ca"),
    (over(TLS, {"config": {"kafka": {"tls": {"cert": {"file": "/run/secrets/k/c"}}}},
                "consumer": {"autoscaling": {"authentication": {"secretName": "k", "keys": {"ca": "ca.crt"}}}}}), "keys.cert and keys.key")])
def test_keda_is_not_left_without_a_login(values: dict, sentence: str) -> None:
    assert sentence in refusal(over(ON, values))
    render(values)


WORKERS = {"config": {"consumer": {"workers": 8}}}


@pytest.mark.parametrize("values,sentence", [
    ({"consumer": {"autoscaling": {"mysqlConnections": 71}}}, "8 pods of consumer and retry may need 72 connections"),
    ({"consumer": {"autoscaling": {"mysqlConnections": 100}, "resources": {"limits": {"cpu": "1"}}}, "config": {"consumer": {"workers": "auto"}},
      "retry": {"resources": {"limits": {"cpu": "1"}}}}, "needs a number")])
def test_scaling_out_does_not_sink_the_database(values: dict, sentence: str) -> None:
    assert sentence in refusal(over(ON, WORKERS, values))
    render(ON, WORKERS, {"consumer": {"autoscaling": {"mysqlConnections": 72}}})


def test_hpa_wants_a_request() -> None:
    assert "resources.requests.cpu" in refusal({"ingress": {"autoscaling": {"enabled": True}, "resources": {"requests": {"cpu": None}}}})
