"""What Kafka holds: the topic read from its beginning to its end, without a group."""

from __future__ import annotations

import json
from dataclasses import dataclass

from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

from deploy.demo.packed_header import separated

TOPIC = "payments.webhooks.v1"
READ_WITHIN = 30.0  # seconds without a record


@dataclass(frozen=True)
class Record:
    """`published_at`: milliseconds since 1970, as the producer stamped it."""

    partition: int
    offset: int
    body: dict
    published_at: int
    headers: dict[str, str]

    @property
    def id(self) -> str:
        return self.body["id"]


def read_all(bootstrap: str, topic: str = TOPIC) -> tuple[list[Record], dict[int, int]]:
    """Every record, and the end offset of each partition."""
    reader = Consumer({"bootstrap.servers": bootstrap, "group.id": "demo-reader", "enable.auto.commit": False})
    try:
        ends = _ends(reader, topic)
        reader.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in ends])
        return _read(reader, sum(ends.values())), ends
    finally:
        reader.close()


def count(bootstrap: str) -> int:
    reader = Consumer({"bootstrap.servers": bootstrap, "group.id": "demo-reader"})
    try:
        return sum(_ends(reader, TOPIC).values())
    finally:
        reader.close()


def _ends(reader: Consumer, topic: str) -> dict[int, int]:
    partitions = reader.list_topics(topic, timeout=10).topics[topic].partitions
    return {number: reader.get_watermark_offsets(TopicPartition(topic, number), timeout=10)[1] for number in partitions}


def _read(reader: Consumer, wanted: int) -> list[Record]:
    records: list[Record] = []
    while len(records) < wanted:
        message = reader.poll(READ_WITHIN)
        if message is None or message.error():
            raise RuntimeError(f"only {len(records)} of {wanted} records could be read: {message and message.error()}")
        headers = {name: value.decode(errors="replace") for name, value in separated(message.headers() or [])}
        records.append(Record(message.partition(), message.offset(), json.loads(message.value()), message.timestamp()[1], headers))
    return records
