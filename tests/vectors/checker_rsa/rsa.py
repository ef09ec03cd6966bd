"""SHA256withRSA (PKCS #1 v1.5) with keys as PEM, bare base64 or certificate; the openssl program takes keys apart."""

from __future__ import annotations

import hashlib
import re
import subprocess
from functools import cache

from .message import from_base64
from .verdict import Refused, require

SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")


def openssl(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=False, timeout=30)


@cache
def public_key(value: str) -> str:
    """Any of the forms as the PEM of a public key."""
    if "BEGIN CERTIFICATE" in value:
        return openssl("x509", "-pubkey", "-noout", given=value.encode()).stdout.decode()
    if "BEGIN PUBLIC KEY" in value:
        return value
    return f"-----BEGIN PUBLIC KEY-----\n{value}\n-----END PUBLIC KEY-----\n"


@cache
def numbers(value: str) -> tuple[int, int]:
    """Modulus and exponent."""
    told = openssl("rsa", "-pubin", "-noout", "-text", "-modulus", given=public_key(value).encode()).stdout.decode()
    return int(re.search("Modulus=([0-9A-F]+)", told)[1], 16), int(re.search(r"Exponent: (\d+)", told)[1])


def length(value: str) -> int:
    """Bytes of a signature with this key."""
    return (numbers(value)[0].bit_length() + 7) // 8


def verifies(value: str, message: bytes, signature: bytes) -> bool:
    """RFC 8017, 8.2.2: what the signature opens to is the padded digest, all of it."""
    modulus, exponent = numbers(value)
    given = int.from_bytes(signature)
    digest = SHA256 + hashlib.sha256(message).digest()
    padded = b"\0\1" + b"\xff" * (length(value) - 3 - len(digest)) + b"\0" + digest
    return given < modulus and len(signature) == length(value) and pow(given, exponent, modulus) == int.from_bytes(padded)


def signer(keys: list[dict], message: bytes, text: str) -> str:
    """The id of the key that made the signature."""
    require(text, "no_signature")
    signature = from_base64(text)
    require(any(length(key["value"]) == len(signature) for key in keys), "signature_encoding")
    for key in keys:
        if verifies(key["value"], message, signature):
            return key["id"]
    raise Refused("signature_mismatch")
