"""The header `sluice` of a record as the separate headers that say the same: proto/event_header.proto and proto/README.md."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

PACKED = "sluice"
TRUSTS = ("full", "none", "crc", "type", "api")
Headers = list[tuple[str, bytes]]


def separated(headers: Headers) -> Headers:
    """As sluice archives and shows them; as they are without a packed header."""
    packed = [value for name, value in headers if name == PACKED]
    if len(packed) != 1:
        return headers
    described = list(described_by(dict(fields_of(packed[0])), dict(headers), http_of(packed[0])))
    names = {PACKED, *(name for name, _ in described)}
    others = [(name, value) for name, value in headers if name not in names and not name.startswith("http-")]
    return [(name, value) for name, value in described if value is not None] + others


def described_by(fields: dict[int, bytes | int], headers: dict[str, bytes], http: Headers) -> Iterator[tuple[str, bytes | None]]:
    yield from (("ce_specversion", b"1.0"), ("ce_id", fields[5]), ("ce_source", fields[2] + b"/" + fields[3]), ("ce_type", fields[6]))
    yield from (("ce_subject", fields.get(7)), ("ce_time", time_of(fields.get(8))), ("content-type", fields[10]))
    yield from ((name, headers.get(name)) for name in ("traceparent", "tracestate"))
    yield from (("sluice-source", fields[1]), ("sluice-provider", fields[2]), ("sluice-principal", fields[3]))
    yield from (("sluice-livemode", b"true" if fields[4] else b"false"), ("sluice-dedup-key", in_hex(fields[11])))
    yield from (("sluice-digest", in_hex(fields[12])), ("sluice-event-day", day_of(fields[13])), ("sluice-received-at", time_of(fields[9])))
    yield from (("sluice-key", fields[14]), ("sluice-trust", TRUSTS[fields[17]].encode() if fields.get(17) else None))
    yield from (("sluice-item", str(fields[18]).encode() if 18 in fields else None), ("sluice-original", in_hex(fields.get(19))))
    yield from ((f"http-{name}", value) for name, value in http)
    yield "sluice-keys", fields.get(16)


def http_of(packed: bytes) -> Headers:
    pairs = [dict(fields_of(value)) for number, value in fields_of(packed) if number == 15]
    return [(pair.get(1, b"").decode(), pair.get(2, b"")) for pair in pairs]


def fields_of(message: bytes) -> Iterator[tuple[int, bytes | int]]:
    """Numbers and values of a protobuf message of varints and what has a length, in its order."""
    at = 0
    while at < len(message):
        tag, at = varint(message, at)
        value, at = varint(message, at)
        assert tag & 7 in (0, 2), f"kind {tag & 7}"
        if tag & 7 == 2:
            value, at = message[at:at + value], at + value
        yield tag >> 3, value


def varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while message[at] & 0x80:
        value, shift, at = value | (message[at] & 0x7F) << shift, shift + 7, at + 1
    return value | message[at] << shift, at + 1


def in_hex(digest: bytes | None) -> bytes | None:
    return None if digest is None else digest.hex().encode()


def signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def day_of(number: int) -> bytes:
    return str(date(1970, 1, 1) + timedelta(days=signed(number))).encode() if number else b"undated"


def time_of(message: bytes | None) -> bytes | None:
    if message is None:
        return None
    fields = dict(fields_of(message))
    time = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=signed(fields.get(1, 0)), microseconds=fields.get(2, 0) // 1000)
    return f"{time:%Y-%m-%dT%H:%M:%S.%fZ}".encode()
