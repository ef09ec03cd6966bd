"""A header of name=value pairs."""

from __future__ import annotations

from tests.vectors.checker.request import Refused

MOST_SIGNATURES = 8


def pairs_of(header: str, separator: str) -> list[tuple[str, str]]:
    pairs = [(name, value) for name, mark, value in (element.partition("=") for element in header.split(separator)) if mark]
    if not pairs:
        raise Refused("header_grammar")
    return pairs


def values(pairs: list[tuple[str, str]], name: str) -> list[str]:
    return [value for other, value in pairs if other == name]


def timestamp_in(pairs: list[tuple[str, str]], name: str) -> str:
    found = values(pairs, name)
    if len(found) != 1:
        raise Refused("repeated_timestamp" if found else "missing_timestamp")
    return found[0]


def bounded(candidates: list[str], most: int = MOST_SIGNATURES) -> list[str]:
    if not candidates:
        raise Refused("no_signature")
    if len(candidates) > most:
        raise Refused("too_many_signatures")
    return candidates
