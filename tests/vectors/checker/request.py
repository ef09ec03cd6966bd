"""One request of a vector, as a server has it, and how it is refused."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

LONGEST_HEADER = 8192


class Refused(Exception):
    """Names the check that refused."""

    def __init__(self, check: str) -> None:
        super().__init__(check)
        self.check = check


@dataclass(frozen=True)
class Request:
    target: str
    headers: list[tuple[str, str]]
    body: bytes
    now: int

    def values(self, name: str) -> list[str]:
        return [value for other, value in self.headers if other.lower() == name.lower()]

    def optional(self, name: str) -> str | None:
        values = self.values(name)
        if len(values) > 1:
            raise Refused("repeated_header")
        if values and len(values[0]) > LONGEST_HEADER:
            raise Refused("header_too_long")
        return values[0] if values else None

    def signature(self, name: str) -> str:
        """May be empty: what follows says what is wrong with it."""
        value = self.optional(name)
        if value is None:
            raise Refused("missing_header")
        return value

    def one(self, name: str) -> str:
        if value := self.signature(name):
            return value
        raise Refused("missing_header")


def request_of(vector: dict[str, Any]) -> Request:
    body = base64.b64decode(vector["body_base64"]) if "body_base64" in vector else vector["body"].encode()
    return Request(vector["target"], [(name, value) for name, value in vector["headers"]], body, vector["now"])
