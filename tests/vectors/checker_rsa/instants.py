"""Instants of messages as RFC 3339 in UTC; fractions stay as they are given, to the microsecond."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

_RFC3339 = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)")
CHINA = "+08:00"


def in_utc(text: str, zone: str = "") -> str:
    """Empty for no text; ValueError for text that is no instant. `zone` is that of texts that name none."""
    if not text:
        return ""
    found = _RFC3339.fullmatch(text + zone)
    if not found:
        raise ValueError(text)
    day, clock, fraction, offset = found.groups()
    moved = datetime.fromisoformat(f"{day}T{clock}{offset.replace('Z', '+00:00')}").astimezone(timezone.utc)
    assert moved.utcoffset() == timedelta(0)
    return f"{moved:%Y-%m-%dT%H:%M:%S}{f'.{fraction[:6]}' if fraction else ''}Z"
