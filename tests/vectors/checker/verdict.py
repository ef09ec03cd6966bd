"""What is to be said of one vector, worked out anew."""

from __future__ import annotations

from typing import Any

from tests.vectors.checker import mercado_pago, paddle, single_header, standard_webhooks, xendit
from tests.vectors.checker.events import READERS, read_events
from tests.vectors.checker.request import Refused, Request, request_of

RECIPES = tuple(READERS)


def _key(recipe: str, source: dict[str, Any], request: Request) -> str:
    if recipe in single_header.SCHEMES:
        return single_header.verify(recipe, source, request)
    if recipe in ("standard-webhooks", "svix"):
        return standard_webhooks.verify(recipe, source, request)
    return {"paddle": paddle, "mercado-pago": mercado_pago, "xendit": xendit}[recipe].verify(source, request)


def verdict(document: dict[str, Any], vector: dict[str, Any]) -> dict[str, Any]:
    source = vector.get("source", document["source"])
    request = request_of(vector)
    try:
        key = _key(document["recipe"], source, request)
    except Refused as refused:
        return {"accepted": False, "check": refused.check}
    return {"accepted": True, "key": key, "events": read_events(document["recipe"], source, request)}


def expected(vector: dict[str, Any]) -> dict[str, Any]:
    return {name: vector[name] for name in ("accepted", "check", "key", "events") if name in vector}
