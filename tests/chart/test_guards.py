"""Values that the schema cannot judge, refused with a sentence that says what would be right."""

from __future__ import annotations

import pytest

from chart import refusal, render

PLAIN = {"mechanism": "PLAIN", "user": "u", "password": {"file": "/run/secrets/k/p"}}
TWO = {"two_for": ["edit"], "keys": [{"id": name, "operator": name, "value": {"file": f"/run/secrets/operators/{name}"}} for name in ("ada", "bob")]}
WRONG: dict[str, tuple[dict, str]] = {
    "images of nobody": ({"image": {"registry": ""}}, "image.registry is empty, so nodes would look for sluice-ingress:0.1.0 on Docker Hub"),
    "no broker": ({"config": {"kafka": {"brokers": []}}}, "config.kafka.brokers must name at least one broker"),
    "no source": ({"config": {"sources": []}}, "config.sources must name at least one source"),
    "operations on loopback": ({"config": {"operations": {"address": "127.0.0.1:9090"}}}, "which cannot be reached from outside the pod"),
    "a port of operations for one program": ({"config": {"operations": {"retry": "0.0.0.0:9092"}}}, "config.operations must have address and nothing else"),
    "no port of operations": ({"config": {"operations": None}}, "config.operations must have address and nothing else"),
    "a token as text": ({"config": {"tracing": {"endpoint": "https://c/v1/traces", "headers": [{"name": "Authorization", "value": "Bearer hunter2"}]}}},
                        "config.tracing.headers[0].value contains a secret"),
    "a password as text": ({"config": {"mysql": {"password": "hunter2"}}}, "config.mysql.password contains a secret"),
    "a password of Kafka as text": ({"config": {"kafka": {"sasl": {"password": "x"}}}}, "config.kafka.sasl.password contains"),
    "a key as text": ({"config": {"sources": [{"name": "a", "recipe": "stripe", "principal": "a", "keys": [{"id": "1", "value": "whsec_x"}]}]}},
                      "config.sources[0].keys[0].value contains a secret"),
    "a key of operators as text": ({"config": {"operators": {"keys": [{"id": "a", "value": "x"}]}}}, "config.operators.keys[0].value contains a secret"),
    "the keys of two operators in one pod": ({"ctl": {"enabled": True}, "config": {"operators": TWO}},
                                             "the on-call pod would have the keys of ada and of bob"),
    "a password among the options": ({"config": {"kafka": {"options": {"ssl.key.password": "x"}}}}, "config.kafka.options[ssl.key.password] contains"),
    "effects of one role": ({"consumer": {"config": {"effects": []}}}, "consumer.config has effects, which all parts must share"),
    "a topic of one part": ({"ingress": {"config": {"kafka": {"topic": "t"}}}}, "ingress.config has kafka.topic, which all parts must share"),
    "a load balancer's key without one": ({"ingress": {"service": {"loadBalancerSourceRanges": ["10.0.0.0/8"]}}},
                                          "Kubernetes takes it only with LoadBalancer"),
    "a password of one part as text": ({"ingress": {"config": {"kafka": {"sasl": {"password": "x"}}}}}, "ingress.config.kafka.sasl.password contains"),
    "a password of on-call's as text": ({"ctl": {"config": {"mysql": {"password": "x"}}}}, "ctl.config.mysql.password contains a secret"),
    "a password of the migrations' as text": ({"migrate": {"config": {"mysql": {"password": "x"}}}}, "migrate.config.mysql.password contains"),
    "a password of the topics' as text": ({"topics": {"config": {"kafka": {"sasl": {"password": "x"}}}}}, "topics.config.kafka.sasl.password contains"),
    "a setting of a source as text": ({"config": {"sources": [{"name": "w", "recipe": "wechat-pay", "principal": "w", "with": {"api_v3_key": "x"}}]}},
                                      "config.sources[0].with.api_v3_key contains"),
    "a Secret of the topics' without a key": ({"topics": {"config": {"kafka": {"tls": {"ca": {"file": "/run/secrets/ca"}}}}}},
                                              "topics.config names the file /run/secrets/ca"),
    "Kafka's password in clear text": ({"config": {"kafka": {"sasl": PLAIN}}}, "config.kafka.sasl with PLAIN and without kafka.tls"),
    "a token of Kafka in clear text": ({"config": {"kafka": {"sasl": {**PLAIN, "mechanism": "OAUTHBEARER", "token_endpoint": "https://x"}}}},
                                       "config.kafka.sasl with OAUTHBEARER and without kafka.tls"),
    "that of the topics' user": ({"topics": {"config": {"kafka": {"sasl": PLAIN}}}}, "topics.config.kafka.sasl with PLAIN"),
    "that beside TLS that is off": ({"config": {"kafka": {"sasl": PLAIN, "tls": {"enabled": False}}}}, "config.kafka.sasl with PLAIN"),
    "a Secret without a key": ({"config": {"redis": {"password": {"file": "/run/secrets/redis"}}}}, "write /run/secrets/NAME/KEY"),
    "a grace that cuts requests": ({"ingress": {"terminationGracePeriodSeconds": 39}}, "draining may take 40"),
    "a grace that a longer drain outgrows": ({"config": {"listen": {"drain_within": "1m"}}}, "draining may take 75"),
    "a grace that kills at work": ({"config": {"consumer": {"drain_within": "30500ms"}}}, "consumer.terminationGracePeriodSeconds is 40, "
                                   "but draining may take 41"),
    "a grace of the retry role": ({"retry": {"terminationGracePeriodSeconds": 29}}, "retry.terminationGracePeriodSeconds is 29"),
    "as many connections as the node has CPUs": ({"config": {"consumer": {"workers": "auto"}}}, "config.consumer.workers is auto, and consumer.resources."),
    "as many threads as the node has CPUs": ({"config": {"listen": {"threads": "auto"}}}, "ingress.resources.limits.cpu is not set"),
    "keys over fewer partitions than the topic is made with": ({"topics": {"mode": "job"}, "config": {"kafka": {"partitions": 6}}},
                                                               "config.kafka.partitions is 6 and topics.partitions is 12"),
    "more consumers than partitions": ({"consumer": {"replicas": 13}}, "more consumers than partitions would be idle"),
}


@pytest.mark.parametrize("values,sentence", WRONG.values(), ids=WRONG)
def test_wrong_values_are_refused_with_a_sentence(values: dict, sentence: str) -> None:
    assert sentence in refusal(values)


RIGHT: dict[str, dict] = {
    "the least grace": {"ingress": {"terminationGracePeriodSeconds": 40}},
    "no sleep, so a shorter grace": {"ingress": {"preStopSleepSeconds": 0, "terminationGracePeriodSeconds": 35}},
    "as many consumers as partitions": {"consumer": {"replicas": 12}},
    "the same number said twice": {"topics": {"mode": "job"}, "config": {"kafka": {"partitions": 12}}},
    "a pin of one's own for a topic of one's own": {"config": {"kafka": {"partitions": 6}}},
    "threads by the limit": {"config": {"listen": {"threads": "auto"}}, "ingress": {"resources": {"limits": {"cpu": "2"}}}},
    "a password in clear text on purpose": {"config": {"kafka": {"sasl": PLAIN}}, "insecureKafka": True},
    "a password inside TLS": {"config": {"kafka": {"sasl": PLAIN, "tls": {"enabled": True}}}},
    "settings of a source that are no secrets": {"config": {"sources": [{"name": "s", "recipe": "square", "principal": "s", "with": {"url": "https://x/y"}}]}},
    "the keys of two operators, and no pod of theirs": {"config": {"operators": TWO}},
    "two operators, of whom the on-call pod has one": {"ctl": {"enabled": True, "config": {"operators": {"keys": TWO["keys"][:1], "two_for": []}}},
                                                       "config": {"operators": TWO}},
    "a secret from the environment": {"config": {"mysql": {"password": {"env": "SQL"}}}},
}


@pytest.mark.parametrize("values", RIGHT.values(), ids=RIGHT)
def test_right_values_pass(values: dict) -> None:
    render(values)


def secret(kind: str, name: str, **spec: object) -> dict:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name}, "spec": spec}


OURS = {
    "Secret": secret("Secret", '{{ "sluice-mysql" }}'),
    "ExternalSecret": secret("ExternalSecret", "any", target={"name": "sluice-mysql"}),
    "ExternalSecret of its name": secret("ExternalSecret", "sluice-mysql"),
    "SealedSecret": secret("SealedSecret", "sluice-mysql", template={"metadata": {"name": "sluice-mysql"}})}


@pytest.mark.parametrize("made", OURS.values(), ids=OURS)
def test_a_secret_that_comes_too_late_for_a_hook_is_refused(made: dict) -> None:
    values = {"extraObjects": [made]}
    assert "extraObjects makes the Secret sluice-mysql" in refusal(values) and "set check.enabled: false" in refusal(values)
    late = {**values, "check": {"enabled": False}}
    render(late)
    assert "set migrate.mode: job" in refusal({**late, "migrate": {"mode": "hook"}})


def test_a_secret_that_is_an_earlier_hook_or_nobodys_passes() -> None:
    hook = {"annotations": {"helm.sh/hook": "pre-install,pre-upgrade", "helm.sh/hook-weight": "-30"}}
    made = OURS["Secret"]
    render({"extraObjects": [{**made, "metadata": {**made["metadata"], **hook}}]})
    render({"extraObjects": [secret("Secret", "of-somebody-else")]})


@pytest.mark.parametrize("made", [
    {**OURS["Secret"], "metadata": {"name": "sluice-mysql", "annotations": None}}, {**OURS["ExternalSecret of its name"], "spec": {"target": None}},
    {**OURS["ExternalSecret of its name"], "spec": None}, {**OURS["SealedSecret"], "spec": {"template": None}},
    {**OURS["SealedSecret"], "spec": {"template": {"metadata": None}}}])
def test_a_key_without_a_value_counts_as_left_out(made: dict) -> None:
    assert "extraObjects makes the Secret sluice-mysql" in refusal({"extraObjects": [made]})


@pytest.mark.parametrize("when,early", [("PreSync", True), ("Sync, PreSync", True), ("PostSync", False), ("Sync", False), (None, False)])
def test_a_secret_that_argo_cd_makes_before_the_release_passes(when: str | None, early: bool) -> None:
    made = {**OURS["Secret"], "metadata": {"name": "sluice-mysql", "annotations": {"argocd.argoproj.io/hook": when}}}
    if early:
        render({"extraObjects": [made]})
    else:
        assert "extraObjects makes the Secret sluice-mysql" in refusal({"extraObjects": [made]})
