"""values.schema.json: closed wherever the keys are ours, open where values are Kubernetes' or the programs' own."""

from __future__ import annotations

import json

from deploy.chart.values import Entry

OPEN = {"type": "object"}
NAMED: dict[str, dict] = {
    "object": OPEN,
    "objects": {"type": "array", "items": OPEN},
    "texts": {"type": "object", "additionalProperties": {"type": "string"}},
    "names": {"type": "array", "items": {"type": "string", "minLength": 1}},
    "ports": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 65535}},
    "port": {"minimum": 1, "maximum": 65535},
    "digest": {"pattern": "^(sha256:[0-9a-f]{64})?$"},
    # The programs judge it; here only what templates rely on.
    "config": {"type": "object", "additionalProperties": True},
}


class Unclear(Exception):
    """A standard value that does not say what may stand in its place."""


def text_of(root: Entry) -> str:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", **_schema(root, root)}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _schema(entry: Entry, root: Entry) -> dict:
    if isinstance(entry.given, str) and entry.given.startswith("like "):
        return {**_schema(_found(root, entry.given.removeprefix("like ")), root), **_described(entry)}
    given = _given(entry)
    if entry.given == "config":
        return {**_described(entry), **given, "properties": _properties(entry, root, closed=False)}
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


def _properties(entry: Entry, root: Entry, closed: bool = True) -> dict:
    """Of what is not closed only sections and lists are known, in each depth: words and numbers are for the programs."""
    made = {child.path[-1]: _schema(child, root) for child in entry.children}
    return made if closed else {name: _opened(schema) for name, schema in made.items() if schema["type"] in ("object", "array")}


def _opened(schema: dict) -> dict:
    kept = {key: value for key, value in schema.items() if key != "additionalProperties"}
    if "properties" in kept:
        kept["properties"] = {name: _opened(part) for name, part in kept["properties"].items() if part["type"] in ("object", "array")}
    return kept


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
