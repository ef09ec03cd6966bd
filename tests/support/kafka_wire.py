"""What neither the Python client of the platform nor the server's jars can ask of Kafka, in its own protocol."""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass

DELETE_RECORDS, CREATE_ACLS, DELETE_GROUPS, ELECT_LEADERS = 21, 30, 42, 43
UNCLEAN = 1
RESOURCES = {"topic": 2, "group": 3}
PATTERNS = {"literal": 3, "prefixed": 4}
OPERATIONS = {"Read": 3, "Write": 4, "Create": 5, "Describe": 8, "DescribeConfigs": 10}
ALLOW = 3
WITHIN = 10.0  # seconds


def forget_group(port: int, group: str) -> None:
    """The broker at `port` forgets `group`, which has no members, and its offsets with it."""
    answer = ask(port, DELETE_GROUPS, 0, struct.pack(">i", 1) + _text(group))
    (error,) = struct.unpack(">h", answer[-2:])
    assert error == 0, f"Kafka does not forget {group}: error {error}"


def delete_records(port: int, topic: str, partition: int, before: int) -> None:
    """The log of that partition starts at `before`, as after its retention."""
    body = struct.pack(">i", 1) + _text(topic) + struct.pack(">iiqi", 1, partition, before, int(WITHIN * 1000))
    answer = ask(port, DELETE_RECORDS, 0, body)
    (error,) = struct.unpack(">h", answer[-2:])
    assert error == 0, f"Kafka does not delete records of {topic}: error {error}"


def elect_unclean(port: int, topic: str, partition: int) -> None:
    """Some broker that is there leads that partition, whatever it lacks; who does is in the metadata."""
    body = struct.pack(">bi", UNCLEAN, 1) + _text(topic) + struct.pack(">iii", 1, partition, int(WITHIN * 1000))
    ask(port, ELECT_LEADERS, 1, body)


@dataclass(frozen=True)
class Acl:
    """A right, in the words of kafka-acls."""

    resource: str
    name: str
    pattern: str
    principal: str
    operation: str


def allow(port: int, rights: list[Acl]) -> None:
    """From every host."""
    body = struct.pack(">i", len(rights))
    for right in rights:
        body += struct.pack(">b", RESOURCES[right.resource]) + _text(right.name) + struct.pack(">b", PATTERNS[right.pattern])
        body += _text(right.principal) + _text("*") + struct.pack(">bb", OPERATIONS[right.operation], ALLOW)
    answer = ask(port, CREATE_ACLS, 1, body)
    granted = struct.pack(">ii", 0, len(rights)) + struct.pack(">hh", 0, 0) * len(rights)  # no error, no words
    assert answer[4:] == granted, f"Kafka does not take all of {len(rights)} ACLs: {answer!r}"


def ask(port: int, question: int, version: int, body: bytes) -> bytes:
    request = struct.pack(">hhih", question, version, 1, -1) + body
    with socket.create_connection(("127.0.0.1", port), timeout=WITHIN) as connection:
        connection.sendall(struct.pack(">i", len(request)) + request)
        stream = connection.makefile("rb")
        (size,) = struct.unpack(">i", stream.read(4))
        return stream.read(size)


def _text(text: str) -> bytes:
    return struct.pack(">h", len(text)) + text.encode()
