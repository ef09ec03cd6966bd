"""The chart's rules for a world in which time runs FACTOR times as fast. Pure.

Divided: every range, offset and `for`, every threshold that is compared with seconds, and the bucket bound of a histogram of seconds.
Left alone: counts, ratios and days, since traffic comes faster as well.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

FACTOR = 60  # minutes become seconds

_UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_DURATION = r"(?:\d+(?:ms|[smhdw]))+"
_RANGE = re.compile(rf"\[({_DURATION})(?::({_DURATION}))?\]|\boffset ({_DURATION})")
_COMPARED = re.compile(r"([<>]=?|[=!]=)\s*(\d+(?:\.\d+)?(?:\s*\*\s*\d+(?:\.\d+)?)*)")
_PARTS = re.compile(r"\b(?:and|or|unless)\b")
_OF_SECONDS = re.compile(r"_seconds\b|\bhistogram_quantile\(.*_seconds_bucket\b")
_BOUND = re.compile(r'\ble(=~?)"(\d+)(\(\[\.\]0\)\?)?"')


def milliseconds(duration: str) -> int:
    return sum(int(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+)(ms|[smhdw])", duration))


def shorter(duration: str, factor: int) -> str:
    whole, rest = divmod(milliseconds(duration), factor)
    if rest:
        raise ValueError(f"{duration} cannot be divided by {factor}")
    return f"{whole}ms"


def faster_expression(expression: str, factor: int = FACTOR) -> str:
    told = "".join(_faster_part(part, factor) for part in _parts(expression))
    told = _BOUND.sub(lambda match: f'le{match[1]}"{int(match[2]) / factor:g}{match[3] or ""}"', told)
    return _RANGE.sub(lambda match: _shorter_range(match, factor), told)


def _shorter_range(match: re.Match[str], factor: int) -> str:
    if match[3]:
        return f"offset {shorter(match[3], factor)}"
    step = f":{shorter(match[2], factor)}" if match[2] else ""
    return f"[{shorter(match[1], factor)}{step}]"


def _parts(expression: str) -> Iterator[str]:
    """What stands between `and`, `or` and `unless`, with them: a threshold belongs to the series of its own part."""
    starts = [0, *(match.start() for match in _PARTS.finditer(expression)), len(expression)]
    return (expression[begin:end] for begin, end in zip(starts, starts[1:], strict=False))


def _faster_part(part: str, factor: int) -> str:
    return _COMPARED.sub(lambda match: f"{match[0]} / {factor}" if _OF_SECONDS.search(part[:match.start()]) else match[0], part)


def faster(document: dict[str, Any], factor: int = FACTOR) -> dict[str, Any]:
    """A rule file as Prometheus reads it."""
    told = copy.deepcopy(document)
    for group in told["groups"]:
        if "interval" in group:
            group["interval"] = shorter(group["interval"], factor)
        for rule in group["rules"]:
            rule["expr"] = faster_expression(rule["expr"], factor)
            rule |= {name: shorter(rule[name], factor) for name in ("for", "keep_firing_for") if name in rule}
    return told
