"""JSON as strictly as sluice reads it, with members that stand twice kept apart."""

from __future__ import annotations

import json
import re
from typing import Any

MOST_NESTED = 64
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class Unreadable(Exception):
    """Authentic, but nothing that can be kept as an event."""


class Members(list[tuple[str, Any]]):
    """An object's members in their order."""


def _constant(text: str) -> None:
    raise Unreadable(text)


def _check_nesting(text: str) -> None:
    depth = 0
    for mark in re.findall(r"[\[\]{}]", _STRING.sub("", text)):
        depth += 1 if mark in "[{" else -1
        if depth > MOST_NESTED:
            raise Unreadable("too deep")


def parse(body: bytes) -> Any:
    try:
        text = body.decode("utf-8")
        _check_nesting(text)
        return json.loads(text, object_pairs_hook=Members, parse_constant=_constant)
    except ValueError as error:
        raise Unreadable(str(error)) from error


def member(document: Any, name: str) -> Any:
    """None when it is not there; a member that stands twice could be either."""
    found = [value for other, value in document if other == name] if isinstance(document, Members) else []
    if len(found) > 1:
        raise Unreadable(f"{name} stands twice")
    return found[0] if found else None


def at(document: Any, pointer: str) -> Any:
    for name in pointer.split("/")[1:]:
        document = member(document, name)
    return document
