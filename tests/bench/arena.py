"""The real servers of one run, and the targets that work against them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from deploy.stack import Kafka, Redis, Server, mysql_or_mariadb, start_all, stop_all
from tests.bench.targets import Target
from tests.support.kafka_log import KafkaLog

# The disk shall not fill up: offsets are what is counted, and they go on when old segments go. By time, since sluice refuses a topic
# that is bounded in bytes.
BROKER = {"log.segment.bytes": str(64 << 20), "log.retention.ms": "600000",
          "log.retention.check.interval.ms": "2000", "log.segment.delete.delay.ms": "1000"}
# MySQL has one unless it is told otherwise. A row that a commit has changed is then locked until the log is on the disk.
BINARY_LOG = {"log_bin": "binlog", "sync_binlog": "1", "server_id": "1"}
# The tests' consumers have short sessions, which a broker by itself refuses.
SHORT_SESSIONS = {"group.min.session.timeout.ms": "500"}


class Arena:
    """Kafka and Redis below `folder`, which is emptied first; `durable`: with a database, and topics keep all they get. `has_log`: the
    database has a binary log.

    Leaving the block stops everything.
    """

    def __init__(self, folder: Path, *, durable: bool = False, has_log: bool = False) -> None:
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        self.kafka = Kafka(folder / "kafka", overrides=SHORT_SESSIONS if durable else BROKER)
        self.redis = Redis(folder / "redis")
        self.sql = mysql_or_mariadb(folder / "sql") if durable else None
        if self.sql and has_log:
            self.sql.options |= BINARY_LOG
        self.targets: list[Target] = []

    def __enter__(self) -> Self:
        start_all(self.servers)
        self.log = KafkaLog(self.kafka.bootstrap)
        return self

    def __exit__(self, *_: object) -> None:
        for target in self.targets:
            target.stop()
        self.log.close()
        stop_all(self.servers)
        for server in self.servers:
            shutil.rmtree(server.data_dir, ignore_errors=True)

    @property
    def servers(self) -> list[Server]:
        return [self.kafka, self.redis, *([self.sql] if self.sql else [])]

    def start(self, names: Iterable[str], partitions: int) -> list[Target]:
        made = [Target(name, partitions, self.folder / "targets") for name in names]
        for target in made:
            target.make_topics(self.log)
        for target in made:
            self.targets.append(target)
            target.start(self.kafka, self.redis)
        return made
