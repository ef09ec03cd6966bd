"""Reads the commented values: each key with its standard value, the comment above it, and what `@schema` says in there."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import yaml

SCHEMA = "@schema"


@dataclass(frozen=True)
class Entry:
    """One key. `text` is the comment without its `@schema` line, `given` what stands behind that."""

    path: tuple[str, ...]
    value: object
    text: str = ""
    given: object = None
    children: tuple[Entry, ...] = field(default=())

    @property
    def name(self) -> str:
        return ".".join(self.path)


def read(file: Path) -> Entry:
    """The root; its children are the keys of the file, in its order."""
    text = file.read_text()
    return _entry((), yaml.compose(text, yaml.SafeLoader), "", None, text.splitlines())


def _entry(path: tuple[str, ...], node: yaml.Node, text: str, given: object, lines: list[str]) -> Entry:
    children = []
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            comment, schema = _comment_above(lines, key.start_mark) if not node.flow_style else ("", None)
            children.append(_entry((*path, key.value), value, comment, schema, lines))
    return Entry(path, yaml.SafeLoader("").construct_document(node) if path else None, text, given, tuple(children))


def _comment_above(lines: list[str], mark: yaml.Mark) -> tuple[str, object]:
    """The comment that ends on the line before `mark`, at its indentation."""
    start = " " * mark.column + "#"
    first = mark.line
    while first > 0 and lines[first - 1].startswith(start):
        first -= 1
    said = [line.strip().removeprefix("#").strip() for line in lines[first:mark.line]]
    schema = [line.removeprefix(SCHEMA).strip() for line in said if line.startswith(SCHEMA)]
    text = " ".join(line for line in said if line and not line.startswith(SCHEMA))
    return text, yaml.safe_load(schema[0]) if schema else None
