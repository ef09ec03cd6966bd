"""What a checker says: a refusal names its check, an acceptance the key and the events."""

from __future__ import annotations

from dataclasses import dataclass

from .strict_json import is_text


@dataclass(frozen=True)
class Accepted:
    key: str
    events: list[dict[str, str]]


class Refused(Exception):
    @property
    def check(self) -> str:
        return str(self.args[0])


def require(holds: object, check: str) -> None:
    if not holds:
        raise Refused(check)


def event(identity: str, kind: str, thing: str, time: str) -> dict[str, str]:
    if not all(is_text(text) for text in (identity, kind, thing)):
        raise ValueError("no text")
    return {"id": identity, "type": kind, "object": thing, "time": time}
