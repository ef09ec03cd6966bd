"""A wrong configuration is refused with a sentence that says what, where, and what would be right."""

from __future__ import annotations

import os
import subprocess

import pytest
import yaml

from tests.support.pipeline import PATH, Pipeline
from tests.support.program import Program, binary


@pytest.fixture
def plain(new_pipeline) -> Pipeline:
    """A pipeline of which nothing is made: --check asks no server."""
    return new_pipeline()


def check(pipeline: Pipeline, program: str = "sluice-ingress", text: str | None = None) -> subprocess.CompletedProcess[str]:
    given = Program(program, pipeline._with_ports(), pipeline.folder, label="check", environment={})
    given.write_config()
    if text is not None:
        given.config_file.write_text(text)
    return subprocess.run([str(binary(program)), "--config", str(given.config_file), "--check"], text=True,
                          capture_output=True, timeout=20, check=False, env={**os.environ, **pipeline.secrets})


@pytest.mark.parametrize("program", ["sluice-ingress", "sluice-consumer"])
def test_right_configuration_passes(plain: Pipeline, program: str) -> None:
    result = check(plain, program)
    assert result.returncode == 0, result.stderr


def test_ingress_does_not_need_the_consumers_secrets_nor_the_other_way_round(plain: Pipeline) -> None:
    sql = plain.secrets.pop("TEST_SQL_PASSWORD")
    assert check(plain, "sluice-ingress").returncode == 0
    plain.secrets["TEST_SQL_PASSWORD"] = sql
    plain.secrets.pop("TEST_STRIPE_SECRET")
    assert check(plain, "sluice-consumer").returncode == 0


def path_of(config: dict, *path: object) -> dict:
    for step in path:
        config = config[step]
    return config


# (program, what is done to the configuration, words of the sentence, text of the line that it names)
INGRESS, CONSUMER = "sluice-ingress", "sluice-consumer"
WRONG: dict[str, tuple[str, tuple, object, list[str]]] = {
    "unknown key": (INGRESS, ("listen", "adress"), "x", ["adress", "address"]),
    "unknown section": (INGRESS, ("kafak",), {}, ["kafak", "kafka"]),
    "unknown key of a source": (INGRESS, ("sources", 0, "tolerence"), "5s", ["tolerence", "tolerance"]),
    "unknown recipe": (INGRESS, ("sources", 0, "recipe"), "stripey", ["stripey", "stripe"]),
    "duration without a unit": (INGRESS, ("sources", 0, "tolerance"), 300, ["tolerance", "300"]),
    "path without a slash": (INGRESS, ("sources", 0, "path"), "hook", ["path"]),
    "secret as plain text": (INGRESS, ("sources", 0, "keys", 0, "value"), "whsec_plain", ["file", "env"]),
    "secret that is not there": (INGRESS, ("sources", 0, "keys", 0, "value"), {"env": "NOT_SET_AT_ALL"}, ["NOT_SET_AT_ALL"]),
    "secret file that is not there": (INGRESS, ("sources", 0, "keys", 0, "value"), {"file": "/nonexistent/s"},
                                      ["/nonexistent/s"]),
    "source without keys": (INGRESS, ("sources", 0, "keys"), [], ["key"]),
    "pointer without a slash": (INGRESS, ("sources", 0, "order_by"), ["data/object/id"], ["data/object/id"]),
    "address without a port": (INGRESS, ("listen", "address"), "127.0.0.1", ["listen.address"]),
    "broker without sense": (INGRESS, ("kafka", "brokers"), ["a b"], ["kafka.brokers"]),
    "headers in a form that nobody knows": (INGRESS, ("kafka", "headers"), "protobuf", ["kafka.headers", "packed, cloudevents", "protobuf"]),
    "librdkafka property that is fixed": (INGRESS, ("kafka", "options"), {"acks": 1}, ["acks"]),
    "credentials in a URL": (INGRESS, ("redis", "urls"), ["redis://:geheim@h/0"], ["redis.password"]),
    "effect of an unknown kind": (CONSUMER, ("effects", 0, "sqll"), [], ["sqll"]),
    "effect with a wrong pointer": (CONSUMER, ("effects", 0, "let", "customer"), "data/object", ["data/object"]),
    "effect with an unknown type": (CONSUMER, ("effects", 0, "let", "amount"),
                                    {"pointer": "/data/object/amount", "as": "money"}, ["money", "int64"]),
    "effect with an unknown outcome": (CONSUMER, ("effects", 0, "sql", 0, "rows"), {1: "fine"}, ["fine", "done"]),
    "effect with an unbound parameter": (CONSUMER, ("effects", 0, "sql", 0, "run"),
                                         "UPDATE wallet SET balance = :amuont + :amount WHERE customer = :customer",
                                         ["amuont"]),
    "effect with an unused let": (CONSUMER, ("effects", 0, "let", "unused"), "/id", ["unused"]),
    "effect that commits": (CONSUMER, ("effects", 0, "sql", 0, "run"), "COMMIT", ["COMMIT"]),
    "effect that makes a table": (CONSUMER, ("effects", 0, "sql", 0, "run"), "CREATE TABLE x (id INT)", ["CREATE"]),
    "effect of two statements": (CONSUMER, ("effects", 0, "sql", 0, "run"),
                                 "DELETE FROM wallet; DELETE FROM wallet_entry", ["one statement"]),
    "effect of an unknown source": (CONSUMER, ("effects", 0, "when", "source"), "stripe-ue", ["stripe-ue"]),
    "two effects of one name": (CONSUMER, ("effects", 1, "name"), "credit-wallet", ["credit-wallet"]),
    "keep in hours": (CONSUMER, ("inbox",), {"keep": "36h"}, ["inbox.keep"]),
    "traces to no URL": (INGRESS, ("tracing",), {"endpoint": "collector:4317"}, ["tracing.endpoint", "http://"]),
    "a token in the file": (INGRESS, ("tracing",), {"endpoint": "https://c/v1/traces", "headers": [
        {"name": "Authorization", "value": "Bearer geheim"}]}, ["tracing.headers[0].value", "file"]),
    "a header of two lines": (INGRESS, ("tracing",), {"endpoint": "https://c/v1/traces", "headers": [
        {"name": "A:\r\nB", "value": {"env": "HOME"}}]}, ["header's name"]),
    "traces above all": (CONSUMER, ("tracing",), {"endpoint": "http://c:4318/v1/traces", "ratio": 2}, ["tracing.ratio"]),
    "consumer setting out of bounds": (CONSUMER, ("consumer",), {"batch": 0}, ["batch"])}


@pytest.mark.parametrize("name", WRONG)
def test_mistake_is_named_with_its_line(plain: Pipeline, name: str) -> None:
    program, path, value, words = WRONG[name]
    path_of(plain.config, *path[:-1])[path[-1]] = value
    result = check(plain, program)
    said = result.stderr
    assert result.returncode != 0, f"accepted\n{said}"
    missing = [word for word in words if word not in said]
    assert not missing, f"no word of {missing} in: {said}"
    assert line_said(said) in lines_around(plain, path), f"the line is wrong: {said}"
    assert "geheim" not in said and "whsec_plain" not in said


def line_said(said: str) -> int:
    """The number after the file's name."""
    import re

    match = re.search(r"check\.yaml:(\d+)", said)
    assert match, f"no file:line in: {said}"
    return int(match[1])


def lines_around(pipeline: Pipeline, path: tuple) -> set[int]:
    """Lines that belong to the changed value or to the mapping that holds it: any of them is the right place."""
    text = (pipeline.folder / "check.yaml").read_text()
    node = yaml.compose(text)
    holder = node
    for step in path:
        holder, node = node, child_of(node, step)
    whole = range(node.start_mark.line + 1, node.end_mark.line + 2)
    return {holder.start_mark.line + 1, holder.start_mark.line, node.start_mark.line, *whole}


def child_of(node: yaml.Node, step: object) -> yaml.Node:
    if isinstance(step, int):
        return node.value[step]
    return next(value for key, value in node.value if key.value == step)


@pytest.mark.parametrize("program", ["sluice-ingress", "sluice-consumer"])
def test_sources_of_one_account_that_make_other_keys_are_refused(plain: Pipeline, program: str) -> None:
    """Consumers would all wait for an operator, from the first start."""
    first = plain.config["sources"][0]
    plain.config["sources"].append({**first, "name": "second", "path": "/second", "order_by": ["/data/object/customer"]})
    result = check(plain, program)
    assert result.returncode != 0, "accepted"
    assert all(word in result.stderr for word in (PATH, "/second", "order_by", "customer", "different principals")), result.stderr
    assert line_said(result.stderr) in lines_around(plain, ("sources", 1))


def test_all_mistakes_are_said_at_once(plain: Pipeline) -> None:
    plain.config["listen"]["adress"] = "x"
    plain.config["sources"][0]["recipe"] = "stripey"
    plain.config["kafka"]["brokers"] = []
    said = check(plain).stderr
    assert all(word in said for word in ("adress", "stripey", "brokers")), said


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "kafka: {", "kafka: {}\nkafka: {}\n", "a: b: c\n", "\t- x"])
def test_file_that_is_no_mapping_is_refused(plain: Pipeline, text: str) -> None:
    result = check(plain, text=text)
    assert result.returncode != 0 and "check.yaml" in result.stderr


def test_missing_file_and_missing_option_are_refused(plain: Pipeline) -> None:
    for arguments in (["--config", "/nonexistent/sluice.yaml"], []):
        result = subprocess.run([str(binary("sluice-ingress")), *arguments], text=True, capture_output=True, timeout=20,
                                check=False)
        assert result.returncode != 0 and result.stderr


def test_sources_that_share_a_principal_must_agree(plain: Pipeline) -> None:
    plain.config["sources"].append({**plain.config["sources"][0], "name": "second", "path": "/second",
                                    "order_by": ["/data/object/id"]})
    result = check(plain)
    assert result.returncode != 0 and "order_by" in result.stderr


def test_two_sources_of_one_path_are_refused(plain: Pipeline) -> None:
    plain.config["sources"].append({**plain.config["sources"][0], "name": "second", "principal": "other"})
    result = check(plain)
    assert result.returncode != 0 and "path" in result.stderr


def test_shared_key_material_is_a_warning(plain: Pipeline) -> None:
    plain.config["sources"].append({**plain.config["sources"][0], "name": "second", "path": "/second",
                                    "principal": "other"})
    result = check(plain)
    assert result.returncode == 0 and "second" in result.stderr + result.stdout
    assert plain.secret not in result.stderr + result.stdout


def test_type_that_looks_misspelt_is_a_warning(plain: Pipeline) -> None:
    plain.config["effects"][0]["when"] = {"type": "payment_intent.suceeded"}
    result = check(plain, "sluice-consumer")
    assert result.returncode == 0, result.stderr
    assert "warning: " in result.stderr and "did you mean 'payment_intent.succeeded'?" in result.stderr


def test_effect_that_the_server_refuses_is_named_with_its_line(pipeline: Pipeline) -> None:
    """A column that is not there: a sentence with file and line, readiness false, until it is there."""
    pipeline.config["effects"][0]["sql"][0]["run"] = (
        "UPDATE wallet SET balanse = balance + :amount WHERE customer = :customer")
    consumer = pipeline.consumer(start=False).start()
    report = consumer.expect_not_ready("balanse")
    assert f"{consumer.config_file.name}:" in report


@pytest.mark.parametrize("program", ["sluice-ingress", "sluice-consumer", "sluicectl"])
def test_help_and_version(program: str) -> None:
    for argument in ("--help", "--version"):
        result = subprocess.run([str(binary(program)), argument], text=True, capture_output=True, timeout=20, check=False)
        assert result.returncode == 0 and result.stdout, argument


def test_the_ingress_names_the_sections_that_it_does_not_judge(plain: Pipeline) -> None:
    plain.config["effects"] = [{"name": "none of its business"}]
    said = check(plain)
    assert said.returncode == 0 and said.stdout.endswith(": ok\n"), said.stderr
    assert "effects; sluice-consumer --check judges them" in said.stderr
