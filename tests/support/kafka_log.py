"""A Kafka topic read completely: keys, values and headers as they lie in the log."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from threading import Thread

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic

from deploy.demo.packed_header import PACKED, separated
from tests.support.kafka_wire import delete_records, elect_unclean, forget_group
from tests.support.wait import LONG_ENOUGH, wait_for

QUIET = {"log_level": 2}  # brokers go away in these tests: no news


@dataclass(frozen=True)
class LogRecord:
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes]]  # as they lie there

    @property
    def separated(self) -> list[tuple[str, bytes]]:
        """The same whether or not the record packs them."""
        return separated(self.headers)

    def header(self, name: str) -> bytes | None:
        """In either form. None without it; an AssertionError when it is there twice."""
        values = [value for key, value in (self.headers if name == PACKED else self.separated) if key == name]
        assert len(values) <= 1, f"{name} is there {len(values)} times"
        return values[0] if values else None

    def text(self, name: str) -> str | None:
        value = self.header(name)
        return None if value is None else value.decode()


class KafkaLog:
    """All that a test wants to do with Kafka that is not done by the programs themselves."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap
        self._own_admin: AdminClient | None = None
        self._reader: Consumer | None = None
        self._producer: Producer | None = None
        self._askers: dict[str, Consumer] = {}  # by group: they never join it

    def create(self, *topics: str, partitions: int = 3, replication: int = 1,
               config: dict[str, str] | None = None) -> None:
        made = self._admin.create_topics([NewTopic(name, partitions, replication, config=config or {})
                                          for name in topics], operation_timeout=10)
        for future in made.values():
            future.result(20)

    def place(self, topic: str, brokers: list[list[int]]) -> None:
        """Makes a topic whose partitions lie on these brokers."""
        for future in self._admin.create_topics([NewTopic(topic, len(brokers), replica_assignment=brokers)],
                                                operation_timeout=10).values():
            future.result(20)

    def delete(self, *topics: str) -> None:
        for future in self._admin.delete_topics(list(topics), operation_timeout=10).values():
            future.result(20)
        wait_for(lambda: not set(topics) & self.topics(), f"{topics} to be gone")
        self.close()  # these clients know them still

    def brokers(self) -> int:
        return len(self._admin.list_topics(timeout=10).brokers)

    def leaders(self, topic: str) -> list[int]:
        """By partition the broker that leads it, -1 where none does."""
        partitions = self._admin.list_topics(topic, timeout=10).topics[topic].partitions
        return [partitions[number].leader for number in sorted(partitions)]

    def in_sync(self, topic: str) -> list[list[int]]:
        """By partition the brokers that have all of it."""
        partitions = self._admin.list_topics(topic, timeout=10).topics[topic].partitions
        return [sorted(partitions[number].isrs) for number in sorted(partitions)]

    def elect_unclean(self, topic: str, partition: int) -> None:
        """As `kafka-leader-election --election-type unclean`."""
        elect_unclean(self._port, topic, partition)

    def topics(self) -> set[str]:
        return set(self._admin.list_topics(timeout=10).topics)

    def configure(self, topic: str, **config: str) -> None:
        """Sets topic properties; underscores stand for dots."""
        self.ends(topic)  # a broker that is making the topic still would take them late
        resource = ConfigResource(ConfigResource.Type.TOPIC, topic,
                                  {name.replace("_", "."): value for name, value in config.items()})
        for future in self._admin.alter_configs([resource]).values():
            future.result(20)

    def grow(self, topic: str, partitions: int) -> None:
        """As `kafka-topics --alter --partitions` does."""
        for future in self._admin.create_partitions([NewPartitions(topic, partitions)], operation_timeout=10).values():
            future.result(20)
        self.close()  # these clients know fewer still
        wait_for(lambda: len(self._ends(topic)) == partitions, f"{topic} to have {partitions} partitions")

    def ends(self, topic: str) -> dict[int, int]:
        """The next offset of each partition."""
        return wait_for(lambda: self._ends(topic), f"the ends of {topic}", within=10)

    def _ends(self, topic: str) -> dict[int, int]:
        reader = self._client()
        try:
            partitions = reader.list_topics(topic, timeout=10).topics[topic].partitions
            return {number: reader.get_watermark_offsets(TopicPartition(topic, number), timeout=10)[1]
                    for number in partitions}
        except KafkaException as error:  # the topic is so young that its leaders do not know it yet
            raise AssertionError(str(error)) from None

    def count(self, topic: str) -> int:
        return sum(self.ends(topic).values())

    def read(self, topic: str, within: float = LONG_ENOUGH) -> list[LogRecord]:
        """Every record from the beginning to the end as it is now, partition by partition."""
        reader = self._client()
        ends = {number: end for number, end in self.ends(topic).items() if end > 0}
        left = dict(ends)
        reader.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in ends])
        records: list[LogRecord] = []

        def take() -> bool:
            at_once = min(500, max(1, sum(ends.values()) - len(records)))  # more than there is would be waited for
            for message in reader.consume(at_once, timeout=0.2) if left else []:
                if message.error():
                    raise KafkaException(message.error())
                number = message.partition()
                if message.offset() < ends[number]:
                    records.append(LogRecord(number, message.offset(), message.key(), message.value(),
                                             list(message.headers() or [])))
                if message.offset() + 1 >= ends[number]:
                    left.pop(number, None)
            return not left

        wait_for(take, f"the whole of {topic}", within, every=0)
        reader.unassign()
        return sorted(records, key=lambda record: (record.partition, record.offset))

    def committed(self, group: str, topic: str) -> dict[int, int]:
        """Committed offsets of a group; -1001 where there is none."""
        if group not in self._askers:
            self._askers[group] = Consumer({"bootstrap.servers": self.bootstrap, "group.id": group, **QUIET,
                                            "enable.auto.commit": False})
        partitions = [TopicPartition(topic, number) for number in self.ends(topic)]
        try:
            found = self._askers[group].committed(partitions, timeout=10)
        except KafkaException as error:  # its coordinator has just come back
            raise ConnectionError(f"committed offsets of {group}: {error}") from error
        return {entry.partition: entry.offset for entry in found}

    def commit(self, group: str, topic: str, offsets: dict[int, int]) -> None:
        """Commits for a group that has no members."""
        writer = Consumer({"bootstrap.servers": self.bootstrap, "group.id": group, **QUIET, "enable.auto.commit": False})
        writer.commit(offsets=[TopicPartition(topic, number, offset) for number, offset in offsets.items()], asynchronous=False)
        _end_soon([writer])

    def group(self, group: str) -> tuple[str, list[set[int]]]:
        """How it hands partitions out, and what each member has of them; of a group that reads one topic. An AssertionError
        while nobody can say."""
        try:
            said = self._admin.list_groups(group, timeout=10)
        except KafkaException as error:
            raise AssertionError(f"{group}: {error}") from error
        assert said, f"nobody has joined {group}"
        return said[0].protocol, [_assigned(member.assignment) for member in said[0].members]

    def forget_offsets(self, group: str) -> None:
        forget_group(self._port, group)

    def truncate(self, topic: str, partition: int, before: int) -> None:
        """As its retention does: records below `before` are gone."""
        delete_records(self._port, topic, partition, before)

    def append(self, topic: str, value: bytes | None, *, key: bytes | None = None,
               headers: list[tuple[str, bytes]] | None = None, partition: int = 0) -> None:
        """A record written past the ingress, acknowledged before this returns."""
        self.append_all(topic, [(value, key, headers or [], partition)])

    def append_all(self, topic: str, records: list[tuple[bytes | None, bytes | None, list, int]]) -> None:
        """Records of (value, key, headers, partition), each partition's in this order."""
        if self._producer is None:
            self._producer = Producer({"bootstrap.servers": self.bootstrap, "acks": "all", "linger.ms": 2,
                                       "enable.idempotence": True, "message.max.bytes": 4 << 20, **QUIET})
        failures: list[object] = []
        for value, key, headers, partition in records:
            self._producer.produce(topic, value=value, key=key, headers=headers, partition=partition,
                                   on_delivery=lambda error, _: failures.append(error) if error else None)
        assert self._producer.flush(20) == 0 and not failures, failures

    def close(self) -> None:
        """What is asked afterwards is asked by new clients."""
        clients = [*self._askers.values(), self._reader, self._producer, self._own_admin]
        self._askers.clear()
        self._reader = self._producer = self._own_admin = None
        _end_soon(clients)

    @property
    def _port(self) -> int:
        return int(self.bootstrap.rsplit(":", 1)[1])

    @property
    def _admin(self) -> AdminClient:
        if self._own_admin is None:
            self._own_admin = AdminClient({"bootstrap.servers": self.bootstrap, **QUIET})
        return self._own_admin

    def _client(self) -> Consumer:
        if self._reader is None:
            self._reader = Consumer({"bootstrap.servers": self.bootstrap, "group.id": "tests-read-only",
                                     "enable.auto.commit": False, "auto.offset.reset": "earliest",
                                     "fetch.wait.max.ms": 20, **QUIET})
        return self._reader


def _end_soon(clients: list[AdminClient | Consumer | Producer | None]) -> None:
    """Without waiting: half of them take a second to end. All but consumers end when nobody holds them any more."""
    def end() -> None:
        while clients:
            client = clients.pop()
            if isinstance(client, Consumer):
                client.close()
            del client

    Thread(target=end).start()


def _assigned(assignment: bytes) -> set[int]:
    """A member's partitions as its leader wrote them: version, number of topics, name, partitions."""
    if not assignment or struct.unpack_from(">i", assignment, 2) == (0,):
        return set()
    (name,) = struct.unpack_from(">h", assignment, 6)
    (count,) = struct.unpack_from(">i", assignment, 8 + name)
    return set(struct.unpack_from(f">{count}i", assignment, 12 + name))


def java_partition(key: bytes, partitions: int) -> int:
    """Where the Java client's default partitioner puts a keyed record: murmur2, seed 0x9747b28c, sign bit off."""
    multiplier, mask = 0x5BD1E995, 0xFFFFFFFF
    value = (0x9747B28C ^ len(key)) & mask
    whole = len(key) // 4 * 4
    for at in range(0, whole, 4):
        word = int.from_bytes(key[at:at + 4], "little") * multiplier & mask
        word = (word ^ word >> 24) * multiplier & mask
        value = value * multiplier & mask ^ word
    rest = key[whole:]
    if rest:
        value = (value ^ int.from_bytes(rest, "little")) * multiplier & mask
    value = (value ^ value >> 13) * multiplier & mask
    value ^= value >> 15
    return (value & 0x7FFFFFFF) % partitions
