"""Xendit: a token that must be equal, and nothing signed."""

from __future__ import annotations

from typing import Any

from tests.vectors.checker.keys import first_that, live
from tests.vectors.checker.request import Refused, Request


def verify(source: dict[str, Any], request: Request) -> str:
    token = request.signature("x-callback-token")
    request.optional("webhook-id")
    if not token:
        raise Refused("no_signature")
    return first_that(lambda key: key["value"] == token, live(source["keys"], request.now))
