"""Timestamps: plain digits, and a window with two ends."""

from __future__ import annotations

import re

from tests.vectors.checker.request import Refused

DIGITS = re.compile(r"[0-9]+", re.ASCII)


def plain_seconds(text: str) -> int:
    """SDKs that sign the number they read refuse zeros in front of it."""
    if len(text) > 1 and text.startswith("0"):
        raise Refused("timestamp_grammar")
    return digits(text)


def digits(text: str) -> int:
    if not DIGITS.fullmatch(text) or len(text) > 12:
        raise Refused("timestamp_grammar")
    return int(text)


def seconds_or_milliseconds(text: str) -> int:
    """Thirteen digits are milliseconds."""
    if len(text) == 13 and DIGITS.fullmatch(text):
        return int(text) // 1000
    return digits(text)


def check_window(timestamp: int, now: int, tolerance: str) -> None:
    allowed = int(tolerance.removesuffix("s"))
    if now - timestamp > allowed:
        raise Refused("too_old")
    if timestamp - now > allowed:
        raise Refused("too_new")
