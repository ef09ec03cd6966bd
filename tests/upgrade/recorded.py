"""The records of a release as they lay in Kafka, in a file that people can read."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from tests.support.kafka_log import LogRecord
from tests.support.pipeline import Pipeline

FILE = Path(__file__).parent / "records" / "records.json"
ROLES = ("webhooks", "quarantine", "dlq", "commands", "retry")

Record = tuple[bytes | None, bytes | None, list[tuple[str, bytes]]]  # value, key, headers


def topic_of(pipeline: Pipeline, role: str) -> str:
    return {"webhooks": pipeline.topic, "quarantine": pipeline.quarantine, "dlq": pipeline.dlq,
            "commands": pipeline.commands, "retry": pipeline.retry("5s")}[role]


def write(pipeline: Pipeline, **known: object) -> None:
    topics = {role: [_as_json(record) for record in pipeline.log.read(topic_of(pipeline, role))] for role in ROLES}
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps({**known, "topics": topics}, indent=1) + "\n")


def read() -> dict:
    return json.loads(FILE.read_text())


def records(role: str) -> list[Record]:
    return [(_bytes(one["value"]), _bytes(one["key"]), [(name, _bytes(value) or b"") for name, value in one["headers"]])
            for one in read()["topics"][role]]


def _as_json(record: LogRecord) -> dict:
    return {"key": _text(record.key), "value": _text(record.value),
            "headers": [[name, _text(value)] for name, value in record.headers]}


def _text(data: bytes | None) -> str | None:
    """As it is where it is ASCII that prints, else base64 behind a colon."""
    if data is None:
        return None
    data = re.sub(rb"/\S+\.yaml", b"/etc/sluice/sluice.yaml", data)  # where an effect stands
    shown = data.decode("latin-1")
    return shown if shown.isascii() and shown.replace("\n", "").isprintable() and not shown.startswith(":") else \
        ":" + base64.b64encode(data).decode()


def _bytes(text: str | None) -> bytes | None:
    if text is None:
        return None
    return base64.b64decode(text[1:]) if text.startswith(":") else text.encode()
