"""Records as the ingress would have written them, for tests of the consumer alone: common/record/header_names.hpp."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from datetime import UTC, datetime

from tests.support.events import Event
from tests.support.kafka_log import java_partition
from tests.support.pipeline import PRINCIPAL, SOURCE, Pipeline

PROVIDER = "stripe"

Record = tuple[bytes, bytes, list[tuple[str, bytes]]]  # key, value, headers


def record_of(event: Event, *, source: str = SOURCE, principal: str = PRINCIPAL, secret: str = "", **changes: str) -> Record:
    """`changes` are headers by name, "-" written as "_". With `secret` the record can be verified again."""
    document = json.loads(event.body)
    created = document.get("created")
    headers = {
        "ce_specversion": "1.0", "ce_id": event.id, "ce_source": f"{PROVIDER}/{principal}", "ce_type": event.type,
        "ce_subject": event.object, "content-type": "application/json; charset=utf-8",
        "traceparent": f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-00",
        "sluice-source": source, "sluice-provider": PROVIDER, "sluice-principal": principal, "sluice-livemode": "false",
        "sluice-dedup-key": digest(PROVIDER, principal, "test", event.id),
        "sluice-digest": digest(event.type, json.dumps(document.get("data"), sort_keys=True)),
        "sluice-event-day": day_of(created),
        "sluice-received-at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}", "sluice-key": "current",
        "http-stripe-signature": signature(event.body, secret)}
    headers |= {name.replace("_", "-"): text for name, text in changes.items()}
    key = f"{PROVIDER}/{principal}/{event.object or event.id}"
    return key.encode(), event.body, [(name, text.encode()) for name, text in headers.items()]


def signature(body: bytes, secret: str) -> str:
    if not secret:
        return "t=1,v1=none"
    now = int(time.time())
    return f"t={now},v1={hmac.new(secret.encode(), f'{now}.'.encode() + body, hashlib.sha256).hexdigest()}"


def day_of(created: object) -> str:
    return f"{datetime.fromtimestamp(created, UTC):%Y-%m-%d}" if isinstance(created, int) else "undated"


def put(pipeline: Pipeline, *events: Event) -> None:
    """Into the log, in this order, past the ingress."""
    put_records(pipeline, *(record_of(event, secret=pipeline.secret) for event in events))


def put_records(pipeline: Pipeline, *records: Record) -> None:
    pipeline.log.append_all(pipeline.topic, [
        (value, key, headers, java_partition(key, pipeline.partitions)) for key, value, headers in records])


def put_again(pipeline: Pipeline, event: Event, times: int = 1) -> None:
    """The same record once more, as after a lost confirmation or a flushed Redis."""
    record = next(entry for entry in pipeline.log.read(pipeline.topic) if entry.text("ce_id") == event.id)
    pipeline.log.append_all(pipeline.topic, [(record.value, record.key, record.headers, record.partition)] * times)


def hold_key(cursor, event: Event) -> None:
    """An inbox row of `event` that is neither committed nor rolled back."""
    _, _, headers = record_of(event)
    found = dict(headers)
    cursor.execute(
        "INSERT INTO inbox (event_day, dedup_key, content_digest, source, event_id, type, object_key, status, topic,"
        " partition_no, offset_no, received_at) VALUES (%s, %s, %s, 'x', 'x', 'x', 'x', 'done', 'x', 0, 0, NOW(6))",
        (found["sluice-event-day"].decode(), bytes.fromhex(found["sluice-dedup-key"].decode()),
         bytes.fromhex(found["sluice-digest"].decode())))


def digest(*parts: str) -> str:
    """64 hex digits that differ where the parts do."""
    return hashlib.sha256("".join(f"{len(part)}:{part}" for part in parts).encode()).hexdigest()
