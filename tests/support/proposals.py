"""Commands of two operators, byte by byte: consumer/command/signature.hpp. Whatever sluicectl would not make, too."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from dataclasses import dataclass, field as member
from pathlib import Path

from tests.support.commands import SKIP, command_of, entry_of, field
from tests.support.events import Event
from tests.support.lanes import key_of
from tests.support.operators import put_command
from tests.support.pipeline import Pipeline

PROPOSAL, APPROVAL, APPROVAL_SIGNATURE = "sluice-proposal", "sluice-approval", "sluice-approval-signature"


@dataclass
class Signer:
    """Has the keys, by id, and signs for one installation."""

    secrets: dict[str, bytes]
    topic_id: bytes
    group: bytes

    def sign(self, purpose: str, key_id: str, *parts: bytes) -> bytes:
        whole = (purpose.encode(), key_id.encode(), self.topic_id, self.group, *parts)
        message = b"".join(len(part).to_bytes(8, "big") + part for part in whole)
        return key_id.encode() + b":" + hmac.new(self.secrets[key_id], message, hashlib.sha256).hexdigest().encode()


@dataclass
class Proposed:
    """One command with its headers, which a test may change before it is put."""

    identity: bytes
    key: bytes
    value: bytes
    headers: dict[str, bytes] = member(default_factory=dict)

    def put(self, pipeline: Pipeline, times: int = 1) -> None:
        put_command(pipeline, self.value, self.key, *self.headers.items(), times=times)


def approval_of(operator: str, reason: str = "seen at the provider") -> bytes:
    return field(1, operator.encode()) + field(2, reason.encode()) + field(3, field(1, int(time.time())))


def signed_by_two(pipeline: Pipeline, signer: Signer, event: Event, *, action: int = SKIP, age: int = 0, first: str = "kim",
                  second: str = "bob", approver: str = "bob", shown: Event | None = None, names_entry: bool = True,
                  **command: object) -> Proposed:
    """`first` and `second` are keys; the operators are kim and `approver`. The entry is that of `shown`, or the event's own."""
    key = key_of(event).encode()
    identity, value = command_of(pipeline, action, event, key=key, age=age, entry=None, **command)
    if names_entry:
        value += field(10, entry_of(pipeline, shown or event))
    proposed = Proposed(identity, key, value)
    proposed.headers[PROPOSAL] = signer.sign("sluice proposal 1", first, key, value)
    approve(proposed, signer, second, approver)
    return proposed


def approve(proposed: Proposed, signer: Signer, second: str, approver: str) -> None:
    approval = approval_of(approver)
    proposed.headers[APPROVAL] = approval
    proposed.headers[APPROVAL_SIGNATURE] = signer.sign("sluice approval 1", second, proposed.key, proposed.value,
                                                       proposed.headers[PROPOSAL], approval)


def commands_in(file: Path) -> list[tuple[bytes, bytes]]:
    """Value and the first operator's signature of each command of a proposal."""
    return [(base64.b64decode(one["value"]), one["signature"].encode()) for one in json.loads(file.read_text())["commands"]]
