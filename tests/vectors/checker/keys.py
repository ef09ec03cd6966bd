"""The keys of a source, and which of them may be used now."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from tests.vectors.checker.request import Refused

Key = dict[str, Any]


def _second(instant: str) -> float:
    return datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp()


def is_live(key: Key, now: int) -> bool:
    begun = "not_before" not in key or now >= _second(key["not_before"])
    return begun and ("not_after" not in key or now <= _second(key["not_after"]))


def live(keys: Iterable[Key], now: int) -> list[Key]:
    found = [key for key in keys if is_live(key, now)]
    if not found:
        raise Refused("no_live_key")
    return found


def first_that(matches: Callable[[Key], bool], keys: list[Key]) -> str:
    """The id of the first key that matches."""
    for key in keys:
        if matches(key):
            return str(key["id"])
    raise Refused("signature_mismatch")


def digest(secret: bytes, message: bytes) -> bytes:
    return hmac.new(secret, message, hashlib.sha256).digest()
