"""A form's fields as bytes, decoded once; a name that stands twice has no value."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from .verdict import require

_ESCAPED = re.compile(rb"(?:[^%]|%[0-9A-Fa-f]{2})*")
Pairs = list[tuple[bytes, bytes]]


def pairs(body: bytes) -> Pairs:
    require(_ESCAPED.fullmatch(body), "body_grammar")
    pieces = [piece.partition(b"=") for piece in body.split(b"&") if piece]
    return [(decoded(name), decoded(value)) for name, _, value in pieces]


def decoded(text: bytes) -> bytes:
    return unquote_to_bytes(text.replace(b"+", b" "))


def once(of: Pairs) -> dict[bytes, bytes]:
    """For signatures over all fields."""
    require(len({name for name, _ in of}) == len(of), "repeated_field")
    return dict(of)


def one(of: Pairs, name: bytes, absent: str) -> bytes:
    found = [value for given, value in of if given == name]
    require(found, absent)
    require(len(found) == 1, "repeated_field")
    return found[0]
