"""PayPal: the address first, then the certificate it stands for, then the signature."""

from __future__ import annotations

import hashlib
import re
import zlib

from . import strict_json
from .certificates import blocks, chains, common_names
from .instants import in_utc
from .message import Message
from .rsa import signer
from .verdict import Accepted, event, require

ADDRESS = re.compile(r"https://([A-Za-z0-9.-]+)/[A-Za-z0-9/._-]*")
ORDINARY_LEVEL = 2


def judge(message: Message, source: dict) -> Accepted:
    names = ("TRANSMISSION-ID", "TRANSMISSION-TIME", "CERT-URL", "AUTH-ALGO", "TRANSMISSION-SIG")
    identity, time, address, algorithm, signature = (message.header(f"PAYPAL-{name}") for name in names)
    require(algorithm == "SHA256withRSA", "header_grammar")
    certificate = certificate_at(address, source["with"], message.now)
    text = "|".join((identity, time, source["with"]["webhook_id"], str(zlib.crc32(message.body))))
    return Accepted(signer([{"id": "", "value": certificate}], text.encode(), signature), events(message.body))


def certificate_at(address: str, settings: dict, now: int) -> str:
    found = ADDRESS.fullmatch(address)
    require(found and found[1] in settings["cert_hosts"], "certificate")
    file = settings["cert_cache"]["files"].get(hashlib.sha256(address.encode()).hexdigest() + ".pem", "")
    chain = blocks(file)
    require(chain, "certificate")
    names = common_names(chain[0])
    require(len(names) == 1 and names[0].endswith(settings["subject_suffix"]), "certificate")
    require(chains(chain[0], "\n".join(chain[1:]), settings["trust"]["text"], now, ORDINARY_LEVEL), "certificate")
    return chain[0]


def events(body: bytes) -> list[dict[str, str]]:
    try:
        whole = strict_json.read(body)
        return [event(whole["id"], whole["event_type"], whole["resource"].get("id", ""), in_utc(whole["create_time"]))]
    except (ValueError, KeyError, TypeError):
        return []
