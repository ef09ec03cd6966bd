"""Providers whose one header holds one HMAC-SHA256 of the body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.vectors.checker.keys import Key, digest, first_that, live
from tests.vectors.checker.request import Refused, Request
from tests.vectors.checker.signature_text import from_base64, from_hex


@dataclass(frozen=True)
class Scheme:
    header: str
    text: str = "hex"
    prefix: str = ""
    bare: bool = False  # the prefix may lack
    key_is_hex: bool = False
    url_in_front: bool = False
    key_id: str = ""
    present: tuple[str, ...] = ()  # must be there once
    read: tuple[str, ...] = ()  # at most once


def _shopify(begins: str, *more: str) -> Scheme:
    names = ("Topic", "Shop-Domain", "API-Version", "Webhook-Id", *more)
    return Scheme(begins + "Hmac-SHA256", "base64", present=tuple(begins + name for name in names))


SCHEMES = {
    "github": Scheme("X-Hub-Signature-256", prefix="sha256=", read=("X-GitHub-Event",)),
    "shopify": _shopify("X-Shopify-"),
    "shopify-events": _shopify("Shopify-", "Event-Id"),
    "square": Scheme("x-square-hmacsha256-signature", "base64", url_in_front=True),
    "razorpay": Scheme("X-Razorpay-Signature"),
    "checkout": Scheme("Cko-Signature", "hex of any case"),
    "gocardless": Scheme("Webhook-Signature", "hex of any case"),
    "adyen-platform": Scheme("HmacSignature", "base64", key_is_hex=True),
    "mollie": Scheme("X-Mollie-Signature", prefix="sha256=", bare=True),
    "coinbase-commerce": Scheme("X-CC-Webhook-Signature"),
    "dwolla": Scheme("X-Request-Signature-SHA-256"),
    "klarna": Scheme("Klarna-Signature", "hex of any case", key_id="Klarna-Signing-Key-Id"),
}


def _decoded(scheme: Scheme, text: str) -> bytes:
    if not text:
        raise Refused("no_signature")
    found = from_base64(text) if scheme.text == "base64" else from_hex(text, scheme.text != "hex")
    if found is None:
        raise Refused("signature_encoding")
    return found


def _chosen(scheme: Scheme, request: Request, keys: list[Key]) -> list[Key]:
    if not scheme.key_id:
        return keys
    named = [key for key in keys if key["id"] == request.one(scheme.key_id)]
    if not named:
        raise Refused("unknown_key")
    return named


def verify(recipe: str, source: dict[str, Any], request: Request) -> str:
    scheme = SCHEMES[recipe]
    value = request.signature(scheme.header)
    for name in scheme.present:
        request.one(name)
    for name in scheme.read:
        request.optional(name)
    if not value.startswith(scheme.prefix) and not scheme.bare:
        raise Refused("header_grammar")
    chosen = _chosen(scheme, request, source["keys"])
    signature = _decoded(scheme, value.removeprefix(scheme.prefix))
    message = (source["with"]["url"].encode() if scheme.url_in_front else b"") + request.body

    def matches(key: Key) -> bool:
        return digest(bytes.fromhex(key["value"]) if scheme.key_is_hex else key["value"].encode(), message) == signature

    return first_that(matches, live(chosen, request.now))
