"""Adyen standard: every item is verified, one bad item refuses all."""

from __future__ import annotations

import base64
import hashlib
import hmac

from . import strict_json
from .message import Message, from_base64
from .strict_json import Number, Twice
from .verdict import Accepted, Refused, event, require

PLAIN = ("pspReference", "originalReference", "merchantAccountCode", "eventCode")


def judge(message: Message, source: dict) -> Accepted:
    items = items_of(message.body)
    keys = message.live(source["keys"])
    parsed = [(values_of(item), signature_of(item)) for item in items]
    matching = [key_of(values, given, keys) for values, given in parsed]
    for values, _ in parsed:
        require(values["merchantAccountCode"] == source["with"]["merchant_account"], "not_bound")
    return Accepted(matching[0], [event_of(values) for values, _ in parsed])


def items_of(body: bytes) -> list[Twice]:
    try:
        whole = strict_json.read(body)
    except ValueError:
        raise Refused("body_grammar") from None
    require(isinstance(whole, dict), "body_grammar")
    entries = field(whole, "notificationItems", list)
    require(entries, "no_signature")
    for entry in entries:
        require(isinstance(entry, dict) and "NotificationRequestItem" in entry, "body_grammar")
    return [field(entry, "NotificationRequestItem", dict) for entry in entries]


def field(of: Twice, name: str, kind: type, otherwise: object = None):
    require(name not in of.repeated, "repeated_field")
    value = of.get(name, otherwise)
    require(value is not None, "missing_field")
    require(isinstance(value, kind) and not isinstance(value, (bool, Number)), "body_grammar")
    require(kind is not str or strict_json.is_text(value), "body_grammar")
    return value


def optional_text(item: Twice, name: str) -> str:
    """Absent and null are empty."""
    return "" if name not in item.repeated and item.get(name) is None else field(item, name, str)


def values_of(item: Twice) -> dict[str, str]:
    amount = field(item, "amount", dict)
    values = {"pspReference": field(item, "pspReference", str), "originalReference": optional_text(item, "originalReference"),
              "merchantAccountCode": field(item, "merchantAccountCode", str), "merchantReference": optional_text(item, "merchantReference"),
              "value": str(field(amount, "value", int)), "currency": field(amount, "currency", str),
              "eventCode": field(item, "eventCode", str), "success": field(item, "success", str)}
    require(values["success"] in ("true", "false") and ":" not in values["currency"], "body_grammar")
    unambiguous = all(":" not in values[name] for name in PLAIN if name != "merchantAccountCode")
    require(unambiguous, "body_grammar")
    return values


def signature_of(item: Twice) -> bytes:
    extra = item.get("additionalData", {})
    require("hmacSignature" in extra, "no_signature")
    text = field(extra, "hmacSignature", str)
    require(text, "no_signature")
    found = from_base64(text)
    require(len(found) == 32, "signature_encoding")
    return found


def key_of(values: dict[str, str], given: bytes, keys: list[dict]) -> str:
    text = ":".join(values.values()).encode()
    for key in keys:
        expected = hmac.new(base64.b16decode(key["value"], casefold=True), text, hashlib.sha256).digest()
        if hmac.compare_digest(expected, given):
            return key["id"]
    raise Refused("signature_mismatch")


def event_of(values: dict[str, str]) -> dict[str, str]:
    """The date is not signed, so the event has none."""
    reference = values["pspReference"]
    identity = ".".join((reference, values["eventCode"], values["success"]))
    return event(identity, values["eventCode"], values["originalReference"] or reference, "")
