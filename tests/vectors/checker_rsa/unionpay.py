"""UnionPay 5.1.0: the certificate in the message must be the provider's own, then the signature over the hex of a digest."""

from __future__ import annotations

import hashlib

from . import forms
from .certificates import blocks, chains, common_names
from .message import Message
from .rsa import signer
from .verdict import Accepted, event, require

SHA1_LEVEL = 0
PINNED = {b"version": b"5.1.0", b"signMethod": b"01"}
CHARSETS = {b"UTF-8": "utf-8", b"GBK": "gbk"}


def judge(message: Message, source: dict) -> Accepted:
    fields = forms.once(forms.pairs(message.body))
    require(b"signature" in fields, "no_signature")
    require(all(fields.get(name) for name in (*PINNED, b"signPubKeyCert")), "missing_field")
    require(all(fields[name] == value for name, value in PINNED.items()), "not_bound")
    certificate = trusted(fields[b"signPubKeyCert"].decode("latin-1"), source["with"], message.now)
    text = b"&".join(name + b"=" + fields[name] for name in sorted(fields) if name != b"signature")
    signer([{"id": "", "value": certificate}], hashlib.sha256(text).hexdigest().encode(), fields[b"signature"].decode("latin-1"))
    require(fields.get(b"merId"), "missing_field")
    require(fields[b"merId"].decode("latin-1") == source["with"]["mer_id"], "not_bound")
    return Accepted("", events(fields))


def trusted(text: str, settings: dict, now: int) -> str:
    found = blocks(text)
    require(len(found) == 1 and found[0] == text.strip(), "certificate")
    leaf = found[0].replace("\r\n", "\n")
    parts = [name.split("@") for name in common_names(leaf)]
    require(len(parts) == 1 and len(parts[0]) > 2 and parts[0][2] == settings["subject"], "certificate")
    require(chains(leaf, "", settings["trust"]["text"], now, SHA1_LEVEL), "certificate")
    return leaf


def events(fields: dict[bytes, bytes]) -> list[dict[str, str]]:
    charset = CHARSETS[fields.get(b"encoding", b"UTF-8")]
    text = {name.decode(): value.decode(charset) for name, value in fields.items()}
    identity = [text.get(name, "") for name in ("queryId", "txnType", "respCode")]
    if not all(identity):
        return []
    thing = text.get("origQryId") or text["queryId"]
    return [event(".".join(identity), f"{text['txnType']}.{text['txnSubType']}", thing, "")]
