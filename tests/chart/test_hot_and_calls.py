"""Commands that go through Kafka or to another service: what their pods read, have and reach, and who books."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from chart import Rendered, over, refusal, render, rendered, values_of
from test_commands import ON, config_of
from test_configmap import as_mounted, check
from test_network import ports_out
from test_notes import notes
from test_tools import secrets_of as mounted
from test_workloads import secrets_of

HOT = values_of("hot")
CHARGE, REFUND = HOT["config"]["commands"]
BOTH = over(HOT, {"booker": {"enabled": False}})
OTHERS = ["ingress", "consumer", "retry", "ctl"]
SERVERS = {"sluice-kafka", "kafka-ca", "sluice-mysql"}


@pytest.fixture(scope="module")
def release() -> Rendered:
    return rendered(HOT)


def commands(*those: dict) -> dict:
    return {"config": {"commands": list(those)}}


def rule_to(*ports: int, to: dict | None = None) -> dict:
    return {"ports": [{"port": port, "protocol": "TCP"} for port in ports], **({"to": [to]} if to else {})}


def lists_of(pod: dict) -> dict[str, bool]:
    return {volume["configMap"]["name"]: volume["configMap"].get("optional", False) for volume in pod["volumes"]
            if volume["name"].startswith("list-")}


def test_one_deployment_does_both_unless_bookers_are_apart(release: Rendered) -> None:
    both = rendered(BOTH)
    assert "args" not in both.container("command") and "sluice-booker" not in both.names("Deployment")
    assert (release.container("command")["args"], release.container("booker")["args"]) == (["--role", "serve"], ["--role", "book"])
    assert release.deployment("booker")["spec"]["replicas"] == 2


def test_a_booker_is_made_like_the_pods_that_serve(release: Rendered) -> None:
    ours, theirs = release.container("booker"), release.container("command")
    for key in ("command", "image", "env", "securityContext", "startupProbe", "livenessProbe"):
        assert ours[key] == theirs[key], key
    assert [port["name"] for port in ours["ports"]] == ["operations"], "nobody sends it anything"
    labels = release.deployment("booker")["spec"]["template"]["metadata"]["labels"]
    assert labels["sluice/operations"] == "true" and labels["app.kubernetes.io/component"] == "booker"
    assert release.one("PodDisruptionBudget", "sluice-booker")["spec"]["selector"]["matchLabels"].items() <= labels.items()
    assert release.one("Service", "sluice-command")["spec"]["selector"]["app.kubernetes.io/component"] == "command"


def test_secrets_of_services_are_for_pods_that_call_alone(release: Rendered) -> None:
    of_calls = {"caller-ads", "refunds", "sluice-redis"}
    assert secrets_of(release, "command") == SERVERS | of_calls
    for part in ("booker", *OTHERS):
        assert not secrets_of(release, part) & {"refunds", "caller-ads"}, part
    jobs = {job["metadata"]["name"]: mounted(job["spec"]["template"]["spec"]) for job in release.all("Job")}
    assert {name for name, secrets in jobs.items() if secrets & {"refunds", "caller-ads"}} == {"sluice-check-command"}


def test_a_booker_has_secrets_of_kafka_and_mysql_alone() -> None:
    """Not of those who send, the listener, traces, calls, or where calls are recorded."""
    tls = {part: {"file": f"/run/secrets/commands-tls/{part}"} for part in ("cert", "key", "client_ca")}
    token = {"endpoint": "https://traces", "headers": [{"name": "Authorization", "value": {"file": "/run/secrets/traces/token"}}]}
    all_that_serves = {"config": {"command": {"listen": {"tls": tls}, "client_certificates": "required", "topic": "clicks"}, "tracing": token}}
    release = rendered(over(HOT, all_that_serves))
    job = release.one("Job", "sluice-check-booker")["spec"]["template"]["spec"]
    assert secrets_of(release, "booker") == mounted(job) == SERVERS
    assert {"commands-tls", "traces"} <= secrets_of(release, "command")
    assert yaml.safe_load(config_of(release, "booker"))["command"] == {"topic": "clicks", "workers": 4}


def test_each_reads_what_it_needs(release: Rendered) -> None:
    ours, theirs = (yaml.safe_load(config_of(release, part)) for part in ("booker", "command"))
    assert theirs.keys() == {"operations", "command", "callers", "commands", "mysql", "kafka", "redis"}
    assert ours.keys() == theirs.keys() - {"callers", "redis"}
    assert (ours["commands"], theirs["commands"]) == ([CHARGE], [CHARGE, REFUND])
    plain = render(over(ON, commands({**REFUND, "call": {**REFUND["call"], "record": "mysql"}})))
    assert not yaml.safe_load(config_of(plain)).keys() & {"kafka", "redis"}, "neither is used"


@pytest.mark.parametrize("part", ["command", "booker"])
def test_the_check_takes_the_file_of_each(release: Rendered, part: str, tmp_path: Path) -> None:
    pod = release.one("Job", f"sluice-check-{part}")["spec"]["template"]["spec"]
    [container] = pod["containers"]
    assert container["command"] == ["/usr/bin/sluice-command"]
    [name] = [volume["configMap"]["name"] for volume in pod["volumes"] if volume["name"] == "config"]
    file = as_mounted(release.config(name), tmp_path)
    for folder in {each.name for each in tmp_path.iterdir() if each.is_dir()} - mounted(pod):
        shutil.rmtree(tmp_path / folder)
    result = check("sluice-command", file, *container["args"][1:])
    assert result.returncode == 0, result.stderr


def test_they_reach_kafka_and_redis_only_where_they_use_them(release: Rendered) -> None:
    out = {part: ports_out(release.one("NetworkPolicy", f"sluice-{part}")["spec"]) for part in ("command", "booker")}
    assert out == {"command": {53, 3306, 9092, 6379, 8080, 443}, "booker": {53, 3306, 9092}}
    entrances = release.one("NetworkPolicy", "sluice-booker")["spec"]["ingress"]
    assert [rule["ports"][0]["port"] for rule in entrances] == ["operations"]
    on_mysql = rendered(over(BOTH, commands({**REFUND, "call": {**REFUND["call"], "record": "mysql"}})))
    assert ports_out(on_mysql.one("NetworkPolicy", "sluice-command")["spec"]) == {53, 3306, 8080, 443}


@pytest.mark.parametrize("call,way,ports", [
    ({"url": "http://refunds/r"}, {}, [80]), ({"url": "https://refunds:8443/r:1"}, {}, [8443]),
    ({"url": "http://refunds:8080", "query": {"url": "https://refunds/:key"}}, {}, [8080, 443]),
    ({"url": "http://refunds/r", "query": {"url": "http://refunds/:key"}}, {}, [80]), ({"url": "http://refunds/r"}, {"ports": [8080]}, [8080])])
def test_a_call_and_its_query_have_a_way_out(call: dict, way: dict, ports: list[int]) -> None:
    to = {"podSelector": {"matchLabels": {"app": "refunds"}}}
    values = over(ON, commands({"name": "refund", "call": call}), {"command": {"egress": {"refund": {**way, "to": [to]}}}})
    assert render(values).one("NetworkPolicy", "sluice-command")["spec"]["egress"][-1] == rule_to(*ports, to=to)


def test_a_list_is_a_configmap_of_somebodys_that_pods_follow(release: Rendered) -> None:
    assert lists_of(release.pod("command")) == {"hot-merchants": True}, "without it accounts are not hot, and pods start all the same"
    [mount] = [each for each in release.container("command")["volumeMounts"] if each["name"].startswith("list-")]
    assert mount == {"name": "list-0", "mountPath": "/run/configmaps/hot-merchants", "readOnly": True}
    assert not lists_of(release.pod("booker"))
    first, second = ({"extraObjects": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "hot-merchants"}, "data": {"list": shop}}]}
                     for shop in ("large-shop", "another-shop"))
    assert rendered(over(HOT, first)).deployment("command") == rendered(over(HOT, second)).deployment("command"), "a change of the list makes no pod anew"


@pytest.mark.parametrize("change,rolls", [
    (commands(CHARGE, {**REFUND, "wait": "1s"}), {"command", "ctl"}), (commands({**CHARGE, "wait": "1s"}, REFUND), {"command", "booker", "ctl"}),
    ({"config": {"callers": HOT["config"]["callers"] * 2}}, {"command", "ctl"}), ({"config": {"redis": {"lease": "5s"}}}, {"ingress", "ctl", "command"}),
    ({"config": {"command": {"listen": {"idle": "9s"}}}}, {"command"}), ({"config": {"command": {"group": "g"}}}, {"command", "booker", "ctl"}),
    ({"config": {"kafka": {"min_insync": 1}}}, {"command", "booker", *OTHERS})])
def test_pods_are_made_anew_when_what_they_read_changes(release: Rendered, change: dict, rolls: set[str]) -> None:
    after = rendered(over(HOT, change))
    parts = ("command", "booker", *OTHERS)
    assert {part for part in parts if release.deployment(part)["spec"]["template"] != after.deployment(part)["spec"]["template"]} == rolls


@pytest.mark.parametrize("said,topic", [({}, "sluice.commands"), ({"topic": "clicks"}, "clicks")])
def test_who_makes_topics_knows_of_that_of_commands(said: dict, topic: str) -> None:
    release = rendered(over(HOT, {"config": {"command": said}}))
    [made] = [each for each in release.all("KafkaTopic") if each["spec"]["topicName"] == topic]
    assert (made["spec"]["partitions"], made["spec"]["config"]["retention.ms"]) == (12, 7 * 24 * 3600 * 1000)
    job = rendered(over(HOT, {"config": {"command": said}, "topics": {"mode": "job"}}))
    assert {"commands": [{"name": "charge-click", "hot": {}}], "command": said}.items() <= yaml.safe_load(job.config("sluice-topics")).items()
    without = rendered(over(HOT, commands(REFUND), {"topics": {"mode": "job"}, "booker": {"enabled": False}}))
    assert "commands" not in yaml.safe_load(without.config("sluice-topics"))


def test_who_makes_topics_knows_that_there_are_webhooks() -> None:
    """`sluicectl topics` makes none of theirs for a file with commands and no sources."""
    release = rendered(over(HOT, {"topics": {"mode": "job"}}))
    assert yaml.safe_load(release.config("sluice-topics"))["sources"] == []


REFUSED: dict[str, tuple[dict, str]] = {
    "hot accounts without Kafka": ({"config": {"kafka": {"brokers": []}}}, "config.kafka.brokers must name at least one broker"),
    "a record on no Redis": ({"config": {"redis": {"urls": []}}}, "config.redis.urls names 0 servers, and a call of config.commands has record: redis"),
    "a record on two": ({"config": {"redis": {"urls": ["redis://a", "redis://b"]}}}, "config.redis.urls names 2 servers"),
    "a service's key as text": (commands(CHARGE, {**REFUND, "call": {**REFUND["call"], "secrets": [{"value": "whsec_x"}]}}),
                                "config.commands.refund.call.secrets[0].value contains a secret"),
    "a way for no call": ({"command": {"egress": {"charge-click": {}}}}, "command.egress has charge-click, which is no command with a call"),
    "a list without a key": (commands({**CHARGE, "hot": {"account": ":merchant", "list": "/run/configmaps/hot"}}, REFUND),
                             "charge-click has the list /run/configmaps/hot: write /run/configmaps/NAME/KEY"),
    "bookers of nothing": ({**commands(REFUND)}, "booker.enabled is true and no command of config.commands has hot"),
    "bookers alone": ({"command": {"enabled": False}}, "booker.enabled is true and command.enabled is false"),
    "a grace that cuts calls": (commands(CHARGE, {**REFUND, "call": {**REFUND["call"], "within": "6s"}}),
                                "command.terminationGracePeriodSeconds is 45, but draining may take 46"),
    "more bookers than partitions": ({"booker": {"replicas": 13}}, "booker.replicas is 13 and topics.partitions is 12"),
    "no booker": ({"booker": {"replicas": 0}}, "replicas"),
    "rights beyond the standard": ({"booker": {"pod": {"securityContext": {"runAsUser": 0}}}}, "booker.pod.securityContext.runAsUser is 0"),
    "another topic for bookers": ({"booker": {"config": {"command": {"topic": "t"}}}}, "booker.config has command, which all parts must share")}


@pytest.mark.parametrize("values,sentence", REFUSED.values(), ids=REFUSED)
def test_wrong_values_are_refused_with_a_sentence(values: dict, sentence: str) -> None:
    assert sentence in refusal(over(HOT, values))


@pytest.mark.parametrize("values,sessions", [
    ({}, 2 * (5 + 2) + 2), ({"booker": {"enabled": False}}, 2 * (5 + 2 + 1)), ({"booker": {"replicas": 5}}, 2 * (5 + 2) + 5),
    (commands(CHARGE, {**REFUND, "call": {**REFUND["call"], "record": "mysql", "concurrency": 4}}), 2 * (5 + 2 + 6) + 2),
    (commands(CHARGE, {"name": "refund", "call": {"url": "http://refunds"}}), 2 * (5 + 2 + 18) + 2)])
def test_sessions_of_calls_and_hot_accounts_count_where_those_of_mysql_are_few(values: dict, sessions: int) -> None:
    login = {"existing": "keda"}
    scaling = {"consumer": {"autoscaling": {"enabled": True, "rate": {"perPod": 200}, "mysqlConnections": 71 + sessions, "authentication": login}}}
    assert f"and sluice-command {sessions} more" in refusal(over(HOT, values, scaling))
    render(over(HOT, values, scaling, {"consumer": {"autoscaling": {"mysqlConnections": 72 + sessions}}}))


def test_the_notes_do_not_ask_for_more(tmp_path: Path) -> None:
    assert "POST /v1/commands/refund" in notes(HOT, tmp_path)
