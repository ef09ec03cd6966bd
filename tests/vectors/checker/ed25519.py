"""Ed25519 by RFC 8032 in plain integers: slow, public inputs only, and not the library that sluice uses."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


class Point(NamedTuple):
    """Extended coordinates: x = X/Z, y = Y/Z, x*y = T/Z."""

    x: int
    y: int
    z: int
    t: int


NEUTRAL = Point(0, 1, 1, 0)


def _add(a: Point, b: Point) -> Point:
    minus = (a.y - a.x) * (b.y - b.x) % P
    plus = (a.y + a.x) * (b.y + b.x) % P
    c = 2 * a.t * b.t * D % P
    d = 2 * a.z * b.z % P
    e, f, g, h = plus - minus, d - c, d + c, plus + minus
    return Point(e * f % P, g * h % P, f * g % P, e * h % P)


def _times(number: int, point: Point) -> Point:
    product = NEUTRAL
    while number:
        if number & 1:
            product = _add(product, point)
        point = _add(point, point)
        number >>= 1
    return product


def _is_equal(a: Point, b: Point) -> bool:
    return (a.x * b.z - b.x * a.z) % P == 0 and (a.y * b.z - b.y * a.z) % P == 0


def _x_of(y: int, sign: int) -> int | None:
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def _point(encoded: bytes) -> Point | None:
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    x = _x_of(y, sign) if y < P else None
    return None if x is None else Point(x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, -1, P) % P
BASE = Point(_x_of(BASE_Y, 0) or 0, BASE_Y, 1, (_x_of(BASE_Y, 0) or 0) * BASE_Y % P)


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    key, commitment = _point(public_key), _point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or s >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % ORDER
    return _is_equal(_times(s, BASE), _add(commitment, _times(challenge, key)))
