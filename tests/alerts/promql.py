"""Which series a PromQL expression names, and by which labels: enough of the grammar for our own rules."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\[[^\]]*\]|\d[\w.]*|\$?[a-zA-Z_:][a-zA-Z0-9_:]*|[=!~<>]+|\S')
_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*$")
_LISTS = {"by", "without", "on", "ignoring", "group_left", "group_right"}
_WORDS = {"and", "or", "unless", "offset", "bool", "inf", "nan", "start", "end"}


@dataclass
class Selector:
    series: str
    labels: set[str] = field(default_factory=set)
    wrapped: str = ""  # the function right around it


@dataclass
class Reading:
    selectors: list[Selector] = field(default_factory=list)
    grouped: set[str] = field(default_factory=set)  # labels of by, on and the like


def read(expression: str) -> Reading:
    tokens = _TOKEN.findall(re.sub(r"#[^\n]*", "", expression))
    reading, at = Reading(), 0
    while at < len(tokens):
        token, after = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
        if token in _LISTS:
            if after == "(":
                end = tokens.index(")", at)
                reading.grouped |= {word for word in tokens[at + 2:end] if word != ","}
                at = end
        elif _NAME.match(token) and token.lower() not in _WORDS and after != "(" and not _is_aggregate(tokens, at):
            selector = Selector(token, wrapped=tokens[at - 2] if at > 1 and tokens[at - 1] == "(" else "")
            if after == "{":
                end = tokens.index("}", at)
                selector.labels = {tokens[i] for i in range(at + 2, end) if i + 1 < end and tokens[i + 1] in ("=", "!=", "=~", "!~")}
                at = end
            reading.selectors.append(selector)
        at += 1
    return reading


def _is_aggregate(tokens: list[str], at: int) -> bool:
    """`sum by (…) (…)`: the name stands before its list."""
    return at + 1 < len(tokens) and tokens[at + 1] in ("by", "without")
