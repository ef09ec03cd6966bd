"""AES-256-GCM out of what the openssl program has: counter mode and single blocks; the tag is computed here."""

from __future__ import annotations

from functools import cache

from .rsa import openssl

POLYNOMIAL = 0xE1 << 120


def opened(key: bytes, nonce: bytes, associated: bytes, sealed: bytes) -> bytes:
    """The plain text; ValueError unless the tag, the last 16 bytes, is right."""
    if len(nonce) != 12 or len(sealed) < 16 or len(key) != 32:
        raise ValueError("nonce, tag or key of another length")
    ciphertext, tag = sealed[:-16], sealed[-16:]
    stream = counted(key, nonce + b"\0\0\0\1", bytes(16) + ciphertext)
    mask, plain = stream[:16], stream[16:]
    if xor(ghash(block(key), associated, ciphertext), mask) != tag:
        raise ValueError("tag")
    return plain


@cache
def counted(key: bytes, start: bytes, text: bytes) -> bytes:
    return openssl("enc", "-aes-256-ctr", "-K", key.hex(), "-iv", start.hex(), given=text).stdout


@cache
def block(key: bytes) -> int:
    return int.from_bytes(openssl("enc", "-aes-256-ecb", "-nopad", "-K", key.hex(), given=bytes(16)).stdout)


def xor(left: int, right: bytes) -> bytes:
    return (left ^ int.from_bytes(right)).to_bytes(16)


def ghash(point: int, associated: bytes, ciphertext: bytes) -> int:
    lengths = (8 * len(associated)).to_bytes(8) + (8 * len(ciphertext)).to_bytes(8)
    value = 0
    for text in (associated, ciphertext, lengths):
        for place in range(0, len(text), 16):
            value = times(value ^ int.from_bytes(text[place:place + 16].ljust(16, b"\0")), point)
    return value


def times(left: int, right: int) -> int:
    product = 0
    for place in range(127, -1, -1):
        if left >> place & 1:
            product ^= right
        right = right >> 1 ^ (POLYNOMIAL if right & 1 else 0)
    return product
