"""Texts and times of an event: what may be kept, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

from tests.vectors.checker.json_document import Unreadable

PRINTABLE = re.compile(r"[ -~]+", re.ASCII)
RFC_3339 = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def required(value: Any, longest: int = 255) -> str:
    if not isinstance(value, str) or not PRINTABLE.fullmatch(value) or len(value) > longest:
        raise Unreadable("no usable text")
    return value


def type_of(*parts: Any) -> str:
    return required(".".join(required(part) for part in parts), 128)


def numbered(value: Any) -> Any:
    """An id that is an integer counts by its digits."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def first_text(*values: Any) -> str:
    return next((value for value in values if isinstance(value, str) and value), "")


def unix_time(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, int) or value < 0:
        raise Unreadable("no unix time")
    return (EPOCH + timedelta(seconds=value)).strftime("%Y-%m-%dT%H:%M:%SZ")


def lenient(read: Callable[[Any], str], value: Any) -> str:
    """Where the time is not the day as well, one that cannot be read is none."""
    try:
        return read(value)
    except Unreadable:
        return ""


def rfc_3339(value: Any) -> str:
    if value is None:
        return ""
    found = RFC_3339.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise Unreadable("no time")
    day, clock, fraction, zone = found.groups()
    instant = datetime.fromisoformat(f"{day}T{clock}{'+00:00' if zone in 'Zz' else zone}").astimezone(timezone.utc)
    return f"{instant:%Y-%m-%dT%H:%M:%S}{(fraction or '')[:7]}Z"
