"""Operators' commands as records, byte by byte: proto/command.proto."""

from __future__ import annotations

import hashlib
import secrets
import time

from tests.support.events import Event
from tests.support.kafka_log import java_partition
from tests.support.lanes import key_of
from tests.support.pipeline import Pipeline
from tests.support.wait import LONG_ENOUGH, wait_for

RETRY, SKIP, EDIT, CLOSE, RERUN = 16, 17, 18, 19, 20  # fields of the message


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number: int, value: bytes | int) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def entry_of(pipeline: Pipeline, event: Event) -> int:
    """The open entry of an event, once there is one."""
    def look() -> int:
        rows = pipeline.ledger.query("SELECT id FROM dead_letter WHERE event_id = %s AND closed_at IS NULL", event.id.encode())
        return rows[0][0] if rows else 0
    return wait_for(look, f"an open entry of {event.id}")


def object_of_entry(pipeline: Pipeline, entry: int) -> bytes:
    return pipeline.ledger.query("SELECT object_key FROM dead_letter WHERE id = %s", entry)[0][0]


def send(pipeline: Pipeline, action: int, event: Event, *, body: bytes = b"", entry: int | None = None, times: int = 1,
         unverified: bool = False, key: bytes | None = None, effect: str = "") -> bytes:
    """Asks for it as sluicectl does; the command's id. `entry` names the target where the event has no inbox row; `key` is
    another object's than its own; `effect` is of a rerun."""
    if key is None:
        key = key_of(event).encode() if entry is None else object_of_entry(pipeline, entry)
    command_id, record = command_of(pipeline, action, event, key=key, body=body, entry=entry, unverified=unverified, effect=effect)
    place = java_partition(key, pipeline.wake_partitions)
    pipeline.log.append_all(pipeline.commands, [(record, key, [], place)] * times)
    return command_id


def command_of(pipeline: Pipeline, action: int, event: Event, *, key: bytes, body: bytes = b"", entry: int | None = None,
               unverified: bool = False, effect: str = "", operator: bytes = b"kim", age: int = 0) -> tuple[bytes, bytes]:
    """The id and the bytes of a command that was asked for `age` seconds ago."""
    command_id = secrets.token_bytes(16)
    said = field(1, command_id) + field(2, key)
    row = pipeline.ledger.inbox_row(event)
    if entry is None and row is not None:
        said += field(3, field(1, str(row["event_day"]).encode()) + field(2, row["dedup_key"]))
    said += field(4, operator) + field(5, b"the effect is mended") + field(6, b"desk-7") + field(7, b"oncall")
    said += field(8, field(1, int(time.time()) - age))
    if entry is not None:
        said += field(10, entry)
    what = {RETRY: field(1, 1) if unverified else b"", EDIT: field(1, hashlib.sha256(body).digest()) + field(2, body),
            RERUN: field(1, effect.encode()) + (field(2, 1) if unverified else b"")}.get(action, b"")
    return command_id, said + field(action, what)


def expect_answer(pipeline: Pipeline, command_id: bytes, answer: str, why: str | None = None, within: float = LONG_ENOUGH) -> None:
    def answered() -> tuple:
        rows = pipeline.ledger.query("SELECT answer, why, operator, reason, database_user, host FROM operator_action WHERE id = %s",
                                     command_id)
        assert len(rows) == 1, rows
        return rows[0]
    found = wait_for(answered, "the command to be answered", within)
    assert (found[0], found[1].decode() if found[1] else None) == (answer, why)
    assert [text.decode() for text in found[2:]] == ["kim", "the effect is mended", "oncall", "desk-7"]
