"""The table of values in the chart's README, between two marks."""

from __future__ import annotations

import json
from collections.abc import Iterator

from deploy.chart.values import Entry

BEGIN, END = "<!-- values: ./run chart writes this table -->", "<!-- end of values -->"


def put_into(readme: str, root: Entry) -> str:
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{text_of(root)}{END}{after}"


def text_of(root: Entry) -> str:
    rows = [f"| `{entry.name}` | {_standard(entry)} | {_cell(entry.text)} |" for entry in _told(root)]
    return "\n".join(["", "| key | default | meaning |", "| --- | --- | --- |", *rows, "", ""])


def _told(entry: Entry) -> Iterator[Entry]:
    """Keys with a value of their own, and before them the block that they are in when there is something to say of it."""
    for child in entry.children:
        whole = not child.children or isinstance(child.given, str) or not any(_has_text(part) for part in child.children)
        if whole or child.text:
            yield child
        if not whole:
            yield from _told(child)


def _has_text(entry: Entry) -> bool:
    return bool(entry.text or entry.given is not None or entry.children)


def _standard(entry: Entry) -> str:
    if entry.children and not isinstance(entry.given, str) and any(_has_text(part) for part in entry.children):
        return ""
    return _cell(f"`{json.dumps(entry.value, ensure_ascii=False)}`")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
