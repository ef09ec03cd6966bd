"""`sluicectl command` in the pod of ctl: what it reads, as whom it logs in where, and that it runs with that."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from chart import Rendered, over, refusal, render, rendered
from test_commands import COMMANDS, ON
from test_configmap import BIN, as_mounted
from test_hot_and_calls import CHARGE, HOT, REFUND, commands
from test_network import ports_out
from test_workloads import secrets_of

ON_CALL = {"ctl": {"enabled": True}}
ON_MYSQL = over(HOT, commands(CHARGE, {**REFUND, "call": {**REFUND["call"], "record": "mysql"}}))
LOGIN = {"user": {"file": "/run/secrets/sluice-settle/user"}, "password": {"file": "/run/secrets/sluice-settle/mysql-password"}}
OF_REDIS = {"username": {"file": "/run/secrets/sluice-settle/user"}, "password": {"file": "/run/secrets/sluice-settle/redis-password"}}
SETTLES = {"ctl": {"commands": {"config": {"mysql": LOGIN, "redis": OF_REDIS}}}}
ELSEWHERE = {"command": {"config": {
    "mysql": {"host": "money", "port": 3307, "user": "sluice-command", "password": {"file": "/run/secrets/sluice-command/mysql-password"}},
    "redis": {"urls": ["redis://calls:6380/0"], "username": "sluice-command", "password": {"file": "/run/secrets/sluice-command/redis-password"}}}}}
CA, OTHER_CA = ({"file": f"/run/secrets/{name}/ca.crt"} for name in ("money-ca", "other-ca"))


def pair(folder: str) -> dict[str, dict]:
    return {name: {"file": f"/run/secrets/{folder}/tls.{suffix}"} for name, suffix in (("cert", "crt"), ("key", "key"))}


def servers(part: str, mysql: dict, urls: list[str], redis: dict) -> dict:
    """What a part says of both; the section of all parts is `config` itself."""
    said = {"config": {"mysql": mysql, "redis": {"urls": urls, **redis}}}
    return {part: said} if part else said


OVER_TLS = servers("command", {"host": "money", "tls": {"ca": CA, **pair("sluice-command")}}, ["rediss://calls:6380/0"],
                   {"tls": {"ca": CA, **pair("sluice-command")}})


def files_of(release: Rendered) -> dict[str, str]:
    return release.one("ConfigMap", "sluice-ctl")["data"]


def file_of(release: Rendered) -> dict:
    return yaml.safe_load(files_of(release)["commands.yaml"])


def variables_of(release: Rendered) -> dict[str, str]:
    return {each["name"]: each["value"] for each in release.container("ctl")["env"]}


def test_the_file_is_there_where_commands_are() -> None:
    on, off = render(ON, ON_CALL), render(over(ON, {"command": {"enabled": False}}), ON_CALL)
    assert (files_of(on).keys(), files_of(off).keys()) == ({"sluice.yaml", "commands.yaml"}, {"sluice.yaml"})
    assert variables_of(on) == {"SLUICE_CONFIG": "/etc/sluice/sluice.yaml", "SLUICE_COMMANDS_CONFIG": "/etc/sluice/commands.yaml"}
    assert variables_of(off).keys() == {"SLUICE_CONFIG"}


def test_it_has_what_the_commands_need_and_no_more() -> None:
    assert file_of(rendered(HOT)).keys() == {"commands", "callers", "mysql", "redis"}
    assert file_of(rendered(ON_MYSQL)).keys() == {"commands", "callers", "mysql"}, "no record is on Redis"
    assert file_of(rendered(HOT))["callers"] == [{"name": "ads", "principal": "ads-team"}], "it takes no requests, so their keys are not its own"
    assert file_of(rendered(HOT))["commands"] == HOT["config"]["commands"]


@pytest.mark.parametrize("values", [HOT, ON_MYSQL, over(HOT, SETTLES, ELSEWHERE), over(HOT, SETTLES, OVER_TLS)],
                         ids=["on-redis", "on-mysql", "elsewhere", "over-tls"])
@pytest.mark.parametrize("words", [["list"], ["show", "refund", "k1"], ["settle", "refund", "k1", "--caller", "ads-team", "--as", "not-executed"],
                                   ["settle", "charge-click", "--digest", "0" * 64, "--as", "not-executed"]], ids=lambda words: "-".join(words[:2]))
def test_each_command_takes_the_file_with_the_secrets_that_are_mounted(values: dict, words: list[str], tmp_path: Path) -> None:
    """It comes as far as the servers, which are not there."""
    release = rendered(values)
    text = files_of(release)["commands.yaml"].replace("host: mysql", "host: 127.0.0.1").replace("host: money", "host: 127.0.0.1")
    text = text.replace("port: 3306", "port: 1").replace("port: 3307", "port: 1")
    text = text.replace("//redis:6379", "//127.0.0.1:1").replace("//calls:6380", "//127.0.0.1:1")
    file = as_mounted(text, tmp_path)
    for folder in {each.name for each in tmp_path.iterdir() if each.is_dir()} - secrets_of(release, "ctl"):
        for secret in (tmp_path / folder).iterdir():
            secret.unlink()
    done = subprocess.run([str(BIN / "sluicectl"), "command", *words], text=True, capture_output=True, timeout=30, check=False,
                          env={"PATH": "/usr/bin:/bin", "SLUICE_CONFIG": "/nowhere", "SLUICE_COMMANDS_CONFIG": str(file)})
    assert done.returncode == 3, done.stdout + done.stderr


def test_it_logs_in_as_the_pod_does_where_the_keys_are_and_never_as_sluice_command() -> None:
    release = rendered(over(HOT, ELSEWHERE))
    assert file_of(release)["mysql"] == {"host": "money", "port": 3307, "database": "payments", "user": "sluice",
                                         "password": {"file": "/run/secrets/sluice-mysql/password"}}
    assert file_of(release)["redis"] == {"urls": ["redis://calls:6380/0"], "password": {"file": "/run/secrets/sluice-redis/password"}}
    apart = rendered(over(HOT, ELSEWHERE, SETTLES))
    assert file_of(apart)["mysql"] == {"host": "money", "port": 3307, "database": "payments", **LOGIN}
    assert file_of(apart)["redis"] == {"urls": ["redis://calls:6380/0"], **OF_REDIS}
    for each in (release, apart):
        assert yaml.safe_load(files_of(each)["sluice.yaml"])["mysql"]["user"] == "sluice", "all else of sluicectl only reads"


def test_host_and_port_are_of_one_server() -> None:
    release = rendered(over(HOT, {"ctl": {"config": {"mysql": {"host": "replica", "port": 3307, "database": "copy"}}}}))
    mysql, of_the_rest = file_of(release)["mysql"], yaml.safe_load(files_of(release)["sluice.yaml"])["mysql"]
    assert (mysql["host"], mysql["port"], mysql["database"]) == ("mysql", 3306, "payments")
    assert (of_the_rest["host"], of_the_rest["port"], of_the_rest["database"]) == ("replica", 3307, "copy")
    assert ports_out(release.one("NetworkPolicy", "sluice-ctl")["spec"]) == {53, 9092, 3306, 3307, 6379}


def test_tls_is_as_the_server_has_it_with_a_client_certificate_of_its_own() -> None:
    apart = rendered(over(HOT, OVER_TLS, SETTLES))
    assert file_of(apart)["mysql"] == {"host": "money", "port": 3306, "database": "payments", "tls": {"enabled": True, "ca": CA}, **LOGIN}
    assert file_of(apart)["redis"] == {"urls": ["rediss://calls:6380/0"], "tls": {"enabled": True, "ca": CA}, **OF_REDIS}
    assert "money-ca" in secrets_of(apart, "ctl") and "sluice-command" not in secrets_of(apart, "ctl")


@pytest.mark.parametrize("theirs,ours,expected", [
    ({"tls": {"ca": CA}}, {"tls": {"ca": OTHER_CA, **pair("on-call")}}, {"enabled": True, "ca": CA, **pair("on-call")}),
    ({"tls": pair("sluice-command")}, {"tls": {"ca": OTHER_CA}}, {"enabled": True}),
    ({"tls": {"enabled": True}}, {}, {"enabled": True}),
    ({}, {"tls": {"ca": OTHER_CA, **pair("on-call")}}, None),
    ({"tls": {"enabled": False, "ca": CA}}, {"tls": {"ca": OTHER_CA}}, None)],
    ids=["own-pair", "system-roots", "enabled", "no-tls", "off"])
def test_nothing_is_taken_of_the_tls_of_another_server(theirs: dict, ours: dict, expected: dict | None) -> None:
    scheme = "rediss" if expected else "redis"
    release = rendered(over(HOT, servers("command", {"host": "money", **theirs}, [f"{scheme}://calls:6380/0"], theirs),
                            servers("ctl", {"host": "replica", **ours}, ["rediss://others:6379/0"], ours)))
    for server in ("mysql", "redis"):
        assert file_of(release)[server].get("tls") == expected, server


def test_tls_of_its_own_to_the_same_server_stays() -> None:
    own = {"ca": CA, **pair("on-call")}
    values = over(HOT, {"ctl": {"config": {"mysql": {"port": 3306, "tls": own}}}})
    assert file_of(rendered(values))["mysql"]["tls"] == own, "though sluice-command goes there without"


def test_a_url_alone_says_that_redis_has_tls() -> None:
    values = over(HOT, servers("command", {}, ["rediss://calls:6380/0"], {}), servers("ctl", {}, ["redis://redis:6379/0"], {}))
    assert file_of(rendered(values))["redis"]["tls"] == {"enabled": True}


@pytest.mark.parametrize("is_on", [True, False], ids=["on", "off"])
@pytest.mark.parametrize("said", [None, {"config": None}, {"config": {"mysql": None}}], ids=["older-values", "null", "null-of-a-server"])
def test_nothing_said_of_the_login_is_no_login_apart(said: dict | None, is_on: bool) -> None:
    """`--reuse-values` brings values that are older than the key."""
    release = render(ON if is_on else {}, ON_CALL, {"ctl": {"commands": said}})
    assert release.text == render(ON if is_on else {}, ON_CALL).text


def test_secrets_of_the_login_are_mounted_and_none_of_callers_or_services() -> None:
    plain, apart, off = (secrets_of(rendered(over(HOT, *changes)), "ctl") for changes in (
        (), (ELSEWHERE, SETTLES), (SETTLES, {"command": {"enabled": False, "egress": None}, "booker": {"enabled": False}})))
    assert apart - plain == {"sluice-settle"} and plain == off
    assert not (plain | apart) & {"refunds", "caller-ads", "sluice-command"}


def test_the_way_there_is_open_too() -> None:
    policies = [rendered(values).one("NetworkPolicy", "sluice-ctl")["spec"] for values in (HOT, over(HOT, ELSEWHERE), over(ON_MYSQL, ELSEWHERE))]
    assert [ports_out(policy) for policy in policies] == [{53, 9092, 3306, 6379}, {53, 9092, 3306, 3307, 6379, 6380}, {53, 9092, 3306, 3307, 6379}]


@pytest.mark.parametrize("said,sentence", [
    ({"mysql": {"password": "secret"}}, "ctl.commands.config.mysql.password contains a secret"),
    ({"mysql": {"password": {"file": "/run/secrets/settle"}}}, "ctl.commands.config names the file /run/secrets/settle"),
    ({"kafka": {"brokers": ["k"]}, "callers": []}, "ctl.commands.config has callers, kafka"), ({"mysql": {"usr": "a"}}, "usr")])
def test_wrong_values_are_refused_with_a_sentence(said: dict, sentence: str) -> None:
    assert sentence in refusal(over(COMMANDS, {"ctl": {"commands": {"config": said}}}))
