"""WeChat Pay: clock, serial, signature; then the resource is opened, and what cannot be opened has no event."""

from __future__ import annotations

import base64

from . import gcm, strict_json
from .instants import in_utc
from .message import Message
from .rsa import signer
from .verdict import Accepted, event, require

PROBE = "WECHATPAY/SIGNTEST/"
ALGORITHM = "WECHATPAY2-SHA256-RSA2048"


def judge(message: Message, source: dict) -> Accepted:
    nonce, serial = message.header("Wechatpay-Nonce"), message.header("Wechatpay-Serial")
    signature = message.header("Wechatpay-Signature")
    timestamp = message.header("Wechatpay-Timestamp")
    require(all(value == ALGORITHM for name, value in message.headers if name.lower() == "wechatpay-signature-type"), "header_grammar")
    require(not signature.startswith(PROBE), "probe")
    in_time(timestamp, message.now, int(source["tolerance"].removesuffix("s")))
    named = [key for key in source["keys"] if key["id"] == serial]
    require(named, "unknown_key")
    text = b"\n".join((timestamp.encode(), nonce.encode(), message.body, b""))
    return Accepted(signer(message.live(named), text, signature), events(message.body, source["with"]["api_v3_key"]["text"].encode()))


def in_time(timestamp: str, now: int, tolerance: int) -> None:
    require(timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12, "timestamp_grammar")
    age = now - int(timestamp)
    require(age < tolerance, "too_old")
    require(-age < tolerance, "too_new")


def events(body: bytes, key: bytes) -> list[dict[str, str]]:
    try:
        whole = strict_json.read(body)
        inside = opened(whole["resource"], key)
        first, *_ = [*inside.get("sub_orders", []), {}]
        named = (inside.get("transaction_id"), inside.get("id"), first.get("transaction_id"), inside.get("out_trade_no"), inside.get("refund_id"))
        thing = next(filter(None, named), "")
        return [event(whole["id"], whole["event_type"], thing, in_utc(whole["create_time"]))]
    except (ValueError, KeyError, TypeError):
        return []


def opened(resource: dict, key: bytes) -> dict:
    if resource["algorithm"] != "AEAD_AES_256_GCM":
        raise ValueError(resource["algorithm"])
    sealed = base64.b64decode(resource["ciphertext"], validate=True)
    plain = gcm.opened(key, resource["nonce"].encode(), resource.get("associated_data", "").encode(), sealed)
    return strict_json.read(plain)
