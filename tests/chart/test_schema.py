"""Values that the schema refuses before anything is rendered."""

from __future__ import annotations

import pytest

from chart import refusal, render

WRONG = {
    "unknown key": ({"replicaCount": 3}, "replicaCount"),
    "unknown key in a part": ({"ingress": {"replica": 3}}, "replica"),
    "unknown key of a part's pod": ({"consumer": {"pod": {"nodeselector": {}}}}, "nodeselector"),
    "unknown key of a probe": ({"retry": {"livenessProbe": {"period": 5}}}, "period"),
    "text for a number": ({"ingress": {"replicas": "two"}}, "replicas"),
    "no replica": ({"retry": {"replicas": 0}}, "replicas"),
    "a digest that is none": ({"ingress": {"image": {"digest": "sha256:abc"}}}, "digest"),
    "a pull policy that is none": ({"image": {"pullPolicy": "Sometimes"}}, "pullPolicy"),
    "a number as annotation": ({"pod": {"annotations": {"a": 1}}}, "annotations"),
    "unknown section of the configuration": ({"config": {"kafak": {}}}, "kafak"),
    "a mapping in place of a list": ({"config": {"sources": {"name": "a"}}}, "sources"),
    "a list in place of a mapping": ({"config": []}, "config"),
    "brokers as text": ({"config": {"kafka": {"brokers": "kafka:9092"}}}, "brokers"),
    "a port out of range": ({"ingress": {"service": {"port": 70000}}}, "port"),
}


@pytest.mark.parametrize("helm", ["helm", "helm3"])
@pytest.mark.parametrize("values,name", WRONG.values(), ids=WRONG)
def test_wrong_values_are_refused_by_name(values: dict, name: str, helm: str) -> None:
    said = refusal(values, helm=helm)
    assert "schema" in said and name in said


def test_what_is_not_ours_stays_open() -> None:
    """Words and numbers of `config` are judged by the programs; its keys by test_config_keys."""
    render({"global": {"somebodyElses": {"x": 1}}, "config": {"log": {"level": "word of tomorrow"}, "kafka": {"topic": 7}},
            "pod": {"affinity": {"nodeAffinity": {}}, "tolerations": [{"operator": "Exists"}]}})


def test_a_standard_value_does_not_bound_what_is_open() -> None:
    rendered = render({"ingress": {"resources": {"limits": {"cpu": "2", "hugepages-2Mi": "4Mi"}}, "autoscaling": {"behavior": {"scaleUp": {
        "selectPolicy": "Max"}}}}, "monitoring": {"dashboards": {"labels": {"instance": "main"}}}, "config": {"listen": {"threads": "auto"}}})
    assert rendered.container("ingress")["resources"]["limits"] == {"memory": "1Gi", "cpu": "2", "hugepages-2Mi": "4Mi"}
