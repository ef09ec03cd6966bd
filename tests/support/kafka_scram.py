"""Users of Kafka that log in by SCRAM-SHA-512 (RFC 5802): they may come and go while the broker runs."""

from __future__ import annotations

import hashlib
import secrets
import struct

from tests.support.kafka_wire import ask

ALTER_USER_SCRAM_CREDENTIALS = 51  # version 0, which has compact lengths and tagged fields
SHA_512 = 2
ITERATIONS = 4096
NO_TAGS = b"\0"


def let_in(port: int, user: str, password: str) -> None:
    """With that password alone, from now on."""
    salt = secrets.token_bytes(16)
    salted = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    mechanism = struct.pack(">bi", SHA_512, ITERATIONS)
    _alter(port, _list(), _list(_bytes(user.encode()) + mechanism + _bytes(salt) + _bytes(salted) + NO_TAGS))


def shut_out(port: int, user: str) -> None:
    """Connections that it has stay open."""
    _alter(port, _list(_bytes(user.encode()) + struct.pack(">b", SHA_512) + NO_TAGS), _list())


def _alter(port: int, deletions: bytes, upsertions: bytes) -> None:
    answer = ask(port, ALTER_USER_SCRAM_CREDENTIALS, 0, NO_TAGS + deletions + upsertions + NO_TAGS)
    # Behind correlation, tags, throttle time and the length of the results: the user, then the error.
    user_at = 4 + 1 + 4 + 1
    error_at = user_at + answer[user_at]
    (error,) = struct.unpack(">h", answer[error_at:error_at + 2])
    assert error == 0, f"Kafka does not change the user: error {error}, {answer[error_at + 2:]!r}"


def _list(*items: bytes) -> bytes:
    return bytes([len(items) + 1]) + b"".join(items)


def _bytes(value: bytes) -> bytes:
    assert len(value) < 127, "its length would take two bytes"
    return bytes([len(value) + 1]) + value
