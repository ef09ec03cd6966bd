"""A vector as the request it stands for, and the keys that are live when it arrives."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime

from .verdict import Refused, require


@dataclass(frozen=True)
class Message:
    headers: list[tuple[str, str]]
    body: bytes
    now: int

    @classmethod
    def of(cls, vector: dict) -> Message:
        body = base64.b64decode(vector["body_base64"]) if "body_base64" in vector else vector["body"].encode()
        return cls([(name, value) for name, value in vector["headers"]], body, vector["now"])

    def header(self, name: str) -> str:
        found = [value for given, value in self.headers if given.lower() == name.lower()]
        require(found, "missing_header")
        require(len(found) == 1, "repeated_header")
        return found[0]

    def live(self, keys: list[dict]) -> list[dict]:
        found = [key for key in keys if seconds(key, "not_before", self.now) <= self.now <= seconds(key, "not_after", self.now)]
        require(found, "no_live_key")
        return found


def seconds(key: dict, bound: str, otherwise: int) -> int:
    return int(datetime.fromisoformat(key[bound]).timestamp()) if bound in key else otherwise


def from_base64(text: str) -> bytes:
    """The bytes of the one way of writing them."""
    try:
        found = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Refused("signature_encoding") from None
    require(found and base64.b64encode(found).decode() == text, "signature_encoding")
    return found
