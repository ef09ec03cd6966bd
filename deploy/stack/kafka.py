"""Kafka 4.x: one KRaft node, or a few of them."""

from __future__ import annotations

import shutil
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path

from deploy.stack import cached
from deploy.stack.kafka_wire import brokers_known_by
from deploy.stack.server import Server, free_port

JVM = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
       "-Dorg.slf4j.simpleLogger.showDateTime=true"]

# A killed broker that starts again waits until its former self counts as gone. Alone there is nobody to take over for it.
ALONE_GONE_AFTER = "2000"


def new_cluster_id() -> str:
    return urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")


class Kafka(Server):
    """One node, broker and controller at once. Topics are never made by themselves.

    `overrides` are broker properties that win over ours; `jvm` are options of java. `voters`, `cluster_id` and
    `controller_port` are for `KafkaCluster`; alone, a node is a cluster of its own, with a new cluster id for each new
    data folder.
    """

    name = "Kafka"

    def __init__(self, folder: Path | str, port: int | None = None, *, overrides: Mapping[str, str] | None = None,
                 jvm: Sequence[str] = (), node_id: int = 1, controller_port: int | None = None,
                 voters: Mapping[int, int] | None = None, cluster_id: str | None = None) -> None:
        super().__init__(folder, port)
        self.node_id = node_id
        self.controller_port = controller_port or free_port()
        kept = _read(self.data_dir / "meta.properties").get("cluster.id")
        self.cluster_id = cluster_id or kept or new_cluster_id()
        self.overrides = dict(overrides or {})
        self._jvm = [*JVM, *jvm]
        self._voters = dict(voters or {node_id: self.controller_port})

    @property
    def bootstrap(self) -> str:
        """What clients call bootstrap.servers."""
        return self.address

    def _properties(self) -> dict[str, str]:
        copies = str(min(3, len(self._voters)))
        in_sync = "2" if len(self._voters) >= 3 else "1"
        return {
            "process.roles": "broker,controller",
            "node.id": str(self.node_id),
            "controller.quorum.voters": ",".join(f"{node}@127.0.0.1:{port}" for node, port in self._voters.items()),
            "listeners": f"PLAINTEXT://{self.address},CONTROLLER://127.0.0.1:{self.controller_port}",
            "advertised.listeners": f"PLAINTEXT://{self.address}",
            "controller.listener.names": "CONTROLLER",
            "log.dirs": str(self.data_dir),
            "auto.create.topics.enable": "false",
            "default.replication.factor": copies,
            "min.insync.replicas": in_sync,
            "offsets.topic.num.partitions": "1",
            "offsets.topic.replication.factor": copies,
            "transaction.state.log.num.partitions": "1",
            "transaction.state.log.replication.factor": copies,
            "transaction.state.log.min.isr": in_sync,
            "share.coordinator.state.topic.num.partitions": "1",
            "share.coordinator.state.topic.replication.factor": copies,
            "share.coordinator.state.topic.min.isr": in_sync,
            "group.initial.rebalance.delay.ms": "0",
            "broker.heartbeat.interval.ms": "500",
            "broker.session.timeout.ms": "9000" if len(self._voters) > 1 else ALONE_GONE_AFTER,
            "log.cleaner.dedupe.buffer.size": str(8 << 20),  # the default is a quarter of this heap
            **self.overrides}

    def _prepare(self) -> None:
        _write(self.folder / "server.properties", self._properties())
        if not self.data_dir.exists():
            made = cached.template(f"kafka-node-{self.node_id}", [str(cached.home_of("KAFKA"))], self._format)
            cached.copy(made, self.data_dir)
            _replace(self.data_dir / "meta.properties", "cluster.id", self.cluster_id)

    def _format(self, folder: Path) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        properties = folder.with_suffix(".properties")
        _write(properties, {**self._properties(), "log.dirs": str(folder)})
        cached.run_to_end([*_java(self._jvm), "kafka.tools.StorageTool", "format", "--config", str(properties),
                           "--cluster-id", self.cluster_id], folder.with_suffix(".log"))

    def _command(self) -> list[str]:
        return [*_java([*self._jvm, *self._class_archive()]), "kafka.Kafka", str(self.folder / "server.properties")]

    def _class_archive(self) -> list[str]:
        """Loading its classes is most of a broker's start; from an archive it takes half the time."""
        made = cached.template("kafka-classes", [str(cached.home_of("KAFKA")), *JVM], _archive_classes)
        return [f"-XX:SharedArchiveFile={made}/classes.jsa"]

    def _answers(self) -> bool:
        return brokers_known_by(self.port) >= 1


class _ArchivingKafka(Kafka):
    def _class_archive(self) -> list[str]:
        return [f"-XX:ArchiveClassesAtExit={self.folder.parent}/classes.jsa"]


def _archive_classes(folder: Path) -> None:
    with _ArchivingKafka(folder / "node"):
        pass
    shutil.rmtree(folder / "node")


def _java(options: Sequence[str]) -> list[str]:
    return ["java", *options, "-cp", f"{cached.home_of('KAFKA')}/*"]


def _write(file: Path, properties: Mapping[str, str]) -> None:
    file.write_text("".join(f"{name}={value}\n" for name, value in properties.items()))


def _read(file: Path) -> dict[str, str]:
    lines = file.read_text().splitlines() if file.exists() else []
    return dict(line.split("=", 1) for line in lines if "=" in line)


def _replace(file: Path, name: str, value: str) -> None:
    _write(file, {**_read(file), name: value})
