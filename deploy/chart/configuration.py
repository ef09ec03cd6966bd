"""The schema of sluice.yaml, from configuration.yaml beside this: closed where the programs close it, and silent on words and numbers."""

from __future__ import annotations

from pathlib import Path

import yaml

EACH, SOME, ANY = "<each>", "<some>", "<any>"
FILE = Path(__file__).with_name("configuration.yaml")


def schema() -> dict:
    described = yaml.safe_load(FILE.read_text())
    return {**_of(described["keys"], described["shapes"]), "type": "object"}


def _of(shape: object, shapes: dict) -> dict:
    """No type is named but for a list: a secret as text, say, is refused by a guard or a program, with a sentence of its own."""
    if isinstance(shape, str):
        return {} if shape == "any" else _of(shapes[shape.removeprefix("=")], shapes)
    if EACH in shape:
        return {"type": ["array", "null"], "items": _of(shape[EACH], shapes)}
    if SOME in shape:
        one = _of(shape[SOME], shapes)
        return {**one, "items": one}  # keywords for mappings say nothing of a list, and the other way round
    if ANY in shape:
        return {"additionalProperties": _of(shape[ANY], shapes)}
    return {"additionalProperties": False, "properties": {key: _of(value, shapes) for key, value in shape.items()}}


def merged(closed: dict, known: dict) -> dict:
    """`closed`, with what values.yaml says of some of its keys."""
    made = {**closed, **{key: value for key, value in known.items() if key != "properties"}}
    if "properties" in known:
        more = set(known["properties"]) - set(closed["properties"])
        if more:
            raise ValueError(f"values.yaml has keys that {FILE.name} does not have: {', '.join(sorted(more))}")
        made["properties"] = {key: merged(value, known["properties"].get(key, {})) for key, value in closed["properties"].items()}
    return made
