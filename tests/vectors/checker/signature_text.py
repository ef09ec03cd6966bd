"""Signatures as text: one spelling each, nothing lenient."""

from __future__ import annotations

import base64
import re

LOWER_HEX = re.compile(r"[0-9a-f]{64}")
ANY_HEX = re.compile(r"[0-9a-fA-F]{64}")
BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")


def from_hex(text: str, any_case: bool = False) -> bytes | None:
    return bytes.fromhex(text) if (ANY_HEX if any_case else LOWER_HEX).fullmatch(text) else None


def from_base64(text: str, size: int = 32) -> bytes | None:
    if not BASE64.fullmatch(text) or len(text) % 4:
        return None
    decoded = base64.b64decode(text)
    is_canonical = base64.b64encode(decoded).decode() == text
    return decoded if is_canonical and len(decoded) == size else None
