"""Braintree: the pair whose public key is ours, over the text of the payload or that text and one line feed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import xml.etree.ElementTree as xml

from . import forms
from .instants import in_utc
from .message import Message
from .verdict import Accepted, event, require

ALPHABET = re.compile(rb"[A-Za-z0-9+/=\n]+")
DIGEST = re.compile("[0-9a-f]{40}")


def judge(message: Message, source: dict) -> Accepted:
    fields = forms.pairs(message.body)
    pairs = [piece.partition("|") for piece in forms.one(fields, b"bt_signature", "no_signature").decode("latin-1").split("&") if "|" in piece]
    require(pairs, "no_signature")
    payload = forms.one(fields, b"bt_payload", "missing_field")
    require(payload, "missing_field")
    require(ALPHABET.fullmatch(payload), "body_grammar")
    keys = {key["id"]: key for key in source["keys"]}
    ours = [(keys[public], digest) for public, _, digest in pairs if public in keys]
    require(ours, "unknown_key")
    require(len({key["id"] for key, _ in ours}) == len(ours), "repeated_field")
    require(any(DIGEST.fullmatch(digest) for _, digest in ours), "signature_encoding")
    live = message.live([key for key, _ in ours])
    matching = [key["id"] for key, digest in ours if key in live and digest in expected(key["value"], payload)]
    require(matching, "signature_mismatch")
    return Accepted(matching[0], events(payload))


def expected(private: str, payload: bytes) -> set[str]:
    key = hashlib.sha1(private.encode()).digest()
    return {hmac.new(key, text, "sha1").hexdigest() for text in (payload, payload + b"\n")}


def events(payload: bytes) -> list[dict[str, str]]:
    try:
        text = base64.b64decode(payload.replace(b"\n", b""), validate=True)
        if b"<!DOCTYPE" in text:
            return []
        whole = xml.fromstring(text)
        kinds, times = whole.findall("kind"), whole.findall("timestamp")
        if len(kinds) != 1 or len(times) != 1 or not kinds[0].text:
            return []
        places = ("subject/transaction/refunded-transaction-id", "subject/dispute/transaction/id", "subject/*/id")
        thing = next((found.text for found in map(whole.find, places) if found is not None and found.text), "")
        return [event(hashlib.sha256(payload.removesuffix(b"\n")).hexdigest(), kinds[0].text, thing, in_utc(times[0].text))]
    except (ValueError, xml.ParseError):
        return []
