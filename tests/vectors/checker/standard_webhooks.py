"""Standard Webhooks and Svix: {id}.{timestamp}.{body}, a list of label,base64."""

from __future__ import annotations

import base64
from typing import Any

from tests.vectors.checker.ed25519 import is_signed
from tests.vectors.checker.keys import Key, digest, first_that, live
from tests.vectors.checker.pairs import bounded
from tests.vectors.checker.request import Refused, Request
from tests.vectors.checker.signature_text import from_base64
from tests.vectors.checker.window import check_window, plain_seconds

PUBLIC = "whpk_"


def header(recipe: str, request: Request, name: str) -> str:
    begins = "svix" if recipe == "svix" and request.optional(f"svix-{name}") is not None else "webhook"
    return request.signature(f"{begins}-{name}") if name == "signature" else request.one(f"{begins}-{name}")


def _label(key: Key) -> str:
    return "v1a" if key["value"].startswith(PUBLIC) else "v1"


def _labelled(text: str, known: set[str]) -> list[tuple[str, str]]:
    parts = [(label, value) for label, mark, value in (entry.partition(",") for entry in text.split(" ")) if mark]
    if not parts:
        raise Refused("header_grammar")
    return [(label, value) for label, value in parts if label in known]


def _decoded(entries: list[tuple[str, str]]) -> list[tuple[str, bytes]]:
    bounded([value for _, value in entries])
    found = [(label, bytes_) for label, value in entries if (bytes_ := from_base64(value, 64 if label == "v1a" else 32)) is not None]
    if not found:
        raise Refused("signature_encoding")
    return found


def _matches(key: Key, message: bytes, signatures: list[tuple[str, bytes]]) -> bool:
    label = _label(key)
    material = base64.b64decode(key["value"].removeprefix("whsec_").removeprefix(PUBLIC))
    own = [signature for other, signature in signatures if other == label]
    if label == "v1a":
        return any(is_signed(material, message, signature) for signature in own)
    return digest(material, message) in own


def verify(recipe: str, source: dict[str, Any], request: Request) -> str:
    text, identifier, timestamp = (header(recipe, request, name) for name in ("signature", "id", "timestamp"))
    entries = _labelled(text, {_label(key) for key in source["keys"]})
    if "." in identifier:
        raise Refused("header_grammar")
    check_window(plain_seconds(timestamp), request.now, source["tolerance"])
    signatures = _decoded(entries)
    message = f"{identifier}.{timestamp}.".encode() + request.body
    return first_that(lambda key: _matches(key, message, signatures), live(source["keys"], request.now))
