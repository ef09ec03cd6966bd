"""Looks on while faults happen: Kafka's committed offset is never ahead of what MySQL holds, at no moment, and the checkpoint of a
walk never ahead of what Kafka holds.

The committed offset is read first and MySQL after it, which only knows more by then. Every record below the committed
offset must have its inbox row; each is looked up once. After the database was restored from an older copy that is untrue
until the consumers have noticed and read again, and so it is of a log that lost its end; the watch ends there, and the
checker's verdict has to do. A checkpoint is read before the ends of the log, and judged once the log was read up to them. After
an election the ends may stand back for a moment: with three nodes no checkpoint is judged.
"""

from __future__ import annotations

import threading
from collections import defaultdict

import pymysql
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, TopicPartition

from deploy.demo.packed_header import separated
from tests.chaos.site import Site
from tests.chaos.story import Story

EVERY = 0.5        # seconds
AT_ONCE = 500      # keys of one question
QUIET = {"log_level": 0}


class Watch(threading.Thread):
    def __init__(self, site: Site, story: Story) -> None:
        super().__init__(name="watch", daemon=True)
        self.site, self.story = site, story
        self.looked_up = 0
        self._keys: dict[int, list[str]] = defaultdict(list)  # dedup keys by partition, by offset
        self._sound: dict[int, int] = defaultdict(int)        # everything below was looked up
        self._ids: set[str] = set()                           # of events that Kafka held
        self._due: tuple[str, dict[int, int]] | None = None   # a checkpoint, and the ends of the log after it
        self._end = threading.Event()

    def run(self) -> None:
        pipeline = self.site.pipeline
        settings = {"bootstrap.servers": pipeline.log.bootstrap, "enable.auto.commit": False, **QUIET}
        reader = Consumer({**settings, "group.id": "chaos-watch", "auto.offset.reset": "earliest"})
        asker = Consumer({**settings, "group.id": pipeline.group})
        partitions = range(self.site.plan.partitions)
        reader.assign([TopicPartition(pipeline.topic, number, OFFSET_BEGINNING) for number in partitions])
        try:
            while not self._end.wait(EVERY) and not self.site.restored and not self.site.before_cut:
                self._look(reader, asker, [TopicPartition(pipeline.topic, number) for number in partitions])
                if self.site.listing and self.site.plan.nodes == 1:
                    self._look_at_walk(reader)
        finally:
            reader.close()
            asker.close()

    @property
    def behind(self) -> int:
        """Records that Kafka held and nobody had committed when it looked last."""
        return sum(map(len, self._keys.copy().values())) - sum(self._sound.copy().values())

    def end(self) -> None:
        self._end.set()
        self.join()

    def _look(self, reader: Consumer, asker: Consumer, partitions: list[TopicPartition]) -> None:
        try:
            committed = {entry.partition: entry.offset for entry in asker.committed(partitions, timeout=2)}
        except KafkaException:
            return
        for message in reader.consume(5000, timeout=0.05):
            if not message.error():
                headers = dict(separated(message.headers() or []))
                self._keys[message.partition()].append(headers["sluice-dedup-key"].decode())
                self._ids.add(headers["ce_id"].decode())
        for partition, offset in committed.items():
            known = self._keys[partition]
            fresh = known[self._sound[partition]:min(offset, len(known))] if offset > 0 else []
            for at in range(0, len(fresh), AT_ONCE):
                self._look_up(partition, fresh[at:at + AT_ONCE])

    def _look_up(self, partition: int, keys: list[str]) -> None:
        wanted = [bytes.fromhex(key) for key in keys]
        marks = ", ".join(["%s"] * len(wanted))
        try:
            rows = self.site.pipeline.ledger.query(f"SELECT dedup_key FROM inbox WHERE dedup_key IN ({marks})", *wanted)
        except (pymysql.MySQLError, OSError):
            return
        if self.site.restored or self.site.before_cut:
            return
        missing = set(wanted) - {key for (key,) in rows}
        if missing:
            first = self._sound[partition] + next(at for at, key in enumerate(wanted) if key in missing)
            self.story.incident(f"Kafka has committed offset {first + 1} or more of partition {partition}, and MySQL has no "
                                f"inbox row of the record at {first} ({len(missing)} such)")
        self._sound[partition] += len(keys)
        self.looked_up += len(keys)

    def _look_at_walk(self, reader: Consumer) -> None:
        if self._due is None:
            self._due = self._checkpoint(reader)
        if self._due is None or any(len(self._keys[partition]) < end for partition, end in self._due[1].items()):
            return
        place, _ = self._due
        self._due = None
        if missing := sorted(self.site.listing.up_to(place) - self._ids):
            self.story.incident(f"the walk has passed {missing[0]}, as its checkpoint is at {place}, and Kafka does not hold it ({len(missing)} such)")

    def _checkpoint(self, reader: Consumer) -> tuple[str, dict[int, int]] | None:
        try:
            if (place := self.site.walked_to()) is None:
                return None
            return place, {number: reader.get_watermark_offsets(TopicPartition(self.site.pipeline.topic, number), timeout=2)[1]
                           for number in range(self.site.plan.partitions)}
        except (pymysql.MySQLError, OSError, KafkaException):
            return None
