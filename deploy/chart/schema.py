"""values.schema.json: closed wherever the keys are ours, those of sluice.yaml among them, open where values are Kubernetes'."""

from __future__ import annotations

import json

from deploy.chart import configuration
from deploy.chart.values import Entry

OPEN = {"type": "object"}
NAMED: dict[str, dict] = {
    "object": OPEN,
    "objects": {"type": "array", "items": OPEN},
    "texts": {"type": "object", "additionalProperties": {"type": "string"}},
    "names": {"type": "array", "items": {"type": "string", "minLength": 1}},
    "ports": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 65535}},
    # Ways out by name, each in the form of those of networkPolicy.egress.
    "ways": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": False, "properties": {
        "to": {"type": "array", "items": OPEN}, "ports": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 65535}}}}},
    "port": {"minimum": 1, "maximum": 65535},
    "digest": {"pattern": "^(sha256:[0-9a-f]{64})?$"},
    # Its keys; what stands there is for the programs, but for what templates rely on.
    "config": {"$ref": "#/definitions/configuration"},
}


class Unclear(Exception):
    """A standard value that does not say what may stand in its place."""


def text_of(root: Entry) -> str:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"configuration": configuration.schema()},
              **_schema(root, root)}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _schema(entry: Entry, root: Entry) -> dict:
    if isinstance(entry.given, str) and entry.given.startswith("like "):
        return {**_schema(_found(root, entry.given.removeprefix("like ")), root), **_described(entry)}
    given = _given(entry)
    if entry.given == "config":
        return _configuration(entry, root)
    # A standard value is one example of what an open block may hold, not its bounds.
    of_value = {"type": _type(entry.value)} if isinstance(entry.given, str) else _of_value(entry, root, given)
    return {**_described(entry), **of_value, **given}


def _of_value(entry: Entry, root: Entry, given: dict) -> dict:
    if entry.children:
        return {"type": "object", "additionalProperties": False, "properties": _properties(entry, root)}
    if isinstance(entry.value, (dict, list)) and not entry.value and not given:
        raise Unclear(f"{entry.name}: an empty value says nothing of what may stand there; @schema must")
    if entry.value is None and "type" not in given:
        raise Unclear(f"{entry.name}: null has no type; @schema must say one")
    return {} if entry.value is None else {"type": _type(entry.value)}


def _properties(entry: Entry, root: Entry) -> dict:
    return {child.path[-1]: _schema(child, root) for child in entry.children}


def _configuration(entry: Entry, root: Entry) -> dict:
    """An empty one is laid over another."""
    if not entry.children:
        return {**_described(entry), "allOf": [NAMED["config"]]}
    said = {child.path[-1]: _untyped(_schema(child, root)) for child in entry.children}
    return {**_described(entry), **configuration.merged(configuration.schema(), {"properties": said})}


def _untyped(schema: dict) -> dict:
    """Words and numbers are for the programs, in each depth; templates rely on sections and lists."""
    if schema["type"] not in ("object", "array"):
        return {key: value for key, value in schema.items() if key == "description"}
    if "properties" not in schema:
        return schema
    return {**schema, "properties": {name: _untyped(part) for name, part in schema["properties"].items()}}


def _given(entry: Entry) -> dict:
    if isinstance(entry.given, str):
        if entry.given not in NAMED:
            raise Unclear(f"{entry.name}: @schema {entry.given} is none of {', '.join(NAMED)}, like KEY")
        return NAMED[entry.given]
    return entry.given or {}


def _described(entry: Entry) -> dict:
    return {"description": entry.text} if entry.text else {}


def _found(root: Entry, name: str) -> Entry:
    entry = root
    for part in name.split("."):
        entry = next(child for child in entry.children if child.path[-1] == part)
    return entry


def _type(value: object) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names[type(value)]
