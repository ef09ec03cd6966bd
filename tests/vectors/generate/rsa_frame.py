"""What every generator of RSA vectors shares: keys, signatures, forms, and the shape of a vector."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote_plus

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

NOW = 1795258000  # 2026-11-21T10:46:40Z
KEYS = Path(__file__).parent / "keys"
FORM = ("Content-Type", "application/x-www-form-urlencoded")
Headers = list[tuple[str, str]]
Fields = list[tuple[str, str]]


@dataclass(frozen=True)
class Request:
    headers: Headers
    body: bytes


@dataclass
class Recipe:
    """A file of vectors; `recipe`, `source` and `judge` (the script beside this one that asks the SDK) are the same for all of them.
    `others` are asked as well, for the generator's report only."""

    recipe: str
    made_with: list[str]
    source: dict
    judge: list[str]
    others: dict[str, list[str]] = field(default_factory=dict)
    vectors: list[dict] = field(default_factory=list)

    def accepted(self, name: str, request: Request, events: list[dict], key: str = "", **more: object) -> None:
        self._add(name, request, {"accepted": True}, {"key": key, "events": events}, more)

    def refused(self, name: str, request: Request, check: str, **more: object) -> None:
        self._add(name, request, {"accepted": False, "check": check}, {}, more)

    def _add(self, name: str, request: Request, verdict: dict, result: dict, more: dict) -> None:
        source = {"source": more["source"]} if "source" in more else {}
        why = {"why": more["why"]} if "why" in more else {}
        sent = {"now": more.get("now", NOW), "method": "POST", "target": f"/v1/webhooks/{self.recipe}",
                "headers": [list(header) for header in request.headers], **body_of(request.body)}
        self.vectors.append({"name": name, "maker": "by hand", **source, **sent, **verdict, "sdk": "", **why, **result})


def body_of(body: bytes) -> dict:
    try:
        return {"body": body.decode()}
    except UnicodeDecodeError:
        return {"body_base64": base64.b64encode(body).decode()}


def event(identity: str, kind: str, thing: str = "", time: str = "") -> dict:
    return {"id": identity, "type": kind, "object": thing, "time": time}


def pem(name: str) -> str:
    return (KEYS / f"{name}.pem").read_text()


def public_pem(name: str) -> str:
    public = private(name).public_key()
    return public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def bare(text: str) -> str:
    """The base64 of a PEM, as consoles print it: one line, no marks."""
    return "".join(line for line in text.splitlines() if not line.startswith("-----"))


def private(name: str):
    return serialization.load_pem_private_key((KEYS / f"{name}.key.pem").read_bytes(), None)


def signature(message: bytes, key: str = "signer", sha1: bool = False) -> str:
    digest = hashes.SHA1() if sha1 else hashes.SHA256()
    return base64.b64encode(private(key).sign(message, padding.PKCS1v15(), digest)).decode()


def pss_signature(message: bytes, key: str = "signer") -> str:
    """Random in general; without salt it is the same every time."""
    scheme = padding.PSS(padding.MGF1(hashes.SHA256()), 0)
    return base64.b64encode(private(key).sign(message, scheme, hashes.SHA256())).decode()


def form(fields: Fields, encoding: str = "utf-8") -> bytes:
    return "&".join(f"{quote_plus(name)}={quote_plus(value, encoding=encoding)}" for name, value in fields).encode()


def put(fields: Fields, **values: str | None) -> Fields:
    """The fields with other values; None drops one, new names go to the end."""
    old = dict(fields)
    kept = [(name, values.get(name, value)) for name, value in fields]
    fresh = [(name, value) for name, value in values.items() if name not in old]
    return [(name, value) for name, value in kept + fresh if value is not None]


def wrong_texts(text: str) -> dict[str, str]:
    """The same bytes in writings of base64 that are not the one way of writing them."""
    assert text.endswith("=")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    digits = text.rstrip("=")
    other = digits[:-1] + alphabet[alphabet.index(digits[-1]) + 1] + text[len(digits):]
    return {"without padding": digits, "url-safe letters": text.replace("+", "-").replace("/", "_"),
            "not canonical, spare bits set": other}
