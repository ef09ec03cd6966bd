"""The JSON that a form of one field holds; a body that does not begin with that field is the JSON itself."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from tests.vectors.checker.json_document import Unreadable

_ESCAPED = re.compile(rb"(?:[^%]|%[0-9A-Fa-f]{2})*")


def held(body: bytes, field: bytes) -> bytes:
    if not body.startswith(field + b"="):
        return body
    if not _ESCAPED.fullmatch(body):
        raise Unreadable("an escape that is none")
    pairs = [piece.partition(b"=") for piece in body.replace(b"+", b" ").split(b"&")]
    found = [value for name, _, value in pairs if unquote_to_bytes(name) == field]
    if len(found) != 1:
        raise Unreadable("the field stands twice")
    return unquote_to_bytes(found[0])
