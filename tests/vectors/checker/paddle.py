"""Paddle Billing: ts=…;h1=…, any h1, over {ts}:{body}."""

from __future__ import annotations

from typing import Any

from tests.vectors.checker.keys import digest, first_that, live
from tests.vectors.checker.pairs import bounded, pairs_of, timestamp_in, values
from tests.vectors.checker.request import Refused, Request
from tests.vectors.checker.signature_text import from_hex
from tests.vectors.checker.window import check_window, plain_seconds


def verify(source: dict[str, Any], request: Request) -> str:
    pairs = pairs_of(request.signature("Paddle-Signature"), ";")
    timestamp = timestamp_in(pairs, "ts")
    check_window(plain_seconds(timestamp), request.now, source["tolerance"])
    signatures = [found for text in bounded(values(pairs, "h1")) if (found := from_hex(text))]
    if not signatures:
        raise Refused("signature_encoding")
    message = timestamp.encode() + b":" + request.body
    return first_that(lambda key: digest(key["value"].encode(), message) in signatures, live(source["keys"], request.now))
