"""Requests that nobody honest sends, as bytes: what the probes cost by, and what the memory is looked at under."""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections.abc import Sequence

from cryptography.hazmat.primitives.asymmetric import ed25519

from tests.bench.targets import PATH, SECRET
from tests.support.http_raw import request
from tests.support.provider import signature, signature_header

LIMIT = 512 * 1024  # of a body, by default
JSON = ("Content-Type", "application/json")
WRONG = "0" * 64  # no signature of anything


def unknown_path() -> bytes:
    return request("/")


def bad_head() -> bytes:
    return b"POST /\x01 HTTP/1.1\r\n\r\n"


def long_head() -> bytes:
    """Just above the limit of 16 KiB."""
    return request(PATH, headers=[("X-Long", "a" * (16 << 10))])


def many_fields(count: int) -> bytes:
    """`count` with Host and Content-Length; wrongly signed."""
    return forged(b"{}", extra=[(f"X-{number}", "a") for number in range(count - 4)])


def long_target() -> bytes:
    """4 KiB of it, just what is allowed."""
    return request("/" + "a" * (4096 - 1))


def forged(body: bytes, candidates: int = 1, path: str = PATH, extra: Sequence[tuple[str, str]] = ()) -> bytes:
    """Under signatures of the right form that are not ours."""
    wrong = ",".join([f"t={int(time.time())}", *[f"v1={WRONG}"] * candidates])
    return request(path, body, headers=[JSON, ("Stripe-Signature", wrong), *extra])


def authentic(body: bytes, path: str = PATH, secret: str = SECRET) -> bytes:
    """Signed with a key of the sender's own."""
    return request(path, body, headers=[JSON, ("Stripe-Signature", signature_header(secret, body, int(time.time())))])


def event(**more: object) -> bytes:
    """A new event of Stripe's, small, with `more` in its object."""
    return json.dumps({"id": f"evt_{secrets.token_hex(8)}", "object": "event", "type": "payment_intent.succeeded", "livemode": False,
                       "created": int(time.time()), "data": {"object": {"id": "pi_1", **more}}}).encode()


def one_byte_chunks(body: bytes, path: str) -> bytes:
    """Authentic, in chunks of one byte each."""
    at = int(time.time())
    head = request(path, length=None, headers=[JSON, ("Transfer-Encoding", "chunked"),
                                               ("Stripe-Signature", f"t={at},v1={signature(SECRET, body, at)}")])
    return head + b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"


def wrong_ed25519(path: str, candidates: int) -> bytes:
    """Under signatures that look as if they could be somebody's: R is a point, S is small enough."""
    point = ed25519.Ed25519PrivateKey.generate().public_key().public_bytes_raw()
    wrong = base64.b64encode(point + b"\x01" * 31 + b"\x00").decode()
    return request(path, b"{}", headers=[JSON, ("webhook-id", "msg_1"), ("webhook-timestamp", str(int(time.time()))),
                                         ("webhook-signature", " ".join([f"v1a,{wrong}"] * candidates))])


def announced_only(sent: int = 0) -> bytes:
    """Just under the limit by its length, and `sent` bytes of it."""
    return request(PATH, b"a" * sent, length=str(LIMIT - 1), headers=[JSON])


def too_large() -> bytes:
    """Says twenty times the limit and sends a little of it."""
    return request(PATH, b"a" * 65536, length=str(20 * LIMIT), headers=[JSON])


def nested(depth: int, size: int = 0) -> bytes:
    """`depth` arrays in each other as an event's member, filled up with white space to `size`."""
    body = event().replace(b'"pi_1"', b'"pi_1", "deep": ' + b"[" * depth + b"]" * depth)
    return body.replace(b'"deep": ', b'"deep": ' + b" " * max(0, size - len(body)))


def brackets(size: int) -> bytes:
    return b"[" * size


def huge_numbers(size: int) -> bytes:
    """As many digits as there is room for, in the place of a time that is read."""
    body = event()
    return body.replace(b'"created": ', b'"created": 1' + b"0" * (size - len(body) - 1))


def many_numbers(size: int) -> bytes:
    return event(numbers=[1e308] * (size // 8 - 100))


def many_members(size: int) -> bytes:
    return event(**{f"m{number:08}": 0 for number in range(size // 16 - 100)})


def repeated_id(size: int) -> bytes:
    """The member that names the event, over and over."""
    return b"{" + b'"id": "evt_1", ' * (size // 15 - 100) + event()[1:]
