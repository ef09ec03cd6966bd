"""Mercado Pago: an id of the query, the request's id and a time are signed, the body is not."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from tests.vectors.checker.keys import digest, first_that, live
from tests.vectors.checker.pairs import bounded, pairs_of, timestamp_in, values
from tests.vectors.checker.request import Refused, Request
from tests.vectors.checker.signature_text import from_hex
from tests.vectors.checker.window import check_window, seconds_or_milliseconds


def data_id(target: str) -> str | None:
    query = target.partition("?")[2]
    found = [unquote(value) for name, _, value in (field.partition("=") for field in query.split("&")) if unquote(name) == "data.id"]
    if len(found) > 1:
        raise Refused("repeated_field")
    return found[0] or None if found else None


def _spellings(identifier: str | None, setting: str) -> list[str | None]:
    if identifier is None:
        return [None]
    return {"as-is": [identifier], "lower": [identifier.lower()], "either": [identifier, identifier.lower()]}[setting]


def _manifest(identifier: str | None, request_id: str | None, timestamp: str) -> bytes:
    pairs = [("id", identifier), ("request-id", request_id), ("ts", timestamp)]
    return "".join(f"{name}:{value};" for name, value in pairs if value is not None).encode()


def verify(source: dict[str, Any], request: Request) -> str:
    header = request.signature("x-signature")
    request_id = request.optional("x-request-id")
    identifier = data_id(request.target)
    pairs = [(name.strip(" \t"), value.strip(" \t")) for name, value in pairs_of(header, ",")]
    timestamp = timestamp_in(pairs, "ts")
    if any(";" in (value or "") for value in (identifier, request_id)):
        raise Refused("header_grammar")
    signed_at = seconds_or_milliseconds(timestamp)
    if "tolerance" in source:
        check_window(signed_at, request.now, source["tolerance"])
    signature = from_hex(bounded(values(pairs, "v1"), most=1)[0])
    if signature is None:
        raise Refused("signature_encoding")
    messages = [_manifest(spelled, request_id, timestamp) for spelled in _spellings(identifier, source["with"]["data_id_case"])]
    return first_that(lambda key: any(digest(key["value"].encode(), message) == signature for message in messages),
                      live(source["keys"], request.now))
