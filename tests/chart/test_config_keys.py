"""The schema's keys of `config` are the programs' keys: each mapping gets a key that nobody knows, and the programs list those that they know."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator

import pytest
import yaml

from chart import TREE, refusal, render
from deploy.chart import configuration
from test_configmap import check

# Longer than a slip of the pen, so that the answer is the list of keys.
PROBE = "z" * 70
NAMES = re.compile(r"`([\w.]+)`")
SECRET: dict = {"file": "/nowhere"}
TLS: dict = {"ca": SECRET, "cert": SECRET, "key": SECRET}
CHANGES = [{"insert": {"table": "t", "row": {"a": ":b"}}}, {"set": {"table": "t", "key": {"a": ":b"}, "row": {"c": 1}, "when": {"c": 0}}},
           {"mirror": {"table": "t", "key": {"a": "/b"}, "columns": {"c": "/c"}, "newer": {"d": ":event_id"},
                       "tombstone": {"e": "/at"}, "deleted_by": "gone"}},
           {"upsert": {"table": "t", "key": {"a": ":b"}, "row": {"c": 1}, "newer": {"d": ":b"}}},
           {"add": {"table": "t", "key": {"a": ":b"}, "column": "c", "by": 1}}, {"send": {"to": "a", "body": {"c": ":b"}}},
           {"send": [{"to": "b", "key": ":b", "body": {"c": ":b"}}]}, {"sql": [{"run": "UPDATE t SET a = 1", "rows": {1: "done"}}]}]
# Every mapping there is; of values only those without which the programs do not come to the next mapping.
WHOLE: dict = {
    "listen": {"tls": {"cert": SECRET, "key": SECRET}, "proxy": {}, "limits": {"connections": {}, "requests": {}, "refused": {}, "strangers": {}}},
    "operations": {},
    "kafka": {"brokers": ["k:9092"], "tls": TLS, "sasl": {"mechanism": "PLAIN", "password": SECRET}},
    "redis": {"password": SECRET, "tls": TLS}, "mysql": {"password": SECRET, "tls": TLS}, "inbox": {}, "callbacks": {"anomalies": {}}, "consumer": {"dead_letter_budget": {}},
    "spill": {},
    "effects_revision": 1, "log": {}, "operators": {"keys": [{"id": "a", "value": SECRET}]},
    "tracing": {"tls": TLS, "headers": [{"name": "A", "value": SECRET}]}, "recipes": [], "outbox": {},
    "command": {"listen": {"tls": {"cert": SECRET, "key": SECRET, "client_ca": SECRET}, "proxy": {}}},
    "destinations": {"a": {"kafka": {"topic": "t"}}, "b": {"http": {"url": "https://mail.example.com", "secrets": [{"value": SECRET}]}}},
    "sources": [{"name": "a", "recipe": "stripe", "principal": "a", "keys": [{"id": "1", "value": SECRET}],
                 "limits": {"client": {}, "source": {}, "account": {}}}],
    "effects": [{"name": f"e{index}", "when": {"provider": "stripe"}, "let": {"b": {"pointer": "/x", "map": {"c": "d"}, "minus": {"pointer": "/y"}}},
                 "decide": {"select": "SELECT 'done'"}, "retry": {}, "defer": {}, **change} for index, change in enumerate(CHANGES)]}


def mappings(value: object, schema: dict, path: str = "") -> Iterator[tuple[str, dict, dict]]:
    """Each mapping: the way to it, itself, and its schema."""
    if isinstance(value, list):
        for item in value:
            yield from mappings(item, schema.get("items", {}), f"{path}[]")
    if isinstance(value, dict):
        yield path, value, schema
        for key, part in list(value.items()):
            free = schema.get("additionalProperties")
            below = schema.get("properties", {}).get(key, {}) if not isinstance(free, dict) else free
            yield from mappings(part, below, f"{path}.*" if isinstance(free, dict) else f"{path}.{key}")


def is_closed(schema: dict) -> bool:
    return schema.get("additionalProperties") is False


def closed_in(schema: dict, path: str = "") -> Iterator[str]:
    if is_closed(schema):
        yield path
    for key, part in schema.get("properties", {}).items():
        yield from closed_in(part, f"{path}.{key}")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from closed_in(schema["additionalProperties"], f"{path}.*")
    if "items" in schema:
        yield from closed_in(schema["items"], f"{path}[]")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """What the programs know, by the way to the mapping."""
    whole, file = copy.deepcopy(WHOLE), tmp_path_factory.mktemp("keys") / "sluice.yaml"
    places = []
    for path, value, _ in list(mappings(whole, configuration.schema())):
        value[f"{PROBE}{len(places)}"] = 1
        places.append(path)
    file.write_text(yaml.dump(whole, Dumper=Plain))
    known: dict[str, set[str]] = {}
    for program in ("sluice-ingress", "sluice-consumer", "sluice-command"):
        said = check(program, file).stderr
        for index, keys in re.findall(rf'{PROBE}(\d+)"? is not a known (?:key|section); known keys: ([\w, ]+)', said):
            known.setdefault(places[int(index)], set()).update(keys.split(", "))
    return known


class Plain(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:
        return True


def schemas_by_path() -> dict[str, set[str]]:
    return {path: set(schema["properties"]) for path, _, schema in mappings(WHOLE, configuration.schema()) if is_closed(schema)}


def test_every_mapping_that_the_schema_closes_is_asked_for() -> None:
    assert set(closed_in(configuration.schema())) == set(schemas_by_path())


def test_the_schema_has_the_keys_that_the_programs_know_and_no_others(answers: dict[str, set[str]]) -> None:
    """One that is missing would refuse what the programs take; one too many, or a mapping left open, would leave it to the Job that judges."""
    assert answers == schemas_by_path()


@pytest.mark.parametrize("path", sorted(set(schemas_by_path())))
def test_a_key_that_nobody_knows_is_refused_wherever_it_stands(path: str) -> None:
    whole = copy.deepcopy(WHOLE)
    next(value for at, value, _ in mappings(whole, configuration.schema()) if at == path)["brokrs"] = 1
    assert "schema" in (said := refusal({"config": whole})) and "brokrs" in said


SLIPS: dict[str, tuple[dict, str, str]] = {
    "config": ({"kafka": {"brokrs": ["k:9092"]}}, "brokrs", "kafka"), "ctl": ({"mysql": {"usr": "x"}}, "usr", "mysql"),
    "migrate": ({"mysql": {"tls": {"cafile": "/x"}}}, "cafile", "tls"), "topics": ({"kafka": {"sasl": {"username": "x"}}}, "username", "sasl")}


@pytest.mark.parametrize("helm", ["helm", "helm3"])
@pytest.mark.parametrize("part", SLIPS)
def test_a_slip_of_the_pen_is_refused_with_its_place(part: str, helm: str) -> None:
    config, key, place = SLIPS[part]
    said = refusal({"config": config} if part == "config" else {part: {"config": config}}, helm=helm)
    assert "schema" in said and key in said and place in said


def test_names_that_are_free_and_recipes_stay_open() -> None:
    send = {"to": "any-name", "body": {"word_of_tomorrow": {"b": [1]}}}
    render({"config": {"kafka": {"options": {"fetch.wait.max.ms": 100}}, "destinations": {"any-name": {"kafka": {"topic": "t"}}},
                       "effects": [{"name": "one", "send": send}, {"name": "two", "send": [send, send]}], "recipes": [{"name": "own", "algorithm": "hmac-sha256"}],
                       "sources": [{"name": "a", "recipe": "square", "principal": "a", "with": {"url": "https://x/y", "word_of_tomorrow": 1}}]}})


def test_the_page_has_no_key_that_the_schema_refuses() -> None:
    """docs/configuration.md: the first column of each section's table."""
    known, documented = configuration.schema()["properties"], []
    page = (TREE / "docs" / "configuration.md").read_text()
    for heading, text in re.findall(r"^## ([\w, ]+)(.*(?:\n(?!## ).*)*)", page, re.MULTILINE):
        above = [heading.strip()] if heading.strip() in known else []
        table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
        for names in map(NAMES.findall, re.findall(r"^\| (`.*?) \|", table[0] if table else "", re.MULTILINE)):
            # `mysql.host`, `.port`: the second is in the section of the first.
            documented += [[*above, *(names[0].split(".")[0] + name if name.startswith(".") else name).split(".")] for name in names]
    assert len(documented) > 60 and [way for way in documented if not found(known, way)] == []


def found(known: dict, way: list[str]) -> bool:
    schema = known.get(way[0])
    if schema is None or len(way) == 1:
        return schema is not None
    inner = schema.get("items", schema)
    if "properties" not in inner and isinstance(inner.get("additionalProperties"), dict):
        inner = inner["additionalProperties"]  # under names of one's own
    return found(inner.get("properties", {}), way[1:])
