"""The one question that is asked of Kafka in its own protocol: who is there?"""

from __future__ import annotations

import socket
import struct

METADATA, VERSION = 3, 1


def brokers_known_by(port: int, timeout: float = 2.0) -> int:
    """How many brokers the one at `port` names to clients; OSError when it does not answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.sendall(_request())
        (size,) = struct.unpack(">i", exactly(connection, 4))
        answer = exactly(connection, size)
    (brokers,) = struct.unpack_from(">i", answer, 4)
    return brokers


def _request() -> bytes:
    client = b"sluice"
    header = struct.pack(">hhih", METADATA, VERSION, 1, len(client)) + client
    no_topics = struct.pack(">i", 0)
    return struct.pack(">i", len(header) + len(no_topics)) + header + no_topics


def exactly(connection: socket.socket, size: int) -> bytes:
    """Waits for all of it; ConnectionError when the other side closes before."""
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        if not piece:
            raise ConnectionError("closed by the broker")
        data += piece
    return data
