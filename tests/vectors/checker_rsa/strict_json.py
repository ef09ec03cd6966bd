"""JSON that has one reading: valid UTF-8; no half of a surrogate pair and no key twice where something is read."""

from __future__ import annotations

import json
from typing import NoReturn


class Twice(dict):
    """An object in which some key stands more than once; reading such a key is an error."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        names = [name for name, _ in pairs]
        self.repeated = {name for name in names if names.count(name) > 1}


class Number(str):
    """A number with a fraction or an exponent, as it is written."""


def never(constant: str) -> NoReturn:
    raise ValueError(constant)


def read(body: bytes) -> object:
    """ValueError when the bytes are no such JSON."""
    return json.loads(body.decode(), object_pairs_hook=Twice, parse_float=Number, parse_constant=never)


def is_text(value: object) -> bool:
    """Half of a surrogate pair is none."""
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)
