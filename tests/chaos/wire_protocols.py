"""As much of three protocols as it takes to hurt them where it matters. Pure: bytes in, what they mean out.

Each is fed one direction of one connection from its first byte on, in whatever pieces the network makes of it.
"""

from __future__ import annotations

import struct

QUERY, EXECUTE = 0x03, 0x17                    # MySQL commands
PRODUCE, OFFSET_COMMIT = 0, 8                  # Kafka API keys
LARGEST = 64 << 20                             # bytes of a frame; more is a stream that was misread


class OutOfStep(ValueError):
    """These bytes are not what the protocol allows."""


class MysqlCommands:
    """From client to server: (command, its first bytes) of every command that is complete."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        self._buffer += data
        commands = []
        while len(self._buffer) >= 5:
            size = int.from_bytes(self._buffer[:3], "little")
            if len(self._buffer) < 4 + size:
                break
            sequence, payload = self._buffer[3], self._buffer[4:4 + size]
            self._buffer = self._buffer[4 + size:]
            if sequence == 0 and payload:  # the handshake's packets count on
                commands.append((payload[0], payload[1:65]))
        return commands


def is_commit(command: int, text: bytes) -> bool:
    return command == QUERY and text.strip().upper() == b"COMMIT"


class KafkaFrames:
    """Either direction: whole frames with their four bytes of size."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> list[bytes]:
        self._buffer += data
        frames = []
        while len(self._buffer) >= 4:
            (size,) = struct.unpack_from(">i", self._buffer)
            if not 4 <= size <= LARGEST:
                raise OutOfStep(f"a Kafka frame of {size} bytes")
            if len(self._buffer) < 4 + size:
                break
            frames.append(self._buffer[:4 + size])
            self._buffer = self._buffer[4 + size:]
        return frames


def kafka_request(frame: bytes) -> tuple[int, int]:
    """API key and correlation id."""
    key, _, correlation = struct.unpack_from(">hhi", frame, 4)
    return key, correlation


def kafka_response(frame: bytes) -> int:
    """The correlation id."""
    return struct.unpack_from(">i", frame, 4)[0]


class RespReplies:
    """From Redis to its client: whole replies."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> list[bytes]:
        self._buffer += data
        replies = []
        while (end := _reply_end(self._buffer, 0)) is not None:
            replies.append(self._buffer[:end])
            self._buffer = self._buffer[end:]
        return replies


def _reply_end(data: bytes, at: int) -> int | None:
    """Where the reply that begins at `at` ends; None: not all of it is there."""
    line_end = data.find(b"\r\n", at)
    if line_end < 0:
        return None
    kind, after = data[at:at + 1], line_end + 2
    if kind in b"+-:_#,(":
        return after
    if kind not in b"$*%~>=!":
        raise OutOfStep(f"a reply of kind {kind!r}")
    count = int(data[at + 1:line_end])
    if kind in b"$=!":
        end = after if count < 0 else after + count + 2
        return end if len(data) >= end else None
    for _ in range(max(count, 0) * (2 if kind == b"%" else 1)):
        if (end := _reply_end(data, after)) is None:
            return None
        after = end
    return after
