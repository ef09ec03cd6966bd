"""Rows of troubled objects, as the consumer would have written them: for tests of what people see and do."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from tests.support.ledger import Ledger

DAY = "2026-11-21"
CARD = "4111111111111111"


@dataclass(frozen=True)
class Dead:
    """One event that died at the head of its lane, and its entry."""

    number: int
    event_id: str
    object_key: str
    dead_letter: int

    @property
    def dedup_key(self) -> bytes:
        return dedup_key_of(self.event_id)


ACCOUNT = (b"stripe", b"acct_main", b"test")  # provider, principal and mode of the standard source


def dedup_key_of(event_id: str) -> bytes:
    """common/record/event_record.hpp, of a test event of the standard source."""
    return hashlib.sha256(framed(*ACCOUNT, event_id.encode())).digest()


def framed(*parts: bytes) -> bytes:
    """Each behind its length."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def headers_as_bytes(headers: list[tuple[str, str]]) -> bytes:
    """common/record/header_bytes.hpp"""
    return b"".join(len(name).to_bytes(2, "big") + name.encode() + len(value).to_bytes(4, "big") + value.encode()
                    for name, value in headers)


def body_of(event_id: str) -> bytes:
    return json.dumps({"id": event_id, "client_secret": "pi_secret_hush", "card": CARD}).encode()


def write_dead(ledger: Ledger, number: int, *, followers: int = 0, error_class: str = "data",
               source: str = "stripe-eu") -> Dead:
    """A dead event of an object of its own, with parked ones behind it."""
    event_id, key = f"evt_{number}", f"stripe/acct_main/pi_{number}"
    lane = hashlib.sha256(key.encode()).digest()
    ledger.query("INSERT INTO lane VALUES (%s, %s, 5, NULL, 1, %s, %s, UTC_TIMESTAMP(6))", lane, key, 1 + followers,
                 1 + followers)
    for position in range(1, 2 + followers):
        name = event_id if position == 1 else f"{event_id}_{position}"
        status = "dead" if position == 1 else "parked"
        dedup_key = dedup_key_of(name)
        ledger.query("INSERT INTO inbox (event_day, dedup_key, content_digest, source, event_id, type, object_key, status,"
                     " topic, partition_no, offset_no, received_at, dlq_sent, error_class) VALUES (%s, %s, %s, %s, %s,"
                     " 'charge.failed', %s, %s, 't', 0, %s, UTC_TIMESTAMP(6), %s, %s)", DAY, dedup_key, bytes(32), source, name,
                     key, status, position, 1 if status == "dead" else None, error_class)
        ledger.query("INSERT INTO lane_event VALUES (%s, %s, %s, %s, 0, NULL, UTC_TIMESTAMP(6), 0, '[\"pay\"]', NULL, %s, 'no wallet',"
                     " %s, %s, 't', 0, %s, '2026-11-21 10:00:00', %s, %s, 0, NULL, NULL, NULL, 0)", lane, position, status,
                     3 if status == "dead" else 0, error_class, DAY, dedup_key, position,
                     headers_as_bytes([("ce_id", name), ("http-stripe-signature", "t=1,v1=hush")]), body_of(name))
    dedup_key = dedup_key_of(event_id)
    ledger.query("INSERT INTO dead_letter (kind, lane_key, position, object_key, source, type, event_id, event_day, dedup_key,"
                 " error_class, error_text, attempts, first_failed_at, topic, partition_no, offset_no, dlq_sent, opened_at)"
                 " VALUES ('dead', %s, 1, %s, %s, 'charge.failed', %s, %s, %s, %s, %s, 3, UTC_TIMESTAMP(6), 't', 0, 1, 1,"
                 " UTC_TIMESTAMP(6))", lane, key, source, event_id, DAY, dedup_key, error_class, f"no wallet of {CARD}")
    [[dead_letter]] = ledger.query("SELECT MAX(id) FROM dead_letter")
    return Dead(number, event_id, key, dead_letter)


def write_quarantined(ledger: Ledger, number: int, kind: str = "unreadable") -> int:
    """An entry without a lane and without an object; its id."""
    ledger.query("INSERT INTO dead_letter (kind, object_key, source, type, event_id, error_class, error_text, attempts,"
                 " first_failed_at, topic, partition_no, offset_no, seen_once, dlq_sent, opened_at, headers, body) VALUES"
                 " (%s, '', 'stripe-eu', '', '', %s, '', 1, UTC_TIMESTAMP(6), 't', 0, %s, %s, 1, UTC_TIMESTAMP(6), %s, %s)",
                 kind, kind, number, hashlib.sha256(f"record {number}".encode()).digest(), b"", b"<secret>hush</secret>")
    [[dead_letter]] = ledger.query("SELECT MAX(id) FROM dead_letter")
    return dead_letter


def write_action(ledger: Ledger, dead: Dead, *, action: str = "retry", answer: str = "carried_out", identity: bytes = bytes(16),
                 run: bytes | None = None) -> None:
    ledger.query("INSERT INTO operator_action VALUES (%s, %s, %s, %s, NULL, %s, %s, %s, %s, 'ada', 'wallets are there',"
                 " 'oncall', 'bastion', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), NULL, NULL, NULL, NULL)", identity, run, action, answer, dead.object_key,
                 DAY, dead.dedup_key, dead.dead_letter)
