"""Alipay: sorted fields without those that are blank, bytes as decoded, by the key that Alipay signs with."""

from __future__ import annotations

from datetime import UTC, datetime

from . import forms
from .instants import CHINA, in_utc
from .message import Message
from .rsa import signer
from .verdict import Accepted, event, require

UNSIGNED = {"notify": (b"sign", b"sign_type"), "gateway": (b"sign",)}
CHARSETS = {b"GBK": "gbk", b"UTF-8": "utf-8"}


def judge(message: Message, source: dict) -> Accepted:
    fields = forms.once(forms.pairs(message.body))
    require(b"sign" in fields, "no_signature")
    require(fields.get(b"sign_type", b"RSA2") == b"RSA2", "not_bound")
    keys = message.live(source["keys"])
    key = signer(keys, signed_text(fields, source["with"]["kind"]), fields[b"sign"].decode("latin-1"))
    for name in ("app_id", "seller_id"):
        if name in source["with"]:
            if name == "seller_id" and b"seller_id" not in fields:
                continue  # which the signature says
            require(fields.get(name.encode()), "missing_field")
            require(fields[name.encode()].decode("latin-1") == source["with"][name], "not_bound")
    return Accepted(key, [] if has_other_reading(kept(fields, source["with"]["kind"])) else events(fields))


def signed_text(fields: dict[bytes, bytes], kind: str) -> bytes:
    taken = kept(fields, kind)
    return b"&".join(name + b"=" + taken[name] for name in sorted(taken))


def kept(fields: dict[bytes, bytes], kind: str) -> dict[bytes, bytes]:
    return {name: value for name, value in fields.items() if name not in UNSIGNED[kind] and value.strip()}


def has_other_reading(taken: dict[bytes, bytes]) -> bool:
    """Whether the signed text can be cut into other fields that are sorted as well."""
    names = sorted(taken)
    for name, following in zip(names, [*names[1:], b"\xff"], strict=True):
        inside = [piece.partition(b"=") for piece in taken[name].split(b"&")[1:]]
        if any(equals and name < other < following for other, equals, _ in inside) or b"&" in name or b"=" in name:
            return True
    return False


def sent(milliseconds: str) -> str:
    """Of messages to the gateway, which have no other time."""
    if not milliseconds:
        return ""
    seconds, rest = divmod(int(milliseconds), 1000)
    return in_utc(datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S") + (f".{rest:03}" if rest else "") + "Z")


def events(fields: dict[bytes, bytes]) -> list[dict[str, str]]:
    charset = CHARSETS[fields.get(b"charset", b"UTF-8")]

    def text(name: str) -> str:
        return fields.get(name.encode(), b"").decode(charset)

    if not text("notify_id") or not text("notify_type") + text("msg_method"):
        return []
    kind = ".".join(part for part in (text("notify_type"), text("trade_status")) if part) if text("notify_type") else text("msg_method")
    time = in_utc(text("gmt_refund") or text("gmt_payment"), CHINA) if text("gmt_refund") or text("gmt_payment") else sent(text("utc_timestamp"))
    return [event(text("notify_id"), kind, text("trade_no") or text("out_trade_no"), time)]
